"""Wave operations, which exchange values between lanes: their definition.

    group of 40 lanes, waves of 16      |0 ........ 15|16 ....... 31|32 .. 39|

A wave is a run of `KernelIR.wave` consecutive lanes of a group, or of items; the last wave of a
group may be partial. An operation involves its active lanes: lanes that took another path, left the
loop or ended are inactive. Active lanes without effects (helpers and discarded lanes) participate
only if `Wave.helpers` is set, but get a result anyway.

    wave_elect         true in the lowest participating lane
    wave_all, any      over the conditions of the participating lanes; true and false for no lanes
    wave_equal         true if all have the same number (as ieq and feq compare)
    wave_ballot        bit n of word w is set if lane 32 * w + n participates and its condition
                       holds; always four words
    wave_first         the value of the lowest participating lane
    wave_read          the value of the lane that the operand names
    wave_reduce        reduction of all values
    wave_scan          inclusive scan
    wave_before        exclusive scan

A lane that reads from a lane that does not participate or does not exist gets its own value. Values
are combined from the lowest lane upward, which defines float results exactly: fcanonicalise of the
first value, then `op(sum so far, next value)`; the result for no values is the neutral element
(NEUTRAL). With a `cluster` each run of that many lanes is combined separately. Shuffles by xor, up
and down, broadcasts and votes over quads are `wave_read` with a computed lane number (`Builder`).

Wave operations are convergent: no pass moves one to where other lanes may be active, merges two or
duplicates one.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from .fold import fold, from_float
from .ops import OPS, Op
from .types import BOOL, Type, Widths

LEAST, MOST = 1, 128  # lanes of a wave: a power of two
QUAD = 4
WORD = 32  # lanes in a word of a ballot


@dataclass(frozen=True, slots=True)
class Wave:
    """The attribute of a wave operation; fields that do not apply keep their defaults.

    op        the combining operation of a reduction or scan
    cluster   lanes that are combined with each other; 0 for the whole wave
    word      word of a ballot
    helpers   lanes without effects participate too
    """

    op: Op | None = None
    cluster: int = 0
    word: int = 0
    helpers: bool = False


def _most(type: Type) -> int:
    return type.mask >> 1


# The combining operations, and their neutral elements.
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
# The operands of each active lane, by index in the wave.
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
    """Return the result of a wave operation for each active lane of one wave.

    Args:
        op: the operation.
        wave: its attribute.
        type: type of the first operand.
        given: operands of the active lanes, by index in the wave.
        acting: the active lanes that have effects.
        size: number of lanes of a wave.
        flush: widths of floats whose subnormal numbers count as zero.
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
    """Return the result of a reduction or scan for one lane."""
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
