"""The listing of a page: its lines, the kinds of their words, and the fields that they show."""

import re
from collections.abc import Sequence

from ..dataclass import dataclass, field
from ..errors import UnshadeError
from ..isa.lexer import Kind, Lexer
from ..isa.steps import OPERATIONS, Step
from ..program import Program
from ..screens.text import visible
from ..shader import Shader
from .columns import Columns
from .tree import FieldTree

__all__ = ["CodeListing"]

KINDS: tuple[Kind | None, ...] = (None, *Kind)
ELEMENT = re.compile(r"(.*)\[(\d+)\]")
DEFINES = 1  # a use of a register that writes it


@dataclass(slots=True)
class CodeListing:
    """Lines of text, and columns about them.

    Attributes:
        lines: The text, control characters made visible.
        counts: Words of each line.
        sizes, kinds: UTF-16 units and number in `KINDS` of each word.
        nodes: The node that each line is about, -1 if there is none.
        counts_also, also: Other nodes that each line shows; how many, and all of them in order.
        paths: The path in `spans` that each line shows.
        operations: The operation of each line, a number in `explained`; -1 if it has none.
        explained: Labels and texts, by the word of a line that shows them and by operation.
        numbered: The places of `explained`, which a dictionary does not give.
        counts_terms, terms: Other words of each line that are explained: how many, and numbers in
            `terms_explained`, whose rows are labels and texts by word and summary.
        words: The words of each line that are not of comments.
        marked: The first word of each line that is an operation.
        uses: Registers of each line; `registers` and `flags` hold them in order.
        names: The number of each register, by program and name: `%5` of one program is not `%5` of
            another one.
    """

    lines: list[str] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    kinds: list[int] = field(default_factory=list)
    nodes: list[int] = field(default_factory=list)
    counts_also: list[int] = field(default_factory=list)
    also: list[int] = field(default_factory=list)
    operations: list[int] = field(default_factory=list)
    explained: dict[tuple[str, str], list[tuple[str, str]]] = field(default_factory=dict)
    numbered: dict[tuple[str, str], int] = field(default_factory=dict)
    counts_terms: list[int] = field(default_factory=list)
    terms: list[int] = field(default_factory=list)
    terms_explained: dict[tuple[str, str], tuple[int, Sequence[tuple[str, str]]]] = field(
        default_factory=dict
    )
    words: list[set[str]] = field(default_factory=list)
    marked: list[str] = field(default_factory=list)
    uses: list[int] = field(default_factory=list)
    registers: list[int] = field(default_factory=list)
    flags: list[int] = field(default_factory=list)
    names: dict[tuple[int, str], int] = field(default_factory=dict)
    paths: Sequence[tuple[str, ...]] = ()

    @classmethod
    def of(cls, shader: Shader, tree: FieldTree) -> "CodeListing":
        """Return the listing of a shader; without lines if it has none."""
        made = cls()
        try:
            text = shader.disassemble()
        except UnshadeError:
            return made
        made._words(text.removesuffix("\n"), shader.lexer())
        made._link(shader.line_paths(), tree)
        made._find_registers(shader, text.split("\n"))
        return made

    @classmethod
    def of_lines(cls, lines: Sequence[str], lexer: Lexer) -> "CodeListing":
        """Return the listing of some lines of text, which are not linked to fields of a file."""
        made = cls()
        if lines:
            made._words("\n".join(lines), lexer)
        return made

    def _words(self, text: str, lexer: Lexer) -> None:
        lines = list(lexer.lines(text))
        lines += [[]] * (text.count("\n") + 1 - len(lines))
        for words in lines:
            shown = [(visible(word, keep="\t"), kind) for word, kind in words]
            self.lines.append("".join(word for word, _ in shown))
            self.counts.append(len(shown))
            self.words.append({word for word, kind in shown if kind not in (None, Kind.COMMENT)})
            self.marked.append(next((word for word, kind in shown if kind in OPERATIONS), ""))
            self.sizes += [len(word.encode("utf-16-le")) // 2 for word, _ in shown]
            self.kinds += [KINDS.index(kind) for _, kind in shown]

    def _link(self, paths: Sequence[tuple[str, ...]], tree: FieldTree) -> None:
        self.paths = paths[: len(self.lines)]
        for each in self.paths:
            first, *others = [tree.paths[path] for path in each if path in tree.paths] or [-1]
            self.nodes.append(first)
            self.counts_also.append(len(others))
            self.also += others
        missing = len(self.lines) - len(self.nodes)
        self.nodes += [-1] * missing
        self.counts_also += [0] * missing

    def _find_registers(self, shader: Shader, lines: list[str]) -> None:
        programs = shader.programs
        leads = [shader.field_path(each, "") for each in programs]
        for at, line in enumerate(lines[: len(self.nodes)]):
            step: Step | None = None
            before = len(self.registers)
            number = _program_of(self.paths[at], leads) if at < len(self.paths) else 0
            program = programs[number] if programs else None
            if program is not None and self.nodes[at] >= 0:
                step = program.step(line)
            self.operations.append(self._explain(program, step, at))
            self._explain_words(program, step)
            if step is not None:
                for terms, flag in ((step.results, DEFINES), (step.operands, 0)):
                    for name in dict.fromkeys(each for term in terms for each in term.registers):
                        key = number, visible(name)
                        self.registers.append(self.names.setdefault(key, len(self.names)))
                        self.flags.append(flag)
            self.uses.append(len(self.registers) - before)
        self.uses += [0] * (len(self.lines) - len(self.uses))
        self.operations += [-1] * (len(self.lines) - len(self.operations))
        self.counts_terms += [0] * (len(self.lines) - len(self.counts_terms))

    def _explain(self, program: Program | None, step: Step | None, line: int) -> int:
        """Return the index of the explanation of an operation, else -1."""
        if program is None or step is None:
            return -1
        name = program.explained(step)
        # A call of a dx.op function has the name of the operation in a comment only.
        key = (name if name in self.words[line] else self.marked[line]), name
        if key not in self.explained:
            self.numbered[key] = len(self.explained)
            self.explained[key] = list(program.explain(name))
        return self.numbered[key] if self.explained[key] else -1

    def _explain_words(self, program: Program | None, step: Step | None) -> None:
        before = len(self.terms)
        found = program.explained_words(step) if program is not None and step is not None else ()
        for word, rows in found:
            key = word, rows[0][1]
            number, _ = self.terms_explained.setdefault(key, (len(self.terms_explained), rows))
            self.terms.append(number)
        self.counts_terms.append(len(self.terms) - before)

    def lines_of(self, shader: Shader, lines: Sequence[str]) -> list[int]:
        """Return the line, from 0, that shows each line of a program's own listing; -1 for none.

        The native listing contains the program's listing, or shows the same instructions in another
        form, such as picasso's text.
        """
        wanted = [visible(line, keep="\t").rstrip() for line in lines]
        while wanted and not wanted[-1]:
            wanted.pop()
        own = [line.rstrip() for line in self.lines]
        for at, line in enumerate(own):
            if wanted and line == wanted[0] and own[at : at + len(wanted)] == wanted:
                return [*range(at, at + len(wanted)), *[-1] * (len(lines) - len(wanted))]
        return self._lines_by_paths(shader, lines)

    def _lines_by_paths(self, shader: Shader, lines: Sequence[str]) -> list[int]:
        """Return the lines that show the same elements, of the list that has all of them."""
        text = "\n".join(lines).rstrip("\n")
        programs = map(shader.with_debug_information, shader.programs)
        program = next((each for each in programs if each.disassemble().rstrip("\n") == text), None)
        if program is None:
            return [-1] * len(lines)
        asked = [_element(paths)[1] for paths in program.line_paths()][: len(lines)]
        shown: dict[str, dict[int, int]] = {}
        for at, paths in enumerate(self.paths):
            name, number = _element(paths)
            if number >= 0:
                shown.setdefault(name, {}).setdefault(number, at)
        numbers = {each for each in asked if each >= 0}
        lists = [each for each in shown.values() if numbers <= each.keys()]
        best = max(lists, key=len, default={})
        return [best.get(each, -1) for each in asked] + [-1] * (len(lines) - len(asked))

    def write(self, columns: Columns) -> None:
        """Add the columns of the listing, all but its text, which the page itself contains."""
        columns.numbers("line.words", self.counts)
        columns.numbers("word.size", self.sizes)
        columns.numbers("word.kind", self.kinds)
        columns.differences("line.node", self.nodes)
        columns.numbers("line.also", self.counts_also)
        columns.numbers("also.node", self.also)
        columns.numbers("line.uses", self.uses)
        columns.recent("use.register", self.registers)
        columns.numbers("use.flags", self.flags)
        columns.texts("registers", (name for _, name in self.names))
        columns.numbers("line.operation", self.operations)
        columns.numbers("line.terms", self.counts_terms)
        columns.numbers("line.term", self.terms)
        columns.values["terms"] = [
            [word, rows] for (word, _), (_, rows) in self.terms_explained.items()
        ]
        columns.values["operations"] = [[word, rows] for (word, _), rows in self.explained.items()]
        columns.values["kinds"] = [str(kind or "") for kind in KINDS]


def _program_of(paths: tuple[str, ...], leads: Sequence[str]) -> int:
    """Return the number of the program of a line; 0 if the line belongs to none."""
    found = (at for at, lead in enumerate(leads) if paths and paths[0].startswith(lead))
    return next(found, 0)


def _element(paths: tuple[str, ...]) -> tuple[str, int]:
    """Return the list and the number of the element that a line shows first; -1 for none."""
    found = ELEMENT.fullmatch(paths[0]) if paths else None
    return (found[1], int(found[2])) if found is not None else ("", -1)
