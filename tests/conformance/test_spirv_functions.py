"""Functions of SPIR-V modules other than entry points, called directly on both engines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import unshade
from tests.ratchet import Ratchet
from tests.sampling import of_each_kind
from unshade.errors import BudgetError, UnshadeError, UnsupportedError
from unshade.run.kernels import Kernel
from unshade.testing.kinds import batch

LANES = 64
BUDGET = 1 << 10  # iterations: arguments are any numbers


def modules(root: Path) -> Iterator[tuple[Path, unshade.Shader]]:
    """Yield the modules with functions that can be called."""
    for path in of_each_kind(sorted(root.rglob("*.spv")), lambda each: each.parent):
        try:
            shader = unshade.open(path)
        except UnshadeError:
            continue
        if shader.programs and shader.programs[0].callables:
            yield path, shader


def results(kernel: Kernel) -> dict[str, bytes] | None:
    """Return the results of a function on seeded arguments; None if its loops do not end soon."""
    chance = np.random.default_rng(1)
    given = {
        each.name: batch(each.layout, "any", LANES, chance)
        for each in kernel.lowered.parameters
        if each.read
    }
    kernel.budget = BUDGET
    try:
        found = kernel.call(given)
    except BudgetError:
        return None
    return {name: np.asarray(each).tobytes() for name, each in found.items()}


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_functions_of_modules(corpus: Path, ratchet: Ratchet) -> None:
    total = callable_ = 0
    for path, shader in modules(corpus):
        for name in shader.programs[0].exports:
            total += 1
            try:
                first = unshade.kernel(shader, entry=name, engine="lockstep")
            except UnsupportedError:
                continue
            callable_ += 1
            if not first.bindings:
                second = unshade.kernel(shader, entry=name)
                assert results(first) == results(second), (path, name)
    ratchet("spirv/functions: callable", callable_, total)
