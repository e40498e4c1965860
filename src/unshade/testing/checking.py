"""A function tested on a batch of seeded cases, and the simplest case that fails.

    check(noise.fbm, holds=lambda y, p, octaves: (y >= 0) & (y <= 1), given={"octaves": (1, 8)})
    check(lib.safe_normalize, lambda v: v / np.linalg.norm(v, axis=-1, keepdims=True), ulp=8)

    fbm: 17 of 10,000 cases are wrong, fbm(p=[0.0, 1.0], octaves=1) is the simplest that was found:
        result is nan, expected 0.0
        (the trace of that case)

One call runs all cases. In a failing case, Hypothesis replaces numbers with simpler numbers as long
as the case fails; each attempt is a call of one element.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from ..errors import UnshadeError, UnsupportedError, UsageError
from ..run.source_functions.callables import ShaderFunction
from ..run.source_functions.calls import own_entries
from ..run.source_functions.overloads import Overload
from ..vm.launch import Array
from .closeness import ClosenessRules
from .kernels import explained
from .kinds import ValueKinds, batch, parts, simpler
from .strategies import chosen_overload, kinds_of, need_hypothesis

__all__ = ["check"]

__tracebackhide__ = True
CASES = 10_000
ATTEMPTS = 2_000  # of Hypothesis to find the failing case, before it simplifies it
WEIGHT = 40  # how often the number itself is drawn for each number of a case
ROUNDS = 12  # of simplification

Case = dict[str, Any]


def check(
    function: ShaderFunction,
    reference: Callable[..., Any] | None = None,
    *,
    holds: Callable[..., Any] | None = None,
    given: Mapping[str, ValueKinds] | None = None,
    where: Callable[..., Any] | None = None,
    ulp: float = 4,
    absolute: float = 0.0,
    nan: str = "same",
    infinity: str = "same",
    cases: int = CASES,
    seed: int = 0,
    overload: int | None = None,
) -> None:
    """Assert that a function is right in a batch of cases: edge values and seeded numbers.

    Args:
        function: A function of `unshade.functions`.
        reference: A function of the same arguments over arrays, with the same results. Floats are
            given to it as float64, so that its own rounding does not count.
        holds: A function of the results and, by name, of the arguments, that returns for each case
            whether it is right; instead of a reference, or beside one.
        given: The kinds of values of parameters: `any`, the default, `finite`, `fraction`,
            `direction`, `rotation`, `colour`, or (least, most).
        where: A function of the arguments by name that returns which cases are tested.
        ulp: As for `assert_close`, like the next three.
        absolute: The difference from the reference that is close enough in any case.
        nan: The rule for NaN.
        infinity: The rule for infinities.
        cases: The number of cases.
        seed: The seed of the cases.
        overload: The number of the overload, for a function with several.

    Raises:
        AssertionError: A case is wrong. The message contains the simplest failing case that
            Hypothesis found, and the trace of its run.
        UsageError: The arguments do not fit the function.
    """
    if reference is None and holds is None:
        raise UsageError("expected a reference, or what holds")
    chosen = chosen_overload(function, overload)
    rules = ClosenessRules(ulp, absolute, nan, infinity).checked()
    found = Property(
        function, chosen, kinds_of(chosen, given or {}), reference, holds, where, rules
    )
    chance = np.random.default_rng(seed)
    arrays = found.batch(cases, chance)
    wrong = np.flatnonzero(found.wrong(arrays))
    if len(wrong):
        raise AssertionError("\n".join(found.explained(arrays, wrong, cases)))


class Property:
    """A function and the conditions that its results have to fulfil."""

    def __init__(
        self,
        function: ShaderFunction,
        overload: Overload,
        kinds: Mapping[str, ValueKinds],
        reference: Callable[..., Any] | None,
        holds: Callable[..., Any] | None,
        where: Callable[..., Any] | None,
        rules: ClosenessRules,
    ) -> None:
        self.function = function
        self.kinds = kinds
        self.parameters = {each.name: each for each in overload.parameters if each.declared.read}
        self.reference = reference
        self.holds = holds
        self.where = where
        self.rules = rules

    def batch(self, count: int, chance: np.random.Generator) -> Case:
        """Return the arguments of a number of cases."""
        return {
            name: batch(each.layout, self.kinds[name], count, chance)
            for name, each in self.parameters.items()
        }

    def wrong(self, arrays: Case) -> Array:
        """Return which cases of a batch are wrong."""
        results = self.results(arrays)
        count = len(next(iter(arrays.values()))) if arrays else 1
        found = np.zeros(count, np.bool_)
        for _, actual, expected in self._compared(arrays, results):
            bad = self.rules.different(actual, expected)
            found |= bad.reshape(count, -1).any(axis=1)
        if self.holds is not None:
            right = np.asarray(self.holds(*results, **arrays), np.bool_)
            if right.shape[:1] != (count,):
                raise UsageError(f"holds: expected {count} truth values, got {right.shape}")
            found |= ~right.reshape(count, -1).all(axis=1)
        if self.where is not None:
            found &= np.asarray(self.where(**arrays), np.bool_)
        return found

    def results(self, arrays: Case) -> tuple[Any, ...]:
        """Return the results of a call, as a tuple."""
        found = self.function(**arrays)
        return found if isinstance(found, tuple) else (found,)

    def _compared(
        self, arrays: Case, results: tuple[Any, ...]
    ) -> Iterator[tuple[str, Array, Array]]:
        """Yield the name of each result, the result, and what the reference returns."""
        if self.reference is None:
            return
        with np.errstate(all="ignore"):  # signalling NaN and overflows are among the cases
            wide = {
                name: each.astype(np.float64) if each.dtype.kind == "f" else each
                for name, each in arrays.items()
            }
            found = self.reference(*wide.values())
        expected = found if isinstance(found, tuple) else (found,)
        if len(expected) != len(results):
            raise UsageError(f"reference: expected {len(results)} results, got {len(expected)}")
        for number, (actual, each) in enumerate(zip(results, expected, strict=True)):
            name = "result" if len(results) == 1 else f"result {number}"
            try:
                wanted = np.broadcast_to(np.asarray(each), actual.shape)
            except ValueError:
                raise UsageError(
                    f"reference: expected the shape {actual.shape} of {name}, got {np.shape(each)}"
                ) from None
            yield name, actual, wanted

    # ------------------------------------------------------------ the simplest failing case

    def explained(self, arrays: Case, wrong: Array, cases: int) -> Iterator[str]:
        """Yield the lines about the cases that are wrong."""
        case = self._case(arrays, wrong[0])
        try:
            case, note = self.simplified(case), "the simplest that was found"
        except UnsupportedError as error:  # without Hypothesis
            note = f"not simplified: {error}"
        name = self.function.name
        yield f"{name}: {len(wrong):,} of {cases:,} cases are wrong; {note}:"
        yield f"  {name}({_words(case)})"
        one = {key: np.asarray(value)[np.newaxis] for key, value in case.items()}
        results = self.results(one)
        lines = [
            f"  {label} is {_shown(actual[0])}, expected {_shown(expected[0])}"
            for label, actual, expected in self._compared(one, results)
        ]
        yield from lines or [f"  result is {', '.join(_shown(each[0]) for each in results)}"]
        with suppress(UnshadeError):
            debugger = self.function.debug(0, **one)
            yield from explained("", debugger, own_entries(debugger))

    def _case(self, arrays: Case, at: Any) -> Case:
        return {name: each[at] for name, each in arrays.items()}

    def fails(self, case: Case) -> bool:
        """Return whether a single case is wrong."""
        one = {key: np.asarray(value)[np.newaxis] for key, value in case.items()}
        return bool(self.wrong(one)[0])

    def simplified(self, case: Case) -> Case:
        """Return the simplest failing case that is found by simplifying step by step."""
        for _ in range(ROUNDS):
            made = self._simpler(case)
            if _words(made) == _words(case):
                break
            case = made
        return case

    def _simpler(self, case: Case) -> Case:
        """Return a simpler case that fails, by Hypothesis; the case itself if there is none."""
        st = need_hypothesis("a simpler case")
        from hypothesis import HealthCheck, Phase, errors, find, settings

        places = [
            (name, place)
            for name, each in self.parameters.items()
            for place, _ in parts(each.layout, self.kinds[name])
        ]
        drawn = []
        for name, place in places:
            choices = simpler(_at(case[name], place), self.kinds[name])
            own = [len(choices) - 1] * (WEIGHT * len(places))
            drawn.append(st.sampled_from([*range(len(choices) - 1), *own]).map(choices.__getitem__))

        def built(values: Any) -> Case:
            made = {name: np.array(value) for name, value in case.items()}
            for (name, place), value in zip(places, values, strict=True):
                _set(made, name, place, value)
            return made

        quiet = settings(
            max_examples=ATTEMPTS, database=None, deadline=None, derandomize=True,
            phases=[Phase.generate, Phase.shrink], suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        try:
            values = find(st.tuples(*drawn), lambda x: self.fails(built(x)), settings=quiet)
        except errors.NoSuchExample:
            return case
        return built(values)


def _at(value: Any, place: tuple[Any, ...]) -> Any:
    for step in place:
        value = value[step]
    return value


def _set(case: Case, name: str, place: tuple[Any, ...], value: Any) -> None:
    if not place:
        case[name] = np.array(value, case[name].dtype)
        return
    inner = case[name]
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value


def _words(case: Case) -> str:
    return ", ".join(f"{name}={_shown(value)}" for name, value in case.items())


def _shown(value: Any) -> str:
    """Return a value in a line."""
    array = np.asarray(value)
    if array.dtype.names:
        named = (f"{name!r}: {_shown(array[name])}" for name in array.dtype.names)
        return f"{{{', '.join(named)}}}" if not array.ndim else str(array.tolist())
    if not array.ndim:
        return str(array[()])
    return "[" + ", ".join(map(_shown, array)) + "]"
