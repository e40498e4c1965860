"""The same shader on lavapipe and on both engines: pixels and vertices.

    python benchmarks/against_lavapipe.py [FOLDER] [--seeds N]

    g*        the vertex and pixel shaders of the corpus: SPIR-V there, Direct3D bytecode here
    seeded    N pixel and N vertex shaders made by seed (seeded.py), translated by vkd3d-compiler

Tolerance of floats: 1e-5 + 1e-4 of the number; 1e-3 where the program enlarges what differs, as g04
does, and the rough half of a seeded program. Its exact half has to be equal. What differs is
printed; the exit code says whether anything did.
"""

import argparse
import shutil
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from drawing import draw, transform
from lavapipe import Lavapipe, corpus
from seeded import pixel, translated, vertex
from vulkan import exit_with
from vulkan_resources import SAMPLED_IMAGE, SAMPLER, UNIFORM, Half, Texture

import unshade
from unshade.ir.library.sampling import Address, SamplerState, TextureState
from unshade.ir.lowered import Lowered
from unshade.vm.launch import Launch, by_label
from unshade.vm.prepare import prepare

Array = npt.NDArray[Any]
SIZE = 64
FEEDBACK = "VK_EXT_transform_feedback"


def engines() -> list[Any]:
    """The engines that are installed."""
    from unshade.run.engines import choose

    return [choose(name, False) for name in ("lockstep", "jit")]


# ---------------------------------------------------------------- ours


def run(
    lowered: Lowered,
    inputs: Mapping[str, Array],
    memories: Mapping[str, Array],
    textures: Mapping[str, TextureState],
    samplers: Mapping[str, SamplerState],
) -> dict[str, Array]:
    """A program over vertices or pixels; every engine has to give the same bits."""
    code = lowered.kernel
    kernel = prepare(
        lowered,
        by_label([*code.textures, *code.memories], textures),
        by_label(code.samplers, samplers),
    )
    items = len(next(iter(inputs.values())))
    found: dict[str, Array] | None = None
    for engine in engines():
        outputs = {port.name: np.zeros(items, np.uint32) for port in kernel.outputs}
        own = {name: np.array(data).reshape(-1).view(np.uint8) for name, data in memories.items()}
        given = {name: np.ascontiguousarray(data).view(np.uint32) for name, data in inputs.items()}
        launch = Launch(
            by_label(kernel.memories, own), (1, 1, 1), items, by_label(kernel.inputs, given),
            by_label(kernel.outputs, outputs),
        )  # fmt: skip
        engine.run(kernel, launch)
        if found is not None:
            different = [n for n in outputs if not np.array_equal(outputs[n], found[n])]
            assert not different, f"{engine.name} differs in {different}"
        found = outputs
    assert found is not None
    return found


def quads(size: int) -> tuple[Array, Array]:
    """Columns and rows of the pixels of a square, quad after quad."""
    row, column, y, x = np.meshgrid(
        np.arange(size // 2), np.arange(size // 2), [0, 1], [0, 1], indexing="ij"
    )
    return (2 * column + x).reshape(-1), (2 * row + y).reshape(-1)


def interpolated(corners: Array, size: int) -> Array:
    """A varying at the middle of each pixel, quad after quad: (pixels, components)."""
    x, y = quads(size)
    s, t = (x + 0.5) / (2 * size), (y + 0.5) / (2 * size)
    first, second, third = corners.astype(np.float64)
    found: Array = first + np.outer(s, second - first) + np.outer(t, third - first)
    return found.astype(np.float32)


def ports(prefix: str, values: Array) -> dict[str, Array]:
    """Components under the names of ports: `v1.x`, `v1.y`, …"""
    return {f"{prefix}.{'xyzw'[at]}": values[:, at] for at in range(values.shape[1])}


def shape_of(*words: int) -> Array:
    return np.array([*words, *[0] * (9 - len(words))], np.uint32)


# ---------------------------------------------------------------- comparing


class Tally:
    """Things that were compared."""

    def __init__(self) -> None:
        self.equal = self.near = self.wrong = 0
        self.quiet = False

    def floats(self, name: str, ours: Array, theirs: Array, absolute: float = 1e-5) -> None:
        """Ours are bits or floats; NaN equals NaN."""
        a, b = ours.view(np.float32).reshape(-1), theirs.view(np.float32).reshape(-1)
        same = a.view(np.uint32) == b.view(np.uint32)
        with np.errstate(all="ignore"):
            near = np.abs(a.astype(np.float64) - b) <= absolute + 1e-4 * np.abs(b)
        near |= np.isnan(a) & np.isnan(b) | (a == b)
        self._add(name, same, near, a, b)

    def words(self, name: str, ours: Array, theirs: Array) -> None:
        """Integers have to be equal."""
        same = ours.reshape(-1) == theirs.reshape(-1)
        self._add(name, same, same, ours.reshape(-1), theirs.reshape(-1))

    def exact(self, name: str, ours: Array, theirs: Array) -> None:
        """Floats that have to be equal; zeros may differ in sign."""
        a, b = ours.view(np.float32).reshape(-1), theirs.view(np.float32).reshape(-1)
        self._add(name, a == b, a == b, a, b)

    def _add(self, name: str, same: Array, near: Array, ours: Array, theirs: Array) -> None:
        equal, close = int(same.sum()), int((near & ~same).sum())
        wrong = len(same) - equal - close
        self.equal, self.near, self.wrong = (
            self.equal + equal,
            self.near + close,
            self.wrong + wrong,
        )
        with np.errstate(all="ignore"):
            distance = np.nan_to_num(np.abs(ours.astype(np.float64) - theirs), nan=0.0)
        note = f"; at most {np.max(distance, initial=0.0):.1e} apart" if close + wrong else ""
        if wrong:
            at = int(np.flatnonzero(~near)[0])
            note += f"; first at {at}: {ours[at]} here, {theirs[at]} there"
        if wrong or not self.quiet:
            print(f"    {name:34} {equal:6} equal, {close:6} near, {wrong:6} different{note}")


# ---------------------------------------------------------------- the shaders of the corpus


def phong(device: Lavapipe, folder: Path, name: str, tally: Tally) -> None:
    """g02: two textures, one of them a cube, lights in a constant buffer, discard."""
    rng = np.random.default_rng(2)
    flat = rng.random((16, 16, 4), np.float32)
    flat[3, 4:9, 3] = 0.0  # alpha below 0.1 is discarded
    cube = rng.random((6, 4, 4, 4), np.float32)
    lights = rng.random((4, 8)).astype(np.float32) * 3 - 1
    constants = np.zeros(40, np.float32)
    constants[:32] = lights.reshape(-1)
    constants[32:36] = (0.5, 0.5, 2.0, 1.0)
    constants[36:37] = np.array([3], np.int32).view(np.float32)
    normals = np.array([(0.2, 0.3, 1.0), (3.4, -1.0, 0.5), (-1.0, 3.0, -2.0)], np.float32)
    places = np.array([(-0.25, -0.25), (2.75, -0.25), (-0.25, 2.75)], np.float32)
    state = {"mag": 1, "min": 1, "maxLod": 0.0}
    bindings: dict[int, Any] = {
        0: device.buffer(constants.tobytes(), UNIFORM),
        1: Texture(device, device.image("rgba32f", 16, 16).write(flat.tobytes()), **state),
        2: Texture(
            device,
            device.image("rgba32f", 4, 4, shape="cube", layers=6).write(cube.tobytes()),
            **state, addressU=2, addressV=2, addressW=2,
        ),
    }  # fmt: skip
    spirv = (folder / f"{name}.spv").read_bytes()
    numbers = [(7,), (7,), (7,)]
    colour, identity = draw(
        device, spirv, {0: ("rgb32f", normals.tolist()), 1: ("rg32f", places.tolist()),
                        2: ("r32i", numbers)},
        bindings, size=SIZE, targets=("rgba32f", "r32ui"),
    )  # fmt: skip
    x, y = quads(SIZE)
    theirs = np.frombuffer(colour, np.float32).reshape(SIZE, SIZE, 4)[y, x]
    their_id = np.frombuffer(identity, np.uint32).reshape(SIZE, SIZE)[y, x]
    inputs = {
        **ports("v0", interpolated(normals, SIZE)), **ports("v1", interpolated(places, SIZE)),
        "v2.x": np.full(SIZE * SIZE, 7, np.uint32),
    }  # fmt: skip
    wrap, clamp = (Address.WRAP,) * 3, (Address.CLAMP,) * 3
    lowered = unshade.open(folder / f"{name}.dxbc").programs[0].lower()
    found = run(
        lowered, inputs,
        {"cb0": constants, "t1": flat, "t1.shape": shape_of(16, 16, 1, 1, 1),
         "t2": cube, "t2.shape": shape_of(4, 4, 6, 1, 1)},
        {}, {"s1": SamplerState(address=wrap), "s2": SamplerState(address=clamp)},
    )  # fmt: skip
    drawn = found["covered"] == 1
    tally.words(f"{name} discards", drawn.astype(np.uint32), (their_id == 7).astype(np.uint32))
    for at, letter in enumerate("xyzw"):
        tally.floats(f"{name} {letter}", found[f"o0.{letter}"][drawn], theirs[drawn, at].copy())
    tally.words(f"{name} id", found["o1.x"][drawn], their_id[drawn])


def raymarch(device: Lavapipe, folder: Path, name: str, tally: Tally) -> None:
    """g04: loops, no resources."""
    places = np.array([(0.0, 0.0), (2.0, 0.0), (0.0, 2.0)], np.float32)
    push = struct.pack("<f", 0.4)
    source = name if (folder / f"{name}.spv").exists() else name.replace(".opt", "")
    spirv = (folder / f"{source}.spv").read_bytes()
    (colour,) = draw(device, spirv, {0: ("rg32f", places.tolist())}, {}, size=SIZE, push=push)
    x, y = quads(SIZE)
    theirs = np.frombuffer(colour, np.float32).reshape(SIZE, SIZE, 4)[y, x]
    lowered = unshade.open(folder / f"{name}.dxbc").programs[0].lower()
    constants = np.array([0.4, 0, 0, 0], np.float32)
    found = run(lowered, ports("v0", interpolated(places, SIZE)), {"cb0": constants}, {}, {})
    for at, letter in enumerate("xyzw"):
        # Normals are differences of distances, divided by 0.002: so is what rounding does.
        tally.floats(f"{name} {letter}", found[f"o0.{letter}"], theirs[:, at].copy(), 1e-3)


def skinning(device: Lavapipe, folder: Path, name: str, tally: Tally) -> None:
    """g01: eight matrices chosen by integers, sine."""
    rng = np.random.default_rng(1)
    count = 200
    widths = {0: 3, 1: 3, 3: 4, 4: 4, 5: 4, 6: 4, 7: 4}
    columns = {
        at: rng.random((count, width)).astype(np.float32) * 2 - 1 for at, width in widths.items()
    }
    bones = rng.integers(0, 1 << 32, (count, 4), np.uint32)
    constants = rng.random(37 * 4).astype(np.float32) * 2 - 1
    formats = {3: "rgb32f", 4: "rgba32f"}
    attributes = {at: (formats[data.shape[1]], data.tobytes()) for at, data in columns.items()} | {
        2: ("rgba32ui", bones.tobytes())
    }
    spirv = (folder / f"{name}.spv").read_bytes()
    stride = 48
    captured = transform(
        device, spirv, attributes, {0: device.buffer(constants.tobytes(), UNIFORM)}, count,
        {0: 16, 1: 28, 2: 36}, stride,
    )  # fmt: skip
    theirs = np.frombuffer(captured, np.uint32).reshape(count, stride // 4)
    inputs: dict[str, Array] = {}
    for at, data in [*columns.items(), (2, bones)]:
        inputs |= ports(f"v{at}", data)
    inputs |= {"v8.x": np.arange(count, dtype=np.uint32), "v9.x": np.zeros(count, np.uint32)}
    lowered = unshade.open(folder / f"{name}.dxbc").programs[0].lower()
    inputs = {port.name: inputs[port.name] for port in lowered.kernel.inputs}
    found = run(lowered, inputs, {"cb0": constants}, {}, {})
    for register, first, letters in (("o3", 0, "xyzw"), ("o0", 4, "xyz"), ("o1", 7, "xy")):
        for at, letter in enumerate(letters):
            port = f"{register}.{letter}"
            tally.floats(f"{name} {port}", found[port], theirs[:, first + at].copy())
    tally.words(f"{name} o2.x", found["o2.x"], theirs[:, 9])


# ---------------------------------------------------------------- programs made by seed


def seeded_pixel(device: Lavapipe, seed: int, tally: Tally) -> None:
    """A pixel shader of two targets."""
    rng = np.random.default_rng(seed)
    module, numbers = translated(pixel(seed))
    texels = rng.random((16, 16, 4), np.float32) * 2 - 1
    constants = rng.integers(-32, 33, 8).astype(np.float32) / 16
    corners = rng.integers(-3, 4, (2, 3, 4)).astype(np.float32)
    image = device.image("rgba32f", 16, 16).write(texels.tobytes())
    texture = Texture(device, image, mag=1, min=1, maxLod=0.0)
    every: dict[str, Any] = {
        "cb0": device.buffer(constants.tobytes(), UNIFORM), "t0": Half(texture, SAMPLED_IMAGE),
        "s0": Half(texture, SAMPLER),
    }  # fmt: skip
    size = 32
    drawn = draw(
        device, module, {at: ("rgba32f", each.tolist()) for at, each in enumerate(corners)},
        {number: every[name] for name, number in numbers.items()}, size=size,
        targets=("rgba32f", "rgba32f"),
    )  # fmt: skip
    x, y = quads(size)
    theirs = [np.frombuffer(data, np.float32).reshape(size, size, 4)[y, x] for data in drawn]
    lowered = program(pixel(seed)).lower()
    inputs = {
        name: values
        for at in (0, 1)
        for name, values in ports(f"v{at}", interpolated(corners[at], size)).items()
    }
    found = run(
        lowered, {port.name: inputs[port.name] for port in lowered.kernel.inputs},
        {"cb0": constants, "t0": texels, "t0.shape": shape_of(16, 16, 1, 1, 1)},
        {}, {"s0": SamplerState(address=(Address.WRAP,) * 3)},
    )  # fmt: skip
    left = found["covered"] == 1 if "covered" in found else np.ones(size * size, bool)
    ours = [np.stack([found[f"o{at}.{letter}"] for letter in "xyzw"], 1) for at in (0, 1)]
    tally.exact(f"pixel {seed} exact", ours[0][left], theirs[0][left])
    tally.floats(f"pixel {seed} rough", ours[1][left], theirs[1][left], 1e-3)


def seeded_vertex(device: Lavapipe, seed: int, tally: Tally) -> None:
    """A vertex shader of three outputs."""
    rng = np.random.default_rng(seed)
    module, numbers = translated(vertex(seed))
    count = 256
    columns = rng.integers(-64, 65, (2, count, 4)).astype(np.float32) / 16
    constants = rng.integers(-32, 33, 8).astype(np.float32) / 16
    bound = {number: device.buffer(constants.tobytes(), UNIFORM) for number in numbers.values()}
    captured = transform(
        device, module, {at: ("rgba32f", each.tobytes()) for at, each in enumerate(columns)},
        bound, count, {1: 16, 2: 32}, 48,
    )  # fmt: skip
    theirs = np.frombuffer(captured, np.float32).reshape(count, 3, 4)
    inputs = ports("v0", columns[0]) | ports("v1", columns[1])
    found = run(program(vertex(seed)).lower(), inputs, {"cb0": constants}, {}, {})
    ours = [np.stack([found[f"o{at}.{letter}"] for letter in "xyzw"], 1) for at in range(3)]
    for at, name in ((0, "exact position"), (1, "exact")):
        tally.exact(f"vertex {seed} {name}", ours[at], theirs[:, at].copy())
    tally.floats(f"vertex {seed} rough", ours[2], theirs[:, 2].copy(), 1e-3)


def program(text: str) -> Any:
    """The program of a listing."""
    return unshade.assemble(text, "dxcontainer").programs[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, help="default: the corpus")
    parser.add_argument("--seeds", type=int, default=20, help="how many of each stage")
    given = parser.parse_args()
    folder = given.folder or corpus() / "execution"
    tally = Tally()
    with Lavapipe(extensions=[FEEDBACK]) as device:
        print(f"{device.name}: {device.version}")
        for name in ("g01_transform.vert", "g01_transform.vert.opt"):
            skinning(device, folder, name, tally)
        for name in ("g02_phong.frag", "g02_phong.frag.opt"):
            phong(device, folder, name, tally)
        raymarch(device, folder, "g04_raymarch.frag", tally)
        seeds = given.seeds if shutil.which("vkd3d-compiler") else 0
        before = tally.equal, tally.near
        tally.quiet = True
        for seed in range(seeds):
            seeded_pixel(device, seed, tally)
            seeded_vertex(device, seed, tally)
        equal, near = tally.equal - before[0], tally.near - before[1]
        print(f"    {seeds} pixel and {seeds} vertex shaders by seed: {equal} equal, {near} near")
    print(f"{tally.equal} equal, {tally.near} near, {tally.wrong} different")
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    exit_with(main)
