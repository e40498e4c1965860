"""Pieces of declarations, each of which is printed and read in the same way everywhere.

    dcl_resource_texture2dms(4) (float,float,float,float) T0[0:3], space=1
    |           |          |    |                         |      |
    |           |          |    ReturnTypesPiece     RangePiece  SpacePiece
    |           |          Samples
    |           ChoicePiece(ResourceDcl.dimension, DIMENSIONS, "_")
    the row's name

A piece has two methods: `show` prints it, `read` reads its text from a line and stores the value in
the instruction that is being assembled. declarations.py lists the pieces of each declaration, from
which both the printer and the assembler work.

The decoder does not guarantee the dwords after the operands: a missing dword is printed as <none>.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from ....isa import Bits
from ..tables.aliases import SUFFIXES as OTHER_SUFFIXES
from ..tables.spellings import (
    DIMENSIONS,
    GLOBAL_FLAGS,
    INTERPOLATIONS,
    MULTISAMPLED,
    RETURN_TYPES,
    SAMPLER_MODES,
    SYSTEM_VALUES,
    word,
)
from ..tables.tokens import (
    GlobalFlags,
    InputPs,
    InterfaceDcl,
    ResourceDcl,
    ReturnTypes,
    SamplerDcl,
    SystemName,
    TableSizes,
)
from . import literals
from .operands import OperandTexts, precision_tag

if TYPE_CHECKING:
    from ..assembler.reader import LineReader
    from ..instruction import Instruction

NONE = "<none>"
SPACE = re.compile(r",\s*space\b")
SPACE_WITHOUT_COMMA = re.compile(r"\s*space=")  # of RenderDoc
SUFFIXES = re.compile(rf",\s*(?:{'|'.join(OTHER_SUFFIXES)})\b")
FIRST_FLAG = GlobalFlags.FIELDS[1].low  # after the opcode


class Piece(Protocol):
    """A part of a declaration's text."""

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        """Return the text of the piece in an instruction."""

    def read(self, reader: LineReader, made: Instruction) -> None:
        """Read the piece and store its value in `made`; AssembleError if it does not match."""


def number(instruction: Instruction, at: int) -> str:
    """Return a dword in decimal."""
    words = instruction.words
    return str(words[at]) if at < len(words) else NONE


# ---------------------------------------------------------------- fixed text and controls


class FixedPiece:
    """Fixed text; blanks in it are optional when read."""

    def __init__(self, text: str) -> None:
        self.text = text

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        return self.text

    def read(self, reader: LineReader, made: Instruction) -> None:
        if self.text.strip():
            reader.expect(self.text.strip())
        else:
            reader.blank()


class ChoicePiece:
    """A control field that is printed as a word."""

    def __init__(self, bits: Bits, words: Sequence[str], what: str, before: str = "") -> None:
        self.bits = bits
        self.words = words
        self.what = what
        self.before = before

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        return self.before + word(self.words, self.bits.of(instruction.token))

    def read(self, reader: LineReader, made: Instruction) -> None:
        if self.before:
            reader.expect(self.before, f"{self.before!r} and a {self.what}")
        reader.put(made, self.bits, reader.choice(self.words, self.what))


class SuffixPiece:
    """Text that is printed if a control bit is set."""

    def __init__(self, bits: Bits, text: str) -> None:
        self.bits = bits
        self.text = text

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        return self.text if self.bits.of(instruction.token) else ""

    def read(self, reader: LineReader, made: Instruction) -> None:
        if reader.accept(self.text):
            reader.put(made, self.bits, 1)


class ControlPiece:
    """A control field that is printed as a number."""

    def __init__(self, bits: Bits, what: str) -> None:
        self.bits = bits
        self.what = what

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        return str(self.bits.of(instruction.token))

    def read(self, reader: LineReader, made: Instruction) -> None:
        reader.put(made, self.bits, reader.number(self.what))


class SamplerModePiece:
    """The mode of a sampler, which vkd3d-compiler prints only if it is not the default."""

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        return f", {word(SAMPLER_MODES, SamplerDcl.mode.of(instruction.token))}"

    def read(self, reader: LineReader, made: Instruction) -> None:
        if not reader.done and not reader.follows(SPACE):
            reader.expect(",")
            reader.put(made, SamplerDcl.mode, reader.choice(SAMPLER_MODES, "sampler mode"))


class SuffixesPiece:
    """Words of RenderDoc's at the end of a declaration, which are suffixes in native text."""

    def __init__(self, *suffixes: SuffixPiece) -> None:
        self.suffixes = suffixes
        self.texts = [each.text for each in suffixes]

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        return ""

    def read(self, reader: LineReader, made: Instruction) -> None:
        while reader.follows(SUFFIXES):
            reader.expect(",")
            found = reader.choice(self.texts, "suffix", open=False)
            reader.put(made, self.suffixes[found].bits, 1)


class SamplesPiece:
    """The sample count of a multisampled texture, `(4)`."""

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        token = ResourceDcl(instruction.token)
        return f"({token.sample_count})" if token.dimension in MULTISAMPLED else ""

    def read(self, reader: LineReader, made: Instruction) -> None:
        if ResourceDcl.dimension.of(made.token) in MULTISAMPLED:
            reader.expect("(")
            reader.put(made, ResourceDcl.sample_count, reader.number("the number of samples"))
            reader.expect(")")


class FlagsPiece:
    """The global flags that are set: `refactoringAllowed | skipOptimization`."""

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        bits = instruction.token >> FIRST_FLAG
        return " | ".join(flag for bit, flag in enumerate(GLOBAL_FLAGS) if bits >> bit & 1)

    def read(self, reader: LineReader, made: Instruction) -> None:
        more = not reader.done
        while more:
            made.token |= 1 << FIRST_FLAG + reader.choice(GLOBAL_FLAGS, "global flag", open=False)
            more = reader.accept("|") or reader.accept(",")  # a comma in RenderDoc's listings


class SgvInterpolationPiece:
    """The interpolation of dcl_input_ps_sgv, which compilers before 10.x do not print.

    The mode is constant in all 19 programs seen.
    """

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        if not texts.style.sgv_interpolation:
            return ""
        return f"{word(INTERPOLATIONS, InputPs(instruction.token).interpolation)} "

    def read(self, reader: LineReader, made: Instruction) -> None:
        value = reader.possible_choice(INTERPOLATIONS)
        reader.put(made, InputPs.interpolation, 1 if value is None else value)


# ---------------------------------------------------------------- registers


class RegisterPiece:
    """A register with its components."""

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        operand = instruction.operands[0]
        return texts.text(operand, "", precision_tag(operand, 0, False))

    def read(self, reader: LineReader, made: Instruction) -> None:
        made.operands.append(reader.declared())


class RangePiece:
    """A resource: `t0`, or the range `T0[3:7]` in Shader Model 5.1."""

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        return texts.range(instruction.operands[0])

    def read(self, reader: LineReader, made: Instruction) -> None:
        made.operands.append(reader.range())


class ConstantBufferPiece:
    """A constant buffer: `CB0[4]` with its size as an index, or `CB0[0:0][4]` as a dword."""

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        operand = instruction.operands[0]
        register = texts.range(operand)
        if len(operand.indices) == 3:
            return f"{register}[{number(instruction, 0)}]"
        if texts.style.capital_buffers and register.startswith("cb"):
            return "CB" + register[2:]
        return register

    def read(self, reader: LineReader, made: Instruction) -> None:
        operand = reader.range()
        made.operands.append(operand)
        if len(operand.indices) == 3:
            reader.expect("[", "'[' and the buffer size")
            reader.dword(made, 0, "the buffer size")
            reader.expect("]")


# ---------------------------------------------------------------- dwords


class NumberPiece:
    """A dword, with the text before and after it."""

    def __init__(self, at: int, what: str, before: str = "", after: str = "") -> None:
        self.at = at
        self.what = what
        self.before = before
        self.after = after

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        return self.before + number(instruction, self.at) + self.after

    def read(self, reader: LineReader, made: Instruction) -> None:
        if self.before.strip():
            reader.expect(self.before.strip())
        reader.dword(made, self.at, self.what)
        if self.after:
            reader.expect(self.after)


class SpacePiece:
    """The register space in Shader Model 5.1, `, space=1`."""

    def __init__(self, at: int) -> None:
        self.at = at

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        return f", space={instruction.words[self.at]}" if self.at < len(instruction.words) else ""

    def read(self, reader: LineReader, made: Instruction) -> None:
        if not reader.accept(",") and not reader.follows(SPACE_WITHOUT_COMMA):
            return
        reader.expect("space", "space=")
        reader.expect("=", "space=")
        # The size of a constant buffer is printed only if it has three indices.
        made.words += (0,) * (self.at - len(made.words))
        reader.dword(made, self.at, "the register space")
        if reader.accept(","):
            reader.registers(made)


class ReturnTypesPiece:
    """The component types of a resource, `(float,float,float,float)`."""

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        if not instruction.words:
            return f"({NONE})"
        types = ReturnTypes(instruction.words[0])
        return f"({','.join(word(RETURN_TYPES, value) for _, value in types.items())})"

    def read(self, reader: LineReader, made: Instruction) -> None:
        reader.expect("(", "'(' and the types of the components")
        if reader.accept(NONE):
            reader.expect(")")
            return
        found = 0
        for at, bits in enumerate(ReturnTypes.FIELDS):
            if at:
                reader.expect(",")
            found = reader.fitting(bits, found, reader.choice(RETURN_TYPES, "component type"))
        reader.expect(")")
        made.words = (*made.words, found)


class SystemValuePiece:
    """The system value of an input or output."""

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        words = instruction.words
        return f", {word(SYSTEM_VALUES, words[0] & 0xFFFF) if words else NONE}"

    def read(self, reader: LineReader, made: Instruction) -> None:
        reader.expect(",")
        if not reader.accept(NONE):
            value = reader.choice(SYSTEM_VALUES, "system value")
            made.words = (reader.fitting(SystemName.name, 0, value),)


class FactorPiece:
    """A dword that is a float, `l(64.000000)`."""

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        if not instruction.words:
            return NONE
        style = texts.style
        value = literals.number(instruction.words[0], literals.FLOAT, style.library, style.exact)
        return f"l({value})"

    def read(self, reader: LineReader, made: Instruction) -> None:
        if not reader.accept(NONE):
            made.words = reader.literal(literals.FLOAT, (1,))


# ---------------------------------------------------------------- dynamic linkage


class FunctionTablePiece:
    """A function table, `ft0 = {fb0, fb1}`: its number, the number of bodies, the bodies."""

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        return f"ft{number(instruction, 0)} = {_numbered('fb', instruction.words[2:])}"

    def read(self, reader: LineReader, made: Instruction) -> None:
        reader.expect("ft", "a function table, ft#")
        reader.dword(made, 0, "the number of the table")
        bodies = reader.numbered("fb", "a function body, fb#")
        if made.words:
            made.words = (*made.words, len(bodies), *bodies)


class InterfacePiece:
    """An interface, `fp0[1][4] = {ft0, ft1}`: number, array elements, call sites, tables."""

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        words = instruction.words
        elements = TableSizes(words[2]).array_length if len(words) > 2 else NONE
        slot = f"fp{number(instruction, 0)}[{elements}][{number(instruction, 1)}]"
        return f"{slot} = {_numbered('ft', words[3:])}"

    def read(self, reader: LineReader, made: Instruction) -> None:
        reader.expect("fp", "an interface, fp#")
        reader.dword(made, 0, "the number of the interface")
        reader.expect("[")
        elements = reader.number("the number of elements", none=True)
        lengths = reader.fitting(TableSizes.array_length, 0, elements or 0)
        reader.expect("]")
        reader.expect("[")
        reader.dword(made, 1, "the number of call sites")
        reader.expect("]")
        tables = reader.numbered("ft", "a function table, ft#")
        if len(made.words) == 2 and elements is not None:
            lengths = reader.fitting(TableSizes.table_length, lengths, len(tables))
            made.words = (*made.words, lengths, *tables)


DYNAMIC = SuffixPiece(InterfaceDcl.dynamic_indexed, "_dynamicindexed")
SHAPE = ChoicePiece(ResourceDcl.dimension, DIMENSIONS, "resource dimension", "_")


def _numbered(prefix: str, numbers: Sequence[int]) -> str:
    return f"{{{', '.join(f'{prefix}{each}' for each in numbers)}}}"
