"""Which registers an executable reads and writes: of the code that it can reach.

    words    from its first word on, through branches, loops and calls
    whole    False where the targets make no blocks: then every word of the program counts

`indexed` has the numbers of the float uniforms that are addressed relatively, and how often. What
is added to them is known only when the code runs: each may be any uniform from there on.
"""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from ...programs.pica import Entry, Program
from ...programs.pica.flow import Flow, TooMuchWork, Work
from ...programs.pica.instruction import Instruction
from ...programs.pica.operands import Destination, Source
from ...programs.pica.registers import COMPONENTS, FLOATS, RegisterFile
from ...programs.pica.structure import Structure, structure


class Usage(NamedTuple):
    """Registers by letter and number, with their components where they have such."""

    words: int
    whole: bool
    reads: dict[str, dict[int, str]]  # {"v": {0: "xyz"}, "c": {95: "x"}, "i": {0: ""}}
    writes: dict[str, dict[int, str]]
    indexed: Counter[int]
    operations: Counter[str]

    def may_read(self, file: str, registers: Iterable[int]) -> bool:
        """Whether one of these registers of a file is read, by its number or relatively to one."""
        reads = self.reads.get(file, {})
        first = min(self.indexed, default=FLOATS) if file == RegisterFile.FLOAT else None
        return any(each in reads or (first is not None and each >= first) for each in registers)


class Usages:
    """The usage of each executable of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.structure: Structure = structure(program)
        self.work = Work.on(self.structure)
        self.known: dict[int, Usage] = {}

    def of(self, entry: Entry) -> Usage:
        """What the code from an entry on does."""
        found = self.known.get(entry.main)
        if found is None:
            found = self.known[entry.main] = self._of(entry.main)
        return found

    def _of(self, main: int) -> Usage:
        code = self.program.instructions
        words, whole = self._words(main)
        found = Usage(len(words), whole, {}, {}, Counter(), Counter())
        for word, times in Counter(code[at].word for at in words).items():
            self._add(Instruction(word), times, found)
        return found

    def _words(self, main: int) -> tuple[list[int], bool]:
        size = len(self.program.instructions)
        if self.structure.sound and main < size:
            try:
                return sorted(Flow(self.structure, self.work).reach_all([main]).words), True
            except TooMuchWork:
                pass
        return list(range(size)), False

    def _add(self, instruction: Instruction, times: int, found: Usage) -> None:
        """What one word does, that stands so often in the code."""
        op = instruction.op
        if op is None:
            return
        found.operations[op.name] += times
        mask = COMPONENTS
        sources = 0
        for operand in instruction.operands_by(self.program.descriptors):
            if isinstance(operand, Destination):
                mask = "".join(c for i, c in enumerate(COMPONENTS) if operand.mask << i & 8)
                if mask:
                    _more(found.writes, operand.register.file, operand.register.number, mask)
            elif isinstance(operand, Source):
                read = op.components(sources, mask)
                taken = {COMPONENTS[operand.components[COMPONENTS.index(c)]] for c in read}
                letters = "".join(c for c in COMPONENTS if c in taken)
                file, number = operand.register
                _more(found.reads, file, number, letters)
                if operand.idx and file == RegisterFile.FLOAT:
                    found.indexed[number] += times
                sources += 1
        for name, file in (("bool_id", RegisterFile.BOOL), ("int_id", RegisterFile.INTEGER)):
            if hasattr(op.format, name):
                _more(found.reads, file, getattr(instruction, name), "")


def _more(table: dict[str, dict[int, str]], file: str, number: int, letters: str) -> None:
    row = table.setdefault(str(file), {})
    known = row.get(number)
    if known is None:
        row[number] = letters
    elif known != letters:
        row[number] = "".join(c for c in COMPONENTS if c in known or c in letters)
