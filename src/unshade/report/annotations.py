"""Findings as workflow commands of GitHub Actions, which shows them beside the files of a change.

    ::error file=shaders/ps.cso,title=tpf.mask::at 0x1a4: SHDR.instructions[3]: invalid write mask

A service shows the first ten errors, ten warnings and ten notices of a step, and all in its log.
Binary files have no lines, so an annotation belongs to the file.

Source: "Workflow commands for GitHub Actions", docs.github.com; the escapes are those of
actions/toolkit, packages/core/src/command.ts.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ..errors import Severity
from ..screens.text import visible
from . import diagnostic_of, name_of

if TYPE_CHECKING:
    from . import Document

__all__ = ["workflow_commands"]

COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
ESCAPES = {"%": "%25", "\r": "%0D", "\n": "%0A"}
IN_PROPERTY = {**ESCAPES, ":": "%3A", ",": "%2C"}


def workflow_commands(documents: Iterable["Document"]) -> str:
    """Return the commands for the findings of each file or pipeline, a line each."""
    lines = []
    for document in documents:
        name = name_of(document)
        if "error" in document:
            error = document["error"]
            lines.append(_command("error", name, error["kind"], error["message"]))
            continue
        for data in document["findings"]:
            each = diagnostic_of(data)
            places = data.get("places") or [{"file": name}]
            # `str` begins with the severity and the code, which the command and its title state.
            message = str(each).removeprefix(f"{each.severity} {each.code}").lstrip(": ")
            lines.append(_command(COMMANDS[each.severity], places[0]["file"], each.code, message))
    return "".join(f"{line}\n" for line in lines)


def _command(command: str, name: str, title: str, message: str) -> str:
    fields = f"file={_escaped(name, IN_PROPERTY)},title={_escaped(title, IN_PROPERTY)}"
    return f"::{command} {fields}::{_escaped(message, ESCAPES)}"


def _escaped(text: str, escapes: Mapping[str, str]) -> str:
    return "".join(escapes.get(each, each) for each in visible(text, keep="\r\n"))
