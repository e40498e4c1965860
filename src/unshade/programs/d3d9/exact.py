"""The `exact` dialect: the native text, and what it does not determine.

    // unshade d3d9 exact 1
        ps_2_0
        comment 43544142 1c000000 …             a comment, in words of four bytes
        dcl t0.xy {1f 80000005 b0030000}        tokens that the assembler would choose otherwise
        mov oC0, c0  // ::main<0,1,2,3>

The tokens in braces are in hexadecimal, the opcode token first; they replace those of the line.
"""

from ...dialect import Heading
from ...errors import AssembleError
from .code import Code, Comment
from .instruction import Instruction
from .lexer import COMMENT_LINE
from .text import instruction_lines

__all__ = ["EXACT", "exact_lines"]

EXACT = Heading("d3d9", "exact", 1)


def exact_lines(code: Code) -> list[str]:
    """Return the lines from the profile on, without the heading."""
    comments: dict[int, list[Comment]] = {}
    for each in code.comments:
        comments.setdefault(min(each.before, len(code.instructions)), []).append(each)
    found: list[str] = []
    for number, line in instruction_lines(code):
        for each in comments.pop(number, ()) if number >= 0 else ():
            found.append(_comment_line(each))
        if number < 0:
            found.append(line)
            continue
        text, mark, remark = line.partition("  //")
        found.append(f"{text}{_tokens(code.instructions[number])}{mark}{remark}")
    for rest in comments.values():
        found += map(_comment_line, rest)
    return found


def _comment_line(comment: Comment) -> str:
    words = (comment.data[at : at + 4].hex() for at in range(0, len(comment.data), 4))
    return " ".join([f"    {COMMENT_LINE}", *words])


def _tokens(instruction: Instruction) -> str:
    """Return the tokens of an instruction in braces; nothing if the text determines them."""
    from .assembler import read_instruction

    try:
        if read_instruction(str(instruction), instruction.version) == instruction:
            return ""
    except AssembleError:
        pass
    return f" {{{' '.join(f'{word:x}' for word in instruction.words)}}}"
