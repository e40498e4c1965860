"""Assembly of the text of a Direct3D 9 program, as fxc and the D3DX assembler write it.

    ps_2_0                           the profile
    def c0, 0.5, 1, 0, 0
    dcl t0.xy
    dcl_2d s0
    texld r0, t0, s0                 comments begin with //, ; or #
    + mul r0.w, r0.w, c0.x           issued with the instruction before
    (!p0.x) mov r0, c[a0.x + 3]      predicated; relative

Texts of vkd3d are read, too: `def c0 = 0.5, 1, 0, 0`, `dcl_blend v1`, `if_nz b0`, `-|r2.x|` for
-r2_abs.x, `a` for a0, `aL0` for aL, and `texkill r0.xyxx` for the mask .xy. They do not contain the
masks of declared registers, nor the comparison of setp.

A single component stands for all four, and a shorter swizzle repeats its last. Names of components
are xyzw or rgba.

With a donor, an instruction that the donor's listing spells in the same way keeps the donor's
tokens, and the donor's comments are kept, without DBUG if an instruction has moved.

Source: the pages of the assembly language; the tokens that fxc writes.
"""

import re
import struct
from collections.abc import Iterator
from difflib import SequenceMatcher

from ...isa.source import ErrorList, Scanner, Source
from .code import Code, Comment
from .debug import TAG as DEBUG
from .instruction import MODIFIED, Instruction
from .mnemonics import COMPARED, MnemonicParts, read_mnemonic
from .registers import CONSTANT_FILES, CONSTANTS_PER_FILE, NAME, file_named
from .tables.ops import OPS, Op
from .tables.tokens import (
    IDENTITY,
    DeclarationToken,
    DestinationParameter,
    InstructionToken,
    RegisterType,
    SourceModifier,
    SourceParameter,
    Version,
)

__all__ = ["assemble", "read_instruction"]

PROFILE = re.compile(r"[vp]s_[0-9]_[0-9a-z]+")
MNEMONIC = re.compile(r"[a-z][a-z0-9_]*")
NUMBER = re.compile(r"[0-9]{1,5}")
COMPONENTS = re.compile(r"\.([xyzw]{1,4}|[rgba]{1,4})(?![A-Za-z])")
SUFFIX = re.compile(r"_(?:bias|bx2|x2|dz|db|dw|da|abs)(?![a-z0-9])")
FLOAT = re.compile(
    r"[-+]?(?:0[xX][0-9a-fA-F]{1,8}|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|inf|nan)f?"
)
LOOP_NUMBER = re.compile("0(?![0-9])")  # which vkd3d writes
INTEGER = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F]{1,8}|[0-9]{1,10})")
BOOLEAN = re.compile(r"true|false|TRUE|FALSE")
COMMENT = re.compile(r"comment(?![\w])")
BYTES = re.compile(r"[0-9a-f]{8}(?![0-9a-zA-Z])")
TOKENS = re.compile(r"\{([0-9a-f]{1,8}(?: [0-9a-f]{1,8})*)\}$")
EMPTY = re.compile("")
COMMENTS = ("//", ";", "#")
LETTERS = {each: i for letters in ("xyzw", "rgba") for i, each in enumerate(letters)}
OTHER_SUFFIXES = {"_db": "_dz", "_da": "_dw"}
MODIFIERS = {texts: modifier for modifier, texts in MODIFIED.items()}
PARAMETER = 1 << 31
FULL_MASK = 0b1111
BREAK, BREAKP, TEXKILL = 0x2C, 0x60, 0x41
MOST_NUMBER = 0x7FF


def assemble(
    source: Source,
    errors: ErrorList,
    donor: Code | None = None,
    lines: range | None = None,
    *,
    exact: bool = False,
) -> Code:
    """Return the program that a text describes, without comments but the donor's.

    Args:
        source: The text.
        errors: Receives the errors.
        donor: A program whose tokens are kept where the text is the same.
        lines: The numbers of the lines with the program, from 1; by default all.
        exact: Read what the `exact` dialect adds (exact.py).
    """
    version: Version | None = None
    made: list[Instruction] = []
    comments: list[Comment] = []
    numbers = range(1, len(source.lines) + 1) if lines is None else lines
    for scanner in map(source.scanner, numbers):
        scanner.cut(*COMMENTS)
        if scanner.done:
            continue
        with errors:
            if version is None:
                version = _version(scanner)
            elif exact and scanner.match(COMMENT) is not None:
                comments.append(_comment(scanner, len(made)))
            else:
                made.append(_instruction(scanner, version, exact=exact))
    if version is None:
        errors.add(source.error("expected a profile such as ps_2_0", max(numbers, default=1)))
        errors.check()
    assert version is not None
    code = Code(version, made, comments)
    if donor is not None:
        _adopt(code, donor)
    return code


def read_instruction(text: str, version: Version) -> Instruction:
    """Return the instruction that a line describes; AssembleError if it is malformed."""
    scanner = Source(text).scanner(1)
    scanner.cut(*COMMENTS)
    return _instruction(scanner, version)


def _adopt(code: Code, donor: Code) -> None:
    """Keep the donor's tokens of equal lines, and its comments."""
    ours, theirs = ([str(each) for each in one.instructions] for one in (code, donor))
    if code.version == donor.version:
        matcher = SequenceMatcher(None, theirs, ours, False)
        for block in matcher.get_matching_blocks():
            for step in range(block.size):
                kept = donor.instructions[block.a + step]
                code.instructions[block.b + step] = Instruction(kept.words, code.version)
    sizes = [[len(each.words) for each in one.instructions] for one in (code, donor)]
    code.comments = [
        Comment(each.data, min(each.before, len(ours)))
        for each in donor.comments
        if each.tag != DEBUG or sizes[0] == sizes[1]
    ]


def _version(scanner: Scanner) -> Version:
    start = scanner.at
    name = scanner.take(PROFILE, "a profile such as ps_2_0")
    found = Version.named(name)
    if found is None:
        known = "vs_1_1 to vs_3_0 or ps_1_0 to ps_3_0"
        raise scanner.place(start).error(f"expected a profile from {known}, got {name}")
    scanner.finish()
    return found


def _comment(scanner: Scanner, before: int) -> Comment:
    """Read the words of a comment of the `exact` dialect."""
    data = b""
    while not scanner.done:
        data += bytes.fromhex(scanner.take(BYTES, "four bytes in hexadecimal"))
    return Comment(data, before)


def _instruction(scanner: Scanner, version: Version, *, exact: bool = False) -> Instruction:
    if exact:
        found = TOKENS.search(scanner.rest)
        if found is not None:
            return Instruction([int(each, 16) for each in found[1].split()], version)
    coissue = scanner.accept("+")
    predicate: list[int] = []
    if scanner.accept("("):
        predicate = _source(scanner, version)
        scanner.expect(")")
    start = scanner.at
    name = scanner.take(MNEMONIC, "a mnemonic")
    spelling = read_mnemonic(name)
    if spelling is None and name in COMPARED.values():
        raise scanner.place(start).error(f"expected a comparison such as {name}_gt, got {name}")
    if spelling is None:
        raise scanner.unknown("instruction", name, start, OPS.by_name)
    if spelling.opcode == BREAK and not scanner.done:
        spelling = MnemonicParts(BREAKP)
    op = OPS[spelling.opcode]
    words = list(_operands(scanner, op, spelling, predicate, version))
    scanner.finish("a comma or the end of the line" if words else "the end of the line")
    token = InstructionToken(opcode=spelling.opcode, controls=spelling.controls)
    token.predicated, token.coissue = int(bool(predicate)), int(coissue)
    if version.major >= 2:
        token.length = len(words)
    return Instruction([token.word, *words], version)


def _operands(
    scanner: Scanner, op: Op, spelling: MnemonicParts, predicate: list[int], version: Version
) -> Iterator[int]:
    """Yield the tokens after the opcode token."""
    if op.operands[:1] == ("u",):
        token = DeclarationToken(PARAMETER, usage=spelling.usage, index=spelling.usage_index)
        token.texture = spelling.texture
        yield token.word
    first = True
    for letter in op.operands:
        if letter == "u":
            continue
        if scanner.done and letter.startswith("["):
            return
        if not first and not (letter in LITERALS and scanner.accept("=")):
            scanner.expect(",", "a comma")
        first = False
        if letter == "d":
            yield from _destination(scanner, spelling, version)
            yield from predicate
        elif letter in LITERALS:
            yield LITERALS[letter](scanner)
        else:
            yield from _source(scanner, version)


def _destination(scanner: Scanner, spelling: MnemonicParts, version: Version) -> list[int]:
    file, number, index = _register(scanner, version)
    token = DestinationParameter(PARAMETER, number=number, relative=int(bool(index)))
    token.type_high, token.type_low = file >> 3, file & 7
    token.modifiers, token.shift = spelling.modifiers, spelling.shift
    start = scanner.at
    letters = scanner.match(COMPONENTS)
    places = [*range(4)] if letters is None else [LETTERS[each] for each in letters[1]]
    if spelling.opcode == TEXKILL and len(places) == 4:
        count = next((n for n in range(1, 4) if places[n] <= places[n - 1]), 4)
        del places[count if not any(places[count:]) else 4 :]  # vkd3d fills up with x
    if sorted(set(places)) != list(places):
        raise scanner.place(start).error(
            f"expected a mask such as .xyw, got {letters and letters[0]}"
        )
    token.mask = sum(1 << place for place in places)
    return [token.word, *(index if version.major >= 2 else ())]


def _source(scanner: Scanner, version: Version) -> list[int]:
    before = next((each for each in ("1-", "-", "!") if scanner.accept(each)), "")
    bars = scanner.accept("|")
    file, number, index = _register(scanner, version)
    start = scanner.at
    found = None if bars else scanner.match(SUFFIX)
    after = "_abs" if bars else "" if found is None else OTHER_SUFFIXES.get(found[0], found[0])
    modifier = MODIFIERS.get((before, after))
    if modifier is None:
        raise scanner.place(start).error(f"expected no {after} of a source with {before!r}")
    token = SourceParameter(PARAMETER, number=number, relative=int(bool(index)))
    token.type_high, token.type_low = file >> 3, file & 7
    token.modifier, token.swizzle = SourceModifier(modifier), _swizzle(scanner)
    if bars:
        scanner.expect("|")
    return [token.word, *(index if version.major >= 2 else ())]


def _swizzle(scanner: Scanner) -> int:
    """Read the components of a source; a shorter swizzle repeats its last one."""
    found = scanner.match(COMPONENTS)
    if found is None:
        return IDENTITY
    places = [LETTERS[each] for each in found[1]]
    places += places[-1:] * (4 - len(places))
    return sum(place << 2 * i for i, place in enumerate(places))


def _register(scanner: Scanner, version: Version) -> tuple[int, int, list[int]]:
    """Read a register: its file, its number, and the token of a register that is added to it."""
    start = scanner.at
    wanted = "a register"
    found = scanner.match(NAME, tight=True)
    if found is None:
        raise scanner.expected(wanted)
    file = file_named(found[0], version)
    if file is None:
        raise scanner.place(start).error(
            f"expected {wanted} of {version.profile}, got {found[0]!r}"
        )
    kind, number = file
    digits = scanner.match(NUMBER, tight=True) if number is None else None
    if kind == RegisterType.LOOP:
        scanner.match(LOOP_NUMBER, tight=True)
    scanner.match(EMPTY)
    total = (number or 0) + (int(digits[0]) if digits else 0)
    index: list[int] = []
    if scanner.accept("["):
        more, index = _index(scanner, version)
        total += more
        scanner.expect("]")
    elif number is None and digits is None and (version.is_pixel or kind != RegisterType.ADDR):
        raise scanner.expected("the number of a register")
    if kind == RegisterType.CONST and total < CONSTANTS_PER_FILE * len(CONSTANT_FILES):
        kind = CONSTANT_FILES[total // CONSTANTS_PER_FILE]
        total %= CONSTANTS_PER_FILE
    if total > MOST_NUMBER:
        raise scanner.place(start).error(f"expected a register up to {MOST_NUMBER}, got {total}")
    return kind, total, index


def _index(scanner: Scanner, version: Version) -> tuple[int, list[int]]:
    """Read what stands in brackets: numbers, and at most one register, in any order."""
    total = 0
    index: list[int] = []
    while True:
        digits = scanner.match(NUMBER)
        if digits is not None:
            total += int(digits[0])
        elif not index:
            index = _source(scanner, version)
        else:
            raise scanner.expected("a number")
        if not scanner.accept("+"):
            return total, index


def _float(scanner: Scanner) -> int:
    start = scanner.at
    text = scanner.take(FLOAT, "a number")
    try:
        if text[:2] in ("0x", "0X"):
            return int(text, 16)
        number = float(text.removesuffix("f") if text[-3:] != "inf" else text)
        found: int = struct.unpack("<I", struct.pack("<f", number))[0]
    except (ValueError, OverflowError):
        raise scanner.place(start).error(f"expected a float of 32 bits, got {text:.40}") from None
    return found


def _integer(scanner: Scanner) -> int:
    start = scanner.at
    text = scanner.take(INTEGER, "an integer")
    value = int(text, 0)
    if not -(1 << 31) <= value < 1 << 32:
        raise scanner.place(start).error(f"expected an integer of 32 bits, got {text}")
    return value & 0xFFFF_FFFF


def _boolean(scanner: Scanner) -> int:
    return int(scanner.take(BOOLEAN, "true or false").lower() == "true")


LITERALS = {"f": _float, "i": _integer, "b": _boolean}
