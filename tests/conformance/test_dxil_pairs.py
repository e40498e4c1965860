"""One source as DXIL and as tokenized program: the same results on seeded inputs.

Integers are equal, and floats within 1e-6 + 1e-5 of the value. Those that differ do so by a rule:

    divides     integers divided by zero: undefined in HLSL; vkd3d and dxc negate differently
    folded      dxc folds INT_MIN / -1, which is undefined, to undef
    overload    half is another type than float in DXIL, and selects another function
    precision   numbers of minimum precision have 16 bits in DXIL and 32 in tokenized programs

Those of vkd3d-proton are the shaders of the corpus whose HLSL is the same text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

import unshade
from tests.conformance.test_execution import has_jit
from tests.ratchet import Ratchet
from tests.sampling import of_each_kind
from unshade.errors import UnsupportedError
from unshade.ir.lowered import Form
from unshade.run.binding.results import Results
from unshade.run.camera.guesses import white
from unshade.run.kernels import Kernel
from unshade.run.signature import KernelSignature

RULES = {
    "arithmetic-int-uniform_02/ps": "divides",
    "arithmetic-int-uniform_03/ps": "divides",
    "arithmetic-int-uniform_04/ps": "divides",
    "arithmetic-int-uniform_05/ps": "divides",
    "arithmetic-int-uniform_19/ps": "precision",
    "arithmetic-int-uniform_20/ps": "precision",
    "arithmetic-int-uniform_21/ps": "precision",
    "arithmetic-int_08/ps": "folded",
    "refract_07/ps": "overload",
    "sampler_08/ps": "precision",
    "shader-interstage-interface_02/ps": "precision",
    "shader-interstage-interface_02/vs": "precision",
    "vkd3dproton/pso__ps_mismatch_min16float_code_dxil": "precision",
}
UNBOUNDED = re.compile(r"resources in (\w+), which is indexed, got an unbounded array")
BUDGET = 200_000  # iterations of loops
COUNTED = ("is_front_face", "sample_index", "coverage", "primitive_id", "vertex_id")
GRID = 8, 4


def seeded(name: str) -> np.random.Generator:
    """Return numbers that depend on a name alone."""
    return np.random.default_rng(crc32(name.lower().encode()))


def bindings(kernel: Kernel) -> dict[str, Any]:
    """Return values for what a kernel binds."""
    found: dict[str, Any] = {}
    for binding in kernel.bindings:
        random = seeded(binding.name)
        floats = random.random(4096, np.float32) * 4 - 1
        if binding.form is Form.CONSTANTS:
            found[binding.name] = floats[:1024].view(np.uint8)
        elif binding.form is Form.STRUCTURED:
            found[binding.name] = floats.view(np.uint8)[: 16 * binding.resource.stride].copy()
        elif binding.form is Form.RAW:
            found[binding.name] = floats[:256].view(np.uint32).copy()
        elif binding.form in (Form.TEXTURE, Form.TYPED):
            example = white(binding)
            shape = (64, 4) if binding.form is Form.TYPED else example.shape
            whole = random.integers(0, 8, shape)
            values = random.random(shape) * 2 if example.dtype.kind == "f" else whole
            found[binding.name] = values.astype(example.dtype)
    return found


def inputs(signature: KernelSignature, *before: int) -> dict[str, Any]:
    """Return seeded inputs, `before` are the axes before the components."""
    found = {}
    for row in signature:
        of_grid = before == (GRID[1], GRID[0]) and row.meaning == "position"
        if row.needed and row.meaning not in COUNTED and not of_grid:
            shape = (*before, row.points) if row.points else before
            values = seeded(row.label.rstrip("0")).random((*shape, len(row.ports))) * 3
            found[row.label] = values.astype(row.dtype)
    return found


def call(kernel: Kernel) -> Results:
    """Call a kernel on seeded inputs."""
    kernel.budget = BUDGET
    given = bindings(kernel)
    if kernel.stage == "compute":
        return kernel.dispatch(2, **given)
    if kernel.stage == "pixel":
        return kernel.shade(GRID, inputs(kernel.inputs, GRID[1], GRID[0]), **given)
    if kernel.stage == "domain":
        where = np.random.default_rng(1).random((5, 3), np.float32)
        patch = inputs(kernel.patch_constants, 3)
        return kernel.evaluate(where, inputs(kernel.inputs, 3), patch, **given)
    method = {"vertex": "transform", "geometry": "expand", "hull": "tessellate"}[kernel.stage]
    found: Results = getattr(kernel, method)(inputs(kernel.inputs, 3) or 3, **given)
    return found


def agree(one: Results, other: Results) -> bool:
    """Return whether results have the same names, and numbers within the tolerance."""
    names = {name.lower(): array for aliases, array in other.named() for name in aliases}
    for aliases, array in one.named():
        mate = next((names[each.lower()] for each in aliases if each.lower() in names), None)
        if mate is None or not close(np.asarray(array), np.asarray(mate)):
            return False
    return True


def close(one: Any, other: Any) -> bool:
    """Return whether two arrays are equal, or floats within the tolerance."""
    if one.shape != other.shape:
        return False
    if one.tobytes() == other.tobytes():
        return True
    if one.dtype.kind != "f":  # bits of floats that a buffer holds, at least those that differ
        if one.size * one.itemsize % 4:
            return False
        one, other = (np.ascontiguousarray(each).reshape(-1).view("<f4") for each in (one, other))
    with np.errstate(all="ignore"):
        a, b = one.astype("f8"), other.astype("f8")
        fine = (a == b) | (np.abs(a - b) <= 1e-6 + 1e-5 * np.abs(a)) | (np.isnan(a) & np.isnan(b))
    return bool(fine.all())


def kernel(path: Path, engine: str) -> Kernel:
    """Return the kernel of a file, with two resources in each array that has no length."""
    shader = unshade.open(path)
    lengths: dict[str, int] = {}
    while True:
        try:
            return unshade.kernel(shader, engine=engine, lengths=lengths)
        except UnsupportedError as error:
            found = UNBOUNDED.search(str(error))
            if found is None or found[1] in lengths:
                raise
            lengths[found[1]] = 2


def same_sources(corpus: Path) -> Iterator[tuple[str, Path, Path]]:
    """Yield the pairs of vkd3d-proton: shaders of both kinds with the same HLSL."""
    folder = corpus / "dxcontainer" / "vkd3dproton"
    tokens: dict[str, Path] = {}
    programs = []
    for source in sorted(folder.glob("*.hlsl")):
        text = source.read_text("utf-8", "replace")
        if source.with_suffix(".dxbc").exists():
            tokens.setdefault(text, source.with_suffix(".dxbc"))
        if source.with_suffix(".dxil").exists():
            programs.append((text, source.with_suffix(".dxil")))
    for text, path in programs:
        if text in tokens:
            name = path.stem.removeprefix("vkd3dproton__")
            yield f"vkd3dproton/{name}", path, tokens[text]


def pairs(corpus: Path) -> Iterator[tuple[str, Path, Path]]:
    """Yield the name of each pair, its DXIL and its tokenized program."""
    others = {path: (name, tokens) for name, path, tokens in same_sources(corpus)}
    for dxil in of_each_kind(others, lambda path: path.stem.split("__")[1]):
        name, tokens = others[dxil]
        yield name, dxil, tokens
    folder = corpus / "execution" / "direct3d"
    for dxil in of_each_kind(sorted(folder.glob("*/*.dxil")), lambda path: path.stem[:2]):
        tokens = dxil.with_suffix(".dxbc")
        if tokens.exists():
            yield f"{dxil.parent.name}/{dxil.stem}", dxil, tokens


def test_pairs_agree(corpus: Path, ratchet: Ratchet) -> None:
    counts: Counter[str] = Counter()
    different, engines = [], []
    for name, dxil, tokens in pairs(corpus):
        found = call(kernel(dxil, "lockstep"))
        expected = call(kernel(tokens, "lockstep"))
        counts["all"] += 1
        if agree(expected, found):
            counts["same"] += 1
        elif name not in RULES:
            different.append(name)
        if has_jit():
            compiled = call(kernel(dxil, "jit"))
            if {key: np.asarray(each).tobytes() for key, each in compiled.items()} != {
                key: np.asarray(each).tobytes() for key, each in found.items()
            }:
                engines.append(name)
    ratchet("execution/dxil: as the tokenized program", counts["same"], counts["all"])
    assert not different, different
    assert not engines, engines
