"""A textured mesh of 100,000 triangles at 1920 x 1080, with depth, beside lavapipe.

    python benchmarks/mesh.py [--rounds N] [--peer COMMAND ...] [--threads N] [--blend]
                              [--triangles N] [--size WIDTH HEIGHT] [--profile] [--explain]
                              [--save FILE]

A bumpy sphere is drawn with bilinear texturing, a light and a depth test; with `--blend`, by the
alpha of its colours, too. lavapipe and `raster.draw` take turns, one thread each unless told
otherwise; CPU times, all threads of a process, medians and least. What is drawn has to agree:
pixels are counted in which a channel differs by more than one level, or by more than one for each
layer that is blended; `--explain` computes these again by the rules of mesh_pixels.py. `--profile`
says where the time of a draw goes. glslangValidator compiles the shaders.
"""

import argparse
import cProfile
import os
import pstats
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from contenders import spent
from execute import started
from mesh_pixels import MeshPixels, explained
from mesh_scene import MeshScene
from vulkan import VulkanError

VERTEX, FRAGMENT = 1, 0x10
SIDE = 512  # texels of the texture
SHADERS = {
    "vert": """#version 450
layout(location = 0) in vec3 place;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 where;
layout(location = 0) out vec3 facing;
layout(location = 1) out vec2 at;
void main() {
    vec3 p = place * vec3(0.5625, 1.0, 1.0) * 1.3;
    gl_Position = vec4(p.xy, p.z * 0.4 + 0.5 * (1.4 + p.z * 0.3), 1.4 + p.z * 0.3);
    facing = normal;
    at = where;
}
""",
    "frag": """#version 450
layout(location = 0) in vec3 facing;
layout(location = 1) in vec2 at;
layout(location = 0) out vec4 colour;
layout(binding = 0) uniform sampler2D skin;
void main() {
    float light = 0.25 + 0.75 * max(0.0, dot(normalize(facing), vec3(0.48, 0.64, -0.6)));
    colour = vec4(textureLod(skin, at, 0.0).rgb * light, 0.75);
}
""",
}
NAMES = ("place", "normal", "where")  # of the attributes
Array = Any
ALPHA = 0.75  # of the shader's colours
WARM = 8  # draws before those that are timed: code and its widths are chosen in them


def compiled(stage: str) -> bytes:
    """Return the SPIR-V of a shader."""
    with tempfile.TemporaryDirectory() as folder:
        source, module = Path(folder) / f"it.{stage}", Path(folder) / "it.spv"
        source.write_text(SHADERS[stage])
        subprocess.run(
            ["glslangValidator", "-V", str(source), "-o", str(module)], check=True,
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        return module.read_bytes()


def mesh(triangles: int) -> tuple[list[Array], Array]:
    """Return the places, normals and texture coordinates of a bumpy sphere, and its triangles."""
    rows = max(2, round((triangles / 4) ** 0.5))
    columns = max(3, round(triangles / 2 / rows))
    v, u = np.meshgrid(np.linspace(0, 1, rows + 1), np.linspace(0, 1, columns + 1), indexing="ij")
    theta, phi = v * np.pi, u * 2 * np.pi
    radius = 0.85 + 0.1 * np.sin(9 * phi) * np.sin(theta) * np.sin(7 * theta)
    normal = np.stack([np.sin(theta) * np.cos(phi), np.cos(theta), np.sin(theta) * np.sin(phi)], -1)
    place = normal * radius[..., None]
    attributes = [place.reshape(-1, 3), normal.reshape(-1, 3), np.stack([4 * u, 2 * v], -1)]
    attributes[2] = attributes[2].reshape(-1, 2)
    first = (np.arange(rows)[:, None] * (columns + 1) + np.arange(columns)).reshape(-1)
    below = first + columns + 1
    quads = np.stack([first, below, first + 1, first + 1, below, below + 1], -1)
    return [np.ascontiguousarray(each, "f4") for each in attributes], quads.astype("u4").reshape(-1)


def texture() -> Array:
    """Return a texture: squares with noise."""
    chance = np.random.default_rng(3)
    y, x = np.mgrid[:SIDE, :SIDE] // 32
    found = np.full((SIDE, SIDE, 4), 255, "u1")
    found[..., :3] = np.where(((x + y) % 2)[..., None], (230, 160, 60), (40, 90, 170))
    found[..., :3] -= chance.integers(0, 30, (SIDE, SIDE, 3), "u1")
    return found


class Draw:
    """The mesh drawn by `raster.draw`."""

    def __init__(self, scene: tuple[Any, ...], threads: int, blend: bool) -> None:
        import unshade
        from unshade.run import Sampler, Texture, engines
        from unshade.run.raster import draw
        from unshade.vm.jit import Jit

        modules, attributes, indices, skin, self.size = scene
        jit = Jit(threads=threads)
        self.kernels = [unshade.kernel(unshade.loads(each)) for each in modules]
        for each in self.kernels:
            each.execution.engine = engines.Auto(jit)
        width, height = self.size
        # Made once, as those of lavapipe are.
        self.targets = np.zeros((height, width, 4), "u1"), np.ones((height, width), "f4")
        self.draw = draw
        self.arguments = {
            "vertices": dict(zip(NAMES, attributes, strict=True)),
            "primitives": indices,
            "pixel_bindings": {
                "skin": Texture(
                    skin.astype("f4") / np.float32(255), sampler=Sampler("linear", "wrap")
                )
            },
            "depth_function": "less",
            "formats": ["R8G8B8A8_UNORM"],
            "blend": "alpha" if blend else None,
        }

    def __call__(self) -> Array:
        self.picture()
        return self.targets[0]

    def picture(self) -> Any:
        """Draw into cleared targets."""
        target, depth = self.targets
        target[...] = 0
        depth[...] = 1
        height = len(depth)
        given = dict(self.arguments)
        vertices, primitives = given.pop("vertices"), given.pop("primitives")
        over = [[0, height, self.size[0], -height, 0, 1]]  # y points down, as in Vulkan
        return self.draw(
            self.kernels[0], self.kernels[1], vertices, primitives, self.size,
            targets=[target], depth=depth, viewports=over, **given,
        )  # fmt: skip


def _allowed(picture: Array, *, blended: bool) -> Array:
    """Return the levels by which each pixel may differ.

    lavapipe blends numbers of 8 bits: it rounds the colour of the shader and the result of each of
    the layers, whose number the alpha of the picture tells.
    """
    if not blended:
        return np.ones(picture.shape[:2], int)
    left = np.maximum(255 - picture[..., 3].astype(float), 0.2) / 255  # light that goes through
    return np.maximum(np.rint(np.log(left) / np.log(1 - ALPHA)), 1).astype(int)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--peer", action="append", default=[], metavar="COMMAND")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--blend", action="store_true")
    parser.add_argument("--triangles", type=int, default=100_000)
    parser.add_argument("--size", nargs=2, type=int, default=[1920, 1080])
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--save", type=Path)
    parser.add_argument("--explain", action="store_true")
    given = parser.parse_args()
    os.environ["LP_NUM_THREADS"] = str(given.threads)
    attributes, indices = mesh(given.triangles)
    skin, size = texture(), (given.size[0], given.size[1])
    modules = [compiled("vert"), compiled("frag")]
    ours = Draw((modules, attributes, indices, skin, size), given.threads, given.blend)
    for _ in range(WARM):
        picture = ours()
    if given.save:
        from PIL import Image

        Image.fromarray(picture).save(given.save)
    if given.profile:
        ours()
        profile = cProfile.Profile(time.process_time)
        profile.runcall(ours)
        pstats.Stats(profile).sort_stats("tottime").print_stats(35)
        return 0
    peers = started(given.peer)
    formats = ("rgb32f", "rgb32f", "rg32f")
    given_attributes = {at: (formats[at], each.tobytes()) for at, each in enumerate(attributes)}
    scene = MeshScene(
        {VERTEX: modules[0], FRAGMENT: modules[1]}, given_attributes, indices.tobytes(),
        skin.tobytes(), SIDE, size, given.blend,
    )  # fmt: skip
    for name, peer in list(peers.items()):
        try:
            peer.load_mesh(scene)
            peer.mesh_seconds()
        except VulkanError as error:  # 26.2.6 ends where its registers have 512 bits
            print(f"lavapipe {name} cannot draw it ({error}): without it", file=sys.stderr)
            del peers[name]
    times: dict[str, list[float]] = {name: [] for name in [*peers, "unshade"]}
    wall = []
    for _ in range(given.rounds):
        for name, peer in peers.items():
            times[name].append(peer.mesh_seconds())
        start = time.perf_counter()
        times["unshade"].append(spent(ours))
        wall.append(time.perf_counter() - start)
    print(
        f"{len(indices) // 3} triangles, {size[0]} x {size[1]}, depth{' + blending' * given.blend}"
        f", {given.threads} thread{'s' * (given.threads > 1)}, {given.rounds} rounds; covered"
        f" {(picture[..., 3] > 0).mean():.0%}; wall time of unshade {min(wall) * 1e3:.0f} ms"
    )
    for name, found in times.items():
        print(f"{name:16} {statistics.median(found) * 1e3:8.1f} ms, least {min(found) * 1e3:.1f}")
    for name, peer in peers.items():
        ratio = statistics.median(times["unshade"]) / statistics.median(times[name])
        theirs = np.frombuffer(peer.read_mesh(), "u1").reshape(picture.shape)
        far = np.abs(theirs.astype(int) - picture).max(-1) > _allowed(picture, blended=given.blend)
        print(f"{ratio:.2f} times the time of {name}; {far.sum()} of {far.size} pixels differ")
        if given.explain and not given.blend:
            again = MeshPixels(attributes, indices, skin, size)
            print(explained(again, ours.picture().triangle, picture, theirs, far))
        peer.__exit__()
    return 0


if __name__ == "__main__":
    sys.exit(main())
