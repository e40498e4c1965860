"""The module under validation: its instructions, their declarations, and the findings so far."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from operator import attrgetter
from typing import TypeVar, cast

from ....errors import Diagnostic
from ....rule import Findings
from ..index import DefinitionsOnDemand, ModuleIndex, SpirvEntryPoint
from ..module import Module
from ..operands import EXTENDED
from ..reading import OperandsOnDemand
from ..tables.grammar import grammar
from ..tables.numbers import (
    AddressingModel,
    Capability,
    Decoration,
    MemoryModel,
    Opcode,
)
from .environment import Environment, ValidatorOptions
from .instruction import FunctionPlaces, Inst
from .large import DefinedInsts, InstsOnDemand, UsesOnDemand, of
from .rules import RULES
from .types import ModuleTypes

__all__ = ["CONSTANTS", "TYPES", "InstructionFinding", "State", "model_name"]

CHANGES = FunctionPlaces.CHANGES
T = TypeVar("T")
POSITION = attrgetter("position")
WORK = 1_000_000  # pairs of an entry point and a function it reaches that are looked at


def _codes(group: str) -> frozenset[int]:
    return frozenset(each.code for each in grammar().core.by_code.values() if each.group == group)


TYPES = (_codes("Type-Declaration") | {Opcode.TypeHitObjectEXT}) - {Opcode.TypeForwardPointer}
CONSTANTS = _codes("Constant-Creation") | {
    Opcode.ConstantFunctionPointerINTEL,
    Opcode.ConstantStringAMDX,
    Opcode.SpecConstantStringAMDX,
    Opcode.GraphConstantARM,
    Opcode.AsmTargetINTEL,
    Opcode.AsmINTEL,
}


@lru_cache(256)
def _met(
    environment: Environment, version: int, capabilities: frozenset[int], extensions: frozenset[str]
) -> set[object]:
    """Return the set that modules with equal declarations share."""
    return set()


class InstructionFinding(Diagnostic):
    """A finding with the id of the rule in Vulkan and the text of the instruction.

    Attributes:
        vuid: The identifier of Vulkan's rule; empty without one.
        position: The index of the instruction; -1 without one.
        word: Its offset in words from the start of the module; -1 without one.
        instruction: Its text.
    """

    __slots__ = ("instruction", "position", "vuid", "word")

    vuid: str
    position: int
    word: int
    instruction: str

    def to_dict(self) -> dict[str, object]:
        """Return plain data, including the fields of this class."""
        found = super().to_dict()
        return {**found, "vuid": self.vuid, "word": self.word, "instruction": self.instruction}


class State:
    """A module and its environment, with facts that several groups of rules need.

    Attributes:
        index: The module by its ids.
        insts: All instructions that the grammar explains.
        definitions: Instructions by result id; the first definition counts.
        types: Types by id.
        capabilities: Numbers of the declared capabilities and of those they imply.
        extensions: Names of the declared extensions.
        met: The opcodes and enumerants whose needs are known to be met by all of these.
    """

    def __init__(
        self, index: ModuleIndex, environment: Environment, options: ValidatorOptions
    ) -> None:
        self.index = index
        self.module: Module = index.module
        self.environment = environment
        self.options = options
        self.version = self.module.version
        self.findings = Findings(RULES)
        self.insts: Sequence[Inst] = []
        self.definitions: Mapping[int, Inst] = {}
        self._positions: list[Inst | None] = []
        self.depths: dict[int, int] = {}  # of nested structures
        self._by_code: dict[int, list[Inst]] = {}  # unless made on demand
        self._defined: DefinedInsts | None = None  # of instructions that are made on demand
        self._memos: dict[str, dict[int, object]] = {}
        self._skipped: set[str] = set()
        operands, defined = index.decoded, index.definitions
        if isinstance(operands, OperandsOnDemand) and isinstance(defined, DefinitionsOnDemand):
            self.insts = InstsOnDemand(index, operands)
            self.definitions = self._defined = DefinedInsts(self.insts, defined)
        else:
            self._collect()
        declared = (each.id for each in self.of(*TYPES) if each.id)
        self.types = ModuleTypes(self.definitions, dict.fromkeys(declared), _Integers(index))
        self.capabilities = _implied(self._declared())
        self.extensions = set(index.extensions)
        self.met = _met(
            environment, self.version, frozenset(self.capabilities), frozenset(self.extensions)
        )
        model = next(self.of(Opcode.MemoryModel), None)
        self.addressing = model.words[1] if model is not None else -1
        self.memory_model = model.words[2] if model is not None else -1
        self.vulkan = environment.vulkan
        self.shader = Capability.Shader in self.capabilities
        self.kernel = Capability.Kernel in self.capabilities

    def _declared(self) -> Iterable[int]:
        yield from self.index.capabilities
        for each in self.of(Opcode.ConditionalCapabilityINTEL):
            yield each.word(1)

    def of(self, *codes: int) -> Iterator[Inst]:
        """Iterate over the instructions with these opcodes."""
        if self._defined is not None:
            return of(self.insts, *codes)
        listed = [self._by_code[each] for each in codes if each in self._by_code]
        if len(listed) < 2:
            return iter(listed[0] if listed else ())
        return iter(sorted(chain.from_iterable(listed), key=POSITION))

    def _collect(self) -> None:
        insts: list[Inst] = []
        definitions: dict[int, Inst] = {}
        places = FunctionPlaces()
        imports = self.index.imports
        for position, (words, decoded) in enumerate(
            zip(self.index.code, self.index.decoded, strict=True)
        ):
            if decoded.problem:
                self._positions.append(None)
                continue
            code = words[0] & 0xFFFF
            function, block = places.following
            if code in CHANGES:
                function, block = places.next(position, code, decoded.result or 0)
            inst = Inst(position, words, decoded, function, block)
            if code in EXTENDED:
                inst.set = imports.get(inst.word(0), "")
            insts.append(inst)
            self._by_code.setdefault(code, []).append(inst)
            self._positions.append(inst)
            if inst.id:
                definitions.setdefault(inst.id, inst)
        self.insts, self.definitions = insts, definitions

    @property
    def kept(self) -> bool:
        """True if all instructions are in memory, which the module has few of."""
        return self._defined is None

    @cached_property
    def offsets(self) -> Sequence[int]:
        """The offset in bytes of each instruction."""
        return self.module.offsets()

    # -- findings --------------------------------------------------------------------------------

    def report(self, code: str, inst: Inst | None, message: str = "", vuid: str = "") -> None:
        """Add a finding about an instruction, or about the module."""
        if self.findings.lists(code):
            rule = RULES[code]
            position = inst.position if inst is not None else -1
            offset = self.offsets[position] if inst is not None else None
            path = f"instructions[{position}]" if inst is not None else ""
            name = f"{inst.name}: " if inst is not None else ""
            made = InstructionFinding(
                code, rule.severity, name + (message or rule.summary), offset=offset, path=path
            )
            made.vuid = vuid
            made.position = position
            made.word = offset // 4 if offset is not None else -1
            made.instruction = ""
            self.findings.found.append(made)
        self.findings.counts[code] += 1
        self.findings.number += 1

    def skipped(self, what: str, inst: Inst | None = None) -> None:
        """Add a finding about a check that is left out, once for each kind of check."""
        if what not in self._skipped:
            self._skipped.add(what)
            self.report("spirv.unchecked", inst, f"not all {what} are checked")

    # -- declarations ----------------------------------------------------------------------------

    def has(self, *capabilities: int) -> bool:
        """Return True if any of these capabilities is declared."""
        return not self.capabilities.isdisjoint(capabilities)

    def at_least(self, minor: int) -> bool:
        """Return True if the module has version 1.minor or newer."""
        return self.version >= 0x10000 | minor << 8

    @property
    def logical(self) -> bool:
        """True for the addressing models without physical addresses of variables."""
        return self.addressing in (
            AddressingModel.Logical,
            AddressingModel.PhysicalStorageBuffer64,
        )

    @property
    def vulkan_memory_model(self) -> bool:
        """True for the Vulkan memory model."""
        return self.memory_model == MemoryModel.Vulkan

    # -- ids -------------------------------------------------------------------------------------

    def position_of(self, id_: int) -> int:
        """Return the position of the definition of an id, -1 without one."""
        if self._defined is not None:
            return self._defined.place(id_)
        found = self.definitions.get(id_)
        return found.position if found is not None else -1

    def code(self, id_: int) -> int:
        """Return the opcode that defines an id, 0 if nothing does."""
        if self._defined is not None:
            return self._defined.code(id_)
        found = self.definitions.get(id_)
        return found.code if found is not None else 0

    def type_of(self, id_: int) -> int:
        """Return the type of a value; 0 for other ids."""
        if self._defined is not None:
            return self._defined.type_of(id_)
        found = self.definitions.get(id_)
        return found.type if found is not None else 0

    def place_of(self, id_: int) -> tuple[int, int, int] | None:
        """Return opcode, function and block of the definition of an id; None without one."""
        if self._defined is not None:
            return self._defined.place_of(id_)
        found = self.definitions.get(id_)
        return (found.code, found.function, found.block) if found is not None else None

    def operand_type(self, inst: Inst, at: int) -> int:
        """Return the type of an operand that is a value, or 0."""
        if inst.places is not None:
            at += inst.places.first
            return self.type_of(inst.words[at]) if at in inst.places.ids else 0
        if at >= len(inst.operands) or not inst.operands[at].is_id:
            return 0
        return self.type_of(inst.operands[at].words[0])

    def integer(self, id_: int) -> int | None:
        """Return the value of an integer constant that cannot be specialised; None for others."""
        if self.code(id_) in (Opcode.Constant, Opcode.ConstantNull):
            return self.index.integer(id_)
        return None

    def is_constant(self, id_: int) -> bool:
        """Return True for constants and specialisation constants."""
        return self.code(id_) in CONSTANTS

    def is_constant_or_undefined(self, id_: int) -> bool:
        """Return True for constants and undefined values."""
        return self.code(id_) in CONSTANTS or self.code(id_) in (Opcode.Undef, Opcode.PoisonKHR)

    def at_position(self, position: int) -> Inst | None:
        """Return the instruction at an index of the module; None if it is malformed."""
        if self._defined is not None:
            insts = self._defined.insts
            known = 0 <= position < len(insts.codes) and position not in insts.bad
            return insts.at(position) if known else None
        return self._positions[position] if 0 <= position < len(self._positions) else None

    def after(self, inst: Inst) -> Inst | None:
        """Return the next instruction that is not malformed."""
        following = range(inst.position + 1, len(self.index.code))
        found = map(self.at_position, following)
        return next((each for each in found if each is not None), None)

    def memo(self, family: str, key: int, make: "Callable[[], T]") -> "T":
        """Return the memoised result of `make` for a key of a group of rules."""
        known = self._memos.setdefault(family, {})
        if key not in known:
            known[key] = make()
        return cast("T", known[key])

    @cached_property
    def uses(self) -> Mapping[int, Sequence[Inst]]:
        """The instructions that have an id among their operands or as their type."""
        if isinstance(self.insts, InstsOnDemand):
            return UsesOnDemand(self.insts)
        found: dict[int, list[Inst]] = {}
        for inst in self.insts:
            for each in inst.ids():
                found.setdefault(each, []).append(inst)
            if inst.type:
                found.setdefault(inst.type, []).append(inst)
        return found

    def decorated(self, decoration: int, target: int) -> bool:
        """Return True if an id has a decoration."""
        return any(each.number == decoration for each in self.index.decorations.get(target, ()))

    def plain_parts(self, type_: int) -> tuple[int, ...]:
        """Return the parts of a type, without members that are built-ins."""
        parts = self.types.parts(type_)
        members = self.index.members.get(type_)
        if members is None:
            return parts
        return tuple(
            part
            for at, part in enumerate(parts)
            if all(use.number != Decoration.BuiltIn for use in members.get(at, ()))
        )

    def functions_using(self, id_: int) -> set[int]:
        """Return the ids of the functions that have an id among their operands."""
        uses = self.uses
        if isinstance(uses, UsesOnDemand):
            return uses.functions(id_)
        users = uses.get(id_, ())
        return {self.functions[each.function][0].id for each in users if each.function >= 0}

    # -- functions and entry points --------------------------------------------------------------

    @cached_property
    def functions(self) -> Sequence[Sequence[Inst]]:
        """The instructions of each function, by the number of `Inst.function`."""
        if isinstance(self.insts, InstsOnDemand):
            return [self.insts.range_of(number) for number in range(len(self.insts.starts))]
        found: list[list[Inst]] = []
        for inst in self.insts:
            if inst.function >= 0:
                while len(found) <= inst.function:
                    found.append([])
                found[inst.function].append(inst)
        return found

    @cached_property
    def calls(self) -> dict[int, set[int]]:
        """Ids of the functions that each function calls."""
        found: dict[int, set[int]] = {}
        called: set[int] = set()
        for each in self.of(Opcode.Function, Opcode.FunctionCall):
            if each.code == Opcode.Function:
                called = found[each.id] = set()
            elif each.function >= 0:
                called.add(each.word(0))
        return found

    @cached_property
    def reached(self) -> dict[int, set[int]]:
        """Ids of the functions that each entry point's function reaches, itself included."""
        found: dict[int, set[int]] = {}
        left = WORK
        for each in self.entries:
            if each.function not in found:
                few = {each.function} if left < 0 else _closure({each.function}, self.calls)
                found[each.function] = few
                left -= len(few)
        if left < 0:
            self.skipped("functions that entry points reach")
        return found

    @cached_property
    def entries(self) -> list[SpirvEntryPoint]:
        """The entry points."""
        return self.index.entry_points

    @cached_property
    def _entries_of(self) -> dict[int, list[SpirvEntryPoint]]:
        found: dict[int, list[SpirvEntryPoint]] = {}
        left = WORK
        for each in self.entries:
            for function in self.reached[each.function]:
                found.setdefault(function, []).append(each)
            left -= len(self.reached[each.function])
            if left < 0:
                self.skipped("functions that entry points reach")
                break
        return found

    @cached_property
    def recursive(self) -> set[int]:
        """Ids of the functions that call themselves, directly or not."""
        waiting = {each: set(called) & self.calls.keys() for each, called in self.calls.items()}
        callers: dict[int, list[int]] = {}
        for each, called in waiting.items():
            for inner in called:
                callers.setdefault(inner, []).append(each)
        leaves = [each for each, called in waiting.items() if not called]
        while leaves:
            leaf = leaves.pop()
            for each in callers.get(leaf, ()):
                waiting[each].discard(leaf)
                if not waiting[each]:
                    leaves.append(each)
        left = {each for each, called in waiting.items() if called}
        return self._in_cycles(left)

    def _in_cycles(self, left: set[int]) -> set[int]:
        """Return the recursive functions; all functions if there are many."""
        if len(left) > 1000:
            return left
        return {each for each in left if each in _closure(set(self.calls[each]), self.calls)}

    def entries_of(self, inst: Inst) -> list[SpirvEntryPoint]:
        """Return the entry points that reach the function of an instruction."""
        if inst.function < 0:
            return []
        return self._entries_of.get(self.functions[inst.function][0].id, [])

    def models_of(self, inst: Inst) -> set[int]:
        """Return the execution models that may run an instruction."""
        return self.memo(
            "models", inst.function, lambda: {each.model for each in self.entries_of(inst)}
        )

    def modes_of(self, function: int) -> set[int]:
        """Return the execution modes of an entry point."""
        return {each.number for each in self.index.modes.get(function, ())}

    def require_models(
        self, code: str, inst: Inst, allowed: Iterable[int], message: str = "", vuid: str = ""
    ) -> None:
        """Report an instruction that an entry point of another execution model reaches."""
        wrong = self.models_of(inst) - set(allowed)
        if wrong:
            names = ", ".join(sorted(model_name(each) for each in wrong))
            self.report(code, inst, f"{message or RULES[code].summary}, got {names}", vuid)


def model_name(model: int) -> str:
    """Return the name of an execution model."""
    found = grammar().kinds["ExecutionModel"].by_value.get(model)
    return found.name if found is not None else str(model)


class _Integers(dict[int, int | None]):
    """Values of integer constants by id, computed on first access."""

    def __init__(self, index: ModuleIndex) -> None:
        super().__init__()
        self.index = index

    def get(self, key: int, default: int | None = None) -> int | None:  # type: ignore[override]
        found = self.index.integer(key)
        return default if found is None else found


def _implied(declared: Iterable[int]) -> frozenset[int]:
    kind = grammar().kinds["Capability"]
    found: set[int] = set()
    pending = list(declared)
    while pending:
        each = pending.pop()
        if each in found:
            continue
        found.add(each)
        known = kind.by_value.get(each)
        if known is not None:
            pending += [kind.by_name[name].value for name in known.needs.capabilities]
    return frozenset(found)


def _closure(start: set[int], edges: dict[int, set[int]]) -> set[int]:
    found = set(start)
    pending = list(start)
    while pending:
        for each in edges.get(pending.pop(), ()):
            if each not in found:
                found.add(each)
                pending.append(each)
    return found
