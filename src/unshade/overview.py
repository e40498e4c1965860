"""`unshade.info`: a summary of one shader.

An overview combines the shader's parts, reflection and diagnostics, and computes only sums.
`Info.to_dict()` is the output of `unshade info --json`.
"""

from collections.abc import Iterable
from typing import Any

from .errors import Diagnostic, UnshadeError, UnsupportedError
from .model.pipelines import StoredPipeline
from .model.plain import Facts, fact, schema_of
from .model.reflection import Reflection
from .model.stateobjects import StoredStateObject
from .notebook import Shown
from .parts import Part
from .shader import Shader, file_of

__all__ = ["CostInfo", "Info", "PartInfo", "info", "parts_of", "schema"]


class PartInfo(Facts):
    """One part of a container."""

    name: str = fact("its four characters")
    offset: int = fact("offset of its header in the file")
    size: int = fact("size of its data in bytes")
    extents: list[list[int]] = fact(
        "start and end of each run of its bytes if other parts lie between them; else empty",
        factory=list,
    )
    title: str = fact("contents of such parts; empty if unknown", default="")
    state: str = fact("`typed`, `raw` (of unknown type) or `malformed`")


class InfoFinding(Facts):
    """A diagnostic of reading the file."""

    code: str = fact("code of the rule")
    severity: str = fact("error, warning or note")
    offset: int | None = fact("offset in the file", default=None)
    path: str = fact("dotted path of the field, may be empty", default="")
    message: str = fact("message")


class CostInfo(Facts):
    """A count of `unshade.cost`, under the name of a metric of budgets."""

    entry_point: str | None = fact("entry point, if the file has several", default=None)
    metric: str = fact("operations, live-registers, …")
    value: int | None = fact("None if a loop has an unknown number of turns", default=None)


class Info(Shown, Facts):
    """Summary of one shader."""

    drawn_by = "info"

    format: str = fact("format of the file: dxcontainer, …")
    size: int = fact("size of the file in bytes; 0 if the format cannot hold the shader")
    trailing: int = fact("bytes after the end of the shader, included in `size`", default=0)
    digest: str | None = fact(
        "`retail`, `debug`, `none`, `bypass` or `preview bypass`; `unknown` if it is none of these"
        " (the file was modified); None if the format has no digest",
        default=None,
    )
    parts: list[PartInfo] = fact("in file order; empty if the format has none", factory=list)
    pipelines: list[StoredPipeline] = fact(
        "pipelines that the file describes, in file order", factory=list
    )
    state_objects: list[StoredStateObject] = fact(
        "ray-tracing pipelines and work graphs that the file describes, in file order",
        factory=list,
    )
    reflection: Reflection | None = fact("None if the code cannot be read yet", default=None)
    findings: list[InfoFinding] = fact("diagnostics of reading the file", factory=list)
    pdb: str | None = fact("path of its PDB, with `--pdbs`; None if there is none", default=None)
    costs: list[CostInfo] = fact("counts of `unshade.cost`, with `--cost`", factory=list)
    notes: list[str] = fact("sentences about missing information", factory=list)


def info(shader: Shader) -> Info:
    """Return a summary of a shader; irregularities of the file become findings, not errors."""
    reflection: Reflection | None = None
    notes: list[str] = []
    file = file_of(shader)  # before a part is decoded, so that none has to be encoded
    size = len(file) if isinstance(file, bytes) else 0
    if not isinstance(file, bytes):
        notes.append(f"no file: {file.problem}")
    parts = parts_of(shader)
    try:
        reflection = shader.reflect()
    except UnsupportedError as error:
        notes.append(f"no reflection: {error}")
    except UnshadeError as error:
        notes.append(f"reflection failed: {error}")
    return Info(
        format=shader.format,
        size=size,
        trailing=len(shader.trailing),
        digest=shader.digest_state,
        parts=parts,
        pipelines=list(shader.pipelines),
        state_objects=list(shader.state_objects),
        reflection=reflection,
        findings=findings_of(shader.diagnostics),
        notes=[*notes, *notes_of(reflection)],
    )


def findings_of(found: Iterable[Diagnostic]) -> list[InfoFinding]:
    """Return diagnostics as part of a summary."""
    return [
        InfoFinding(
            code=each.code,
            severity=str(each.severity),
            offset=each.offset,
            path=each.path,
            message=each.message,
        )
        for each in found
    ]


def notes_of(reflection: Reflection | None) -> list[str]:
    """Return the notes of a reflection and of its entry points."""
    if reflection is None:
        return []
    inner = (
        f"{each.entry_point}: {note}" for each in reflection.entry_points for note in each.notes
    )
    return [*reflection.notes, *inner]


def parts_of(shader: Shader) -> list[PartInfo]:
    """Return the parts of a container in file order; none for other formats."""
    found = []
    for part in shader.parts:
        size, runs = part.size, part.extents
        found.append(
            PartInfo(
                name=part.name,
                offset=part.offset,
                size=size,
                extents=[list(run) for run in runs] if len(runs) > 1 else [],
                title=part.title,
                state=state_of(part),
            )
        )
    return found


def state_of(part: Part) -> str:
    """Return `typed`, `raw` or `malformed`."""
    raw = isinstance(part.value, bytes)  # sets `error` if it is malformed
    return "malformed" if part.error else "raw" if raw else "typed"


def schema() -> dict[str, Any]:
    """Return the JSON Schema of `Info.to_dict()`."""

    return schema_of(Info, "urn:unshade:info:1")
