"""The results of wave operations, by the definition that `unshade.ir.waves` quotes."""

from collections.abc import Collection, Mapping

from unshade.ir.fold import fold
from unshade.ir.ops import OPS, Op
from unshade.ir.types import BOOL, Type, Widths
from unshade.ir.waves import COMBINES, NEUTRAL, WORD, Wave

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
