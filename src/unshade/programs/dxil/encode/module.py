"""Encoding of modules.

Every record is encoded from the model. If it equals the old record, the old record is used, so an
unchanged module yields the identical block; a changed record keeps its abbreviation if possible.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from ..bitstream import BitBlock
from ..decode.metadata import KIND
from ..decode.module import (
    ALIAS,
    ASM,
    COMDAT,
    DATALAYOUT,
    DEPLIB,
    GCNAME,
    GLOBALVAR,
    LATE,
    PROTOTYPE,
    SECTIONNAME,
    TRIPLE,
    VERSION,
)
from ..model.module import DxilModule
from ..model.values import (
    AttributeGroup,
    DxilValue,
    Function,
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
from .common import Numbers, Part, characters, exponent, merge
from .constants import encode_constants
from .function import encode_function, encode_names, encode_use_lists, inner
from .metadata import encode_kinds, encode_metadata
from .types import encode_types

__all__ = ["encode_module"]

OWNED = (
    PARAMATTR_GROUP,
    PARAMATTR,
    TYPES,
    CONSTANTS,
    METADATA,
    SYMBOLS,
    USE_LISTS,
    FUNCTION,
)


def encode_module(module: DxilModule, is_fresh: bool = False) -> BitBlock:
    """Return the block of a module; with `is_fresh`, independent of the old block.

    Raises:
        EncodeError: A reference leads outside the module, or a number does not fit.
    """
    return _ModuleEncoder(module, is_fresh).run()


class _ModuleEncoder:
    """An encoder of one module; `old` is the block that it was read from."""

    def __init__(self, module: DxilModule, is_fresh: bool) -> None:
        self.module = module
        old = None if is_fresh else module.block
        self.old = old or BitBlock(MODULE, 3)
        self.numbers = Numbers(module, is_fresh)
        self.comdats = {each: number for number, each in enumerate(module.comdats, 1)}

    def run(self) -> BitBlock:
        module, numbers, old = self.module, self.numbers, self.old
        values: list[DxilValue] = [*module.globals, *module.constants]
        numbers.values = {each: number for number, each in enumerate(values)}
        numbers.metadata = {each: number for number, each in enumerate(module.metadata)}
        globals = [self.global_value(each) for each in module.globals]
        after = [*self.constants(), *self.metadata()]
        symbols = inner(old, SYMBOLS)
        names = encode_names(symbols, module.globals, numbers)
        if names is not None:
            after.append((symbols, names))
        if module.use_lists:
            uses = inner(old, USE_LISTS)
            after.append((uses, encode_use_lists(uses, module.use_lists, numbers)))
        for each in module.functions:
            if not each.is_declaration:
                after.append((each.block, encode_function(each, numbers)))
        numbers.path = "module"
        # Last, because everything else may need new types.
        types = inner(old, TYPES)
        table = encode_types(types or BitBlock(TYPES, 4), numbers)
        first = [self.single(VERSION, [module.version]), *self.attributes(), (types, table)]
        new = self.ordered(first, *self.texts(), globals, after)
        return merge(old, new, BLOCKS[MODULE].records, OWNED)

    def ordered(self, *groups: list[Part]) -> list[Part]:
        """Return parts in the order of the old block; new parts stay after their predecessor.

        Inside a group the order is kept, because it determines numbers.
        """
        places = {id(item): at for at, item in enumerate(self.old.items)}
        found: list[tuple[int, Part]] = []
        end = -1
        for group in groups:
            last = -1
            for part in group:
                place = places.get(id(part[0]), -1)
                last = max(last, place) if max(last, place) >= 0 else end
                found.append((last, part))
            end = max(end, last)
        found.sort(key=lambda each: each[0])
        return [part for _, part in found]

    def single(self, code: int, operands: list[int]) -> Part:
        """Return a record that occurs once."""
        old = next((each for each in self.old.records if each.code == code), None)
        return self.numbers.record(old, code, operands)

    def texts(self) -> list[list[Part]]:
        """Return the records of comdats, and of texts by their kind."""
        module = self.module
        new: list[list[Part]] = [[]]
        for comdat in module.comdats:
            text = characters(comdat.name, comdat.record, 2)
            new[0].append(
                self.numbers.record(comdat.record, COMDAT, [comdat.selection, len(text), *text])
            )
        for code, lines in (
            (TRIPLE, [module.triple]),
            (DATALAYOUT, [module.data_layout]),
            (ASM, [module.assembly]),
            (DEPLIB, module.libraries),
            (SECTIONNAME, module.sections),
            (GCNAME, module.gc_names),
        ):
            before = [each for each in self.old.records if each.code == code]
            new.append([])
            for number, line in enumerate(lines):
                old = before[number] if number < len(before) else None
                if line or old is not None:
                    new[-1].append(self.numbers.record(old, code, characters(line, old)))
        return new

    def attributes(self) -> list[Part]:
        """Return the blocks of attributes."""
        module = self.module
        new: list[Part] = []
        if module.attribute_groups:
            old = inner(self.old, PARAMATTR_GROUP)
            rows = [
                self.numbers.record(each.record, 3, _group(each))
                for each in module.attribute_groups
            ]
            made = old or BitBlock(PARAMATTR_GROUP, 3)
            new.append((old, merge(made, rows, BLOCKS[PARAMATTR_GROUP].records)))
        if module.attributes:
            old = inner(self.old, PARAMATTR)
            rows = [
                self.numbers.record(each.record, 2, [group.id for group in each.groups])
                for each in module.attributes
            ]
            made = old or BitBlock(PARAMATTR, 3)
            new.append((old, merge(made, rows, BLOCKS[PARAMATTR].records)))
        return new

    def constants(self) -> list[Part]:
        old = inner(self.old, CONSTANTS)
        if not self.module.constants:
            return []
        made = old or BitBlock(CONSTANTS, 4)
        return [(old, encode_constants(made, self.module.constants, self.numbers))]

    def metadata(self) -> list[Part]:
        """Return the blocks of metadata: of nodes and of kinds."""
        module, numbers = self.module, self.numbers
        blocks = [each for each in self.old.blocks if each.id == METADATA]
        kinds = next((each for each in blocks if _has(each, is_kind=True)), None)
        nodes = next((each for each in blocks if _has(each, is_kind=False)), None)
        new: list[Part] = []
        if module.metadata or module.named_metadata:
            made = nodes or BitBlock(METADATA, 3)
            made = encode_metadata(made, module.metadata, numbers, module.named_metadata)
            if nodes is kinds and nodes is not None:
                return [(nodes, encode_kinds(made, numbers))]
            new.append((nodes, made))
        if module.kinds:
            new.append((kinds, encode_kinds(kinds or BitBlock(METADATA, 3), numbers)))
        return new

    # -- globals ---------------------------------------------------------------------------------

    def name(self, table: list[str], name: str, old: int) -> int:
        """Return the number of a section or collector, which is added if it is new."""
        if not name:
            return 0
        if 0 < old <= len(table) and table[old - 1] == name:
            return old
        if name not in table:
            table.append(name)
        return table.index(name) + 1

    def old_operand(self, each: GlobalValue, index: int) -> int:
        """Return an operand of the old record of a global, or 0."""
        operands = each.record.operands if each.record is not None else []
        return operands[index] if index < len(operands) else 0

    def global_value(self, each: GlobalValue) -> Part:
        """Return the record of a global."""
        self.numbers.path = each.name or "global"
        code = next(code for cls, code in GLOBALS.items() if isinstance(each, cls))
        operands = [
            FIELDS[name](self, each, index) if name in FIELDS else int(getattr(each, name))
            for index, name in enumerate(BLOCKS[MODULE].records[code].operands)
        ]
        least = 6 if code == GLOBALVAR else len(operands)
        return self.numbers.record(each.record, code, self.trimmed(each, operands, least))

    def comdat(self, each: GlobalValue) -> int:
        if each.comdat is None:
            return 0
        number = self.comdats.get(each.comdat)
        if number is None:
            raise self.numbers.fail("expected a comdat of the module")
        return number

    def trimmed(self, each: GlobalValue, operands: list[int], least: int) -> list[int]:
        """Return operands without trailing zeros, as far as the old record lacks them."""
        old = None if self.numbers.is_fresh else each.record
        count = len(old.operands) if old is not None else least
        return operands if any(operands[count:]) else operands[:count]


Field: TypeAlias = Callable[[_ModuleEncoder, Any, int], int]
GLOBALS = {GlobalVariable: GLOBALVAR, Function: PROTOTYPE, GlobalAlias: ALIAS}


def _type(encoder: _ModuleEncoder, each: Any, index: int) -> int:
    """Return the number of the type of the content, of a function, or of an alias."""
    if isinstance(each, GlobalVariable):
        return encoder.numbers.type(each.value_type)
    return encoder.numbers.type(each.function_type if isinstance(each, Function) else each.type)


def _flags(encoder: _ModuleEncoder, each: Any, index: int) -> int:
    """Return the flags of a variable, with its address space."""
    return getattr(each.type, "space", 0) << 2 | 2 | int(each.constant)


def _value(name: str) -> Field:
    return lambda encoder, each, index: encoder.numbers.value_or_none(getattr(each, name))


# Operands of the records of globals that are not attributes of numbers.
FIELDS: dict[str, Field] = {
    "aliasee": lambda encoder, each, index: encoder.numbers.value(each.aliasee),
    "alignment": lambda encoder, each, index: exponent(each.alignment),
    "attributes": lambda encoder, each, index: encoder.numbers.attribute_list(each.attributes),
    "comdat": lambda encoder, each, index: encoder.comdat(each),
    "flags": _flags,
    "gc": lambda encoder, each, index: encoder.name(
        encoder.module.gc_names, each.gc, encoder.old_operand(each, index)
    ),
    "section": lambda encoder, each, index: encoder.name(
        encoder.module.sections, each.section, encoder.old_operand(each, index)
    ),
    "type": _type,
    **{name: _value(name) for name in LATE},
}


def _has(block: BitBlock, is_kind: bool) -> bool:
    """Return True if a block contains records of kinds, or of any other kind."""
    return any((each.code == KIND) == is_kind for each in block.records)


def _group(group: AttributeGroup) -> list[int]:
    """Return the operands of a group of attributes."""
    found = [group.id, group.index]
    for each in group.attributes:
        key, value = each.key, each.value
        if isinstance(key, int):
            found += [0, key] if value is None else [1, key, int(value)]
        else:
            found += [3 if value is None else 4, *characters(key), 0]
            if value is not None:
                found += [*characters(str(value)), 0]
    return found
