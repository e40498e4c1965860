"""What is wrong with a program of Shader Model 4 to 5.1: its rules, and `verify` with the checks.

    tokens        stage, model, controls, lengths       of each opcode token
    declarations  limits, doubles, system values        fills in what is declared …
    operands      kinds, masks, indices                 … and compares with it
    resources     the right kind for the operation
    flow          blocks, jumps, subroutines, phases

One pass in file order, nothing but the program itself is looked at. Whether signatures and resource
tables agree with it is the container's question, which asks `facts`.
"""

from ....errors import Diagnostic
from ..code import Code
from ..instruction import Instruction
from ..tables.enumerations import CustomClass
from ..tables.ops import OPS, Op
from .declarations import check_custom, check_declaration, check_needed
from .flow import FLOW, Flow
from .operands import check_operands
from .places import Places
from .resources import check_resources
from .rules import RULES
from .scope import Scope
from .tokens import check_token, check_words

__all__ = ["MODELS", "RULES", "survey", "verify"]

MODELS = ((4, 0), (4, 1), (5, 0), (5, 1))
STAGES = range(6)
ON_RESOURCES = ("tex", "mem", "atomic")
CONSTANT_TABLE = CustomClass.DCL_IMMEDIATE_CONSTANT_BUFFER


def verify(program: Code) -> list[Diagnostic]:
    """Every broken rule, in file order; offsets count from the start of the part's data."""
    scope = survey(program)
    return scope.findings.diagnostics(Places(program).offset)


def survey(program: Code) -> Scope:
    """What the program declares; its `findings` are those of all its instructions."""
    scope = Scope(program)
    if scope.kind not in STAGES or scope.model not in MODELS:
        model = ".".join(map(str, scope.model))
        message = f"stage {scope.kind}, shader model {model}"
        scope.add_whole("tpf.version", message, "version")
    flow = Flow()
    sound: set[tuple[int, tuple[int, ...]]] = set()  # tokens in order, so that once is enough
    for at, instruction in enumerate(program.instructions):
        scope.at = at
        row = OPS.by_code.get(instruction.token & 0x7FF)
        if row is None:
            scope.add("tpf.unknown-opcode", f"there is no operation {instruction.opcode}")
            continue
        if len(instruction.operands) != len(row.operands) and row.kind != "data":
            wanted = len(row.operands)
            message = f"{len(instruction.operands)} operands, {row.name} has {wanted}"
            scope.add("tpf.operand-count", message)
            continue
        token = instruction.token, instruction.extended
        if token not in sound:
            before = scope.findings.counts.total()
            check_token(scope, instruction, row)
            if scope.findings.counts.total() == before:
                sound.add(token)
        if instruction.words or row.dwords:
            check_words(scope, instruction, row)
        if row.kind in ("decl", "data"):
            _check_declares(scope, flow, instruction, row)
        elif row.kind == "phase":
            flow.phase(scope, row)
        else:
            _check_operation(scope, flow, instruction, row)
    scope.at = max(len(program.instructions) - 1, 0)
    _check_end(scope, flow, program)
    return scope


def _check_declares(scope: Scope, flow: Flow, instruction: Instruction, row: Op) -> None:
    """A declaration, or custom data, of which constant tables are declarations."""
    declares = row.kind == "decl" or instruction.custom_class == CONSTANT_TABLE
    if declares and flow.body:
        scope.add("tpf.order", f"{row.name} stands behind code")
    if row.kind == "data":
        check_custom(scope, instruction)
    else:
        check_declaration(scope, instruction, row)


def _check_operation(scope: Scope, flow: Flow, instruction: Instruction, row: Op) -> None:
    if row.name != "label":
        flow.code(scope, row)
    if instruction.operands:
        check_operands(scope, instruction, row)
        if row.kind in ON_RESOURCES:
            check_resources(scope, instruction, row)
    if row.code in FLOW:
        flow.step(scope, instruction, row)


def _check_end(scope: Scope, flow: Flow, program: Code) -> None:
    if program.instructions:
        flow.end(scope, "the end")
    else:
        scope.add_whole("tpf.missing-ret", "a program without instructions")
    if scope.is_hull and flow.order < 0:
        scope.add_whole("tpf.phase", "a hull shader without hs_decls")
    check_needed(scope)
    labels = {number for _, number in scope.labels}
    for at, (_, number) in scope.calls:
        if number not in labels:
            scope.add("tpf.label", f"there is no label {number}", "operands[0]", at)
    for number in sorted(scope.bodies):
        if number not in labels:
            scope.add_whole("tpf.label", f"there is no label fb{number}")
    if program.trailing:
        message = f"{len(program.trailing)} bytes behind the declared length"
        scope.add_whole("tpf.trailing", message, "trailing")
