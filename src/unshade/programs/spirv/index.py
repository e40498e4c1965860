"""A module by its ids: definitions, names, decorations, entry points, functions and blocks.

    %7  = OpVariable %6 Uniform          definitions[7]
          OpDecorate %7 Binding 2        decorations[7]     (Binding, 2)
          OpMemberDecorate %5 0 Offset 0 members[5][0]      (Offset, 0)
          OpEntryPoint GLCompute %4 "m"  entry_points[0]
    %4  = OpFunction …                   functions[4]       with its blocks

An index is a view of the moment: it does not follow edits. `index_of` makes an index, or reuses the
index of a module that is not changed meanwhile. The index accepts invalid modules: of two
definitions of an id the first counts, and an instruction that does not fit the grammar is skipped.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from ...tuples import NamedTuple
from ...unchanged import once
from .blocks import BasicBlock, blocks_of
from .context import IdTable, string_of
from .module import Module, opcodes_of, positions_of
from .operands import Decoded
from .reading import OperandsOnDemand, bad_positions, read_operands
from .tables.numbers import Decoration, Opcode
from .tables.opcode_groups import is_debug_set, is_non_semantic_set

__all__ = [
    "Decorated",
    "Definition",
    "ExecutionModeUse",
    "FunctionBody",
    "ModuleIndex",
    "SpirvEntryPoint",
    "index_of",
]


class Definition(NamedTuple):
    """An instruction that has a result; `position` is its index in the module."""

    position: int
    words: tuple[int, ...]  # the first one with its opcode included
    decoded: Decoded

    @property
    def opcode(self) -> int:
        """The number of the operation."""
        return self.words[0] & 0xFFFF


class Decorated(NamedTuple):
    """A decoration and its operand words; `position` is the position of its instruction."""

    number: int
    words: tuple[int, ...]
    position: int


class SpirvEntryPoint(NamedTuple):
    """OpEntryPoint; `model` is the number of its execution model."""

    model: int
    function: int
    name: str
    interface: tuple[int, ...]
    position: int


class ExecutionModeUse(NamedTuple):
    """OpExecutionMode or OpExecutionModeId; `words` are the operands of the mode."""

    number: int
    words: tuple[int, ...]
    are_ids: bool
    position: int


class FunctionBody(NamedTuple):
    """A function: (start, end) of its instructions, OpFunctionEnd included."""

    id: int
    type: int
    start: int
    end: int
    parameters: tuple[int, ...]
    blocks: tuple[BasicBlock, ...]


class DefinitionsOnDemand(Mapping[int, Definition]):
    """The definitions of a large module by result id, each made when it is asked for."""

    def __init__(self, operands: OperandsOnDemand) -> None:
        self.operands = operands
        self.places = IdTable(operands.near)  # positions, from 1
        for position, result in enumerate(operands.results):
            if result and result not in self.places:
                self.places[result] = position + 1
        for position, known in operands.kept.items():
            if not known.problem and 0 not in self.places:
                self.places[0] = position + 1

    def __contains__(self, number: object) -> bool:
        return number in self.places

    def __getitem__(self, number: int) -> Definition:
        position = self.places[number] - 1
        return Definition(position, self.operands.code[position], self.operands[position])

    def __iter__(self) -> Iterator[int]:
        """Iterate over the ids in the order of the module."""
        kept, places = self.operands.kept, self.places
        for position, result in enumerate(self.operands.results):
            if result and places[result] == position + 1:
                yield result
            elif position in kept and 0 in places and places[0] == position + 1:
                yield 0

    def __len__(self) -> int:
        return len(self.places)


BOUNDS = frozenset({Opcode.Function, Opcode.FunctionEnd})
# Operations that the index takes note of.
NOTED = frozenset({
    Opcode.Name, Opcode.MemberName, Opcode.Decorate, Opcode.DecorateId, Opcode.DecorateString,
    Opcode.MemberDecorate, Opcode.MemberDecorateString, Opcode.DecorationGroup,
    Opcode.GroupDecorate, Opcode.GroupMemberDecorate, Opcode.EntryPoint, Opcode.ExecutionMode,
    Opcode.ExecutionModeId, Opcode.Capability, Opcode.Extension,
})  # fmt: skip


class ModuleIndex:
    """The index of a module.

    Attributes:
        code: The words of each instruction, in the order of the module.
        decoded: Each instruction taken apart, in the order of the module.
        bad: Positions of the instructions that do not fit the grammar.
        definitions: By result id.
        types: The type id of each value by its id.
        names: OpName by id; the first one counts.
        member_names: OpMemberName by structure and member.
        decorations: By id; decorations through groups are included.
        members: Decorations of members, by structure and member.
        entry_points, functions: In the order of the module.
        modes: Execution modes by function id.
        capabilities: Numbers, in the order of the module.
        extensions: Names, in the order of the module.
        imports: Names of extended instruction sets by id.
    """

    def __init__(self, module: Module) -> None:
        self.module = module
        self.names: dict[int, str] = {}
        self.member_names: dict[int, dict[int, str]] = {}
        self.decorations: dict[int, list[Decorated]] = {}
        self.members: dict[int, dict[int, list[Decorated]]] = {}
        self.entry_points: list[SpirvEntryPoint] = []
        self.modes: dict[int, list[ExecutionModeUse]] = {}
        self.capabilities: list[int] = []
        self.extensions: list[str] = []
        self._groups: set[int] = set()
        self.code = module.words()
        self.decoded, context = read_operands(module)
        self.bad = bad_positions(self.decoded)
        self.definitions = self._definitions()
        for position, words in self._of(NOTED):
            self._note(words, position)
        self.types = context.types
        self.imports = context.imports
        self.numbers = context.numbers

    def _of(self, codes: frozenset[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Iterate over position and words of the instructions with these opcodes."""
        code, bad = self.code, self.bad
        return ((at, code[at]) for at in positions_of(code, codes) if at not in bad)

    def _definitions(self) -> Mapping[int, Definition]:
        if isinstance(self.decoded, OperandsOnDemand):
            return DefinitionsOnDemand(self.decoded)
        found: dict[int, Definition] = {}
        for position, (words, decoded) in enumerate(zip(self.code, self.decoded, strict=True)):
            if decoded.result is not None and not decoded.problem:
                found.setdefault(decoded.result, Definition(position, words, decoded))
        return found

    def _note(self, words: tuple[int, ...], position: int) -> None:
        opcode = words[0] & 0xFFFF
        match opcode:
            case Opcode.Name:
                self.names.setdefault(words[1], string_of(words[2:])[0])
            case Opcode.MemberName:
                members = self.member_names.setdefault(words[1], {})
                members.setdefault(words[2], string_of(words[3:])[0])
            case Opcode.Decorate | Opcode.DecorateId | Opcode.DecorateString:
                found = Decorated(words[2], words[3:], position)
                self.decorations.setdefault(words[1], []).append(found)
            case Opcode.MemberDecorate | Opcode.MemberDecorateString:
                inner = self.members.setdefault(words[1], {})
                inner.setdefault(words[2], []).append(Decorated(words[3], words[4:], position))
            case Opcode.DecorationGroup:
                self._groups.add(words[1])
            case Opcode.GroupDecorate:
                for target in words[2:]:
                    self.decorations.setdefault(target, []).extend(self._group(words[1]))
            case Opcode.GroupMemberDecorate:
                for target, member in zip(words[2::2], words[3::2], strict=False):
                    inner = self.members.setdefault(target, {})
                    inner.setdefault(member, []).extend(self._group(words[1]))
            case Opcode.EntryPoint:
                name, count = string_of(words[3:])
                self.entry_points.append(
                    SpirvEntryPoint(words[1], words[2], name, words[3 + count :], position)
                )
            case Opcode.ExecutionMode | Opcode.ExecutionModeId:
                are_ids = opcode == Opcode.ExecutionModeId
                mode = ExecutionModeUse(words[2], words[3:], are_ids, position)
                self.modes.setdefault(words[1], []).append(mode)
            case Opcode.Capability:
                self.capabilities.append(words[1])
            case Opcode.Extension:
                self.extensions.append(string_of(words[1:])[0])

    def _group(self, group: int) -> list[Decorated]:
        return list(self.decorations.get(group, ())) if group in self._groups else []

    @cached_property
    def has_debug(self) -> bool:
        """True if the module imports a set of debug information."""
        return any(map(is_debug_set, self.imports.values()))

    @cached_property
    def opcodes(self) -> frozenset[int]:
        """The opcodes of the instructions."""
        return frozenset(opcodes_of(self.code))

    # -- questions about an id -------------------------------------------------------------------

    def opcode_of(self, number: int) -> int | None:
        """Return the opcode that defines an id; None if nothing does."""
        found = self.definitions.get(number)
        return found.opcode if found is not None else None

    def string(self, number: int) -> str:
        """Return the string of an OpString; "" for other ids."""
        found = self.definitions.get(number)
        if found is None or found.opcode != Opcode.String:
            return ""
        return string_of(found.words[2:])[0]

    def type_of(self, value: int) -> Definition | None:
        """Return the definition of a value's type; None if it has none."""
        return self.definitions.get(self.types.get(value, 0))

    def decoration(self, number: int, target: int, member: int | None = None) -> Decorated | None:
        """Return the first decoration of a kind; None if the id or member does not have it."""
        if member is None:
            uses: Sequence[Decorated] = self.decorations.get(target, ())
        else:
            uses = self.members.get(target, {}).get(member, ())
        for each in uses:
            if each.number == number:
                return each
        return None

    def decoration_word(self, number: int, target: int, member: int | None = None) -> int | None:
        """Return the first operand word of a decoration, or None."""
        found = self.decoration(number, target, member)
        return found.words[0] if found is not None and found.words else None

    def pointee(self, value: int) -> int | None:
        """Return the id of the type that a pointer value points to; None for other values."""
        kind = self.type_of(value)
        if kind is None or kind.opcode != Opcode.TypePointer:
            return None
        return kind.words[3]

    def is_debug(self, words: tuple[int, ...]) -> bool:
        """Return True for the words of an instruction from a set of debug information."""
        if words[0] & 0xFFFF != Opcode.ExtInst or len(words) < 4:
            return False
        return is_debug_set(self.imports.get(words[3], ""))

    def is_semantic(self, words: tuple[int, ...]) -> bool:
        """Return False for the words of an instruction that a compiler may leave out."""
        if words[0] & 0xFFFF != Opcode.ExtInst or len(words) < 4:
            return True
        return not is_non_semantic_set(self.imports.get(words[3], ""))

    def integer(self, number: int) -> int | None:
        """Return the value of an integer constant, or the default of a specialisation constant.

        None if the id is not a constant of an integer type, or is computed (OpSpecConstantOp).
        """
        words = self._words_of(number)
        opcode = words[0] & 0xFFFF if words else None
        if opcode == Opcode.ConstantNull:
            kind = self.numbers.get(self.types.get(number, 0))
            return 0 if kind is not None and not kind.is_float else None
        if opcode not in (Opcode.Constant, Opcode.SpecConstant):
            return None
        kind = self.numbers.get(words[1])
        if kind is None or kind.is_float:
            return None
        return kind.integer(sum(word << 32 * at for at, word in enumerate(words[3:])))

    def _words_of(self, number: int) -> tuple[int, ...]:
        """Return the words that define an id, () if nothing does."""
        definitions = self.definitions
        if isinstance(definitions, DefinitionsOnDemand):
            position = definitions.places.get(number, 0) - 1
            return self.code[position] if position >= 0 else ()
        found = definitions.get(number)
        return found.words if found is not None else ()

    def specialisation(self, number: int) -> int | None:
        """Return the SpecId of a constant; None if it has none."""
        return self.decoration_word(Decoration.SpecId, number)

    # -- functions -------------------------------------------------------------------------------

    @cached_property
    def functions(self) -> dict[int, FunctionBody]:
        """The functions by id, in the order of the module."""
        return {each.id: each for each in self._functions()}

    def _functions(self) -> Iterator[FunctionBody]:
        start = -1
        for position, words in self._of(BOUNDS):
            if words[0] & 0xFFFF == Opcode.Function:
                start = position
            elif start >= 0:
                yield self._function(start, position + 1)
                start = -1

    def _function(self, start: int, end: int) -> FunctionBody:
        code = self.code[start:end]
        parameters = [
            words[2]
            for position, words in enumerate(code, start)
            if words[0] & 0xFFFF == Opcode.FunctionParameter and position not in self.bad
        ]
        words = code[0]
        blocks = tuple(blocks_of(code, self.decoded, self.bad, start))
        return FunctionBody(words[2], words[4], start, end, tuple(parameters), blocks)


@once
def index_of(module: Module) -> ModuleIndex:
    """Return the index of a module."""
    return ModuleIndex(module)
