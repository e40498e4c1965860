"""Kernels from shaders: programs, entry points, engines and options by name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import unshade
from tests.run.examples import EXAMPLES, vectors


def test_programs_and_engines_are_chosen_by_name() -> None:
    shader = unshade.open(EXAMPLES / "saxpy.dxbc")
    with pytest.raises(
        unshade.UsageError, match="unknown engine 'fast'; known: auto, jit, lockstep"
    ):
        unshade.kernel(shader, engine="fast")
    with pytest.raises(unshade.UsageError, match="program: expected a number, got 'a'"):
        unshade.kernel(shader, program="a")  # type: ignore[arg-type]
    with pytest.raises(unshade.UsageError, match="no such program: 1; there are 1"):
        unshade.kernel(shader, program=1)
    with pytest.raises(unshade.UsageError, match="unknown entry point 'mian'; did you mean main"):
        unshade.kernel(shader, entry="mian")
    with pytest.raises(unshade.UsageError, match="take no option colour"):
        unshade.kernel(shader, colour=1)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("constants", {0: 1}),
        ("group", (8, 8, 1)),
        ("wave_size", 64),
        ("precision", "float24"),
        ("color_space", "srgb"),
    ],
)
def test_options_that_a_direct3d_program_fixes_are_refused(name: str, value: Any) -> None:
    shader = unshade.open(EXAMPLES / "saxpy.dxbc")
    message = f"take no option {name}; options are bounds, interfaces, instances, lengths, samples"
    with pytest.raises(unshade.UsageError, match=message):
        unshade.kernel(shader, **{name: value})


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from unshade.run import engines

    shader = unshade.open(EXAMPLES / "saxpy.dxbc")
    monkeypatch.setattr(engines, "find_spec", lambda name: None)
    engines._jit.cache_clear()
    try:
        assert unshade.kernel(shader).engine == "lockstep"
        with pytest.raises(unshade.UnsupportedError, match=r"needs llvmlite: .*'\.\[jit\]'"):
            unshade.kernel(shader, engine="jit")
    finally:
        engines._jit.cache_clear()
    monkeypatch.setattr("unshade.run.find_spec", lambda name: None)
    with pytest.raises(unshade.UnsupportedError, match=r"needs NumPy: .*'\.\[run\]'"):
        unshade.kernel(shader)


def test_the_intact_program_of_a_damaged_file_runs() -> None:
    data = (EXAMPLES / "saxpy.dxbc").read_bytes()
    shader = unshade.loads(data[:-4], strict=False)  # in STAT
    x, y = vectors()
    done = unshade.kernel(shader, engine="lockstep").dispatch(1, a=2.0, X=x, Y=y)
    assert np.array_equal(done["Y"], 2 * x + 1)
    for size, problem in ((1000, "bytes for SHDR"), (700, "bytes for RDEF")):
        damaged = unshade.loads(data[:size], strict=False)
        with pytest.raises(unshade.FormatError, match=problem):
            unshade.kernel(damaged)


def test_the_error_of_a_damaged_program_has_its_place() -> None:
    damaged = unshade.loads((EXAMPLES / "saxpy.dxbc").read_bytes()[:1000], strict=False)
    (error,) = (each.error for each in damaged.parts if each.name == "SHDR")
    with pytest.raises(unshade.FormatError) as caught:
        unshade.kernel(damaged)
    assert isinstance(error, unshade.FormatError)
    assert error.offset is not None
    assert (caught.value.offset, caught.value.path) == (error.offset, error.path)


def test_a_program_whose_bitcode_is_damaged_is_not_called_unsupported() -> None:
    data = (EXAMPLES / "saxpy6.dxil").read_bytes()
    damaged = unshade.loads(data.replace(b"BC\xc0\xde", b"BC\xc0\xdf"))
    with pytest.raises(unshade.FormatError, match=r"DXIL could not be read: .*magic number"):
        unshade.kernel(damaged)
