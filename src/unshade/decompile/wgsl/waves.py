"""Operations between the lanes of a wave: WGSL has them with the extension `subgroups`.

wave_reduce fadd x      subgroupAdd(x)
wave_equal x            subgroupAll(x == subgroupBroadcastFirst(x))
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...errors import UnsupportedError
from ...ir.kernel import KernelIR
from ...ir.ops import OPS, Op
from ...ir.sources import SOURCES
from ...ir.waves import Wave
from ...vocab.words import Stage
from ..operations import SOURCE_OPS
from ..printer import Printer
from ..spelling import Rank
from ..tree import ScalarKind, SourceExpression

if TYPE_CHECKING:
    from .target import WgslTarget

__all__ = ["LANE_SOURCES", "is_between_lanes", "lane_sources", "subgroup_call", "uses_subgroups"]

LANE_SOURCES: Mapping[str, str] = {
    "wave_lane": "subgroup_invocation_id", "wave_size": "subgroup_size",
}  # fmt: skip
FUNCTIONS: Mapping[Op, str] = {
    OPS.wave_elect: "subgroupElect", OPS.wave_all: "subgroupAll", OPS.wave_any: "subgroupAny",
    OPS.wave_ballot: "subgroupBallot", OPS.wave_first: "subgroupBroadcastFirst",
    OPS.wave_read: "subgroupShuffle", SOURCE_OPS.quad_read: "quadBroadcast",
}  # fmt: skip
SUMS: Mapping[Op, str] = {
    OPS.iadd: "Add", OPS.fadd: "Add", OPS.imul: "Mul", OPS.fmul: "Mul",
}  # fmt: skip
COMBINATIONS: Mapping[Op, str] = {
    **SUMS, OPS.imin: "Min", OPS.umin: "Min", OPS.fmin: "Min", OPS.imax: "Max", OPS.umax: "Max",
    OPS.fmax: "Max", OPS.and_: "And", OPS.or_: "Or", OPS.xor: "Xor",
}  # fmt: skip
QUADS: Mapping[int, str] = {1: "quadSwapX", 2: "quadSwapY", 3: "quadSwapDiagonal"}


def is_between_lanes(op: Op, attr: object) -> bool:
    """Return True for an operation of a wave or a quad."""
    return isinstance(attr, Wave) or op in FUNCTIONS or op is OPS.quad_swap


def lane_sources(kernel: KernelIR) -> list[str]:
    """Return the built-ins of positions in a wave that a program reads."""
    words = {SOURCES[each.attr].word for each in kernel.values() if each.op is OPS.source}
    return [built_in for word, built_in in LANE_SOURCES.items() if word in words]


def uses_subgroups(kernel: KernelIR) -> bool:
    """Return True if a program has operations of waves or quads, or positions in a wave."""
    found = bool(lane_sources(kernel)) or any(
        is_between_lanes(each.op, each.attr) for each in kernel.values()
    )
    if found and kernel.stage is Stage.VERTEX:
        raise UnsupportedError("WGSL has no operations between the lanes of a vertex shader")
    return found


def subgroup_call(target: "WgslTarget", printer: Printer, value: SourceExpression) -> str:
    """Return the call of an operation between lanes."""
    op, args = value.op, value.args
    assert isinstance(op, Op)
    wave = value.attr if isinstance(value.attr, Wave) else Wave()
    if wave.cluster:
        raise UnsupportedError(f"WGSL has no {op.name} of a part of a wave")
    if op is OPS.wave_equal:
        if value.args[0].type.width > 1 or value.args[0].type.kind is ScalarKind.BOOL:
            raise UnsupportedError("WGSL has no comparison of vectors or bools in a wave")
        text = printer.text(args[0], Rank.ADD)
        return f"subgroupAll({text} == subgroupBroadcastFirst({text}))"
    if op is OPS.quad_swap:
        word: str | None = QUADS.get(value.attr)
    elif op is OPS.wave_reduce or op is OPS.wave_before:
        known = COMBINATIONS if op is OPS.wave_reduce else SUMS
        word = known.get(wave.op) if wave.op is not None else None
        word = word and f"subgroup{'Exclusive' * (op is OPS.wave_before)}{word}"
    else:
        word = FUNCTIONS.get(op)
    if word is None:
        raise UnsupportedError(f"WGSL has no {op.name} of this operation")
    texts = [printer.text(each) for each in args]
    votes = (OPS.wave_all, OPS.wave_any, OPS.wave_ballot)
    if not args or op in votes or args[0].type.kind is not ScalarKind.BOOL:
        return f"{word}({', '.join(texts)})"
    if args[0].type.width > 1 or op is OPS.wave_reduce:
        raise UnsupportedError(f"WGSL has no {op.name} of bools")
    given = target.type(args[0].type._replace(kind=ScalarKind.UINT))
    return f"bool({word}({', '.join([f'{given}({texts[0]})', *texts[1:]])}))"
