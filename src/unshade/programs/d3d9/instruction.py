"""Instructions: an opcode token and the tokens of its operands.

    one = Instruction([0x04000004, 0x80080001, 0x80ff0000, 0xb0ff0000, 0xa1000000], version)
    one.name, str(one)            "mad", "mad r1.w, r0.w, t0.w, -c0.x"
    one.op.code                   4
    one.destination.mask          0b1000
    one.sources[2].modifier       SourceModifier.NEG

The words are the state: fields of operands are read from them, and written to them. `version` is
the version of the program that the instruction is part of; it determines the names of registers and
operations, and whether a relative operand has a token of its own.

Source: tables/; fxc's listings for the spellings, and public ones for those of Shader Model 1 and 3
that no file of our tests has.
"""

import struct
from collections.abc import Iterator, Sequence

from ...enums import member_of
from ...errors import FormatError
from .mnemonics import COMPARED, spelled_mnemonic, spelled_name
from .registers import NamedRegister
from .tables.ops import OPS, Op
from .tables.tokens import (
    IDENTITY,
    ComparisonControl,
    DeclarationToken,
    DestinationParameter,
    InstructionToken,
    ParameterToken,
    SourceModifier,
    SourceParameter,
    Version,
    spelled_mask,
    spelled_swizzle,
)

__all__ = [
    "Instruction",
    "LiteralOperand",
    "NamedRegister",
    "Operand",
    "Version",
    "spelled_literal",
]

DCL = 0x1F
BLOCK_STARTS = frozenset({0x1B, 0x26, 0x28, 0x29, 0x2A})  # loop, rep, if, ifc, else
BLOCK_ENDS = frozenset({0x1D, 0x27, 0x2A, 0x2B})  # endloop, endrep, else, endif
FULL_MASK = 0b1111

# The text around a register, for each modifier of sources.
MODIFIED = {
    SourceModifier.NONE: ("", ""), SourceModifier.NEG: ("-", ""),
    SourceModifier.BIAS: ("", "_bias"), SourceModifier.BIASNEG: ("-", "_bias"),
    SourceModifier.SIGN: ("", "_bx2"), SourceModifier.SIGNNEG: ("-", "_bx2"),
    SourceModifier.COMP: ("1-", ""), SourceModifier.X2: ("", "_x2"),
    SourceModifier.X2NEG: ("-", "_x2"), SourceModifier.DZ: ("", "_dz"),
    SourceModifier.DW: ("", "_dw"), SourceModifier.ABS: ("", "_abs"),
    SourceModifier.ABSNEG: ("-", "_abs"), SourceModifier.NOT: ("!", ""),
}  # fmt: skip


class WordPlace:
    """A place in the words of an instruction; those of one place are equal, made when read."""

    __slots__ = ("at", "holder")

    def __init__(self, holder: "Instruction", at: int) -> None:
        self.holder = holder
        self.at = at

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WordPlace):
            return NotImplemented
        return self.holder is other.holder and self.at == other.at

    def __hash__(self) -> int:
        return hash((id(self.holder), self.at))


class Operand(WordPlace):
    """A destination or source of an instruction."""

    __slots__ = ("is_destination",)

    def __init__(self, holder: "Instruction", at: int, is_destination: bool) -> None:
        super().__init__(holder, at)
        self.is_destination = is_destination

    @property
    def token(self) -> ParameterToken:
        """The token: a DestinationParameter or a SourceParameter."""
        kind = DestinationParameter if self.is_destination else SourceParameter
        return kind(self.holder.words[self.at])

    @property
    def register(self) -> NamedRegister:
        """The register, without the one that is added to its number."""
        token = self.token
        return NamedRegister(token.file, token.number, self.holder.version)

    @property
    def index(self) -> "Operand | None":
        """The register that is added to the number; None if there is none.

        In Shader Model 1 it is a0.x, for which no token exists.
        """
        if not self.token.relative or self.holder.version.major < 2:
            return None
        if self.at + 1 >= len(self.holder.words):  # a finding of `verify`
            return None
        return Operand(self.holder, self.at + 1, False)

    @property
    def components(self) -> str:
        """The components that are written, or those that are read: `xyw`, `xxyy`."""
        token = self.token
        if isinstance(token, DestinationParameter):
            return spelled_mask(token.mask)
        assert isinstance(token, SourceParameter)
        return spelled_swizzle(token.swizzle)

    def __str__(self) -> str:
        token = self.token
        text = str(self.register)
        if token.relative:
            text += f"[{self.index or 'a0.x'}]"
        if isinstance(token, DestinationParameter):
            return text if token.mask == FULL_MASK else f"{text}.{spelled_mask(token.mask)}"
        assert isinstance(token, SourceParameter)
        modifier = member_of(SourceModifier, token.modifier)
        before, after = ("", f"_mod{token.modifier}") if modifier is None else MODIFIED[modifier]
        text = f"{before}{text}{after}"
        if token.swizzle == IDENTITY:
            return text
        letters = spelled_swizzle(token.swizzle)
        return f"{text}.{letters[0] if len(set(letters)) == 1 else letters}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"


class LiteralOperand(WordPlace):
    """A number of def, defi or defb, or a token that belongs to no operand."""

    __slots__ = ("letter",)

    def __init__(self, holder: "Instruction", at: int, letter: str) -> None:
        super().__init__(holder, at)
        self.letter = letter

    @property
    def bits(self) -> int:
        """The 32 bits."""
        return self.holder.words[self.at]

    def __str__(self) -> str:
        return spelled_literal(self.bits, self.letter)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"


def spelled_literal(bits: int, letter: str, wide_exponent: bool = False) -> str:
    """Return a number as fxc prints it.

    Args:
        bits: The 32 bits.
        letter: f a float, i an integer, b a boolean; others are printed in hexadecimal.
        wide_exponent: Exponents have three digits, as the C library of older versions prints them.
    """
    if letter == "f":
        text = f"{struct.unpack('<f', struct.pack('<I', bits))[0]:.9g}"
        if wide_exponent and "e" in text:
            number, _, exponent = text.partition("e")
            return f"{number}e{exponent[0]}{exponent[1:]:0>3}"
        return text
    if letter == "i":
        return str(bits - (1 << 32) if bits >> 31 else bits)
    if letter == "b":
        return "true" if bits else "false"
    return f"0x{bits:08x}"


class Instruction:
    """One instruction; `words` are its tokens, the opcode token first."""

    __slots__ = ("version", "words")

    def __init__(self, words: Sequence[int], version: Version) -> None:
        self.words = list(words)
        self.version = version

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Instruction) and self.words == other.words

    __hash__ = None  # type: ignore[assignment]  # it can change

    @property
    def token(self) -> InstructionToken:
        """The opcode token."""
        return InstructionToken(self.words[0])

    @property
    def op(self) -> Op | None:
        """The operation, None for an unknown opcode."""
        return OPS.get(self.words[0] & 0xFFFF)

    @property
    def comparison(self) -> ComparisonControl | None:
        """The comparison of ifc, breakc and setp, None if it has none or an unknown one."""
        token = self.token
        return member_of(ComparisonControl, token.controls) if token.opcode in COMPARED else None

    @property
    def name(self) -> str:
        """The mnemonic of this version, without suffixes; `opcode_61` for an unknown opcode."""
        return spelled_name(self.token, self.version)

    @property
    def mnemonic(self) -> str:
        """The mnemonic with its suffixes: `if_gt`, `dcl_texcoord1`, `mad_sat_pp`."""
        destination = self.destination
        token = None if destination is None else destination.token
        assert token is None or isinstance(token, DestinationParameter)
        return spelled_mnemonic(self.token, self.declaration, token, self.version)

    @property
    def destination(self) -> Operand | None:
        """The destination, None if the instruction has none."""
        first = next((each for each in self.all_operands() if isinstance(each, Operand)), None)
        return first if first is not None and first.is_destination else None

    @property
    def predicate(self) -> Operand | None:
        """The predicate under which the instruction is executed; None if it always is."""
        return next((each for each, role in self._roles() if role == "predicate"), None)

    @property
    def sources(self) -> list[Operand]:
        """The sources, without the predicate."""
        return [each for each, role in self._roles() if role == "source"]

    @property
    def declaration(self) -> DeclarationToken | None:
        """The usage or texture that `dcl` declares, None for other instructions."""
        if self.op is None or self.op.code != DCL or len(self.words) < 2:
            return None
        return DeclarationToken(self.words[1])

    @property
    def literals(self) -> list[LiteralOperand]:
        """The numbers of def, defi and defb, and tokens that belong to no operand."""
        return [each for each in self.all_operands() if isinstance(each, LiteralOperand)]

    @property
    def operands(self) -> list[Operand | LiteralOperand]:
        """The operands in the order of the text; the predicate is not among them."""
        predicate = self.predicate
        at = None if predicate is None else predicate.at
        return [each for each in self.all_operands() if each.at != at]

    @property
    def strays(self) -> list[LiteralOperand]:
        """The tokens that are no register where the operation has one."""
        return [each for each in self.literals if each.letter == "x"]

    @property
    def miscount(self) -> str:
        """The number of operands that the operation expects, and has; "" if it is right."""
        wanted = [each for each in (self.op.operands if self.op else ()) if each != "u"]
        least, given = sum(not each.startswith("[") for each in wanted), len(self.operands)
        if self.op is None or least <= given <= len(wanted):
            return ""
        expected = str(least) if least == len(wanted) else f"{least} to {len(wanted)}"
        return f"expected {expected} operands, got {given}"

    @property
    def results(self) -> list[Operand]:
        """The operands that the instruction writes."""
        found = self.destination
        return [] if found is None or self.name == "texkill" else [found]

    def _roles(self) -> Iterator[tuple[Operand, str]]:
        """Yield the operands with tokens of their own: destination, predicate, then sources."""
        predicated = self.token.predicated
        for each in self.all_operands():
            if isinstance(each, Operand):
                if each.is_destination:
                    yield each, "destination"
                elif predicated:
                    yield each, "predicate"
                    predicated = 0
                else:
                    yield each, "source"

    def all_operands(self) -> Iterator[Operand | LiteralOperand]:
        """Yield all operands in the order of their tokens, the predicate among them."""
        op = self.op
        letters = op.operands if op is not None else ()
        at, total = 1, len(self.words)
        if letters[:1] == ("u",):
            at = min(2, total)
        destination = "d" in letters
        numbers = [each for each in letters if each in ("f", "i", "b")]
        while at < total:
            if not destination and numbers:
                yield LiteralOperand(self, at, numbers.pop(0))
                at += 1
                continue
            word = self.words[at]
            if op is None or not word >> 31:
                yield LiteralOperand(self, at, "x")
                at += 1
                continue
            one = Operand(self, at, destination)
            destination = False
            yield one
            at += 1 if one.index is None else 2

    def __str__(self) -> str:
        predicate = self.predicate
        before = f"({predicate}) " if predicate is not None else ""
        operands = ", ".join(map(str, self.operands))
        return f"{before}{self.mnemonic} {operands}" if operands else f"{before}{self.mnemonic}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"


def malformed(problem: str, word: int, path: str) -> FormatError:
    """Return the error of a token, given by its number from the start of the program."""
    return FormatError(problem, offset=4 * word, path=path)
