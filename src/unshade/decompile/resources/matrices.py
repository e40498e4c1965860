"""Matrices of register files, which have no matrices: arrays of registers that only products read.

    float4 projection[4];                            row_major float4x4 projection;
    float4(dot(projection[0], v), …)          ->     mul(projection, v)

PICA200 multiplies by a matrix row by row, and its assembly declares the rows as an array.
"""

from collections.abc import Sequence
from copy import copy

from ...ir.kernel import Value
from ...ir.memory import Memory
from ...ir.ops import OPS
from ...model.resources import ConstantBuffer, Variable
from ...vocab.words import TypeClass
from ..kinds import stripped
from ..operations import SOURCE_OPS
from ..vectors import halves
from .context import ResourceContext

__all__ = ["with_matrices"]

ROW = 16  # bytes
WIDTH = 4  # components of a register
FEWEST = 3  # rows of a product


def with_matrices(
    context: ResourceContext, memory: Memory, layout: ConstantBuffer
) -> ConstantBuffer:
    """Return a layout in which the rows of matrices are matrices."""
    rows: dict[int, set[Value]] = {}  # loads by the number of the register
    for value in context.kernel.values():
        if value.op is OPS.load and value.attr is memory:
            element = stripped(value.args[0])
            if element.op is not OPS.const:
                return layout
            rows.setdefault(element.attr, set()).add(value)
    users: dict[Value, list[Value]] = {}
    for value in context.kernel.values():
        for arg in map(stripped, value.args):
            users.setdefault(arg, []).append(value)
    variables = [
        _as_matrix(each) if _is_matrix(each, rows, users) else each for each in layout.variables
    ]
    changed = copy(layout)
    changed.variables = variables
    return changed


def _is_matrix(
    variable: Variable, rows: dict[int, set[Value]], users: dict[Value, list[Value]]
) -> bool:
    """Return True for an array of registers whose rows all products with a vector have in order."""
    type = variable.type
    count = type.elements[0] if len(type.elements) == 1 else 0
    if not FEWEST <= count <= WIDTH or type.strides != [ROW] or variable.offset % ROW:
        return False
    if (type.type_class, type.scalar, type.columns) != (TypeClass.VECTOR, "float", WIDTH):
        return False
    products: dict[tuple[Value, ...], list[int]] = {}  # rows by the vector
    for row in range(count):
        for load in rows.get(variable.offset // ROW + row, ()):
            for user in users.get(load, ()):
                vector = _multiplied(user, rows[variable.offset // ROW + row])
                if vector is None:
                    return False
                numbers = products.setdefault(tuple(vector), [])
                if row not in numbers:
                    numbers.append(row)
    # Three components are multiplied by the first of three rows, (float3x3)m.
    return bool(products) and all(
        sorted(numbers) == [*range(len(numbers))]
        and (len(numbers) == FEWEST if len(vector) == FEWEST else len(numbers) >= FEWEST)
        for vector, numbers in products.items()
    )


def _multiplied(product: Value, loads: set[Value]) -> Sequence[Value] | None:
    """Return the vector that a row is multiplied by; None if a value is no such product."""
    if product.op is not SOURCE_OPS.dot:
        return None
    for half, other in (halves(product), halves(product)[::-1]):
        found = [*map(stripped, half)]
        in_order = [each.args[1].attr for each in found if each in loads]
        if in_order == [4 * at for at in range(len(found))]:
            return [*map(stripped, other)]
    return None


def _as_matrix(variable: Variable) -> Variable:
    changed, type = copy(variable), copy(variable.type)
    (count,) = type.elements
    type.assign(
        type_class=TypeClass.MATRIX_ROWS, rows=count, elements=[], strides=[], matrix_stride=ROW,
        size=count * ROW,
    )  # fmt: skip
    changed.type = type
    return changed
