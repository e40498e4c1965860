"""Calls of the examples: bindings by register and by name, arrays in place, refusals in words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import unshade
from tests.run.examples import kernel, vectors


@pytest.mark.parametrize("engine", ["lockstep", "auto"])
@pytest.mark.parametrize(
    "names", [("cb0", "t0", "u1"), ("P", "X", "Y")], ids=["registers", "names"]
)
def test_bindings_have_two_names(engine: str, names: tuple[str, str, str]) -> None:
    constants, first, second = names
    x, y = vectors()
    saxpy = kernel("saxpy.dxbc", engine)
    result = saxpy.dispatch(1, **{constants: {"a": 2.0}, first: x, second: y})
    assert (result["Y"] == 2 * x + 1).all()
    assert result["Y"] is result["u1"] is y  # written in place
    assert list(result) == ["Y"]
    assert saxpy.report.lanes == 64
    assert saxpy.engine in ("lockstep", "jit")


def test_variables_of_constant_buffers_may_be_bound_alone() -> None:
    x, y = vectors()
    assert (kernel("saxpy.dxbc").dispatch((1,), a=3, X=x, Y=y)["Y"] == 3 * x + 1).all()


@pytest.mark.parametrize(
    "constants",
    [
        np.array([2.0, 0, 0, 0], np.float32),
        np.array([2.0], np.float32),  # a short buffer: what is beyond its end is 0
        np.array([2.0, 0], np.float32).tobytes(),
    ],
    ids=["array", "short", "bytes"],
)
def test_constant_buffers_take_bytes(constants: Any) -> None:
    x, y = vectors()
    assert (kernel("saxpy.dxbc").dispatch(1, cb0=constants, X=x, Y=y)["Y"] == 2 * x + 1).all()


@pytest.mark.parametrize("engine", ["lockstep", "auto"])
@pytest.mark.parametrize(
    "spread",
    [np.s_[0, :64, 0], np.s_[0, ::2, 0], np.s_[0, 127:63:-1, 0], np.s_[1, :64, 1],
     np.s_[1, 1::2, 2]],
    ids=str,
)  # fmt: skip
def test_strided_arrays_are_written_in_place(spread: Any, engine: str) -> None:
    """Columns, every second element, backwards; what is between them stays."""
    x, _ = vectors()
    whole = np.full((2, 128, 3), 7, "f4")
    whole[spread] = np.arange(64)
    expected = whole.copy()
    expected[spread] = 2 * x + np.arange(64)
    y = whole[spread]
    assert kernel("saxpy.dxbc", engine).dispatch(1, a=2.0, X=x, Y=y)["Y"] is y
    assert (whole == expected).all()


def test_arrays_that_cannot_be_written_come_back_as_copies() -> None:
    x, y = vectors()
    y.flags.writeable = False
    frozen = kernel("saxpy.dxbc").dispatch(1, a=2.0, X=x, Y=y)
    assert (frozen["Y"] == 2 * x + 1).all()
    assert (y == 1).all()


@pytest.mark.parametrize(
    ("bindings", "words"),
    [
        ({"X": 0, "Y": 0}, r"P \(cb0\) is not bound: expected a dict of float a, uint n"),
        ({"a": 1, "X": 0}, r"Y \(u1\) is not bound: expected \(n,\) float32"),
        ({"a": 1, "x": 0, "Y": 0}, "unknown name 'x'; did you mean X"),
        ({"cb0": {"b": 1}, "X": 0, "Y": 0}, r"P \(cb0\) has no variable 'b'"),
        ({"cb0": {"n": 1}, "X": 0, "Y": 0}, r"P \(cb0\): float a missing"),
        ({"a": [1, 2], "X": 0, "Y": 0}, r"P \(cb0\).a: expected a number, got 2 numbers"),
        ({"a": "two", "X": 0, "Y": 0}, r"P \(cb0\).a: expected numbers, got 'two'"),
        ({"a": 1, "n": 1.5, "X": 0, "Y": 0}, r"P \(cb0\).n: expected integers, got 1.5"),
        (
            {"a": 1, "n": 1 << 33, "X": 0, "Y": 0},
            r"P \(cb0\).n: 8589934592 does not fit in 32",
        ),
        (
            {"a": 1, "X": "float64", "Y": 0},
            r"X \(t0\): expected \(n,\) float32, got \(64,\) float64",
        ),
        ({"a": 1, "X": "int32", "Y": 0}, r"X \(t0\): expected \(n,\) float32, got \(64,\) int32"),
        ({"a": 1, "X": 0, "t0": 0, "Y": 0}, r"X \(t0\) is given twice"),
        ({"cb0": b"", "a": 1, "X": 0, "Y": 0}, "is given twice: as a whole, and by its variable a"),
    ],
)
def test_refusals_name_the_binding(bindings: dict[str, Any], words: str) -> None:
    x, _ = vectors()
    given = {}
    for name, value in bindings.items():
        if name in ("X", "x", "Y", "t0") and value == 0:
            given[name] = x.copy()
        elif name in ("X", "Y"):
            given[name] = x.astype(value)
        else:
            given[name] = value
    with pytest.raises(unshade.UsageError, match=words):
        kernel("saxpy.dxbc").dispatch(1, **given)


@pytest.mark.parametrize("groups", [(1, 2, 3, 4), (), "x", -1, 70000])
def test_groups_are_one_to_three_numbers(groups: Any) -> None:
    x, y = vectors()
    with pytest.raises(unshade.UsageError, match=r"groups"):
        kernel("saxpy.dxbc").dispatch(groups, a=1, X=x, Y=y)


def test_the_stage_decides_the_method() -> None:
    with pytest.raises(
        unshade.UsageError, match=r"expected a compute shader, got a pixel shader; use shade\(\)"
    ):
        kernel("phong.dxbc").dispatch(1)


@pytest.mark.slow
def test_matmul_is_a_product() -> None:
    random = np.random.default_rng(1)
    a, b = (random.random((64, 64), np.float32) for _ in range(2))
    c = np.zeros((64, 64), np.float32)
    kernel("matmul.dxbc", "auto").dispatch((1, 1), _54_n=64, t0=a, t1=b, u2=c)
    assert np.abs(c - a @ b).max() < 1e-4


def test_vertices_may_be_a_number() -> None:
    with pytest.raises(unshade.UsageError, match=r"missing inputs TEXCOORD0 float32 .*; TEXCOORD1"):
        kernel("skinning.dxbc").transform(
            3, u_vp=np.eye(4), u_bone=[np.eye(4)] * 8, u_wind=[0, 0, 0, 0]
        )
    with pytest.raises(unshade.UsageError, match="expected a number of vertices, got -1"):
        kernel("skinning.dxbc").transform(
            -1, u_vp=np.eye(4), u_bone=[np.eye(4)] * 8, u_wind=[0, 0, 0, 0]
        )


UNBOUNDED = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpName %block "data"
OpDecorate %array ArrayStride 4
OpDecorate %block BufferBlock
OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %block 1 Offset 4
OpDecorate %v DescriptorSet 0
OpDecorate %v Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%array = OpTypeRuntimeArray %uint
%block = OpTypeStruct %uint %array
%pointer = OpTypePointer Uniform %block
%part = OpTypePointer Uniform %uint
%v = OpVariable %pointer Uniform
%main = OpFunction %void None %fn
%entry = OpLabel
%at = OpAccessChain %part %v %one %zero
OpStore %at %one
OpReturn
OpFunctionEnd
"""


def test_the_dtype_of_a_block_has_as_many_elements_as_asked_for() -> None:
    runner = unshade.kernel(unshade.assemble(UNBOUNDED, format="spirv"))
    [name] = [each.name for each in runner.bindings]
    assert [runner.dtype(name).itemsize, runner.dtype(name, 1).itemsize] == [4, 8]
    assert runner.dtype(name, 3).itemsize == 16
