"""Declarations before the code of a file: geometry mode, uniforms, outputs, constants, entry.

    .gsh fixed c48 c8 4          first register for names, first of the vertices, their number
    .in …  .fvec …               uniforms
    .out …                       rows
    .setf …
    .entry gmain
    .dvle end 0                  exact: every number that does not follow from the lines above

The old `.gsh` without a mode is used if a geometry shader has a dummy output but does not merge its
outputs with the outputs of the vertex shader.
"""

from collections.abc import Sequence

from .....isa.linked import LinkedLine
from .....programs.pica.tables.registers import RegisterFile
from .....programs.pica.text.names import NamedRegisters
from .....tuples import NamedTuple
from .....vocab.pica import PicaGeometryMode
from ...records import Dvle, Output, ShaderType
from .rows import output_lines, output_row
from .uniforms import UniformAllocator, alias_lines, alias_ranges, ranges_of

__all__ = ["SourceHeader", "source_headers"]

DUMMY = 9
VERSION = 0x1002
MODES = {
    PicaGeometryMode.POINT: "point",
    PicaGeometryMode.VARIABLE: "variable",
    PicaGeometryMode.FIXED: "fixed",
}
MODE_FIELDS = ("geometry_mode", "type", "fixed_start", "variable_vertices", "fixed_vertices")
LAST_FLOAT = 95


class SourceHeader(NamedTuple):
    """The declarations of one DVLE.

    `ranges` are the names that its code can use, `expected` the numbers of the record that follow
    from the lines. `table` is True if the lines determine the table of uniforms.
    """

    lines: list[str]
    ranges: tuple[NamedRegisters, ...]
    table: bool
    expected: dict[str, int]


def source_headers(dvles: Sequence[Dvle], exact: bool) -> tuple[list[SourceHeader], list[str]]:
    """Return the declarations of each DVLE, and the lines of a file before them, if needed."""
    space = UniformAllocator()
    made = [_head(dvle, space, exact) for dvle in dvles]
    if all(head.table for head in made):
        return made, []
    prelude = _prelude(dvles)
    if prelude is None:
        return made, []
    lines, space = prelude
    again = [_head(dvle, space, exact) for dvle in dvles]
    better = sum(head.table for head in again) > sum(head.table for head in made)
    return (again, lines) if better else (made, [])


def _prelude(dvles: Sequence[Dvle]) -> tuple[list[str], UniformAllocator] | None:
    """Return declarations of the uniforms of all vertex shaders, by register."""
    known: dict[str, NamedRegisters] = {}
    for dvle in dvles:
        if not _own_space(dvle):
            for each in ranges_of(dvle.uniforms) or ():
                if known.setdefault(each.name, each) != each:
                    return None
    space = UniformAllocator()
    ranges = [each for each in known.values() if each.first.file != RegisterFile.INPUT]
    lines = space.declare(sorted(ranges, key=lambda each: each.first))
    # They declare uniforms of several tables, and are linked to none.
    return None if lines is None else ([str(line) for line in lines], space)


def _own_space(dvle: Dvle) -> bool:
    """Return True for a geometry shader declared with a mode, which has separate uniforms."""
    if dvle.type != ShaderType.GEOMETRY or dvle.geometry_mode not in MODES:
        return False
    merges = any(each.type == DUMMY for each in dvle.outputs)
    # The old `.gsh` has the numbers of point mode, and never merges.
    return not merges or bool(dvle.flags & 1 or dvle.geometry_mode)


def _head(dvle: Dvle, shared: UniformAllocator, exact: bool) -> SourceHeader:
    geometry = dvle.type == ShaderType.GEOMETRY
    expected = {"version": VERSION, "type": int(geometry)}
    lines: list[str] = []
    ranges = ranges_of(dvle.uniforms)
    space = shared
    if geometry and _own_space(dvle):
        first = _first_float(dvle, ranges)
        lines.append(LinkedLine(_mode(dvle, first, expected), *MODE_FIELDS))
        space = UniformAllocator(first, geometry=True)
    elif geometry:
        lines.append(LinkedLine(".gsh", "type"))
    declared = space.declare(ranges) if ranges is not None else None
    if declared is not None and ranges is not None:
        lines += declared
        inputs = [each.first.number for each in ranges if each.first.file == RegisterFile.INPUT]
        expected["input_mask"] = sum({1 << number for number in inputs})
    else:
        aliases = alias_ranges(dvle.uniforms)
        ranges = list(aliases.values())
        lines += alias_lines(aliases)
    outputs = _outputs(dvle, geometry, exact, expected)
    lines += outputs
    if geometry and _own_space(dvle):
        expected["flags"] = int(any(line.startswith(".out - dummy") for line in outputs))
    return SourceHeader(lines, tuple(ranges), declared is not None, expected)


def _first_float(dvle: Dvle, ranges: list[NamedRegisters] | None) -> int:
    """Return the first register for names: the first name's, if the mode permits it."""
    floats = [each.first.number for each in ranges or () if each.first.file == RegisterFile.FLOAT]
    least = dvle.fixed_start + 1 if dvle.geometry_mode == PicaGeometryMode.FIXED else 0
    return min(max(min(floats, default=0), least), LAST_FLOAT)


def _mode(dvle: Dvle, first: int, expected: dict[str, int]) -> str:
    mode = PicaGeometryMode(dvle.geometry_mode)
    expected["geometry_mode"] = mode
    line = f".gsh {MODES[mode]} c{first}"
    if mode == PicaGeometryMode.VARIABLE:
        expected["variable_vertices"] = dvle.variable_vertices
        return f"{line} {dvle.variable_vertices}"
    if mode == PicaGeometryMode.FIXED:
        start = min(dvle.fixed_start, first - 1)
        expected |= {"fixed_start": start, "fixed_vertices": dvle.fixed_vertices}
        return f"{line} c{start} {dvle.fixed_vertices}"
    return line


def _outputs(dvle: Dvle, geometry: bool, exact: bool, expected: dict[str, int]) -> list[str]:
    lines: list[str] = []
    mask = 0
    for at, (line, each) in enumerate(output_lines(dvle.outputs, geometry)):
        if line is not None:
            mask |= 1 << each.register
        text = line or (output_row(each) if exact else f"; {_undeclared(each)}")
        lines.append(LinkedLine(text, f"outputs[{at}]"))
    expected["output_mask"] = mask
    return lines


def _undeclared(each: Output) -> str:
    return f"an output that picasso cannot declare: {output_row(each)}"
