"""Findings and measurements in forms that other programs read.

    sarif   code scanning and editors        junit   test reports of CI systems

Both are made from the plain documents that `unshade verify --json` prints, one a file:
{"file": …, "findings": […]}, or {"file": …, "error": {…}} for a file that could not be checked;
or `unshade check --pipeline --json`, with "pipeline" in place of "file", and the "places" of each
finding in the files of the stages.
"""

from typing import Any

Document = dict[str, Any]

__all__ = ["Document", "name_of"]


def name_of(document: Document) -> str:
    """Return the name of the file or pipeline that a document describes."""
    name: str = document["file"] if "file" in document else document["pipeline"]
    return name
