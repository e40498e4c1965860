"""Findings as SARIF 2.1.0, which code scanning services and editors show beside the files.

    run
    ├── tool.driver.rules[]          every rule that was checked, with its help
    ├── artifacts[]                  every file that was checked
    ├── results[]                    one a finding
    │     locations[0]
    │       physicalLocation         the file, and region.byteOffset
    │       logicalLocations         the dotted path of the field: parts[3].size
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
    artifacts: list[dict[str, Any]] = []
    results: list[dict[str, Any]] = []
    notifications: list[dict[str, Any]] = []
    for at, document in enumerate(documents):
        place = {**_artifact_location(document["file"]), "index": at}
        artifacts.append(
            {"location": _artifact_location(document["file"]), "roles": ["analysisTarget"]}
        )
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
        results += [_result(each, place, index) for each in findings]
    return {
        "$schema": SCHEMA,
        "version": VERSION,
        "runs": [
            {
                "tool": {
                    "driver": {"name": "unshade", "version": tool_version, "rules": described}
                },
                "artifacts": artifacts,
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
    physical: dict[str, Any] = {"artifactLocation": place}
    if finding.get("offset") is not None:
        physical["region"] = {"byteOffset": finding["offset"]}
    location: dict[str, Any] = {"physicalLocation": physical}
    path = finding.get("path") or ""
    if path:
        location["logicalLocations"] = [{"fullyQualifiedName": path}]
    found = {
        "ruleId": finding["code"],
        "level": finding["severity"],
        "message": {"text": finding["message"]},
        "locations": [location],
        # Offsets move with every change; rule and path stay, so that a reader knows it again.
        "partialFingerprints": {"rulePath/v1": f"{finding['code']}:{path}"},
    }
    if finding["code"] in index:
        found["ruleIndex"] = index[finding["code"]]
    return found


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
