"""SPIR-V modules that come with results: golden outputs, and vectors of a public set.

The 54 compute modules c01 to c27 run in the environment of README.txt; their results are compared
word by word as README2.txt says. The vectors of `execution/vulkan` are run by `vulkan_vectors`.
Those that hold without a run prove only that nothing breaks, and those with formats that no driver
ran are not verified: both are counted apart.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unshade
from tests.conformance.golden import GoldenCase, check_golden
from tests.conformance.test_execution import ENGINES, Environment, verdict
from tests.conformance.vulkan_vectors import VulkanVector
from tests.ratchet import Ratchet
from tests.sampling import is_sampled, of_each_kind
from unshade.run import Texture
from unshade.run.kernels import Kernel
from unshade.vm.launch import Array

SLOW = {"0447"}  # minutes of lockstep
LOOSE = {"c10": (17, 18)}  # words modulo 48 within 3e-4


class VulkanEnvironment(Environment):
    """The resources of README.txt, as a module of set 0 binds them."""

    def of_kernel(self, kernel: Kernel) -> dict[str, Any]:
        """Return the bindings of a kernel."""
        found: dict[str, Any] = {}
        for binding in kernel.bindings:
            assert binding.slot is not None
            number = binding.slot.number
            if binding.name == "push":
                data = np.array(self.constants, "<f4")
                data.view("<u4")[0] = 9
                found[binding.name] = data.view(np.uint8)
            elif binding.form == "sampler":
                found[binding.name] = self.sampler
            elif binding.form == "texture":
                sampler = self.sampler if binding.combined else None
                found[binding.name] = Texture(self.textures[number].copy(), sampler=sampler)
            else:
                found[binding.name] = self.buffers[number].copy().view(np.uint8)
        return found


def golden_verdict(name: str, golden: Array, got: Array) -> str:
    """Return 'exact', 'within' or 'outside' the tolerance."""
    found = verdict(name, golden, got)
    if found != "outside" or name not in ("c10", "c12"):
        return found
    with np.errstate(all="ignore"):
        a, b = golden.view("<f4").astype("f8"), got.view("<f4").astype("f8")
    different = golden != got
    if name == "c12":
        fine = np.abs(golden.astype("i8") - got.astype("i8")) <= 1
    else:
        loose = np.isin(np.arange(len(golden)) % 48, LOOSE[name])
        fine = np.abs(a - b) <= np.where(loose, 3e-4, 1e-6 + 1e-5 * np.abs(a))
    return "within" if fine[different].all() else "outside"


@pytest.mark.parametrize("engine", ENGINES)
def test_golden_results(corpus: Path, ratchet: Ratchet, engine: str) -> None:
    environment = VulkanEnvironment()

    def verdict_of(case: GoldenCase) -> str:
        shader = unshade.open(case.path)
        known = {each.id for each in shader.reflect().specialisation_constants}
        options: dict[str, Any] = {"constants": {10: 64}} if 10 in known else {}
        kernel = unshade.kernel(shader, engine=engine, **options)
        result = kernel.dispatch(case.groups, **environment.of_kernel(kernel))
        found = golden_verdict(case.name, case.golden, _words(result, 1)[: len(case.golden)])
        if case.picture.exists():
            found = max(found, _images(case.picture, result))  # in the order of the alphabet
        return found

    check_golden(corpus, ratchet, f"spirv/{engine}", ".spv", verdict_of)


def _words(result: Any, binding: int) -> Array:
    found: Array = np.ascontiguousarray(result[f"set0_binding{binding}"])
    return found.reshape(-1).view("<u4")


def _images(path: Path, result: Any) -> str:
    """Compare both storage images: 64 rows of 256 bytes each."""
    golden = np.fromfile(path, "<u4").reshape(2, -1)
    for at, binding in enumerate((4, 5)):
        try:
            words = _words(result, binding)
        except KeyError:
            words = np.zeros_like(golden[at])
        if not np.array_equal(words, golden[at]):
            return "outside"
    return "exact"


def vectors(folder: Path, kind: str) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield the vectors of a kind that this run takes, with their rows of the index."""
    index = json.loads((folder / "INDEX.json").read_text())["vectors"]
    rows = {row["file"]: row for row in index}

    def alike(path: Path) -> str:
        return str(rows[f"{kind}/{path.name}"]["folder"])

    for path in of_each_kind(sorted((folder / kind).glob("*.json")), alike):
        yield path, rows[f"{kind}/{path.name}"]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", ["compute", "fragment"])
def test_vectors(corpus: Path, ratchet: Ratchet, kind: str, engine: str) -> None:
    passed: Counter[str] = Counter()
    total: Counter[str] = Counter()
    failed = []
    for path, row in vectors(corpus / "execution" / "vulkan", kind):
        if path.stem in SLOW and engine == "lockstep" and is_sampled():
            continue
        group = "" if row["verified"] else ", formats that no driver ran"
        if row["holds_without_running"]:
            group = ", holding without a run"
        total[group] += 1
        sharp = row.get("holds_with_tolerance_over_255") is not False
        try:
            faults = VulkanVector.open(path, engine, sharp=sharp).run()
        except unshade.UnsupportedError as error:
            faults = [str(error)]
        if faults:
            failed.append(f"{path.name}: {faults[0]}")
        else:
            passed[group] += 1
    for group, count in sorted(total.items()):
        ratchet(f"execution/vulkan/{engine}: {kind}{group}", passed[group], count)
    assert not failed, failed
