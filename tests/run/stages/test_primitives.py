"""Geometry shaders over arrays of primitives: streams, strips, lists, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import unshade
from tests.kernels import kernel_of
from tests.programs.tpf.lower.test_geometry import TWO_STREAMS, geometry
from tests.run.examples import kernel
from unshade.run.engines import choose
from unshade.run.kernels import Kernel
from unshade.run.stages import primitives
from unshade.vm.launch import Array
from unshade.vocab.words import Topology

IDENTITY = np.eye(4, dtype=np.float32)
CAMERA = {"view_projection": IDENTITY, "right": [1, 0, 0], "up": [0, 1, 0]}
ENGINES = ["lockstep", "auto"]


def assembled(text: str, engine: str = "lockstep") -> Kernel:
    return unshade.kernel(unshade.assemble(text, "dxcontainer"), engine=engine)


@pytest.mark.parametrize("engine", ENGINES)
def test_points_become_squares(engine: str) -> None:
    points = np.array([[0, 0, 0], [5, 0, 1], [9, 9, 9], [0, 2, 0]], np.float32)
    billboards = kernel("billboards.dxbc", engine)
    found = billboards.expand(
        {"POSITION": points, "SIZE": [1.0, 0.5, 0.0, 2.0], "COLOR": [1, 0, 0, 1]}, **CAMERA
    )
    assert found["SV_Position"].shape == (12, 4)
    assert found["SV_Position"][4:8].tolist() == [
        [4.5, 0.5, 1, 1], [5.5, 0.5, 1, 1], [4.5, -0.5, 1, 1], [5.5, -0.5, 1, 1]
    ]  # fmt: skip
    assert found["TEXCOORD"] is found["TEXCOORD0"]
    assert found["strips"].tolist() == [0, 4, 8]
    assert found["sources"].tolist() == [0] * 4 + [1] * 4 + [3] * 4
    assert found["primitives"].tolist() == [
        [0, 1, 2], [1, 3, 2], [4, 5, 6], [5, 7, 6], [8, 9, 10], [9, 11, 10]
    ]  # fmt: skip
    assert billboards.report.lanes == 4


@pytest.mark.slow
def test_many_primitives_run_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 50
    given = {
        "POSITION": np.random.default_rng(1).random((count, 1, 3), np.float32),
        "SIZE": (np.arange(count) % 3).astype(np.float32),
        "COLOR": np.zeros((count, 1, 4), np.float32),
    }
    whole = kernel("billboards.dxbc").expand(given, **CAMERA)
    monkeypatch.setattr(primitives, "BATCH", 3000)
    small = kernel("billboards.dxbc")
    parts = small.expand(given, **CAMERA)
    assert list(parts) == list(whole)
    for name, array in whole.items():
        assert (parts[name] == array).all(), name
    assert small.report.lanes == count


@pytest.mark.parametrize("engine", ENGINES)
def test_instances_and_numbers_of_primitives(engine: str) -> None:
    text = geometry(
        "imad o0.x, vPrim, l(10), vGSInstanceID\nemit_stream m0",
        inputs="dcl_input vPrim\ndcl_input vGSInstanceID\ndcl_gsinstances 2",
    )
    found = assembled(text, engine).expand(3)
    assert found["TEXCOORD"].view("<u4").tolist() == [0, 1, 10, 11, 20, 21]
    assert found["sources"].tolist() == [0, 0, 1, 1, 2, 2]
    given = assembled(text, engine).expand({"SV_PrimitiveID": [7, 9]})
    assert given["TEXCOORD"].view("<u4").tolist() == [70, 71, 90, 91]


def test_streams_have_names_of_their_own() -> None:
    text = geometry(
        "mov o0.x, v[0][0].x\nmov o0.y, l(8.0)\nemit_stream m2\nemit_stream m0\nemit_stream m2",
        streams=TWO_STREAMS,
        most=3,
    )
    shader = assembled(text)
    assert [row.label for row in shader.outputs] == ["m0:TEXCOORD", "m2:TEXCOORD"]
    found = shader.expand({"TEXCOORD": np.array([1.5, 2.5], np.float32)})
    assert found["m0:TEXCOORD"].tolist() == [1.5, 2.5]
    assert found["m2:TEXCOORD"].tolist() == [[1.5, 8.0], [1.5, 8.0], [2.5, 8.0], [2.5, 8.0]]
    assert found["m2:primitives"].tolist() == [[0], [1], [2], [3]]


def test_a_stream_may_have_no_outputs() -> None:
    text = geometry(
        "mov o0.x, v[0][0].x\nemit_stream m1\nemit_stream m0\nemit_stream m1",
        streams="dcl_stream m0\ndcl_outputtopology pointlist\ndcl_output o0.x\n"
        "dcl_stream m1\ndcl_outputtopology pointlist",
        most=3,
    )
    for engine in ENGINES:
        found = assembled(text, engine).expand({"TEXCOORD": np.array([1.5, 2.5], np.float32)})
        assert found["m0:TEXCOORD"].tolist() == [1.5, 2.5]
        assert found["m1:sources"].tolist() == [0, 0, 1, 1]


def test_nothing_comes_of_nothing() -> None:
    found = kernel("billboards.dxbc").expand(
        {"POSITION": np.zeros((0, 1, 3), "f4"), "SIZE": 1.0, "COLOR": [0, 0, 0, 0]}, **CAMERA
    )
    assert found["SV_Position"].shape == (0, 4)
    assert found["primitives"].shape == (0, 3)


@pytest.mark.parametrize(
    ("cuts", "topology", "wanted"),
    [
        ([1, 0, 1], Topology.POINTLIST, [[0], [1], [2]]),
        ([1, 0, 0, 1, 1, 0], Topology.LINESTRIP, [[0, 1], [1, 2], [4, 5]]),
        ([1, 0, 0, 0, 0, 1, 0], Topology.TRIANGLESTRIP, [[0, 1, 2], [1, 3, 2], [2, 3, 4]]),
        ([1, 0, 0, 0, 1, 0, 0], Topology.TRIANGLELIST, [[0, 1, 2], [4, 5, 6]]),
        ([1, 0, 0], Topology.LINELIST, [[0, 1]]),
        ([], Topology.TRIANGLESTRIP, []),
    ],
)
def test_strips_are_cut_into_primitives(
    cuts: list[int], topology: Topology, wanted: list[list[int]]
) -> None:
    found: Array = primitives.primitives(np.array(cuts, bool), topology)
    assert found.tolist() == wanted


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({}, r"no arrays of primitives: expected POSITION float32 \(n, 1, 3\), SIZE"),
        ({"POSITION": np.zeros((2, 3), "f4")}, r"missing inputs SIZE float32 \(n, 1\); COLOR"),
        ({"POSITION": np.zeros((2, 2, 3), "f4")}, r"POSITION: expected \(2, 1, 3\) float32, got"),
        ({"POSITON": np.zeros((2, 3), "f4")}, "unknown semantic 'POSITON'; did you mean POSITION"),
        (
            {"POSITION": np.zeros((2, 3), "f4"), "COLOR": np.zeros((3, 4), "f4")},
            "arrays of primitives differ in length: POSITION 2, COLOR 3",
        ),
        (-1, "expected 0 to 268435455 primitives, got -1"),
        (1 << 28, "expected 0 to 268435455 primitives, got"),
    ],
)
def test_refusals_name_the_semantic(inputs: Any, words: str) -> None:
    with pytest.raises(unshade.UsageError, match=words):
        kernel("billboards.dxbc").expand(inputs, **CAMERA)


def test_a_stage_has_its_method() -> None:
    with pytest.raises(
        unshade.UsageError,
        match=r"shade\(\): expected a pixel shader, got a geometry shader; use expand\(\)",
    ):
        kernel("billboards.dxbc").shade((4, 4))


def test_the_debugger_names_vertices() -> None:
    debugger = kernel("billboards.dxbc").debug(1)
    debugger.expand(
        {"POSITION": [[[0, 0, 0]], [[5, 0, 0]]], "SIZE": [[1.0], [0.5]], "COLOR": [0, 0, 0, 0]},
        **CAMERA,
    )
    assert debugger.findings == []
    lines = [debugger.line(entry.line) for entry in debugger.trace.entries]
    assert lines.count("emit_stream m0") == 4
    written = [
        register.name
        for entry in debugger.trace.entries
        for register in entry.writes
        if register.name.startswith("stream0[3]")
    ]
    assert written[:4] == [f"stream0[3][0].{letter}" for letter in "xyzw"]
    read = debugger.trace.entries[0].reads[0]
    assert (read.name, read.as_float) == ("v[0][0].w", 0.5)


def test_the_debugger_tells_streams_apart() -> None:
    text = geometry(
        "mov o0.x, v[0][0].x\nmov o0.y, l(8.0)\nemit_stream m2\nemit_stream m0\nemit_stream m2",
        streams=TWO_STREAMS,
        most=3,
    )
    debugger = assembled(text).debug(0)
    debugger.expand({"TEXCOORD": np.array([[1.5]], np.float32)})

    def written(name: str) -> list[str]:
        debugger.check_name(name)
        return [f"{each.name} {each.label}" for _, each in debugger.trace.watch(name)]

    assert written("m0:TEXCOORD") == ["stream0[0][0].x m0:TEXCOORD[0]"]
    assert written("m2:TEXCOORD[1].y") == ["stream2[1][0].y m2:TEXCOORD[1].y"]
    assert written("m2:TEXCOORD.y") == [
        "stream2[0][0].y m2:TEXCOORD[0].y",
        "stream2[1][0].y m2:TEXCOORD[1].y",
    ]
    with pytest.raises(unshade.UsageError, match="unknown name 'm1:TEXCOORD'"):
        debugger.check_name("m1:TEXCOORD")


def test_the_debugger_tells_of_vertices_that_do_not_exist() -> None:
    text = geometry("mov r0.x, v[0][0].x\nmov o0.x, v[r0.x + 0][0].x\nemit_stream m0")
    debugger = assembled(text).debug(0)
    debugger.expand({"TEXCOORD": np.array([0, 3], "<u4").view("f4")})
    (found,) = debugger.findings
    assert found.kind == "out-of-bounds"
    assert found.thread == (1,)
    assert "v[…][0].x is outside" in str(found)


def test_without_a_reflection_registers_are_names() -> None:
    text = geometry("mov o0.x, v[0][0].x\nemit_stream m0")
    shader = assembled(text)
    bare = kernel_of(shader.lowered, None, choose("lockstep", False))
    assert str(next(iter(bare.inputs))) == "v0 float32 (n, 1)"
    assert bare.expand({"v0": [1.0, 2.0]})["o0"].tolist() == [1.0, 2.0]
