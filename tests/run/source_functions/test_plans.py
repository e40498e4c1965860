"""Calls that repeat earlier ones: the same results as the first, which takes the long way."""

from __future__ import annotations

import gc
import threading

import numpy as np
import pytest

import unshade
from unshade.errors import BudgetError
from unshade.run.source_functions import ShaderFunctions, functions
from unshade.run.source_functions.plans import AFTER, signature_of
from unshade.run.source_functions.result_memory import LEAST, result_array

from .test_programs import SPIRV

pytest.importorskip("llvmlite")
F = np.float32
LOOPS = """
OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpName %counted "counted"
OpName %n "n"
OpName %divided "divided"
OpName %changed "changed"
OpName %c "c"
%bool = OpTypeBool
%int = OpTypeInt 32 1
%v2int = OpTypeVector %int 2
%m2 = OpTypeFloat 32
%v3 = OpTypeVector %m2 3
%mat = OpTypeMatrix %v3 2
%p_int = OpTypePointer Function %int
%i0 = OpConstant %int 0
%i1 = OpConstant %int 1
%type = OpTypeFunction %int %int
%pairs = OpTypeFunction %v2int %v2int %int
%moves = OpTypeFunction %bool %p_int
%mats = OpTypeFunction %v3 %mat
%counted = OpFunction %int None %type
%n = OpFunctionParameter %int
%start = OpLabel
OpBranch %head
%head = OpLabel
%i = OpPhi %int %i0 %start %next %body
OpLoopMerge %done %body None
%more = OpINotEqual %bool %i %n
OpBranchConditional %more %body %done
%body = OpLabel
%next = OpIAdd %int %i %i1
OpBranch %head
%done = OpLabel
OpReturnValue %i
OpFunctionEnd
%divided = OpFunction %v2int None %pairs
%a = OpFunctionParameter %v2int
%b = OpFunctionParameter %int
%divided_l = OpLabel
%bb = OpCompositeConstruct %v2int %b %b
%q = OpSDiv %v2int %a %bb
OpReturnValue %q
OpFunctionEnd
%changed = OpFunction %bool None %moves
%c = OpFunctionParameter %p_int
%changed_l = OpLabel
%old = OpLoad %int %c
%new = OpIAdd %int %old %i1
OpStore %c %new
%odd = OpIEqual %bool %new %i1
OpReturnValue %odd
OpFunctionEnd
"""


@pytest.fixture(scope="module")
def library() -> ShaderFunctions:
    return functions(unshade.assemble(SPIRV, target="spv1.5"), engine="jit", bindings={"bias": 1})


@pytest.fixture(scope="module")
def loops() -> ShaderFunctions:
    return functions(unshade.assemble(LOOPS, target="spv1.5"), engine="jit")


def test_later_calls_have_the_results_of_the_first(library: ShaderFunctions) -> None:
    chance = np.random.default_rng(0)
    for number in range(3 * AFTER):
        x = chance.random((5, 7), F)
        k = chance.random(7, F)
        assert (library.mix(x, k) == x * k + F(1)).all(), number
        assert (library.mix(x, 2.0) == x * F(2) + F(1)).all(), number
        assert (library.mix(k=x, x=k) == x * k + F(1)).all(), number
        strided = chance.random((7, 10), F).T[::2]
        assert (library.mix(strided, k) == strided * k + F(1)).all(), number
        shifted = chance.random(9, F)[1:]
        assert (library.mix(shifted, 1.0) == shifted + F(1)).all(), number
        assert library.mix(F(2), 3.0) == 7
    plans = [*library.mix._plans.values()]
    assert all(each.repeated is not None for each in plans)
    assert library.mix([1.0, 2.0, 3.0], 1.0).tolist() == [2, 3, 4]  # lists have no plan


def test_bindings_may_change_between_calls() -> None:
    library = functions(unshade.assemble(SPIRV, target="spv1.5"), engine="jit")
    for bias in range(3 * AFTER):
        library.bindings["bias"] = bias
        assert library.mix(2.0, 3.0) == 6 + bias
    assert library.mix._plans


def test_an_integer_that_does_not_fit_is_refused_in_later_calls(loops: ShaderFunctions) -> None:
    for _ in range(2 * AFTER):
        assert loops.counted(3) == 3
    with pytest.raises(unshade.UsageError, match="does not fit in 32 bits"):
        loops.counted(2**40)


def test_parameters_that_are_written_and_truth_values(loops: ShaderFunctions) -> None:
    given = np.array([0, 5], np.int32)
    for _ in range(3 * AFTER):
        odd, changed = loops.changed(given)
        assert odd.tolist() == [True, False]
        assert changed.tolist() == [1, 6]
        assert given.tolist() == [0, 5]


def test_undefined_results_are_counted(loops: ShaderFunctions) -> None:
    given = np.array([[6, 8], [9, 3]], np.int32)
    for _ in range(3 * AFTER):
        assert loops.divided(given, np.int32(3)).tolist() == [[2, 2], [3, 1]]
        loops.divided(given, np.int32(0))
        (kernel,) = {each.function.kernel for each in loops.divided._plans.values()}
        assert kernel.report.undefined == 4
        assert kernel.report.lanes == 2


def test_a_budget_that_is_exceeded(loops: ShaderFunctions) -> None:
    n = np.array([3, 100], np.int32)
    for _ in range(3 * AFTER):
        assert loops.counted(n).tolist() == [3, 100]
    (kernel,) = {each.function.kernel for each in loops.counted._plans.values()}
    kernel.budget = 50
    for _ in range(3 * AFTER):
        with pytest.raises(BudgetError):
            loops.counted(n)
    kernel.budget = 1 << 24
    assert loops.counted(n).tolist() == [3, 100]


def test_calls_in_several_threads(library: ShaderFunctions) -> None:
    wrong = []

    def work(seed: int) -> None:
        chance = np.random.default_rng(seed)
        for _ in range(50):
            x = chance.random(500, F)
            if not (library.mix(x, x) == x * x + F(1)).all():
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not wrong


def test_signatures() -> None:
    x = np.zeros(3, F)
    assert signature_of((x, 1.0), {}) == signature_of((x + 1, 2.0), {})
    assert signature_of((x, 1.0), {}) != signature_of((x, 1), {})
    assert signature_of((x,), {"k": 1.0}) != signature_of((x,), {"j": 1.0})
    assert signature_of((x, F(1)), {}) != signature_of((x, np.float64(1)), {})
    assert signature_of(([1.0],), {}) is None


def test_memory_of_results_is_used_again_once_they_are_dropped() -> None:
    kind = np.dtype(F)
    count = LEAST // kind.itemsize + 3
    first = result_array((count,), kind)
    first[:] = 7
    place = first.__array_interface__["data"][0]
    view = first[1:]
    del first
    second = result_array((count,), kind)
    assert second.__array_interface__["data"][0] != place
    second[:] = 8
    assert (view == 7).all()
    del view
    gc.collect()
    third = result_array((count,), kind)
    assert third.__array_interface__["data"][0] == place
    assert place % 64 == 0
    assert (second == 8).all()
    assert result_array((3, 2), kind).tolist() == [[0, 0]] * 3
