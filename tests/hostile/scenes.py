"""Draws with changed shaders and random state on both engines: equal bits, or equal errors.

    compared_scene(seed) -> "drawn"          both drew the same
                            "empty"          and nothing was covered
                            "UsageError: …"  both refused it

A seed chooses the shaders (of Direct3D or Vulkan, of two to four stages), changes one of them or
none, and makes vertices and state: topology, indices, restart, instances, formats, samples, layers,
viewports, scissors, blending, logic operations, tests of depth, stencil and bounds, bias, fill
modes, lines, conservative rasterisation. Numbers of vertices are often odd ones (NaN, infinities,
no w); words of state are sometimes unknown ones.
"""

import random
from enum import StrEnum
from functools import cache
from typing import Any
from unittest.mock import patch

import numpy as np

import unshade
from tests.hostile.engines import BUDGET, Differs, difference
from tests.hostile.seeds import mutant
from tests.run import spirv_stages
from unshade.errors import LimitError, UnshadeError, UnsupportedError
from unshade.run.raster import PipelineStatistics, PixelHistory, draw
from unshade.run.raster.compiled import drawing
from unshade.run.raster.states.words import (
    BlendOp,
    Comparison,
    ConservativeMode,
    Cull,
    Factor,
    Fill,
    LineMode,
    LogicOp,
    ProvokingVertex,
    StencilOp,
)

CHANGED = 4  # scenes of five have a changed shader
ODD = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-40, 3e38, -1.0, 2.0**24]
TOPOLOGIES = (
    "triangle_list", "triangle_strip", "triangle_fan", "line_list", "line_strip", "point_list",
    "line_list_adjacency", "line_strip_adjacency", "triangle_list_adjacency",
    "triangle_strip_adjacency",
)  # fmt: skip
FORMATS = (
    "R8G8B8A8_UNORM", "R8G8B8A8_UNORM_SRGB", "R8G8B8A8_SNORM", "R16G16B16A16_FLOAT",
    "R32G32B32A32_FLOAT", "R10G10B10A2_UNORM", "R11G11B10_FLOAT", "B5G6R5_UNORM", "R8_UNORM",
    "R16G16_SNORM", "R32_FLOAT", "R8G8B8A8_UINT",
)  # fmt: skip
PLACES = ((2, 1), (0, 0), (3, 2), (1, 2))
DEPTHS = {"<f4": 1.0, "<u2": 0xFFFF, "<u4": 0xFF_FFFF}  # the far plane
VERTEX = """
vs_5_0
dcl_input v0.xyzw
dcl_input v1.xyzw
dcl_input v2.x
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
dcl_output_siv o2.xy, clip_distance
dcl_output_siv o2.zw, cull_distance
dcl_temps 2
mov o0.xyzw, v0.xyzw
mul r0.xyzw, v1.xyzw, l(2.0, 1.0, 0.5, 1.0)
mov o1.xyzw, r0.xyzw
add o2.xy, v1.xyxx, l(0.25, 0.5, 0, 0)
mov o2.zw, l(0, 0, 1.0, 1.0)
ret
"""
PLAIN = """
vs_5_0
dcl_input v0.xyzw
dcl_input v1.xyzw
dcl_input v2.x
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
mov o0.xyzw, v0.xyzw
mov o1.xyzw, v1.xyzw
ret
"""
GEOMETRY = """
gs_5_0
dcl_input_siv v[3][0].xyzw, position
dcl_input v[3][1].xyzw
dcl_inputprimitive triangle
dcl_stream m0
dcl_outputtopology trianglestrip
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
dcl_output_siv o2.x, rendertarget_array_index
dcl_output_siv o2.y, viewport_array_index
dcl_maxout 3
dcl_temps 2
ftou r0.xy, v[0][1].xyxx
mov o0.xyzw, v[0][0].xyzw
mov o1.xyzw, v[0][1].xyzw
mov o2.xy, r0.xyxx
emit_stream m0
mov o0.xyzw, v[1][0].xyzw
mov o1.xyzw, v[1][1].xyzw
mov o2.xy, r0.xyxx
emit_stream m0
mov o0.xyzw, v[2][0].xyzw
mov o1.xyzw, v[2][1].xyzw
mov o2.xy, r0.xyxx
emit_stream m0
ret
"""
PIXELS = (
    """
ps_5_0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_output o1.xyzw
dcl_temps 2
deriv_rtx_fine r0.xyzw, v1.xyzw
mad o0.xyzw, r0.xyzw, l(0.5, 0.5, 0.5, 0.5), v1.xyzw
add o1.xyzw, v1.wzyx, l(0.25, 0.25, 0.25, 0.25)
ret
""",
    """
ps_5_0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_output oDepth
dcl_temps 1
lt r0.x, v1.x, l(0.25)
discard_nz r0.x
mov o0.xyzw, v1.xyzw
mul oDepth, v1.y, l(0.5)
ret
""",
    """
ps_5_0
dcl_input_ps constant v1.xyzw
dcl_input vCoverage.x
dcl_output o0.xyzw
dcl_output oMask
and oMask, vCoverage.x, l(13)
mov o0.xyzw, v1.xyzw
ret
""",
    """
ps_5_0
dcl_input_ps linear sample v1.xyzw
dcl_input_ps_sgv v2.x, sampleIndex
dcl_output o0.xyzw
dcl_temps 1
utof r0.x, v2.x
mad o0.xyzw, r0.xxxx, l(0.125, 0.125, 0.125, 0.125), v1.xyzw
ret
""",
)


@cache
def stages_of(kind: int) -> tuple[tuple[str, bytes], ...]:
    """The shaders of a kind of scene, by stage."""
    if kind >= len(PIXELS) * 2:
        made = {"vertex": spirv_stages.vertex(), "pixel": spirv_stages.fragment()}
        if kind % 2:
            made["geometry"] = spirv_stages.geometry()
        return tuple((name, each.to_bytes()) for name, each in made.items())
    texts = {"vertex": PLAIN if kind % 2 else VERTEX, "pixel": PIXELS[kind // 2]}
    if kind % 2:
        texts["geometry"] = GEOMETRY
    return tuple((name, unshade.assemble(each).to_bytes()) for name, each in texts.items())


KINDS = 2 * len(PIXELS) + 2


def compared_scene(seed: int) -> str:
    """Return the outcome of a seed; raise `Differs` if the engines disagree."""
    chance = random.Random(seed)
    stages = dict(stages_of(chance.randrange(KINDS)))
    if chance.randrange(CHANGED + 1):
        which = chance.choice(sorted(stages))
        try:
            stages[which] = mutant(chance.randrange(1 << 30), [stages[which]])
        except UnshadeError:
            return "not a file"
    try:
        shaders = {name: unshade.loads(data) for name, data in stages.items()}
    except UnshadeError as error:
        return f"{type(error).__name__} while reading"
    state = chance.getrandbits(64)
    found: list[Any] = []
    with patch.object(drawing, "LEAST", 0):  # small draws in machine code, too
        for engine in ("lockstep", "jit"):
            try:
                found.append(_drawn(shaders, random.Random(state), engine))
            except UnshadeError as error:
                str(error)
                found.append(error)
    one, two = found
    if isinstance(two, UnsupportedError) and not isinstance(one, UnsupportedError):
        return "left to lockstep"
    if any(isinstance(each, LimitError) for each in found):
        return "limit"  # lockstep counts what all lanes do together, the jit what a chunk does
    differs = difference(one, two)
    if differs:
        raise Differs(differs)
    if isinstance(one, UnshadeError):
        return f"{type(one).__name__}"
    return "drawn" if any(one["covered"]) else "empty"


def scene(seed: int, engine: str) -> dict[str, bytes]:
    """Return all that the scene of a seed leaves, with shaders as they are."""
    chance = random.Random(seed)
    stages = stages_of(chance.randrange(KINDS))
    return _drawn({name: unshade.loads(data) for name, data in stages}, chance, engine)


def history(seed: int) -> PixelHistory:
    """Return what happened to a pixel of the scene of a seed, by lockstep.

    The pixel is the first of a few that has a fragment.
    """
    for place in PLACES:
        chance = random.Random(seed)
        stages = stages_of(chance.randrange(KINDS))
        found = PixelHistory(*place)
        _drawn({name: unshade.loads(data) for name, data in stages}, chance, "lockstep", found)
        if found.fragments:
            break
    return found


def _drawn(
    shaders: dict[str, Any],
    chance: random.Random,
    engine: str,
    history: PixelHistory | None = None,
) -> dict[str, bytes]:
    """Draw a scene with the state of a chance; return the bytes of all that it leaves."""
    kernels = {name: unshade.kernel(each, engine=engine) for name, each in shaders.items()}
    for each in kernels.values():
        each.budget = BUDGET
    samples = chance.choice((1, 1, 2, 4, 8))
    layers = chance.choice((None, None, 2))
    size = chance.choice(((4, 4), (7, 3), (16, 9)))
    count = chance.randrange(3, 40)
    counts = PipelineStatistics()
    shape = (
        *((layers,) if layers else ()), size[1], size[0], *((samples,) if samples > 1 else ())
    )  # fmt: skip
    kind = chance.choice(list(DEPTHS))
    depth = np.full(shape, DEPTHS[kind], kind) if chance.randrange(4) else None
    stencil = None
    if chance.randrange(3) == 0:
        stencil = np.full(shape, chance.randrange(256), np.uint8)
    before = [kernels[name] for name in ("vertex", "geometry") if name in kernels]
    picture = draw(
        before, kernels["pixel"], _vertices(kernels["vertex"], count, chance),
        _indices(count, chance), size, topology=_topology("geometry" in kernels, chance),
        primitive_restart=chance.choice((True, True, True, None)),
        instances=chance.choice((1, 1, 1, 3)),
        layers=layers, depth=depth, stencil_target=stencil, samples=samples,
        sample_mask=chance.choice((0xFFFF_FFFF,) * 5 + (5,)),
        depth_stencil=_tests(chance, stencil is not None), blend=_blend(chance),
        formats=[chance.choice(FORMATS)] if chance.randrange(3) else None,
        viewports=_viewports(size, chance), scissors=_scissors(size, chance),
        rasterizer=_rasterizer(samples, chance), statistics=counts, history=history,
    )  # fmt: skip
    arrays = {f"target {names[-1]}": each for names, each in picture.targets.named()}
    arrays |= {"depth": picture.depth, "covered": picture.covered, "triangle": picture.triangle}
    if picture.stencil is not None:
        arrays["stencil"] = picture.stencil
    found = {name: np.ascontiguousarray(each).tobytes() for name, each in arrays.items()}
    return {**found, "statistics": repr(counts).encode()}


def _vertices(vertex: Any, count: int, chance: random.Random) -> dict[str, Any]:
    """Inputs of a vertex shader: places mostly in the view, numbers, and some odd ones."""
    source = np.random.default_rng(chance.getrandbits(32))
    found = {}
    for at, row in enumerate(vertex.inputs):
        if row.meaning:
            continue
        numbers = source.random((count, 4)) * 2.5 - 1.25 if at == 0 else source.random((count, 4))
        if at == 0:
            numbers[:, 2] = source.random(count) * 1.2 - 0.1
            numbers[:, 3] = 1.0 if chance.randrange(2) else source.random(count) + 0.25
        for _ in range(chance.choice((0, 0, 1, 3))):
            numbers[chance.randrange(count), chance.randrange(4)] = chance.choice(ODD)
        with np.errstate(all="ignore"):
            found[row.label] = numbers[:, : len(row.ports)].astype("<f4").astype(row.dtype)
    return found


def _topology(triangles: bool, chance: random.Random) -> str:
    """A topology; mostly one of triangles where the stage after it takes these."""
    known = TOPOLOGIES[:3] if triangles and chance.randrange(20) else TOPOLOGIES
    return chance.choice(known)


def _indices(count: int, chance: random.Random) -> Any:
    """An index buffer, sometimes with cuts, or none."""
    if chance.randrange(3):
        return None
    kind = chance.choice((np.uint8, np.uint16, np.uint32))
    found = [chance.randrange(count) for _ in range(chance.randrange(3, 50))]
    made = np.array(found, kind)
    for at in range(len(made)):
        if chance.randrange(8) == 0:
            made[at] = np.iinfo(kind).max
    return made


def _word(kind: type[StrEnum], chance: random.Random) -> str:
    return "unknown" if chance.randrange(2000) == 0 else chance.choice(list(kind)).value


def _tests(chance: random.Random, stencil: bool) -> dict[str, Any]:
    """The tests of depth and stencil."""
    compare = "less" if chance.randrange(3) else _word(Comparison, chance)
    found: dict[str, Any] = {
        "depth_enable": bool(chance.randrange(4)), "depth_func": compare,
        "depth_write_mask": bool(chance.randrange(4)),
    }  # fmt: skip
    if chance.randrange(6) == 0:
        found |= {"min_depth_bounds": chance.random(), "max_depth_bounds": chance.random() + 0.5}
    if stencil:
        for face in ("front_face", "back_face"):
            found[face] = {
                name: _word(StencilOp, chance) for name in ("fail_op", "depth_fail_op", "pass_op")
            } | {
                "func": chance.choice(("always", _word(Comparison, chance))),
                "ref": chance.randrange(256),
            }
    return found


def _blend(chance: random.Random) -> Any:
    """The blending of all targets."""
    if chance.randrange(3) == 0:
        return None
    one: dict[str, Any] = {"write_mask": chance.choice((15, 15, 7, 9))}
    if chance.randrange(3):
        names = ("src_blend", "dest_blend", "src_blend_alpha", "dest_blend_alpha")
        one |= {name: _word(Factor, chance) for name in names}
        one["blend_op"] = _word(BlendOp, chance)
        plain = one["blend_op"] in list(BlendOp)[:5]
        one["blend_op_alpha"] = chance.choice(list(BlendOp)[:5]) if plain else "add"
    found: dict[str, Any] = {"targets": [one], "alpha_to_coverage_enable": not chance.randrange(8)}
    if chance.randrange(6) == 0:
        found["logic_op"] = _word(LogicOp, chance)
    return found


def _rasterizer(samples: int, chance: random.Random) -> dict[str, Any]:
    """The state of the rasteriser."""
    found: dict[str, Any] = {
        "fill_mode": _word(Fill, chance) if chance.randrange(3) == 0 else "solid",
        "cull_mode": _word(Cull, chance) if chance.randrange(4) == 0 else "none",
        "front_counter_clockwise": bool(chance.randrange(2)),
        "depth_clip_enable": chance.choice((None, True, False)),
        "provoking_vertex": _word(ProvokingVertex, chance),
    }  # fmt: skip
    if chance.randrange(4) == 0:
        found |= {"depth_bias": chance.randrange(-900, 900), "slope_scaled_depth_bias": 1.5,
                  "depth_bias_clamp": chance.choice((0.0, 0.01, -0.01))}  # fmt: skip
    if chance.randrange(4) == 0:
        mode = "rectangular" if samples > 1 else _word(LineMode, chance)
        found |= {"line_mode": mode, "line_width": chance.choice((1, 2.5, 6))}
    if chance.randrange(6) == 0:
        found["conservative_raster"] = _word(ConservativeMode, chance)
    return found


def _viewports(size: tuple[int, int], chance: random.Random) -> Any:
    if chance.randrange(2):
        return None
    width, height = size
    return [
        [chance.randrange(-2, width), chance.randrange(-2, height), chance.randrange(1, width + 5),
         chance.choice((-1, 1)) * chance.randrange(1, height + 5), *sorted((chance.random(),
         chance.random()))]
        for _ in range(chance.randrange(1, 4))
    ]  # fmt: skip


def _scissors(size: tuple[int, int], chance: random.Random) -> Any:
    if chance.randrange(3):
        return None
    width, height = size
    return [[0, chance.randrange(height), width - chance.randrange(3), height], [0, 0, 99, 99]]
