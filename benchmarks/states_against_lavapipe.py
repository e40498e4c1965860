"""Pixels of scenes with any state against lavapipe: the output merger, and what is rasterised.

    python benchmarks/states_against_lavapipe.py [--scenes N] [--first SEED] [--peer COMMAND]

A scene (seeded_states.py) has a topology, indices, blending, masks, logic operations, tests of
depth, stencil and depth bounds, bias, formats, samples, viewports, scissors, clip and cull
distances from its seed. Compared are all samples of all targets, the depth and the stencil, in
steps of their formats. A scene that differs is counted under the rule that explains it, or as
wrong; the exit code says whether one is wrong:

    rounded   blending rounds otherwise, once for each primitive over another: at most NEAR steps,
              of sRGB, which lavapipe decodes with an error, SRGB
    lines     samples at the border of lines: lavapipe's rectangles are up to a fiftieth of a pixel
              narrower and shorter, and more where a line is cut
    cut       depths and samples of primitives that a clip distance or the depth cuts, whose new
              corners are rounded to steps of the rasteriser; lavapipe cuts where we test samples
    sloped    depths along lines, and of biased slopes, differ by the rounding of their corners

A scene that none of them explains is drawn again with one thing changed: with targets of 32-bit
floats, whose rounding does not show, with one depth instead of slopes, or with clip distances of 0
moved inside. If both sides then have the same samples, what was left out is the reason: `rounded`,
`sloped` or `touching`: of a polygon that only touches the plane of a clip distance, lavapipe makes
pieces without area, and culls these with their corners. If colours alone differ where a distance
makes corners of polygons that are drawn as points, the reason is their `order`, which is open.

Seeds leave out what lavapipe has wrong: see seeded_states.py.
"""

import argparse
from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import seeded_scenes
import seeded_states as seeded
from device_process import DeviceProcess
from seeded_states import SIZE, StateDraw
from state_scenes import StateScene
from vulkan import exit_with

import unshade
from unshade.run.binding.texels import srgb_of
from unshade.run.raster import draw
from unshade.run.raster.target_formats import named_format

Array = npt.NDArray[Any]
VERTEX, FRAGMENT = 1, 0x10
RESTART = 60  # scenes of one process
RECTANGULAR = 1  # the mode of lines
POINTS = 2  # the mode of polygons
EXACT = 0.01  # steps of a format: what reading several samples as floats rounds
NEAR = 4.0  # what blending rounds, one draw over the other
SRGB = 8.0
FEW = 16  # one of so many samples may differ
SLOPED = {"d32": 2.0**14, "d32s8": 2.0**14, "d24s8": 2.0**14, "d16": 64.0}  # steps of depths
COMPARE = (
    "never", "less", "equal", "less_or_equal", "greater", "not_equal", "greater_or_equal", "always",
)  # fmt: skip
FACTORS = (
    "zero", "one", "src_color", "one_minus_src_color", "dst_color", "one_minus_dst_color",
    "src_alpha", "one_minus_src_alpha", "dst_alpha", "one_minus_dst_alpha", "constant_color",
    "one_minus_constant_color", "constant_alpha", "one_minus_constant_alpha",
    "src_alpha_saturate", "src1_color", "one_minus_src1_color", "src1_alpha",
    "one_minus_src1_alpha",
)  # fmt: skip
OPS = "add", "subtract", "reverse_subtract", "min", "max"
LOGIC = (
    "clear", "and", "and_reverse", "copy", "and_inverted", "no_op", "xor", "or", "nor",
    "equivalent", "invert", "or_reverse", "copy_inverted", "or_inverted", "nand", "set",
)  # fmt: skip
STENCIL = (
    "keep", "zero", "replace", "increment_and_clamp", "decrement_and_clamp", "invert",
    "increment_and_wrap", "decrement_and_wrap",
)  # fmt: skip
ATTRIBUTES = {
    "place": "rgba32f", "value": "rgba32f", "size": "r32f", "which": "r32i", "distance": "rgba32f",
}  # fmt: skip
FLOATS = next(each for each in seeded.FORMATS if each[0] == "R32G32B32A32_SFLOAT")
DEPTHS = {"d32": "<f4", "d16": "<u2", "d24s8": "<u4", "d32s8": "<f4"}


@cache
def module(name: str, kinds: tuple[str, ...], uses: frozenset[str]) -> bytes:
    """A shader, assembled."""
    text = seeded.vertex(uses) if name == "vertex" else seeded.fragment(kinds, uses)
    return unshade.assemble(text, "spirv", target="vulkan1.1").to_bytes()


@cache
def kernel(name: str, kinds: tuple[str, ...], uses: frozenset[str], engine: str) -> Any:
    """A shader on an engine."""
    return unshade.kernel(unshade.loads(module(name, kinds, uses)), engine=engine)


@cache
def fetch() -> bytes:
    """The shader that reads several samples."""
    text = seeded_scenes.fetch()
    return unshade.assemble(text, "spirv", target="vulkan1.1").to_bytes()


def shaders(what: StateDraw) -> list[tuple[str, tuple[str, ...], frozenset[str]]]:
    """The names of the shaders of a scene."""
    kinds = tuple(each[3] for each in what.formats)
    return [
        ("vertex", (), frozenset(what.uses & {"viewports", "distances"})),
        ("fragment", kinds, frozenset(what.uses & {"dual", "discard"})),
    ]


def cleared(what: StateDraw) -> list[Array]:
    """The clear value of each target, as its numbers."""
    found = []
    for _, _, _, kind, _ in what.formats:
        whole = np.array(what.clear) * (40 if kind != "f" else 1)
        found.append(whole.astype(np.float32 if kind == "f" else np.int32))
    return found


def texels_of(what: StateDraw, form: Any, value: Array) -> Array:
    """A target of the scene, filled."""
    places = (SIZE, SIZE, *((what.samples,) if what.samples > 1 else ()))
    array: Array = form.new(places)
    texel = form.pixel.encode(value[np.newaxis])
    array[...] = texel.reshape(-1).view(array.dtype).reshape(array.shape[len(places) :])
    return array


def ours(what: StateDraw, engine: str) -> tuple[list[Array], Array | None, Array | None]:
    """Draw here."""
    names = [each[0] for each in what.formats]
    forms = [named_format(each) for each in names]
    targets = [
        texels_of(what, form, value) for form, value in zip(forms, cleared(what), strict=True)
    ]
    places = (SIZE, SIZE, *((what.samples,) if what.samples > 1 else ()))
    depth = stencil = None
    if what.depth:
        depth = np.full(places, {"d16": 0xFFFF, "d24s8": 0xFF_FFFF}.get(what.depth, 1.0),
                        DEPTHS[what.depth])  # fmt: skip
        if what.depth.endswith("s8"):
            stencil = np.full(places, 5, np.uint8)
    tests, raster = what.tests, what.raster
    faces = {
        face: {
            "failOp": STENCIL[tests[f"{letter}0"]], "passOp": STENCIL[tests[f"{letter}1"]],
            "depthFailOp": STENCIL[tests[f"{letter}2"]], "compareOp": COMPARE[tests[f"{letter}3"]],
            "compareMask": tests[f"{letter}4"], "writeMask": tests[f"{letter}5"],
            "reference": tests[f"{letter}6"],
        }
        for face, letter in (("front", "s"), ("back", "t")) if tests["stencil"]
    }  # fmt: skip
    given = {name: what.given[name] for name in _used(what)}
    draw(
        kernel(*shaders(what)[0], engine), kernel(*shaders(what)[1], engine), given, what.indices,
        (SIZE, SIZE), topology=seeded.TOPOLOGIES[what.topology], primitive_restart=what.restart,
        samples=what.samples, sample_mask=what.bits, targets=targets, formats=names, depth=depth,
        stencil_target=stencil,
        depth_stencil={
            "depthTestEnable": bool(tests["test"]),
            "depthWriteEnable": bool(tests["write"]), "depthCompareOp": COMPARE[tests["compare"]],
            "depthBoundsTestEnable": bool(tests["bounds"]),
            "minDepthBounds": tests.get("least", 0.0), "maxDepthBounds": tests.get("most", 1.0),
            "stencilTestEnable": bool(tests["stencil"]), **faces,
        },
        blend={
            "attachments": [_blend(each) for each in what.blends],
            "logicOpEnable": what.logic is not None, "logicOp": LOGIC[what.logic or 0],
            "blendConstants": what.constants,
        },
        viewports=[[x, y + high, wide, -high, near, far]
                   for x, y, wide, high, near, far in what.viewports],
        scissors=[[x, y, x + wide, y + high] for x, y, wide, high in what.scissors],
        rasterizer={
            "polygonMode": ("fill", "line", "point")[raster["polygonMode"]],
            "cullMode": ("none", "front", "back", "front_and_back")[raster["cullMode"]],
            "frontFace": ("counter_clockwise", "clockwise")[raster["frontFace"]],
            "depthClampEnable": bool(raster["depthClamp"]),
            "depthBiasEnable": bool(raster.get("depthBias", 0)),
            "depthBiasConstantFactor": raster.get("biasConstant", 0.0),
            "depthBiasClamp": raster.get("biasClamp", 0.0),
            "depthBiasSlopeFactor": raster.get("biasSlope", 0.0),
            "stippledLineEnable": what.stipple is not None,
            "lineStippleFactor": what.stipple[0] if what.stipple else 1,
            "lineStipplePattern": what.stipple[1] if what.stipple else 0,
        },
    )  # fmt: skip
    return targets, depth, stencil


def _used(what: StateDraw) -> list[str]:
    """The inputs of the vertex shader."""
    return ["place", "value", "size", *["which"] * ("viewports" in what.uses),
            *["distance"] * ("distances" in what.uses)]  # fmt: skip


def _blend(given: dict[str, int]) -> dict[str, Any]:
    """The blending of a target in Vulkan's words."""
    if not given["enable"]:
        return {"blendEnable": False, "colorWriteMask": given["mask"]}
    return {
        "blendEnable": True, "colorWriteMask": given["mask"],
        "srcColorBlendFactor": FACTORS[given["sourceColor"]],
        "dstColorBlendFactor": FACTORS[given["targetColor"]],
        "srcAlphaBlendFactor": FACTORS[given["sourceAlpha"]],
        "dstAlphaBlendFactor": FACTORS[given["targetAlpha"]],
        "colorBlendOp": OPS[given["colorOp"]], "alphaBlendOp": OPS[given["alphaOp"]],
    }  # fmt: skip


def theirs(peer: DeviceProcess, what: StateDraw) -> tuple[list[bytes], bytes, bytes]:
    """Draw on lavapipe."""
    clears: list[int] = []
    for value in cleared(what):
        clears += value.view(np.uint32).tolist()
    clears += [0x3F80_0000, 5, 0, 0]
    attributes = {
        at: (ATTRIBUTES[name], what.given[name].tobytes())
        for at, name in enumerate(ATTRIBUTES) if name in _used(what)
    }  # fmt: skip
    order = "cullMode", "frontFace", "polygonMode", "depthClamp"
    biases = {each: what.raster[each] for each in what.raster if each not in order}
    fields = {
        "assembly": {"topology": what.topology, "restart": int(what.restart)},
        "raster": {each: what.raster[each] for each in order} | biases,
        "multisample": {"bits": what.bits},
        "depth": what.tests,
        "blend": {"logic": int(what.logic is not None), "logicOp": what.logic or 0},
    }  # fmt: skip
    if what.stipple is not None:
        factor, pattern = what.stipple
        line = {"mode": RECTANGULAR, "stipple": 1, "factor": factor, "pattern": pattern}
        fields["line"] = line
    codes = [module(*each) for each in shaders(what)]
    view = ("x", "y", "width", "height", "near", "far")
    scene = StateScene(
        {VERTEX: codes[0], FRAGMENT: codes[1]}, attributes,
        len(what.given["place"]) if what.indices is None else len(what.indices), (SIZE, SIZE),
        what.samples, [(each[1], each[2]) for each in what.formats], what.depth, clears, fields,
        list(what.blends), [dict(zip(view, each, strict=True)) for each in what.viewports],
        [dict(zip(view[:4], each, strict=True)) for each in what.scissors],
        b"" if what.indices is None else what.indices.tobytes(),
        4 if what.indices is None else what.indices.itemsize, what.constants,
    )  # fmt: skip
    return peer.draw_state(scene, fetch())


def compare(what: StateDraw, engine: str, peer: DeviceProcess) -> dict[str, Array]:
    """The difference of each sample, by target, in steps of its format."""
    targets, depth, stencil = ours(what, engine)
    colours, their_depth, their_stencil = theirs(peer, what)
    found = {}
    count = SIZE * SIZE * what.samples
    for at, (mine, raw) in enumerate(zip(targets, colours, strict=True)):
        form = named_format(what.formats[at][0])
        stored = form if form.kind != "SRGB" else named_format("R8G8B8A8_UNORM")
        held = stored.decode(np.ascontiguousarray(mine).reshape(count, -1))
        if what.samples > 1:
            other = np.frombuffer(raw, np.float32).reshape(count, 4).copy()
            if form.kind == "SRGB":
                other[:, :3] = srgb_of(other[:, :3])
        else:
            other = stored.decode(np.frombuffer(raw, mine.dtype).reshape(count, -1))
        found[f"t{at} {form.pixel.name}"] = _apart(held, other, form)
    if depth is not None and their_depth:
        most = {"d16": 65535.0, "d24s8": 16777215.0}.get(what.depth, 1.0)
        mine = depth.reshape(-1) & 0xFF_FFFF if what.depth == "d24s8" else depth.reshape(-1)
        if what.samples > 1:
            held = np.frombuffer(their_depth, "<f4")
            below: Array = np.round(held.astype(np.float64) * most) if most > 1 else held
        else:
            words = np.frombuffer(their_depth, depth.dtype)[:count]
            below = words & 0xFF_FFFF if what.depth == "d24s8" else words
        step = 1.0 if most > 1 else 2.0**-24
        apart = np.abs(mine.astype(np.float64) - below.astype(np.float64)) / step
        found["depth"] = apart
    if stencil is not None and their_stencil:
        other = np.frombuffer(their_stencil, np.uint8)
        found["stencil"] = np.where(stencil.reshape(-1) != other, np.inf, 0.0)
    return found


def _apart(mine: Array, other: Array, form: Any) -> Array:
    """The greatest difference of the numbers of each sample in steps; NaN equals NaN."""
    one, two = mine.astype(np.float64), other.astype(np.float64)
    step = np.ones(4)
    for channel, _, bits in form.pixel.components:
        if form.kind in ("UNORM", "SRGB"):
            step[channel] = 1 / ((1 << bits) - 1)
        elif form.kind == "SNORM":
            step[channel] = 1 / ((1 << bits - 1) - 1)
    with np.errstate(invalid="ignore"):
        equal = (one == two) | (np.isnan(one) & np.isnan(two))
        if form.kind in ("SFLOAT", "UFLOAT"):
            bits = max(each[2] for each in form.pixel.components)
            parts = {32: 23, 16: 10, 11: 5}[bits]
            size = np.maximum(np.maximum(np.abs(one), np.abs(two)), 0.25)
            step = 2.0 ** (np.ceil(np.log2(size)) - parts)
        apart = np.where(equal, 0.0, np.abs(one - two) / step)
    steps: Array = np.nan_to_num(apart, nan=np.inf).max(axis=1)
    return steps


def rule_of(what: StateDraw, found: dict[str, Array]) -> str:
    """The rule that explains the differences of a scene; "equal" if there are none, "" if none."""
    if all((apart <= EXACT).all() for apart in found.values()):
        return "equal"
    most = {name: SRGB if "SRGB" in name else NEAR for name in found}
    wrong = {name: apart > most[name] for name, apart in found.items()}
    if not any(each.any() for each in wrong.values()):
        return "rounded"
    count = max(
        int(each.sum()) for name, each in wrong.items() if name != "depth" or len(wrong) == 1
    )
    few = SIZE * SIZE * what.samples // FEW
    lines = seeded.TOPOLOGIES[what.topology].startswith("line") or what.raster["polygonMode"] == 1
    if lines and count <= few:
        return "lines"
    only_depth = not any(each.any() for name, each in wrong.items() if name != "depth")
    sloped = "sloped" in what.uses
    if only_depth and sloped and found["depth"].max() < SLOPED[what.depth]:
        return "sloped"
    return "cut" if count <= few and (sloped or "distances" in what.uses) else ""


def reason_of(what: StateDraw, engine: str, peer: DeviceProcess) -> str:
    """Return the rule that a changed scene proves; "" if none does."""
    wide = [FLOATS if each[3] == "f" else each for each in what.formats]
    flat = {name: array.copy() for name, array in what.given.items()}
    flat["place"][:, 2] = flat["place"][0, 2]
    changed = {"rounded": replace(what, formats=wide)}
    if "sloped" in what.uses:
        changed["sloped"] = replace(what, given=flat, uses=what.uses - {"sloped"})
    if "distances" in what.uses and what.raster["polygonMode"]:
        inside = what.given["distance"]
        moved = {**what.given, "distance": np.where(inside == 0, np.float32(1 / 32), inside)}
        changed["touching"] = replace(what, given=moved)
    enough: dict[str, tuple[str, ...]] = dict.fromkeys(changed, ("equal", "rounded"))
    if "distances" in what.uses and what.raster["polygonMode"] == POINTS:
        alike = {**what.given, "value": np.repeat(what.given["value"][:1], len(flat["place"]), 0)}
        changed["order"] = replace(what, given=alike)
        enough["order"] = ("equal", "rounded", "cut")
    for name, other in changed.items():
        if rule_of(other, compare(other, engine, peer)) in enough[name]:
            return name
    return ""


def describe(what: StateDraw) -> str:
    """A scene in a line."""
    tests = {key: value for key, value in what.tests.items() if value}
    raster = {key: value for key, value in what.raster.items() if value}
    return (
        f"{seeded.TOPOLOGIES[what.topology]} x{what.samples} {what.depth} uses={sorted(what.uses)}"
        f" indices={None if what.indices is None else what.indices.dtype} restart={what.restart}"
        f" mask={what.bits:x} stipple={what.stipple} {raster} {tests} {what.blends}"
        f" logic={what.logic}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--scenes", type=int, default=100, help="how many scenes")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--peer", default="", help="a command that starts a Python")
    parser.add_argument("--engine", default="jit", help="jit or lockstep")
    parser.add_argument("--verbose", action="store_true", help="print where differences are")
    given = parser.parse_args()
    tally: Counter[str] = Counter()
    for first in range(given.first, given.first + given.scenes, RESTART):
        with DeviceProcess(given.peer) as peer:
            if first == given.first:
                print(peer.version)
            for seed in range(first, min(first + RESTART, given.first + given.scenes)):
                what = seeded.made(seed)
                found = compare(what, given.engine, peer)
                rule = rule_of(what, found) or reason_of(what, given.engine, peer)
                tally[rule or "wrong"] += 1
                if given.verbose and (not rule or rule not in ("equal", "rounded")):
                    print(f"{seed} {rule or 'wrong'}: {describe(what)}")
                    for name, apart in found.items():
                        if (apart > NEAR).any():
                            most, at = apart.max(), int(apart.argmax())
                            count = int((apart > NEAR).sum())
                            print(f"    {name}: {count} samples, at most {most:g} at {at}")
    for name, count in tally.items():
        print(f"{count:7} {name}")
    return int(tally["wrong"] > 0)


if __name__ == "__main__":
    exit_with(main)
