"""Lines with numeric ids, one for each instruction; repeated lines are read once.

    %4 = OpTypeFloat 32          the same words in every module: kept
    %7 = OpConstant %4 0.5       the type decides how many words
    OpName %4 "main"             …
    %x = OpLoad %4 %y            names get numbers that the whole text decides: not read here

Plain data of a module has such lines. Lines are parsed to verify that they stand for the module's
words, and parsed again when the data is converted back; a parsed line is cached for all modules.
"""

from collections.abc import Sequence

from ....errors import AssembleError
from ....isa.source import Source
from ....tuples import NamedTuple
from ..module import Instruction
from .ids import number_of
from .plain import depends
from .reader import Assembler

__all__ = ["read_lines"]

MOST = 1 << 14  # lines that are kept
LONGEST = 160  # characters of a line that is kept


class ReadLine(NamedTuple):
    """The instruction of a line, its result type and its result."""

    instruction: Instruction
    result_type: int | None
    result: int | None


_KNOWN: dict[str, ReadLine] = {}


def read_lines(lines: Sequence[str]) -> list[Instruction] | None:
    """Return the instruction of each line; None if a line cannot be read in isolation."""
    reader = Assembler(Source(""), preserve=True)
    add = reader.context.add
    found: list[Instruction] = []
    for line in lines:
        known = _KNOWN.get(line)
        if known is None:
            known = _read(reader, line)
            if known is None:
                return None
        else:
            add(known.instruction.words, known.result_type, known.result)
        found.append(Instruction(known.instruction.words))
    return found


def _read(reader: Assembler, line: str) -> ReadLine | None:
    """Read a line after others, and keep it if it means the same everywhere."""
    reader.restart(Source(line))
    ids = [number_of(each.text[1:]) for each in reader.tokens if each.text.startswith("%")]
    if not reader.tokens or None in ids:
        return None
    try:
        instruction = reader.alone(frozenset(each for each in ids if each is not None))
    except AssembleError:
        return None
    if instruction is None:
        return None
    known = ReadLine(instruction, reader.result_type, reader.result_id)
    if reader.op is not None and len(line) <= LONGEST and not depends(reader.op):
        if len(_KNOWN) >= MOST:
            _KNOWN.clear()
        _KNOWN[line] = known
    return known
