"""Pipelines that a database describes."""

from pathlib import Path

import pytest

import unshade
from tests.cli.terminal import unshade as run
from tests.fixtures.databases import DatabaseMaker, application
from unshade import UsageError
from unshade.analysis.pipelines import stored_pipelines
from unshade.analysis.pipelines.stored import stored_state
from unshade.model.pipelines import StoredPipeline

EXAMPLE = Path(__file__).parents[3] / "examples" / "pipelines.sodb"


def checked(made: DatabaseMaker) -> dict[str, list[str]]:
    """Return the codes of the findings of each pipeline."""
    shader = unshade.loads(made.data())
    found = {each.name: each.open().check() for each in stored_pipelines(shader, "a")}
    return {name: [each.code for each in findings] for name, findings in found.items()}


def test_pipelines_that_work_have_no_findings() -> None:
    names = [rf"a!pso{number}\0" for number in (1, 2, 3)]
    assert checked(application()) == {name: [] for name in names}


@pytest.mark.parametrize(
    ("table", "column", "value", "code"),
    [
        ("render_target_formats", "RTFormat1", 28, "state.target-type"),
        ("input_element_descs", "SemanticName", "OTHER", "state.input-missing"),
    ],
)
def test_state_is_checked_against_the_shaders(
    table: str, column: str, value: object, code: str
) -> None:
    made = application()
    made.tables[table][0].values[column] = value
    found = checked(made)
    assert found.pop(r"a!pso1\0") == []
    assert all(code in codes for codes in found.values()), found


def test_a_missing_shader_is_an_error_of_its_pipeline() -> None:
    made = application()
    made.tables["pipeline_states"][1].values["ByteCode_PS"] = b"gone"
    first, second, _ = stored_pipelines(unshade.loads(made.data()), "a")
    assert first.open().check() == []
    with pytest.raises(UsageError, match="pixel: expected the key of a shader, got gone"):
        second.open()


def test_a_shader_of_several_pipelines_is_opened_once() -> None:
    _, second, third = stored_pipelines(unshade.loads(application().data()))
    assert second.open().stages[0] is third.open().stages[0]


def test_what_a_state_omits_is_not_known() -> None:
    state = stored_state(StoredPipeline(key="k", type="graphics").state)
    assert (state.topology, state.input_layout, state.targets) == (None, None, None)
    assert (state.depth_format, state.rasterized_stream) == (None, 0)


def test_a_stream_that_is_not_rasterised() -> None:
    stored = StoredPipeline(
        key="k",
        type="graphics",
        state={"StreamOutDesc": {"RasterizedStream": 0xFFFFFFFF}, "BlendDesc": "gone",
               "InputLayout": ["gone"], "PrimitiveTopology": "UNDEFINED", "DSVFormat": "D32_FLOAT"},
    )  # fmt: skip
    state = stored_state(stored.state)
    assert (state.rasterized_stream, state.topology, state.input_layout) == (None, None, None)
    assert state.depth_format == "D32_FLOAT"


def test_check_takes_a_database(tmp_path: Path) -> None:
    ended = run("check", "--pipeline", EXAMPLE)
    assert (ended.code, ended.out) == (0, "")
    made = application()
    made.tables["render_target_formats"][0].values["RTFormat1"] = 28
    path = tmp_path / "a.sodb"
    path.write_bytes(made.data())
    ended = run("check", "--pipeline", path)
    assert ended.code == 1
    assert ended.out.count("state.target-type") == 2
    assert "4 pipelines: 2 fine, 2 with findings" in ended.err
    ended = run("check", "--pipeline", "--state", path, path)
    assert ended.code == 2
    assert "expected no --state" in ended.err
