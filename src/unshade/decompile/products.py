"""Products of vectors and matrices, which programs compute by line.

    float4(dot(v, M[0]), dot(v, M[1]), dot(v, M[2]), dot(v, M[3]))       mul(M, v)
    v.x * M[0] + v.y * M[1] + v.z * M[2] + M[3]                          mul(float4(v, 1.0), M)

A line is a column or row of a matrix. The sums have another order than those of the function on
some targets, so only readable sources have products.
"""

from collections.abc import Sequence

from ..ir.ops import OPS
from .operations import SOURCE_OPS
from .tree import (
    NodeForm,
    ProductOrder,
    SourceExpression,
    joined_scalars,
    literal,
    swizzle,
    text_key,
)

__all__ = ["matrix_product", "sum_product"]

ONE = 0x3F80_0000  # as a float
MOST = 4  # lines of a matrix
CAST = "(float{0}x{0})"


def matrix_product(parts: Sequence[SourceExpression]) -> SourceExpression | None:
    """Return the product of a vector and a matrix, if parts are its scalar products in order.

    They may be the first of its components.
    """
    count = len(parts)
    if count < 2 or any(each.op is not SOURCE_OPS.dot for each in parts):
        return None
    for at in (0, 1):
        vectors = {text_key(each.args[1 - at]) for each in parts}
        vector = parts[0].args[1 - at]
        width = vector.type.width
        if len(vectors) != 1:
            continue
        cells = [_cells(each.args[at]) for each in parts]
        lines = {text_key(line.args[0]): line for row in cells for line, _ in row}
        if len(lines) != 1 or any(len(row) != width for row in cells):
            continue
        (line,) = lines.values()
        numbers = [[(line.args[1].attr[0], number) for line, number in row] for row in cells]
        for crossed in (False, True):
            places = [[(i, j) for j in range(width)] for i in range(count)]
            if numbers == [[place[::-1] for place in row] if crossed else row for row in places]:
                found = _product(vector, line, crossed, count)
                if found is not None:
                    return found
    return None


def sum_product(value: SourceExpression) -> SourceExpression | None:
    """Return the product of a vector and a matrix, if a sum has all lines of it times a scalar."""
    one, other = value.args
    for product, term in ((one, other), (other, one)):
        if product.op is NodeForm.PRODUCT and product.args[1].op is NodeForm.CALL:
            return _with_last_line(product, term)
    weights: dict[int, SourceExpression] = {}
    lines: dict[object, SourceExpression] = {}
    for term in _terms(value):
        found = _weighted(term)
        if found is None:
            return None
        weight, line, width = found
        number = line.args[1].attr[0]
        if number in weights or width != value.type.width:
            return None
        weights[number] = weight
        lines[text_key(line.args[0])] = line
    count = len(weights)
    if count < 3 or len(lines) != 1 or {*weights} != {*range(count)}:
        return None
    vector = joined_scalars([weights[each] for each in range(count)])
    (line,) = lines.values()
    return _product(vector, line, True, value.type.width)


def _with_last_line(product: SourceExpression, term: SourceExpression) -> SourceExpression | None:
    """Return the product of a point and a matrix: that of three lines, and the fourth."""
    found = _weighted(term)
    vector, call = product.args
    if found is None or vector.type.width != MOST - 1:
        return None
    weight, line, width = found
    same = text_key(line.args[0]) == text_key(call.args[0])
    ordered = line.attr.by_column is not product.attr.hlsl and not product.attr.registers
    if not same or not ordered or line.args[1].attr[0] != MOST - 1 or width != MOST - 1:
        return None
    type = vector.type.wide(MOST)
    whole = SourceExpression(NodeForm.CONSTRUCT, type, (vector, weight))
    return _product(whole, line, True, width)


def _product(
    vector: SourceExpression, line: SourceExpression, crossed: bool, count: int
) -> SourceExpression | None:
    """Return the first components of a product of a vector and the matrix of a line.

    With `crossed` the components of the vector belong to the lines, else to the components of each.
    """
    width = vector.type.width
    matrix, shape = line.args[0], line.attr
    sizes = (shape.columns, shape.rows) if shape.by_column else (shape.rows, shape.columns)
    whole, other = sizes[::-1] if crossed else sizes  # of the result, and of the vector
    if count == width and sizes != (width, width):
        matrix = SourceExpression(NodeForm.CALL, matrix.type, (matrix,), CAST.format(width))
        whole = other = width
    if other != width or whole < count:
        return None
    order = ProductOrder(shape.by_column is not crossed, not crossed)
    product = SourceExpression(NodeForm.PRODUCT, line.type.wide(whole), (vector, matrix), order)
    return swizzle(product, (*range(count),))


def _terms(value: SourceExpression) -> list[SourceExpression]:
    """Return the terms of a sum, which are few; nothing if they are more than lines of a matrix."""
    found: list[SourceExpression] = []
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if each.op is OPS.fadd:
            waiting += each.args
        else:
            found.append(each)
        if len(found) + len(waiting) > MOST:
            return [value]
    return found


def _weighted(term: SourceExpression) -> tuple[SourceExpression, SourceExpression, int] | None:
    """Return a scalar, a line of a matrix and its first components, of which a term is the product.

    The scalar is 1 for a line alone.
    """
    one = literal((ONE,), term.type.wide(1))
    pairs = [(one, term)]
    if term.op is OPS.fmul:
        pairs = [(term.args[0], term.args[1]), (term.args[1], term.args[0])]
    for weight, each in pairs:
        cells = _cells(each)
        ordered = [at for _, at in cells] == [*range(len(cells))]
        alone = len({text_key(line) for line, _ in cells}) == 1
        if weight.type.width == 1 and ordered and alone:
            return weight, cells[0][0], len(cells)
    return None


def _cells(value: SourceExpression) -> list[tuple[SourceExpression, int]]:
    """Return the columns or rows, and components in them, that a vector is made of."""
    if value.op is NodeForm.LINE:
        return [(value, number) for number in range(value.type.width)]
    if value.op is NodeForm.SWIZZLE and value.args[0].op is NodeForm.LINE:
        return [(value.args[0], number) for number in value.attr]
    if value.op is NodeForm.CONSTRUCT:
        return [cell for each in value.args for cell in _cells(each)]
    return []
