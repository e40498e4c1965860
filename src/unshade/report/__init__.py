"""Findings and measurements in forms that other programs read.

    sarif         code scanning and editors        junit   test reports of CI systems
    annotations   workflow commands of GitHub Actions

They are made from the plain documents that `unshade verify --json` prints, one a file:
{"file": …, "findings": […]}, or {"file": …, "error": {…}} for a file that could not be checked;
or `unshade check --pipeline --json`, with "pipeline" in place of "file", and the "places" of each
finding in the files of the stages.
"""

from typing import Any

from ..errors import Diagnostic, Severity

Document = dict[str, Any]

__all__ = ["Document", "diagnostic_of", "name_of"]


def name_of(document: Document) -> str:
    """Return the name of the file or pipeline that a document describes."""
    name: str = document["file"] if "file" in document else document["pipeline"]
    return name


def diagnostic_of(data: dict[str, Any]) -> Diagnostic:
    """Return the diagnostic of plain data, with the reference and places of a pipeline's."""
    message = data["message"]
    if data.get("reference"):
        message += f" [{data['reference']}]"
    for each in data.get("places", ()):
        where = "" if each["offset"] is None else f" at 0x{each['offset']:x}"
        message += f"; {each['file']}{where} {each['path']}".rstrip()
    severity = Severity(data["severity"])
    return Diagnostic(data["code"], severity, message, offset=data["offset"], path=data["path"])
