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
from ..operands import source_component, written_components
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

Place = tuple[int, int]  # the number of a temporary register, a component
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
    found: dict[int, tuple[int, int]] = {}  # component and bits, by the number of the copy
    waiting: dict[Place, tuple[int, int]] = {}  # copy and bits of places that nobody has read yet
    for at, each in enumerate(instructions):
        row = each.op
        if row is None or row.kind == "flow":  # values of several branches may meet behind it
            waiting.clear()
            continue
        if waiting:
            for place, letters in _reads(each, row).items():
                copy = waiting.pop(place, None)
                if copy is not None and letters == {FLOAT}:
                    one = place[1], copy[1]
                    found[copy[0]] = min(one, found.get(copy[0], one))
            for place in _writes(each, row):
                waiting.pop(place, None)
        if row.code in COPIES and each.operands[0].indices:
            to = each.operands[0]
            index = to.indices[0]
            for component, bits in _small(each, row):
                if to.type == OperandType.TEMP:
                    waiting[index.immediate, component] = at, bits
                elif (
                    to.type == OperandType.OUTPUT
                    and index.relative is None
                    and float_outputs.get(index.immediate, 0) >> component & 1
                ):
                    found[at] = min((component, bits), found.get(at, (component, bits)))
    return [_warning(places[at], bits) for at, (_, bits) in sorted(found.items())]


def _warning(place: Location, bits: int) -> Diagnostic:
    problem = f"{bits} is an integer here, and is read as a float: write {bits}.0"
    return RULES["tpf.source-integer"].found(str(place.error(problem)))


def _small(copy: Instruction, row: Op) -> Iterator[tuple[int, int]]:
    """Yield the component and the bits of each small integer that an instruction copies."""
    for letter, source in zip(row.operands, copy.operands, strict=False):
        if letter == UNTYPED and source.type == OperandType.IMMEDIATE32:
            for component in written_components(copy.operands[0]):
                bits = source.literal[component if len(source.literal) > 1 else 0]
                if 0 < bits < LEAST_NORMAL:
                    yield component, bits


def _writes(each: Instruction, row: Op) -> Iterator[Place]:
    """Yield the temporary components that an instruction writes."""
    for letter, operand in zip(row.operands, each.operands, strict=False):
        if letter in RESULTS and operand.type == OperandType.TEMP:
            for component in written_components(operand):
                yield operand.indices[0].immediate, component


def _reads(each: Instruction, row: Op) -> dict[Place, set[str]]:
    """Return the letters of the operands that read each temporary component; "" for an index."""
    found: dict[Place, set[str]] = {}
    written = [
        at for letter, operand in zip(row.operands, each.operands, strict=False)
        if letter in RESULTS for at in written_components(operand)
    ]  # fmt: skip
    each_alone = row.kind in BY_COMPONENT and row.code not in PRODUCTS
    lanes = written if written and each_alone else range(4)
    for letter, operand in zip(row.operands, each.operands, strict=False):
        if letter in RESULTS:
            continue
        if operand.type == OperandType.TEMP:
            for at in lanes:
                place = operand.indices[0].immediate, source_component(operand, at)
                found.setdefault(place, set()).add(letter)
        for index in operand.indices:
            if index.relative is not None and index.relative.type == OperandType.TEMP:
                register = index.relative.indices[0].immediate
                for component in range(4):
                    found.setdefault((register, component), set()).add("")
    return found
