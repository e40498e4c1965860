"""Instructions given as text, read in the place where they will be.

    %sum = fadd fast float %5, 2.000000e+00 %5 is the value with that name in the listing

A result with the name of a replaced instruction takes its place; any other name must be new. A
dx.op function that the module lacks is declared by its first call.
"""

from collections.abc import Iterable

from ....isa.source import Source
from ....limits import Limits
from ..assembler.attributes import NUMBERS
from ..assembler.body import key_of, name_key
from ..assembler.cursor import Cursor
from ..assembler.instructions import read_instruction
from ..assembler.metadata import read_attachments
from ..assembler.scope import TextScope
from ..assembler.tokens import END, AssemblyToken
from ..model.instructions import Instruction
from ..model.module import DxilModule
from ..model.types import DxilType, FunctionType, StructType
from ..model.values import (
    AttributeGroup,
    AttributeList,
    BasicBlock,
    DxilValue,
    Function,
    FunctionAttribute,
)
from ..operation_calls import PREFIX
from ..tables.dxil_operations import operations
from ..text.attributes import function_attributes
from ..text.numbering import number_values
from ..text.writer import TextWriter

__all__ = ["EditParser"]

MEMORY = {"rn": "readnone", "ro": "readonly"}


class EditParser:
    """A reader of instructions of a function.

    `taken` contains the new instructions by the instructions that they replace, `declared` the
    functions that the module lacks.
    """

    def __init__(
        self,
        module: DxilModule,
        function: Function,
        replaced: Iterable[Instruction],
        limits: Limits,
    ) -> None:
        writer = TextWriter(module, limits)
        self._definitions = _EditedModule(module, writer)
        self._scope = TextScope(module, self._definitions, limits)
        self._scope.globals = {writer.globals[each]: each for each in module.globals}
        self._scope.nodes.numbered = {number: node for node, number in writer.numbers.nodes.items()}
        self._body = self._scope.body = _EditedBody(function, replaced)
        for constant in (*module.constants, *function.constants):
            self._scope.pool.add(constant)
        for metadata in module.metadata:
            self._scope.pool.add(metadata)
        self._add_attributes(module, writer)
        self._attributes: list[AttributeList | None] = []
        self.taken = self._body.taken
        self.declared = self._definitions.declared

    def _add_attributes(self, module: DxilModule, writer: TextWriter) -> None:
        """Add the attributes of the module, by the references of the listing."""
        scope = self._scope
        for each in module.attributes:
            scope.pool.add_attributes(each)
        for each in module.attributes:
            number = writer.numbers.attributes.get(function_attributes(each))
            groups = [group for group in each.groups if group.index == AttributeGroup.FUNCTION]
            if number is not None:
                own = [one for group in groups for one in group.attributes]
                scope.groups[f"#{number}"] = scope.pool.group(AttributeGroup.FUNCTION, own)

    @property
    def lists(self) -> list[AttributeList]:
        """The attributes of new calls and declarations that the module lacks."""
        used = dict.fromkeys([*self._attributes, *(each.attributes for each in self.declared)])
        return [each for each in used if each and each not in self._scope.module.attributes]

    def read(self, text: str) -> list[Instruction]:
        """Return the instructions of a text.

        Raises:
            AssembleError: The text is malformed, or refers to what does not exist.
        """
        cursor, scope = Cursor(Source(text)), self._scope
        found = []
        while cursor.token.kind != END:
            made = self._line(cursor)
            self._attributes.append(getattr(made, "attributes", None))
            found += [*scope.before, made]
            scope.before = []
        for address, token in scope.addresses:
            block = dict(_references(address.function)).get(key_of(token))
            if not isinstance(block, BasicBlock):
                cursor.fail(f"unknown block {token.text:.60}", token)
            address.index = address.function.blocks.index(block)
        scope.addresses.clear()
        return found

    def _line(self, cursor: Cursor) -> Instruction:
        token = cursor.token
        if token.kind == "local":
            cursor.next()
            cursor.expect("=")
        made = read_instruction(cursor, self._scope)
        read_attachments(cursor, self._scope, made)
        if token.kind == "local":
            if made.type.is_void:
                cursor.fail("expected no result", token)
            self._body.define(cursor, made, token)
        return made


class _EditedBody:
    """The values and blocks of the function that is edited, and the new instructions."""

    def __init__(self, function: Function, replaced: Iterable[Instruction]) -> None:
        self.result_type = function.function_type.result
        self.known = dict(_references(function))
        gone = set(replaced)
        self.gone = {key: each for key, each in self.known.items() if each in gone}
        self.taken: dict[DxilValue, Instruction] = {}
        self.labels = {
            key: value for key, value in self.known.items() if isinstance(value, BasicBlock)
        }

    def define(self, cursor: Cursor, made: Instruction, token: AssemblyToken) -> None:
        """Give a new instruction its reference."""
        key = key_of(token)
        old = self.gone.pop(key, None)
        if old is not None:
            if old.type is not made.type:
                cursor.fail(f"expected a result of type {old.type!s:.60}, got {made.type!s:.60}")
            self.taken[old] = made
            made.name = old.name
        elif key in self.known:
            cursor.fail(f"expected a new name, got {token.text:.60}", token)
        elif not token.text[1:].isdigit():
            made.name = token.name
        self.known[key] = made

    def local(self, cursor: Cursor, token: AssemblyToken, type: DxilType) -> DxilValue:
        found = self.known.get(key_of(token))
        if found is None:
            cursor.fail(f"unknown value {token.text:.60}", token)
        if found.type is not type:
            cursor.fail(f"expected a value of type {type!s:.60}, got {found.type!s:.60}", token)
        return found

    def block(self, cursor: Cursor, token: AssemblyToken) -> BasicBlock:
        found = self.labels.get(key_of(token))
        if found is None:
            cursor.fail(f"unknown block {token.text:.60}", token)
        return found


class _EditedModule:
    """The structures and attributes of the module that is edited, by their names in the listing."""

    def __init__(self, module: DxilModule, writer: TextWriter) -> None:
        self.module = module
        self.structures = {
            writer.type(each): each
            for each in module.types.rows
            if isinstance(each, StructType) and each.name is not None
        }
        self.declared: list[Function] = []

    def structure(self, cursor: Cursor, scope: TextScope, token: AssemblyToken) -> StructType:
        found = self.structures.get(token.text)
        if found is None:
            cursor.fail(f"unknown type {token.text:.60}")
        return found

    def declare(self, scope: TextScope, token: AssemblyToken, type: FunctionType) -> None:
        """Declare a function of DXIL, with the attributes that dxc gives it."""
        stem = token.name.removeprefix(PREFIX).partition(".")[0]
        operation = next((each for each in operations() if each.function == stem), None)
        if operation is None or not token.name.startswith(PREFIX):
            return
        names = ["nounwind", *filter(None, [MEMORY.get(operation.memory)])]
        own = [FunctionAttribute(NUMBERS[name]) for name in names]
        made = Function(scope.types.pointer(type), type, token.name)
        made.attributes = scope.pool.attributes([scope.pool.group(AttributeGroup.FUNCTION, own)])
        scope.globals[token.text] = made
        self.declared.append(made)


def _references(function: Function) -> Iterable[tuple[str, DxilValue]]:
    """Iterate over the values of a function by their references."""
    for value, number in number_values(function).items():
        yield f"%{number}", value
    for value in (*function.arguments, *function.blocks, *function.instructions):
        if value.name:
            yield name_key(value.name), value
