"""Findings as SARIF 2.1.0, which code scanning services and editors show beside the files.

    run
    ├── tool.driver.rules[]          every rule that was checked, with its help
    ├── artifacts[]                  every file that was checked
    ├── results[]                    one a finding
    │     locations[0]
    │       physicalLocation         the file, and region.byteOffset
    │       logicalLocations         the dotted path of the field: parts[3].size
    │     relatedLocations           of a pipeline: places in the files of the other stages
    └── invocations[0]
          toolExecutionNotifications files that could not be checked

A malformed file is a result, since something is wrong with the file. An error is a notification if
the file cannot be read, is not supported, or exceeds a limit, since nothing is known about the
file.

Source: OASIS, Static Analysis Results Interchange Format 2.1.0, errata 1 (sections in comments).
"""

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ..damaged import MALFORMED
from . import name_of

if TYPE_CHECKING:
    from ..rule import Rule
    from . import Document

VERSION = "2.1.0"
SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
ROOT = "%SRCROOT%"  # what relative paths are relative to: for the reader to say (3.14.14)
IN_FILES = "FormatError"  # the one error that says something about the file


def sarif(
    documents: Iterable["Document"], rules: Iterable["Rule"], *, tool_version: str
) -> dict[str, Any]:
    """Return a SARIF log of one run over these files; the rules are those that may be in it."""
    described = list(map(_rule, rules))
    index = {each["id"]: at for at, each in enumerate(described)}
    places: dict[str, dict[str, Any]] = {}  # of artifacts
    results: list[dict[str, Any]] = []
    notifications: list[dict[str, Any]] = []

    def placed(file: str) -> dict[str, Any]:
        known = {**_artifact_location(file), "index": len(places)}
        return places.setdefault(file, known)

    for document in documents:
        stages = [each["file"] for each in document.get("stages", ())]
        place, *_ = [placed(each) for each in stages or [name_of(document)]]
        findings: Sequence[dict[str, Any]] = document.get("findings", ())
        error = document.get("error")
        if error is not None and error["kind"] == IN_FILES:
            findings = [{"code": MALFORMED.code, "severity": "error", **error}]
        elif error is not None:
            notifications.append(
                {
                    "level": "error",
                    "message": {"text": error["message"]},
                    "descriptor": {"id": error["kind"]},
                    "locations": [{"physicalLocation": {"artifactLocation": place}}],
                }
            )
        for each in findings:
            others = each.get("places", ())
            found = _result(each, placed(others[0]["file"]) if others else place, index)
            if others[1:]:
                found["relatedLocations"] = [
                    _location(placed(one["file"]), one["offset"], one["path"]) for one in others[1:]
                ]
            results.append(found)
    return {
        "$schema": SCHEMA,
        "version": VERSION,
        "runs": [
            {
                "tool": {
                    "driver": {"name": "unshade", "version": tool_version, "rules": described}
                },
                "artifacts": [
                    {"location": _artifact_location(file), "roles": ["analysisTarget"]}
                    for file in places
                ],
                "results": results,
                "invocations": [
                    {
                        "executionSuccessful": not notifications,
                        "toolExecutionNotifications": notifications,
                    }
                ],
            }
        ],
    }


def _rule(rule: "Rule") -> dict[str, Any]:
    """Return a reportingDescriptor (3.49)."""
    return {
        "id": rule.code,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.explanation},
        "help": {
            "text": f"{rule.summary}\n\n{rule.explanation}",
            "markdown": f"**{_markdown(rule.summary)}**\n\n{_markdown(rule.explanation)}",
        },
        "defaultConfiguration": {"level": str(rule.severity)},
    }


def _result(
    finding: dict[str, Any], place: dict[str, Any], index: dict[str, int]
) -> dict[str, Any]:
    """Return a result (3.27); severities have the names of levels."""
    path = finding.get("path") or ""
    reference = f" [{finding['reference']}]" if finding.get("reference") else ""
    found = {
        "ruleId": finding["code"],
        "level": finding["severity"],
        "message": {"text": finding["message"] + reference},
        "locations": [_location(place, finding.get("offset"), path)],
        # Offsets move with every change; rule and path stay, so that a reader knows it again.
        "partialFingerprints": {"rulePath/v1": f"{finding['code']}:{path}"},
    }
    if finding["code"] in index:
        found["ruleIndex"] = index[finding["code"]]
    return found


def _location(place: dict[str, Any], offset: int | None, path: str) -> dict[str, Any]:
    """Return a location (3.28)."""
    physical: dict[str, Any] = {"artifactLocation": place}
    if offset is not None:
        physical["region"] = {"byteOffset": offset}
    location: dict[str, Any] = {"physicalLocation": physical}
    if path:
        location["logicalLocations"] = [{"fullyQualifiedName": path}]
    return location


def _artifact_location(path: str) -> dict[str, Any]:
    """Return an artifactLocation (3.4): a relative path stays relative to the folder of the run."""
    name = os.fsencode(path.replace(os.sep, "/"))
    if os.path.isabs(path):  # with the colon of a drive
        uri = quote(name, safe="/:")
        return {"uri": f"file://{'' if uri.startswith('/') else '/'}{uri}"}
    return {"uri": quote(name), "uriBaseId": ROOT}


def _markdown(text: str) -> str:
    """Return the text with Markdown's special characters escaped."""
    return "".join(f"\\{c}" if c in "\\`*_[]<>#|" else c for c in text)
