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

from collections.abc import Callable

from ..dataclass import dataclass
from .fold import from_float
from .ops import OPS, Op
from .types import Type

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
