"""Operations, barriers, derivatives and shared memory that only some stages have.

What is expected is the verdict of dxc's validator: its tests in tools/clang/test,
HLSLFileCheck/validation (barrier, callgraph, wavesize) and LitDXILValidation (GroupWave).
"""

from __future__ import annotations

import pytest

from tests.programs.dxil.lower.support import code_of, compute, compute_text
from unshade.programs.dxil import Code
from unshade.programs.dxil.verify import verify
from unshade.vocab.d3d import ShaderKind
from unshade.vocab.dxil import NodeLaunch

CODES = ("dxil.stage", "dxil.shared", "dxil.waves", "dxil.newer")
DISCARD = "call void @dx.op.discard(i32 82, i1 true)"
GROUP = "call i32 @dx.op.groupId.i32(i32 94, i32 0)"
BY_TYPE = "call void @dx.op.barrierByMemoryType(i32 244, i32 {}, i32 {})"
DERIVATIVE = "%d = call float @dx.op.unary.f32(i32 83, float 1.000000e+00)"
SHARED = "@memory = internal addrspace(3) global [{} x i32] undef, align 4"
USE = (
    "store i32 1, i32 addrspace(3)* getelementptr ([{0} x i32], [{0} x i32] addrspace(3)* @memory, \
i32 0, i32 0)"
)


def found(code: Code, kind: ShaderKind = ShaderKind.COMPUTE, minor: int = 6) -> list[str]:
    """Return what is found in a program of a stage and shader model."""
    code.version = kind << 16 | 0x60 | minor
    code.rewrite()
    return [each.message for each in verify(code) if each.code in CODES]


@pytest.mark.parametrize(
    ("kind", "call", "problem"),
    [
        (ShaderKind.PIXEL, DISCARD, ""),
        (ShaderKind.COMPUTE, DISCARD, "Discard: not in compute shaders"),
        (ShaderKind.COMPUTE, GROUP, ""),
        (ShaderKind.VERTEX, GROUP, "GroupId: not in vertex shaders"),
        (ShaderKind.PIXEL, "call void @dx.op.barrier(i32 80, i32 2)", ""),
        (ShaderKind.COMPUTE, "call void @dx.op.barrier(i32 80, i32 9)", ""),
        (
            ShaderKind.PIXEL,
            "call void @dx.op.barrier(i32 80, i32 3)",
            "Barrier: not in pixel shaders",
        ),
    ],
)
def test_operations_of_stages(kind: ShaderKind, call: str, problem: str) -> None:
    messages = found(compute(call), kind)
    of_call = [each for each in messages if "ThreadId:" not in each]  # which the frame calls
    assert of_call == ([f"call: {problem}"] if problem else [])


@pytest.mark.parametrize(
    ("kind", "flags", "is_valid"),
    [
        (ShaderKind.PIXEL, (1, 4), True),  # UAV_MEMORY, DEVICE_SCOPE
        (ShaderKind.PIXEL, (15, 4), True),  # ALL_MEMORY: what the stage has
        (ShaderKind.PIXEL, (2, 0), False),  # GROUP_SHARED_MEMORY
        (ShaderKind.PIXEL, (1, 1), False),  # GROUP_SYNC
        (ShaderKind.PIXEL, (1, 2), False),  # GROUP_SCOPE
        (ShaderKind.COMPUTE, (3, 3), True),
        (ShaderKind.COMPUTE, (15, 3), True),
        (ShaderKind.COMPUTE, (4, 0), False),  # NODE_INPUT_MEMORY
        (ShaderKind.COMPUTE, (8, 0), False),  # NODE_OUTPUT_MEMORY
        (ShaderKind.NODE, (12, 0), True),
        (ShaderKind.COMPUTE, (1, 8), False),  # REORDER_SCOPE
        (ShaderKind.RAYGENERATION, (1, 8), True),
    ],
)
def test_barriers_by_memory(kind: ShaderKind, flags: tuple[int, int], is_valid: bool) -> None:
    messages = found(compute(BY_TYPE.format(*flags)), kind, 9)
    stage = f"call: BarrierByMemoryType: not in {kind.name.lower()} shaders"
    assert (stage in messages) is not is_valid


@pytest.mark.parametrize(
    ("minor", "threads", "problem"),
    [
        (6, (8, 1, 1), ""),
        (6, (2, 2, 1), ""),
        (6, (4, 6, 3), ""),
        (5, (8, 1, 1), "derivatives in compute shaders need shader model 6.6"),
        (6, (6, 1, 1), "derivatives need 4 n x 1 x 1 or 2 n x 2 m x k threads"),
        (6, (4, 3, 1), "derivatives need 4 n x 1 x 1 or 2 n x 2 m x k threads"),
        (6, (4, 1, 2), "derivatives need 4 n x 1 x 1 or 2 n x 2 m x k threads"),
    ],
)
def test_derivatives_of_threads(minor: int, threads: tuple[int, int, int], problem: str) -> None:
    code = compute(DERIVATIVE, threads=threads, after="!dx.valver = !{!30}\n!30 = !{i32 1, i32 8}")
    messages = found(code, minor=minor)
    assert len(messages) == bool(problem)
    assert all(problem in each for each in messages)


def test_older_validators_allow_every_group() -> None:
    code = compute(
        DERIVATIVE, threads=(3, 3, 1), after="!dx.valver = !{!30}\n!30 = !{i32 1, i32 7}"
    )
    assert found(code) == []


def test_functions_are_checked_for_the_entry_points_that_call_them() -> None:
    inner = f"define void @inner() {{\n  {DISCARD}\n  ret void\n}}"
    messages = found(compute("call void @inner()", before=inner))
    assert messages == ["call: Discard: not in compute shaders, called by 'main'"]


def library(body: str, properties: str, before: str = "") -> Code:
    """Return a library with the entry point `main`; `properties` are tags and values."""
    text = compute_text(body, before=before, more=f", {properties}")
    return code_of(text.replace('!"cs"', '!"lib"'))


@pytest.mark.parametrize(
    ("launch", "call", "problem"),
    [
        (NodeLaunch.BROADCASTING, GROUP, ""),
        (NodeLaunch.COALESCING, GROUP, "GroupId: not in nodes that are launched for each group"),
        (NodeLaunch.THREAD, GROUP, "GroupId: not in nodes that are launched for each thread"),
        (NodeLaunch.COALESCING, "call i32 @dx.op.threadIdInGroup.i32(i32 95, i32 0)", ""),
        (
            NodeLaunch.THREAD,
            "call i32 @dx.op.threadIdInGroup.i32(i32 95, i32 0)",
            "ThreadIdInGroup: not in nodes that are launched for each thread",
        ),
        (
            NodeLaunch.THREAD,
            DERIVATIVE,
            "DerivCoarseX: no derivatives in nodes that are launched for each thread",
        ),
    ],
)
def test_nodes_by_launch(launch: NodeLaunch, call: str, problem: str) -> None:
    code = library(call, f"i32 8, i32 15, i32 13, i32 {int(launch)}")
    messages = [each for each in found(code, ShaderKind.LIBRARY, 8) if "ThreadId:" not in each]
    assert len(messages) == bool(problem)
    assert all(problem in each for each in messages)


def test_other_functions_of_a_library() -> None:
    inner = f"define void @other() {{\n  {GROUP}\n  ret void\n}}"
    code = library("", "i32 8, i32 5", inner)
    expected = "call: GroupId: not in functions of a library that are no entry points"
    assert found(code, ShaderKind.LIBRARY) == [expected]


@pytest.mark.parametrize(
    ("kind", "words", "problem"),
    [
        (ShaderKind.COMPUTE, 8192, ""),
        (ShaderKind.COMPUTE, 8193, "expected at most 32768 bytes of shared memory, got 32772"),
        (ShaderKind.MESH, 7168, ""),
        (ShaderKind.MESH, 7169, "expected at most 28672 bytes of shared memory, got 28676"),
        (ShaderKind.DOMAIN, 1, "no shared memory in domain shaders, got 4 bytes"),
    ],
)
def test_shared_memory(kind: ShaderKind, words: int, problem: str) -> None:
    code = compute(USE.format(words), before=SHARED.format(words))
    messages = [each for each in found(code, kind) if "memory" in each]
    assert messages == ([problem] if problem else [])


def test_memory_that_the_shader_limits() -> None:
    text = compute_text(USE.format(5), before=SHARED.format(5), more=", i32 24, i32 16")
    assert found(code_of(text)) == ["expected at most 16 bytes of shared memory, got 20"]


@pytest.mark.parametrize(
    ("minor", "sizes", "problem"),
    [
        (6, "i32 64", ""),
        (8, "i32 4, i32 128, i32 16", ""),
        (8, "i32 16, i32 0, i32 0", ""),
        (8, "i32 16, i32 16, i32 0", ""),
        (8, "i32 16", "expected a range of sizes since shader model 6.8, one size before"),
        (6, "i32 4, i32 8, i32 0", "expected a range of sizes since shader model 6.8"),
        (6, "i32 2", "expected a power of two from 4 to 128, got 2"),
        (6, "i32 48", "expected a power of two from 4 to 128, got 48"),
        (8, "i32 16, i32 256, i32 0", "expected a power of two from 4 to 128, got 256"),
        (8, "i32 4, i32 16, i32 3", "expected a power of two from 4 to 128, got 3"),
        (8, "i32 16, i32 0, i32 16", "expected no preferred size without a range, got 16"),
        (8, "i32 0, i32 16, i32 16", "expected no size, since the least is 0"),
        (8, "i32 32, i32 16, i32 0", "expected at least 32 as the most, got 16"),
        (8, "i32 4, i32 16, i32 32", "expected a preferred size from 4 to 16, got 32"),
        (8, "i32 4, i32 8", "expected 1 or 3 numbers, got 2"),
    ],
)
def test_sizes_of_waves(minor: int, sizes: str, problem: str) -> None:
    tag = 23 if minor == 8 else 11
    code = compute("", more=f", i32 {tag}, !20", after=f"!20 = !{{{sizes}}}\n", model=minor)
    messages = found(code, minor=minor)
    assert len(messages) == bool(problem)
    assert all(each.startswith(problem) for each in messages)


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        (", i32 11, !20, i32 11, !20", "2 properties with the tag 11"),
        (", i32 11, !20, i32 23, !21", "expected one size or a range, got both"),
    ],
)
def test_sizes_of_waves_are_stated_once(more: str, problem: str) -> None:
    after = "!20 = !{i32 64}\n!21 = !{i32 4, i32 8, i32 0}\n"
    messages = [each.message for each in verify(compute("", more=more, after=after))]
    assert problem in messages


def test_sizes_of_waves_are_for_compute_shaders() -> None:
    code = compute("", more=", i32 11, !20", after="!20 = !{i32 64}\n")
    assert "expected no size of waves but in compute shaders and nodes" in found(
        code, ShaderKind.AMPLIFICATION
    )


@pytest.mark.parametrize(
    ("call", "model"),
    [
        ("%c = call i1 @dx.op.isSpecialFloat.f16(i32 8, half 0xH0000)", 9),
        ("%c = call <2 x i1> @dx.op.isSpecialFloat.v2f16(i32 9, <2 x half> zeroinitializer)", 9),
        (
            "%c = call i64 @dx.op.atomicBinOp.i64(i32 78, %dx.types.Handle %out, i32 0, i32 0,"
            " i32 undef, i32 undef, i64 1)",
            6,
        ),
    ],
)
def test_types_that_need_a_newer_shader_model(call: str, model: int) -> None:
    validator = f"!dx.valver = !{{!30}}\n!30 = !{{i32 1, i32 {model}}}"
    assert found(compute(call, model=model, after=validator), minor=model) == []
    assert found(compute(call, model=model - 1), minor=model - 1) == []
    (message,) = found(compute(call, model=model - 1, after=validator), minor=model - 1)
    assert message.endswith(f"needs shader model 6.{model}")
