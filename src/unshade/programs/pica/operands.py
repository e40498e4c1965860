"""Operands of an instruction, from its word and its descriptor.

    add r0.xyz, -c94[a0.x].xxxx, v1.xyzz

    Destination(r0, 0b1110)   Source(c94, XXXX, True, A0_X)   Source(v1, 0x1a, False, NONE)

Operands are read-only: edit the word (`instruction.dst`) or the descriptor. `str` returns the
operand in picasso's syntax.
"""

from ...tuples import NamedTuple
from .descriptors import mask_letters, swizzle_components, swizzle_letters
from .tables.fields import CompareOp, ConditionOp
from .tables.registers import Register, address_name


class Destination(NamedTuple):
    """A register and the components that are written; bit 3 of the mask is x."""

    register: Register
    mask: int

    def __str__(self) -> str:
        return f"{self.register}.{mask_letters(self.mask)}"


class AddressDestination(NamedTuple):
    """The components of a0 that mova writes; z and w of the mask are ignored."""

    mask: int

    def __str__(self) -> str:
        return f"a0.{mask_letters(self.mask & 0b1100)}"


class SourceOperand(NamedTuple):
    """A register with its swizzle and sign; `idx` is the address register added to its number."""

    register: Register
    swizzle: int
    negate: bool
    idx: int

    @property
    def components(self) -> tuple[int, int, int, int]:
        """The component that is selected for each of x, y, z and w."""
        return swizzle_components(self.swizzle)

    def __str__(self) -> str:
        index = f"[{address_name(self.idx)}]" if self.idx else ""
        return f"{'-' * self.negate}{self.register}{index}.{swizzle_letters(self.swizzle)}"


class Condition(NamedTuple):
    """A condition on the flags cmp.x and cmp.y, each compared with its reference."""

    op: int
    refx: bool
    refy: bool

    def __str__(self) -> str:
        x = "cmp.x" if self.refx else "!cmp.x"
        y = "cmp.y" if self.refy else "!cmp.y"
        either = (f"{x} || {y}", f"{x} && {y}", x, y)
        return either[self.op]

    def holds(self, x: bool, y: bool) -> bool:
        """Return True if the condition holds for the given flags."""
        matches = x == self.refx, y == self.refy
        if self.op == ConditionOp.OR:
            return any(matches)
        if self.op == ConditionOp.AND:
            return all(matches)
        return matches[self.op == ConditionOp.Y]


class Compare(NamedTuple):
    """The comparison of one component by cmp; 6 and 7 have no name."""

    op: int

    def __str__(self) -> str:
        return CompareOp(self.op).name.lower() if self.op <= CompareOp.GE else str(self.op)


class UniformTest(NamedTuple):
    """A test of a boolean uniform, for false if `invert` is set."""

    register: Register
    invert: bool = False

    def __str__(self) -> str:
        return f"{'!' * self.invert}{self.register}"


class CodeTarget(NamedTuple):
    """A word of the program, or a range of `length` words."""

    address: int
    length: int | None = None

    @property
    def end(self) -> int:
        """The word after the last."""
        return self.address + (self.length or 0)

    def __str__(self) -> str:
        length = "" if self.length is None else f" +{self.length}"
        return f"{self.address}{length}"


class VertexSlot(NamedTuple):
    """The operand of setemit: the vertex slot and two flags."""

    slot: int
    primitive: bool
    winding: bool

    def __str__(self) -> str:
        flags = " ".join(["prim"] * self.primitive + ["inv"] * self.winding)
        return f"{self.slot}, {flags}" if flags else str(self.slot)


Operand = (
    Destination
    | AddressDestination
    | SourceOperand
    | Condition
    | Compare
    | UniformTest
    | Register
    | CodeTarget
    | VertexSlot
)
