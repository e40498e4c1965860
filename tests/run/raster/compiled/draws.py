"""Draws in machine code and with arrays, of triangles and states that seeds choose.

compared(vertices=…, blend="alpha")    what both drew, and whether machine code did
random_draw(seed)                      the arguments of a draw that a seed chooses
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any
from unittest.mock import patch

import numpy as np

import unshade
from unshade.run.raster import PipelineStatistics, draw, pixel_coverage
from unshade.run.raster.compiled import drawing, setup, shading
from unshade.run.raster.states.depth_stencil import StencilFace
from unshade.run.raster.states.words import Comparison, Factor, StencilOp
from unshade.run.raster.target_formats import named_format
from unshade.run.runner import Runner
from unshade.vm.launch import Array

FORMATS = (
    "R8G8B8A8_UNORM", "B8G8R8A8_UNORM", "R8G8_UNORM", "R16G16B16A16_UNORM", "A8_UNORM",
    "B5G6R5_UNORM", "R10G10B10A2_UNORM", "R8G8B8A8_SRGB", "R16G16B16A16_FLOAT", "R16_FLOAT",
    "R32G32B32A32_FLOAT", "R32_FLOAT", "R8G8B8A8_SNORM",
)  # fmt: skip
DEPTHS = (("f4", 1.0), ("u2", 0xFFFF), ("u4", 0xFF_FFFF))  # formats, with the far plane
COUNT = 40  # triangles
NEVER = 1 << 62  # triangles, for which machine code would be made
SIZE = (37, 29)
VERTEX = """
vs_5_0
dcl_input v0.xyzw
dcl_input v1.xyzw
dcl_input v2.xyzw
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
dcl_output o2.xyzw
mov o0.xyzw, v0.xyzw
mov o1.xyzw, v1.xyzw
mov o2.xyzw, v2.xyzw
ret
"""
# Inputs of every kind that machine code makes.
PIXEL = """
ps_5_0
dcl_input_ps {how} v1.xyzw
dcl_input_ps constant v2.xyzw
dcl_input_ps_siv linear noperspective v0.xyzw, position
dcl_input_ps_sgv v3.x, is_front_face
dcl_input_ps_sgv v4.x, primitive_id
dcl_output o0.xyzw
dcl_output o1.xyzw
dcl_temps 2
{before}
utof r0.x, v4.x
mad r0.x, r0.x, l(0.01), l(0.5)
movc r0.x, v3.x, r0.x, l(0.75)
deriv_rtx_coarse r1.xyzw, v1.xyzw
mad r1.xyzw, r1.xyzw, l(0.5, 0.5, 0.5, 0.5), v1.xyzw
mul o0.xyzw, r1.xyzw, r0.xxxx
mad o1.xyzw, v0.xyzw, l(0.02, 0.02, 0.5, 0.25), v2.xyzw
ret
"""
DISCARD = "lt r0.x, v1.y, l(0.3)\ndiscard_nz r0.x"
DEPTH = """
ps_5_0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_output oDepth
dcl_temps 1
mov o0.xyzw, v1.xyzw
{}
"""
SHALLOW, ODD = "mov oDepth, v1.x\nret", "sqrt r0.x, v1.x\nmov oDepth, r0.x\nret"
FLAT = """
ps_5_0
dcl_input_ps constant v2.xyzw
dcl_output o0.xyzw
mov o0.xyzw, v2.xyzw
ret
"""
OPERATIONS = [*StencilOp]
FUNCTIONS = [*Comparison]
PLAIN_FACTORS = [each for each in Factor if "1" not in each]  # of the first output
HOWS = ["linear", "linear noperspective", "linear centroid", "linear sample"]


@cache
def kernels(engine: str, how: str = "linear", before: str = "") -> tuple[Runner, Runner]:
    return of_text(VERTEX, engine), of_text(PIXEL.format(how=how, before=before), engine)


@cache
def of_text(text: str, engine: str = "jit") -> Runner:
    return unshade.kernel(unshade.assemble(text), engine=engine)


def triangles(seed: int, count: int = COUNT) -> dict[str, Array]:
    """Return triangles in front of and behind each other, some of them beyond the view."""
    chance = np.random.default_rng(seed)
    place = chance.uniform(-1.2, 1.2, (count, 1, 2)) + chance.normal(0, 0.5, (count, 3, 2))
    w = chance.uniform(0.3, 2.0, (count, 3, 1))
    z = chance.uniform(-0.2, 1.1, (count, 3, 1))
    z[::5] = 0.5
    place[::7] = np.round(place[::7] * 8) / 8  # corners and edges at centres of pixels
    clip = np.concatenate([place * w, z * w, w], axis=-1).reshape(-1, 4)
    clip[chance.random(len(clip)) < 0.02, 3] *= -1
    colours = chance.uniform(-0.2, 1.2, (2, len(clip), 4))
    colours[:, chance.random(len(clip)) < 0.1] = -0.0
    return {"v0": clip.astype("f4"), "v1": colours[0].astype("f4"), "v2": colours[1].astype("f4")}


def drawn(
    *,
    vertices: dict[str, Array],
    shaders: tuple[Any, Any] | None = None,
    size: tuple[int, int] = SIZE,
    counted: bool = False,
    **arguments: Any,
) -> dict[str, Array]:
    """Draw into copies of the targets and the depth that are given; return all results."""
    stages, pixel = shaders or kernels("jit")
    for name in ("targets", "depth", "stencil_target"):
        given = arguments.get(name)
        if isinstance(given, list):
            arguments[name] = [turned(each) if each.strides[0] < 0 else each.copy()
                               for each in given]  # fmt: skip
        elif given is not None:
            arguments[name] = given.copy()
    statistics = PipelineStatistics() if counted else None
    steps: list[tuple[int, int]] = []
    picture = draw(
        stages, pixel, vertices, arguments.pop("primitives", None), size, statistics=statistics,
        progress=lambda *each: steps.append(each), **arguments,
    )  # fmt: skip
    report = None if pixel is None else pixel.report
    found = {names[-1]: np.asarray(each) for names, each in picture.targets.named()} | {
        "depth": picture.depth, "triangle": picture.triangle,
        "progress": np.array(steps),
        "lanes": np.array([report.lanes, report.discarded] if report else []),
    }  # fmt: skip
    if picture.stencil is not None:
        found["stencil"] = picture.stencil
    if statistics is not None:
        found["statistics"] = np.array([*statistics.document().values()])
    return found


def turned(array: Array) -> Array:
    return array[::-1].copy()[::-1]


def compared(**arguments: Any) -> tuple[dict[str, Array], bool | None]:
    """Draw twice; return what both drew, and whether machine code did the first time.

    None if there was nothing to draw.
    """
    of, used = drawing.CompiledDraw.of, []

    def watched(*given: Any) -> Any:
        made = of(*given)
        used.append(made is not None)
        return made

    with patch.object(drawing.CompiledDraw, "of", watched):
        one = drawn(**arguments)
    arrays = patch.object(drawing.CompiledDraw, "of", lambda *_: None)
    with arrays, patch.object(setup, "LEAST", NEVER):
        two = drawn(**arguments)
    assert one.keys() == two.keys()
    for name, array in one.items():
        assert (array.dtype, array.shape) == (two[name].dtype, two[name].shape), name
        assert array.tobytes() == two[name].tobytes(), name
    return one, used[0] if used else None


def uncut(seed: int, count: int = COUNT) -> dict[str, Array]:
    """Return triangles that share vertices, some of them beyond the view, none before the eye."""
    chance = np.random.default_rng(seed)
    given = triangles(seed, count)
    clip = given["v0"]
    clip[:, 3] = np.abs(clip[:, 3])
    clip[:, 2] = clip[:, 3] * chance.choice([0.0, 0.25, 0.5, 1.0], len(clip))
    clip[: len(clip) // 8] += clip[: len(clip) // 8, 3:] * [2.0, 0, 0, 0]
    return given


def stencil_state(chance: np.random.Generator) -> dict[str, Any]:
    """Return a state of stencil, depth and depth bounds."""
    faces = []
    for _ in range(2):
        fail, depth_fail, passes = (OPERATIONS[each] for each in chance.integers(0, 8, 3))
        read, write = (int(each) for each in chance.choice([0xFF, 0x3C, 0x7F, 2], 2))
        function, ref = FUNCTIONS[chance.integers(0, 8)], int(chance.integers(0, 5))
        faces.append(StencilFace(fail, depth_fail, passes, function, read, write, ref))
    state: dict[str, Any] = {
        "depth_enable": bool(chance.random() < 0.8), "stencil_enable": True,
        "depth_write_mask": bool(chance.random() < 0.7),
        "depth_func": FUNCTIONS[chance.integers(0, len(FUNCTIONS))],
        "front_face": faces[0], "back_face": faces[int(chance.random() < 0.7)],
    }  # fmt: skip
    if chance.random() < 0.4:
        state |= {"min_depth_bounds": 0.25, "max_depth_bounds": float(chance.uniform(0.3, 1))}
    return state


@contextmanager
def small_pieces(chance: np.random.Generator) -> Iterator[None]:
    """Let draws be in machine code, in several chunks, batches and calls of the shader."""
    with (
        patch.object(drawing, "LEAST", 0),
        patch.object(setup, "LEAST", 0),
        patch.object(pixel_coverage, "CHUNK", int(chance.choice([1 << 17, 1 << 9, 100]))),
        patch.object(sys.modules["unshade.run.raster.draw"], "BATCH", int(chance.choice(
            [1 << 14, 200, 64]))),
        patch.object(shading, "NEAR", int(chance.choice([1 << 19, 1 << 14]))),
    ):  # fmt: skip
        yield


def random_draw(chance: np.random.Generator) -> dict[str, Any]:
    """Return the arguments of a draw: shaders, vertices, targets and state."""
    size = ((37, 29), (64, 48), (5, 3), (90, 61))[chance.integers(4)]
    samples = int(chance.choice([1, 1, 2, 4, 8]))
    shape = (*size[::-1], samples) if samples > 1 else size[::-1]
    vertices = (triangles, uncut)[chance.integers(2)](int(chance.integers(1 << 30)),
                                                      int(chance.integers(1, 120)))  # fmt: skip
    given: dict[str, Any] = {
        "size": size, "samples": samples, "vertices": vertices, "shaders": _shaders(chance),
        "counted": _one_of(chance, 2), **_primitives(len(vertices["v0"]), chance),
        **_state(size, chance), **_depth(shape, chance),
    }  # fmt: skip
    if given["shaders"][1] is not None:
        given |= _colours(shape, chance)
    if _one_of(chance, 6):
        given["sample_mask"] = int(chance.integers(1, 1 << samples))
    return given


def _one_of(chance: np.random.Generator, count: int) -> bool:
    return not chance.integers(count)


def _shaders(chance: np.random.Generator) -> tuple[Runner, Runner | None]:
    """Return shaders: the colours, depths and masks that they output, and those that discard."""
    before = DISCARD if _one_of(chance, 3) else ""
    vertex, pixel = kernels("jit", str(chance.choice(HOWS)), before)
    match chance.integers(8):
        case 0:
            return vertex, None
        case 1 | 2:
            rest = (SHALLOW, ODD)[chance.integers(2)]
            return vertex, of_text(DEPTH.format(f"{before}\n{rest}"))
        case 3:
            return vertex, of_text(FLAT)
    return vertex, pixel


def _primitives(count: int, chance: np.random.Generator) -> dict[str, Any]:
    """Return the topology, and the indices of three quarters of the draws."""
    words = str(
        chance.choice(["triangle_list"] * 6 + ["triangle_strip", "line_list", "point_list"])
    )
    if _one_of(chance, 4):
        return {"topology": words}
    return {"topology": words, "primitives": chance.integers(0, count, 3 * (count // 3), "u4")}


def _state(size: tuple[int, int], chance: np.random.Generator) -> dict[str, Any]:
    """Return viewport, scissors and the state of the rasteriser."""
    width, height = size
    state: dict[str, Any] = {"rasterizer": {
        "provoking_vertex": str(chance.choice(["first", "last"])),
        "front_counter_clockwise": _one_of(chance, 2),
    }}  # fmt: skip
    if _one_of(chance, 3):
        state["cull"] = str(chance.choice(["back", "front"]))
    if _one_of(chance, 4):
        state["depth_clip"] = False
    if _one_of(chance, 3):
        state["rasterizer"] |= {"depth_bias": int(chance.integers(-90, 90)),
                                "slope_scaled_depth_bias": 0.5}  # fmt: skip
    if _one_of(chance, 8):
        state["rasterizer"]["fill_mode"] = "wireframe"
    if _one_of(chance, 3):
        x, y = chance.uniform(-4, 8, 2)
        state["viewports"] = [[x, y, width * chance.uniform(0.4, 1.5), height * chance.choice(
            [-1.0, 0.7, 1.3]), *chance.choice([[0.0, 1.0], [0.25, 0.75], [1.0, 0.0]])]]  # fmt: skip
    if _one_of(chance, 3):
        state["scissors"] = [[int(chance.integers(width)), int(chance.integers(height)),
                              int(chance.integers(width + 3)), height]]  # fmt: skip
    return state


def _depth(shape: tuple[int, ...], chance: np.random.Generator) -> dict[str, Any]:
    """Return the target of depths, that of stencils, and their tests."""
    if _one_of(chance, 5):
        return {"depth_function": None}
    kind, most = DEPTHS[chance.integers(3)]
    depth = (chance.choice([0.0, 0.25, 0.5, 0.75, 1.0, 1.0], shape) * most).astype(kind)
    given: dict[str, Any] = {"depth": depth}
    if kind == "u4":
        depth |= chance.integers(0, 6, shape, "u4") << np.uint32(24)
    if _one_of(chance, 3):
        given["depth_stencil"] = stencil_state(chance)
        if kind != "u4" or _one_of(chance, 2):
            given["stencil_target"] = chance.integers(0, 6, shape, "u1")
        return given
    function = FUNCTIONS[chance.integers(len(FUNCTIONS))] if _one_of(chance, 2) else "less"
    return {**given, "depth_function": function, "depth_write": not _one_of(chance, 4)}


def _colours(shape: tuple[int, ...], chance: np.random.Generator) -> dict[str, Any]:
    """Return targets of any bits, their formats, and blending."""
    form = FORMATS[chance.integers(len(FORMATS))]
    given: dict[str, Any] = {}
    match chance.integers(4):
        case 0:
            kind = str(chance.choice(["f4", "u1", "u2", "f2"]))
            given["targets"] = [np.zeros((*shape, chance.choice([1, 2, 4])), kind)]
        case 1:
            given["formats"] = [form]
        case _:
            wide = shape if len(shape) > 2 else (*shape, 1)
            new = named_format(form).new((1, *wide))
            new = new.reshape(*shape, *new.shape[4:])
            bits = chance.integers(0, 256, new.nbytes, "u1")
            given |= {"formats": [form], "targets": [bits.view(new.dtype).reshape(new.shape)]}
    match chance.integers(4):
        case 0:
            given["blend"] = str(chance.choice(["alpha", "premultiplied", "additive", "multiply"]))
        case 1:
            names = ("src_blend", "dest_blend", "src_blend_alpha", "dest_blend_alpha")
            factors = {name: str(chance.choice(PLAIN_FACTORS)) for name in names}
            given["blend"] = {
                "targets": [{**factors, "blend_op": str(chance.choice(["add", "subtract", "max"])),
                             "write_mask": str(chance.choice(["rgba", "rb", "ga"]))}],
                "blend_factor": [0.25, 2.0, -1.0, 0.625],
            }  # fmt: skip
    return given
