"""State objects with the rows that they refer to."""

from tests.fixtures.databases import DatabaseMaker
from unshade.formats.sodb.objects import state_objects
from unshade.model.stateobjects import StoredStateObject

OBJECT = b"scene"


def described(made: DatabaseMaker) -> StoredStateObject:
    made.add("state_objects", OBJECT, Type=3, Flags=4, AddToStateObjectParent=b"base")
    made.add("groups", b"rays\0", Version=7, SOKey=OBJECT)
    (found,) = state_objects(made.tables)
    return found


def test_ray_tracing() -> None:
    made = DatabaseMaker()
    made.add("rt_hit_groups", "g", HitGroupExport="glass", Type=1, AnyHitShaderImport="fade",
             IntersectionShaderImport="box")  # fmt: skip
    made.add("so_to_hit_group_associations", StateObjectKey=OBJECT, HitGroupKey=b"g")
    made.add("rt_shader_config", "s", MaxPayloadSizeInBytes=16, MaxAttributeSizeInBytes=8)
    made.add("so_to_rt_shader_config_associations", StateObjectKey=OBJECT, ShaderConfigKey=b"s")
    made.add("rt_pipeline_config", "p", MaxTraceRecursionDepth=3, Flags=256)
    made.add("so_to_rt_pipeline_config_associations", StateObjectKey=OBJECT, PipelineConfigKey=b"p")
    made.add("so_to_global_rs_associations", StateObjectKey=OBJECT, RootSignatureKey=b"root")
    made.add("so_to_local_rs_associations", StateObjectKey=OBJECT, RootSignatureKey=b"own")
    made.add("subobject_to_exports_associations", "a", SubobjectType=9, SubobjectKey=b"s")
    made.add("so_to_subobject_to_exports_associations", StateObjectKey=OBJECT,
             SubobjectToExportsAssociationKey=b"a")  # fmt: skip
    made.add("dxil_subobject_to_exports_associations", "d", SubobjectToAssociate="sizes")
    made.add("so_to_dxil_subobject_to_exports_associations", StateObjectKey=OBJECT,
             DxilSubobjectToExportsAssociationKey=b"d")  # fmt: skip
    for value in ("glass", "sky"):
        made.add("string_associations", OwningTableKey=b"a", Value=value)
    found = described(made)
    assert (found.key, found.group, found.version) == ("scene", r"rays\0", 7)
    assert (found.type, found.flags, found.parent) == ("raytracing_pipeline", 4, "base")
    [group] = found.hit_groups
    assert (group.name, group.type) == ("glass", "procedural_primitive")
    assert (group.any_hit, group.closest_hit, group.intersection) == ("fade", None, "box")
    assert found.shader_configs[0].max_payload_size == 16
    assert (found.pipeline_configs[0].max_recursion, found.pipeline_configs[0].flags) == (3, 256)
    assert (found.global_root_signatures, found.local_root_signatures) == (["root"], ["own"])
    assert [each.to_dict() for each in found.associations] == [
        {"subobject": "s", "type": "raytracing_shader_config", "exports": ["glass", "sky"]},
        {"subobject": "sizes", "type": None, "exports": []},
    ]


def test_libraries_and_collections_have_the_exports_of_their_pairs() -> None:
    made = DatabaseMaker()
    made.add("exports", "x", Name="black", ExportToRename="sky")
    made.add("exports", "y", Name="shade")
    for export in (b"x", b"y"):
        made.add("so_to_dxil_lib_associations", StateObjectKey=OBJECT, DxilLibKey=b"hits",
                 ExportKey=export)  # fmt: skip
    made.add("so_to_dxil_lib_associations", StateObjectKey=OBJECT, DxilLibKey=b"all")
    made.add("so_to_existing_so_associations", StateObjectKey=OBJECT,
             ExistingStateObjectKey=b"more", ExportKey=b"y")  # fmt: skip
    found = described(made)
    assert [each.to_dict() for each in found.libraries] == [
        {"key": "hits", "exports": [{"name": "black", "renamed_from": "sky"},
                                    {"name": "shade", "renamed_from": None}]},
        {"key": "all", "exports": []},
    ]  # fmt: skip
    [collection] = found.collections
    assert (collection.key, [each.name for each in collection.exports]) == ("more", ["shade"])


def test_programs_have_the_state_of_pipelines() -> None:
    made = DatabaseMaker()
    formats = made.add("render_target_formats", "t", RTFormat0=28, NumRenderTargets=1)
    made.add("generic_programs", "p", ProgramName="draw", RenderTargetFormats=formats,
             PrimitiveTopology=3)  # fmt: skip
    made.add("so_to_generic_program_associations", StateObjectKey=OBJECT, GenericProgramKey=b"p")
    for value in ("vs", "ps"):
        made.add("string_associations", OwningTableKey=b"p", Value=value)
    [program] = described(made).programs
    assert (program.name, program.exports) == ("draw", ["vs", "ps"])
    assert program.state["PrimitiveTopology"] == "TRIANGLE"
    assert program.state["RenderTargetFormats"]["RTFormat0"] == "R8G8B8A8_UNORM"


def test_work_graphs() -> None:
    made = DatabaseMaker()
    made.add("work_graphs", "w", ProgramName="work", Flags=1)
    made.add("so_to_work_graph_associations", StateObjectKey=OBJECT, WorkGraphKey=b"w")
    made.add("node_ids", "root", Name="split", ArrayIndex=0)
    made.add("node_ids", "end", Name="leaf", ArrayIndex=2)
    made.add("work_graph_to_entrypoint_node_id_associations", WorkGraphKey=b"w", NodeIDKey=b"root")
    made.add("shader_nodes", "n", ShaderOrProgram="main", OverridesType=1, ProgramEntry=1,
             NewName=b"root", ShareInputOf=b"end", LocalRootArgumentsTableIndex=4, DispatchGridX=2,
             DispatchGridY=3, DispatchGridZ=1, MaxDispatchGridX=9)  # fmt: skip
    made.add("work_graph_to_work_graph_node_associations", WorkGraphKey=b"w", WorkGraphNodeKey=b"n")
    made.add("node_output_overrides", "o", OutputIndex=1, NewName=b"end", AllowSparseNodes=0,
             MaxRecords=16)  # fmt: skip
    made.add("workgraph_node_to_node_output_overrides_associations", WorkGraphNodeKey=b"n",
             NodeOutputOverridesKey=b"o")  # fmt: skip
    [graph] = described(made).work_graphs
    assert (graph.name, graph.flags) == ("work", ["include_all_available_nodes"])
    assert [(each.name, each.index) for each in graph.entry_points] == [("split", 0)]
    [node] = graph.nodes
    assert (node.shader, node.overrides, node.is_program) == ("main", "broadcasting_launch", False)
    assert (node.is_entry, node.root_arguments) == (True, 4)
    assert (node.dispatch_grid, node.max_dispatch_grid) == ([2, 3, 1], None)
    assert node.id is not None
    assert node.shares_input_of is not None
    assert (node.id.name, node.shares_input_of.index) == ("split", 2)
    [output] = node.outputs
    assert output.target is not None
    assert (output.output, output.target.name, output.target.index) == (1, "leaf", 2)
    assert (output.sparse, output.max_records, output.shares_with) == (False, 16, None)


def test_keys_that_no_row_has_are_left_out() -> None:
    made = DatabaseMaker()
    made.add("so_to_hit_group_associations", StateObjectKey=OBJECT, HitGroupKey=b"gone")
    made.add("so_to_work_graph_associations", StateObjectKey=OBJECT, WorkGraphKey=b"gone")
    found = described(made)
    assert (found.hit_groups, found.work_graphs) == ([], [])
