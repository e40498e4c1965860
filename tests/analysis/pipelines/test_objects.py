"""State objects: of libraries, and as a database describes them."""

from __future__ import annotations

from pathlib import Path

import pytest

import unshade
from tests.cli.terminal import unshade as run
from tests.fixtures.databases import DatabaseMaker
from tests.fixtures.libraries import Node, Ray, Sent, library
from unshade import LimitError, Limits, UsageError
from unshade.analysis.pipelines import object_of, root_signature_of, stored_objects

GEN, SKY = (
    Ray("?gen@@YAXXZ", "raygeneration", passes=(16,)),
    Ray("?sky@@YAXUP@@@Z", "miss", payload=16),
)
SHADE = Ray("?shade@@YAXUP@@UA@@@Z", "closesthit", payload=16, attributes=8)


SHOWN = ("'gen'", "'black'", "'shade'")


def scene(*shaders: Ray, payload: int = 16, buffer: bool = False) -> DatabaseMaker:
    """Return a database with a ray-tracing pipeline: two libraries, one in a collection."""
    made = DatabaseMaker()
    first = library(GEN, *shaders, buffer=buffer).to_bytes()
    made.add("shader_bytecode", "gen.dxil", Type="LIB", Bytecode=first)
    made.add("shader_bytecode", "hits.dxil", Type="LIB", Bytecode=library(SKY, SHADE).to_bytes())
    made.add("state_objects", "hits", Type=0)
    made.add("state_objects", "scene", Type=3)
    made.add("groups", "scene", Version=3, SOKey=b"scene")
    made.add("exports", "black", Name="black", ExportToRename="sky")
    made.add("exports", "shade", Name="shade")
    made.add("so_to_dxil_lib_associations", StateObjectKey=b"scene", DxilLibKey=b"gen.dxil")
    for export in (b"black", b"shade"):
        made.add("so_to_dxil_lib_associations", StateObjectKey=b"hits", DxilLibKey=b"hits.dxil",
                 ExportKey=export)  # fmt: skip
    made.add("so_to_existing_so_associations", StateObjectKey=b"scene",
             ExistingStateObjectKey=b"hits")  # fmt: skip
    made.add("rt_hit_groups", "glass", HitGroupExport="glass", ClosestHitShaderImport="shade")
    made.add("so_to_hit_group_associations", StateObjectKey=b"scene", HitGroupKey=b"glass")
    made.add("rt_shader_config", "sizes", MaxPayloadSizeInBytes=payload, MaxAttributeSizeInBytes=8)
    made.add("so_to_rt_shader_config_associations", StateObjectKey=b"scene",
             ShaderConfigKey=b"sizes")  # fmt: skip
    made.add("rt_pipeline_config", "depth", MaxTraceRecursionDepth=2)
    made.add("so_to_rt_pipeline_config_associations", StateObjectKey=b"scene",
             PipelineConfigKey=b"depth")  # fmt: skip
    return made


def checked(made: DatabaseMaker) -> dict[str, list[str]]:
    shader = unshade.loads(made.data())
    found = {each.name: each.open().check() for each in stored_objects(shader, "a")}
    return {name: [each.code for each in findings] for name, findings in found.items()}


def test_a_scene_that_works() -> None:
    assert checked(scene()) == {"a!hits": [], "a!scene": []}
    shader = unshade.loads(scene().data())
    _, opener = stored_objects(shader, "a")
    exports = opener.open().contents.exports
    assert [(each.name, str(each.stage.stage)) for each in exports] == [
        ("?gen@@YAXXZ", "raygeneration"), ("black", "miss"), ("shade", "closesthit"),
    ]  # fmt: skip


def test_the_payload_of_a_collection_is_checked() -> None:
    found = checked(scene(payload=12))
    assert found["a!hits"] == []
    assert found["a!scene"] == ["object.payload"] * 3


def test_an_export_that_no_library_has() -> None:
    made = scene()
    made.tables["exports"][0].values["ExportToRename"] = "moon"
    assert checked(made)["a!hits"] == ["object.export"]


def test_an_export_that_two_libraries_have() -> None:
    made = scene()
    made.tables["exports"][0].values["Name"] = "?gen@@YAXXZ"
    assert checked(made)["a!scene"] == ["object.twice"]


def test_a_library_that_is_missing() -> None:
    made = scene()
    made.tables["so_to_dxil_lib_associations"][0].values["DxilLibKey"] = b"gone"
    *_, last = stored_objects(unshade.loads(made.data()), "a")
    with pytest.raises(UsageError, match="library: expected the key of a shader, got gone"):
        last.open()
    made = scene()
    made.tables["so_to_existing_so_associations"][0].values["ExistingStateObjectKey"] = b"gone"
    *_, last = stored_objects(unshade.loads(made.data()), "a")
    with pytest.raises(UsageError, match="expected the key of a state object, got gone"):
        last.open()


def test_state_objects_that_contain_each_other_are_read() -> None:
    made = scene()
    made.tables["state_objects"][0].values["AddToStateObjectParent"] = b"scene"
    assert checked(made)["a!scene"] == []


def chain(made: DatabaseMaker, count: int) -> None:
    """Let the collection of the scene add to so many others, the last with a hit group."""
    before = made.tables["state_objects"][0]
    for number in range(count):
        name = f"chain{number:03}"
        before.values["AddToStateObjectParent"] = name.encode()
        made.add("state_objects", name, Type=0)
        before = made.tables["state_objects"][-1]
    made.add("rt_hit_groups", "last", HitGroupExport="last", ClosestHitShaderImport="gone")
    made.add("so_to_hit_group_associations", StateObjectKey=name.encode(), HitGroupKey=b"last")


def test_all_state_objects_of_a_long_chain_are_read() -> None:
    made = scene()
    chain(made, 100)
    assert checked(made)["a!scene"] == ["object.export"]


def test_a_limit_of_state_objects_is_told() -> None:
    made = scene()
    chain(made, 100)
    shader = unshade.loads(made.data(), limits=Limits(parts=101))
    found = {each.name: each for each in stored_objects(shader, "a")}
    assert "last" in [each.name for each in found["a!hits"].open().contents.described.hit_groups]
    with pytest.raises(LimitError, match="parts = 101 exceeded: the data needs more state objects"):
        found["a!scene"].open()


def test_a_collection_of_two_collections_counts_once() -> None:
    """One of them takes an export of it, the other takes all."""
    made = scene()
    made.tables["state_objects"][0].values["Type"] = 0
    for name in ("left", "right"):
        made.add("state_objects", name, Type=0)
        made.add("so_to_existing_so_associations", StateObjectKey=b"scene",
                 ExistingStateObjectKey=name.encode())  # fmt: skip
    made.add("so_to_existing_so_associations", StateObjectKey=b"left",
             ExistingStateObjectKey=b"hits", ExportKey=b"black")  # fmt: skip
    made.add("so_to_existing_so_associations", StateObjectKey=b"right",
             ExistingStateObjectKey=b"hits")  # fmt: skip
    made.add("so_to_hit_group_associations", StateObjectKey=b"hits", HitGroupKey=b"glass")
    row = made.tables["so_to_hit_group_associations"].pop(0)
    assert row.values["StateObjectKey"] == b"scene"
    shader = unshade.loads(made.data())
    opened = next(each.open() for each in stored_objects(shader, "a") if each.name == "a!scene")
    assert [each.name for each in opened.contents.exports] == ["?gen@@YAXXZ", "black", "shade"]
    assert [each.name for each in opened.contents.described.hit_groups] == ["glass"]
    assert opened.check() == []


def rooted(text: str, *, local: bool = False) -> DatabaseMaker:
    made = scene(buffer=True)
    root = unshade.assemble(text).to_bytes()
    made.add("root_signatures", "root", value=root)
    kind = "local" if local else "global"
    made.add(f"so_to_{kind}_rs_associations", StateObjectKey=b"scene", RootSignatureKey=b"root")
    return made


def test_resources_are_bound_by_the_global_or_the_local_root_signature() -> None:
    assert checked(rooted("UAV(u0)"))["a!scene"] == []
    assert checked(rooted("RootFlags(LOCAL_ROOT_SIGNATURE), UAV(u0)", local=True))["a!scene"] == []
    *_, last = stored_objects(unshade.loads(rooted("UAV(u1)").data()), "a")
    [found] = last.open().check()
    assert found.code == "object.binding"
    assert found.message == (
        'Resource bindings for function "gen" not compatible with associated root signatures (if'
        " any): a!root. Error detail: Shader UAV descriptor range (BaseShaderRegister=0,"
        " NumDescriptors=1, RegisterSpace=0) is not fully bound in a root signature."
    )
    assert found.reference == "STATE_CREATION ERROR #1194: CREATE_STATE_OBJECT_ERROR"


def test_a_local_root_signature_has_its_flag() -> None:
    assert checked(rooted("UAV(u0)", local=True))["a!scene"] == ["rts0.local"]


def test_two_global_root_signatures() -> None:
    made = rooted("UAV(u0)")
    made.add("root_signatures", "other", value=unshade.assemble("UAV(u0), SRV(t0)").to_bytes())
    made.add("so_to_global_rs_associations", StateObjectKey=b"scene", RootSignatureKey=b"other")
    assert set(checked(made)["a!scene"]) == {"object.root"}
    for number, (key, names) in enumerate((("root", ["gen"]), ("other", ["black", "glass"]))):
        own = f"a{number}".encode()
        made.add(
            "subobject_to_exports_associations", own, SubobjectType=1, SubobjectKey=key.encode()
        )
        made.add("so_to_subobject_to_exports_associations", StateObjectKey=b"scene",
                 SubobjectToExportsAssociationKey=own)  # fmt: skip
        for name in names:
            made.add("string_associations", OwningTableKey=own, Value=name)
    assert checked(made)["a!scene"] == []


@pytest.mark.parametrize("others", [0, 1])
@pytest.mark.parametrize("kind", ["global", "local"])
def test_which_root_signatures_are_too_many_is_told(kind: str, others: int) -> None:
    texts = {"global": "UAV(u0)", "local": "RootFlags(LOCAL_ROOT_SIGNATURE), UAV(u0)"}
    made = rooted(texts[kind], local=kind == "local")

    def add(name: str, of: str) -> None:
        made.add("root_signatures", name, value=unshade.assemble(texts[of]).to_bytes())
        made.add(f"so_to_{of}_rs_associations", StateObjectKey=b"scene",
                 RootSignatureKey=name.encode())  # fmt: skip

    if others:  # one of each kind is no fault
        add("other", "local" if kind == "global" else "global")
    for number in range(2, 4):
        add(f"more{number}", kind)
        *_, last = stored_objects(unshade.loads(made.data()), "a")
        found = [each for each in last.open().check() if each.code == "object.root"]
        assert [each.message for each in found] == [
            f"{shown} has {number} {kind} root signatures" for shown in SHOWN
        ]


def test_libraries_alone() -> None:
    files = [(library(GEN), "gen.dxil"), (library(SKY), "sky.dxil")]
    assert object_of(files).check() == []
    [found] = object_of([files[0], (library(SKY._replace(payload=8)), "sky.dxil")]).check()
    assert (found.code, found.places[0].file) == ("object.passed", "gen.dxil")
    root = root_signature_of(b"UAV(u1)", "main.rootsig")
    buffer = library(GEN, buffer=True)
    [found] = object_of([(buffer, "gen.dxil")], root_signature=root).check()
    assert (found.code, found.places[0].file) == ("object.binding", "gen.dxil")


def test_check_takes_libraries_and_databases(tmp_path: Path) -> None:
    first, second = tmp_path / "split.dxil", tmp_path / "leaf.dxil"
    first.write_bytes(library(Node("split", sends=(Sent("leaf", 8),))).to_bytes())
    second.write_bytes(library(Node("leaf", takes=8)).to_bytes())
    assert run("check", "--pipeline", first, second).code == 0
    ended = run("check", "--pipeline", first)
    assert ended.code == 1
    assert "graph.node: split sends records to leaf" in ended.out
    ended = run("check", "--pipeline", first, "--layout", first)
    assert (ended.code, "is a library: expected no --layout" in ended.err) == (2, True)
    other = Path(__file__).parents[3] / "examples" / "phong.dxbc"
    ended = run("check", "--pipeline", first, other)
    assert (ended.code, "is a library: expected libraries alone" in ended.err) == (2, True)
    database = tmp_path / "a.sodb"
    database.write_bytes(scene(payload=12).data())
    ended = run("check", "--pipeline", database)
    assert (ended.code, ended.out.count("object.payload")) == (1, 3)
    assert "2 pipelines: 1 fine, 1 with findings" in ended.err


RAYS = """OpCapability RayTracingKHR
OpExtension "SPV_KHR_ray_tracing"
OpMemoryModel Logical GLSL450
OpEntryPoint {model} %main "main" %data
%void = OpTypeVoid
%float = OpTypeFloat 32
%v3 = OpTypeVector %float {count}
%pointer = OpTypePointer {storage} %v3
%data = OpVariable %pointer {storage}
%function = OpTypeFunction %void
%main = OpFunction %void None %function
%label = OpLabel
OpReturn
OpFunctionEnd
"""


def test_modules_of_shaders_of_ray_tracing(tmp_path: Path) -> None:
    def module(name: str, model: str, storage: str, count: int) -> Path:
        path = tmp_path / name
        text = RAYS.format(model=model, storage=storage, count=count)
        path.write_bytes(unshade.assemble(text, "spirv").to_bytes())
        return path

    gen = module("gen.spv", "RayGenerationKHR", "RayPayloadKHR", 4)
    sky = module("sky.spv", "MissKHR", "IncomingRayPayloadKHR", 3)
    ended = run("check", "--pipeline", gen, sky)
    assert ended.code == 1
    assert "object.passed: " in ended.out
    assert (
        "passes a payload of 16 bytes, no hit or miss shader takes one of that size: 12"
        in ended.out
    )
    assert (
        run("check", "--pipeline", gen, module("s.spv", "MissKHR", "IncomingRayPayloadKHR", 4)).code
        == 0
    )
