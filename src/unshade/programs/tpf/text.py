"""A program as fxc's listing prints it: the lines from the profile to the last instruction.

    ps_5_0
    dcl_globalFlags refactoringAllowed
    dcl_constantbuffer CB0[4], immediateIndexed
    dcl_temps 1
    if_nz cb0[3].x
      sample_aoffimmi_indexable(1,-1,0)(texture2d)(float,float,float,float) r0.xyz, v1.xyxx, t0.xyzw, s0
    endif 
    ret 

    line      =  blanks  mnemonic  suffixes  " "  operand  ", "  operand …
    suffixes  =  _z/_nz  _aoffimmi  _indexable  _sat  " [precise(xy)]"  (u,v,w)  (dim)  (types)  _uint

Two blanks stand for each if, loop and switch that is open; labels and phases begin at the margin. A
mnemonic without operands ends with a blank. What surrounds these lines (tables, instruction counts)
is the container's listing.

Source: 373 listings of fxc and D3DDisassemble; spellings.py names what none of them showed.
"""  # noqa: W291

from collections.abc import Callable
from functools import lru_cache

from . import declarations
from .operand_text import OperandTexts, precision_tag
from .operands import Operand
from .ops import OPS, Op
from .program import Instruction, Program
from .spellings import BUFFER_OF_STRUCTURES, DIMENSIONS, RESINFO_TYPES, RETURN_TYPES, word
from .style import Style
from .tokens import (
    Arithmetic,
    ExtendedOpcode,
    Resinfo,
    ResourceDim,
    ResourceReturn,
    SampleControls,
    SampleInfo,
    Sync,
    Test,
    VersionToken,
)

DEFAULT = Style()
INDENT = "  "
DEEPEST = 256  # levels that are still indented: Direct3D allows 64, the dwords of a file any number

OPENS = frozenset(OPS[name].code for name in ("if", "loop", "switch", "else"))
CLOSES = frozenset(OPS[name].code for name in ("endif", "endloop", "endswitch", "else"))
AT_MARGIN = frozenset(
    OPS[name].code
    for name in ("label", "hs_decls", "hs_control_point_phase", "hs_fork_phase", "hs_join_phase")
)
FCALL, CUSTOMDATA = OPS["fcall"].code, OPS["customdata"].code
PRECISION_BITS = 7 << 14

Special = Callable[[OperandTexts, Instruction], str]
# mnemonic with suffixes, operand letters, printer of the whole line or None, levels of indentation
# before and after, whether it begins at the margin
Head = tuple[str, str, Special | None, int, int, bool]


def disassemble(program: Program, style: Style = DEFAULT) -> list[str]:
    """The lines of the program, without line ends."""
    printer = _printer(style)
    heads = printer.heads
    known = printer.operands.known
    remember = printer.operands.remember
    indents = [INDENT * level for level in range(DEEPEST + 1)]
    level = 0
    lines = [profile(program.version)]
    for instruction in program.instructions:
        # The common case of `print_instruction` and `OperandTexts.text`, written out: a line costs
        # two or three dictionary look-ups.
        head = None if instruction.extended else heads.get(instruction.token)
        if head is None:
            head = printer.head(instruction)
        text, letters, special, closes, opens, at_margin = head
        operands = instruction.operands
        if special is not None or len(operands) != len(letters):
            text = printer.line(instruction, head)
        elif operands:
            parts = []
            for operand, letter in zip(operands, letters, strict=True):
                indices = operand.indices
                key: tuple[int | str, ...]
                if operand.extended:
                    key = ()
                elif len(indices) == 1 and indices[0].relative is None:
                    key = (operand.token, indices[0].immediate)
                elif not indices:
                    key = (operand.token, letter, *operand.literal)
                elif len(indices) == 2 and not (indices[0].relative or indices[1].relative):
                    key = (operand.token, indices[0].immediate, indices[1].immediate)
                else:
                    key = ()
                part = known.get(key)
                if part is None:
                    part = remember(key, operand, letter) if key else printer.operand(operand, letter)
                    if part is None:  # precision is stated: that concerns the whole instruction
                        text = printer.line(instruction, head)
                        break
                parts.append(part)
            else:
                text = f"{text} {', '.join(parts)}"
        if closes:
            level = max(level - 1, 0)
        if level and not at_margin:
            text = indents[min(level, DEEPEST)] + text
        if opens:
            level += 1
        if "\n" in text:
            lines += text.split("\n")
        else:
            lines.append(text)
    return lines


def print_instruction(instruction: Instruction, style: Style = DEFAULT) -> str:
    """One instruction, without indentation; a constant table takes several lines."""
    printer = _printer(style)
    return printer.line(instruction, printer.head(instruction))


def profile(version: VersionToken) -> str:
    """The first line: `ps_5_0`."""
    return f"{declarations.profile_prefix(version.kind)}_{version.major}_{version.minor}"
