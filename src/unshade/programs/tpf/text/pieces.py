"""What declarations are made of, and how each piece is printed and read.

    dcl_resource_texture2dms(4) (float,float,float,float) T0[0:3], space=1
    |           |          |    |                         |      |
    |           |          |    Types                     Range  Space
    |           |          Samples
    |           Choice(ResourceDcl.dimension, DIMENSIONS, "_")
    the row's name

A piece has two methods: `show` gives its text in an instruction, `read` takes that text from a line
and puts what it says into the instruction that is being made. declarations.py lists the pieces
of each declaration; nothing else is known about its text.

The decoder does not promise the dwords behind the operands: one that is missing is <none>.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from ....isa import Bits
from ..tables.spellings import (
    DIMENSIONS,
    GLOBAL_FLAGS,
    INTERPOLATIONS,
    MULTISAMPLED,
    RETURN_TYPES,
    SYSTEM_VALUES,
    word,
)
from ..tables.tokens import (
    GlobalFlags,
    InputPs,
    InterfaceDcl,
    ResourceDcl,
    ReturnTypes,
    SystemName,
    TableSizes,
)
from . import literals
from .operands import OperandTexts, precision_tag

if TYPE_CHECKING:
    from ..assembler.reader import Reader
    from ..instruction import Instruction

NONE = "<none>"
FIRST_FLAG = GlobalFlags.FIELDS[1].low  # behind the opcode


class Piece(Protocol):
    """A part of a declaration's text."""

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        """Its text in an instruction."""

    def read(self, reader: Reader, made: Instruction) -> None:
        """Takes its text and puts what it says into `made`; AssembleError if something else is
        there.
        """


def number(instruction: Instruction, at: int) -> str:
    """A dword that is a number."""
    words = instruction.words
    return str(words[at]) if at < len(words) else NONE


# ---------------------------------------------------------------- fixed text and controls


class Text:
    """Characters that are always there; blanks are free when read."""

    def __init__(self, text: str) -> None:
        self.text = text

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        return self.text

    def read(self, reader: Reader, made: Instruction) -> None:
        if self.text.strip():
            reader.expect(self.text.strip())
        else:
            reader.blank()


class Choice:
    """A word for the value of a control field."""

    def __init__(self, bits: Bits, words: Sequence[str], what: str, before: str = "") -> None:
        self.bits = bits
        self.words = words
        self.what = what
        self.before = before

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        return self.before + word(self.words, self.bits.of(instruction.token))

    def read(self, reader: Reader, made: Instruction) -> None:
        if self.before:
            reader.expect(self.before, f"{self.before!r} and a {self.what}")
        reader.put(made, self.bits, reader.choice(self.words, self.what))


class Suffix:
    """Characters that are there when a control bit is set."""

    def __init__(self, bits: Bits, text: str) -> None:
        self.bits = bits
        self.text = text

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        return self.text if self.bits.of(instruction.token) else ""

    def read(self, reader: Reader, made: Instruction) -> None:
        if reader.accept(self.text):
            reader.put(made, self.bits, 1)


class Control:
    """A control field that is a number."""

    def __init__(self, bits: Bits, what: str) -> None:
        self.bits = bits
        self.what = what

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        return str(self.bits.of(instruction.token))

    def read(self, reader: Reader, made: Instruction) -> None:
        reader.put(made, self.bits, reader.number(self.what))


class Samples:
    """`(4)` of a multisampled texture."""

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        token = ResourceDcl(instruction.token)
        return f"({token.sample_count})" if token.dimension in MULTISAMPLED else ""

    def read(self, reader: Reader, made: Instruction) -> None:
        if ResourceDcl.dimension.of(made.token) in MULTISAMPLED:
            reader.expect("(")
            reader.put(made, ResourceDcl.sample_count, reader.number("the number of samples"))
            reader.expect(")")


class Flags:
    """`refactoringAllowed | skipOptimization`; nothing where none is set."""

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        bits = instruction.token >> FIRST_FLAG
        return " | ".join(flag for bit, flag in enumerate(GLOBAL_FLAGS) if bits >> bit & 1)

    def read(self, reader: Reader, made: Instruction) -> None:
        more = not reader.done
        while more:
            made.token |= 1 << FIRST_FLAG + reader.choice(GLOBAL_FLAGS, "global flag", open=False)
            more = reader.accept("|")


class SgvInterpolation:
    """The interpolation of dcl_input_ps_sgv, which compilers before 10.x do not print.

    It is constant in all 19 that were seen, whoever printed them.
    """

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        if not texts.style.sgv_interpolation:
            return ""
        return f"{word(INTERPOLATIONS, InputPs(instruction.token).interpolation)} "

    def read(self, reader: Reader, made: Instruction) -> None:
        value = reader.possible_choice(INTERPOLATIONS)
        reader.put(made, InputPs.interpolation, 1 if value is None else value)


# ---------------------------------------------------------------- registers


class Declared:
    """A register with its components."""

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        operand = instruction.operands[0]
        return texts.text(operand, "", precision_tag(operand, 0, False))

    def read(self, reader: Reader, made: Instruction) -> None:
        made.operands.append(reader.declared())


class Range:
    """A resource: `t0`, or in Shader Model 5.1 the range `T0[3:7]`."""

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        return texts.range(instruction.operands[0])

    def read(self, reader: Reader, made: Instruction) -> None:
        made.operands.append(reader.range())


class ConstantBuffer:
    """`CB0[4]`, whose size is an index, or `CB0[0:0][4]`, whose size is a dword."""

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        operand = instruction.operands[0]
        register = texts.range(operand)
        if len(operand.indices) == 3:
            return f"{register}[{number(instruction, 0)}]"
        if texts.style.capital_buffers and register.startswith("cb"):
            return "CB" + register[2:]
        return register

    def read(self, reader: Reader, made: Instruction) -> None:
        operand = reader.range()
        made.operands.append(operand)
        if len(operand.indices) == 3:
            reader.expect("[", "'[' and the size of the buffer")
            reader.dword(made, 0, "the size of the buffer")
            reader.expect("]")


# ---------------------------------------------------------------- dwords


class Number:
    """A dword, with what stands before and behind it."""

    def __init__(self, at: int, what: str, before: str = "", behind: str = "") -> None:
        self.at = at
        self.what = what
        self.before = before
        self.behind = behind

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        return self.before + number(instruction, self.at) + self.behind

    def read(self, reader: Reader, made: Instruction) -> None:
        if self.before.strip():
            reader.expect(self.before.strip())
        reader.dword(made, self.at, self.what)
        if self.behind:
            reader.expect(self.behind)


class Space:
    """`, space=1`, in Shader Model 5.1."""

    def __init__(self, at: int) -> None:
        self.at = at

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        return f", space={instruction.words[self.at]}" if self.at < len(instruction.words) else ""

    def read(self, reader: Reader, made: Instruction) -> None:
        if reader.accept(","):
            reader.expect("space", "space=")
            reader.expect("=", "space=")
            # A constant buffer with another number of indices than three does not print its size.
            made.words += (0,) * (self.at - len(made.words))
            reader.dword(made, self.at, "the register space")


class Types:
    """`(float,float,float,float)`."""

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        if not instruction.words:
            return f"({NONE})"
        types = ReturnTypes(instruction.words[0])
        return f"({','.join(word(RETURN_TYPES, value) for _, value in types.items())})"

    def read(self, reader: Reader, made: Instruction) -> None:
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


class Meaning:
    """The system value of an input or output."""

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        words = instruction.words
        return f", {word(SYSTEM_VALUES, words[0] & 0xFFFF) if words else NONE}"

    def read(self, reader: Reader, made: Instruction) -> None:
        reader.expect(",")
        if not reader.accept(NONE):
            value = reader.choice(SYSTEM_VALUES, "system value")
            made.words = (reader.fitting(SystemName.name, 0, value),)


class Factor:
    """`l(64.000000)`, a dword that is a float."""

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        if not instruction.words:
            return NONE
        style = texts.style
        value = literals.number(instruction.words[0], literals.FLOAT, style.library, style.exact)
        return f"l({value})"

    def read(self, reader: Reader, made: Instruction) -> None:
        if not reader.accept(NONE):
            made.words = reader.literal(literals.FLOAT, (1,))


# ---------------------------------------------------------------- dynamic linkage


class FunctionTable:
    """`ft0 = {fb0, fb1}`: the number of the table, how many bodies it has, and their numbers."""

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        return f"ft{number(instruction, 0)} = {_numbered('fb', instruction.words[2:])}"

    def read(self, reader: Reader, made: Instruction) -> None:
        reader.expect("ft", "a function table, ft#")
        reader.dword(made, 0, "the number of the table")
        bodies = reader.numbered("fb", "a function body, fb#")
        if made.words:
            made.words = (*made.words, len(bodies), *bodies)


class InterfaceSlot:
    """`fp0[1][4] = {ft0, ft1}`: number, elements of the array, call sites, tables."""

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        words = instruction.words
        elements = TableSizes(words[2]).array_length if len(words) > 2 else NONE
        slot = f"fp{number(instruction, 0)}[{elements}][{number(instruction, 1)}]"
        return f"{slot} = {_numbered('ft', words[3:])}"

    def read(self, reader: Reader, made: Instruction) -> None:
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


DYNAMIC = Suffix(InterfaceDcl.dynamic_indexed, "_dynamicindexed")
SHAPE = Choice(ResourceDcl.dimension, DIMENSIONS, "resource dimension", "_")


def _numbered(prefix: str, numbers: Sequence[int]) -> str:
    return f"{{{', '.join(f'{prefix}{each}' for each in numbers)}}}"
