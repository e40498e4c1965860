"""Every Direct3D shader of the corpus, run on made-up inputs: both engines agree in every bit.

Bindings are those that `unshade render` guesses: constants by their names, white textures, and
zeros in buffers. An interface has its first class, and an unbounded array two elements. A shader
that cannot be run raises UnsupportedError.
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
from unshade.errors import BudgetError
from unshade.ir.lowered import Form
from unshade.run.camera.guesses import Guesses, white
from unshade.run.kernels import Kernel
from unshade.run.signature import KernelSignature

RUNNABLE = (
    "compute", "pixel", "vertex", "geometry", "hull", "domain", "mesh", "amplification",
)  # fmt: skip
BUDGET = 20_000  # iterations of loops: more than any takes on these inputs
JIT_EVERY = 10  # which files are compiled too: compiling all takes minutes
STAGES_EVERY = 3  # of the stages between vertices and pixels, which are few


def bindings(kernel: Kernel) -> dict[str, Any]:
    """Return a value for each binding of the kernel."""
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
        elif binding.form is Form.TYPED:  # numbers may count, and -1 would count for ever
            found[binding.name] = np.full((64, 4), 4, white(binding).dtype)
        elif binding.form is Form.TEXTURE:
            found[binding.name] = white(binding)
    return found


def call(kernel: Kernel, given: dict[str, Any]) -> Any:
    """Call the kernel with few lanes."""
    kernel.budget = BUDGET
    if kernel.stage in ("compute", "mesh", "amplification"):
        return kernel.dispatch(1, **given)
    if kernel.stage == "pixel":
        return kernel.shade((4, 3), **given)
    inputs = made_up(kernel.inputs)
    if kernel.stage == "domain":
        where = np.random.default_rng(1).random((5, 3), np.float32)
        return kernel.evaluate(where, inputs, made_up(kernel.patch_constants), **given)
    method = {"vertex": "transform", "geometry": "expand", "hull": "tessellate"}[kernel.stage]
    return getattr(kernel, method)(inputs or 3, **given)


def made_up(signature: KernelSignature) -> dict[str, Any]:
    """Return inputs of three vertices, primitives or patches."""
    found = {}
    for row in signature:
        if row.needed and row.meaning not in ("vertex_id", "instance_id", "primitive_id"):
            size = (3, row.points, len(row.ports)) if row.points else (3, len(row.ports))
            found[row.label] = np.ones(size, row.dtype)
    return found


def options(shader: unshade.Shader) -> dict[str, Any]:
    """Return the kernel options that a program needs: its interfaces and array lengths."""
    facts = shader.reflect()
    found: dict[str, Any] = {}
    if facts.interfaces is not None:
        slots = [
            (slot.start + at, slot.tables[0])
            for slot in facts.interfaces.slots
            for at in range(slot.span)
            if slot.tables
        ]
        found["interfaces"] = dict(slots)
        found["instances"] = {slot: (0, 0, 0, 0) for slot, _ in slots}
    lengths = {}
    for each in facts.resources:
        if each.count is None:
            prefix = {"b": "cb"}.get(each.register_class, each.register_class)
            suffix = f"_space{each.space}" if each.space else ""
            lengths[f"{prefix}{each.register}{suffix}"] = 2
    if lengths:
        found["lengths"] = lengths
    return found


def programs(root: Path) -> Iterator[tuple[Path, unshade.Shader]]:
    for path in containers(root):
        shader = unshade.open(path)
        entries = shader.programs[0].entry_points if shader.programs else []
        if entries and entries[0][1] in RUNNABLE:
            yield path, shader


def bits(results: Any) -> dict[str, bytes]:
    return {name: np.asarray(array).tobytes() for name, array in results.items()}


def test_programs_run(corpus: Path, ratchet: Ratchet) -> None:
    counts: Counter[str] = Counter()
    different = []
    for number, (path, shader) in enumerate(programs(corpus)):
        counts["all"] += 1
        try:
            entry = shader.programs[0].entry_points[0].name
            kernel = unshade.kernel(shader, entry=entry, engine="lockstep", **options(shader))
        except unshade.UnsupportedError:
            continue
        given = bindings(kernel)
        again = deepcopy(given)
        try:
            found = call(kernel, given)
        except (BudgetError, unshade.UnsupportedError):  # an endless loop, too many primitives
            continue
        counts["ran"] += 1
        every = JIT_EVERY if kernel.stage in ("compute", "pixel", "vertex") else STAGES_EVERY
        if number % every or not has_jit():
            continue
        jit = unshade.kernel(shader, entry=entry, engine="jit", **options(shader))
        compiled = call(jit, again)
        counts["compared"] += 1
        if bits(compiled) != bits(found):
            different.append(path.name)
    ratchet("execution/corpus: programs that run", counts["ran"], counts["all"])
    if counts["compared"]:
        same = counts["compared"] - len(different)
        ratchet("execution/corpus: engines bit-equal", same, counts["compared"])
    assert not different, different
