"""`unshade.info`: one shader in brief: what it is, what its bytes are for, what it takes and costs.

Everything in it comes from the shader's own reading, reflection and diagnostics; nothing is
computed here but sums. `Info.to_dict()` is the data of `unshade info --json`.
"""

from typing import Any

from .errors import UnshadeError, UnsupportedError
from .model.plain import Facts, fact, schema_of
from .model.reflection import Reflection
from .notebook import Shown
from .shader import Shader

__all__ = ["Info", "PartInfo", "info", "parts_of", "schema"]


class PartInfo(Facts):
    """One part of a container."""

    name: str = fact("its four letters")
    offset: int = fact("where its header begins, from the start of the file")
    size: int = fact("bytes of its data")
    extents: list[list[int]] = fact(
        "start and end of each run of its bytes where other parts stand between; else empty",
        factory=list,
    )
    title: str = fact("what such parts hold, empty where that is not known", default="")
    state: str = fact("`typed`, `raw` where nothing here describes it, `malformed`")


class Finding(Facts):
    """What was odd while reading."""

    code: str = fact("stable name of the rule")
    severity: str = fact("error, warning or note")
    offset: int | None = fact("where, from the start of the file", default=None)
    path: str = fact("dotted path of the field, may be empty", default="")
    message: str = fact("a sentence")


class Info(Shown, Facts):
    """One shader in brief."""

    drawn_by = "info"

    format: str = fact("format of the file: dxcontainer, …")
    size: int = fact("bytes of the file")
    trailing: int = fact("bytes behind the shader's own end, counted in `size`", default=0)
    digest: str | None = fact(
        "`retail`, `debug`, `none`, `bypass`, `preview bypass`, or `unknown` where it is none of"
        " these (the bytes were changed); None where the format has no digest",
        default=None,
    )
    parts: list[PartInfo] = fact("in file order; empty where the format has none", factory=list)
    reflection: Reflection | None = fact("None where the code cannot be read yet", default=None)
    findings: list[Finding] = fact("what was odd while reading", factory=list)
    notes: list[str] = fact("what could not be shown, in sentences", factory=list)


def info(shader: Shader) -> Info:
    """What there is to say about a shader in brief; an odd file gives findings, not an error."""
    size = len(shader.to_bytes())  # before a part is read: its bytes need no writer then
    parts = parts_of(shader)
    reflection: Reflection | None = None
    notes: list[str] = []
    try:
        reflection = shader.reflect()
    except UnsupportedError as error:
        notes.append(f"no reflection: {error}")
    except UnshadeError as error:
        notes.append(f"the reflection stopped {error}")
    return Info(
        format=shader.format,
        size=size,
        trailing=len(shader.trailing),
        digest=shader.digest_state,
        parts=parts,
        reflection=reflection,
        findings=[
            Finding(
                code=each.code,
                severity=str(each.severity),
                offset=each.offset,
                path=each.path,
                message=each.message,
            )
            for each in shader.diagnostics
        ],
        notes=[*notes, *notes_of(reflection)],
    )


def notes_of(reflection: Reflection | None) -> list[str]:
    """What a reflection says could not be read, those of its entry points included."""
    if reflection is None:
        return []
    inner = (
        f"{each.entry_point}: {note}" for each in reflection.entry_points for note in each.notes
    )
    return [*reflection.notes, *inner]


def parts_of(shader: Shader) -> list[PartInfo]:
    """The parts of a container in file order; none for other formats."""
    found = []
    for part in shader.parts:
        size, runs = part.size, part.extents
        raw = isinstance(part.value, bytes)  # reading it tells whether it is malformed
        found.append(
            PartInfo(
                name=part.name,
                offset=part.offset,
                size=size,
                extents=[list(run) for run in runs] if len(runs) > 1 else [],
                title=part.title,
                state="malformed" if part.error else "raw" if raw else "typed",
            )
        )
    return found


def schema() -> dict[str, Any]:
    """The JSON Schema of `Info.to_dict()`."""
    return schema_of(Info, "urn:unshade:info:1")
