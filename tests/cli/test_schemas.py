"""What `--json` prints fits what `--schema` prints, for every verb that has both."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.terminal import PHONG, SAXPY, unshade
from tests.examples import EXAMPLES
from unshade.cli.commands.index import VERBS
from unshade.cli.schema import schema
from unshade.cli.shapes import shaped

jsonschema = pytest.importorskip("jsonschema", reason="not installed: pip install jsonschema")

LAUNCH = f"{SAXPY} --groups 1 --set a=2 --bind X=iota(64) --bind Y=ones(64)"
GYROID = EXAMPLES / "gyroid.dxbc"
CLAY = (
    f"--vs {EXAMPLES / 'clay.vert.spv'} --ps {EXAMPLES / 'clay.frag.spv'}"
    f" --mesh {EXAMPLES / 'torus.obj'} --size 32x24"
)
LINES = [
    ("info", f"{PHONG}"),
    ("info", f"{EXAMPLES}"),
    ("identify", f"{EXAMPLES}"),
    ("identify", f"{PHONG}"),
    ("parts", f"{PHONG} {EXAMPLES / 'lit.shbin'}"),
    ("reflect", f"{PHONG}"),
    ("verify", f"{PHONG} {SAXPY}"),
    ("verify", "--rules"),
    ("verify", "--explain container.program-part"),
    ("explain", "mad psv.state"),
    ("check", f"{PHONG} --max-bytes 100"),
    ("check", f"--pipeline {EXAMPLES / 'clay.vert.spv'} {EXAMPLES / 'clay.frag.spv'}"),
    ("hexdump", f"{PHONG}"),
    ("strip", f"{PHONG} --dry-run"),
    ("audit", f"{PHONG}"),
    ("cost", f"{PHONG} {SAXPY}"),
    ("cost", f"{EXAMPLES / 'mandel.dxbc'} --measure --lanes 4"),
    ("find", f"{EXAMPLES / 'pipelines.sodb'}"),
    ("find", f"{EXAMPLES} --unique"),
    ("find", f"{EXAMPLES} --group-by program"),
    ("diff", f"{PHONG} {SAXPY}"),
    ("run", LAUNCH),
    ("render", f"{CLAY} --history 16,8"),
    ("debug", LAUNCH),
    ("debug", f"{GYROID} --size 8x8 --thread 4,4"),
    ("prove", f"{PHONG} --rounds 1 --lanes 8"),
    ("prove", f"{PHONG} {GYROID} --rounds 1 --lanes 8"),
    ("cache", ""),
]
CATALOGUES = [
    ("catalog scan", f"{PHONG} --to {{made}}"),
    ("catalog scan", f"{PHONG} {SAXPY} --to {{old}}"),  # nothing has changed
    ("catalog show", "{new}"),
    ("catalog show", "{new} --tables"),
    ("catalog query", '{new} SELECT*FROM"shaders"'),
    ("catalog query", '{new} SELECT*FROM"shaders"WHERE"size"<0'),
    ("catalog diff", "{old} {new}"),
    ("catalog similar", f"{{new}} {PHONG} --prove"),
]


def problems(document: Any, found: dict[str, Any]) -> list[str]:
    return [
        each.message[:300] for each in jsonschema.Draft202012Validator(found).iter_errors(document)
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("verb", "line"), LINES)
def test_documents_fit(
    verb: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNSHADE_CACHE", str(tmp_path))
    printed = unshade(verb, *line.split(), "--json")
    assert printed.out.startswith(("{", "[")), printed.err
    assert problems(json.loads(printed.out), schema(verb)) == []


@pytest.fixture(scope="module")
def catalogues(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return two catalogues whose folders have a file in common, one that changed, and others."""
    pytest.importorskip("duckdb", reason="not installed: pip install -e '.[catalog]'")
    folder = tmp_path_factory.mktemp("catalogues")
    old, new = folder / "old", folder / "new"
    assert unshade("catalog", "scan", PHONG, SAXPY, "--to", old).code == 0
    assert unshade("catalog", "scan", PHONG, GYROID, "--to", new).code == 0
    return {"old": old, "new": new}


@pytest.mark.slow
@pytest.mark.parametrize(("verb", "line"), CATALOGUES)
def test_documents_of_catalogues_fit(
    verb: str, line: str, catalogues: dict[str, Path], tmp_path: Path
) -> None:
    line = line.format(**catalogues, made=tmp_path / "made")
    printed = unshade(*verb.split(), *line.split(), "--json")
    assert printed.out.startswith(("{", "[")), printed.err
    document = json.loads(printed.out)
    assert problems(document, schema(verb)) == []
    assert problems([document], schema(verb)) != []


@pytest.mark.parametrize("verb", [name for name, each in VERBS.items() if hasattr(each, "schema")])
def test_schemas_are_schemas_with_a_version(verb: str) -> None:
    found = json.loads(unshade(*verb.split(), "--schema").out)
    jsonschema.Draft202012Validator.check_schema(found)
    assert found["$id"] == f"urn:unshade:{verb.replace(' ', '-')}-json:1"
    if verb == "explain":  # of words, not of files
        assert problems([], found) == []
    elif verb == "catalog query":  # prints rows of any columns
        assert problems([{"a": 1}], found) == []
    elif verb not in ("diff", "prove") and not verb.startswith("catalog "):  # these name two files
        refused = {"file": "a", "error": {"kind": "FormatError", "message": "b"}}
        assert problems(refused, found) == []
    assert problems({"file": "a", "nonsense": 1}, found) != []


def test_every_verb_with_json_has_a_schema() -> None:
    assert [name for name, each in VERBS.items() if hasattr(each, "as_json")] == [
        name for name, each in VERBS.items() if hasattr(each, "schema")
    ]


@pytest.mark.parametrize(
    ("shape", "right", "wrong"),
    [
        ("integer", 1, "a"),
        ("integer?", None, "a"),
        (["string"], ["a"], [1]),
        ({"a": "integer", "b?": "string"}, {"a": 1}, {"b": "x"}),
        ({"a": "integer"}, {"a": 1}, {"a": 1, "c": 2}),
        ({"*": "integer"}, {"x": 1, "y": 2}, {"x": "y"}),
        (("integer", "string"), "a", None),
        ("any", None, ...),
    ],
)
def test_shapes(shape: Any, right: Any, wrong: Any) -> None:
    assert problems(right, shaped(shape)) == []
    assert wrong is ... or problems(wrong, shaped(shape)) != []
