"""The depth test: the choice of the visible fragment of each sample.

Fragments of a batch come in the order of their primitives. The result of each test is as if
fragments were tested one after another:

    less, less_equal, greater, greater_equal     the first or last of the nearest or farthest
    always, or no test                           the last: the painter's order
    equal                                        the last whose depth is there already
    not_equal                                    the last that differs from the one before

Source: Direct3D 11.3 functional specification, section 17.12 (depth comparison).
"""

from collections.abc import Callable

import numpy as np

from ...vm.launch import Array

ORDERED = {"less": 1.0, "less_equal": 1.0, "greater": -1.0, "greater_equal": -1.0}


def passing(
    function: str | None, depth: Array, place: Array, z: Array, shown: Array, writes: bool
) -> Array:
    """Return the visible fragments: at most one at each place.

    Args:
        function: The depth function; None for the painter's order.
        depth: The depth of all places, in one dimension.
        place: The place of each fragment, in one dimension, in the order of their primitives.
        z: The depth of each fragment, in the format of `depth`.
        shown: False for fragments that are not there.
        writes: Whether passing fragments write their depth.
    """
    which = np.flatnonzero(shown)
    if function in (None, "always"):
        return _one(place, which, np.zeros(len(which)), last=True)
    before = depth[place[which]]
    with np.errstate(invalid="ignore"):
        if function == "not_equal" and writes:
            kept = _changing(place, z, which, before)
        else:
            kept = which[compare(str(function), z[which], before)]
    if function in ORDERED and writes:
        return _one(place, kept, ORDERED[function] * z[kept], last=function.endswith("_equal"))
    return _one(place, kept, np.zeros(len(kept)), last=True)


_COMPARE: dict[str, Callable[[Array, Array], Array]] = {
    "never": lambda new, old: np.zeros(len(new), np.bool_),
    "less": np.less, "equal": np.equal, "less_equal": np.less_equal, "greater": np.greater,
    "not_equal": np.not_equal, "greater_equal": np.greater_equal,
    "always": lambda new, old: np.ones(len(new), np.bool_),
}  # fmt: skip


def compare(function: str, new: Array, old: Array) -> Array:
    """Return where a comparison of new numbers with stored ones holds."""
    with np.errstate(invalid="ignore"):
        return _COMPARE[function](new, old)


def _one(place: Array, which: Array, key: Array, *, last: bool) -> Array:
    """Return one fragment of each place: of the least key, the first or the last of equals."""
    order = which[np.lexsort((-which if last else which, key, place[which]))]
    first = np.ones(len(order), np.bool_)
    first[1:] = place[order][1:] != place[order][:-1]
    found = np.zeros(len(place), np.bool_)
    found[order[first]] = True
    return found


def _changing(place: Array, z: Array, which: Array, before: Array) -> Array:
    """Return the fragments whose depth differs from the previous fragment at the same place."""
    order = np.lexsort((which, place[which]))
    sorted_z, sorted_place = z[which][order], place[which][order]
    previous = before[order].copy()
    again = np.zeros(len(order), np.bool_)
    again[1:] = sorted_place[1:] == sorted_place[:-1]
    previous[again] = sorted_z[:-1][again[1:]]
    kept: Array = which[order][sorted_z != previous]
    return np.sort(kept)
