"""Checks of single words with their descriptors: fields, registers, sizes of the tables."""

from collections.abc import Callable

from ....rule import Findings
from ....vocab.pica import INTEGERS
from ..code import Code
from ..descriptors import MAX_DESCRIPTORS
from ..instruction import Instruction
from ..spans import idle_bits
from ..tables.fields import CompareOp
from ..tables.ops import Op
from ..tables.registers import RegisterFile

PROGRAM_WORDS = 4096
SLOTS = 3

Add = Callable[..., None]


def check_words(program: Code, findings: Findings) -> None:
    """Check every word, and the sizes of both tables."""
    if len(program.instructions) > PROGRAM_WORDS:
        message = f"{len(program.instructions)} words; the hardware has {PROGRAM_WORDS}"
        findings.add("pica.program-size", message, offset=4 * PROGRAM_WORDS, path="instructions")
    if len(program.descriptors) > MAX_DESCRIPTORS:
        message = f"{len(program.descriptors)} descriptors; the hardware has {MAX_DESCRIPTORS}"
        offset = program.code_size + 8 * MAX_DESCRIPTORS
        findings.add("pica.descriptor-count", message, offset=offset, path="descriptors")
    sound: set[int] = set()  # words without a finding; equal words are checked once
    for at, instruction in enumerate(program.instructions):
        if instruction.word in sound:
            continue
        before = findings.number
        _check_word(program, instruction, at, findings)
        if findings.number == before:
            sound.add(instruction.word)


def _check_word(program: Code, instruction: Instruction, at: int, findings: Findings) -> None:
    def add(code: str, message: str, field: str = "") -> None:
        path = f"instructions[{at}]"
        findings.add(code, message, offset=4 * at, path=f"{path}.{field}" if field else path)

    op = instruction.op
    if op is None:
        add("pica.unknown-opcode", f"unknown opcode 0x{instruction.opcode:02x}", "opcode")
        return
    idle = idle_bits(instruction, op)
    if idle:
        add("pica.unused-bits", f"bits 0x{idle:08x} of {op.name} are set")
    if op.reads:
        _check_descriptor(program, instruction, op, add)
        _check_sources(instruction, op, add)
    if op.kind == "compare":
        for name in ("cmpx", "cmpy"):
            number = getattr(instruction, name)
            if number > CompareOp.GE:
                add(
                    "pica.comparison",
                    f"expected {name} 0 to {CompareOp.GE:d}, got {number}",
                    name,
                )
    elif op.kind in ("if", "call"):
        if instruction.num_high:
            length = instruction.length
            message = f"{op.name} spans {length} words, but eight bits of NUM say {instruction.num}"
            add("pica.length", message, "num_high")
    elif op.kind == "loop":
        if instruction.int_id >= INTEGERS:
            number = instruction.int_id
            message = f"no such register: i{number}; the hardware uses i{number % INTEGERS}"
            add("pica.loop-uniform", message, "int_id")
    elif op.kind == "setemit" and instruction.vertex >= SLOTS:
        add(
            "pica.vertex-slot",
            f"expected slot 0 to {SLOTS - 1}, got {instruction.vertex}",
            "vertex",
        )


def _check_descriptor(program: Code, instruction: Instruction, op: Op, add: Add) -> None:
    descriptor = instruction.descriptor(program.descriptors)
    if descriptor is None:
        count = len(program.descriptors)
        add(
            "pica.descriptor",
            f"no such descriptor: {instruction.desc}; the program has {count}",
            "desc",
        )
        return
    # mova has the components x and y, cmp none.
    wanted = 0b1100 if op.kind == "address" else 0b1111
    if op.kind != "compare" and not descriptor.mask & wanted and "cmp" not in op.writes:
        add(
            "pica.empty-mask",
            f"{op.name} writes nothing: the mask of descriptor {instruction.desc} is empty",
            "desc",
        )


def _check_sources(instruction: Instruction, op: Op, add: Add) -> None:
    registers = instruction.source_registers()
    inputs = {each for each in registers if each.file == RegisterFile.INPUT}
    if len(inputs) > 1:
        names = " and ".join(map(str, sorted(inputs)))
        add("pica.two-inputs", f"{op.name} reads {names}")
    if instruction.idx:
        register = registers[op.sources.index(op.wide)]
        if register.file != RegisterFile.FLOAT:
            add(
                "pica.index-ignored",
                f"{op.name} reads {register}, which cannot be addressed relatively",
                "idx",
            )
