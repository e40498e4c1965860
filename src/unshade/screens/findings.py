"""Findings of `verify` and of `check --pipeline`, coloured by severity."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..errors import Diagnostic, Severity, UnshadeError
from .text import Segment, visible

if TYPE_CHECKING:
    from ..analysis.pipelines import PipelineFinding
    from ..shader import Shader

COLOURS = {Severity.ERROR: 1, Severity.WARNING: 3, Severity.NOTE: 6}  # red, yellow, cyan
DIM = 244


def line(name: str, finding: Diagnostic) -> list[Segment]:
    """`ps.cso: error tpf.mask at 0x1a4: SHDR.instructions[3]: …`, as `str` formats it."""
    where = "" if finding.offset is None else f" at 0x{finding.offset:x}"
    path = f" {visible(finding.path)}:" if finding.path else ""
    return [
        (f"{visible(name)}: ", None),
        (f"{finding.severity} {finding.code}", COLOURS[finding.severity]),
        (f"{where}:", DIM),
        (f"{path} {visible(finding.message)}", None),
    ]


def listed(shader: "Shader", findings: Iterable[Diagnostic]) -> dict[str, str]:
    """Return the line of the listing that shows each path of a finding, without its indentation.

    Paths of whole parts, and of files that cannot be listed, have none.
    """
    wanted = {each.path for each in findings if each.path.count("[")}
    if not wanted:
        return {}
    try:
        lines = shader.disassemble().splitlines()
        paths = shader.line_paths()
    except UnshadeError:
        return {}
    shown = {path[0]: line.strip() for path, line in zip(paths, lines, strict=False) if path}
    found = {}
    for path in wanted:
        known = path
        while known and known not in shown:
            known = known[: max(known.rfind("."), known.rfind("["), 0)]
        if known.endswith("]"):
            found[path] = shown[known]
    return found


def pipeline_lines(finding: "PipelineFinding") -> Iterator[list[Segment]]:
    """Yield the line of a finding at its first place, and a line for each other place."""
    first, *others = finding.places or [None]
    found = line("" if first is None else first.file, finding)
    if first is None:
        found = found[1:]
    if finding.reference:
        found.append((f" [{visible(finding.reference)}]", DIM))
    yield found
    for each in others:
        if each is not None:
            yield [(f"    {visible(str(each))}", None)]
