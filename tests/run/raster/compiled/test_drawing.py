"""Draws in machine code have the bits of those with arrays, and are left to these where not."""

from __future__ import annotations

import itertools
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import unshade
from tests.run.raster.compiled.draws import (
    COUNT,
    DEPTH,
    DEPTHS,
    DISCARD,
    FLAT,
    NEVER,
    ODD,
    PIXEL,
    SHALLOW,
    SIZE,
    VERTEX,
    compared,
    drawn,
    kernels,
    of_text,
    stencil_state,
    triangles,
    uncut,
)
from unshade.errors import BudgetError
from unshade.run import engines
from unshade.run.binding import texels
from unshade.run.execution import Execution
from unshade.run.raster import pixel_coverage
from unshade.run.raster.compiled import drawing, setup, shading, srgb
from unshade.run.raster.compiled.setup import whole_triangles
from unshade.run.raster.state import state_of
from unshade.run.raster.states.rasterizer import RasterizerState
from unshade.run.raster.target_formats import named_format
from unshade.run.runner import Runner
from unshade.vm.jit.repeated import RepeatedCall
from unshade.vm.launch import Array

pytest.importorskip("llvmlite")
pytestmark = pytest.mark.heavy

FALLS_BACK: dict[str, dict[str, Any]] = {
    "samples": {"samples": 4},
    "a mask of samples": {"sample_mask": 2, "is_empty": True},
    "smooth lines": {"topology": "line_list", "rasterizer": {"line_mode": "rectangular_smooth"}},
    "stippled lines": {
        "topology": "line_list",
        "rasterizer": {"line_stipple_enable": True, "line_stipple_pattern": 0x0F0F},
    },
    "conservative": {"rasterizer": {"conservative_raster": "on"}},
    "doubles of depth": {"depth": np.ones(SIZE[::-1], "f8")},
    "signed": {"formats": ["R8G8B8A8_SNORM"] * 2, "blend": "alpha"},
    "eleven bits": {"formats": ["R11G11B10_FLOAT"]},
    "a shared exponent": {"formats": ["R9G9B9E5_SHAREDEXP"]},
    "24 bits": {"formats": ["R8G8B8_UNORM"]},
    "three floats": {"formats": ["R32G32B32_FLOAT"] * 2, "blend": "alpha"},
    "a minimum of floats": {"blend": {"targets": [{"blend_op": "min"}]}},
    "a logic operation": {"blend": {"logic_op": "xor"}, "formats": ["R8G8B8A8_UNORM"] * 2},
    "alpha to coverage": {"blend": {"alpha_to_coverage_enable": True}},
    "three bytes": {"targets": [np.zeros((*SIZE[::-1], 3), "u1")]},
    "an array turned around": {"targets": [np.zeros((*SIZE[::-1], 4), "u1")[::-1]]},
    "a viewport from -0": {"viewports": [[0, 0, *SIZE, -0.0, 1]]},
}  # fmt: skip


@pytest.fixture(autouse=True)
def _small_draws_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "LEAST", 0)
    monkeypatch.setattr(setup, "LEAST", 0)


def compare(
    *,
    is_covered: bool | None = True,
    is_empty: bool | None = False,
    **arguments: Any,
) -> dict[str, Array]:
    """Draw in machine code and with arrays; return what both drew."""
    arguments.setdefault("vertices", triangles(1))
    found, used = compared(**arguments)
    assert is_covered is None or used == is_covered
    assert is_empty is None or is_empty != (found["triangle"] >= 0).any()
    return found


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("how", ["linear", "linear noperspective", "linear centroid"])
def test_seeds(seed: int, how: str) -> None:
    compare(vertices=triangles(seed), shaders=kernels("jit", how))


@pytest.mark.parametrize("before", ["", DISCARD])
@pytest.mark.parametrize("function", [
    None, "never", "less", "equal", "less_equal", "greater", "not_equal", "greater_equal", "always",
])  # fmt: skip
@pytest.mark.parametrize("writes", [False, True])
def test_depth_functions(function: str | None, writes: bool, before: str) -> None:
    """Each format of depth, with bits beside it, and where all fragments take turns."""
    chance = np.random.default_rng(5)
    shaders = kernels("jit", "linear", before)
    for kind, most in DEPTHS:
        held = chance.choice([0.0, 0.5, 0.75, 1.0], SIZE[::-1]) * most
        depth = held.astype(kind)
        if kind == "u4":
            depth |= np.uint32(0xA500_0000)
        for counted in (False, True):
            given: dict[str, Any] = {
                "depth": depth, "counted": counted, "shaders": shaders, "depth_write": writes,
                "depth_function": function,
            }  # fmt: skip
            compare(is_empty=function == "never", **given)


@pytest.mark.parametrize("seed", range(24))
def test_stencils_and_depth_bounds(seed: int) -> None:
    chance = np.random.default_rng(seed)
    before = DISCARD if chance.random() < 0.4 else ""
    kind, most = DEPTHS[seed % 3]
    depth = (chance.choice([0.0, 0.25, 0.5, 0.75, 1.0], SIZE[::-1]) * most).astype(kind)
    given: dict[str, Any] = {"depth": depth}
    if kind == "u4":
        depth |= chance.integers(0, 6, SIZE[::-1], "u4") << np.uint32(24)
    if kind != "u4" or chance.random() < 0.5:
        given["stencil_target"] = chance.integers(0, 6, SIZE[::-1], "u1")
    compare(
        vertices=triangles(seed, 120), shaders=kernels("jit", "linear", before),
        depth_stencil=stencil_state(chance), counted=True, is_empty=None,
        blend="alpha" if chance.random() < 0.3 else None, **given,
    )  # fmt: skip


@pytest.mark.parametrize("writes", [False, True])
def test_depth_bounds_alone(writes: bool) -> None:
    chance = np.random.default_rng(3)
    for kind, most in DEPTHS:
        depth = (chance.uniform(0, 1, SIZE[::-1]) * most).astype(kind)
        compare(
            depth=depth, depth_write=writes,
            depth_stencil={"min_depth_bounds": 0.2, "max_depth_bounds": 0.7},
        )  # fmt: skip


@pytest.mark.parametrize("text", [SHALLOW, ODD, f"{DISCARD}\n{SHALLOW}"])
@pytest.mark.parametrize("blend", [None, "alpha"])
@pytest.mark.parametrize("function", ["less", "greater_equal", "equal", None])
def test_depths_that_the_shader_outputs(text: str, blend: str | None, function: str | None) -> None:
    """Some are beyond the range of the viewport, some NaN."""
    shaders = kernels("jit")[0], of_text(DEPTH.format(text))
    chance = np.random.default_rng(5)
    for kind, most in DEPTHS:
        depth = (chance.choice([0.0, 0.25, 1.0], SIZE[::-1]) * most).astype(kind)
        compare(
            shaders=shaders, depth=depth, depth_function=function, blend=blend,
            viewports=[[0, 0, *SIZE, 0.125, 0.75]], size=SIZE, counted=True, is_empty=None,
        )  # fmt: skip


@pytest.mark.parametrize("blend", [
    "alpha", "premultiplied", "additive", "multiply",
    {"src_blend": "src_alpha_sat", "dest_blend": "inv_dest_color", "blend_op": "subtract"},
    {"src_blend": "inv_blend_factor", "dest_blend": "alpha_factor", "blend_op": "rev_subtract"},
    {"src_blend": "inv_dest_alpha", "dest_blend": "inv_src_color", "write_mask": "rba"},
    {"write_mask": "g"},
])  # fmt: skip
@pytest.mark.parametrize("form", [
    "R8G8B8A8_UNORM", "B8G8R8A8_UNORM", "R8G8_UNORM", "R8_UNORM", "R16G16B16A16_UNORM",
    "R16_UNORM", "A8_UNORM", "B5G6R5_UNORM", "R10G10B10A2_UNORM", "R8G8B8A8_UNORM_SRGB",
    "B8G8R8A8_SRGB", "R16G16B16A16_FLOAT", "R16G16_FLOAT", "R16_FLOAT", "R32G32B32A32_FLOAT",
    "R32G32_FLOAT", "R32_FLOAT",
])  # fmt: skip
def test_blending(blend: str | dict[str, Any], form: str) -> None:
    before = DISCARD if isinstance(blend, str) else ""
    state = {"targets": [blend], "blend_factor": [0.25, 2.0, -1.0, 0.625]}
    least = isinstance(blend, dict) and blend.get("src_blend") == "src_alpha_sat"
    compare(
        blend=state, formats=[form, form], shaders=kernels("jit", "linear", before),
        is_covered=not (least and form.endswith("FLOAT")),
    )  # fmt: skip


def test_constants_of_either_sign() -> None:
    """0 and -0 are equal numbers, but not the same code."""
    for constant in (0.0, -0.0):
        state = {
            "targets": [{"src_blend": "blend_factor", "dest_blend": "zero", "blend_op": "subtract"}]
        }
        compare(blend={**state, "blend_factor": [constant] * 4}, formats=["R32G32B32A32_FLOAT"] * 2)


@pytest.mark.parametrize("op", ["min", "max"])
def test_least_and_greatest_colours(op: str) -> None:
    state = {"targets": [{"blend_op": op, "blend_op_alpha": "rev_subtract"}]}
    compare(blend=state, formats=["R8G8B8A8_UNORM", "R8G8B8A8_SRGB"])


def test_flat_inputs_and_others_of_the_same_place() -> None:
    """The code of one must not be taken for that of the other: it was, from the second draw on."""
    for text in (FLAT, FLAT.replace("constant", "linear"), FLAT):
        compare(shaders=(kernels("jit")[0], of_text(text)))


@pytest.mark.parametrize("form", [
    "R8G8B8A8_SRGB", "R16G16B16A16_FLOAT", "R16_FLOAT", "R32G32B32A32_FLOAT", "B5G6R5_UNORM",
])  # fmt: skip
@pytest.mark.parametrize("blend", [None, "alpha", {"write_mask": "gb"}])
def test_any_bits(form: str, blend: str | dict[str, str] | None) -> None:
    """Any float, over any texel; of infinities and NaNs, too."""
    shaders = kernels("jit")[0], of_text(FLAT)
    for seed in range(3):
        chance = np.random.default_rng(seed)
        given = uncut(seed, 200)
        bits = chance.integers(0, 1 << 32, given["v2"].shape, "u4")
        some = chance.random(bits.shape) < 0.7
        near = chance.uniform(-0.1, 1.1, bits.shape) * 2.0 ** chance.integers(-26, 3, bits.shape)
        given["v2"] = np.where(some, near.astype("f4"), bits.view("f4"))
        target = named_format(form).new((1, *SIZE[::-1], 1))[0, :, :, 0].copy()
        target[:] = (
            chance.integers(0, 256, target.nbytes, "u1").view(target.dtype).reshape(target.shape)
        )
        compare(
            vertices=given, shaders=shaders, targets=[target], formats=[form],
            blend={"targets": [blend]} if isinstance(blend, dict) else blend, depth_function=None,
        )  # fmt: skip


def test_halves_without_a_name() -> None:
    targets = [np.zeros((*SIZE[::-1], 4), "f2"), np.zeros((*SIZE[::-1], 2), "f2")]
    compare(targets=targets)
    compare(targets=targets, blend="additive")


def test_srgb_that_falls_is_left_to_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Powers of another library may fall where a colour rises."""
    rising = texels.srgb_of
    monkeypatch.setattr(
        texels, "srgb_of", lambda colour: rising(colour) - (colour.view("<u4") % 3) * 1e-5
    )
    srgb.tables.cache_clear()
    compare(is_covered=False, formats=["R8G8B8A8_SRGB"])
    srgb.tables.cache_clear()


@pytest.mark.parametrize("kind", ["f4", "u1", "u2", "i4", "u4"])
@pytest.mark.parametrize("components", [1, 2, 4])
def test_arrays_of_targets(kind: str, components: int) -> None:
    chance = np.random.default_rng(2)
    shape = (*SIZE[::-1], components)
    targets = [chance.integers(0, 99, shape).astype(kind) for _ in range(2)]
    compare(targets=targets)
    if kind in ("u1", "u2"):
        compare(targets=targets, blend="alpha")


@pytest.mark.parametrize("form", ["R32G32B32A32_FLOAT", "R32G32_FLOAT", "R32_FLOAT"])
def test_floats_by_name_and_channels_of_them(form: str) -> None:
    compare(formats=[form, form])
    compare(formats=[form, form], blend={"targets": [{"write_mask": "ra"}]})


def test_viewports_scissors_faces_and_depths() -> None:
    compare(viewports=[[3, 2, 21, 20, 0.25, 0.75]], cull="back")
    compare(viewports=[[-4.5, 31.25, 60, -40.5, 1, 0]], scissors=[[5, 3, 30, 22]])
    compare(depth_clip=False, front="counterclockwise", cull="front")
    compare(rasterizer={"depth_bias": 40, "slope_scaled_depth_bias": 0.5})
    compare(size=(1, 1), vertices=triangles(3, 200))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("topology", ["line_list", "line_strip", "point_list"])
@pytest.mark.parametrize("rasterizer", [
    {}, {"line_mode": "rectangular", "line_width": 3.5}, {"line_mode": "aliased", "line_width": 3},
])  # fmt: skip
def test_lines_and_points(seed: int, topology: str, rasterizer: dict[str, Any]) -> None:
    given: dict[str, Any] = {"topology": topology, "rasterizer": rasterizer}
    compare(vertices=triangles(seed, 60), counted=True, **given)
    compare(
        vertices=triangles(seed, 60), blend="additive", scissors=[[5, 3, 30, 22]],
        viewports=[[-4.5, 31.25, 60, -40.5, 1, 0]], formats=["R8G8B8A8_SRGB"] * 2, **given,
    )  # fmt: skip


@pytest.mark.parametrize("fill", ["wireframe", "point"])
def test_edges_and_corners_of_triangles(fill: str) -> None:
    for seed in range(3):
        rasterizer = {"fill_mode": fill, "depth_bias": 40 * seed}
        compare(vertices=triangles(seed), rasterizer=rasterizer)


@pytest.mark.parametrize("seed", range(3))
def test_points_with_sizes(seed: int) -> None:
    """Squares of several pixels, whose triangles share the quads along the diagonal."""
    given = triangles(seed, 40)
    sizes = np.random.default_rng(seed).uniform(0, 12, (120, 1)).astype("f4")
    vertices = {"position": given["v0"], "v1": given["v1"], "v2": given["v2"], "pointsize": sizes}
    compare(
        vertices=vertices, shaders=(None, kernels("jit")[1]), topology="point_list",
        blend="alpha" if seed else None, counted=True,
    )  # fmt: skip


def test_depth_only() -> None:
    shaders = kernels("jit")[0], None
    compare(shaders=shaders)
    compare(shaders=shaders, depth_function="greater", depth=np.zeros(SIZE[::-1]
            , "u2"), counted=True)  # fmt: skip


def test_layers_of_a_geometry_shader() -> None:
    text = """
        gs_5_0
        dcl_input_siv v[3][0].xyzw, position
        dcl_input v[3][1].xyzw
        dcl_input v[3][2].xyzw
        dcl_inputprimitive triangle
        dcl_stream m0
        dcl_outputtopology trianglestrip
        dcl_output_siv o0.xyzw, position
        dcl_output o1.xyzw
        dcl_output o2.xyzw
        dcl_output_siv o3.x, rendertarget_array_index
        dcl_maxout 3
        dcl_temps 1
        lt r0.x, l(0.5), v[0][1].x
        and r0.x, r0.x, l(1)
    """ + "".join(
        f"""
        mov o0.xyzw, v[{at}][0].xyzw
        mov o1.xyzw, v[{at}][1].xyzw
        mov o2.xyzw, v[{at}][2].xyzw
        mov o3.x, r0.x
        emit_stream m0
    """
        for at in range(3)
    )
    geometry = unshade.kernel(unshade.assemble(text + "ret\n"), engine="jit")
    vertex, pixel = kernels("jit")
    found = compare(shaders=([vertex, geometry], pixel), layers=2)
    assert (found["triangle"] >= 0).any(axis=(1, 2)).all()


def test_several_chunks_and_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Triangles that fill 400 x 300 pixels, many times more quads than a chunk has."""
    monkeypatch.setattr(pixel_coverage, "CHUNK", 1 << 16)
    found = compare(size=(401, 303), vertices=triangles(8, 60), formats=None)
    assert len(found["progress"]) > 3


STATES: dict[str, dict[str, Any]] = {
    "plain": {},
    "a viewport": {"viewports": [[3, 2, 21.5, 20, 0.25, 0.75]], "cull": "back"},
    "turned over": {"viewports": [[-4.5, 31.25, 60, -40.5, 1, 0]], "scissors": [[5, 3, 30, 22]]},
    "unclipped": {"depth_clip": False, "front": "counterclockwise", "cull": "front"},
    "biased": {"rasterizer": {"depth_bias": 40, "slope_scaled_depth_bias": 0.5}},
    "all culled": {"cull": "front_and_back", "is_empty": True, "is_covered": None},
}  # fmt: skip


@pytest.mark.parametrize("name", STATES)
@pytest.mark.parametrize("how", ["linear", "linear noperspective"])
@pytest.mark.parametrize("last", [False, True])
def test_setup(monkeypatch: pytest.MonkeyPatch, name: str, how: str, last: bool) -> None:
    """Triangles none of which is cut, whose corners vertices of any order are."""
    made: list[bool] = []

    def watched(*given: Any) -> Any:
        found = whole_triangles(*given)
        if setup.LEAST != NEVER:
            made.append(found is not None)
        return found

    monkeypatch.setattr(sys.modules["unshade.run.raster.draw"], "whole_triangles", watched)
    arguments = {**STATES[name], "shaders": kernels("jit", how)}
    rasterizer = {**arguments.pop("rasterizer", {})}
    if last:
        rasterizer["provoking_vertex"] = "last"
    for seed in range(4):
        compare(
            vertices=uncut(seed), rasterizer=rasterizer, counted=seed % 2 == 1,
            primitives=np.random.default_rng(seed).integers(0, 3 * COUNT, (COUNT, 3)), **arguments,
        )  # fmt: skip
    assert made == [True] * 4


def test_triangles_that_are_cut_are_set_up_by_arrays() -> None:
    found = []
    for kind in ("whole", "before the eye", "beyond the guard band", "not finite", "too deep"):
        given = uncut(5)
        clip = given["v0"]
        clip[:3] = [[-0.5, -0.5, 0, 1], [0, 0.5, 0, 1], [0.5, -0.5, 0, 1]]
        match kind:
            case "before the eye":
                clip[1, 3] = -1.0
            case "beyond the guard band":
                clip[1, 1] = 1e7
            case "not finite":
                clip[1, 0] = np.nan  # is left out, so that nothing is cut
            case "too deep":
                clip[1, 2] = 1.5
        compare(vertices=given)
        state = state_of(SIZE, 1, layers=None, viewports=None, scissors=None, sample_mask=1,
                         rasterizer=RasterizerState().resolved(1, vulkan=False))  # fmt: skip
        corners = np.arange(3 * COUNT).reshape(-1, 3)
        whole = whole_triangles(clip, corners, state, 100.0)
        assert whole is not None
        found.append(whole.cut.tolist())
    assert found == [[], [0], [0], [], [0]]
    clip[:, 2] = 2 * clip[:, 3]
    clip[::3, 2] = 0
    assert whole_triangles(clip, corners, state, 100.0) is None  # most are cut


@pytest.mark.parametrize("seed", range(6))
def test_whole_triangles_beside_cut_ones(seed: int) -> None:
    """Each kind of triangle in the order of their numbers, with bias, faces and flat inputs."""
    given = uncut(seed, 200)
    chance = np.random.default_rng(seed)
    clip = given["v0"]
    clip[chance.random(len(clip)) < 0.08, 3] *= -1
    clip[chance.random(len(clip)) < 0.05, 2] += 2
    compare(
        vertices=given, cull=["none", "back", "front"][seed % 3], counted=True,
        rasterizer={"depth_bias": 3 * seed}, shaders=kernels("jit", "linear noperspective"),
        primitives=chance.integers(0, 600, (200, 3)),
    )  # fmt: skip


@pytest.mark.parametrize("threads", [1, 2])
def test_threads(threads: int) -> None:
    from unshade.vm.jit import Jit

    shaders = tuple(unshade.kernel(unshade.assemble(each))
                    for each in (VERTEX, PIXEL.format(how="linear", before="")))  # fmt: skip
    for each in shaders:
        each.execution.engine = engines.Auto(Jit(threads=threads))
    found = compare(size=(200, 170), shaders=shaders)
    assert found["depth"].tobytes() == compare(size=(200, 170))["depth"].tobytes()


def settled(threads: int, before: str = "") -> tuple[Runner, Runner]:
    """Return kernels whose optimised code is used from the second call on."""
    from unshade.vm.jit import Jit

    texts = VERTEX, PIXEL.format(how="linear", before=before)
    one, two = (unshade.kernel(unshade.assemble(each)) for each in texts)
    for each in (one, two):
        each.execution.engine = engines.Auto(Jit(threads=threads, quick=False, tune=False))
    return one, two


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("blend", [None, "alpha"])
@pytest.mark.parametrize("before", ["", DISCARD])
def test_some_quads_at_a_time(
    monkeypatch: pytest.MonkeyPatch, threads: int, blend: str | None, before: str
) -> None:
    """Code that does not change any more shades as many quads as caches hold, in each thread."""
    calls: list[int] = []
    run = RepeatedCall.run

    def counted(*given: Any) -> Any:
        calls.append(given[2])
        return run(*given)

    monkeypatch.setattr(RepeatedCall, "run", counted)
    monkeypatch.setattr(shading, "NEAR", 1 << 17)
    arguments: dict[str, Any] = {
        "size": (200, 170), "shaders": settled(threads, before), "counted": True,
        "formats": ["R8G8B8A8_UNORM"] * 2, "blend": blend,
    }  # fmt: skip
    monkeypatch.setattr(sys.modules["unshade.run.raster.draw"], "BATCH", 1 << 10)
    for seed in (1, 2):
        calls.clear()
        compare(vertices=triangles(seed), **arguments)
    assert len(calls) > 5
    assert max(calls) <= 4 << 10


def test_each_thread_has_a_shader(monkeypatch: pytest.MonkeyPatch) -> None:
    """Quads are written in turn, so that the first ones must never wait for a shader."""
    pools: list[int] = []
    ready, given = Execution.ready, itertools.count()

    def some(*arguments: Any) -> Any:
        return None if next(given) % 3 == 2 else ready(*arguments)

    def pool(workers: int, **options: Any) -> ThreadPoolExecutor:
        pools.append(workers)
        return ThreadPoolExecutor(workers, **options)

    monkeypatch.setattr(Execution, "ready", some)
    monkeypatch.setattr(shading, "ThreadPoolExecutor", pool)
    monkeypatch.setattr(shading, "NEAR", 1 << 15)
    shaders = settled(3)
    for seed in (1, 2):
        compare(size=(200, 170), vertices=triangles(seed), shaders=shaders)
    assert pools == [2]


def test_notes_begin_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "MOST_NOTES", 1 << 14)
    monkeypatch.setattr(pixel_coverage, "CHUNK", 1 << 16)
    compare(size=(401, 303), vertices=triangles(8, 60))


def test_a_loop_that_exceeds_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = """
        mov r0.x, l(0)
        loop
        ige r0.y, r0.x, l(9)
        breakc_nz r0.y
        iadd r0.x, r0.x, l(1)
        endloop
    """
    _, pixel = shaders = settled(1, loop)
    messages = []
    for covered in (True, True, False):
        pixel.execution.budget = 100
        compare(shaders=shaders)
        pixel.execution.budget = 5
        with monkeypatch.context() as patch:
            if not covered:
                patch.setattr(drawing.CompiledDraw, "of", lambda *_: None)
            with pytest.raises(BudgetError) as error:
                drawn(vertices=triangles(1), shaders=shaders)
        messages.append(str(error.value))
    assert len(set(messages)) == 1


@pytest.mark.parametrize("name", FALLS_BACK)
def test_the_rest_is_drawn_with_arrays(name: str) -> None:
    compare(is_covered=False, **FALLS_BACK[name])


def test_numbers_that_are_not_finite_are_left_to_arrays() -> None:
    for odd in (np.nan, np.inf):
        given = triangles(1)
        given["v1"][7, 2] = odd
        compare(is_covered=False, vertices=given)
        given = triangles(1)
        given["v2"][7, 2] = odd  # a constant input, whose bits are taken
        compare(vertices=given)


@pytest.mark.parametrize(
    ("numbers", "finite"),
    [
        ([], True),
        ([1.0, -2.0], True),
        ([1.7e308, 1.7e308], True),  # only their sum is infinite
        ([np.inf, 1.0], False),
        ([np.inf, -np.inf], False),
        ([1.0, np.nan], False),
    ],
)
def test_finite_numbers(numbers: list[float], finite: bool) -> None:
    assert drawing._is_finite(np.array(numbers)) == finite  # and no warning is given


def test_far_corners_are_left_to_arrays() -> None:
    """A viewport of 2^20 pixels, in whose middle the target is."""
    given = {name: array[:3] for name, array in triangles(1).items()}
    given["v0"] = np.array([[-0.9, -0.9, 0, 1], [0, 0.9, 0, 1], [0.9, -0.9, 0, 1]], "f4")
    far = 1 << 20
    compare(is_covered=False, vertices=given, viewports=[[-far, -far, 2 * far, 2 * far]])


def test_small_draws_are_left_to_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "LEAST", 1 << 12)
    compare(is_covered=False)
    compare(size=(300, 300))


def test_lockstep_draws_with_arrays() -> None:
    compare(is_covered=False, shaders=kernels("lockstep"))
