"""SARIF: the structure that the standard asks for, and places that a reader finds."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.cli.terminal import PHONG, SAXPY, unshade
from tests.model.schema_check import violations
from unshade.analysis.explanations import known_rules
from unshade.damaged import MALFORMED
from unshade.errors import Diagnostic, Severity
from unshade.report.sarif import VERSION, sarif

TEXT = {"type": "string", "pattern": "."}
LEVEL = {"enum": ["none", "note", "warning", "error"]}


def closed(required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


def several(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}


NATURAL = {"type": "integer", "minimum": 0, "maximum": 1 << 40}
MESSAGE = closed({"text": TEXT})
ARTIFACT = closed({"uri": {"type": "string", "pattern": r"^[!-~]+$"}}, {"uriBaseId": TEXT})
PLACE = closed(
    {"artifactLocation": closed({**ARTIFACT["properties"], "index": NATURAL}, {})},
    {"region": closed({"byteOffset": NATURAL})},
)
PLACE["properties"]["artifactLocation"]["required"] = ["uri", "index"]
LOCATION = closed(
    {"physicalLocation": PLACE},
    {"logicalLocations": several(closed({"fullyQualifiedName": TEXT}))},
)
RULE = closed(
    {
        "id": TEXT,
        "shortDescription": MESSAGE,
        "fullDescription": MESSAGE,
        "help": closed({"text": TEXT}, {"markdown": TEXT}),
        "defaultConfiguration": closed({"level": LEVEL}),
    }
)
RESULT = closed(
    {
        "ruleId": TEXT,
        "level": LEVEL,
        "message": MESSAGE,
        "locations": several(LOCATION),
        "partialFingerprints": closed({"rulePath/v1": TEXT}),
    },
    {"ruleIndex": NATURAL},
)
NOTIFICATION = closed(
    {
        "level": LEVEL,
        "message": MESSAGE,
        "descriptor": closed({"id": TEXT}),
        "locations": several(LOCATION),
    }
)
RUN = closed(
    {
        "tool": closed({"driver": closed({"name": TEXT, "version": TEXT, "rules": several(RULE)})}),
        "artifacts": several(closed({"location": ARTIFACT, "roles": several(TEXT)})),
        "results": several(RESULT),
        "invocations": several(
            closed(
                {
                    "executionSuccessful": {"type": "boolean"},
                    "toolExecutionNotifications": several(NOTIFICATION),
                }
            )
        ),
    }
)
# What the standard's own schema says of the properties that are written here, and no others.
SARIF = {
    "$defs": {},
    **closed({"$schema": TEXT, "version": {"enum": ["2.1.0"]}, "runs": several(RUN)}),
}


def run_of(documents: list[dict[str, Any]]) -> dict[str, Any]:
    log = sarif(documents, known_rules().values(), tool_version="1")
    assert violations(log, SARIF) == []
    [run] = log["runs"]
    return dict(run)


def finding(**changed: Any) -> dict[str, object]:
    given: dict[str, Any] = {"offset": 4, "path": "SHDR.instructions[2]", **changed}
    return Diagnostic("tpf.mask", Severity.ERROR, "no component", **given).to_dict()


@pytest.fixture
def cut(tmp_path: Path) -> Path:
    path = tmp_path / "cut.dxbc"
    path.write_bytes(PHONG.read_bytes()[:2000])
    return path


@pytest.mark.slow
def test_a_log_of_files_of_every_kind(cut: Path) -> None:
    ended = unshade("verify", "--format", "sarif", PHONG, cut, "missing", SAXPY)
    assert ended.code == 3
    log = json.loads(ended.out)
    assert violations(log, SARIF) == []
    assert log["version"] == VERSION
    [run] = log["runs"]
    assert [each["ruleId"] for each in run["results"]] == [
        "container.program-part", *[MALFORMED.code] * 2, "container.program-part",
    ]  # fmt: skip
    for each in run["results"]:
        assert run["tool"]["driver"]["rules"][each["ruleIndex"]]["id"] == each["ruleId"]
        place = each["locations"][0]["physicalLocation"]["artifactLocation"]
        assert run["artifacts"][place["index"]]["location"]["uri"] == place["uri"]
    note, _, malformed, _ = run["results"]
    assert note["level"] == "note"
    assert note["locations"][0]["physicalLocation"]["region"] == {"byteOffset": 0x384}
    assert note["locations"][0]["logicalLocations"] == [{"fullyQualifiedName": "SHDR"}]
    assert malformed["locations"][0]["physicalLocation"]["region"] == {"byteOffset": 0x380}
    assert malformed["locations"][0]["logicalLocations"] == [
        {"fullyQualifiedName": "parts[3].size"}
    ]
    [invocation] = run["invocations"]
    assert not invocation["executionSuccessful"]
    [notification] = invocation["toolExecutionNotifications"]
    assert notification["message"]["text"] == "No such file or directory"


def test_every_rule_is_described_with_its_help() -> None:
    described = {each["id"]: each for each in run_of([])["tool"]["driver"]["rules"]}
    assert list(described) == list(known_rules())
    for code, rule in known_rules().items():
        assert rule.explanation in described[code]["help"]["text"]
        assert described[code]["defaultConfiguration"]["level"] == str(rule.severity)


def test_a_run_without_findings_says_which_files_were_checked() -> None:
    run = run_of([{"file": "a.dxbc", "findings": []}])
    assert run["results"] == []
    assert [each["location"]["uri"] for each in run["artifacts"]] == ["a.dxbc"]
    assert run["invocations"][0]["executionSuccessful"]


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("a b/ä#.dxbc", {"uri": "a%20b/%C3%A4%23.dxbc", "uriBaseId": "%SRCROOT%"}),
        (os.fsdecode(b"\xff.dxbc"), {"uri": "%FF.dxbc", "uriBaseId": "%SRCROOT%"}),
        ("/tmp/x.dxbc", {"uri": "file:///tmp/x.dxbc"}),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="paths of POSIX")
def test_paths_are_uris(path: str, location: dict[str, str]) -> None:
    run = run_of([{"file": path, "findings": [finding()]}])
    assert run["artifacts"][0]["location"] == location
    place = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {**location, "index": 0}


def test_a_finding_without_a_place_has_no_region() -> None:
    [result] = run_of([{"file": "a", "findings": [finding(offset=None, path="")]}])["results"]
    [location] = result["locations"]
    assert list(location) == ["physicalLocation"]
    assert "region" not in location["physicalLocation"]
    [result] = run_of([{"file": "a", "findings": [finding(offset=0)]}])["results"]
    assert result["locations"][0]["physicalLocation"]["region"] == {"byteOffset": 0}


def test_a_finding_is_known_again_where_only_offsets_moved() -> None:
    before, after, other = (
        run_of([{"file": "a", "findings": [each]}])["results"][0]["partialFingerprints"]
        for each in (finding(), finding(offset=99), finding(path="SHDR.instructions[3]"))
    )
    assert before == after != other
