"""Reader of one source: lines, labels, comments and line markers.

    line    =  {name ":"} [directive | instruction] [";" comment]
    marker  =  "#" ["line"] number ["\\"" file "\\""]     file and number of the next line

After an error, reading continues with the next line. Uses of a name whose declaration was invalid
are not reported again.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from operator import itemgetter
from typing import TYPE_CHECKING

from ....errors import AssembleError
from ....isa.source import ErrorList, Location, Scanner, Source
from .assembly import SourceWarning, Unit
from .blocks import BlockKind
from .declarations import ConstantArray
from .instructions import MNEMONICS, block_of, instruction
from .operands import NAME, Aliases, ParsedOperand, RefusedName

if TYPE_CHECKING:
    from .program_builder import ProgramBuilder

__all__ = ["Directive", "PicassoReader"]

# A function that reads the rest of a directive's line.
Directive = Callable[["PicassoReader", Scanner, Location], None]

LABEL = re.compile(r"([A-Za-z_$][\w$]*)\s*:", re.ASCII)
WORD = re.compile(r"[\w$]+", re.ASCII)
MARKER = re.compile(r'#\s*(?:line\s+)?(\d{1,9})(?:\s+(?:"([^"]*)"|(\S+)))?', re.ASCII)
FOREIGN = ("//", "/*")  # comments in other languages
HINTS = {
    "sub": "use add with a negated last source",
    "lrp": "use mul and mad",
    "div": "multiply by the result of rcp",
    "ret": "a procedure ends with .end, a shader with end",
}
VERTEX_WORDS = 513  # picasso accepts one more than the hardware has room for
WORDS = 4096


class MarkedSource(Source):
    """A source with line markers, which assign its lines to other files."""

    __slots__ = ("marks",)

    def __init__(self, source: Source) -> None:
        super().__init__(source.text, source.name)
        self.marks: list[
            tuple[int, int, str]
        ] = []  # from a line on: the offset to its number, and the file

    def error(self, problem: str, line: int, column: int = 1, width: int = 1) -> AssembleError:
        found = super().error(problem, line, column, width)
        place = bisect_right(self.marks, line, key=itemgetter(0)) - 1
        if place >= 0:
            _, shift, name = self.marks[place]
            found.line = max(line + shift, 1)
            found.file = name
        return found


class PicassoReader:
    """The reader of one source, which adds to a program."""

    def __init__(
        self, program: "ProgramBuilder", source: Source, directives: Mapping[str, Directive]
    ) -> None:
        self.program = program
        self.source = MarkedSource(source)
        self.directives = directives
        self.unit = Unit(source.name, Location(self.source, 1, 1, 1), without_dvle=True)
        self.aliases = Aliases()
        self.labels: dict[str, int] = {}
        self.jumps: list[tuple[int, str, Location]] = []
        self.array: ConstantArray | None = None
        self.spaces = program.spaces
        self.hidden = False  # `.nodvle`

    @property
    def exact(self) -> bool:
        """True if the text may contain code that the hardware or picasso would not accept."""
        return self.program.exact

    def warn(self, rule: str, place: Location, message: str) -> None:
        """Add a warning: `rule` is its code without `pica.source-`."""
        self.program.warnings.append(SourceWarning(f"pica.source-{rule}", place, message))

    # ------------------------------------------------------------ lines

    def read(self, mistakes: ErrorList) -> None:
        """Read every line, then resolve the jumps."""
        for scanner in self.source.scanners():
            with mistakes:
                self._line(scanner)
        for block in self.program.code.blocks:
            if not block.guessed:
                mistakes.add(block.place.error(f"this {block.kind.value} has no .end"))
        self.program.code.blocks.clear()
        for at, name, place in self.jumps:
            target = self.labels.get(name)
            with mistakes:
                if target is None:
                    raise place.unknown("label", name, self.labels)
                self.program.code.jump(at, target)

    def _line(self, scanner: Scanner) -> None:
        if scanner.rest.startswith("#"):
            self._marker(scanner)
            return
        scanner.cut(";")
        while True:
            start = scanner.at
            label = scanner.match(LABEL)
            if label is None:
                break
            self._label(label[1], Location(self.source, scanner.line, start + 1, len(label[1])))
        if scanner.rest.startswith("#"):
            self._marker(scanner)
        elif not scanner.done:
            try:
                self._statement(scanner)
            except RefusedName:
                pass
            except AssembleError:
                if scanner.text.lstrip().startswith("."):
                    self.aliases.doubtful |= set(NAME.findall(scanner.text))
                raise

    def _marker(self, scanner: Scanner) -> None:
        found = scanner.match(MARKER)
        if found is not None:
            name = found[2] or found[3] or self.source.name
            self.source.marks.append((scanner.line + 1, int(found[1]) - scanner.line - 1, name))

    def _label(self, name: str, place: Location) -> None:
        if name in self.labels:
            raise place.error(f"duplicate label {name!r:.60}")
        self.labels[name] = self.program.code.here

    def _statement(self, scanner: Scanner) -> None:
        start = scanner.at
        if scanner.accept("."):
            name = scanner.take(WORD, "the name of a directive")
            place = scanner.place(start)
            directive = self.directives.get(name.lower())
            if directive is None:
                raise scanner.unknown("directive", f".{name}", start, self._directive_names())
            directive(self, scanner, place)
            return
        if scanner.rest.startswith(FOREIGN):
            raise scanner.place().error("a comment begins with ;")
        name = scanner.take(WORD, "an instruction, a directive or a label")
        place = scanner.place(start)
        op = MNEMONICS.get(name.lower())
        if op is None:
            hint = HINTS.get(name.lower())
            if hint is not None:
                raise place.error(f"unknown instruction {name!r:.60}: {hint}")
            self._likely_block(name, place)
            raise scanner.unknown("instruction", name, start, MNEMONICS)
        self.before_code(place)
        instruction(self, scanner, op, place)

    def _likely_block(self, name: str, place: Location) -> None:
        """Open the block of a misspelled instruction, so that its .end is not another error."""
        near = get_close_matches(name.lower(), MNEMONICS, 1)
        kind = block_of(MNEMONICS[near[0]]) if near else None
        if kind is not None and self.program.code.blocks:
            self.program.code.emit(0, place)
            self.program.code.open(kind, place, back=1, guessed=True)

    def _directive_names(self) -> list[str]:
        return [f".{name}" for name in self.directives]

    def finish(self, scanner: Scanner) -> None:
        """Check that the line ends here."""
        if scanner.rest.startswith(FOREIGN):
            raise scanner.place().error("a comment begins with ;")
        scanner.finish("the end of the line, or ';' and a comment")

    # ------------------------------------------------------------ checks for instructions

    def before_code(self, place: Location) -> None:
        """Check that an instruction is in a procedure, and that there is room for it."""
        code = self.program.code
        self.declares()
        if not code.blocks:
            code.open(BlockKind.PROC, place, guessed=True)  # so that this is reported once
            raise place.error("an instruction outside a procedure")
        if code.blocks[-1].kind is BlockKind.ARRAY:
            raise place.error("missing .end of the array before this instruction")
        if self.unit.stage == "vertex" and not self.exact:
            if code.here == VERTEX_WORDS:
                code.emit(0, place)  # so that this is reported once
                raise place.error(f"a vertex shader has at most {VERTEX_WORDS - 1} words")
            if code.here == VERTEX_WORDS - 1:
                self.warn(
                    "words", place, f"the hardware has room for only {VERTEX_WORDS - 1} words"
                )
        if code.here == WORDS and not self.exact:
            code.emit(0, place)
            raise place.error(f"a program has at most {WORDS} words")

    def declares(self) -> Unit:
        """Return the unit, and let it become an executable of the container."""
        self.unit.without_dvle = self.hidden
        return self.unit

    def check_output(self, operand: ParsedOperand) -> None:
        """Check that the code may write an output."""
        count = self.unit.outputs_available
        if operand.register.number >= count and not self.exact:
            raise operand.error(
                f"a {self.unit.stage} shader has no {operand.register}; expected o0 to o{count - 1}"
            )

    def check_index(self, operand: ParsedOperand) -> None:
        """Warn about an index past the end of an array."""
        if operand.beyond:
            self.warn("array", operand.place, operand.beyond)

    def emits(self) -> None:
        """Make the unit a geometry shader, as `setemit` does even without `.gsh`."""
        self.unit.stage = "geometry"

    def share_uniforms(self) -> None:
        """Let the unit share its uniforms with the vertex shaders, as `.gsh` without a mode."""
        self.unit.shares_uniforms = True
        self.spaces = self.program.spaces
