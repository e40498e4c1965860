"""The compute shaders of the corpus that come with results, through `kernel.dispatch`.

Each is run in the environment that the corpus' README.txt states; results are compared word by word
as README2.txt says: bit for bit, but for named shaders whose float words may differ a little.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unshade
from tests.conformance.golden import GoldenCase, check_golden
from tests.ratchet import Ratchet
from unshade.run import Sampler
from unshade.run.kernels import Kernel
from unshade.vm.launch import Array

FUSED = {"c01", "c09", "c10", "c11", "c19", "c22", "c23", "c25"}  # a*b+c may be rounded once


def has_jit() -> bool:
    """Return whether llvmlite is installed."""
    return find_spec("llvmlite") is not None


ENGINES = [
    "lockstep",
    pytest.param("jit", marks=pytest.mark.skipif(not has_jit(), reason="needs llvmlite")),
]


def numbers(count: int) -> Array:
    """Return numbers of the generator of README.txt."""
    found = np.empty(count, "<u4")
    x = 12345
    for at in range(count):
        x = (x * 1664525 + 1013904223) & 0xFFFF_FFFF
        found[at] = x
    return found


class Environment:
    """The resources that every shader of the corpus has bound, by number."""

    def __init__(self) -> None:
        words = numbers(8192)
        floats = ((words[4096:] >> 8) * 2.0**-24).astype("<f4")
        self.buffers = {0: words[:4096], 1: np.zeros(65536, "<u4"), 2: floats,
                        3: np.zeros(16384, "<u4")}  # fmt: skip
        self.textures = {
            4: np.zeros((64, 64), "<u4"),
            5: np.zeros((64, 64, 4), "u1"),
            6: floats[:1024].reshape(16, 16, 4),
            7: floats[1024:2048].reshape(4, 8, 8, 4),
        }
        self.sampler = Sampler("linear", ("wrap", "clamp", "mirror"), max_lod=0.0)
        self.constants = [9, 1.25, 0.5, -0.75, 1.0, 2.0, 3.0, 4.0]

    def bindings(self, kernel: Kernel, name: str) -> dict[str, Any]:
        """Return the bindings of a kernel."""
        found: dict[str, Any] = {}
        for binding in kernel.bindings:
            number = int("".join(c for c in binding.name if c.isdigit()))
            if binding.form == "constants":
                values = self.constants
                if name == "c25":  # the columns of the matrix are 16 bytes apart
                    values = [*values[:6], 0.0, 0.0, *values[6:], 0.0, 0.0]
                data = np.array(values, "<f4")
                data.view("<u4")[0] = 9
                found[binding.name] = data
            elif binding.form == "sampler":
                found[binding.name] = self.sampler
            elif binding.form == "texture":
                found[binding.name] = self.textures[number].copy()
            else:
                found[binding.name] = self.buffers[number].copy()
        return found


def verdict(name: str, golden: Array, got: Array) -> str:
    """Return 'exact', 'within' or 'outside' the tolerance that README2.txt grants."""
    different = golden != got
    if not different.any():
        return "exact"
    with np.errstate(all="ignore"):
        a, b = golden.view("<f4").astype("f8"), got.view("<f4").astype("f8")
        if name in FUSED:
            fine = np.abs(a - b) <= 1e-6 + 1e-5 * np.abs(a)
        elif name == "c17":  # texels are from 0 to 1
            fine = np.abs(a - b) <= 1 / 256
        elif name == "c18":
            close = np.abs(golden.astype("i8") - got.astype("i8")) <= 3
            fine = close & (np.count_nonzero(different) <= 6)
        else:
            fine = np.zeros(len(golden), np.bool_)
    return "within" if fine[different].all() else "outside"


def of_direct3d(
    case: GoldenCase, engine: str, environment: Environment, verdict: Callable[..., str]
) -> str:
    """Return the verdict on a module with the bindings of Direct3D."""
    groups = (128, 1, 1) if case.name == "c25" else case.groups
    kernel = unshade.kernel(unshade.open(case.path), engine=engine)
    result = kernel.dispatch(groups, **environment.bindings(kernel, case.name))
    return verdict(case.name, case.golden, result["u1"].view("<u4")[: len(case.golden)])


@pytest.mark.parametrize("engine", ENGINES)
def test_golden_results(corpus: Path, ratchet: Ratchet, engine: str) -> None:
    environment = Environment()
    check_golden(
        corpus,
        ratchet,
        engine,
        ".dxbc",
        lambda case: of_direct3d(case, engine, environment, verdict),
    )
