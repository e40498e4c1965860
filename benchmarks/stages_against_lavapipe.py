"""Geometry and tessellation in SPIR-V on lavapipe and here: what the stages output.

    python benchmarks/stages_against_lavapipe.py [--seeds N] [--factors N]

    geometry       N programs by seed (seeded_stages.py), over every kind of primitive and strip
    tessellation   N pairs of control and evaluation shaders by seed, about a third of them with a
                   geometry shader after them
    tessellator    N sets of factors for each domain, spacing, order and point mode: the points in
                   the domain, and the primitives that they form

The outputs of the last stage are captured by transform feedback, as lists of primitives in their
order. All numbers have to be equal, NaN to NaN, on both engines; the exit code says whether they
are. Where the tessellator differs, the primitives are compared again without their order.
"""

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import seeded_patches as patches
import seeded_stages as seeded
from drawing import CONTROL, EVALUATION, GEOMETRY, VERTEX, capture
from lavapipe import Lavapipe
from vulkan import exit_with

import unshade
from unshade.run.raster.geometry.pipeline import StageInputs, run_stages

Array = npt.NDArray[Any]

FEEDBACK = "VK_EXT_transform_feedback"
STRIDE = 32
BOTH = {0: 16}  # where location 0 is captured; the position is at 0
TOPOLOGIES = {  # Vulkan's number, vertices to begin with and of each further primitive
    "point_list": (0, 0, 1), "line_list": (1, 0, 2), "line_strip": (2, 1, 1),
    "triangle_list": (3, 0, 3), "triangle_strip": (4, 2, 1), "line_list_adjacency": (6, 0, 4),
    "line_strip_adjacency": (7, 3, 1), "triangle_list_adjacency": (8, 0, 6),
    "triangle_strip_adjacency": (9, 4, 2),
}  # fmt: skip
OF_KIND = {
    "points": ("point_list",), "lines": ("line_list", "line_strip"),
    "triangles": ("triangle_list", "triangle_strip"),
    "lines_adjacency": ("line_list_adjacency", "line_strip_adjacency"),
    "triangles_adjacency": ("triangle_list_adjacency", "triangle_strip_adjacency"),
}  # fmt: skip
PATCHES = 10
PRIMITIVES = 7
SPACINGS = ("SpacingEqual", "SpacingFractionalEven", "SpacingFractionalOdd")
DOMAINS = {"Triangles": 3, "Quads": 4, "Isolines": 2}
EDGES = (0.0, -1.0, np.nan, 65.0, 1e9, np.inf, 1.0 + 2.0**-17, 0.5, 63.5, 64.0, 63.0, 1.0, 2.0, 3.0)


def module(text: str) -> bytes:
    """The words of a module."""
    return unshade.assemble(text, "spirv", target="vulkan1.1").to_bytes()


def ours(modules: Sequence[bytes], given: Sequence[Array], topology: str) -> Array:
    """Position and vector of each corner of each primitive, (corners, 8); both engines agree."""
    found: Array | None = None
    for engine in ("lockstep", "jit"):
        kernels = [unshade.kernel(unshade.loads(each), engine=engine) for each in modules]
        stages = [each.execution for each in kernels]
        first = [row for row in kernels[0].inputs if row.location is not None]
        inputs = {row.label: given[int(row.location or 0)] for row in first}
        scene = run_stages(stages, None, StageInputs(inputs, None, topology, 1, None, {}))
        assert scene is not None
        rows = [row for row in scene.vertices.rows if row.meaning == "position"]
        rows += [row for row in scene.vertices.rows if row.location == 0]
        whole = np.concatenate([scene.vertices.arrays[row.key] for row in rows], axis=1)
        made = np.ascontiguousarray(whole[scene.corners].reshape(-1, 8), np.float32)
        if found is not None:
            assert np.array_equal(made.view(np.uint32), found.view(np.uint32)), "engines differ"
        found = made
    assert found is not None
    return found


def theirs(
    device: Lavapipe, modules: Mapping[int, bytes], given: Sequence[Array], topology: int,
    room: int, patch: int = 0,
) -> Array:  # fmt: skip
    """The same on lavapipe; rows that it does not write are 0."""
    attributes = {at: ("rgba32f", each.tobytes()) for at, each in enumerate(given)}
    data = capture(
        device, modules, attributes, {}, len(given[0]), BOTH, STRIDE, room, topology=topology,
        patch=patch,
    )  # fmt: skip
    return np.frombuffer(data, np.float32).reshape(room, 8)


def same(a: Array, b: Array) -> Array:
    """Which numbers are equal; NaN is equal to NaN."""
    found: Array = (a == b) | np.isnan(a) & np.isnan(b)
    return found


class Tally:
    """What was compared, by section."""

    def __init__(self) -> None:
        self.programs: Counter[str] = Counter()
        self.numbers: Counter[str] = Counter()
        self.wrong: Counter[str] = Counter()
        self.empty: Counter[str] = Counter()  # what outputs nothing, on both sides

    def compare(self, section: str, name: str, made: Array, peer: Array) -> bool:
        """Compare all rows, and that the peer has no more of them."""
        self.programs[section] += 1
        self.numbers[section] += made.size
        self.empty[section] += not len(made)
        more = int(np.any(peer[len(made) :] != 0, axis=1).sum())
        equal = same(made, peer[: len(made)])
        if equal.all() and not more:
            return True
        self.wrong[section] += 1
        at = np.argwhere(~equal)
        where = f"row {at[0][0]} of {len(made)}" if len(at) else "the end"
        print(f"    {name}: differs from {where}; {more} more rows there")
        if len(at):
            print("        here ", made[at[0][0]], "\n        there", peer[at[0][0]])
        return False


def numbers(chance: np.random.Generator, count: int) -> list[Array]:
    """Two vectors for each vertex: eighths, so that sums are exact."""
    return [(chance.integers(-16, 17, (count, 4)) / 8).astype(np.float32) for _ in range(2)]


def geometry(device: Lavapipe, seed: int, tally: Tally) -> None:
    """A geometry shader after a vertex shader."""
    chance = np.random.default_rng(seed)
    kinds, streams = [*seeded.INPUTS], [*seeded.STREAMS]
    kind, stream = kinds[seed % len(kinds)], streams[seed // len(kinds) % len(streams)]
    topology = str(chance.choice(OF_KIND[kind]))
    number, least, each = TOPOLOGIES[topology]
    given = numbers(chance, least + each * PRIMITIVES)
    first, second = module(seeded.vertex()), module(seeded.geometry(seed, kind, stream))
    made = ours([first, second], given, topology)
    peer = theirs(device, {VERTEX: first, GEOMETRY: second}, given, number, len(made) + 64)
    tally.compare("geometry", f"geometry {seed}, {topology} to {stream}", made, peer)


def tessellation(device: Lavapipe, seed: int, tally: Tally) -> None:
    """A control and an evaluation shader, with a geometry shader after them or without."""
    chance = np.random.default_rng(seed)
    taken, made_points = int(chance.integers(1, 7)), int(chance.integers(1, 6))
    domain = [*DOMAINS][seed % 3]
    spacing = SPACINGS[seed // 3 % 3]
    order = str(chance.choice(["VertexOrderCw", "VertexOrderCcw"]))
    as_points = chance.random() < 0.3
    modes = f"{domain} {spacing} {order}{' PointMode' if as_points else ''}"
    texts = {
        VERTEX: seeded.vertex(), CONTROL: patches.control(seed, taken, made_points),
        EVALUATION: patches.evaluation(seed + 1, made_points, modes),
    }  # fmt: skip
    if seed % 3 == int(chance.integers(3)):
        kind = "points" if as_points else "lines" if domain == "Isolines" else "triangles"
        texts[GEOMETRY] = seeded.geometry(seed + 2, kind, str(chance.choice([*seeded.STREAMS])))
    modules = {stage: module(text) for stage, text in texts.items()}
    given = numbers(chance, taken * PATCHES)
    made = ours([*modules.values()], given, f"{taken} control point patch list")
    peer = theirs(device, modules, given, 10, len(made) + 64, taken)
    tally.compare("tessellation", f"tessellation {seed}, {taken} points, {modes}", made, peer)


def factors(chance: np.random.Generator, count: int) -> list[Array]:
    """Outer and inner factors of patches: integers, fractions, and what is at an edge."""
    made = np.zeros((count, 8), np.float32)
    for row in made:
        kind = chance.integers(5)
        most = (3.0, 9.0, 70.0)[chance.integers(3)]
        if kind == 0:
            row[:] = chance.integers(1, int(most), 8)
        elif kind == 1:
            row[:] = chance.integers(1, int(most))
        elif kind == 2:
            row[:] = chance.random() * most
        else:
            row[:] = chance.random(8) * most
        if kind == 4:
            row[chance.integers(8)] = chance.choice(EDGES)
    return [made[:, :4], made[:, 4:]]


def topology_of(rows: Array, size: int) -> Counter[Any]:
    """The primitives of each patch without their order: corners from the least one on."""
    found: Counter[Any] = Counter()
    words = np.where(np.isnan(rows), np.float32(0), rows)
    for each in words.reshape(-1, size, 8):
        corners = [tuple(corner.tolist()) for corner in each]
        least = corners.index(min(corners))
        found[(*corners[least:], *corners[:least])] += 1
    return found


def tessellator(device: Lavapipe, modes: str, count: int, tally: Tally) -> None:
    """Points and primitives of many patches, whose factors are the inputs."""
    chance = np.random.default_rng(sum(modes.encode()))
    texts = {
        VERTEX: seeded.vertex(), CONTROL: patches.dividing(), EVALUATION: patches.showing(modes)
    }  # fmt: skip
    modules = {stage: module(text) for stage, text in texts.items()}
    given = factors(chance, count)
    made = ours([*modules.values()], given, "1 control point patch list")
    peer = theirs(device, modules, given, 10, len(made) + 512, 1)
    section = "tessellator"
    if tally.compare(section, modes, made, peer):
        return
    size = 1 if "PointMode" in modes else 2 if "Isolines" in modes else 3
    length = len(made) + int(np.any(peer[len(made) :] != 0, axis=1).sum())
    apart, other = topology_of(made, size), topology_of(peer[: length // size * size], size)
    different = (apart - other) + (other - apart)
    if not different:
        print("        but for the order of the primitives they are the same")
        return
    several = sorted({each[0][4] for each in different})
    for number in several[:3]:
        at = int(number)
        print("        patch", at, *[each[at].tolist() for each in given])
        for name, side, rest in (("here", apart, other), ("there", other, apart)):
            only = [each for each in (side - rest) if each[0][4] == number]
            print(f"          {name} {len(only)} of its own, such as", *sorted(only)[:1])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=60, help="how many programs of each kind")
    parser.add_argument("--factors", type=int, default=60, help="how many sets for each mode")
    parser.add_argument("--only", default="", help="geometry, tessellation or tessellator")
    given = parser.parse_args()
    tally = Tally()
    with Lavapipe(extensions=[FEEDBACK]) as device:
        print(f"{device.name}: {device.version}")
        for seed in range(given.seeds):
            if given.only in ("", "geometry"):
                geometry(device, seed, tally)
            if given.only in ("", "tessellation"):
                tessellation(device, seed, tally)
        for domain in DOMAINS if given.only in ("", "tessellator") else ():
            for spacing in SPACINGS:
                for order in ("VertexOrderCw", "VertexOrderCcw"):
                    for points in ("", " PointMode"):
                        modes = f"{domain} {spacing} {order}{points}"
                        tessellator(device, modes, given.factors, tally)
    for section, count in tally.programs.items():
        print(
            f"{section}: {count} compared, {tally.empty[section]} of them without output,"
            f" {tally.numbers[section]:,} numbers, {tally.wrong[section]} different"
        )
    return 1 if tally.wrong.total() else 0


if __name__ == "__main__":
    exit_with(main)
