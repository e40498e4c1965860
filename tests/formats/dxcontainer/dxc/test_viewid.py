"""The words of `dx.viewIdState`, from the masks of PSV0, and their lines."""

from __future__ import annotations

from typing import Any

import pytest

from unshade.errors import LimitError
from unshade.formats.dxcontainer.dxc.viewid import view_id_lines, view_id_words
from unshade.formats.dxcontainer.parts.psv0 import PipelineStateValidation, PsvElement
from unshade.limits import DEFAULT, Limits

PIXEL, VERTEX, GEOMETRY, HULL, DOMAIN, COMPUTE, MESH = 0, 1, 2, 3, 4, 5, 13


def element(
    row: int, components: int, *, first: int = 0, rows: int = 1, stream: int = 0
) -> PsvElement:
    given: dict[str, Any] = {
        "name": "A", "indices": list(range(rows)), "start_row": max(row, 0),
        "columns": components | (0x40 | first << 4 if row >= 0 else 0), "dynamic": stream << 4,
    }  # fmt: skip
    return PsvElement(**given)


def state(stage: int, **given: Any) -> PipelineStateValidation:
    return PipelineStateValidation(**{"info_size": 52, "stage": stage} | given)


@pytest.mark.parametrize(
    ("elements", "scalars"),
    [
        ([], 0), ([element(0, 1)], 1), ([element(0, 4)], 4), ([element(1, 2)], 6),
        ([element(0, 2, first=1)], 3), ([element(0, 1, rows=3)], 9), ([element(-1, 4)], 0),
        ([element(2, 1), element(0, 4)], 9),
    ],
)  # fmt: skip
def test_scalars_end_with_the_last_component(elements: list[PsvElement], scalars: int) -> None:
    found = view_id_words(state(VERTEX, inputs=elements))
    assert found == [scalars, 0]
    assert view_id_words(state(PIXEL, outputs=elements)) == [0, scalars]


def test_words_of_a_vertex_shader() -> None:
    given = state(
        VERTEX, uses_view_id=1, inputs=[element(0, 3)], outputs=[element(0, 4), element(8, 1)],
        view_outputs_0=1 << 32 | 5, dependencies_0=[1, 1 << 32, 0, 7],
    )  # fmt: skip
    assert view_id_words(given) == [3, 33, 5, 1, 1, 0, 0, 1, 0, 0]
    given.uses_view_id = 0
    assert view_id_words(given) == [3, 33, 1, 0, 0, 1, 0, 0]
    given.dependencies_0 = []
    assert view_id_words(given) == [3, 33, 0, 0, 0, 0, 0, 0]


def test_words_of_a_geometry_shader() -> None:
    given = state(
        GEOMETRY, uses_view_id=1, inputs=[element(0, 1)],
        outputs=[element(0, 2), element(0, 1, stream=2)], view_outputs_0=2, view_outputs_2=1,
        dependencies_0=[3], dependencies_2=[1],
    )  # fmt: skip
    assert view_id_words(given) == [1, 2, 2, 3, 0, 1, 1, 1, 0]


def test_words_of_stages_with_patches() -> None:
    common: dict[str, Any] = {
        "uses_view_id": 1, "inputs": [element(0, 1)], "outputs": [element(0, 2)],
        "patch": [element(0, 3)], "view_outputs_0": 2, "view_patch": 4, "dependencies_0": [1],
        "patch_dependencies": [6], "dependencies_on_patch": [3, 2, 1],
    }  # fmt: skip
    assert view_id_words(state(HULL, **common)) == [1, 2, 2, 1, 3, 4, 6]
    assert view_id_words(state(MESH, **common)) == [1, 2, 2, 1, 3, 4, 6]
    assert view_id_words(state(DOMAIN, **common)) == [1, 2, 2, 1, 3, 3, 2, 1]
    assert view_id_words(state(VERTEX, **common)) == [1, 2, 2, 1]


def test_lines_of_each_stage() -> None:
    assert view_id_lines([1, 2, 2, 1, 3, 4, 6], "hs", True, DEFAULT) == [
        ";", "; ViewId state:", ";", "; Number of inputs: 1, outputs: 2, patchconst: 3",
        "; Outputs dependent on ViewId: { 1 }", "; PCOutputs dependent on ViewId: { 2 }",
        "; Inputs contributing to computation of Outputs:", ";   output 0 depends on inputs: { 0 }",
        "; Inputs contributing to computation of PCOutputs:",
        ";   output 1 depends on inputs: { 0 }", ";   output 2 depends on inputs: { 0 }", ";",
    ]  # fmt: skip
    assert view_id_lines([0, 2, 2, 3, 4], "ms", True, DEFAULT)[3:6] == [
        "; Number of inputs: 0, outputs: 2, primitive outputs: 3",
        "; Outputs dependent on ViewId: { 1 }", "; Primitive Outputs dependent on ViewId: { 2 }",
    ]  # fmt: skip
    assert view_id_lines([0, 33, 1, 1], "vs", True, DEFAULT)[4] == (
        "; Outputs dependent on ViewId: { 0, 32 }"
    )
    assert view_id_lines([0, 32, 1 << 31], "vs", True, DEFAULT)[4] == (
        "; Outputs dependent on ViewId: { 31 }"
    )


def test_streams_without_outputs_are_left_out() -> None:
    lines = view_id_lines([1, 2, 2, 3, 0, 1, 1, 1, 0], "gs", True, DEFAULT)
    assert lines[3:] == [
        "; Number of inputs: 1, outputs per stream: { 2, 0, 1, 0 }",
        "; Outputs for Stream 0 dependent on ViewId: { 1 }",
        "; Outputs for Stream 2 dependent on ViewId: { 0 }",
        "; Inputs contributing to computation of Outputs for Stream 0:",
        ";   output 0 depends on inputs: { 0 }", ";   output 1 depends on inputs: { 0 }",
        "; Inputs contributing to computation of Outputs for Stream 2:",
        ";   output 0 depends on inputs: { 0 }", ";",
    ]  # fmt: skip


def test_lines_are_limited() -> None:
    words = [1, 3, 7]
    assert len(view_id_lines(words, "vs", False, Limits(members=4))) == 10
    with pytest.raises(LimitError, match="members"):
        view_id_lines(words, "vs", False, Limits(members=3))
