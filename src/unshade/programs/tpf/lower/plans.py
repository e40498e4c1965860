"""Plans: what the lowering of an instruction needs that follows from its dwords alone.

    mad_sat r0.xy, r1.xyxx, cb0[2].xyzw, l(0, 1, 0, 0)

    for x, y    mul and add of [read r1.x, read cb0[2].x, 0.0], [read r1.y, read cb0[2].y, 1.0]
    resources   yes: a constant buffer
    clamps      yes

A plan is made once for equal instructions (kept.py). What depends on the rest of the program, such
as declarations and the stage, is examined when the plan is used.
"""

from ....errors import UnsupportedError
from ....vocab.d3d import ShaderKind
from ..instruction import Instruction
from ..kept import Kept
from ..tables.tokens import Arithmetic
from .arithmetic import computation
from .ranges import KINDS, moves, operands_of
from .shapes import check

__all__ = ["PLANS", "LoweringPlan"]

ANY = frozenset(ShaderKind)


class LoweringPlan:
    """The part of a lowering that follows from the dwords of an instruction.

    Attributes:
        row: The row of the table of operations; None for an unknown operation.
        stages: The stages in which the operation exists.
        problem: Why the instruction cannot be lowered; None if it can.
        declares: The instruction is a declaration or a table of constants.
        resources: An operand, or an operand of an index, is a resource, sampler or buffer.
        relative: An operand has a relative index.
        moving: The first operand whose register has a relative index, except in a constant buffer.
        clamps: The results are clamped to [0, 1].
        copies: The operation copies 32 bits of any type.
        compute: The lowering of arithmetic; None for other operations.
    """

    __slots__ = (
        "clamps", "compute", "copies", "declares", "moving", "problem", "relative", "resources",
        "row", "stages",
    )  # fmt: skip

    def __init__(self, instruction: Instruction) -> None:
        row = self.row = instruction.op
        operands = instruction.operands
        self.stages = ANY if row is None else row.stages
        self.problem = None
        try:
            check(instruction)
        except UnsupportedError as error:
            self.problem = str(error)
        sound = row is not None and self.problem is None
        self.declares = row is not None and row.kind in ("decl", "data")
        self.resources = any(
            each.type in KINDS and bool(each.indices) for each in operands_of(instruction)
        )
        self.relative = any(
            index.relative is not None for operand in operands for index in operand.indices
        )
        self.moving = None
        if self.relative and sound:
            moving = (at for at, each in enumerate(operands) if moves(each))
            self.moving = next(moving, None)
        arithmetic = row is not None and issubclass(row.controls, Arithmetic)
        self.clamps = arithmetic and bool(Arithmetic.saturate.of(instruction.token))
        self.copies = row is not None and "x" in row.operands
        self.compute = computation(row, operands) if row is not None and sound else None


PLANS = Kept(LoweringPlan)
