"""What is wrong with a program of Shader Model 4 to 5.1: its rules, and `verify` with the checks.

    tokens        stage, model, controls, lengths       of each opcode token
    declarations  limits, doubles, system values        fills in what is declared …
    operands      kinds, masks, indices                 … and compares with it
    resources     the right kind for the operation
    flow          blocks, jumps, subroutines, phases

One pass in file order, nothing but the program itself is looked at. Whether signatures and resource
tables agree with it is the container's question; `survey` also returns the declarations for it.
"""

from typing import TYPE_CHECKING

from ....errors import Diagnostic
from ..ops import OPS
from .declarations import check_custom, check_declaration, check_needed
from .declared import Declared, Port, Range
from .flow import FLOW, Flow
from .operands import check_operands
from .report import Places
from .resources import check_resources
from .rules import RULES
from .tokens import check_token, check_words

if TYPE_CHECKING:
    from ..program import Program

__all__ = ["RULES", "Declared", "Places", "Port", "Range", "survey", "verify"]

MODELS = ((4, 0), (4, 1), (5, 0), (5, 1))
STAGES = range(6)
ON_RESOURCES = ("tex", "mem", "atomic")
CONSTANT_TABLE = 3  # custom data that is a declaration


def verify(program: "Program") -> list[Diagnostic]:
    """Every broken rule, in file order; offsets count from the start of the part's data."""
    declared = survey(program)
    return declared.report.diagnostics(program)


def survey(program: "Program") -> Declared:
    """What the program declares; its `report` holds the findings."""
    declared = Declared(program)
    report = declared.report
    if declared.kind not in STAGES or declared.model not in MODELS:
        model = ".".join(map(str, declared.model))
        report.add("tpf.version", None, f"stage {declared.kind}, shader model {model}", "version")
    flow = Flow()
    rows = OPS.by_code
    tokens: set[tuple[int, tuple[int, ...]]] = set()  # in order, so that once is enough
    for at, instruction in enumerate(program.instructions):
        declared.at = at
        row = rows.get(instruction.token & 0x7FF)
        if row is None:
            declared.add("tpf.unknown-opcode", f"there is no operation {instruction.opcode}")
            continue
        if len(instruction.operands) != len(row.operands) and row.kind != "data":
            wanted = len(row.operands)
            message = f"{len(instruction.operands)} operands, {row.name} has {wanted}"
            declared.add("tpf.operand-count", message)
            continue
        token = instruction.token, instruction.extended
        if token not in tokens:
            before = report.total
            check_token(declared, instruction, row)
            if report.total == before:
                tokens.add(token)
        if instruction.words or row.dwords:
            check_words(declared, instruction, row)
        kind = row.kind
        if kind == "decl" or (kind == "data" and instruction.custom_class == CONSTANT_TABLE):
            if flow.body:
                declared.add("tpf.order", f"{row.name} stands behind code")
            if kind == "data":
                check_custom(declared, instruction)
            else:
                check_declaration(declared, instruction, row)
            continue
        if kind == "data":
            check_custom(declared, instruction)
            continue
        if kind == "phase":
            flow.phase(declared, row)
            continue
        if row.name != "label":
            flow.code(declared, row)
        if instruction.operands:
            check_operands(declared, instruction, row)
            if kind in ON_RESOURCES:
                check_resources(declared, instruction, row)
        if row.code in FLOW:
            flow.step(declared, instruction, row)
    declared.at = max(len(program.instructions) - 1, 0)
    _check_end(declared, flow, program)
    return declared


def _check_end(declared: Declared, flow: Flow, program: "Program") -> None:
    if program.instructions:
        flow.end(declared, "the end")
    else:
        declared.report.add("tpf.missing-ret", None, "a program without instructions")
    if declared.is_hull and flow.order < 0:
        declared.report.add("tpf.phase", None, "a hull shader without hs_decls")
    check_needed(declared)
    labels = {number for _, number in declared.labels}
    for at, (_, number) in declared.calls:
        if number not in labels:
            declared.report.add("tpf.label", at, f"there is no label {number}", "operands[0]")
    for number in sorted(declared.bodies):
        if number not in labels:
            declared.report.add("tpf.label", None, f"there is no label fb{number}")
    if program.trailing:
        message = f"{len(program.trailing)} bytes behind the declared length"
        declared.report.add("tpf.trailing", None, message, "trailing")
