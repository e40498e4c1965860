"""Printer of the native text: a program as in fxc's listing, from the profile on.

    ps_5_0
    dcl_globalFlags refactoringAllowed
    dcl_constantbuffer CB0[4], immediateIndexed
    dcl_temps 1
    if_nz cb0[3].x
      sample_aoffimmi_indexable(1,-1,0)(texture2d)(float,float,float,float) r0.xyz, v1.xyxx, …
    endif
    ret

    line      =  blanks  mnemonic  suffixes  " "  operand  ", "  operand …
    suffixes  =  _nz  _aoffimmi  _indexable  _sat  " [precise(x)]"  (u,v,w)  (shape)  (types)  _uint

Lines are indented by two blanks for each open if, loop and switch; labels and phases are not. A
mnemonic without operands ends with a blank. The container's listing adds the tables and counts
around these lines.

Source: 373 listings of fxc and D3DDisassemble; tables/spellings.py lists spellings that occur in
none of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from ..kept import Kept
from ..tables.enumerations import ExtendedOpcode
from ..tables.ops import OPS, Op
from ..tables.selection import mask_letters
from ..tables.spellings import (
    BUFFER_OF_STRUCTURES,
    DIMENSIONS,
    OFFSETS,
    PRECISE,
    RESINFO_TYPES,
    RESOURCE,
    RETURN_TYPES,
    SAMPLE_INFO_TYPES,
    SATURATE,
    TESTS,
    UNDECIPHERABLE,
    word,
)
from ..tables.tokens import (
    Arithmetic,
    OperandModifier,
    Resinfo,
    ResourceDim,
    ResourceReturn,
    SampleControls,
    SampleInfo,
    Sync,
    Test,
)
from .declarations import PRINTERS, Printer
from .operands import KEPT, OperandTexts, precision_tag, texts_in, unprintable
from .style import Style

if TYPE_CHECKING:
    from ..code import Code
    from ..instruction import Instruction

__all__ = ["Style", "annotated", "disassemble", "indented", "print_instruction", "with_flow"]

DEFAULT = Style()
INDENT = "  "
DEEPEST = 64  # indented levels: the limit of Direct3D, but not of damaged files

OPENS = frozenset(OPS[name].code for name in ("if", "loop", "switch", "else"))
CLOSES = frozenset(OPS[name].code for name in ("endif", "endloop", "endswitch", "else"))
AT_MARGIN = frozenset(
    OPS[name].code
    for name in ("label", "hs_decls", "hs_control_point_phase", "hs_fork_phase", "hs_join_phase")
)
# What a line is for the indentation: it opens or closes a block, is not indented, is several lines.
_OPENS, _CLOSES, _AT_MARGIN, _SEVERAL = 1, 2, 4, 8
_FLOW = {
    code: (code in OPENS) * _OPENS | (code in CLOSES) * _CLOSES | (code in AT_MARGIN) * _AT_MARGIN
    for code in OPENS | CLOSES | AT_MARGIN
}
# The suffixes of sync, in this order; _ugroup is not printed beside _uglobal.
SYNC = (
    ("_uglobal", Sync.uav_global),
    ("_ugroup", Sync.uav_group),
    ("_g", Sync.shared_memory),
    ("_t", Sync.threads_in_group),
)
PRECISION = OperandModifier.min_precision.mask << OperandModifier.min_precision.low

# Mnemonic with its suffixes, operand letters, and the printer of the line if it has one of its own.
Head = tuple[str, str, Printer | None]
Line = tuple[int, str]  # the flow of an instruction, and its text


def disassemble(program: Code, style: Style = DEFAULT) -> list[str]:
    """Return the lines of the program, without line ends."""
    return [program.profile, *indented(_lines(style).of_all(program.listed))]


def with_flow(instruction: Instruction, text: str) -> Line:
    """Return the text of an instruction with the data that `indented` needs."""
    return _FLOW.get(instruction.token & 0x7FF, 0) | ("\n" in text) * _SEVERAL, text


def indented(lines: Iterable[Line]) -> list[str]:
    """Return the lines of a program's instructions, indented."""
    found: list[str] = []
    level, blanks = 0, ""
    for flow, text in lines:
        if not flow:
            found.append(blanks + text)
            continue
        if flow & _CLOSES and level:
            level -= 1
        blanks = INDENT * min(level, DEEPEST)
        found += (text if flow & _AT_MARGIN else blanks + text).split("\n")
        if flow & _OPENS:
            level += 1
            blanks = INDENT * min(level, DEEPEST)
    return found


def print_instruction(instruction: Instruction, style: Style = DEFAULT) -> str:
    """Return one instruction without indentation; a constant table takes several lines."""
    heads, texts = _heads(style), texts_in(style)
    return _line(texts, instruction, _head(heads, instruction))


def annotated(instruction: Instruction, style: Style, note: str, notes: dict[int, str]) -> str:
    """Return an instruction with `note` after its mnemonic and `notes` after operands, by id."""
    texts = OperandTexts(style, notes)
    text, letters, special = _new_head(instruction)
    if not note:
        return _line(texts, instruction, (text, letters, special))
    if special is None or special is _call:
        return _line(texts, instruction, (f"{text.rstrip()} {note}", letters, special))
    text = special(texts, instruction, text)
    at = text.find(" ") if text != UNDECIPHERABLE else len(text)
    return f"{text[:at]} {note}{text[at:]}"


def text_of(instruction: Instruction) -> str:
    """Return one instruction, or a placeholder if it cannot be printed."""
    try:
        return print_instruction(instruction).rstrip()
    except Exception as error:
        return unprintable(error)


@lru_cache(maxsize=8)
def _heads(style: Style) -> dict[object, Head]:
    """Return the cache of one style, shared by all programs."""
    return {}


@lru_cache(maxsize=8)
def _lines(style: Style) -> Kept[Line]:
    """Return the printer of instructions in one style, shared by all programs."""
    heads, texts = _heads(style), texts_in(style)

    def line(instruction: Instruction) -> Line:
        return with_flow(instruction, _line(texts, instruction, _head(heads, instruction)))

    return Kept(line)


def _line(texts: OperandTexts, instruction: Instruction, head: Head) -> str:
    text, letters, special = head
    operands = instruction.operands
    if len(operands) != len(letters):  # not from the decoder
        letters = letters[: len(operands)].ljust(len(operands))
    elif special is not None:
        return special(texts, instruction, text)
    if not operands:
        return text
    for operand in operands:
        if operand.extended and operand.modifier_token & PRECISION:
            return f"{text} {', '.join(_precise_operands(texts, instruction, letters))}"
    print_one = texts.text
    printed = [print_one(each, letter) for each, letter in zip(operands, letters, strict=True)]
    return f"{text} {', '.join(printed)}"


def _precise_operands(texts: OperandTexts, instruction: Instruction, letters: str) -> list[str]:
    """Return the operands of an instruction where an operand has less than 32 bits of precision.

    The table of operations lists the operands that are converted to the precision of the
    destination.
    """
    operands = instruction.operands
    row = instruction.op
    converted = row.precision if row else 0
    target = OperandModifier.min_precision.of(operands[0].modifier_token)
    return [
        texts.text(operand, letter, precision_tag(operand, target, bool(converted >> at & 1)))
        for at, (operand, letter) in enumerate(zip(operands, letters, strict=True))
    ]


# ---------------------------------------------------------------- the mnemonic


def _head(heads: dict[object, Head], instruction: Instruction) -> Head:
    key = (instruction.token, *instruction.extended) if instruction.extended else instruction.token
    head = heads.get(key)
    if head is None:
        if len(heads) >= KEPT:
            heads.clear()
        head = heads[key] = _new_head(instruction)
    return head


def _new_head(instruction: Instruction) -> Head:
    row = instruction.op
    if row is None:
        return f"<unknown_{instruction.opcode}>", "", _unknown
    special = PRINTERS.get(row.code)
    text = row.name
    if special is None:
        text += _suffixes(row, instruction)
        if row.blank:
            text += " "
        if row.leading:
            special = _call
    return text, row.printed, special


def _suffixes(row: Op, instruction: Instruction) -> str:
    """Return the suffixes of the mnemonic, up to the blank before the operands."""
    token = instruction.token
    text = ""
    if row.test:
        text += TESTS[Test(token).test_nonzero]
    offsets = resource = types = ""
    for extended in instruction.extended:
        kind = extended & 0x3F
        if kind == ExtendedOpcode.SAMPLE_CONTROLS:
            texels = SampleControls(extended)
            offsets = f"({texels.u},{texels.v},{texels.w})"
        elif kind == ExtendedOpcode.RESOURCE_DIM:
            shape = ResourceDim(extended)
            stride = f", stride={shape.stride}" if shape.dimension == BUFFER_OF_STRUCTURES else ""
            resource = f"({word(DIMENSIONS, shape.dimension)}{stride})"
        elif kind == ExtendedOpcode.RESOURCE_RETURN_TYPE:
            each = ResourceReturn(extended)
            types = f"({','.join(word(RETURN_TYPES, n) for n in (each.x, each.y, each.z, each.w))})"
    if offsets:
        text += OFFSETS
    if resource or types:
        text += RESOURCE
    if Arithmetic(token).saturate:  # the bit has two meanings in sync, and both are printed
        text += SATURATE
    if row.controls is Sync:
        text += _sync(Sync(token))
    else:
        text += _precise(Arithmetic(token).precise)
    text += offsets + resource + types
    if row.controls is Resinfo:
        kind = Resinfo(token).return_type
        text += RESINFO_TYPES[kind] if kind < len(RESINFO_TYPES) else f"_<{kind}>"
    elif row.controls is SampleInfo:
        text += SAMPLE_INFO_TYPES[SampleInfo(token).return_uint]
    return text


def _sync(token: Sync) -> str:
    words = [text for text, bits in SYNC if bits.of(token.word)]
    if words[:2] == ["_uglobal", "_ugroup"]:
        del words[1]
    return "".join(words)


def _precise(components: int) -> str:
    if not components:
        return ""
    if components == 15:
        return f" {PRECISE}"
    return f" {PRECISE[:-1]}({mask_letters(components)})]"


# ---------------------------------------------------------------- special lines


def _call(texts: OperandTexts, instruction: Instruction, text: str) -> str:
    """Print fcall: the dword before the operand, the function, is printed after it."""
    function = instruction.words[0] if instruction.words else "<none>"
    return f"{text} {texts.text(instruction.operands[0], '')}[{function}]"


def _unknown(texts: OperandTexts, instruction: Instruction, text: str) -> str:
    """Print an unknown opcode as dwords."""
    words = (instruction.token, *instruction.extended, *instruction.words)
    return f"{text} {', '.join(f'0x{each:08x}' for each in words)}"
