"""Which registers stand behind a resource, sampler, view or constant buffer operand.

    5.0   dcl_resource_texture2d … t3             t3: range 3, register 3
    5.1   dcl_resource_texture2d … T0[2:6], space=1
          sample …, T0[r0.x + 2].xyzw             range 0, a register from 2 to 6: t2_space1 …

Of a range those registers are to be bound that the program names; all of them where it calculates
one. A range without an end that is indexed so needs a word about its length.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from ....errors import UnsupportedError
from ....ir.specialisation import Specialisation
from ....vocab.slots import ResourceClass, ResourceSlot
from ..instruction import Instruction
from ..operands import Index, Operand
from ..tables.enumerations import OperandType
from ..tables.spellings import REGISTERS, word

ENDLESS = 0xFFFF_FFFF
MOST = 1024  # registers that one calculated index may choose among
CLASSES: dict[int, ResourceClass] = {
    OperandType.RESOURCE: ResourceClass.READ,
    OperandType.SAMPLER: ResourceClass.SAMPLER,
    OperandType.UNORDERED_ACCESS_VIEW: ResourceClass.WRITE,
    OperandType.CONSTANT_BUFFER: ResourceClass.CONSTANTS,
}
KINDS = frozenset(CLASSES)


def undeclared(name: str) -> UnsupportedError:
    """The refusal of a register that nothing declares."""
    return UnsupportedError(f"{name} is used without a declaration")


@dataclass(slots=True)
class Range:
    """Registers that were declared together; `numbers` are those to be bound."""

    kind: ResourceClass
    prefix: str
    lower: int
    upper: int
    space: int = 0
    numbers: list[int] = field(default_factory=list)
    moving: bool = False

    def slot(self, number: int) -> ResourceSlot:
        """Return the slot of a register."""
        return ResourceSlot(self.kind, number, self.space)

    def name(self, number: int) -> str:
        """A register's name, as the neutral model has it."""
        suffix = f"_space{self.space}" if self.space else ""
        return f"{self.prefix}{number}{suffix}"


def place(operand: Operand) -> tuple[int, Index]:
    """The range of an operand, and the index that says which register."""
    indices = operand.indices
    count = len(indices) - (operand.type == OperandType.CONSTANT_BUFFER)  # the last is the row
    if count == 2:
        return indices[0].immediate, indices[1]
    return indices[0].immediate, indices[0]


def operands_of(instruction: Instruction) -> Iterable[Operand]:
    """An instruction's operands, and those inside their indices."""
    stack = list(instruction.operands)
    while stack:
        operand = stack.pop()
        yield operand
        stack += [index.relative for index in operand.indices if index.relative is not None]


class Ranges:
    """The ranges of a program."""

    def __init__(self, instructions: list[Instruction], specialisation: Specialisation) -> None:
        self.found: dict[tuple[int, int], Range] = {}
        self.together: dict[int, Range] = {}  # 5.0: an index over all of a kind
        for instruction in instructions:
            if instruction.op is not None and instruction.op.kind == "decl":
                for operand in instruction.operands:
                    if operand.type in KINDS and operand.indices:
                        self._declare(operand, instruction.words)
        for instruction in instructions:
            if instruction.op is not None and instruction.op.kind != "decl":
                for operand in operands_of(instruction):
                    if operand.type in KINDS and operand.indices:
                        self._use(operand)
        for each in [*self.found.values()]:
            self._fill(each, specialisation)

    def _declare(self, operand: Operand, words: tuple[int, ...]) -> None:
        prefix = word(REGISTERS, operand.type)
        number = operand.indices[0].immediate
        kind = CLASSES[operand.type]
        made = Range(kind, prefix, number, number)
        if len(operand.indices) == 3:
            lower, upper = (index.immediate for index in operand.indices[1:])
            made = Range(kind, prefix, lower, upper, words[-1] if words else 0)
        self.found.setdefault((operand.type, number), made)

    def _use(self, operand: Operand) -> None:
        number, index = place(operand)
        if index is operand.indices[0]:
            if index.relative is not None:
                for (kind, _), each in self.found.items():
                    if kind == operand.type:
                        each.moving = True
            return
        found = self.found.get((operand.type, number))
        if found is None:
            return
        if index.relative is not None:
            found.moving = True
        elif index.immediate not in found.numbers:
            found.numbers.append(index.immediate)

    def _fill(self, found: Range, specialisation: Specialisation) -> None:
        if found.lower == found.upper:
            found.numbers = [found.lower]
        elif found.moving:
            count = found.upper - found.lower + 1
            name = found.name(found.lower)
            length = specialisation.length(found.slot(found.lower), name)
            if length is not None:
                count = min(count, length)
            elif found.upper == ENDLESS:
                raise UnsupportedError(
                    f"the registers from {name} on have no end, and the program calculates which:"
                    f" --length {name}=… (in Python lengths={{{name!r}: …}}) says how many"
                )
            if count > MOST:
                raise UnsupportedError(
                    f"{count} registers from {name} on, {MOST} at most can be chosen among"
                )
            found.numbers = [*range(found.lower, found.lower + count)]
        else:
            found.numbers.sort()

    def of(self, operand: Operand) -> Range:
        """The range of an operand, or of a declaration."""
        number, index = place(operand)
        name = word(REGISTERS, operand.type)
        if index is operand.indices[0] and index.relative is not None:
            return self._all(operand.type)
        found = self.found.get((operand.type, number))
        if found is None:
            raise undeclared(f"{name}{number}")
        return found

    def _all(self, kind: int) -> Range:
        """Every register of a kind, where Shader Model 5.0 calculates one."""
        made = self.together.get(kind)
        if made is None:
            numbers = sorted(number for of, number in self.found if of == kind)
            prefix = word(REGISTERS, kind)
            if not numbers:
                raise UnsupportedError(f"one of the registers {prefix}# is used, none is declared")
            made = self.together[kind] = Range(
                CLASSES[kind], prefix, numbers[0], numbers[-1], 0, numbers
            )
        return made

    def declared(self, operand: Operand) -> list[tuple[str, ResourceSlot]]:
        """Return the names and slots of the registers that a declaration gives."""
        found = self.found[operand.type, operand.indices[0].immediate]
        return [(found.name(number), found.slot(number)) for number in found.numbers]

    def name(self, operand: Operand) -> str:
        """The name of the one register that an operand means."""
        found = self.of(operand)
        return found.name(place(operand)[1].immediate)


def moves(operand: Operand) -> bool:
    """Whether the operand's register is calculated."""
    return (
        operand.type in KINDS and bool(operand.indices) and place(operand)[1].relative is not None
    )


def fixed(operand: Operand, number: int) -> Operand:
    """The operand with this register instead of a calculated one."""
    moving = place(operand)[1]
    indices = [Index(number) if each is moving else each for each in operand.indices]
    return Operand(operand.token, operand.extended, operand.literal, indices)
