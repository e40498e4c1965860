"""Pipelines with the rows that they refer to."""

from tests.fixtures.databases import DatabaseMaker, application
from unshade.formats.sodb import Sodb
from unshade.formats.sodb.states import pipeline_states


def test_pipelines_have_their_stages_group_and_state() -> None:
    compute, plain, blended = pipeline_states(application().tables)
    assert (compute.type, compute.stages) == ("compute", {"compute": "saxpy.dxbc"})
    assert (compute.group, compute.version) == (r"pso1\0", 5)
    assert blended.stages == {"vertex": "skinning.dxbc", "pixel": "phong.dxbc"}
    assert blended.type == "graphics"
    assert blended.state["InputLayout"][1] == {
        "SemanticName": "TEXCOORD", "SemanticIndex": 1, "Format": "R32G32B32_FLOAT", "InputSlot": 0,
        "AlignedByteOffset": 12, "InputSlotClass": "PER_VERTEX_DATA", "InstanceDataStepRate": 0,
    }  # fmt: skip
    target = blended.state["BlendDesc"]["RenderTarget0"]
    assert (target["SrcBlend"], target["DestBlend"]) == ("SRC_ALPHA", "INV_SRC_ALPHA")
    assert (target["BlendOp"], target["LogicOp"]) == ("ADD", "NOOP")
    assert blended.state["PrimitiveTopology"] == "TRIANGLE"
    assert blended.state["RenderTargetFormats"]["RTFormat0"] == "R8G8B8A8_UNORM"
    assert "BlendDesc" not in plain.state


def test_faces_and_declarations_are_resolved() -> None:
    made = DatabaseMaker()
    face = made.add("depth_stencil_op_descs", "face", StencilFailOp=3, StencilFunc=8)
    depth = made.add("depth_stencil_descs", "depth", DepthFunc=2, FrontFace=face, BackFace=b"gone")
    stream = made.add("stream_out_descs", "out", NumStrides=1, BufferStride0=16)
    for name in ("B", "A"):  # in the order of the pairs
        key = made.add("so_declarations", name, SemanticName=name, ComponentCount=4)
        made.add(
            "stream_output_desc_to_stream_output_decl_associations",
            StreamOutDescKey=stream, StreamOutDeclKey=key,
        )  # fmt: skip
    made.add("pipeline_states", "p", DepthStencilDesc=depth, StreamOutDesc=stream, ByteCode_MS=b"m")
    (state,) = pipeline_states(made.tables)
    assert (state.type, state.stages, state.group) == ("mesh", {"mesh": "m"}, "")
    assert state.state["DepthStencilDesc"]["DepthFunc"] == "LESS"
    assert state.state["DepthStencilDesc"]["FrontFace"]["StencilFailOp"] == "REPLACE"
    assert state.state["DepthStencilDesc"]["BackFace"] == "gone"
    declared = state.state["StreamOutDesc"]["Declarations"]
    assert [each["SemanticName"] for each in declared] == ["B", "A"]


def test_a_file_is_found_by_the_key_of_a_pipeline() -> None:
    made = application()
    made.add("root_signatures", b"\xff", value=b"blob")
    file = Sodb.loads(made.data())
    assert file.pipeline_file("saxpy.dxbc") == file.shaders[b"saxpy.dxbc"].to_bytes()
    assert file.pipeline_file("0xff") == b"blob"
    assert file.pipeline_file("other") is None
