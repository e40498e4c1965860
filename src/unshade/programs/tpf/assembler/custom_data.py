"""Assembly of custom data: constant tables, messages, and data that listings do not show.

    dcl_immediateConstantBuffer { { 1.000000, 0, 0, 0},
                                  { 0, 1.000000, 0, 0} }
    printf "%f and "%d"", r0.x, l(1)
    undecipherable custom data {custom_class=OPAQUE, payload=[0x00000001]}

A table ends on the line of its last brace. Quotes in the text of a message are not escaped: the
last one ends it. Unprintable characters appear as dots; a note contains the original data.
"""

from collections.abc import Callable

from ....isa.source import Location, Scanner
from ..customdata import ShaderMessage
from ..instruction import CUSTOMDATA, Instruction
from ..tables.enumerations import CustomClass
from ..tables.spellings import CONSTANT_TABLE, ESCAPES, MESSAGES, UNDECIPHERABLE
from ..text import literals
from . import lexical, notes, operands

FORMAT = 1  # of a message's text: that of printf
UNESCAPED = {text[1]: character for character, text in ESCAPES.items()}


class LineCursor:
    """The current line, and a function that returns the next."""

    __slots__ = ("model", "next_line", "scanner", "undeciphered")

    def __init__(
        self, scanner: Scanner, next_line: Callable[[], Scanner | None], model: tuple[int, int]
    ) -> None:
        self.scanner = scanner
        self.next_line = next_line
        self.model = model  # the shader model of the program
        self.undeciphered: Location | None = None  # custom data whose data is not in the text

    def advance(self) -> bool:
        """Go to the next line; return False if there is none."""
        found = self.next_line()
        if found is None:
            return False
        self.scanner = found
        return True

    def past_blanks(self) -> None:
        """Go to the next line that is not empty, if the current one is read completely."""
        while self.scanner.done and self.advance():
            pass


def read(lines: LineCursor, word: str, start: int) -> Instruction:
    """Read the custom data that begins with `word`."""
    scanner = lines.scanner
    made = Instruction(CUSTOMDATA, payload=())
    if word == CONSTANT_TABLE:
        made.custom_class = CustomClass.DCL_IMMEDIATE_CONSTANT_BUFFER
        note = notes.read(scanner)
        made.payload = _table(lines)
    elif word in MESSAGES.values():
        made.custom_class = CustomClass.SHADER_MESSAGE
        note = notes.read(scanner)
        made.payload = _message(scanner, word)
    else:
        made.custom_class = CustomClass.OPAQUE
        for each in UNDECIPHERABLE.split()[1:]:
            scanner.expect(each, repr(UNDECIPHERABLE))
        place = scanner.place(start)
        note = notes.read(scanner)
        lines.undeciphered = None if notes.PAYLOAD in note else place
    lines.scanner.finish()
    if note:
        notes.finish_instruction(made, note)
    return made


def _table(lines: LineCursor) -> tuple[int, ...]:
    found: list[int] = []
    _expect(lines, "{")
    rows = 0
    while True:
        lines.past_blanks()
        if lines.scanner.accept("}"):
            return tuple(found)
        if rows:
            _expect(lines, ",", "',' or '}'")
            lines.past_blanks()
            if lines.scanner.accept("}"):  # vkd3d-compiler prints a comma after each row
                return tuple(found)
        _expect(lines, "{")
        while True:
            lines.past_blanks()
            scanner = lines.scanner
            start = scanner.at
            text = scanner.take(lexical.NUMERAL, "a number")
            bits = literals.bits_of(text, literals.UNTYPED)
            if bits is None:
                raise operands.invalid_number(scanner, text, start, 32)
            found.append(bits)
            lines.past_blanks()
            if lines.scanner.accept("}"):
                break
            _expect(lines, ",", "',' or '}'")
        rows += 1


def _expect(lines: LineCursor, text: str, wanted: str = "") -> None:
    lines.past_blanks()
    lines.scanner.expect(text, wanted)


def _message(scanner: Scanner, word: str) -> tuple[int, ...]:
    quoted = scanner.match(lexical.QUOTED)
    if quoted is None:
        raise scanner.expected("the text of the message in quotes")
    scanner.cut("//")
    text, place = quoted[1], scanner.place(quoted.start(1))
    found = bytearray()
    at = 0
    while at < len(text):
        escape = UNESCAPED.get(text[at + 1 : at + 2]) if text[at] == "\\" else None
        character = ord(text[at]) if escape is None else escape
        if character > 255:
            raise place.error(f"expected characters of one byte, got {text[at]!r}")
        found.append(character)
        at += 1 if escape is None else 2
    several = []
    while scanner.accept(","):
        several.append(operands.read_operand(scanner, literals.UNTYPED, operands.READ))
    (number,) = (number for number, name in MESSAGES.items() if name == word)
    return ShaderMessage(number, bytes(found), several, FORMAT).words()
