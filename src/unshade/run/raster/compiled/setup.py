"""Primitive setup in machine code: `ScreenTriangles` for triangles none of which is cut.

    vertices ── placing ── places on the screen, depths, 1/w, the sides of the view they are beyond
    triangles ── choosing ── those that are inside of the view, whose face is not culled, clockwise

Triangles that have to be cut at the near plane or the guard band are left to the arrays.
"""

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ....vm.launch import Array
from ..clip import SMALLEST
from ..pixel_coverage import BITS, STEPS, Chunks, chunks_of
from ..screen_triangles import WholeTriangles
from ..spare import spare
from ..state import RasterState
from ..states.words import Cull

if TYPE_CHECKING:
    from ....vm.jit.written import Num, WrittenFunction

LEAST = 1 << 12  # triangles: fewer are not worth the time of making code
CUT, ODD = 1 << 7, 1 << 8  # marks beside a bit for each side: beyond the guard band; not finite
VIEW = 6  # numbers of a viewport
GUARD = VIEW  # the size of the guard band, after them
WORDS = ["vertices", "triangles", "view"]  # numbers of both, and the viewport
OF_VERTICES = ["places", "z", "inverse", "marks"]
MADE = ["corners", "made_z", "made_inverse", "made_vertices", "number", "front", "turned"]
COUNTS = ["kept", "pieces", "cut"]


def whole_triangles(
    position: Array, corners: Array, state: RasterState, guard: float
) -> WholeTriangles | None:
    """Return the triangles with these corners on the screen; None if most have to be cut.

    Args:
        position: The places of the vertices in clip space, float32.
        corners: The vertices of each triangle.
        state: The state of the rasteriser, with one viewport.
        guard: The size of the guard band, in units of the view's.
    """
    from ....vm.jit.written import GivenWords

    count, vertices = len(corners), len(position)
    if count < LEAST or position.dtype.str != "<f4":
        return None
    rasterizer = state.rasterizer
    counts = np.zeros(len(COUNTS), np.int64)
    made = WholeTriangles(
        spare((count, 3, 2), np.int64), spare((count, 3), float), spare((count, 3), float),
        spare((count, 3), np.int64), spare((count,), np.int64), spare((count,), np.bool_),
        spare((count,), np.bool_), spare((count,), np.int64),
    )  # fmt: skip
    given = GivenWords({
        "vertices": vertices, "triangles": count,
        "view": np.append(state.viewports[0], guard),
        "position": np.ascontiguousarray(position),
        "given_corners": np.ascontiguousarray(corners, np.int64),
        "places": spare((vertices, 2), np.int64), "z": spare((vertices,), float),
        "inverse": spare((vertices,), float), "marks": spare((vertices,), np.int16),
        "counts": counts,
        **dict(zip(MADE, made.arrays, strict=True)), "cut": made.cut,
    })  # fmt: skip
    _placing(bool(rasterizer.depth_clip_enable)).run(given)
    front = rasterizer.cull_mode in (Cull.FRONT, Cull.FRONT_AND_BACK)
    back = rasterizer.cull_mode in (Cull.BACK, Cull.FRONT_AND_BACK)
    _choosing(bool(rasterizer.front_counter_clockwise), (front, back)).run(given)
    kept, pieces, cut = map(int, counts)
    return None if 2 * cut > count else made.first(kept, pieces, cut)


def chunks_around(corners: Array, limits: Array, *, paired: bool = False) -> Chunks:
    """Return the chunks of triangles, as `chunks_of` does."""
    from ....vm.jit.written import GivenWords

    count = len(corners)
    if count < LEAST:
        return chunks_of(corners, limits, paired=paired)
    each = int(limits.strides[0] != 0)
    first, across = spare((count, 2), np.int64), spare((count, 2), np.int64)
    counts = spare((count,), np.int64)
    _boxes().run(GivenWords({
        "triangles": count, "corners": np.ascontiguousarray(corners), "each_limits": each,
        "limits": np.ascontiguousarray(limits if each else limits[:1]), "first": first,
        "across": across, "counts": counts,
    }))  # fmt: skip
    return Chunks(first, across, counts, paired=paired)


@cache
def _placing(depth_clip: bool) -> "WrittenFunction":
    """Return the function that places vertices on the screen, and marks the sides beyond."""
    from ....vm.jit.written import F32, F64, I1, I16, I64, WrittenCode, WrittenFunction

    code = WrittenCode([*WORDS, "position", *OF_VERTICES])
    view = [code.at("view", F64, at).load() for at in range(VIEW)]
    guard = code.at("view", F64, GUARD).load()
    half_width, half_height = view[2] * 0.5, view[3] * 0.5
    depth = view[5] - view[4]
    with code.loop(0, code.number("vertices")) as at:
        given = [code.at("position", F32, at * 4, axis).load() for axis in range(4)]
        odd: Num | None = None
        for each in given:
            here = (each - each).is_("uno", 0.0)  # infinity and NaN
            odd = here if odd is None else odd | here
        assert odd is not None
        x, y, z, w = (each.to(F64, "fpext") for each in given)
        near = w - SMALLEST
        wide = w * guard
        ends = [z, w - z] if depth_clip else []
        cut = odd
        for side in (near, wide + x, wide - x, wide + y, wide - y, *ends):
            cut = cut | (side.is_("oge", 0.0) ^ code.constant(1, I1))
        marks = cut.to(I16, "zext") * CUT | odd.to(I16, "zext") * ODD
        for number, side in enumerate((near, w + x, w - x, w + y, w - y, *ends)):
            marks = marks | side.is_("olt", 0.0).to(I16, "zext") << number
        code.at("marks", I16, at).store(marks)
        inverse = 1.0 / (w + 0.0)
        of_depth = (z + 0.0) * inverse
        if depth_clip:
            of_depth = of_depth.is_("olt", 0.0).choose(code.constant(0.0, F64), of_depth)
            of_depth = of_depth.is_("ogt", 1.0).choose(code.constant(1.0, F64), of_depth)
        code.at("inverse", F64, at).store(inverse)
        code.at("z", F64, at).store(of_depth * depth + view[4])
        places = (
            view[0] + ((x + 0.0) * inverse + 1.0) * half_width,
            view[1] + (1.0 - (y + 0.0) * inverse) * half_height,
        )
        for axis, place in enumerate(places):
            steps = code.unary("rint", place * float(STEPS)).to(I64, "fptosi")
            code.at("places", I64, at * 2, axis).store(steps)
    return WrittenFunction(code)


@cache
def _choosing(counter_clockwise: bool, culled: tuple[bool, bool]) -> "WrittenFunction":
    """Return the function that makes triangles; `culled` tells it of front and back faces."""
    from ....vm.jit.written import F64, I1, I8, I16, I64, WrittenCode, WrittenFunction

    code = WrittenCode([*WORDS, "given_corners", *OF_VERTICES, *MADE, "cut", "counts"])
    kept, pieces, cut = (code.variable(I64, 0) for _ in COUNTS)
    with code.loop(0, code.number("triangles")) as triangle:
        vertices = [code.at("given_corners", I64, triangle * 3, at).load() for at in range(3)]
        marks = [code.at("marks", I16, each).load() for each in vertices]
        some = marks[0] | marks[1] | marks[2]
        beyond = (marks[0] & marks[1] & marks[2] & CUT - 1).is_("ne", 0)
        inside = beyond ^ code.constant(1, I1)
        whole = (some & CUT).is_("eq", 0)
        finite = (some & ODD).is_("eq", 0)
        is_cut = inside & finite & (whole ^ code.constant(1, I1))
        with code.when(is_cut):
            code.at("cut", I64, cut.load()).store(triangle)
            cut.store(cut.load() + 1)
        with code.when(inside & whole):
            pieces.store(pieces.load() + 1)
            x, y = ([code.at("places", I64, each * 2, axis).load() for each in vertices]
                    for axis in (0, 1))  # fmt: skip
            area = (x[1] - x[0]) * (y[2] - y[0]) - (y[1] - y[0]) * (x[2] - x[0])
            turned = area.is_("slt", 0)
            front = turned if counter_clockwise else area.is_("sgt", 0)
            is_culled = [code.constant(int(each), I1) for each in culled]
            shown = area.is_("ne", 0) & (
                front.choose(is_culled[0], is_culled[1]) ^ code.constant(1, I1)
            )
            with code.when(shown):
                row = kept.load()
                second = turned.choose(vertices[2], vertices[1])
                third = turned.choose(vertices[1], vertices[2])
                for at, each in enumerate((vertices[0], second, third)):
                    for axis in (0, 1):
                        place = code.at("places", I64, each * 2, axis).load()
                        code.at("corners", I64, row * 6, 2 * at + axis).store(place)
                    code.at("made_z", F64, row * 3, at).store(code.at("z", F64, each).load())
                    inverse = code.at("inverse", F64, each).load()
                    code.at("made_inverse", F64, row * 3, at).store(inverse)
                    code.at("made_vertices", I64, row * 3, at).store(vertices[at])
                code.at("number", I64, row).store(triangle)
                code.at("front", I8, row).store(front.to(I8, "zext"))
                code.at("turned", I8, row).store(turned.to(I8, "zext"))
                kept.store(row + 1)
    for at, total in enumerate((kept, pieces, cut)):
        code.at("counts", I64, at).store(total.load())
    return WrittenFunction(code)


@cache
def _boxes() -> "WrittenFunction":
    """Return the function that finds the quads around triangles."""
    from ....vm.jit.written import I64, WrittenCode, WrittenFunction

    code = WrittenCode(["triangles", "corners", "limits", "each_limits", "first", "across",
                        "counts"])  # fmt: skip
    each_limits = code.number("each_limits")
    with code.loop(0, code.number("triangles")) as triangle:
        row = triangle * each_limits * 4
        count: Num | None = None
        for axis in (0, 1):
            places = [code.at("corners", I64, triangle * 6, 2 * at + axis).load()
                      for at in range(3)]  # fmt: skip
            limits = [code.at("limits", I64, row, at).load() for at in (axis, 2 + axis)]
            low = code.unary("smax", code.unary("smin", code.unary("smin", places[0], places[1])
                             , places[2]), limits[0]).signed_shift(BITS)  # fmt: skip
            high = code.unary("smin", code.unary("smax", code.unary("smax", places[0], places[1])
                              , places[2]), limits[1] - 1).signed_shift(BITS)  # fmt: skip
            first = low.signed_shift(1)
            across = code.unary(
                "smax", high.signed_shift(1) - first + 1, code.constant(0, I64)
            )  # fmt: skip
            code.at("first", I64, triangle * 2, axis).store(first)
            code.at("across", I64, triangle * 2, axis).store(across)
            count = across if count is None else count * across
        assert count is not None
        code.at("counts", I64, triangle).store(count)
    return WrittenFunction(code)
