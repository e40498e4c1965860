"""Comparison of two databases: pipelines added, removed, changed."""

import unshade
from tests.corpus import REPOSITORY
from tests.fixtures.databases import DatabaseMaker, application
from unshade.analysis.diff import ChangeKind, Diff

EXAMPLES = REPOSITORY / "examples"


def compared(before: DatabaseMaker, after: DatabaseMaker) -> Diff:
    return unshade.diff(unshade.loads(before.data()), unshade.loads(after.data()))


def told(found: Diff) -> dict[str, list[str]]:
    """Return the paths of what changed, by pipeline."""
    return {each.name: [change.path for change in each.changes] for each in found.pipelines}


def test_another_shader_changes_the_pipelines_that_use_it() -> None:
    after = application()
    after.tables["shader_bytecode"][2].values["Bytecode"] = (EXAMPLES / "mandel.dxbc").read_bytes()
    found = compared(application(), after)
    assert told(found) == {r"pso2\0": ["pixel"], r"pso3\0": ["pixel"]}
    assert found.verdict == "2 pipelines changed"
    change = found.pipelines[0].changes[0]
    assert change.after_text.startswith("phong.dxbc: the code differs")


def test_a_state_that_pipelines_share_changes_each() -> None:
    after = application()
    after.tables["render_target_blend_descs"][0].values["SrcBlend"] = 2
    found = compared(application(), after)
    assert told(found) == {r"pso3\0": ["BlendDesc.RenderTarget0.SrcBlend"]}
    (change,) = found.pipelines[0].changes
    assert (change.before, change.after) == ("SRC_ALPHA", "ONE")
    assert found.categories == ["interface"]


def test_pipelines_are_added_and_removed() -> None:
    after = application()
    del after.tables["groups"][0]
    after.add("pipeline_states", "new", ByteCode_CS=b"saxpy.dxbc")
    found = compared(application(), after)
    kinds = {each.name: each.change for each in found.pipelines}
    assert kinds == {
        r"pso1\0": ChangeKind.REMOVED, "state 1": ChangeKind.ADDED, "new": ChangeKind.ADDED,
    }  # fmt: skip
    assert found.verdict == "2 pipelines added, 1 removed"


def test_keys_of_shaders_and_the_order_of_rows_are_no_difference() -> None:
    after = application()
    rows = after.tables["shader_bytecode"]
    rows[2].values["Key"] = b"renamed"
    for row in after.tables["pipeline_states"]:
        if row.values["ByteCode_PS"] == b"phong.dxbc":
            row.values["ByteCode_PS"] = b"renamed"
    assert compared(application(), after).pipelines == []


def test_root_signatures_are_compared_by_their_bytes() -> None:
    made = []
    for value in (b"one", b"two"):
        each = application()
        key = each.add("root_signatures", "signature", value=value)
        each.tables["pipeline_states"][0].values["RootSignature"] = key
        made.append(each)
    assert told(compared(*made)) == {r"pso1\0": ["root_signature"]}
    assert told(compared(application(), made[0])) == {r"pso1\0": ["root_signature"]}


def test_a_database_equals_itself() -> None:
    assert not compared(application(), application())


def test_categories_are_left_out() -> None:
    after = application()
    after.tables["render_target_blend_descs"][0].values["SrcBlend"] = 2
    shaders = [unshade.loads(each.data()) for each in (application(), after)]
    found = unshade.diff(*shaders, ignore=["interface"])
    assert (bool(found), found.pipelines) == (False, [])


def with_rays() -> DatabaseMaker:
    """Return the application with a hit group and a work graph of its state object."""
    made = application()
    key = made.tables["state_objects"][0].values["Key"]
    for name in ("glass", "metal"):
        made.add("rt_hit_groups", name, HitGroupExport=name, ClosestHitShaderImport="shade")
        made.add("so_to_hit_group_associations", StateObjectKey=key, HitGroupKey=name.encode())
    made.add("work_graphs", "w", ProgramName="work")
    made.add("so_to_work_graph_associations", StateObjectKey=key, WorkGraphKey=b"w")
    return made


def test_state_objects_are_compared_by_the_names_of_their_subobjects() -> None:
    after = with_rays()
    after.tables["rt_hit_groups"][1].values["ClosestHitShaderImport"] = "shine"
    after.tables["work_graphs"][0].values["Flags"] = 1
    found = compared(with_rays(), after)
    assert found.verdict == "1 state object changed"
    [change] = found.pipelines
    assert (change.kind, change.name) == ("state object", "so")
    assert [each.path for each in change.changes] == [
        "hit_groups.metal.closest_hit", "work_graphs.work.flags[0]",
    ]  # fmt: skip
    gone = with_rays()
    del gone.tables["so_to_hit_group_associations"][0]
    [change] = compared(with_rays(), gone).pipelines
    assert [(each.path, each.change) for each in change.changes] == [
        ("hit_groups.glass", ChangeKind.REMOVED)
    ]


def test_another_library_changes_the_state_object_that_uses_it() -> None:
    after = application()
    [library] = [
        each for each in after.tables["shader_bytecode"] if each.values["Key"] == b"saxpy6.dxil"
    ]
    library.values["Bytecode"] = (EXAMPLES / "saxpy.dxbc").read_bytes()
    found = compared(application(), after)
    assert found.verdict == "1 state object changed"
    [change] = found.pipelines
    assert [each.path for each in change.changes] == ["library saxpy6.dxil"]


def test_state_objects_are_added_and_removed() -> None:
    after = application()
    after.add("state_objects", "more", Type=4)
    found = compared(application(), after)
    assert found.verdict == "1 state object added"
    assert compared(after, application()).verdict == "1 state object removed"
