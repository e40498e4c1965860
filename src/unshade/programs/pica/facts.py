"""Registers that a PICA200 shader reads and writes, in the code that it can reach.

    words      from its first word on, through branches, loops and calls
    inputs     v registers that it reads        banks    c, i and b registers that it reads
    outputs    o registers that it writes       r        temporary registers, read or written

The code has no declarations. A relatively addressed float uniform may be the named register or any
later one. If the targets form no valid blocks, every word of the program counts, and a note reports
this.
"""

from collections import Counter

from ...model import Stage, Statistics
from ...model.facts import ProgramFacts, ProgramPort, RegisterBank
from ...tuples import NamedTuple
from ...vocab.pica import BOOLS, COMPONENTS, FLOATS, INTEGERS
from ...vocab.slots import Direction, port_slot
from .code import Code, Entry
from .flow import ControlFlow, TooMuchWork, Work
from .instruction import Instruction
from .operands import Destination, SourceOperand
from .structure import CodeStructure, structure
from .tables.registers import BANK_SLOTS, Register, RegisterFile

__all__ = ["facts_of"]

UNFOLLOWED = "the control flow cannot be followed: reads and writes of all words are counted"
STATIC = ("ifu", "callu", "jmpu", "for")
DYNAMIC = ("ifc", "callc", "jmpc", "breakc")
BANKS = (  # type of a component, components, registers
    (RegisterFile.FLOAT, "float", 4, FLOATS),
    (RegisterFile.INTEGER, "uint", 4, INTEGERS),
    (RegisterFile.BOOL, "bool", 1, BOOLS),
)


def facts_of(program: Code, entries: list[Entry]) -> list[ProgramFacts]:
    """Return the facts of some entries of a program, in their order."""
    usages = _Usages(program)
    return [_facts(entry, usages.of(entry)) for entry in entries]


def _facts(entry: Entry, usage: "_Usage") -> ProgramFacts:
    reads, writes = usage.reads, usage.writes
    temporaries = reads[RegisterFile.TEMPORARY].keys() | writes[RegisterFile.TEMPORARY].keys()
    counts = usage.operations
    return ProgramFacts(
        code="pica",
        entry_point=entry.name,
        stage=Stage(entry.stage),
        inputs=_ports(entry.stage, RegisterFile.INPUT, reads),
        outputs=_ports(entry.stage, RegisterFile.OUTPUT, writes),
        banks=[
            RegisterBank(
                label=str(file),
                slot=BANK_SLOTS[file],
                scalar=scalar,
                columns=columns,
                count=count,
                reads=dict(reads[file]),
                relative_from=min(usage.indexed, default=None) if file is BANKS[0][0] else None,
            )
            for file, scalar, columns, count in BANKS
        ],
        temp_registers=len(temporaries),
        statistics=Statistics(
            computed=True,
            instructions=usage.words,
            temp_registers=len(temporaries),
            moves=counts["mov"],
            emits=counts["emit"],
            static_flow_control=sum(counts[name] for name in STATIC),
            dynamic_flow_control=sum(counts[name] for name in DYNAMIC),
            array_instructions=sum(usage.indexed.values()),
        ),
        notes=[] if usage.whole else [UNFOLLOWED],
    )


def _ports(
    stage: str, file: RegisterFile, registers: dict[RegisterFile, dict[int, str]]
) -> list[ProgramPort]:
    direction = Direction.INPUT if file is RegisterFile.INPUT else Direction.OUTPUT
    return [
        ProgramPort(
            label=str(Register(file, number)),
            slot=port_slot(stage, direction, number),
            components=letters,
        )
        for number, letters in sorted(registers[file].items())
    ]


# ---------------------------------------------------------------- usage of registers


class _Usage(NamedTuple):
    """The registers that some code uses, by file and number, with their components."""

    words: int
    whole: bool
    reads: dict[RegisterFile, dict[int, str]]
    writes: dict[RegisterFile, dict[int, str]]
    indexed: Counter[int]  # relatively addressed float uniforms, with counts
    operations: Counter[str]


class _Usages:
    """The usage of each entry of one program."""

    def __init__(self, program: Code) -> None:
        self.program = program
        self.structure: CodeStructure = structure(program)
        self.work = Work.on(self.structure)
        self.known: dict[int, _Usage] = {}

    def of(self, entry: Entry) -> _Usage:
        """Return the usage of the code that an entry reaches."""
        found = self.known.get(entry.main)
        if found is None:
            found = self.known[entry.main] = self._of(entry.main)
        return found

    def _of(self, main: int) -> _Usage:
        code = self.program.instructions
        words, whole = self._words(main)
        reads: dict[RegisterFile, dict[int, str]] = {file: {} for file in RegisterFile}
        writes: dict[RegisterFile, dict[int, str]] = {file: {} for file in RegisterFile}
        found = _Usage(len(words), whole, reads, writes, Counter(), Counter())
        for word, times in Counter(code[at].word for at in words).items():
            self._add(Instruction(word), times, found)
        return found

    def _words(self, main: int) -> tuple[list[int], bool]:
        size = len(self.program.instructions)
        if self.structure.sound and main < size:
            try:
                return sorted(ControlFlow(self.structure, self.work).reach_all([main]).words), True
            except TooMuchWork:
                pass
        return list(range(size)), False

    def _add(self, instruction: Instruction, times: int, found: _Usage) -> None:
        """Add the usage of one word that occurs `times` times in the code."""
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
                    file, number = operand.register
                    _more(found.writes[file], number, mask)
            elif isinstance(operand, SourceOperand):
                read = op.components(sources, mask)
                taken = {COMPONENTS[operand.components[COMPONENTS.index(c)]] for c in read}
                letters = "".join(c for c in COMPONENTS if c in taken)
                file, number = operand.register
                _more(found.reads[file], number, letters)
                if operand.idx and file == RegisterFile.FLOAT:
                    found.indexed[number] += times
                sources += 1
        for name, file in (("bool_id", RegisterFile.BOOL), ("int_id", RegisterFile.INTEGER)):
            if hasattr(op.format, name):
                _more(found.reads[file], getattr(instruction, name), "")


def _more(table: dict[int, str], number: int, letters: str) -> None:
    known = table.get(number)
    if known is None:
        table[number] = letters
    elif known != letters:
        table[number] = "".join(c for c in COMPONENTS if c in known or c in letters)
