"""Functions tested on batches, and the simplest cases that fail."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

import unshade
from unshade.errors import UnsupportedError, UsageError
from unshade.run.source_functions import ShaderFunctions
from unshade.run.source_functions.callables import ShaderFunction
from unshade.testing import arguments, check
from unshade.testing.kinds import KINDS, batch, simpler

pytestmark = pytest.mark.slow
F = np.float32
TEXT = """
OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpName %broken "broken"
OpName %x "x"
OpName %n "n"
OpName %scaled "scaled"
OpName %v "v"
OpName %k "k"
OpName %turned "turned"
OpName %m "m"
OpName %tv "v"
OpName %one "over"
OpName %two "over"
%bool = OpTypeBool
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%v2float = OpTypeVector %float 2
%m2 = OpTypeMatrix %v2float 2
%hundred = OpConstant %int 100
%f1 = OpConstant %float 1
%t_broken = OpTypeFunction %float %float %int
%t_scaled = OpTypeFunction %v2float %v2float %float
%t_turned = OpTypeFunction %v2float %m2 %v2float
%t_1 = OpTypeFunction %float %float
%t_2 = OpTypeFunction %int %int
%broken = OpFunction %float None %t_broken
%x = OpFunctionParameter %float
%n = OpFunctionParameter %int
%broken_l = OpLabel
%wrong = OpSGreaterThan %bool %n %hundred
%more = OpFAdd %float %x %f1
%broken_r = OpSelect %float %wrong %more %x
OpReturnValue %broken_r
OpFunctionEnd
%scaled = OpFunction %v2float None %t_scaled
%v = OpFunctionParameter %v2float
%k = OpFunctionParameter %float
%scaled_l = OpLabel
%scaled_r = OpVectorTimesScalar %v2float %v %k
OpReturnValue %scaled_r
OpFunctionEnd
%turned = OpFunction %v2float None %t_turned
%m = OpFunctionParameter %m2
%tv = OpFunctionParameter %v2float
%turned_l = OpLabel
%turned_r = OpMatrixTimesVector %v2float %m %tv
OpReturnValue %turned_r
OpFunctionEnd
%one = OpFunction %float None %t_1
%one_x = OpFunctionParameter %float
%one_l = OpLabel
OpReturnValue %one_x
OpFunctionEnd
%two = OpFunction %int None %t_2
%two_x = OpFunctionParameter %int
%two_l = OpLabel
OpReturnValue %two_x
OpFunctionEnd
"""


@pytest.fixture(scope="module")
def library() -> ShaderFunctions:
    text = TEXT.replace('"over"', '"over(f1;"', 1).replace('"over"', '"over(i1;"')
    return unshade.functions(unshade.assemble(text, target="spv1.5"))


def message(function: ShaderFunction, *args: Any, **named: Any) -> list[str]:
    with pytest.raises(AssertionError) as caught:
        check(function, *args, **named)
    return str(caught.value).split("\n")


def test_a_right_function_passes_with_all_edge_values(library: ShaderFunctions) -> None:
    seen: list[np.ndarray] = []

    def reference(v: np.ndarray, k: np.ndarray) -> np.ndarray:
        assert v.dtype == k.dtype == np.float64
        seen.append(v)
        return np.asarray(v * k[:, np.newaxis])

    check(library.scaled, reference, ulp=0, infinity="next")
    ((v),) = seen
    assert v.shape == (10_000, 2)
    for edge in (0.0, 1.0, np.inf, -np.inf, np.finfo(F).max, np.finfo(F).smallest_subnormal):
        assert (v == edge).any(axis=0).all(), edge
    assert np.isnan(v).any()
    assert np.signbit(v[v == 0]).any()


def test_the_simplest_failing_case_and_its_trace(library: ShaderFunctions) -> None:
    lines = message(library.broken, lambda x, n: x, given={"x": (1, 1000)})
    assert lines[0].endswith("of 10,000 cases are wrong; the simplest that was found:")
    assert lines[1:3] == ["  broken(x=1.0, n=101)", "  result is 2.0, expected 1.0"]
    assert any("OpSelect" in each for each in lines)


def test_a_property_and_a_condition(library: ShaderFunctions) -> None:
    def right(y: np.ndarray, x: np.ndarray, n: np.ndarray) -> np.ndarray:
        return np.asarray(y == x)

    lines = message(library.broken, holds=right, given={"x": "fraction"})
    assert lines[1:3] == ["  broken(x=0.0, n=101)", "  result is 1.0"]
    check(library.broken, holds=right, given={"x": "finite", "n": (-(2**31), 100)})
    check(library.broken, holds=right, where=lambda x, n: np.isfinite(x) & (n <= 100))


def test_directions_and_rotations(library: ShaderFunctions) -> None:
    def unit(y: np.ndarray, m: np.ndarray, v: np.ndarray) -> np.ndarray:
        assert np.allclose(np.linalg.det(m), 1, atol=1e-5)
        return np.asarray(np.abs(np.linalg.norm(y, axis=-1) - 1) < 1e-5)

    check(library.turned, holds=unit, given={"m": "rotation", "v": "direction"}, cases=500)
    lines = message(library.turned, holds=lambda y, m, v: y[:, 0] < 1e9, given={"m": "finite"})
    assert lines[1].startswith("  turned(m=[[")


def test_cases_are_seeded(library: ShaderFunctions) -> None:
    first = message(library.broken, lambda x, n: x, cases=300, seed=1)
    assert message(library.broken, lambda x, n: x, cases=300, seed=1) == first


def test_without_hypothesis(library: ShaderFunctions, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hypothesis.strategies", None)
    lines = message(library.broken, lambda x, n: x, given={"x": "finite"})
    assert "not simplified: a simpler case needs Hypothesis" in lines[0]
    assert lines[1].startswith("  broken(x=")
    with pytest.raises(UnsupportedError, match="a strategy needs Hypothesis"):
        arguments(library.broken)


@pytest.mark.parametrize(
    ("name", "named", "problem"),
    [
        ("broken", {}, "expected a reference, or what holds"),
        ("broken", {"given": {"y": "any"}}, "broken: no parameter 'y' to give; known: x, n"),
        ("broken", {"given": {"n": "fraction"}}, "n: int32 has no values of the kind fraction"),
        ("broken", {"given": {"x": "direction"}}, "x: float32 is no vector"),
        ("scaled", {"given": {"v": "rotation"}}, "v: float32[2] is neither a square matrix"),
        ("broken", {"given": {"x": "large"}}, "x: expected (least, most) or any,"),
        ("broken", {"given": {"x": (2, 1)}}, "x: expected (least, most), got (2, 1)"),
        ("broken", {"reference": lambda x, n: (x, x)}, "reference: expected 1 results, got 2"),
        ("broken", {"reference": lambda x, n: x[:3]},
         "reference: expected the shape (10000,) of result"),
        ("broken", {"holds": lambda y, x, n: True}, "holds: expected 10000 truth values, got ()"),
        ("over", {"overload": None},
         "several overloads of over; name one by overload=\n    0: float32 over"),
        ("over", {"overload": 2}, "overload: expected 0 to 1, got 2"),
    ],
)  # fmt: skip
def test_wrong_uses(
    library: ShaderFunctions, name: str, named: dict[str, Any], problem: str
) -> None:
    if named and not {"reference", "holds"} & {*named}:
        named = {"holds": abs, **named}
    with pytest.raises(UsageError) as caught:
        check(library[name], **named)
    assert str(caught.value).startswith(problem)


def test_an_overload(library: ShaderFunctions) -> None:
    check(library.over, lambda x: x, overload=0, ulp=0)


def test_strategies_draw_values_of_their_kinds(library: ShaderFunctions) -> None:
    from hypothesis import HealthCheck, find, given, settings

    quiet = settings(
        max_examples=30, database=None, deadline=None, derandomize=True,
        suppress_health_check=[*HealthCheck],
    )  # fmt: skip

    @quiet
    @given(arguments(library.turned, {"m": "rotation", "v": "direction"}))
    def run(case: dict[str, Any]) -> None:
        assert case["m"].dtype == case["v"].dtype == F
        assert np.allclose(case["m"] @ case["m"].T, np.eye(2), atol=1e-5)
        assert abs(np.linalg.norm(case["v"]) - 1) < 1e-5
        assert abs(np.linalg.norm(library.turned(**case)) - 1) < 1e-4

    run()
    found = find(
        arguments(library.broken, {"x": (0, 9)}), lambda case: bool(case["n"] > 100), settings=quiet
    )
    assert (found["x"], found["n"]) == (0, 101)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [1, 2, 3, 100])
def test_batches_of_any_size(library: ShaderFunctions, kind: str, count: int) -> None:
    (overload,) = library.turned.overloads
    for each in overload.parameters:
        if kind == "rotation" and each.name == "v":
            continue
        made = batch(each.layout, kind, count, np.random.default_rng(0))
        assert made.shape == (count, *each.layout.shape)
        assert made.dtype == F
        if kind in ("fraction", "colour"):
            assert ((made >= 0) & (made <= 1)).all()
        if kind != "any":
            assert np.isfinite(made).all()


def test_simpler_numbers_end_with_the_number_itself() -> None:
    for value in (F(np.nan), F(np.inf), F(-1234.5678), np.int32(-77), np.uint8(255), np.bool_(1)):
        found = simpler(value, "any")
        assert found[-1] is value or found[-1] == value or np.isnan(found[-1])
        assert all(type(each) is type(value) for each in found)
        assert found[0] == 0
    assert simpler(F(5), (2, 9))[0] == 2
    assert [each.tolist() for each in simpler(np.array([0.6, 0.8], F), "direction")[:2]] == [
        [1, 0], [0, 1],
    ]  # fmt: skip
