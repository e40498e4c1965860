"""Validation of Shader Model 4 to 5.1 programs: the rules, and `verify` with the checks.

    tokens        stage, model, controls, lengths       of each opcode token
    declarations  limits, duplicates, system values     records the declarations …
    operands      kinds, masks, indices                 … and compares operands with them
    resources     the right kind for the operation
    flow          blocks, jumps, subroutines, phases

The checks run in one pass, in file order, and look at the program alone. The container compares its
signatures and resource tables with the program, by means of `facts`.
"""

from ....errors import Diagnostic
from ..code import Code
from ..instruction import Instruction
from ..operands import Operand
from ..tables.enumerations import CustomClass
from ..tables.ops import OPS, Op
from .declarations import check_custom, check_declaration, check_needed
from .flow import END, FLOW, FlowChecker
from .needs import ON_RESOURCES, SoundDeclaration, SoundOperation, check_run, sound_operation
from .offsets import InstructionOffsets
from .operands import check_operands
from .resources import check_resources
from .rules import RULES
from .scope import ProgramScope
from .tokens import check_token, check_words

__all__ = ["MODELS", "RULES", "survey", "verify"]

MODELS = ((4, 0), (4, 1), (5, 0), (5, 1))
STAGES = range(6)
LONGEST_RUN = 256  # operations that are looked at once before they are checked one by one
CONSTANT_TABLE = CustomClass.DCL_IMMEDIATE_CONSTANT_BUFFER


def verify(program: Code) -> list[Diagnostic]:
    """Return all violations in file order; offsets are relative to the start of the part's data."""
    scope = survey(program)
    if not scope.findings.found:
        return []
    return scope.findings.diagnostics(InstructionOffsets(program).offset)


def survey(program: Code) -> ProgramScope:
    """Check a program; return its declarations with the `findings` of all its instructions."""
    scope = ProgramScope(program)
    if scope.kind not in STAGES or scope.model not in MODELS:
        model = ".".join(map(str, scope.model))
        message = (
            f"expected stage 0 to 5 and model 4.0 to 5.1, got stage {scope.kind}, model {model}"
        )
        scope.add_whole("tpf.version", message, "version")
    flow = FlowChecker()
    listed = program.listed
    at = singly = 0  # instructions before the second are checked one by one
    while at < len(listed):
        scope.at = at
        instruction = listed[at]
        encoded = instruction.encoded
        sound = scope.sound
        known = None if encoded is None else sound.instructions.get(encoded)
        if at >= singly and type(known) is SoundOperation:
            singly = at + LONGEST_RUN
            passed = check_run(scope, flow, listed[at:singly])
            if passed:
                at += passed
                continue
        at += 1
        if known is not None and known.check(scope, flow, instruction):
            continue
        before = scope.findings.number
        kept = _check(scope, flow, instruction)
        if kept is not None and encoded is not None and scope.findings.number == before:
            sound.keep_instruction(encoded, kept)
    scope.at = max(len(listed) - 1, 0)
    _check_end(scope, flow, program)
    return scope


def _check(
    scope: ProgramScope, flow: FlowChecker, instruction: Instruction
) -> SoundDeclaration | SoundOperation | None:
    """Check an instruction; return the data to keep if it has no findings, or None."""
    number = scope.findings.number
    row = OPS.by_code.get(instruction.token & 0x7FF)
    if row is None:
        scope.add("tpf.unknown-opcode", f"unknown operation {instruction.opcode}")
        return None
    if len(instruction.operands) != len(row.operands) and row.kind != "data":
        expected, got = len(row.operands), len(instruction.operands)
        scope.add("tpf.operand-count", f"{row.name}: expected {expected} operands, got {got}")
        return None
    token = instruction.token, instruction.extended
    if token not in scope.sound.tokens:
        before = scope.findings.number
        check_token(scope, instruction, row)
        if scope.findings.number == before:
            scope.sound.keep_token(token)
    if instruction.words or row.dwords:
        check_words(scope, instruction, row)
    if row.kind in ("decl", "data"):
        return _check_declares(scope, flow, instruction, row)
    if row.kind == "phase":
        flow.phase(scope, row)
        return None
    registers = _check_operation(scope, flow, instruction, row)
    if scope.findings.number != number:
        return None
    return sound_operation(row, registers, scope.ranged)


def _check_declares(
    scope: ProgramScope, flow: FlowChecker, instruction: Instruction, row: Op
) -> SoundDeclaration | None:
    """Check a declaration or custom data; an immediate constant buffer is a declaration."""
    declares = row.kind == "decl" or instruction.custom_class == CONSTANT_TABLE
    if declares and flow.body:
        scope.add("tpf.order", f"{row.name} after code")
    if row.kind == "data":
        check_custom(scope, instruction)
        return None
    return SoundDeclaration(row, check_declaration(scope, instruction, row))


def _check_operation(
    scope: ProgramScope, flow: FlowChecker, instruction: Instruction, row: Op
) -> list[tuple[int, Operand, int]]:
    registers: list[tuple[int, Operand, int]] = []
    if row.name != "label":
        flow.code(scope, row)
    if instruction.operands:
        registers = check_operands(scope, instruction, row)
        if row.kind in ON_RESOURCES:
            check_resources(scope, instruction, row)
    if row.code in FLOW:
        flow.step(scope, instruction, row)
    return registers


def _check_end(scope: ProgramScope, flow: FlowChecker, program: Code) -> None:
    if program.listed:
        flow.end(scope, END)
    else:
        scope.add_whole("tpf.missing-ret", "the program has no instructions")
    if scope.is_hull and flow.order < 0:
        scope.add_whole("tpf.phase", "the hull shader has no hs_decls")
    check_needed(scope)
    if scope.calls or scope.bodies:
        labels = {number for _, number in scope.labels}
        for at, (_, number) in scope.calls:
            if number not in labels:
                scope.add("tpf.label", f"no such label: {number}", "operands[0]", at)
        for number in sorted(scope.bodies - labels):
            scope.add_whole("tpf.label", f"no such label: fb{number}")
    if program.trailing:
        message = f"{len(program.trailing)} bytes after the declared length"
        scope.add_whole("tpf.trailing", message, "trailing")
