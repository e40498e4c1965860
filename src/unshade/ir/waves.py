"""Waves: lanes of one group that look at one another, and what each operation gives them.

    group of 40 lanes, waves of 16      |0 ........ 15|16 ....... 31|32 .. 39|

A wave is as many consecutive lanes (in a group, elsewhere by `item`) as `Kernel.wave` says; the
last one of a group may be partial. An operation is about the lanes that are at it together: lanes
that took another way, left the loop or ended are inactive. Of those at it, the ones that have
no effects (helpers, and what was discarded) take part only where `Wave.helpers` says so; they get a
result all the same.

    wave_elect         true in the lowest lane that takes part
    wave_all, any      of the conditions of the lanes that take part; of no lane true, and false
    wave_equal         true if all have the same number (as ieq and feq compare)
    wave_ballot        bit n of word w is set if lane 32 * w + n takes part and its condition holds;
                       there are four words, whatever the size of the wave
    wave_first         the value of the lowest lane that takes part
    wave_read          the value of the lane that the operand names
    wave_reduce        all values combined
    wave_scan          the values up to and with the lane's own combined
    wave_before        the values before the lane's own combined

A lane reads its own value from a lane that does not take part or does not exist. Values are
combined from the lowest lane upward, which makes float results exact: fcanonicalise of the first
value, then `op(sum so far, next value)`; of no values comes what changes nothing (NEUTRAL).
With a `cluster` each run of so many lanes is combined by itself. Shuffles by xor, up and down,
broadcasts and votes over quads are `wave_read` of a number that is worked out (`Builder`).

Operations of a wave are convergent: no pass moves one to where other lanes may be, merges two or
writes one twice.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from .fold import fold, from_float
from .ops import OPS, Op
from .types import BOOL, Type, Widths

LEAST, MOST = 1, 128  # lanes of a wave: a power of two
QUAD = 4
WORD = 32  # lanes that a word of a ballot tells of


@dataclass(frozen=True, slots=True)
class Wave:
    """The attribute of an operation of a wave; what does not concern it stays as it is.

    op        what values are combined with
    cluster   lanes that are combined with each other, 0 for the whole wave
    word      of a ballot
    helpers   lanes without effects take part, too
    """

    op: Op | None = None
    cluster: int = 0
    word: int = 0
    helpers: bool = False


def _most(type: Type) -> int:
    return type.mask >> 1


# What values may be combined with, and what changes nothing.
NEUTRAL: dict[Op, Callable[[Type], int]] = {
    OPS.iadd: lambda type: 0,
    OPS.imul: lambda type: 1,
    OPS.imin: _most,
    OPS.imax: lambda type: _most(type) + 1,
    OPS.umin: lambda type: type.mask,
    OPS.umax: lambda type: 0,
    OPS.and_: lambda type: type.mask,
    OPS.or_: lambda type: 0,
    OPS.xor: lambda type: 0,
    OPS.fadd: lambda type: 0,
    OPS.fmul: lambda type: from_float(1.0, type),
    OPS.fmin: lambda type: from_float(float("inf"), type),
    OPS.fmax: lambda type: from_float(float("-inf"), type),
}
WHOLE = Wave()
COMBINES = (OPS.wave_reduce, OPS.wave_scan, OPS.wave_before)
# The place of a lane in its wave, and how many it has.
Given = Mapping[int, tuple[int, ...]]


def results(
    op: Op,
    wave: Wave,
    type: Type,
    given: Given,
    acting: Collection[int],
    size: int,
    flush: Widths,
) -> dict[int, int]:
    """Return what an operation gives each lane of one wave that is at it.

    `given` has the operands of the lanes at it, `acting` those that have effects, `type` is that of
    the first operand.
    """
    taking = [lane for lane in sorted(given) if wave.helpers or lane in acting]
    if op in COMBINES:
        return {lane: _combined(op, wave, type, given, taking, lane, size, flush) for lane in given}
    match op:
        case OPS.wave_elect:
            return {lane: int(lane in taking[:1]) for lane in given}
        case OPS.wave_all:
            found = int(all(given[lane][0] for lane in taking))
        case OPS.wave_any:
            found = int(any(given[lane][0] for lane in taking))
        case OPS.wave_equal:
            found = int(all(_same(given[taking[0]][0], given[n][0], type, flush) for n in taking))
        case OPS.wave_ballot:
            here = [lane for lane in taking if lane // WORD == wave.word and given[lane][0]]
            found = sum(1 << lane % WORD for lane in here)
        case OPS.wave_first:
            return {lane: given[(taking or [lane])[0]][0] for lane in given}
        case _:
            return {
                lane: given[asked if asked in taking else lane][0]
                for lane, (_, asked) in given.items()
            }
    return dict.fromkeys(given, found)


def _same(a: int, b: int, type: Type, flush: Widths) -> bool:
    op = OPS.feq if type.kind == "f" else OPS.ieq
    return bool(fold(op, BOOL, ((a, type), (b, type)), flush))


def _combined(
    op: Op,
    wave: Wave,
    type: Type,
    given: Given,
    taking: list[int],
    lane: int,
    size: int,
    flush: Widths,
) -> int:
    """Return the values that an operation combines for one lane."""
    assert wave.op is not None
    cluster = wave.cluster or size
    end = {OPS.wave_scan: lane + 1, OPS.wave_before: lane}.get(op, size)
    values = [given[n][0] for n in taking if n // cluster == lane // cluster and n < end]
    if not values:
        return NEUTRAL[wave.op](type)
    total: int | None = values[0]
    if type.kind == "f":
        total = fold(OPS.fcanonicalise, type, ((values[0], type),), flush)
    for each in values[1:]:
        assert total is not None
        total = fold(wave.op, type, ((total, type), (each, type)), flush)
    assert total is not None
    return total
