"""PICA200 shaders compared with recorded runs of azahar's interpreter on seeded inputs.

Both engines must agree in every bit with each run that is marked reliable; with ex2, lg2 or rsq, a
relative difference of 1/1000 is allowed, since libraries differ. The record of a vertex shader has
all outputs, that of a geometry shader the vertices of its triangles.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.kernels import kernel_of
from tests.ratchet import Ratchet
from unshade.formats.shbin.shader import Shbin
from unshade.programs.pica import Program
from unshade.programs.pica.flow import ControlFlow
from unshade.programs.pica.structure import structure
from unshade.run import engines
from unshade.run.kernels import Kernel

Array = np.ndarray[Any, np.dtype[Any]]
INEXACT = {"ex2", "lg2", "rsq"}
BANKS = {"c": "float_uniforms", "i": "int_uniforms", "b": "bool_uniforms"}


def floats(rows: list[list[str]]) -> Array:
    words = [[int(each, 16) for each in row] for row in rows]
    return np.array(words, "<u4").reshape(-1, 4).view("<f4")


def bank(name: str, run: Mapping[str, Any]) -> Array:
    """Return a register file as bytes, 16 for each register."""
    given = run[BANKS[name]]
    if name == "c":
        return floats(given).view(np.uint8).reshape(-1)
    made = np.zeros((len(given), 4), "<u4")
    if name == "i":
        made[:] = given
    else:
        made[:, 0] = given
    return made.view(np.uint8).reshape(-1)


def registers(kernel: Kernel, found: Mapping[str, Any], count: int) -> Array:
    """Return all outputs as (rows, 16, 4), 0 where nothing is written."""
    made = np.zeros((count, 16, 4), "<f4")
    for row in kernel.outputs:
        assert row.location is not None
        at = ["xyzw".index(letter) for letter in row.letters]
        made[:, row.location, at] = found[row.label].reshape(count, len(at))
    return made


def vertices(run: Mapping[str, Any], mask: int) -> Array:
    """Return the vertices that azahar sent, with the outputs of the mask unpacked.

    `winding` lists the vertices before which `setemit` inverted the winding of the next triangle.
    """
    sent = np.zeros((len(run["emitted"]), 16, 4), "<f4")
    for at, packed in enumerate(run["emitted"]):
        sent[at, [n for n in range(16) if mask >> n & 1]] = floats(packed)
    for first in run["winding"]:
        sent[[first, first + 1]] = sent[[first + 1, first]]
    return sent


def same(ours: Array, theirs: Array, exact: bool) -> bool:
    if ours.shape != theirs.shape:
        return False
    if not exact:
        return bool(np.isclose(ours, theirs, rtol=1e-3, atol=0, equal_nan=True).all())
    both = np.isnan(ours) & np.isnan(theirs)
    return bool(((ours.view("<u4") == theirs.view("<u4")) | both).all())


def is_exact(program: Program, main: int) -> bool:
    words = ControlFlow(structure(program)).reach_all([main]).words
    return not any(program.instructions[at].name in INEXACT for at in words)


def runs(corpus: Path) -> Iterator[tuple[str, Any, Program, dict[str, Any]]]:
    """Return the reliable runs: file, executable, program, run."""
    for path in sorted((corpus / "shbin").rglob("*.exec.json")):
        shader = Shbin.loads(
            path.with_name(path.name[: -len(".exec.json")] + ".shbin").read_bytes()
        )
        (program,) = shader.programs
        for each in json.loads(path.read_text("utf-8"))["runs"]:
            if each["reliable"]:
                yield path.name, shader.dvles[each["dvle"]], program, each


@pytest.mark.parametrize("engine", ["lockstep", "jit"])
def test_results_match_azahar(engine: str, corpus: Path, ratchet: Ratchet) -> None:
    if engine == "jit":
        pytest.importorskip("llvmlite")
    kernels: dict[tuple[str, int], Kernel] = {}
    passed, total, different = 0, 0, []
    for name, executable, program, run in runs(corpus):
        total += 1
        entry = program.entries[run["dvle"]]
        key = name, run["dvle"]
        if key not in kernels:
            kernels[key] = kernel_of(program.lower(entry.name), None, engines.choose(engine, False))
        kernel = kernels[key]
        inputs = floats(run["inputs"])
        given: dict[str, Any] = {}
        for row in kernel.inputs:
            assert row.location is not None
            given[row.label] = inputs[[row.location]][:, ["xyzw".index(x) for x in row.letters]]
        bound = {each.name: bank(each.name, run) for each in kernel.bindings}
        if kernel.stage == "geometry":
            found = kernel.expand(given or 1, **bound)
            ours = registers(kernel, found, len(found["primitives"]) * 3)
            wanted = vertices(run, executable.output_mask)
            ours[:, [n for n in range(16) if not executable.output_mask >> n & 1]] = 0
        else:
            ours = registers(kernel, kernel.transform(given or 1, **bound), 1)
            wanted = floats(run["outputs"])[np.newaxis]
        if same(ours, wanted, is_exact(program, entry.main)):
            passed += 1
        else:
            different.append(f"{name}, executable {run['dvle']}, seed {run['seed']}")
    ratchet(f"pica/runs equal to azahar's ({engine})", passed, total)
    assert not different, "\n".join(different[:5])
    assert passed == total
