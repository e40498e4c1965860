"""Warnings about integers in literals that are moved to where floats are read.

    mov o0.xyzw, l(1, 0, 0, 1)        o0 is a float: 1 is 1.401e-45 there, 1.0 was meant
    mov r0.x, l(2)                    the next operation that reads r0.x takes floats
    mul r1.x, r0.x, r1.x

Listings of fxc print the bits of what a mov copies, as floats with a point and as integers without
one, so that both are valid there. Operations that take floats read either as a float.
"""

from collections.abc import Iterator, Mapping, Sequence

from ....errors import Diagnostic, Severity
from ....isa.source import Location
from ....rule import Rule, table
from ..instruction import Instruction
from ..operands import Operand, source_component, written_components
from ..tables.enumerations import OperandType
from ..tables.ops import OPS, Op
from ..text.literals import UNTYPED

__all__ = ["RULES", "warnings_of_integers"]

RULES = table((
    Rule(
        "tpf.source-integer", Severity.WARNING, "an integer where a float is read",
        "A literal without a point is an integer in operations that copy bits, such as mov: 1 is a"
        " subnormal float, practically 0. Write 1.0.",
    ),
))  # fmt: skip

COPIES = frozenset(OPS[name].code for name in ("mov", "movc"))
RESULTS = frozenset("DN")
LEAST_NORMAL = 0x0080_0000  # the bits of the smallest float that is not subnormal
FLOAT = "f"
PRODUCTS = frozenset(OPS[name].code for name in ("dp2", "dp3", "dp4"))
BY_COMPONENT = frozenset(("float", "int", "uint", "bit", "double"))  # kinds of operations


def warnings_of_integers(
    instructions: Sequence[Instruction],
    places: Sequence[Location],
    float_outputs: Mapping[int, int],
) -> list[Diagnostic]:
    """Return a warning for each copy of a small integer that is then read as a float.

    Args:
        instructions: The program.
        places: The location of each instruction.
        float_outputs: The mask of the components of each output register that are floats.
    """
    found = []
    for at in range(len(instructions)):
        number = next(_misread(instructions, at, float_outputs), None)
        if number is not None:
            small = f"{number} is an integer here, and is read as a float: write {number}.0"
            found.append(RULES["tpf.source-integer"].found(str(places[at].error(small))))
    return found


def _misread(
    instructions: Sequence[Instruction], at: int, float_outputs: Mapping[int, int]
) -> Iterator[int]:
    """Yield the small integers that an instruction copies and that are read as floats."""
    instruction = instructions[at]
    if instruction.token & 0x7FF not in COPIES or instruction.op is None:
        return
    for letter, source in zip(instruction.op.operands, instruction.operands, strict=False):
        if letter != UNTYPED or source.type != OperandType.IMMEDIATE32:
            continue
        to = instruction.operands[0]
        for component in written_components(to):
            bits = source.literal[component if len(source.literal) > 1 else 0]
            if not 0 < bits < LEAST_NORMAL or not to.indices:
                continue
            register = to.indices[0].immediate
            if to.type == OperandType.OUTPUT:
                floats = float_outputs.get(register, 0) >> component & 1
                if floats and to.indices[0].relative is None:
                    yield bits
            elif to.type == OperandType.TEMP and _next_read_is_float(
                instructions, at + 1, register, component
            ):
                yield bits


def _next_read_is_float(
    instructions: Sequence[Instruction], at: int, register: int, component: int
) -> bool:
    """Return True if the first instruction that reads a component of r takes floats from it.

    The search ends at control flow: values of several branches may meet behind it.
    """
    for each in instructions[at:]:
        row = each.op
        if row is None or row.kind == "flow":
            return False
        letters = set(_reads(each, row, register, component))
        if letters:
            return letters == {FLOAT}
        if any(
            letter in RESULTS
            and _is(operand, register)
            and component in written_components(operand)
            for letter, operand in zip(row.operands, each.operands, strict=False)
        ):
            return False
    return False


def _reads(each: Instruction, row: Op, register: int, component: int) -> Iterator[str]:
    """Yield the letter of each operand that reads the component."""
    written = [
        at for letter, operand in zip(row.operands, each.operands, strict=False)
        if letter in RESULTS for at in written_components(operand)
    ]  # fmt: skip
    each_alone = row.kind in BY_COMPONENT and row.code not in PRODUCTS
    lanes = written if written and each_alone else range(4)
    for letter, operand in zip(row.operands, each.operands, strict=False):
        if letter in RESULTS:
            continue
        if _is(operand, register):
            if any(source_component(operand, at) == component for at in lanes):
                yield letter
        elif any(
            index.relative is not None and _is(index.relative, register)
            for index in operand.indices
        ):
            yield ""  # an index


def _is(operand: Operand, register: int) -> bool:
    return operand.type == OperandType.TEMP and operand.indices[0].immediate == register
