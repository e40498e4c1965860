"""Layout of a text: comments, nested blocks, blocks in reading order.

               ; Debug Information                                heading of a section
               OpName %main "main"                               ; id %4
               OpStore %x %y                                     ; 0x00000170

The lines of the instructions are given; functions, blocks and sections are found by their words.

Source: output of spirv-dis.
"""

from collections.abc import Iterator, Mapping, Sequence

from ....dialect import only_options
from ....tuples import NamedTuple
from ..blocks import BasicBlock
from ..module import HEADER
from ..operands import decode
from ..tables.numbers import Opcode
from .blocks import levels, printed_blocks, reordered
from .operands import id_text
from .shapes import INDENT, LEAD
from .writers import LineWriter

__all__ = ["Layout", "Options"]

COLUMN, WIDEST = 50, 256  # where comments begin at the least; what the next one goes by at most
UNEXPLAINED = "  ; note: ID bound may be incorrect after reassembly"


DEBUG, ANNOTATIONS, TYPES = "Debug Information", "Annotations", "Types, variables and constants"
SECTIONS = {"Debug": DEBUG, "Annotation": ANNOTATIONS, "Type-Declaration": TYPES}
NO_HEADING = frozenset({
    Opcode.DecorationGroup, Opcode.TypeForwardPointer, Opcode.TypeStructContinuedINTEL,
})  # fmt: skip


class Options(NamedTuple):
    """Options of spirv-dis, with its defaults."""

    raw_id: bool = False  # numbers instead of names for ids
    header: bool = True
    indent: bool = True
    offsets: bool = False
    comment: bool = False
    nested_indent: bool = False
    reorder_blocks: bool = False

    @classmethod
    def of(cls, given: Mapping[str, object]) -> "Options":
        """Return the options of these names; UsageError for an unknown one."""
        only_options("SPIR-V text", given, cls._fields)
        return cls(**{name: bool(value) for name, value in given.items()})

    @property
    def changes_lines(self) -> bool:
        """True if lines are moved, indented by their block, or have comments."""
        return self.offsets or self.comment or self.nested_indent or self.reorder_blocks


class Layout:
    """The lines of a module, laid out according to the options."""

    def __init__(
        self,
        options: Options,
        code: Sequence[tuple[int, ...]],
        lines: Sequence[str],
        writer: LineWriter,
    ) -> None:
        self.options = options
        self.code = code
        self.given = lines
        self.writer = writer
        self.ops = writer.grammar.core.by_code
        self.decorations: dict[int, list[str]] = {}
        self.headings: set[str] = set()
        self.offset = 4 * HEADER
        self.column = 0  # of the comment of the line before; 0 if it has none

    def lines(self) -> Iterator[str]:
        """Iterate over the lines of the whole module."""
        start, total = 0, len(self.code)
        while start < total:
            end = start + 1
            if self.code[start][0] & 0xFFFF == Opcode.Function:
                while end < total and self.code[end - 1][0] & 0xFFFF != Opcode.FunctionEnd:
                    end += 1
            yield from self._part(start, end)
            start = end

    def _part(self, start: int, end: int) -> Iterator[str]:
        """Lay out a function, or one instruction outside of functions."""
        order: Sequence[int] = range(start, end)
        depths: dict[int, int] = {}
        if end - start > 1 and (self.options.nested_indent or self.options.reorder_blocks):
            blocks = self._blocks(start, end)
            if blocks and self.options.reorder_blocks:
                head, tail = blocks[0].start, max(each.end for each in blocks)
                inner = [at for each in reordered(blocks) for at in range(each.start, each.end)]
                order = [*range(start, head), *inner, *range(tail, end)]
            depths = levels(blocks) if self.options.nested_indent else {}
        offsets = self._offsets(start, end)
        for at in order:
            self._add_decoration(at)
        depth, inside = 0, False
        for at in order:
            opcode = self.code[at][0] & 0xFFFF
            yield from self._heading(at, opcode)
            if opcode == Opcode.Label:
                depth, inside = 2 * depths.get(self._result(at), 0), True
                if self.options.nested_indent:
                    yield ""
            elif opcode == Opcode.FunctionEnd:
                depth, inside = 0, False
            text = self.given[at]
            if self.options.nested_indent:
                body = 2 if inside and opcode != Opcode.Label else 0
                text = text.replace(LEAD, " " * (depth + body), 1)
            note = self._note(at, opcode, offsets[at - start])
            if note:
                length = len(text.encode("utf-8", "surrogateescape"))
                column = max(length + 2, self.column, COLUMN) + 3 & ~3
                text = f"{text}{' ' * (column - length)}; {note}"
                self.column = min(column, WIDEST)
            else:
                self.column = 0
            yield text + (UNEXPLAINED if at in self.writer.unexplained else "")

    def _blocks(self, start: int, end: int) -> list[BasicBlock]:
        code = self.code[start:end]
        context, grammar = self.writer.context, self.writer.grammar
        decoded = [decode(each, context, grammar) for each in code]
        return list(printed_blocks(code, decoded, start))

    def _offsets(self, start: int, end: int) -> list[int]:
        found = []
        for words in self.code[start:end]:
            found.append(self.offset)
            self.offset += 4 * len(words)
        return found

    def _result(self, at: int) -> int:
        """Return the result of an instruction; 0 if there is none."""
        words = self.code[at]
        place = self.writer.grammar.result_places.get(words[0] & 0xFFFF, 0)
        return words[place] if 0 < place < len(words) else 0

    def _add_decoration(self, at: int) -> None:
        """Record an OpDecorate, for the comment of its target."""
        words = self.code[at]
        if self.options.comment and words[0] & 0xFFFF == Opcode.Decorate:
            pieces = self.given[at].split(None, 2)
            if len(pieces) > 2 and at not in self.writer.unexplained:
                self.decorations.setdefault(words[1], []).append(pieces[2])

    def _heading(self, at: int, opcode: int) -> Iterator[str]:
        """Print the heading of a section that begins with an instruction."""
        if not self.options.comment:
            return
        lead = " " * INDENT if self.options.indent else ""
        if opcode == Opcode.Function:
            if self.options.nested_indent:
                yield ""
            yield ""
            yield f"{lead}; Function {id_text(self._result(at), self.writer.ids)[1:]}"
            return
        op = self.ops.get(opcode)
        found = SECTIONS.get(op.group, "") if op is not None else ""
        if found and opcode not in NO_HEADING and found not in self.headings:
            self.headings.add(found)
            yield ""
            yield f"{lead}; {found}"

    def _note(self, at: int, opcode: int, offset: int) -> str:
        """Return the comment after an instruction."""
        notes = [f"0x{offset:08x}"] if self.options.offsets else []
        if self.options.comment:
            if opcode == Opcode.Name and len(self.code[at]) > 1:
                notes.append(f"id %{self.code[at][1]}")
            notes += [", ".join(self.decorations.get(self._result(at), ()))]
        return ", ".join(filter(None, notes))
