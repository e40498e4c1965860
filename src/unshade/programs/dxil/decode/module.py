"""Decoding of modules: the contents of the outermost block.

A form that the encoder would not write again is an error here, so that an unedited module is
encoded without changes. Such forms are from before LLVM 3.7, and no DXIL compiler writes them.
"""

from collections.abc import Callable
from typing import TypeVar

from ....errors import FormatError
from ....limits import DEFAULT, Limits
from ..bitstream import AbbreviationDefinition, BitBlock, BitRecord, Bitstream
from ..model.module import DxilModule
from ..model.types import FunctionType, PointerType
from ..model.values import (
    AttributeGroup,
    AttributeList,
    Comdat,
    DxilValue,
    Function,
    FunctionAttribute,
    GlobalAlias,
    GlobalValue,
    GlobalVariable,
)
from ..tables.blocks import (
    BLOCKS,
    CONSTANTS,
    FUNCTION,
    METADATA,
    MODULE,
    PARAMATTR,
    PARAMATTR_GROUP,
    SYMBOLS,
    TYPES,
    USE_LISTS,
)
from .common import DecodingContext, alignment_of
from .constants import decode_constants
from .function import decode_function
from .metadata import decode_metadata
from .references import attributes_of, decode_names, decode_use_lists
from .types import decode_types

__all__ = ["decode_module"]

VERSION, TRIPLE, DATALAYOUT, ASM, SECTIONNAME, DEPLIB = 1, 2, 3, 4, 5, 6
GLOBALVAR, PROTOTYPE, ALIAS, PURGEVALS, GCNAME, COMDAT = 7, 8, 9, 10, 11, 12
LATE = ("initializer", "prologue", "prefix", "personality")  # values, by their numbers plus 1
G = TypeVar("G", bound=GlobalValue)


def decode_module(stream: Bitstream, limits: Limits = DEFAULT) -> DxilModule:
    """Return the module of a bitstream.

    Raises:
        FormatError: The records are not a module of LLVM 3.7.
        LimitError: The module exceeds a limit.
    """
    blocks = [each for each in stream.blocks if each.id == MODULE]
    if len(blocks) != 1:
        raise FormatError(f"expected one module, got {len(blocks)}", path="module")
    return _ModuleDecoder(blocks[0], limits).run()


class _ModuleDecoder:
    """A decoder of one module. `late` are values of globals, kept as numbers until the end."""

    def __init__(self, block: BitBlock, limits: Limits) -> None:
        self.block = block
        self.module = DxilModule()
        self.module.block = block
        self.context = DecodingContext(self.module, limits)
        self.late: list[tuple[DxilValue, str, int]] = []
        self.names: list[BitBlock] = []
        self.bodies: list[BitBlock] = []

    def run(self) -> DxilModule:
        context = self.context
        for item in self.block.items:
            context.path = "module"
            context.item = item if not isinstance(item, AbbreviationDefinition) else None
            if isinstance(item, BitBlock):
                self.inner(item)
            elif isinstance(item, BitRecord):
                self.record(item)
        self.resolve()
        for block in self.names:
            decode_names(block, context, context.values)
        self.functions()
        return self.module

    def inner(self, block: BitBlock) -> None:
        """Decode a block of the module."""
        module, context = self.module, self.context
        if block.id == TYPES:
            decode_types(block, context)
        elif block.id == PARAMATTR_GROUP:
            for record in block.records:
                module.attribute_groups.append(_attribute_group(record, context))
        elif block.id == PARAMATTR:
            self.attribute_lists(block)
        elif block.id == CONSTANTS:
            if module.constants:
                context.fail("expected one block of constants")
            module.constants = decode_constants(block, context)
        elif block.id == METADATA:
            module.metadata += decode_metadata(block, context)
        elif block.id == SYMBOLS:
            self.names.append(block)
        elif block.id == FUNCTION:
            self.bodies.append(block)
        elif block.id == USE_LISTS:
            module.use_lists += decode_use_lists(block, context, context.values, [])

    def attribute_lists(self, block: BitBlock) -> None:
        groups = {each.id: each for each in self.module.attribute_groups}
        for record in block.records:
            if record.code != 2:
                self.context.fail(f"expected attributes of LLVM 3.7, got record {record.code}")
            unknown = [each for each in record.operands if each not in groups]
            if unknown:
                self.context.fail(f"expected a group of attributes, got {unknown[0]}")
            made = AttributeList([groups[each] for each in record.operands])
            made.record = record
            self.module.attributes.append(made)

    def record(self, record: BitRecord) -> None:
        """Decode a record of the module itself."""
        module, context, operands = self.module, self.context, record.operands
        code = record.code
        if code == VERSION:
            (module.version,) = context.operands(record, 1, 1)
            if module.version != 1:
                context.fail(f"expected version 1, with relative operands, got {module.version}")
        elif code == TRIPLE:
            module.triple = context.text(operands)
        elif code == DATALAYOUT:
            module.data_layout = context.text(operands)
        elif code == ASM:
            module.assembly = context.text(operands)
        elif code == SECTIONNAME:
            module.sections.append(context.text(operands))
        elif code == DEPLIB:
            module.libraries.append(context.text(operands))
        elif code == GCNAME:
            module.gc_names.append(context.text(operands))
        elif code == COMDAT:
            context.operands(record, 2)
            if operands[1] != len(operands) - 2:
                context.fail(f"expected a name of {operands[1]} characters")
            comdat = Comdat(context.text(operands[2:]), operands[0])
            comdat.record = record
            module.comdats.append(comdat)
        elif code in (GLOBALVAR, PROTOTYPE, ALIAS):
            if module.constants:
                context.fail("expected globals before constants")
            context.path = f"globals[{len(module.globals)}]"
            made = (
                self.variable(record)
                if code == GLOBALVAR
                else self.function(record)
                if code == PROTOTYPE
                else self.alias(record)
            )
            made.record = record
            module.globals.append(made)
            context.values.append(made)
        elif code == PURGEVALS:
            context.fail("expected a record of LLVM 3.7, got PURGEVALS")

    def name(self, table: list[str], number: int) -> str:
        """Return the name of a section or collector, which count from 1; empty for 0."""
        if number > len(table):
            self.context.fail(f"expected a name of at most {len(table)}, got {number}")
        return table[number - 1] if number else ""

    def comdat(self, number: int) -> Comdat | None:
        comdats = self.module.comdats
        if number > len(comdats):
            self.context.fail(f"expected a comdat of at most {len(comdats)}, got {number}")
        return comdats[number - 1] if number else None

    def value(self, made: DxilValue, name: str, number: int) -> None:
        """Note that an attribute is a value, by its number plus 1, or None for 0."""
        if number:
            self.late.append((made, name, number - 1))

    def is_declaration(self, number: int) -> bool:
        if number > 1:
            self.context.fail(f"expected 0 or 1 for a declaration, got {number}")
        return bool(number)

    def variable(self, record: BitRecord) -> GlobalVariable:
        number, flags, *_ = self.context.operands(record, 6, 12)
        if not flags & 2:
            self.context.fail("expected a global variable with its own type")
        type = self.context.type(number)
        pointer = self.module.types.pointer(type, flags >> 2)
        return self.fields(GlobalVariable(pointer, type, constant=bool(flags & 1)), record)

    def function(self, record: BitRecord) -> Function:
        type = self.context.type(self.context.operands(record, 8, 15)[0])
        if not isinstance(type, FunctionType):
            self.context.fail(f"expected the type of a function, got {type!s:.60}")
        return self.fields(Function(self.module.types.pointer(type), type), record)

    def alias(self, record: BitRecord) -> GlobalAlias:
        type = self.context.type(self.context.operands(record, 3, 7)[0])
        if not isinstance(type, PointerType):
            self.context.fail(f"expected a pointer, got {type!s:.60}")
        made = GlobalAlias.__new__(GlobalAlias)
        GlobalAlias.__init__(made, type, made)
        return self.fields(made, record)

    def fields(self, made: G, record: BitRecord) -> G:
        """Set the attributes of a global, which the table of records names; absent ones are 0."""
        names = BLOCKS[MODULE].records[record.code].operands
        absent = [0] * (len(names) - len(record.operands))
        for name, number in zip(names, [*record.operands, *absent], strict=True):
            if name in LATE:
                self.value(made, name, number)
            elif name == "aliasee":
                self.late.append((made, name, number))
            elif name not in ("type", "flags"):
                read = FIELDS.get(name)
                setattr(made, name, number if read is None else read(self, number))
        return made

    def resolve(self) -> None:
        """Set the values of globals, which may be constants after them."""
        for number, (made, name, value) in enumerate(self.late):
            self.context.path, self.context.item = f"globals.{name} {number}", made.record
            setattr(made, name, self.context.value(value))

    def functions(self) -> None:
        """Decode the bodies, which are in the order of the definitions."""
        defined = [each for each in self.module.functions if not each.is_declaration]
        if len(defined) != len(self.bodies):
            self.context.path, self.context.item = "module", self.block
            self.context.fail(f"expected {len(defined)} bodies, got {len(self.bodies)}")
        for function, block in zip(defined, self.bodies, strict=True):
            decode_function(function, block, self.context)


# Readers of operands of globals that are not numbers in the model.
FIELDS: dict[str, Callable[[_ModuleDecoder, int], object]] = {
    "alignment": lambda decoder, number: alignment_of(number, decoder.context),
    "attributes": lambda decoder, number: attributes_of(number, decoder.context),
    "comdat": _ModuleDecoder.comdat,
    "gc": lambda decoder, number: decoder.name(decoder.module.gc_names, number),
    "is_declaration": _ModuleDecoder.is_declaration,
    "section": lambda decoder, number: decoder.name(decoder.module.sections, number),
}


def _attribute_group(record: BitRecord, context: DecodingContext) -> AttributeGroup:
    """Return a group: its id, its place, and for each attribute a tag and its operands."""
    context.path, context.item = "attribute groups", record
    if record.code != 3:
        context.fail(f"expected attributes of LLVM 3.7, got record {record.code}")
    operands = context.operands(record, 3)
    found: list[FunctionAttribute] = []
    at, end = 2, len(operands)

    def take_text() -> str:
        nonlocal at
        try:
            stop = operands.index(0, at)
        except ValueError:
            context.fail("expected a zero after the text of an attribute")
        text = context.text(operands[at:stop])
        at = stop + 1
        return text

    while at < end:
        tag = operands[at]
        at += 1
        if tag in (0, 1):
            if at + tag >= end:
                context.fail("expected the number of an attribute")
            key = operands[at]
            found.append(FunctionAttribute(key, operands[at + 1] if tag else None))
            at += 1 + tag
        elif tag in (3, 4):
            name = take_text()
            found.append(FunctionAttribute(name, take_text() if tag == 4 else None))
        else:
            context.fail(f"expected an attribute of kind 0, 1, 3 or 4, got {tag}")
    made = AttributeGroup(operands[0], operands[1], found)
    made.record = record
    return made
