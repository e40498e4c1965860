"""Every binding of every Shader Model 5.1 program that can be lowered, by register and by name.

Registers have spaces there (t0_space1) and form arrays. A resource can be bound by register or, if
the file has one, by name, an array as a list; both fill the same memories.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import unshade
from tests.conformance.test_corpus_runs import bindings
from tests.corpus import containers
from tests.ratchet import Ratchet
from unshade.run.binding.arguments import Arguments
from unshade.run.binding.bindings import arrays_of
from unshade.run.kernels import Kernel
from unshade.run.opening import open_kernel

MODEL = "5_1"


def kernels(root: Path) -> list[tuple[Path, Kernel]]:
    found = []
    for path in containers(root):
        shader = unshade.open(path)
        if not shader.programs or MODEL not in shader.disassemble()[:4096]:
            continue
        try:
            found.append((path, open_kernel(shader, 0, None, "lockstep", False, {})))
        except unshade.UnsupportedError:
            continue
    return found


def by_name(kernel: Kernel, given: dict[str, Any]) -> dict[str, Any]:
    """Return bindings under the names of the reflection; arrays as dicts by element."""
    found = {each.names[-1]: given[each.name] for each in kernel.bindings if each.name in given}
    for array, elements in arrays_of(kernel.bindings).items():
        for each in elements.values():
            found.pop(each.label)
        found[array] = {at: given[each.name] for at, each in elements.items()}
    return found


def test_bindings_by_register_and_by_name_are_equal(corpus: Path, ratchet: Ratchet) -> None:
    named = reflected = spaces = 0
    for path, kernel in kernels(corpus):
        assert kernel.reflection is not None
        given = bindings(kernel)
        given |= {each.name: "linear" for each in kernel.bindings if each.form == "sampler"}
        first = Arguments(kernel.bindings, given)
        second = Arguments(kernel.bindings, by_name(kernel, given))
        assert first.memories.keys() == second.memories.keys(), path
        for name, data in first.memories.items():
            assert np.array_equal(data, second.memories[name]), f"{path}: {name}"
        assert first.samplers == second.samplers
        spaces += sum("_space" in each.name for each in kernel.bindings)
        if all(each.declared for each in kernel.reflection.resources):
            continue  # no resource definition: registers have no other names
        for each in kernel.bindings:
            reflected += 1
            named += bool(each.label)
    assert spaces
    ratchet("execution/bindings: Shader Model 5.1, by register and by name", named, reflected)
