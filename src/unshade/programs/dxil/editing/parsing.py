"""Instructions given as text, read in the place where they will be.

    %sum = fadd fast float %5, 2.000000e+00        %5 is the value that the listing calls so

A result that has the name of an instruction that is replaced takes its place; any other name must
be new. A dx.op function that the module lacks is declared by its first call.
"""

from collections.abc import Iterable

from ....isa.source import Source
from ....limits import Limits
from ..assembler.functions import FunctionParser, name_key
from ..assembler.tokens import AssemblyToken, tokens_of
from ..dxop import PREFIX
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
from ..tables.dxops import operations
from ..tables.operations import ATTRIBUTES
from ..text.attributes import AttributeKey, attributes_at
from ..text.numbering import number_values
from ..text.writer import TextWriter

__all__ = ["EditParser"]

NUMBERS = {name: number for number, name in ATTRIBUTES.items()}
MEMORY = {"rn": "readnone", "ro": "readonly"}


class EditParser(FunctionParser):
    """A reader of instructions of a function.

    `replaced` are instructions that will be removed. `taken` has the new ones by those whose place
    they take, `declared` the functions that the module lacks, `lists` the attributes that it lacks.
    """

    def __init__(
        self,
        module: DxilModule,
        function: Function,
        replaced: Iterable[Instruction],
        limits: Limits,
    ) -> None:
        super().__init__(Source(""), limits)
        writer = TextWriter(module, limits)
        self.module = module
        self.types = module.types
        self.void = self.types.primitive("void")
        self.metadata_type = self.types.primitive("metadata")
        self.label_type = self.types.primitive("label")
        self.structures = {
            writer.type(each): each
            for each in module.types.rows
            if isinstance(each, StructType) and each.name is not None
        }
        self.function = function
        self.globals = {writer.globals[each]: each for each in module.globals}
        self.nodes = {number: node for node, number in writer.numbers.nodes.items()}
        self.keys = {f"#{number}": key for key, number in writer.numbers.attributes.items()}
        self.known = dict(_references(function))
        self.labels = {
            key: value for key, value in self.known.items() if isinstance(value, BasicBlock)
        }
        self.used = {}
        gone = set(replaced)
        self.gone = {key: each for key, each in self.known.items() if each in gone}
        self.taken: dict[DxilValue, Instruction] = {}
        self.declared: list[Function] = []
        self.lists: list[AttributeList] = []
        for constant in (*module.constants, *function.constants):
            self.pool.add(constant)
        for metadata in module.metadata:
            self.pool.add(metadata)

    def read(self, text: str) -> list[Instruction]:
        """Return the instructions of a text.

        Raises:
            AssembleError: The text is malformed, or refers to what does not exist.
        """
        self.source = Source(text)
        self.tokens = tokens_of(self.source)
        self.at = 0
        found = []
        while self.token.kind != "end":
            made = self._line()
            found += [*self.before, made]
            self.before = []
        for address, token in self.addresses:
            key = token.text if token.text[1:].isdigit() else name_key(token.name)
            block = dict(_references(address.function)).get(key)
            if not isinstance(block, BasicBlock):
                self.fail(f"unknown block {token.text:.60}", token)
            address.index = address.function.blocks.index(block)
        self.addresses.clear()
        return found

    def _line(self) -> Instruction:
        token = self.token
        if token.kind == "local":
            self.next()
            self.expect("=")
        made = self.instruction()
        self._attachments(made)
        if token.kind == "local":
            if made.type.is_void:
                self.fail("expected no result", token)
            self._result(made, token)
        return made

    def _result(self, made: Instruction, token: AssemblyToken) -> None:
        """Give a new instruction its reference."""
        is_number = token.text[1:].isdigit()
        key = token.text if is_number else name_key(token.name)
        old = self.gone.pop(key, None)
        if old is not None:
            if old.type is not made.type:
                self.fail(f"expected a result of type {old.type!s:.60}, got {made.type!s:.60}")
            self.taken[old] = made
            made.name = old.name
        elif key in self.known:
            self.fail(f"expected a new name, got {token.text:.60}", token)
        elif not is_number:
            made.name = token.name
        self.known[key] = made

    def local(self, token: AssemblyToken, type: DxilType) -> DxilValue:
        key = token.text if token.text[1:].isdigit() else name_key(token.name)
        found = self.known.get(key)
        if found is None:
            self.fail(f"unknown value {token.text:.60}", token)
        if found.type is not type:
            self.fail(f"expected a value of type {type!s:.60}, got {found.type!s:.60}", token)
        return found

    def block(self, token: AssemblyToken) -> BasicBlock:
        key = token.text if token.text[1:].isdigit() else name_key(token.name)
        found = self.labels.get(key)
        if found is None:
            self.fail(f"unknown block {token.text:.60}", token)
        return found

    def structure(self, reference: str, name: str) -> StructType:
        found = self.structures.get(reference)
        if found is None:
            self.fail(f"unknown type {reference:.60}")
        return found

    # -- calls -----------------------------------------------------------------------------------

    def _callee(self, token: AssemblyToken, type: FunctionType) -> DxilValue:
        if token.kind == "global" and token.text not in self.globals:
            self._declare(token, type)
        return super()._callee(token, type)

    def _declare(self, token: AssemblyToken, type: FunctionType) -> None:
        """Declare a function of DXIL, with the attributes that dxc gives it."""
        stem = token.name.removeprefix(PREFIX).partition(".")[0]
        operation = next((each for each in operations() if each.function == stem), None)
        if operation is None or not token.name.startswith(PREFIX):
            return
        names = ["nounwind", *filter(None, [MEMORY.get(operation.memory)])]
        own = [FunctionAttribute(NUMBERS[name]) for name in names]
        made = Function(self.types.pointer(type), type, token.name)
        made.attributes = self._listed({AttributeGroup.FUNCTION: own})
        self.globals[token.text] = made
        self.declared.append(made)

    def attribute_list(
        self, places: list[list[FunctionAttribute]], group: str | None
    ) -> AttributeList | None:
        wanted = {index: each for index, each in enumerate(places) if each}
        if group is not None:
            key = self.keys.get(group)
            if key is None:
                self.fail(f"unknown attributes {group}")
            wanted[AttributeGroup.FUNCTION] = _of_key(key)
        return self._listed(wanted)

    def _listed(self, wanted: dict[int, list[FunctionAttribute]]) -> AttributeList | None:
        """Return the attributes of these places; those of the module if it has them."""
        if not wanted:
            return None
        number = max((each.id for each in self.module.attribute_groups), default=0)
        number += sum(len(each.groups) for each in self.lists)
        made = AttributeList(
            [
                AttributeGroup(number + at, index, found)
                for at, (index, found) in enumerate(wanted.items(), 1)
            ]
        )
        key = _content(made)
        for each in (*self.module.attributes, *self.lists):
            if _content(each) == key:
                return each
        self.lists.append(made)
        return made


def _references(function: Function) -> Iterable[tuple[str, DxilValue]]:
    """Iterate over the values of a function by their references."""
    for value, number in number_values(function).items():
        yield f"%{number}", value
    for value in (*function.arguments, *function.blocks, *function.instructions):
        if value.name:
            yield name_key(value.name), value


def _content(attributes: AttributeList) -> dict[int, AttributeKey]:
    """Return the attributes of all places."""
    return {each.index: attributes_at(attributes, each.index) for each in attributes.groups}


def _of_key(key: AttributeKey) -> list[FunctionAttribute]:
    """Return the attributes that a key was made of."""
    found = []
    for kind, number, name, value in key:
        if kind == 2:
            found.append(FunctionAttribute(name, value or None))
        else:
            found.append(FunctionAttribute(NUMBERS[name], number if kind == 1 else None))
    return found
