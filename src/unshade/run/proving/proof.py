"""The comparison of two shaders by running both, and its result.

    proof = unshade.prove(before, after)
    proof.verdict                equal, different, or unknown if no round could be compared
    proof.equal                  True if rounds were compared and no lane of any differs
    print(proof)                 the first lane and output that differ, and the limits of the proof

Bits have to be equal, except the bits of NaN, which no API defines.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...dataclass import dataclass, field
from ...errors import BudgetError, UsageError
from ...shader import Shader
from ...vm.launch import Array
from ...vm.lockstep.debug.order import WatchedLockstep
from ...vocab.words import DISPATCHED, SystemValue
from .. import kernel as kernel_of
from ..execution import Execution
from ..kernels import Kernel
from ..ulp import ulp_distance
from . import arguments
from .calls import Drawn, ProofPair, called, elements, is_memory

if TYPE_CHECKING:
    from ...isa.steps import Step
    from ..debugging.debugger import Debugger
    from .explaining import ProofExplanation

ROUNDS, LANES = 16, 256
ALIKE = 64, 64  # rounds and lanes of a shader whose lanes differ in their position alone
TURNS = 1 << 20  # iterations of loops in a round that machine code runs
SLOW_TURNS = 1 << 14  # that lockstep runs, where each takes the time of a call
LEAST_TURNS = 1 << 10
ENDLESS = "goes on"
COVERED = "covered"  # the name of the lanes that are not discarded, among results
LIKELY = 1e-20, 1e20  # words of a raw buffer between these are taken for floats
DECIDES = "the order of threads decides what is written"
VISIBLE = 1e-3  # difference of floats, as a share of the greater, that is seen at once


@dataclass(slots=True)
class ProofDifference:
    """The first difference that was found.

    Attributes:
        round: The round, from 0. With `seed`, it determines the arguments.
        name: The output or buffer.
        lane: The lane of an output, or the element of a buffer: the first that differs, or, if that
            differs by less than a thousandth, the lane that differs most.
        first, second: The values of the two shaders.
        ulp: The largest distance of floats in units in the last place; None for other numbers, for
            floats of different signs, and if one is NaN or infinite.
        lanes: How many lanes or elements of this output differ in this round.
    """

    round: int
    name: str
    lane: int
    first: Any
    second: Any
    ulp: int | None
    lanes: int

    def __str__(self) -> str:
        distance = "" if self.ulp is None else f", {self.ulp:,} ulp apart"
        more = f" ({self.lanes:,} differ)" if self.lanes > 1 else ""
        return (
            f"{self.name} of lane {self.lane} differs in round {self.round}: {self.first} and"
            f" {self.second}{distance}{more}"
        )


@dataclass(slots=True)
class Proof:
    """The result of `prove`.

    Attributes:
        difference: The first difference; None if none was found.
        rounds: The number of rounds that ran.
        compared_rounds: The number of rounds that both shaders ended and whose results do not
            depend on the order of threads. If it is 0 and nothing differs, nothing is known.
        lanes: The number of lanes of a round.
        seed: The seed of the arguments.
        compared: The outputs and buffers that were compared.
        uncovered: The outputs and bindings that were not compared, a phrase each.
        assumed: What the comparison assumes, a phrase each: pairs of buffers that only their kind
            joins, subnormal numbers that one API flushes and the other leaves open.
        partial: True if only one of the shaders has some output.
    """

    rounds: int
    lanes: int
    seed: int
    compared_rounds: int = 0
    difference: ProofDifference | None = None
    compared: list[str] = field(default_factory=list)
    uncovered: list[str] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)
    partial: bool = False
    pair: ProofPair | None = field(default=None, repr=False)

    def debug(self) -> "tuple[Debugger, Debugger] | None":
        """Run the round that differs again; return debuggers with the traces of its lane.

        For a difference in a buffer, the thread of the first shader that wrote the element last is
        traced. None if nothing differs, if no thread wrote the element, or if a loop goes on.
        """
        found = self.explain()
        return None if found is None else (found.before, found.after)

    def explain(self, step: "Callable[[str], Step] | None" = None) -> "ProofExplanation | None":
        """Run the round that differs again, and return why its lane differs.

        The first step that differs, and, for a difference of rounding, the lines in order of how
        much each amplifies it. None as for `debug`.

        Args:
            step: The function that splits a line of both listings, `Program.step`; by default
                lines are split into words.
        """
        from .explaining import explained

        return explained(self, step)

    @property
    def verdict(self) -> str:
        """`equal`, `different`, or `unknown` if no round or no output could be compared."""
        if self.difference is not None:
            return "different"
        return "equal" if self.compared_rounds and self._tells else "unknown"

    @property
    def _tells(self) -> bool:
        """True if outputs or buffers were compared, or all that both have: discarded pixels."""
        return any(each != COVERED for each in self.compared) or (
            bool(self.compared) and not self.partial
        )

    @property
    def equal(self) -> bool:
        """True if outputs were compared and no difference was found."""
        return self.verdict == "equal"

    def __bool__(self) -> bool:
        return self.equal

    def __str__(self) -> str:
        ran = f"{self.rounds} rounds of {self.lanes} lanes, seed {self.seed}"
        if self.difference is not None:
            found = str(self.difference)
        elif not self.compared_rounds:
            found = f"unknown: no round could be compared, of {ran}"
        elif not self._tells:
            found = f"unknown: no output or buffer could be compared in {ran}"
        elif self.compared_rounds < self.rounds:
            found = f"equal in {self.compared_rounds} of {ran}"
        else:
            found = f"equal in {ran}"
        lines = [found, f"compared: {', '.join(self.compared) or 'nothing'}"]
        lines += (f"assumed: {each}" for each in self.assumed)
        return "\n".join([*lines, *(f"not covered: {each}" for each in self.uncovered)])

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        difference = None
        if self.difference is not None:
            found = self.difference
            difference = {
                "round": found.round, "name": found.name, "lane": found.lane,
                "first": np.asarray(found.first).tolist(),
                "second": np.asarray(found.second).tolist(), "ulp": found.ulp,
                "lanes": found.lanes,
            }  # fmt: skip
        return {
            "equal": self.equal, "verdict": self.verdict, "rounds": self.rounds,
            "compared_rounds": self.compared_rounds, "lanes": self.lanes, "seed": self.seed,
            "compared": self.compared, "uncovered": self.uncovered,
            "assumed": self.assumed, "difference": difference,
        }  # fmt: skip


def prove(
    first: "Shader | Kernel",
    second: "Shader | Kernel",
    *,
    rounds: int | None = None,
    lanes: int | None = None,
    seed: int = 0,
    ulp: int = 0,
    progress: Callable[[int, int], object] | None = None,
) -> Proof:
    """Run two shaders on seeded arguments of their common interface and compare all results.

    The first two rounds have ordinary numbers. The others have in turn edge values (zeros of both
    signs, infinities, NaN, the least and largest numbers of each type), constants of the code,
    small whole numbers, and numbers of all sizes. This shows differences; it does not exclude them.

    Args:
        first: A shader with one program, or a kernel, whose engine and options then count.
        second: The other one, of the same stage, in any format. A kernel has its own budget of
            loops, a shader that of `loop_budget`. After a round in which loops of both go on, the
            next ones have a quarter of it.
        rounds: The number of rounds, by default 16; the first difference ends them.
        lanes: The number of lanes of a round: threads, vertices, pixels; by default 256. Of shaders
            whose lanes differ in their position alone, 64 rounds of 64 lanes are the default, since
            each round has constants and textures of its own.
        seed: The seed of the arguments.
        ulp: The distance of floats that still counts as equal, in units in the last place.
        progress: Called with the number of rounds that have run and their total.

    Raises:
        UsageError: The stages or the types of common inputs differ, or a number is not positive.
        UnsupportedError: A program cannot be run.
    """
    given: tuple[tuple[str, object], ...] = (("rounds", rounds), ("lanes", lanes))
    for name, value in given:
        if value is not None and (not isinstance(value, int) or value < 1):
            raise UsageError(f"{name}: expected a positive int, got {value!r:.40}")
    one, two = (each if isinstance(each, Kernel) else kernel_of(each) for each in (first, second))
    allowed = loop_budget(one, two)
    budgets = [
        kernel.budget if kernel is given else allowed
        for kernel, given in ((one, first), (two, second))
    ]
    if one.stage != two.stage:
        raise UsageError(f"expected shaders of one stage, got {one.stage} and {two.stage}")
    assumed: list[str] = []
    one, two = (
        _flushing_alike("first", one, two, assumed), _flushing_alike("second", two, one, assumed)
    )  # fmt: skip
    shared = arguments.common(one, two)
    usual = ALIKE if _alike(one) else (ROUNDS, LANES)
    rounds, lanes = rounds or usual[0], lanes or usual[1]
    pair = ProofPair((one, two), shared, lanes, seed)
    outputs, alone = arguments.outputs_of(one, two)
    proof = Proof(
        0, lanes, seed, uncovered=[*shared.uncovered, *alone], assumed=[*assumed, *shared.assumed],
        partial=bool(alone),
    )  # fmt: skip
    labels = {**outputs, **arguments.shared_labels(shared)}
    for round in range(rounds):
        if progress is not None:
            progress(round, rounds)
        proof.rounds = round + 1
        found, results = _compared(pair, budgets, labels, round, ulp, proof)
        if all(ENDLESS in each for each in results):
            proof.uncovered.append(f"round {round}: loops of both go on after {budgets[0]:,} turns")
            budgets = [min(each, max(each // 4, LEAST_TURNS)) for each in budgets]
            continue
        order = None if found is None else _order(pair, round)
        if order is not None and pair.groups > 1:
            proof.uncovered.append(f"from round {round} on, more than one thread group: {order}")
            pair.lanes = 1
            found, _ = _compared(pair, budgets, labels, round, ulp, proof)
            order = None if found is None else _order(pair, round)
        if order is not None:
            proof.uncovered.append(f"round {round}: {order}")
            continue
        proof.compared_rounds += 1
        if found is not None:
            proof.difference, proof.pair = found, pair
            break
    return proof


def _compared(
    pair: ProofPair,
    budgets: Sequence[int],
    labels: Mapping[str, str],
    round: int,
    ulp: int,
    proof: Proof,
) -> tuple[ProofDifference | None, list[Mapping[str, Any]]]:
    """Run both kernels on the arguments of a round; return the first difference and the results."""
    results = [
        _within(kernel, budget, given, pair.lanes)
        for kernel, budget, given in zip(pair.kernels, budgets, pair.drawn(round), strict=True)
    ]
    return _difference(results[0], results[1], labels, round, ulp, proof), results


def _flushing_alike(which: str, kernel: Kernel, other: Kernel, assumed: list[str]) -> Kernel:
    """Return a kernel that flushes what the other does, where its program leaves it open."""
    flush = kernel.lowered.kernel.flush
    wanted = (other.lowered.kernel.flush - flush) & kernel.lowered.loose
    if not wanted or kernel.flushing is None:
        return kernel
    made = kernel.flushing(wanted)
    made.budget = kernel.budget
    widths = " and ".join(str(each) for each in sorted(wanted))
    assumed.append(
        f"subnormal numbers of {widths} bits are zero in both, which the module of the {which}"
        " leaves open"
    )
    return made


def _alike(kernel: Kernel) -> bool:
    """Return True if the lanes of a kernel differ in their position alone."""
    rows = (row for row in kernel.inputs if row.needed)
    return kernel.stage not in DISPATCHED and all(
        row.meaning == SystemValue.POSITION for row in rows
    )


def loop_budget(*kernels: Kernel) -> int:
    """Return the iterations of loops in a round that the engines of kernels run in seconds."""
    is_fast = all(each.execution.engine.name == "jit" for each in kernels)
    return TURNS if is_fast else SLOW_TURNS


def _within(kernel: Kernel, budget: int, given: Drawn, lanes: int) -> Mapping[str, Any]:
    """Call a kernel with a budget of loops; return its results, or a mark if a loop exceeds it."""
    own, kernel.budget = kernel.budget, budget
    try:
        return called(kernel, given, lanes)
    except BudgetError as error:
        return {ENDLESS: np.array([error.allowed])}
    finally:
        kernel.budget = own


def _order(pair: ProofPair, round: int) -> str | None:
    """Return why the order of threads, or of pixels, may decide the results of a round; or None.

    Lockstep tells, which takes about a millisecond for an iteration: most races show in few.
    """
    kernel = pair.kernels[0]
    if not any(each.writable for each in kernel.bindings):
        return None
    for turns in (LEAST_TURNS, SLOW_TURNS):
        watched = WatchedLockstep()
        copied = Kernel(Execution(kernel.program, watched))
        copied.budget = turns
        try:
            called(copied, pair.drawn(round)[0], pair.lanes)
        except BudgetError:
            if watched.matters:
                return DECIDES
        else:
            return DECIDES if watched.matters else None
    return f"the order of threads may decide what is written: loops go on after {turns:,} turns"


def _difference(
    first: Mapping[str, Any],
    second: Mapping[str, Any],
    pairs: Mapping[str, str],
    round: int,
    ulp: int,
    proof: Proof,
) -> ProofDifference | None:
    """Return the first difference of the results, by lane."""
    found: list[ProofDifference] = []
    if ENDLESS in first or ENDLESS in second:
        ends = [ENDLESS if ENDLESS in each else "ends" for each in (first, second)]
        return ProofDifference(round, "the call", 0, ends[0], ends[1], None, 1)
    named = {**{name: name for name in first if name in second}, **pairs}
    for mine, theirs in named.items():
        if mine not in first or theirs not in second:
            continue
        if mine not in proof.compared:
            proof.compared.append(mine)
        a, b = np.asarray(first[mine]), np.asarray(second[theirs])
        if a.dtype != b.dtype and a.dtype.names is not None and arguments.alike(a.dtype, b.dtype):
            b = arguments.by_name(b, a.dtype)
        if a.shape != b.shape or a.dtype != b.dtype:
            if a.nbytes != b.nbytes:
                found.append(ProofDifference(round, mine, 0, a.shape, b.shape, None, 1))
                continue
            kind = max((a.dtype, b.dtype), key=_says_most)
            a, b = (_as_words(each, kind) for each in (a, b))
        a, b = elements(a), elements(b)
        lanes = _differing(a, b, ulp)
        if len(lanes) and is_memory(first[mine]) and is_memory(second[theirs]):
            a, b, lanes = _as_floats(a, b, lanes, ulp)
        if len(lanes):
            at = _example(a, b, lanes)
            distance = _ulps(a[at], b[at])
            found.append(ProofDifference(round, mine, at, a[at], b[at], distance, len(lanes)))
    return min(found, key=lambda each: each.lane, default=None)


def _as_floats(a: Array, b: Array, lanes: Array, ulp: int) -> tuple[Array, Array, Array]:
    """Return words as floats if all that differ look like floats, without those that are near."""
    one, other = a.view("<f4"), b.view("<f4")
    if ulp:
        x, y = one[lanes], other[lanes]
        near = np.isfinite(x) & np.isfinite(y) & (ulp_distance(x, y) <= ulp)
        lanes = lanes[~near]
    numbers = np.abs(np.concatenate([one[lanes], other[lanes]]))
    with np.errstate(invalid="ignore"):
        usual = (numbers == 0) | (numbers > LIKELY[0]) & (numbers < LIKELY[1])
    return (one, other, lanes) if usual.all() else (a, b, lanes)


def _example(a: Array, b: Array, lanes: Array) -> int:
    """Return the first lane that differs; the lane that differs most if the first hardly does."""
    if a.dtype.kind != "f":
        return int(lanes[0])
    one, other = (each[lanes].reshape(len(lanes), -1).astype(np.float64) for each in (a, b))
    with np.errstate(invalid="ignore", over="ignore"):
        apart = np.where((one == other) | np.isnan(one) & np.isnan(other), 0, np.abs(one - other))
        apart[np.isnan(apart)] = np.inf
        visible = (apart > VISIBLE * np.maximum(np.abs(one), np.abs(other))) | np.isinf(apart)
    if visible[0].any():
        return int(lanes[0])
    return int(lanes[np.argmax(apart.max(axis=1))])


def _says_most(dtype: np.dtype[Any]) -> tuple[bool, int]:
    """Return a sort key: the more specific of two types of one memory is greater."""
    return dtype.kind == "f", dtype.itemsize if dtype.names is None else 0


def _as_words(array: Array, kind: np.dtype[Any]) -> Array:
    """Return memory as elements of a type, of 32 bits if it is a structure."""
    flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    return flat.view(kind if kind.names is None else "<u4")


def _differing(a: Array, b: Array, ulp: int) -> Array:
    """Return the numbers of the rows that differ."""
    if a.dtype.names is not None:
        parts = [_differing(a[name], b[name], ulp) for name in a.dtype.names]
        return np.unique(np.concatenate(parts)) if parts else np.zeros(0, int)
    if a.dtype.kind == "f":
        equal = (np.isnan(a) & np.isnan(b)) | (_bits(a) == _bits(b))
        if ulp:
            equal |= np.isfinite(a) & np.isfinite(b) & (ulp_distance(a, b) <= ulp)
    else:
        equal = a == b
    return np.flatnonzero(~equal.all(axis=tuple(range(1, a.ndim)))) if a.ndim else np.zeros(0, int)


def _bits(array: Array) -> Array:
    return np.ascontiguousarray(array).view(f"<u{array.dtype.itemsize}")


def _ulps(a: Any, b: Any) -> int | None:
    first, second = np.asarray(a), np.asarray(b)
    if first.dtype.kind != "f" or not (np.isfinite(first) & np.isfinite(second)).all():
        return None
    return int(ulp_distance(first, second).max())
