"""Lines of ids and words alone, read by their shape.

    %7 = OpFAdd %float %5 %6      the shape is `% = OpFAdd % % %`
    %9 = OpFAdd %float %7 %5      the same shape: the same words, but for the ids

The words of such an instruction depend on nothing but its shape, unless an operand is a number
whose type another instruction decides. Most lines of a large module have the shape of an earlier
line; `LineShapes` keeps what the assembler made of that one.
"""

import re

from ....tuples import NamedTuple
from ..context import Context
from ..module import Instruction, PackedInstructions
from ..operands import decode
from ..tables.grammar import Grammar, Op
from .ids import Ids

__all__ = ["LineShape", "LineShapes", "depends"]

PLAIN = re.compile(
    r"(?:%\w+[ \t]+=[ \t]+)?Op[A-Z]\w*(?:[ \t]+(?:%\w+|(?!Op[A-Z])[-+.|\w]+))*[ \t]*\Z", re.ASCII
)
START = re.compile(r"[ \t]*(?:Op[A-Z]|%\w+[ \t]+=[ \t])", re.ASCII)
ID = re.compile(r"%(\w+)", re.ASCII)
BLANKS = " \t\r\f\v"
EXTENDED = "OpExtInst"  # what its operands mean depends on its second operand, a set
SET = 2  # the place of the set among the names of the line, after result and type
MOST = 1 << 14  # shapes that are kept
# Kinds of operands whose words depend on other instructions.
DEPENDING = frozenset((
    "LiteralContextDependentNumber",
    "LiteralExtInstInteger",
    "LiteralSpecConstantOpInteger",
    "PairLiteralIntegerIdRef",
))  # fmt: skip


def depends(op: Op) -> bool:
    """Return True if other instructions decide the words of an operand."""
    return any(each.kind in DEPENDING for each in op.operands)


class LineShape(NamedTuple):
    """The words of an instruction, and which of them are ids."""

    words: tuple[int, ...]
    at: tuple[int, ...]  # the ids, in their order
    result: int  # the place of the result among the ids; -1 without one
    of_set: str | None  # the name of the set of OpExtInst
    all_ids: bool  # words[1:] are ids

    def instruction(self, names: list[str], ids: Ids, context: Context) -> Instruction | None:
        """Return the instruction with these ids; None if they are not those of the shape."""
        if len(names) != len(self.at) or (self.of_set is not None and names[SET] != self.of_set):
            return None
        if self.result == 1:  # the line begins with the result, the words with its type
            names[0], names[1] = names[1], names[0]
        number = ids.by_name.__getitem__
        if self.all_ids:
            words: tuple[int, ...] = (self.words[0], *map(number, names))
        else:
            several = list(self.words)
            for at, name in zip(self.at, names, strict=True):
                several[at] = number(name)
            words = tuple(several)
        if self.result == 1:
            context.types[words[2]] = words[1]
        elif self.result == 0:
            context.add(words, None, words[1])
        return Instruction(words)


class LineShapes:
    """The shapes of the lines that an assembler has read."""

    def __init__(self) -> None:
        self.known: dict[str, LineShape] = {}

    def read(
        self, lines: list[str], at: int, found: PackedInstructions, ids: Ids, context: Context
    ) -> int:
        """Append the instructions of lines from `at` on to the first of unknown shape."""
        known, count = self.known.get, len(lines)
        shape = known(_shape(lines[at])) if at < count else None
        while shape is not None:
            after = at + 1
            following = known(_shape(lines[after])) if after < count else None
            if following is None:
                while after < count and lines[after].lstrip(BLANKS)[:1] in ("", ";"):
                    after += 1
                if after < count:
                    if START.match(lines[after]) is None:
                        break  # the instruction may go on there
                    following = known(_shape(lines[after]))
            made = shape.instruction(ID.findall(lines[at]), ids, context)
            if made is None:
                break
            found.append(made)
            at, shape = after, following
        return at

    def keep(
        self, line: str, op: Op, made: Instruction, context: Context, grammar: Grammar
    ) -> None:
        """Keep the shape of a line that was read as one instruction, if that decides its words."""
        if op.name == "OpExtInstImport":
            self.known.clear()  # which may name the set of a kept shape
        line = line.lstrip(BLANKS)
        extended = op.name == EXTENDED
        if not PLAIN.match(line) or (depends(op) and not extended):
            return
        decoded = decode(made.words, context, grammar)
        at = tuple(each.at for each in decoded.operands if each.is_id)
        result = -1
        if decoded.result is not None:
            result = 0 if decoded.result_type is None else 1
        names = ID.findall(line)
        if decoded.problem or len(at) != len(names) or at[: result + 1] != (1, 2)[: result + 1]:
            return
        if len(self.known) >= MOST:
            self.known.clear()
        all_ids = at == tuple(range(1, len(made.words)))
        of_set = names[SET] if extended else None
        self.known[_shape(line)] = LineShape(made.words, at, result, of_set, all_ids)


def _shape(line: str) -> str:
    return ID.sub("%", line.lstrip(BLANKS))
