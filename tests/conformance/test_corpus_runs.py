"""Every compute, pixel and vertex shader of the corpus runs, over inputs that are made up; both
engines give the same bits.

Bindings are those that `unshade render` would guess: constants by their names, white textures;
buffers of zeros. What cannot be run says so with UnsupportedError.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np

import unshade
from tests.conformance.test_execution import has_jit
from tests.corpus import containers
from tests.ratchet import Ratchet
from unshade.ir.lowered import Form
from unshade.run.kernels import Kernel
from unshade.run.scene import Guesses, white

RUNNABLE = ("compute", "pixel", "vertex")
BUDGET = 200  # iterations of loops
JIT_EVERY = 10  # which files are compiled too: compiling all takes minutes


def bindings(kernel: Kernel) -> dict[str, Any]:
    """Something for everything."""
    found = Guesses((4, 3)).constants(kernel, {})
    for binding in kernel.bindings:
        resource = binding.resource
        if binding.name in found:
            continue
        if binding.form is Form.CONSTANTS:
            found[binding.name] = np.zeros(max(16, resource.size), np.uint8)
        elif binding.form is Form.STRUCTURED:
            found[binding.name] = np.zeros(16 * resource.stride, np.uint8)
        elif binding.form is Form.RAW:
            found[binding.name] = np.zeros(64, np.uint32)
        elif binding.form in (Form.TYPED, Form.TEXTURE):
            found[binding.name] = white(binding)
    return found


def call(kernel: Kernel, given: dict[str, Any]) -> Any:
    """One small call."""
    kernel.budget = BUDGET
    if kernel.stage == "compute":
        return kernel.dispatch(1, **given)
    if kernel.stage == "pixel":
        return kernel.shade((4, 3), **given)
    inputs = {
        row.name: np.ones((3, len(row.ports)), row.dtype)
        for row in kernel.inputs
        if row.needed and row.meaning not in ("vertex_id", "instance_id")
    }
    return kernel.transform(inputs or 3, **given)


def programs(root: Path) -> Iterator[tuple[Path, unshade.Shader]]:
    for path in containers(root):
        shader = unshade.open(path)
        if shader.programs and shader.programs[0].entry_points[0][1] in RUNNABLE:
            yield path, shader


def bits(results: Any) -> dict[str, bytes]:
    return {name: np.asarray(array).tobytes() for name, array in results.items()}


def test_programs_run(corpus: Path, ratchet: Ratchet) -> None:
    counts: Counter[str] = Counter()
    different = []
    for number, (path, shader) in enumerate(programs(corpus)):
        counts["all"] += 1
        try:
            kernel = unshade.kernel(shader, engine="lockstep")
        except unshade.UnsupportedError:
            continue
        given = bindings(kernel)
        again = deepcopy(given)
        found = call(kernel, given)
        counts["ran"] += 1
        if number % JIT_EVERY or not has_jit():
            continue
        compiled = call(unshade.kernel(shader, engine="jit"), again)
        counts["compared"] += 1
        if bits(compiled) != bits(found):
            different.append(path.name)
    ratchet("execution/corpus: compute, pixel, vertex that run", counts["ran"], counts["all"])
    if counts["compared"]:
        same = counts["compared"] - len(different)
        ratchet("execution/corpus: engines bit-equal", same, counts["compared"])
    assert not different, different
