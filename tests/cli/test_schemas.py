"""What `--json` prints fits what `--schema` prints, for every verb that has both."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.terminal import PHONG, SAXPY, unshade
from tests.examples import EXAMPLES
from unshade.cli.commands import VERBS
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


@pytest.mark.parametrize("verb", [name for name, each in VERBS.items() if hasattr(each, "schema")])
def test_schemas_are_schemas_with_a_version(verb: str) -> None:
    found = json.loads(unshade(verb, "--schema").out)
    jsonschema.Draft202012Validator.check_schema(found)
    assert found["$id"] == f"urn:unshade:{verb}-json:1"
    if verb not in ("diff", "prove"):  # these name two files
        refused = {"file": "a", "error": {"kind": "FormatError", "message": "b"}}
        assert problems(refused, found) == []
    assert problems({"file": "a", "nonsense": 1}, found) != []


def test_every_verb_with_json_has_a_schema() -> None:
    """Those of catalogues print rows, whose columns are the query's or the catalogue's."""
    without = [
        name for name, each in VERBS.items()
        if hasattr(each, "as_json") and not hasattr(each, "schema")
    ]  # fmt: skip
    assert all(each.startswith("catalog ") for each in without)


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
