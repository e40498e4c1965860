"""PSV0 as dxc writes it for a program, from metadata: stages, versions, resources, elements."""

from __future__ import annotations

from typing import Any

import pytest

from tests.programs.dxil.nodes import Nodes
from unshade.formats.dxcontainer.dxc.psv0 import psv0_of
from unshade.formats.dxcontainer.parts.psv0 import PipelineStateValidation
from unshade.programs.dxil.model.values import GlobalVariable
from unshade.wire.data import to_data

SIZES = (24, 36, 48, 52, 56)
ABSENT: tuple[object, ...] = (None, [], 0, "", {})


def derived(
    kind: int,
    stage: str,
    *properties: object,
    size: int | None = 52,
    signatures: tuple[list[object] | None, ...] = (),
    resources: list[object] | None = None,
    validator: tuple[int, int] | None = None,
    memories: tuple[tuple[int, int], ...] = (),
) -> PipelineStateValidation:
    nodes = Nodes()
    types = nodes.module.types
    for space, words in memories:
        array = types.array(words, types.integer(32))
        nodes.module.globals.append(GlobalVariable(types.pointer(array, space), array, "g"))
    if validator is not None:
        nodes.name("dx.valver", list(validator))
    nodes.name("dx.entryPoints", [None, "main", list(signatures), resources, list(properties)])
    found = psv0_of(nodes.code(kind, stage), size)
    assert found is not None
    return found


def stated(found: Any) -> dict[str, object]:
    """Return the fields that are not 0 or empty."""
    return {name: each for name, each in to_data(found).items() if each not in ABSENT}


POSITION: list[object] = [[0, "SV_Position", 9, 3, [0], 4, 1, 4, 0, 0, None]]
TWO_ROWS: list[object] = [[0, "A", 9, 0, [0, 1], 2, 2, 3, 0, 1, None]]
FACTORS: list[object] = [[0, "SV_TessFactor", 9, 25, [0, 1, 2, 3], 0, 4, 1, 0, 3, None]]
LISTS = ("inputs", "outputs", "patch")


def of_stage(found: PipelineStateValidation) -> dict[str, object]:
    """Return what is stated besides the elements, the size and the name of the entry point."""
    common = (*LISTS, "info_size", "entry_point", "max_wave_lanes")
    return {name: each for name, each in stated(found).items() if name not in common}


def test_a_vertex_shader() -> None:
    found = derived(1, "vs", signatures=(TWO_ROWS, POSITION))
    assert of_stage(found) == {
        "stage": "VERTEX",
        "stage_info": {"output_position_present": 1},
        "input_vectors": 2,
        "output_vectors_0": 1,
        "dependencies_0": [""] * 8,
    }
    assert (found.info_size, found.entry_point) == (52, "main")
    assert (found.min_wave_lanes, found.max_wave_lanes) == (0, 0xFFFF_FFFF)
    assert stated(found)["inputs"] == [
        {
            "name": "A",
            "indices": [0, 1],
            "start_row": 0,
            "columns": "yzw",
            "semantic": "ARBITRARY",
            "component_type": "FLOAT32",
            "interpolation": "LINEAR",
            "dynamic": "",
        }
    ]
    assert stated(found)["outputs"] == [
        {
            "name": "",
            "indices": [0],
            "start_row": 0,
            "columns": "xyzw",
            "semantic": "POSITION",
            "component_type": "FLOAT32",
            "interpolation": "LINEAR_NOPERSPECTIVE",
            "dynamic": "",
        }
    ]
    without = derived(1, "vs", signatures=(TWO_ROWS, TWO_ROWS))
    assert of_stage(without)["stage_info"] == {"output_position_present": 0}
    assert of_stage(without)["dependencies_0"] == [""] * 8
    assert without.output_vectors_0 == 2


@pytest.mark.parametrize(
    ("semantic", "depth"), [(16, 0), (17, 1), (18, 1), (19, 1), (20, 0), (14, 0)]
)
def test_depth_of_pixel_shaders(semantic: int, depth: int) -> None:
    outputs: list[object] = [[0, "SV", 9, semantic, [0], 0, 1, 1, -1, -1, None]]
    found = of_stage(derived(0, "ps", signatures=(None, outputs)))
    assert found["stage_info"] == {"depth_output": depth, "sample_frequency": 0}


@pytest.mark.parametrize(
    ("semantic", "interpolation", "by_sample"),
    [(0, 1, 0), (0, 2, 0), (0, 3, 0), (0, 4, 0), (0, 5, 0), (0, 6, 1), (0, 7, 1), (12, 1, 1),
     (11, 1, 0)],
)  # fmt: skip
def test_frequency_of_pixel_shaders(semantic: int, interpolation: int, by_sample: int) -> None:
    inputs: list[object] = [[0, "A", 9, semantic, [0], interpolation, 1, 1, 0, 0, None]]
    found = of_stage(derived(0, "ps", signatures=(inputs, None)))
    assert found["stage_info"] == {"depth_output": 0, "sample_frequency": by_sample}


def test_a_geometry_shader() -> None:
    outputs: list[object] = [
        *POSITION,
        [1, "B", 9, 0, [0], 2, 1, 2, 0, 0, [0, 1]],
        [2, "C", 9, 0, [0], 2, 3, 2, 0, 0, [0, 3]],
    ]
    found = derived(2, "gs", 1, [6, 12, 5, 5, 3], signatures=(TWO_ROWS, outputs))
    assert of_stage(found) == {
        "stage": "GEOMETRY",
        "stage_info": {
            "input_primitive": "LINE_ADJ",
            "output_topology": "TRIANGLESTRIP",
            "output_stream_mask": 5,
            "output_position_present": 1,
        },
        "max_vertex_count": 12,
        "input_vectors": 2,
        "output_vectors_0": 1,
        "output_vectors_1": 1,
        "output_vectors_3": 3,
        "dependencies_0": [""] * 8,
        "dependencies_1": [""] * 8,
        "dependencies_3": [""] * 8,
    }
    assert [each.stream for each in found.outputs] == [0, 1, 3]


def test_a_hull_shader() -> None:
    found = derived(
        3, "hs", 3, [None, 16, 4, 3, 4, 3, 15.5], signatures=(TWO_ROWS, TWO_ROWS, FACTORS)
    )
    assert of_stage(found) == {
        "stage": "HULL",
        "stage_info": {
            "input_control_points": 16,
            "output_control_points": 4,
            "tessellator_domain": "QUAD",
            "tessellator_output_primitive": "TRIANGLE_CW",
        },
        "input_vectors": 2,
        "output_vectors_0": 2,
        "patch_vectors": 4,
        "dependencies_0": [""] * 8,
        "patch_dependencies": [""] * 8,
    }


def test_a_domain_shader() -> None:
    found = derived(4, "ds", 2, [1, 7], signatures=(TWO_ROWS, POSITION, FACTORS))
    assert of_stage(found) == {
        "stage": "DOMAIN",
        "stage_info": {
            "input_control_points": 7,
            "output_position_present": 1,
            "tessellator_domain": "ISOLINE",
        },
        "input_vectors": 2,
        "output_vectors_0": 1,
        "patch_vectors": 4,
        "dependencies_0": [""] * 8,
        "dependencies_on_patch": [""] * 16,
    }


def test_a_mesh_shader() -> None:
    found = derived(
        13, "ms", 9, [[32, 2, 1], 64, 126, 2, 20], signatures=(None, POSITION, TWO_ROWS)
    )
    assert of_stage(found) == {
        "stage": "MESH",
        "stage_info": {
            "group_shared_bytes": 0,
            "group_shared_bytes_by_view": 0,
            "payload_size": 20,
            "max_output_vertices": 64,
            "max_output_primitives": 126,
        },
        "mesh_topology": "TRIANGLE",
        "output_vectors_0": 1,
        "patch_vectors": 2,
        "threads_x": 32,
        "threads_y": 2,
        "threads_z": 1,
    }


def test_shaders_of_thread_groups() -> None:
    assert of_stage(derived(14, "as", 10, [[4, 5, 6], 7])) == {
        "stage": "AMPLIFICATION",
        "stage_info": {"payload_size": 7},
        "threads_x": 4,
        "threads_y": 5,
        "threads_z": 6,
    }
    assert of_stage(derived(5, "cs", 4, [8, 4], 0, 1 << 21)) == {
        "stage": "COMPUTE",
        "threads_x": 8,
        "threads_y": 4,
        "uses_view_id": 1,
    }


@pytest.mark.parametrize(
    ("properties", "lanes"),
    [
        ((), (0, 0xFFFF_FFFF)), ((11, [64]), (64, 64)), ((11, [0]), (0, 0xFFFF_FFFF)),
        ((23, [16, 64, 32]), (16, 64)), ((23, [16, 0, 0]), (16, 16)), ((23, [0, 64, 0]),
        (0, 0xFFFF_FFFF)), ((23, [4, 128]), (4, 128)),
    ],
)  # fmt: skip
def test_lanes_of_waves(properties: tuple[object, ...], lanes: tuple[int, int]) -> None:
    found = derived(5, "cs", *properties)
    assert (found.min_wave_lanes, found.max_wave_lanes) == lanes


# By size of the runtime information: what a version has for the first time.
BROUGHT: tuple[tuple[int, set[str]], ...] = (
    (24, set()), (35, set()), (36, {"stage"}), (47, {"stage"}),
    (48, {"stage", "threads_x", "threads_y", "threads_z"}),
    (51, {"stage", "threads_x", "threads_y", "threads_z"}),
    (52, {"stage", "threads_x", "threads_y", "threads_z", "entry_point"}),
    (56, {"stage", "threads_x", "threads_y", "threads_z", "entry_point"}),
)  # fmt: skip


@pytest.mark.parametrize(("size", "fields"), BROUGHT)
def test_versions(size: int, fields: set[str]) -> None:
    found = derived(5, "cs", 4, [8, 4, 2], 11, [64], size=size)
    assert set(stated(found)) == {"info_size", "min_wave_lanes", "max_wave_lanes"} | fields
    assert found.info_size == size


@pytest.mark.parametrize(
    ("validator", "size"),
    [
        ((1, 0), 24), ((1, 1), 36), ((1, 5), 36), ((1, 6), 48), ((1, 7), 48), ((1, 8), 52),
        ((1, 9), 52), ((1, 10), 56), ((2, 0), 56),
    ],
)  # fmt: skip
def test_sizes_that_validators_read(validator: tuple[int, int], size: int) -> None:
    assert derived(5, "cs", size=None, validator=validator).info_size == size


def test_a_library_has_none() -> None:
    nodes = Nodes()
    nodes.name("dx.entryPoints", [None, "", None, None, None])
    assert psv0_of(nodes.code(6, "lib")) is None
    assert psv0_of(Nodes().code(5, "cs")) is None


# A resource: its list, what follows space, first register and their number, its type.
RESOURCES: tuple[tuple[int, list[object], str], ...] = (
    (0, [2, 0, [0, 9]], "SRV_TYPED"), (0, [10, 0, [0, 9]], "SRV_TYPED"),
    (0, [11, 0, None], "SRV_RAW"), (0, [12, 0, [1, 16]], "SRV_STRUCTURED"),
    (0, [16, 0, None], "SRV_RAW"),
    (1, [2, 0, 0, 0, [0, 9]], "UAV_TYPED"), (1, [11, 0, 0, 0, None], "UAV_RAW"),
    (1, [12, 0, 0, 0, [1, 16]], "UAV_STRUCTURED"),
    (1, [12, 0, 1, 0, [1, 16]], "UAV_STRUCTURED_WITH_COUNTER"),
    (2, [64, None], "CBV"), (3, [0, None], "SAMPLER"), (3, [1, None], "SAMPLER"),
)  # fmt: skip


@pytest.mark.parametrize(("group", "rest", "type"), RESOURCES)
def test_types_of_resources(group: int, rest: list[object], type: str) -> None:
    for registers, last in ((1, 7), (3, 9), (-1, 0xFFFF_FFFF)):
        lists: list[object] = [None, None, None, None]
        lists[group] = [[0, 0, "r", 2, 7, registers, *rest]]
        for size in (36, 48):
            (row,) = derived(5, "cs", resources=lists, size=size).resources
            found = to_data(row)
            kind = "SAMPLER" if group == 3 else "CBUFFER" if group == 2 else None
            assert (found["type"], found["space"]) == (type, 2)
            assert (row.lower_bound, row.upper_bound) == (7, last)
            if size == 48:
                assert row.kind == (
                    rest[0] if kind is None else {"SAMPLER": 14, "CBUFFER": 13}[kind]
                )
                assert row.flags == 0


def test_resources_with_atomics_of_64_bits() -> None:
    lists: list[object] = [None, [[0, 0, "u", 0, 0, 1, 11, 0, 0, 0, [3, 1]]], None, None]
    assert [each.flags for each in derived(5, "cs", resources=lists).resources] == [1]


# DXIL::ComponentType, and the name in PSV0; other types are unknown there.
COMPONENTS = (
    "UNKNOWN UINT32 SINT16 UINT16 SINT32 UINT32 SINT64 UINT64 FLOAT16 FLOAT32 FLOAT64 UNKNOWN"
)


@pytest.mark.parametrize(("number", "name"), list(enumerate(COMPONENTS.split())))
def test_types_of_components(number: int, name: str) -> None:
    inputs: list[object] = [[0, "A", number, 0, [0], 0, 1, 1, 0, 0, None]]
    (row,) = derived(1, "vs", signatures=(inputs, None)).inputs
    assert to_data(row)["component_type"] == name


@pytest.mark.parametrize(
    ("columns", "row", "column", "expected"),
    [
        (1, 0, 0, (0, 0x41)), (4, 0, 0, (0, 0x44)), (2, 5, 1, (5, 0x52)), (1, 31, 3, (31, 0x71)),
        (3, -1, -1, (0, 0x03)), (2, -1, 2, (0, 0x02)),
    ],
)  # fmt: skip
def test_places_of_elements(columns: int, row: int, column: int, expected: tuple[int, int]) -> None:
    inputs: list[object] = [[0, "A", 9, 0, [4], 0, 1, columns, row, column, [2, 31, 0, 7]]]
    (found,) = derived(1, "vs", signatures=(inputs, None)).inputs
    assert (found.start_row, found.columns) == expected
    assert found.dynamic == 15 | 3 << 4
    assert list(found.indices) == [4]


def test_there_are_as_many_indices_as_rows() -> None:
    inputs: list[object] = [[0, "A", 9, 0, [4, 5, 6], 0, 2, 1, 0, 0, None]]
    (found,) = derived(1, "vs", signatures=(inputs, None)).inputs
    assert list(found.indices) == [4, 5]


@pytest.mark.parametrize(
    ("kind", "stage", "size", "expected"),
    [
        (5, "cs", 56, 48), (5, "cs", 55, 0), (13, "ms", 56, 48), (14, "as", 56, 48),
        (0, "ps", 56, 0), (3, "hs", 56, 0),
    ],
)  # fmt: skip
def test_memory_of_thread_groups(kind: int, stage: str, size: int, expected: int) -> None:
    """Of variables in address space 3, all added up; from version 4 on."""
    found = derived(kind, stage, size=size, memories=((3, 10), (0, 100), (3, 2), (4, 7)))
    assert found.group_shared_bytes == expected


def test_memory_of_mesh_shaders() -> None:
    """The information for the stage has it in every version."""
    mesh = [[32, 2, 1], 64, 126, 2, 20]
    for size in (36, 52):
        found = derived(13, "ms", 9, mesh, size=size, memories=((3, 10),))
        assert stated(found.stage_info)["group_shared_bytes"] == 40
