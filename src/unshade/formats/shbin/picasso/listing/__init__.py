"""Listing of a SHBIN as picasso source: a file for each DVLE, in one text.

    ; picasso -n                       every nop is written, none is to be inserted
    ; ==== file 0.v.pica               only if there are several files
    .in position v0
    .fvec projection[4]                uniforms
    .out - position o0
    .setf c95(0.0, 1.0, 0.5, -1.0)     declarations, rows
    .entry main

    .proc main                         files; programs.pica.text
    .end

`picasso -n` assembles it to the same file, if picasso wrote that file. The exact dialect covers all
other files, with the directives of `directives` and of `programs.pica.assembler`.
"""

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from .....dialect import no_dialect, only_options
from .....errors import FormatError
from .....isa.linked import LinkedLine, relinked
from .....programs.pica.text import CodeText, code_names
from .....programs.pica.text.names import SourceNames
from .....programs.pica.text.outline import CodeRange, stages_of
from .....vocab.pica import OUTPUTS, PIPELINE_OUTPUTS
from ...records import Dvle, ShaderType
from ..markers import EXACT, SEPARATOR, WITHOUT_NOPS, quoted
from .declarations import SourceHeader, source_headers
from .files import FilePlan, plan
from .rows import constant_line, constant_row, numbers
from .uniforms import identifier

if TYPE_CHECKING:
    from ...shader import Shbin

__all__ = ["disassemble", "linked_lines", "listings"]

ROW = 32  # bytes in a line of `.trailing`


def disassemble(shader: "Shbin", dialect: str | None = None, **unknown: Any) -> str:
    """Return all files in one text, in the dialect `native` (the default) or `exact`."""
    only_options("picasso text", unknown)
    return "\n".join([*linked_lines(shader, dialect), ""])


def linked_lines(shader: "Shbin", dialect: str | None = None) -> list[str]:
    """Return the lines of the text, linked to the fields of `spans`."""
    texts = _Listing(shader, dialect).texts()
    lines = [_first_line(dialect)]
    for name, text in texts.items():
        lines += [f"{SEPARATOR}{name}"] if len(texts) > 1 else []
        lines += text
    return lines


def listings(shader: "Shbin", dialect: str | None = None) -> dict[str, str]:
    """Return each file by the suffix of its name; in this order they assemble to the shader."""
    first = _first_line(dialect)
    texts = _Listing(shader, dialect).texts()
    alone = len(texts) == 1
    return {
        name[1:] if alone else f".{name}": "\n".join([first, *text, ""])
        for name, text in texts.items()
    }


def _first_line(dialect: str | None) -> str:
    return EXACT.line(";") if dialect == "exact" else WITHOUT_NOPS


class _Listing:
    """The listing of one shader."""

    def __init__(self, shader: "Shbin", dialect: str | None) -> None:
        if dialect not in (None, "native", "exact"):
            raise no_dialect(shader.format, dialect, "native", "exact")
        self.shader = shader
        self.exact = dialect == "exact"
        self.dvles = shader.dvles
        # In files whose writer leaves the end 0, main 0 and end 0 do not mean an empty procedure.
        empty = [
            index
            for index, dvle in enumerate(self.dvles)
            if dvle.main == dvle.end and (dvle.end or dvle.version)
        ]
        exact = None
        if self.exact:
            from .....programs.pica.exact import ExactAnnotations

            exact = ExactAnnotations(shader.program)
        self.code = CodeText(shader.program, exact, without_code=empty)
        self.outline = self.code.outline
        entries = [name for name, _ in shader.program.entry_points]
        self.procedures, self.labels = code_names(self.outline, entries, self._places())
        self.stubs = dict(self._stubs())

    def _places(self) -> dict[int, str]:
        """Return names for words of the code, from the label tables."""
        places: dict[int, str] = {}
        for dvle in self.dvles:
            for label in dvle.labels:
                name = identifier(label.symbol)
                if name is not None:
                    places.setdefault(label.offset, name)
        return places

    def texts(self) -> dict[str, list[str]]:
        """Return the lines of each file."""
        made, prelude = source_headers(self.dvles, self.exact)
        texts: dict[str, list[str]] = {}
        if prelude:
            texts["0.v.pica"] = [".nodvle", *prelude]
        plans = plan(self.shader.program, self.outline, self.dvles, len(texts))
        for each in plans:
            texts[each.name] = self._file(each, made, last=each is plans[-1])
        if self.exact:
            first = next(iter(texts), "0.v.pica")
            texts[first] = [*self._of_file(), *self.code.rows(), *texts.get(first, [])]
        return texts or {"0.v.pica": []}

    def _file(self, each: FilePlan, made: list[SourceHeader], *, last: bool) -> list[str]:
        if each.dvle is None:
            lines, names = [".nodvle"], self._names(each, None)
        else:
            head = made[each.dvle]
            names = self._names(each, head)
            own = [*head.lines, *self._executable(each.dvle, head, names)]
            prefix = self.shader.prefix(each.dvle)
            lines = relinked(own, lambda path: self.shader.called(prefix + path))
        code = self.code.lines(each.tops, names, last=last, outputs=self._outputs(each))
        code = relinked(code, partial(self.shader.field_path, self.shader.program))
        if not self.exact and each.dvle in self.stubs:
            code += [f".proc {self.stubs[each.dvle]}", ".end"]
        return [*lines, "", *code] if lines and code else [*lines, *code]

    def _outputs(self, each: FilePlan) -> int:
        """Return the number of output registers that the code of a file can write."""
        if each.dvle is not None:
            geometry = self.dvles[each.dvle].type == ShaderType.GEOMETRY
        else:
            code = self.shader.program.instructions
            geometry = any(
                "geometry" in stages_of(one)
                for top in each.tops
                for one in code[top.start : top.end]
            )
        return PIPELINE_OUTPUTS if geometry else OUTPUTS

    def _names(self, each: FilePlan, head: SourceHeader | None) -> SourceNames:
        """Return the names of a file; labels are local to the file that contains them."""
        tops = each.tops
        ends = [top.end for top in tops]
        labels = {}
        for at, target in self.outline.jumps.items():
            here = bisect_right(ends, at)  # the first procedure that ends after it
            there = bisect_left(ends, target)
            if _within(tops, here, at) and _within(tops, there, target):
                labels[target] = self.labels[target]
        return SourceNames(head.ranges if head else (), self.procedures, labels)

    # ------------------------------------------------------------ a DVLE

    def _executable(self, index: int, head: SourceHeader, names: SourceNames) -> list[str]:
        """Return the lines of a DVLE: constants, entry, and directives of the exact dialect."""
        dvle = self.dvles[index]
        lines: list[str] = []
        for at, constant in enumerate(dvle.constants):
            line = constant_line(constant, names)
            if line is None:
                row = constant_row(constant)
                line = row if self.exact else f"; a constant that picasso cannot declare: {row}"
            lines.append(LinkedLine(line, f"constants[{at}]"))
        bounds = self._entry(index)
        if bounds is not None:
            name = self.procedures[bounds]
        else:
            name = "" if self.exact else self.stubs[index]
        if name and (name != "main" or not (lines or head.lines)):  # other lines declare the DVLE
            lines.append(LinkedLine(f".entry {name}", "main", "end"))
        return lines + self._escapes(dvle, head, bounds) if self.exact else lines

    def _entry(self, index: int) -> CodeRange | None:
        """Return the procedure that an executable starts with, None if there is none."""
        bounds = self.outline.entries.get(index)
        return bounds if bounds in self.procedures else None

    def _stubs(self) -> Iterator[tuple[int, str]]:
        """Yield names of empty procedures, for executables that have no code."""
        taken = set(self.procedures.values())
        for index in range(len(self.dvles)):
            if self._entry(index) is None:
                name = "main"
                while name in taken:
                    name = f"{name}_{index}"
                taken.add(name)
                yield index, name

    def _escapes(self, dvle: Dvle, head: SourceHeader, bounds: CodeRange | None) -> list[str]:
        expected = dict(head.expected)
        if bounds is not None:
            expected |= {"main": bounds.start, "end": bounds.end}
        else:
            expected |= {"main": -1, "end": 0}  # so that the entry is written
        lines = [f".dvle {each}" for each in numbers(dvle, expected)]
        if not head.table:
            lines += [
                f".uniform 0x{each.start:x} 0x{each.end:x} {quoted(each.symbol)}"
                for each in dvle.uniforms
            ]
        lines += [
            f".label {each.id} {each.flag} {each.offset} {each.size} {quoted(each.symbol)}"
            for each in dvle.labels
        ]
        return lines + [f".symbol {quoted(each)}" for each in dvle.symbols]

    # ------------------------------------------------------------ the file

    def _of_file(self) -> list[str]:
        """Return the lines of the exact dialect that belong to no DVLE."""
        shader = self.shader
        lines = [".header short"] if shader.short_header else []
        if shader.padded is not None:
            lines.append(f".padded {'true' if shader.padded else 'false'}")
        lines += [f".dvlb {each}" for each in numbers(shader.record, {})]
        lines += [f".dvlp {each}" for each in numbers(shader.dvlp, {})]
        lines += [f".source {quoted(each)}" for each in shader.dvlp.symbols]
        lines += [f".line {each.line} {quoted(each.file)}" for each in shader.dvlp.lines]
        try:
            layout = shader.layout()
        except FormatError as error:
            problem = f"this file has no exact text: {error.problem}"
            raise FormatError(problem, offset=error.offset, path=error.path) from None
        if layout is not None:
            lines.append(f".layout {json.dumps(layout)}")
        data = shader.trailing
        return lines + [f".trailing {data[at : at + ROW].hex()}" for at in range(0, len(data), ROW)]


def _within(tops: list[CodeRange], number: int, at: int) -> bool:
    return number < len(tops) and tops[number].start <= at
