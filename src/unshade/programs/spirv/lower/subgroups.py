"""Operations of subgroups, which are waves: basic, vote, arithmetic, ballot, shuffle, quad, parts.

    OpGroupNonUniformIAdd %uint %scope ClusteredReduce %x %size
    words[1]             [2] is the result, [3] the scope, [4] the operation of the group

Vectors are combined by component. Helper lanes of pixel shaders take part in quad operations only.

Source: SPIR-V specification, section 3.49.21; Vulkan specification, Group Operations.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from ....errors import UnsupportedError
from ....ir.builder import Builder, constant
from ....ir.kernel import Value
from ....ir.library import parts
from ....ir.ops import OPS, Op
from ....ir.types import I32
from ....ir.waves import QUAD, WHOLE, WORD, Wave
from ..module import Instruction
from ..tables.numbers import GroupOperation, Opcode, Scope
from .operations import Components, Handler, Handlers

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["HANDLERS", "below"]

WORDS = 4  # of a ballot
COMBINED: dict[int, Op] = {
    GroupOperation.Reduce: OPS.wave_reduce,
    GroupOperation.ClusteredReduce: OPS.wave_reduce,
    GroupOperation.InclusiveScan: OPS.wave_scan,
    GroupOperation.ExclusiveScan: OPS.wave_before,
}
# The last operand is a mask of the lanes that are combined.
PARTITIONED: dict[int, Op] = {
    GroupOperation.PartitionedReduceEXT: OPS.wave_reduce,
    GroupOperation.PartitionedInclusiveScanEXT: OPS.wave_scan,
    GroupOperation.PartitionedExclusiveScanEXT: OPS.wave_before,
}
Exchange: TypeAlias = Callable[[Builder, Value, Value], Value]


def _check_scope(lowering: "Lowering", number: int) -> None:
    if lowering.integer(number) != Scope.Subgroup:
        raise UnsupportedError("group operations of other scopes than subgroups cannot be run")


def below(b: Builder, count: Value, word: int) -> Value:
    """Append the bits of lanes below a number, from 0 to 128, of one word of a mask."""
    inside = b.imin(b.imax(b.isub(count, WORD * word), 0), WORD)
    some = b.isub(b.ishl(constant(1, I32), inside), 1)
    return b.select(b.ult(inside, WORD), some, constant(-1, I32))


# ---------------------------------------------------------------- arithmetic, votes


def _combine(op: Op) -> Handler:
    """Return the handler of a reduction or scan."""

    def lower(lowering: "Lowering", instruction: Instruction) -> Components:
        words = instruction.words
        _check_scope(lowering, words[3])
        values = lowering.value(words[5])
        if words[4] in PARTITIONED:
            return _by_part(lowering, PARTITIONED[words[4]], values, Wave(op=op), words[6])
        if words[4] not in COMBINED:
            raise UnsupportedError(f"group operation {words[4]} cannot be run")
        cluster = 0
        if words[4] == GroupOperation.ClusteredReduce:
            size = lowering.integer(words[6])
            if size is None or size < 1 or size & (size - 1):
                raise UnsupportedError("expected a power of two as the size of a cluster")
            cluster = 0 if size >= lowering.kernel.wave else size
        wave = Wave(op=op, cluster=cluster)
        how = COMBINED[words[4]]
        return tuple(lowering.b.make(how, each, attr=wave) for each in values)

    return lower


def _by_part(
    lowering: "Lowering", how: Op, values: Components, wave: Wave, mask: int
) -> Components:
    b = lowering.b
    keys = parts.active(b, lowering.value(mask), WHOLE)

    def combined() -> list[Value]:
        return [b.make(how, each, attr=wave) for each in values]

    return parts.by_part(b, keys, [each.type for each in values], combined, WHOLE)


def _partition(lowering: "Lowering", instruction: Instruction) -> Components:
    """Lower OpGroupNonUniformPartitionEXT: the mask of the lanes with the same value."""
    return parts.matching(lowering.b, lowering.value(instruction.words[3]), WHOLE)


def _vote(op: Op) -> Handler:
    def lower(lowering: "Lowering", instruction: Instruction) -> Components:
        _check_scope(lowering, instruction.words[3])
        return (lowering.b.make(op, lowering.scalar(instruction.words[4]), attr=WHOLE),)

    return lower


def _equal(lowering: "Lowering", instruction: Instruction) -> Components:
    _check_scope(lowering, instruction.words[3])
    b = lowering.b
    found: Value | None = None
    for each in lowering.value(instruction.words[4]):
        same = b.wave_equal(each, attr=WHOLE)
        found = same if found is None else b.and_(found, same)
    assert found is not None
    return (found,)


def _elect(lowering: "Lowering", instruction: Instruction) -> Components:
    _check_scope(lowering, instruction.words[3])
    return (lowering.b.wave_elect(attr=WHOLE),)


# ---------------------------------------------------------------- exchanges


def _exchange(make: Exchange) -> Handler:
    """Return the handler of a read of another lane, which the last operand determines."""

    def lower(lowering: "Lowering", instruction: Instruction) -> Components:
        words = instruction.words
        _check_scope(lowering, words[3])
        b = lowering.b
        other = lowering.scalar(words[5])
        if other.type != I32:
            other = b.uconv(other, type=I32) if other.type.bits < 32 else b.iconv(other, type=I32)
        return tuple(make(b, each, other) for each in lowering.value(words[4]))

    return lower


def _of_lane(b: Builder, value: Value, lane: Value) -> Value:
    return b.wave_read(value, lane, attr=WHOLE)


def _first(lowering: "Lowering", instruction: Instruction) -> Components:
    _check_scope(lowering, instruction.words[3])
    b = lowering.b
    return tuple(b.wave_first(each, attr=WHOLE) for each in lowering.value(instruction.words[4]))


def _quad_swap(lowering: "Lowering", instruction: Instruction) -> Components:
    """Lower OpGroupNonUniformQuadSwap: horizontal, vertical or diagonal."""
    words = instruction.words
    direction = lowering.integer(words[5])
    if direction not in (0, 1, 2):
        raise UnsupportedError(f"expected a direction from 0 to 2, got {direction}")
    b = lowering.b
    found = []
    for each in lowering.value(words[4]):
        lane = b.xor(b.source("wave_lane"), direction + 1)
        found.append(b.wave_read(each, lane, attr=Wave(helpers=True)))
    return tuple(found)


def _quad_vote(is_all: bool) -> Handler:
    """Return the handler of a vote of the four lanes of a quad."""

    def lower(lowering: "Lowering", instruction: Instruction) -> Components:
        b = lowering.b
        value = b.select(lowering.scalar(instruction.words[3]), constant(1, I32), constant(0, I32))
        op = OPS.and_ if is_all else OPS.or_
        wave = Wave(op=op, cluster=QUAD, helpers=True)
        return (b.ine(b.wave_reduce(value, attr=wave), 0),)

    return lower


def _rotate(lowering: "Lowering", instruction: Instruction) -> Components:
    """Lower OpGroupNonUniformRotateKHR: a read of the lane `delta` above, in a circle."""
    words = instruction.words
    _check_scope(lowering, words[3])
    b = lowering.b
    size = lowering.integer(words[6]) if len(words) > 6 else lowering.kernel.wave
    if size is None or size < 1 or size & (size - 1):
        raise UnsupportedError("expected a power of two as the size of a cluster")
    delta = lowering.scalar(words[5])
    lane = b.source("wave_lane")
    inside = b.and_(b.iadd(lane, delta), size - 1)
    other = b.or_(b.and_(lane, -size), inside)
    return tuple(b.wave_read(each, other, attr=WHOLE) for each in lowering.value(words[4]))


# ---------------------------------------------------------------- ballots


def _ballot(lowering: "Lowering", instruction: Instruction) -> Components:
    _check_scope(lowering, instruction.words[3])
    condition = lowering.scalar(instruction.words[4])
    return _ballots(lowering.b, condition)


def _ballots(b: Builder, condition: Value) -> Components:
    return tuple(b.wave_ballot(condition, attr=Wave(word=at)) for at in range(WORDS))


def _bit(b: Builder, ballot: Components, lane: Value) -> Value:
    """Append the bit of a lane; false for lanes outside of the ballot."""
    word = constant(0, I32)
    for at, each in enumerate(ballot):
        word = b.select(b.ieq(b.ushr(lane, 5), at), each, word)
    return b.ine(b.and_(b.ushr(word, lane), 1), 0)


def _inverse(lowering: "Lowering", instruction: Instruction) -> Components:
    _check_scope(lowering, instruction.words[3])
    b = lowering.b
    return (_bit(b, lowering.value(instruction.words[4]), b.source("wave_lane")),)


def _extract(lowering: "Lowering", instruction: Instruction) -> Components:
    words = instruction.words
    _check_scope(lowering, words[3])
    return (_bit(lowering.b, lowering.value(words[4]), lowering.scalar(words[5])),)


def _own(lowering: "Lowering", ballot: Components, count: Value | None = None) -> Components:
    """Append the bits of existing lanes, or of lanes below a number."""
    b = lowering.b
    most = constant(lowering.kernel.wave, I32) if count is None else count
    return tuple(b.and_(each, below(b, most, at)) for at, each in enumerate(ballot))


def _bit_count(lowering: "Lowering", instruction: Instruction) -> Components:
    words = instruction.words
    _check_scope(lowering, words[3])
    b = lowering.b
    lane = b.source("wave_lane")
    match words[4]:
        case GroupOperation.Reduce:
            bits = _own(lowering, lowering.value(words[5]))
        case GroupOperation.InclusiveScan:
            bits = _own(lowering, lowering.value(words[5]), b.iadd(lane, 1))
        case GroupOperation.ExclusiveScan:
            bits = _own(lowering, lowering.value(words[5]), lane)
        case _:
            raise UnsupportedError("expected a reduction or a scan")
    first, *others = (b.popcount(each) for each in bits)
    for each in others:
        first = b.iadd(first, each)
    return (first,)


def _find(lowest: bool) -> Handler:
    """Return the handler of a search for the lowest or highest bit."""

    def lower(lowering: "Lowering", instruction: Instruction) -> Components:
        _check_scope(lowering, instruction.words[3])
        b = lowering.b
        bits = _own(lowering, lowering.value(instruction.words[4]))
        found = constant(-1, I32)
        words = [*enumerate(bits)]
        for at, each in reversed(words) if lowest else words:
            place = b.ctz(each) if lowest else b.isub(WORD - 1, b.clz(each))
            found = b.select(b.ieq(each, 0), found, b.iadd(place, WORD * at))
        return (found,)

    return lower


# ---------------------------------------------------------------- older extensions


def _old_vote(op: Op) -> Handler:
    def lower(lowering: "Lowering", instruction: Instruction) -> Components:
        value = lowering.scalar(instruction.words[3])
        return (lowering.b.make(op, value, attr=WHOLE),)

    return lower


def _old_equal(lowering: "Lowering", instruction: Instruction) -> Components:
    return (lowering.b.wave_equal(lowering.scalar(instruction.words[3]), attr=WHOLE),)


def _old_ballot(lowering: "Lowering", instruction: Instruction) -> Components:
    return _ballots(lowering.b, lowering.scalar(instruction.words[3]))


def _old_first(lowering: "Lowering", instruction: Instruction) -> Components:
    b = lowering.b
    return tuple(b.wave_first(each, attr=WHOLE) for each in lowering.value(instruction.words[3]))


def _old_read(lowering: "Lowering", instruction: Instruction) -> Components:
    b = lowering.b
    lane = lowering.scalar(instruction.words[4])
    values = lowering.value(instruction.words[3])
    return tuple(b.wave_read(each, lane, attr=WHOLE) for each in values)


# fmt: off
HANDLERS: Handlers = {
    Opcode.GroupNonUniformElect:            _elect,
    Opcode.GroupNonUniformAll:              _vote(OPS.wave_all),
    Opcode.GroupNonUniformAny:              _vote(OPS.wave_any),
    Opcode.GroupNonUniformAllEqual:         _equal,
    Opcode.GroupNonUniformBroadcast:        _exchange(_of_lane),
    Opcode.GroupNonUniformBroadcastFirst:   _first,
    Opcode.GroupNonUniformBallot:           _ballot,
    Opcode.GroupNonUniformInverseBallot:    _inverse,
    Opcode.GroupNonUniformBallotBitExtract: _extract,
    Opcode.GroupNonUniformBallotBitCount:   _bit_count,
    Opcode.GroupNonUniformBallotFindLSB:    _find(True),
    Opcode.GroupNonUniformBallotFindMSB:    _find(False),
    Opcode.GroupNonUniformShuffle:          _exchange(_of_lane),
    Opcode.GroupNonUniformShuffleXor:       _exchange(lambda b, x, n: b.wave_xor(x, n)),
    Opcode.GroupNonUniformShuffleUp:        _exchange(lambda b, x, n: b.wave_up(x, n)),
    Opcode.GroupNonUniformShuffleDown:      _exchange(lambda b, x, n: b.wave_down(x, n)),
    Opcode.GroupNonUniformRotateKHR:        _rotate,
    Opcode.GroupNonUniformQuadBroadcast:    _exchange(lambda b, x, n: b.quad_read(x, n)),
    Opcode.GroupNonUniformQuadSwap:         _quad_swap,
    Opcode.GroupNonUniformQuadAllKHR:       _quad_vote(True),
    Opcode.GroupNonUniformQuadAnyKHR:       _quad_vote(False),
    Opcode.GroupNonUniformIAdd:             _combine(OPS.iadd),
    Opcode.GroupNonUniformFAdd:             _combine(OPS.fadd),
    Opcode.GroupNonUniformIMul:             _combine(OPS.imul),
    Opcode.GroupNonUniformFMul:             _combine(OPS.fmul),
    Opcode.GroupNonUniformSMin:             _combine(OPS.imin),
    Opcode.GroupNonUniformUMin:             _combine(OPS.umin),
    Opcode.GroupNonUniformFMin:             _combine(OPS.fmin),
    Opcode.GroupNonUniformSMax:             _combine(OPS.imax),
    Opcode.GroupNonUniformUMax:             _combine(OPS.umax),
    Opcode.GroupNonUniformFMax:             _combine(OPS.fmax),
    Opcode.GroupNonUniformBitwiseAnd:       _combine(OPS.and_),
    Opcode.GroupNonUniformBitwiseOr:        _combine(OPS.or_),
    Opcode.GroupNonUniformBitwiseXor:       _combine(OPS.xor),
    Opcode.GroupNonUniformLogicalAnd:       _combine(OPS.and_),
    Opcode.GroupNonUniformLogicalOr:        _combine(OPS.or_),
    Opcode.GroupNonUniformLogicalXor:       _combine(OPS.xor),
    Opcode.GroupNonUniformPartitionEXT:     _partition,
    Opcode.SubgroupAllKHR:                  _old_vote(OPS.wave_all),
    Opcode.SubgroupAnyKHR:                  _old_vote(OPS.wave_any),
    Opcode.SubgroupAllEqualKHR:             _old_equal,
    Opcode.SubgroupBallotKHR:               _old_ballot,
    Opcode.SubgroupFirstInvocationKHR:      _old_first,
    Opcode.SubgroupReadInvocationKHR:       _old_read,
}
# fmt: on
