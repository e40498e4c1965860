"""The quads that triangles cover: `pixel_coverage` for one sample at the centres of pixels.

A triangle's quads are visited row by row, as there, and those without a covered pixel left out.
"""

from functools import cache

from ....vm.jit.written import (
    F64,
    I1,
    I8,
    I32,
    I64,
    Num,
    NumPlace,
    WrittenCode,
    WrittenFunction,
)
from ..pixel_coverage import STEPS
from .quads import (
    COLUMNS,
    DX,
    DY,
    HIGH,
    LAYER,
    LOW,
    OF_QUADS,
    QUAD,
    RECORD,
    ROWS,
    TOTAL,
    Z1,
    Z2,
    C,
    Z,
    byte_of,
    centres,
    distance,
)  # fmt: skip

# Arrays whose only row all triangles may share: each_limits is 1 if they have their own, else 0.
SHARED = ["limits", "depths", "layers"]
# Arrays of the triangles of a draw; `plane` is the number of pixels of a layer, `found` the number
# of quads.
WORDS = ["start", "stop", "corners", "limits", "first", "across", "z", "depths", "layers", "plane",
         *(f"each_{word}" for word in SHARED)]  # fmt: skip


@cache
def coverage() -> WrittenFunction:
    """Return the function that finds the quads of a chunk, and writes records of its triangles."""
    code = WrittenCode([*WORDS, "records", *OF_QUADS, "found"])
    count = code.variable(I64, 0)
    with code.loop(code.number("start"), code.number("stop")) as triangle:
        _triangle(code, triangle, count)
    code.at("found", I64, 0).store(count.load())
    return WrittenFunction(code)


def _triangle(code: WrittenCode, triangle: Num, count: NumPlace) -> None:
    """Write the quads of a triangle."""
    corners = [[code.at("corners", I64, triangle * 6, 2 * at + axis).load() for axis in (0, 1)]
               for at in range(3)]  # fmt: skip
    record = (triangle - code.number("start")) * RECORD
    rows = {word: triangle * code.number(f"each_{word}") for word in SHARED}

    def keep(at: int, value: Num) -> None:
        code.at("records", F64, record, at).store(value)

    edges, least, total = [], [], None
    for at in range(3):
        a, b = corners[(at + 1) % 3], corners[(at + 2) % 3]
        dx, dy = b[0] - a[0], b[1] - a[1]
        c = dy * a[0] - dx * a[1]
        own = dx * corners[at][1] - dy * corners[at][0] + c  # at the corner itself
        total = own if at == 0 else total
        # The least distance that is inside: 0 on a top or left edge.
        open_ = dy.is_("sgt", 0) | (dy.is_("eq", 0) & dx.is_("sle", 0))
        least.append(open_.to(I64, "zext").to(F64, "sitofp").splat(QUAD))
        numbers = [each.to(F64, "sitofp") for each in (dx, dy, c)]
        edges.append([each.splat(QUAD) for each in numbers])
        for place, each in zip((DX, DY, C), numbers, strict=True):
            keep(place + at, each)
    assert total is not None
    keep(TOTAL, total.to(F64, "sitofp"))
    z = [code.at("z", F64, triangle * 3, at).load() for at in range(3)]
    low, high = (code.at("depths", F64, rows["depths"] * 2, at).load() for at in (0, 1))
    for place, each in ((Z, z[0]), (Z1, z[1] - z[0]), (Z2, z[2] - z[0]), (LOW, low), (HIGH, high)):
        keep(place, each)
    layer = code.at("layers", I64, rows["layers"]).load() * code.number("plane")
    keep(LAYER, layer.to(F64, "sitofp"))

    limits = [code.at("limits", I64, rows["limits"] * 4, at).load() for at in range(4)]
    within = None
    for axis in (0, 1):
        for corner in corners:
            here = corner[axis].is_("sge", limits[axis]) & corner[axis].is_("slt", limits[2 + axis])
            within = here if within is None else within & here
    assert within is not None
    beyond = within ^ code.constant(1, I1)
    bounds = [each.to(F64, "sitofp").splat(QUAD) for each in limits]
    first = [code.at("first", I64, triangle * 2, axis).load() for axis in (0, 1)]
    across = [code.at("across", I64, triangle * 2, axis).load() for axis in (0, 1)]
    steps = [each[1] * (-2.0 * STEPS) for each in edges]
    left = centres(code, first[0] * 2, COLUMNS)
    now = [code.variable(F64.of(QUAD)) for _ in edges]
    with code.loop(0, across[1]) as down:
        y = (first[1] + down) * 2
        py = centres(code, y, ROWS)
        for edge, (dx, dy, c) in zip(now, edges, strict=True):
            edge.store(distance(dx, dy, c, left, py))
        with code.loop(0, across[0]) as right:
            x = (first[0] + right) * 2
            inside = None
            for edge, bound, step in zip(now, least, steps, strict=True):
                here = edge.load()
                is_in = here.is_("oge", bound)
                inside = is_in if inside is None else inside & is_in
                edge.store(here + step)
            assert inside is not None
            covered = code.variable(I8, byte_of(inside))
            with code.when(beyond):
                px = centres(code, x, COLUMNS)
                shown = px.is_("oge", bounds[0]) & px.is_("olt", bounds[2])
                shown = shown & py.is_("oge", bounds[1]) & py.is_("olt", bounds[3])
                covered.store(covered.load() & byte_of(shown))
            found, mask = count.load(), covered.load()
            for word, number in (("triangles", triangle), ("x", x), ("y", y)):
                code.at(word, I32, found).store(number.to(I32, "trunc"))
            code.at("shown", I8, found).store(mask)
            count.store(found + mask.is_("ne", 0).to(I64, "zext"))
