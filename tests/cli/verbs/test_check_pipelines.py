"""`unshade check --pipeline`: text, JSON, JUnit, SARIF, exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.terminal import PHONG, unshade
from tests.examples import EXAMPLES
from unshade.formats.dxcontainer import DxContainer

SKINNING = EXAMPLES / "skinning.dxbc"
WORDS = (
    "Vertex Shader - Pixel Shader linkage error: Signatures between stages are incompatible."
    " Semantic 'TEXCOORD' is defined for mismatched hardware registers between the output stage"
    " and input stage. TEXCOORD1 is o1.xy in vertex shader, v3.xy in pixel shader"
)
REFERENCE = "EXECUTION ERROR #343: DEVICE_SHADER_LINKAGE_REGISTERINDEX"


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    shader = DxContainer.open(PHONG)
    shader["ISGN"].elements[1].register = 3
    path = tmp_path / "ps.dxbc"
    shader.save(path)
    return path


def test_a_pipeline_that_fits() -> None:
    assert unshade("check", "--pipeline", SKINNING, PHONG) == (0, b"", "")


def test_a_finding_has_the_places_in_both_files(broken: Path) -> None:
    ended = unshade("check", "--pipeline", SKINNING, broken)
    assert ended.code == 1
    assert ended.out.splitlines() == [
        f"{broken}: error link.register at 0x5c: ISGN.elements[1]: {WORDS} [{REFERENCE}]",
        f"    {SKINNING} at 0x1d8 OSGN.elements[1]",
    ]


def test_json(broken: Path) -> None:
    document = json.loads(unshade("check", "--pipeline", SKINNING, broken, "--json").out)
    assert document["pipeline"] == f"{SKINNING} + {broken}"
    assert [each["stage"] for each in document["stages"]] == ["vertex", "pixel"]
    [finding] = document["findings"]
    assert (finding["code"], finding["reference"]) == ("link.register", REFERENCE)
    assert [(each["file"], each["path"]) for each in finding["places"]] == [
        (str(broken), "ISGN.elements[1]"), (str(SKINNING), "OSGN.elements[1]"),
    ]  # fmt: skip


def test_junit(broken: Path) -> None:
    ended = unshade("check", "--pipeline", SKINNING, broken, "--format", "junit")
    assert ended.code == 1
    [suite] = ElementTree.fromstring(ended.out)
    assert suite.get("name") == "unshade check"
    [case] = suite
    assert case.get("name") == f"{SKINNING} + {broken}"
    [failure] = case
    assert failure.get("type") == "link.register"
    assert f"[{REFERENCE}]" in str(failure.text)
    assert f"{SKINNING} at 0x1d8 OSGN.elements[1]" in str(failure.text)


def test_sarif_has_the_files_of_all_stages(broken: Path) -> None:
    ended = unshade("check", "--pipeline", SKINNING, broken, "--format", "sarif")
    assert ended.code == 1
    [run] = json.loads(ended.out)["runs"]
    assert len(run["artifacts"]) == 2
    [result] = run["results"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "link.register"
    [location] = result["locations"]
    assert location["physicalLocation"]["region"] == {"byteOffset": 0x5C}
    assert location["physicalLocation"]["artifactLocation"]["index"] == 1
    [related] = result["relatedLocations"]
    assert related["physicalLocation"]["region"] == {"byteOffset": 0x1D8}
    assert related["physicalLocation"]["artifactLocation"]["index"] == 0


def test_wrong_usage(broken: Path) -> None:
    assert unshade("check", "--format", "junit", PHONG).code == 2  # no limits
    assert unshade("check", "--pipeline", SKINNING, PHONG, "--json", "--format", "sarif").code == 2
    ended = unshade("check", "--pipeline", PHONG, broken)
    assert ended.code == 2
    assert "two pixel shaders" in ended.err


def test_a_file_that_is_no_stage_is_named(tmp_path: Path) -> None:
    """One of no format, and a database beside options; standard input is a stage."""
    text = tmp_path / "notes.txt"
    text.write_text("hello\n")
    ended = unshade("check", "--pipeline", text, PHONG)
    assert (ended.code, ended.err) == (3, f"unshade: {text}: not a compiled shader: text\n")
    ended = unshade("check", "--pipeline", "-", PHONG, stdin=SKINNING.read_bytes())
    assert (ended.code, ended.err) == (0, "")
    database = EXAMPLES / "pipelines.sodb"
    state = tmp_path / "state.json"
    state.write_text("{}")
    ended = unshade("check", "--pipeline", database, "--state", state)
    assert ended.code == 2
    assert f"{database} describes its pipelines: expected no --state" in ended.err


def test_a_rule_is_explained() -> None:
    ended = unshade("verify", "--explain", "link.register")
    assert ended.code == 0
    assert "compilers number" in " ".join(ended.out.split())


def test_a_root_signature_in_hlsl(tmp_path: Path) -> None:
    text = tmp_path / "main.rootsig"
    text.write_text("RootFlags(ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT), CBV(b0)\n")
    ended = unshade("check", "--pipeline", SKINNING, "--root-signature", text)
    assert ended == (0, b"", "")
    ended = unshade("check", "--pipeline", SKINNING, PHONG, "--root-signature", text)
    assert ended.code == 1
    assert {line.split()[2] for line in ended.out.splitlines()} == {"rts0.unbound"}
    text.write_text("CBV(x0)\n")
    ended = unshade("check", "--pipeline", SKINNING, "--root-signature", text)
    assert ended.code == 3
    assert ended.err.startswith(f"{text}:1:5: ")
    assert unshade("check", SKINNING, "--max-bytes", "1", "--root-signature", text).code == 2


@pytest.fixture
def folder(broken: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with two pairs, of which the second does not fit, and a file alone."""
    for name, source in (
        ("vs/a", SKINNING), ("ps/a", PHONG), ("vs/b", SKINNING), ("ps/b", broken),
        ("vs/c", SKINNING),
    ):  # fmt: skip
        path = tmp_path / f"{name}.cso"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(source.read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_pairs_by_a_rule(folder: Path) -> None:
    ended = unshade("check", "--pair", "vs/*.cso=ps/*.cso")
    assert ended.code == 1
    assert [line.split(":")[0] for line in ended.out.splitlines()] == [
        "ps/b.cso", "    vs/b.cso at 0x1d8 OSGN.elements[1]",
    ]  # fmt: skip
    assert ended.err == (
        "unshade: vs/c.cso: no partner for vs/*.cso=ps/*.cso\n"
        "unshade: 2 pipelines: 1 fine, 1 with findings\n"
    )
    documents = json.loads(unshade("check", "--pair", "vs/*.cso=ps/*.cso", "--json").out)
    assert [each["pipeline"] for each in documents] == [
        "vs/a.cso + ps/a.cso",
        "vs/b.cso + ps/b.cso",
    ]
    ended = unshade("check", "--pair", "vs/x*.cso=ps/x*.cso")
    assert (ended.code, ended.err) == (2, "unshade: no pipelines\n")


def test_each_file_of_a_glob_is_checked_against_a_root_signature(folder: Path) -> None:
    (folder / "main.rootsig").write_text("CBV(b0, visibility=SHADER_VISIBILITY_VERTEX)")
    ended = unshade("check", "--pair", "*/a.cso", "--root-signature", "main.rootsig", "--json")
    assert ended.code == 1
    found = {each["pipeline"]: len(each["findings"]) for each in json.loads(ended.out)}
    assert sorted(found) == ["ps/a.cso", "vs/a.cso"]
    assert found["ps/a.cso"] > found["vs/a.cso"]
    ended = unshade("check", "vs", "--pair", "*/a.cso")
    assert ended.err.endswith("needs --pipeline: the globs of --pair contain the folders\n")


def test_pipelines_of_a_file(folder: Path) -> None:
    (folder / "main.rootsig").write_text("CBV(b0)")
    pipelines = [
        {"name": "first", "stages": ["vs/a.cso", {"file": "ps/a.cso", "entry": "main"}]},
        {"stages": ["vs/b.cso", "ps/b.cso"]},
        {"name": "third", "stages": ["vs/a.cso"], "root_signature": "main.rootsig"},
        {"name": "gone", "stages": ["vs/x.cso"]},
    ]
    (folder / "sub").mkdir()
    (folder / "all.json").write_text(json.dumps({"pipelines": pipelines}))
    ended = unshade("check", "--pipelines", "all.json", "--format", "junit")
    [suite] = ElementTree.fromstring(ended.out)
    shown = {case.get("name"): [each.get("type") for each in case] for case in suite}
    assert shown == {
        "first": [],
        "vs/b.cso + ps/b.cso": ["link.register"],
        "third": ["root.input-layout"],
        "gone": ["UsageError"],
    }
    assert ended.code == 2
    (folder / "all.json").write_text("[]")
    assert unshade("check", "--pipelines", "all.json").code == 2
    assert unshade("check", "--pipelines", "all.json", "vs/a.cso").code == 2
    assert unshade("check").code == 2
