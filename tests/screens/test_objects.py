"""The table of a state object, and what the reflection of its shaders shows."""

from pathlib import Path

import unshade
from tests.cli.terminal import unshade as run
from tests.fixtures.databases import DatabaseMaker
from tests.fixtures.libraries import Node, Ray, Sent, library


def shown(shader: unshade.Shader, folder: Path) -> list[str]:
    """Return the lines of `info`, with single spaces."""
    path = folder / "a"
    path.write_bytes(shader.to_bytes())
    return [" ".join(line.split()) for line in run("info", path).out.splitlines()]


def test_a_state_object_has_a_row_for_each_subobject(tmp_path: Path) -> None:
    made = DatabaseMaker()
    made.add("state_objects", "o", Type=3)
    made.add("groups", "scene", Version=2, SOKey=b"o")
    made.add("rt_hit_groups", "g", HitGroupExport="glass", ClosestHitShaderImport="shade")
    made.add("so_to_hit_group_associations", StateObjectKey=b"o", HitGroupKey=b"g")
    made.add("rt_shader_config", "s", MaxPayloadSizeInBytes=16, MaxAttributeSizeInBytes=8)
    made.add("so_to_rt_shader_config_associations", StateObjectKey=b"o", ShaderConfigKey=b"s")
    made.add("exports", "x", Name="black", ExportToRename="sky")
    made.add("so_to_dxil_lib_associations", StateObjectKey=b"o", DxilLibKey=b"l", ExportKey=b"x")
    made.add("work_graphs", "w", ProgramName="work", Flags=1)
    made.add("so_to_work_graph_associations", StateObjectKey=b"o", WorkGraphKey=b"w")
    made.add("node_ids", "n", Name="split", ArrayIndex=1)
    made.add("work_graph_to_entrypoint_node_id_associations", WorkGraphKey=b"w", NodeIDKey=b"n")
    lines = shown(unshade.loads(made.data()), tmp_path)
    start = lines.index("State object scene")
    assert lines[start + 1 : start + 7] == [
        "type raytracing pipeline",
        "version 2",
        "library l black (of sky)",
        "hit group glass triangles: closest hit shade",
        "configuration s payload of at most 16 bytes, attributes of at most 8 bytes",
        "work graph work include all available nodes; starts at split[1]",
    ]


def test_shaders_of_libraries(tmp_path: Path) -> None:
    ray = Ray("shade", "closesthit", payload=16, attributes=8, passes=(16, 32))
    assert (
        "ray tracing takes 16 bytes, attributes of 8 bytes, passes rays 16 or 32 bytes"
    ) in shown(library(ray), tmp_path)
    sends = (Sent("leaf", 8, nodes=2), Sent("end", sparse=True))
    node = Node("split", 1, takes=12, recursion=3, shares="x", sends=sends)
    lines = shown(library(node), tmp_path)
    assert (
        "node split[1], thread launch, recursion of at most 3, shares the input of x, takes records"
        " of 12 bytes"
    ) in lines
    assert "sends records of 8 bytes to leaf[2]" in lines
    assert "sends empty records to end, sparse" in lines
