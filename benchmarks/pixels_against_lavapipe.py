"""The rasteriser against lavapipe: which samples primitives cover, and what the shader is given.

    python benchmarks/pixels_against_lavapipe.py [--seeds N] [--only KIND] [--peer COMMAND]

Each seed draws every kind of seeded_geometry.py once, into six targets (seeded_scenes.py), with 1
or 4 samples, the shader run for pixels or for samples; some with a sample mask, with faces that are
left out, with a depth test, or with a viewport and a scissor of their own. Compared are:

    samples      the primitive that each sample of the targets shows, exactly
    facts        of the samples that show the same: face, flat value, coverage, exactly
    values       with perspective, linear on the screen, at the centroid or sample, coordinates,
                 derivatives: both sides against what exact_screen.py computes from clip space

Both sides round corners to 1/256 of a pixel for coverage; a value may be off by what half a step of
its corners changes, by 1e-5 of the largest corner, and by 2^-22 of the terms of its plane. Each
difference is counted under a rule of RULES (comparing_pixels.py); the exit code says whether one
remains. `--peer` is a command that starts a Python beside another Mesa: see device_process.py.
"""

import argparse
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import seeded_geometry as geometry
import seeded_scenes as shaders
from comparing_pixels import RULES, Comparison, Draw, Drawn, Tally
from device_process import DeviceProcess
from drawing_scenes import Scene
from vulkan import exit_with
from vulkan_pipelines import State

import unshade
from unshade.run.raster import draw
from unshade.run.raster.geometry.assembly import assembled

Array = npt.NDArray[Any]
SIZE = 64
VERTEX, FRAGMENT = 1, 0x10
COMPARISONS = (
    "never", "less", "equal", "less_equal", "greater", "not_equal", "greater_equal", "always",
)  # fmt: skip
TOPOLOGIES = ("point_list", "line_list", "line_strip", "triangle_list")
CULLS = ("none", "front", "back")
FILLS = ("fill", "line", "point")
FRONTS = ("counterclockwise", "clockwise")
WAYS = ((1, "Centroid"), (4, "Centroid"), (4, "Sample"), (4, "SampleId"))
RESTART = 100  # scenes of one process: what was drawn stays in its memory


@cache
def modules() -> dict[str, bytes]:
    """The shaders by name: the vertex shader, and the fragment shader of each place."""
    texts = {each: shaders.fragment(each) for each in ("Centroid", "Sample", "SampleId")}
    texts |= {"vertex": shaders.vertex(), "fetch": shaders.fetch()}
    return {
        name: unshade.assemble(text, "spirv", target="vulkan1.1").to_bytes()
        for name, text in texts.items()
    }


@cache
def kernel(name: str, engine: str) -> Any:
    """A shader on an engine."""
    return unshade.kernel(unshade.loads(modules()[name]), engine=engine)


def ours(what: Draw, engine: str) -> Drawn:
    """Draw here; a viewport of Vulkan has y down, which is a negative height."""
    state = what.state
    width, height = state.size
    x, y, wide, high, near, far = what.viewport
    left, top, across, down = state.scissor or (0, 0, width, height)
    shape = (height, width, *[state.samples] * (state.samples > 1))
    depth = np.ones(shape, np.float32) if what.depth else None
    found = draw(
        kernel("vertex", engine), kernel(what.place, engine), what.given, None, state.size,
        topology=TOPOLOGIES[state.topology], depth=depth, samples=state.samples,
        sample_mask=state.mask,
        depth_function=COMPARISONS[state.compare] if what.depth else None,
        viewports=[[x, y + high, wide, -high, near, far]],
        scissors=[[left, top, left + across, top + down]],
        rasterizer=rasterizer_of(state), cull=CULLS[state.cull],
        front=FRONTS[state.front], depth_clip=not state.clamp,
        lines="aliased" if state.bresenham else None,
    )  # fmt: skip
    shape = (height, width, state.samples)
    targets = [found.targets[f"t{at}"].reshape(*shape, 4) for at in range(shaders.TARGETS)]
    return Drawn(np.stack(targets), None if depth is None else depth.reshape(shape))


def rasterizer_of(state: State) -> dict[str, Any]:
    """The fill mode and the depth bias of a state."""
    constant, clamp, slope = state.bias
    return {
        "polygonMode": FILLS[state.fill], "depthBiasConstantFactor": constant,
        "depthBiasClamp": clamp, "depthBiasSlopeFactor": slope,
    }  # fmt: skip


def theirs(peer: DeviceProcess, what: Draw) -> Drawn:
    """Draw on lavapipe."""
    formats = {"place": "rgba32f", "value": "rgba32f", "size": "r32f"}
    attributes = {
        at: (format, what.given[name].tobytes())
        for at, (name, format) in enumerate(formats.items())
    }
    code = {VERTEX: modules()["vertex"], FRAGMENT: modules()[what.place]}
    scene = Scene(
        code, attributes, len(what.given["place"]), what.state, shaders.TARGETS, what.depth
    )
    width, height = what.state.size
    shape = (height, width, what.state.samples)
    arrays = [np.frombuffer(each, np.float32) for each in peer.draw(scene, modules()["fetch"])]
    targets = [each.reshape(*shape, 4) for each in arrays[: shaders.TARGETS]]
    return Drawn(np.stack(targets), arrays[-1].reshape(shape) if what.depth else None)


def made(kind: str, seed: int) -> Draw:
    """The draw of a seed."""
    chance = np.random.default_rng([seed, *kind.encode()])
    topology, places = geometry.KINDS[kind]
    place = places(chance, SIZE, SIZE)
    count = len(place)
    given = {
        "place": place, "size": geometry.sizes(chance, count),
        "value": (chance.integers(-16, 17, (count, 4)) / 8).astype(np.float32),
    }  # fmt: skip
    samples, where = WAYS[seed % len(WAYS)] if kind != "aliased" else WAYS[0]
    depth = chance.random() < 0.4
    more: dict[str, Any] = {"compare": int(chance.integers(1, 8))} if depth else {}
    if chance.random() < 0.3:
        more["mask"] = int(chance.integers(1, 16))
    if chance.random() < 0.4:
        more["cull"], more["front"] = int(chance.integers(3)), int(chance.integers(2))
    if chance.random() < 0.2:
        corner, far = chance.integers(0, 20, 2), chance.integers(30, 70, 2)
        more["scissor"] = tuple(map(int, (*corner, *np.minimum(far, SIZE) - corner)))
    if chance.random() < 0.2:
        low, size = chance.integers(-8, 24, 2), chance.integers(16, 64, 2)
        more["viewport"] = tuple(map(float, (*low, *size, 0.25, 0.75)))
    more["bresenham"] = kind == "aliased"
    state = State((SIZE, SIZE), topology=TOPOLOGIES.index(topology), samples=samples, **more)
    primitives = assembled(topology, 0, None, count)
    return Draw(f"{kind} {seed}", given, state, where, depth, primitives)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=40, help="how many draws of each kind")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--only", default="", choices=["", *geometry.KINDS])
    parser.add_argument("--peer", default="", help="a command that starts a Python")
    parser.add_argument("--engine", default="jit", help="jit or lockstep")
    parser.add_argument("--verbose", action="store_true", help="print where differences are")
    given = parser.parse_args()
    kinds = [given.only] if given.only else [*geometry.KINDS]
    draws = [made(kind, given.first + at) for at in range(given.seeds) for kind in kinds]
    tally = Tally()
    for first in range(0, len(draws), RESTART):
        with DeviceProcess(given.peer) as peer:
            if not first:
                bits, _ = peer.limits()
                print(f"{peer.version}: {bits} bits of subpixel precision")
            for each in draws[first : first + RESTART]:
                mine = ours(each, given.engine)
                Comparison(each, mine, theirs(peer, each), tally, given.verbose).run()
    for kind, counts in tally.compared.items():
        print(f"{kind}: " + ", ".join(f"{count:,} {what}" for what, count in counts.items()))
    print("differences:")
    for what, count in sorted(tally.rules.items()):
        print(f"    {count:9,} {what}", end="")
        sizes = np.concatenate(tally.sizes.get(what, [np.zeros(0)]))
        if len(sizes):
            print(
                f": {np.mean(sizes < 4):.0%} within 4 x, {np.mean(sizes < 64):.0%} within 64 x",
                end="",
            )
        print()
    for rule, words in RULES.items():
        print(f"{rule}: {words}")
    return 1 if tally.wrong.total() else 0


if __name__ == "__main__":
    exit_with(main)
