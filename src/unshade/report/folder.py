"""The index of a folder's pages: a table of its shaders that can be sorted and filtered.

Each row is made where its shader is open (`FolderRow.of`), so that no page is read again. Without
JavaScript, the page shows the first rows.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from ..dataclass import dataclass, replace
from ..errors import UnshadeError
from ..formats import LANGUAGES
from ..model import Reflection
from ..overview import Info, info
from ..rule import is_finding
from ..screens.text import many, visible
from ..shader import Shader
from .tables import ColumnHeading, table_page

__all__ = ["FolderRow", "folder_page"]

HEADINGS = (
    ColumnHeading("name", "File", "text"),
    ColumnHeading("format", "Format", "word"),
    ColumnHeading("stage", "Stage", "word"),
    ColumnHeading("target", "Target", "word"),
    ColumnHeading("size", "Bytes", "number"),
    ColumnHeading("instructions", "Instructions", "number"),
    ColumnHeading("resources", "Resources", "number"),
    ColumnHeading("findings", "Findings", "number"),
    ColumnHeading("digest", "Digest", "word"),
    ColumnHeading("compiler", "Compiler", "word"),
    ColumnHeading("hash", "SHA-256", "text"),
)
DIGITS = 16  # of a file's SHA-256
UNKNOWN = -1


@dataclass(frozen=True, slots=True)
class FolderRow:
    """One file of the index.

    Attributes:
        name: Path of the file below the folder.
        page: Link to its page, relative and percent-encoded; empty if there is none.
        format, stage, target, compiler: As `info` shows them; `target` is the profile or version.
        digest: State of the container's digest; empty if the format has none.
        hash: First digits of the SHA-256 of the file, equal for equal files.
        size, instructions, resources, findings: Numbers; -1 if unknown.
        error: The reason why the file could not be opened, or its damage.
    """

    name: str
    page: str = ""
    format: str = ""
    stage: str = ""
    target: str = ""
    compiler: str = ""
    digest: str = ""
    hash: str = ""
    size: int = UNKNOWN
    instructions: int = UNKNOWN
    resources: int = UNKNOWN
    findings: int = UNKNOWN
    error: str = ""

    @classmethod
    def of(cls, shader: Shader, name: str, page: str = "") -> "FolderRow":
        """Return the row of an open shader."""
        made = cls.of_info(shader, info(shader), name)
        error = visible(str(shader.damage or ""))
        return replace(made, page=page, findings=_findings(shader), error=error)

    @classmethod
    def of_info(cls, shader: Shader, about: Info, name: str) -> "FolderRow":
        """Return the row of a shader whose summary is known, without findings and damage."""
        data = shader.to_bytes()
        made = cls(
            name, format=about.format, digest=about.digest or "", size=len(data),
            hash=sha256(data).hexdigest()[:DIGITS],
        )  # fmt: skip
        found = about.reflection
        return made if found is None else replace(made, **_reflected(found))


def _findings(shader: Shader) -> int:
    try:
        return sum(map(is_finding, shader.verify()))
    except UnshadeError:
        return UNKNOWN


def _reflected(found: Reflection) -> dict[str, Any]:
    programs = found.entry_points or [found]
    stages = dict.fromkeys(str(each.stage) for each in programs if each.stage is not None)
    statistics = (each.statistics for each in (found, *found.entry_points))
    counts = [each.instructions for each in statistics if each is not None]
    known = [count for count in counts if count is not None]
    language = LANGUAGES.get(found.code or "", found.code or "")
    return {
        "stage": ", ".join(stages),
        "target": found.profile or f"{language} {found.model or ''}".strip(),
        "compiler": found.creator or "",
        "instructions": sum(known) if known else UNKNOWN,
        "resources": sum(len(each.resources) for each in (found, *found.entry_points)),
    }


def folder_page(rows: Sequence[FolderRow], title: str) -> str:
    """Return the index of a folder.

    Args:
        rows: Its files, in the order that the page shows first.
        title: The name of the folder on the page.
    """
    failed = [row for row in rows if row.size < 0]
    return table_page("folder", title, _headline(rows), HEADINGS, rows, failed)


def _headline(rows: Sequence[FolderRow]) -> str:
    """Return `9 shaders, 57,020 bytes, 2 findings; 1 file could not be opened`."""
    opened = [row for row in rows if row.size >= 0]
    size = sum(row.size for row in opened)
    counts = [many(len(opened), "shader"), many(size, "byte")]
    findings = sum(max(row.findings, 0) for row in opened)
    if findings:
        counts.append(many(findings, "finding"))
    failed = len(rows) - len(opened)
    rest = f"; {many(failed, 'file')} could not be opened" if failed else ""
    return ", ".join(counts) + rest
