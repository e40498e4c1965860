"""The text of a Direct3D 9 program, as fxc prints it.

        ps_2_0
        dcl t1.xy  // pin<4,5>                   the input is these components of `pin`
        dcl_2d s0

    #line 124 "D:\\\\Shaders\\\\AlphaTest.fx"
        texld r0, t1, s0
        if_lt r0.w, c0.x
          mul r0, r0, c1                         two blanks for each open block
        endif

A line of the source is named before the first instruction that comes from another file, or from a
line more than two away from the line of the instruction before. The variables that an instruction
writes follow it; the name of the entry point's parameters has no scope.

Source: 87 listings of fxc with their programs, which this module reproduces; public listings for
blocks and for Shader Model 1 and 3.
"""

from collections.abc import Iterator

from ...isa.linked import LinkedLine
from .code import Code
from .debug import NONE, DebugComment, debug_info
from .instruction import BLOCK_ENDS, BLOCK_STARTS, Instruction, LiteralOperand, spelled_literal

__all__ = ["instruction_lines", "linked_lines", "slots_line", "slots_of"]

NEAR = 2  # lines: a source line that is no farther from the one before is not named
MARGIN = "    "
DEEPEST = 64  # indented levels: more than any version allows, but not than a damaged file has


def linked_lines(code: Code, *, wide_exponents: bool = False) -> list[str]:
    """Return the lines from the profile to the last instruction, linked to `spans`.

    Args:
        code: The program.
        wide_exponents: Exponents of floats have three digits, as in listings of old versions.
    """
    return [line for _, line in instruction_lines(code, wide_exponents)]


def instruction_lines(code: Code, wide_exponents: bool = False) -> Iterator[tuple[int, str]]:
    """Yield the lines as `linked_lines` does, each with the number of its instruction.

    The number is -1 for lines without one.
    """
    debug = debug_info(code)
    sources = Sources(debug) if debug is not None else None
    yield -1, LinkedLine(MARGIN + code.version.profile, "version")
    depth = 0
    offsets = code.offsets()
    for number, each in enumerate(code.instructions):
        opcode = each.words[0] & 0xFFFF
        if opcode in BLOCK_ENDS:
            depth = max(0, depth - 1)
        remark = ""
        if sources is not None:
            for line in sources.heading(offsets[number]):
                yield -1, line
            remark = sources.remark(number)
        text = spelled(each, wide_exponents)
        margin = MARGIN + "  " * min(depth, DEEPEST)
        if each.token.coissue:
            text, margin = f"+ {text}", margin[2:]
        yield number, LinkedLine(f"{margin}{text}{remark}", f"instructions[{number}]")
        if opcode in BLOCK_STARTS:
            depth += 1


def spelled(instruction: Instruction, wide_exponents: bool = False) -> str:
    """Return the text of an instruction."""
    if not wide_exponents or not instruction.literals:
        return str(instruction)
    operands = ", ".join(
        spelled_literal(each.bits, each.letter, True)
        if isinstance(each, LiteralOperand)
        else str(each)
        for each in instruction.operands
    )
    return f"{instruction.mnemonic} {operands}"


class Sources:
    """Source lines and variables of instructions, read in their order."""

    __slots__ = ("_file", "_line", "_lines", "_names", "_paths")

    def __init__(self, debug: DebugComment) -> None:
        self._lines = {each.offset: each for each in debug.lines}
        self._paths = [each.name for each in debug.files]
        self._file = NONE
        self._line = 0
        self._names: dict[int, list[str]] = {}
        for variable in debug.variables:
            scope = "" if variable.scope == debug.entry else f"{variable.scope or ''}::"
            for write in variable.writes:
                parts = ",".join(str(each) for each in write.components if each != NONE)
                name = f"{scope}{variable.name}<{parts}>"
                self._names.setdefault(write.instruction, []).append(name)

    def heading(self, offset: int) -> Iterator[str]:
        """Yield the lines before the instruction at an offset that name its source line."""
        found = self._lines.get(offset)
        if found is None or found.file == NONE:
            return
        if found.file != self._file:
            path = self._paths[found.file] if found.file < len(self._paths) else ""
            yield ""
            yield f'#line {found.line} "{path}"'
        elif abs(found.line - self._line) > NEAR:
            yield ""
            yield f"#line {found.line}"
        self._file, self._line = found.file, found.line

    def remark(self, number: int) -> str:
        """Return the comment with the variables that an instruction writes, or nothing."""
        names = self._names.get(number)
        return f"  // {', '.join(names)}" if names else ""


def slots_line(code: Code) -> str:
    """Return the last line of a listing: the instruction slots that the program takes."""
    texture, arithmetic = slots_of(code)
    total = texture + arithmetic
    line = f"// approximately {total} instruction slot{'' if total == 1 else 's'} used"
    if code.version.is_pixel and texture:
        line += f" ({texture} texture, {arithmetic} arithmetic)"
    return line


def slots_of(code: Code) -> tuple[int, int]:
    """Return the instruction slots of texture instructions, and of all others.

    They are those of the tables of Shader Model 2.
    """
    texture = arithmetic = 0
    for each in code.instructions:
        op = each.op
        if op is not None and op.kind == "texture":
            texture += op.slots
        elif op is not None:
            arithmetic += op.slots
    return texture, arithmetic
