"""Ranges of resource, sampler, view and constant buffer registers.

    5.0   dcl_resource_texture2d … t3             t3: range 3, register 3
    5.1   dcl_resource_texture2d … T0[2:6], space=1
          sample …, T0[r0.x + 2].xyzw             range 0, a register from 2 to 6: t2_space1 …

Only those registers of a range are bound that the program uses, or all if it uses a relative index.
The length of an unbounded range with relative indices must be specified.
"""

from collections.abc import Iterable, Sequence

from ....dataclass import dataclass, field
from ....errors import UnsupportedError
from ....ir.specialisation import Specialisation
from ....vocab.d3d import UNBOUNDED
from ....vocab.slots import ResourceClass, ResourceSlot
from ..instruction import Instruction
from ..operands import Index, Operand
from ..tables.enumerations import OperandType
from ..tables.spellings import REGISTERS, word

CLASSES: dict[int, ResourceClass] = {
    OperandType.RESOURCE: ResourceClass.READ,
    OperandType.SAMPLER: ResourceClass.SAMPLER,
    OperandType.UNORDERED_ACCESS_VIEW: ResourceClass.WRITE,
    OperandType.CONSTANT_BUFFER: ResourceClass.CONSTANTS,
}
KINDS = frozenset(CLASSES)


def undeclared(name: str) -> UnsupportedError:
    """Return an error for a register without a declaration."""
    return UnsupportedError(f"{name} is used without a declaration")


@dataclass(slots=True)
class ResourceRange:
    """Registers that are declared together; `numbers` are those to be bound.

    The first `length` of them can be selected by an index; others of an array without a size are
    used by their number.
    """

    kind: ResourceClass
    prefix: str
    lower: int
    upper: int
    space: int = 0
    numbers: list[int] = field(default_factory=list)
    moving: bool = False
    length: int | None = None

    @property
    def selected(self) -> list[int]:
        """Return the numbers of the registers that an index can select."""
        return self.numbers[: self.length]

    def slot(self, number: int) -> ResourceSlot:
        """Return the slot of a register."""
        return ResourceSlot(self.kind, number, self.space)

    def name(self, number: int) -> str:
        """Return the name of a register in `model`."""
        suffix = f"_space{self.space}" if self.space else ""
        return f"{self.prefix}{number}{suffix}"


def place(operand: Operand) -> tuple[int, Index]:
    """Return the range of an operand, and the index of the register."""
    indices = operand.indices
    if len(indices) == 1:
        return indices[0].immediate, indices[0]
    count = len(indices) - (operand.type == OperandType.CONSTANT_BUFFER)  # the last is the row
    if count == 2:
        return indices[0].immediate, indices[1]
    return indices[0].immediate, indices[0]


def operands_of(instruction: Instruction) -> Iterable[Operand]:
    """Yield the operands of an instruction and the operands in their indices."""
    stack = list(instruction.operands)
    while stack:
        operand = stack.pop()
        yield operand
        stack += [index.relative for index in operand.indices if index.relative is not None]


class Ranges:
    """The ranges of a program."""

    def __init__(self, instructions: Sequence[Instruction], specialisation: Specialisation) -> None:
        self.found: dict[tuple[int, int], ResourceRange] = {}
        self.together: dict[int, ResourceRange] = {}  # 5.0: an index over all of a kind
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
        self._check_overlaps()

    def _check_overlaps(self) -> None:
        owners: dict[ResourceSlot, tuple[str, int]] = {}
        for (type, number), each in self.found.items():
            name = word(REGISTERS, type).upper()
            for register in each.numbers:
                first = owners.setdefault(each.slot(register), (name, number))
                if first[1] != number:
                    raise UnsupportedError(
                        f"{each.name(register)} is in the ranges {name}{first[1]} and"
                        f" {name}{number}: expected ranges without a register in common"
                    )

    def _declare(self, operand: Operand, words: tuple[int, ...]) -> None:
        prefix = word(REGISTERS, operand.type)
        number = operand.indices[0].immediate
        kind = CLASSES[operand.type]
        made = ResourceRange(kind, prefix, number, number)
        if len(operand.indices) == 3:
            lower, upper = (index.immediate for index in operand.indices[1:])
            made = ResourceRange(kind, prefix, lower, upper, words[-1] if words else 0)
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

    def _fill(self, found: ResourceRange, specialisation: Specialisation) -> None:
        if found.lower == found.upper:
            found.numbers = [found.lower]
        elif found.moving:
            declared = None if found.upper == UNBOUNDED else found.upper - found.lower + 1
            slot, name = found.slot(found.lower), found.name(found.lower)
            count = specialisation.array_length(slot, name, declared)
            found.length = count
            end = found.lower + count
            alone = sorted(each for each in found.numbers if each >= end)
            found.numbers = [*range(found.lower, end), *alone * (declared is None)]
        else:
            found.numbers.sort()

    def of(self, operand: Operand) -> ResourceRange:
        """Return the range of an operand, or of a declaration."""
        number, index = place(operand)
        kind = operand.type
        if index is operand.indices[0] and index.relative is not None:
            return self._all(kind)
        found = self.found.get((kind, number))
        if found is None:
            raise undeclared(f"{word(REGISTERS, kind)}{number}")
        return found

    def _all(self, kind: int) -> ResourceRange:
        """Return all registers of a kind, for a relative index in Shader Model 5.0."""
        made = self.together.get(kind)
        if made is None:
            numbers = sorted(number for of, number in self.found if of == kind)
            prefix = word(REGISTERS, kind)
            if not numbers:
                raise UnsupportedError(f"expected a declaration of {prefix}# registers, got none")
            made = self.together[kind] = ResourceRange(
                CLASSES[kind], prefix, numbers[0], numbers[-1], 0, numbers
            )
        return made

    def declared(self, operand: Operand) -> list[tuple[str, ResourceSlot]]:
        """Return the names and slots of the registers of a declaration."""
        found = self.found[operand.type, operand.indices[0].immediate]
        return [(found.name(number), found.slot(number)) for number in found.numbers]

    def name(self, operand: Operand) -> str:
        """Return the name of the register of an operand."""
        found = self.of(operand)
        return found.name(place(operand)[1].immediate)


def moves(operand: Operand) -> bool:
    """Return True for a relative register, except in constant buffers (lowered elsewhere)."""
    kind = operand.type
    return (
        kind in KINDS
        and kind != OperandType.CONSTANT_BUFFER
        and bool(operand.indices)
        and place(operand)[1].relative is not None
    )


def fixed(operand: Operand, number: int) -> Operand:
    """Return the operand with a constant register instead of a relative one."""
    moving = place(operand)[1]
    indices = [Index(number) if each is moving else each for each in operand.indices]
    return Operand(operand.token, operand.extended, operand.literal, indices)
