"""Interfaces of programs: bindings and their dtypes, inputs, samples."""

from __future__ import annotations

import numpy as np
import pytest

import unshade
from tests.run.examples import kernel, vectors


def test_bindings_describe_accepted_values() -> None:
    lines = [str(each) for each in kernel("phong.dxbc").bindings]
    assert lines[0].split()[:3] == ["cb0", "U", "constants"]
    assert "L {float4 p, float4 c} u_l[4], float4 u_eye, int u_n" in lines[0]
    assert any("tex" in line and "(height, width[, 1 to 4])" in line for line in lines)


def test_a_structured_array_of_the_dtype_binds() -> None:
    saxpy = kernel("saxpy.dxbc")
    constants = np.zeros((), saxpy.dtype("P"))
    constants["a"] = 2.0
    x, y = vectors()
    assert (saxpy.dispatch(1, P=constants, X=x, Y=y)["Y"] == 2 * x + 1).all()
    assert saxpy.dtype("X") == np.float32
    assert saxpy.dtype("cb0").itemsize == 16


def test_inputs_are_found_by_name_and_slot() -> None:
    skinning = kernel("skinning.dxbc")
    row = skinning.input("TEXCOORD0")
    assert row is not None
    assert skinning.input(row.places[0]) is row
    assert skinning.input("TEXCOORD99") is None
    assert [each.label for each in skinning.inputs][:2] == ["TEXCOORD0", "TEXCOORD1"]
    assert not [*skinning.patch_constants]


def test_bindings_are_found_by_name_and_slot() -> None:
    saxpy = kernel("saxpy.dxbc")
    found = saxpy.binding("X")
    assert saxpy.binding("t0") is found
    assert found.resource.slot is not None
    assert saxpy.binding(found.resource.slot) is found
    with pytest.raises(unshade.UsageError, match="unknown name 'x'; did you mean X"):
        saxpy.binding("x")


def test_samples_are_one_of_the_standard_numbers() -> None:
    phong = kernel("phong.dxbc")
    with phong.execution.with_samples(4):
        assert phong.samples == 4
        with phong.execution.with_samples(None):
            assert phong.samples == 4
    assert phong.samples == 1
    for wrong in (3, 32, "4", 2.0):
        with pytest.raises(unshade.UsageError, match="expected 1, 2, 4, 8 or 16 samples, got"):
            phong.samples = wrong  # type: ignore[assignment]
