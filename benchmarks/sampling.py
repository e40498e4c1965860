"""Texture instructions on lavapipe and on both engines, over filters, addresses and shapes.

    python benchmarks/sampling.py [--only WORDS]

Each pixel shader has one instruction, translated by vkd3d-compiler; coordinates cover a triangle,
so levels come from the quad. Lavapipe has its own formula for the level, and its anisotropic filter
is an ellipse weighted on one level: so the output is the share of numbers that are near, and the
mean and greatest distance, for texels of noise between 0 and 1. For anisotropic filters, it is also
the distance of each result from the mean of 576 points in the pixel.
"""

import argparse
import shutil
import sys
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from against_lavapipe import interpolated, ports, quads, run
from drawing import draw
from lavapipe import Lavapipe
from seeded import TARGETS, VARYINGS, signature, translated
from vulkan import exit_with
from vulkan_resources import SAMPLED_IMAGE, SAMPLER, Half, Texture

import unshade
from unshade.ir.lowered import Form, LoweredResource
from unshade.ir.textures import Shape
from unshade.run import Sampler
from unshade.run import Texture as Given
from unshade.run.binding.textures import pack
from unshade.vm.launch import Array

SIZE = 64
FLOATS = "(float,float,float,float)"
SHAPES: dict[str, tuple[Shape, bool, tuple[int, ...]]] = {  # listing: shape, layers, array's axes
    "texture1d": (Shape.D1, False, (16,)),
    "texture2d": (Shape.D2, False, (16, 32)),
    "texture3d": (Shape.D3, False, (8, 16, 16)),
    "texturecube": (Shape.CUBE, False, (6, 16, 16)),
    "texture1darray": (Shape.D1, True, (3, 16)),
    "texture2darray": (Shape.D2, True, (3, 16, 16)),
}
VIEWS = {
    "texture1d": "1d", "texture2d": "2d", "texture3d": "3d", "texturecube": "cube",
    "texture1darray": "1d array", "texture2darray": "2d array",
}  # fmt: skip
ADDRESSES = ("wrap", "mirror", "clamp", "border", "mirror_once")
COMPARISONS = (
    "never", "less", "equal", "less_equal", "greater", "not_equal", "greater_equal", "always",
)  # fmt: skip
# Corners of v0: texels far apart; close together; a direction for cubes; the second is v1.
CORNERS = {
    "small": [(-0.3, -0.2, 0.1, 0.4), (3.9, 0.4, 2.0, 0.8), (0.1, 2.7, -1.0, 2.0)],
    "large": [(0.31, 0.42, 0.1, 0.4), (0.6, 0.5, 1.1, 0.8), (0.4, 0.7, 0.3, 1.0)],
    "narrow": [(0.1, 0.1, 0.1, 0.4), (13.1, 1.9, 2.0, 0.8), (0.4, 0.9, -1.0, 1.0)],
    "around": [(-1.0, -0.8, 0.6, 0.4), (3.0, -0.4, 0.7, 0.8), (-0.6, 3.1, -1.0, 0.5)],
}
SECOND = [(0.2, 0.01, 1.3, 0.4), (0.7, 0.1, 0.2, 1.9), (0.4, 0.02, 2.4, 2.5)]


@dataclass(slots=True)
class Case:
    """One instruction with one sampler; `limit` is how far apart numbers count as near."""

    name: str
    line: str
    shape: str = "texture2d"
    corners: str = "small"
    sampler: dict[str, Any] = field(default_factory=dict)
    mips: bool = False
    limit: float = 2e-3
    compare: bool = False


def sample(shape: str, swizzle: str = "xyzw", word: str = "sample", rest: str = "") -> str:
    return f"{word}_indexable({shape}){FLOATS} o0.xyzw, v0.{swizzle}, t0.xyzw, s0{rest}"


def cases() -> list[Case]:
    """All that is compared."""
    found = []
    for filter in ("point", "linear"):
        for address in ADDRESSES:
            state = {"filter": filter, "address": address}
            found.append(Case(f"{filter} {address}", sample("texture2d"), sampler=state))
    for shape in SHAPES:
        state = {"filter": "linear", "address": "wrap"}
        corners = "around" if shape == "texturecube" else "small"
        found.append(Case(shape, sample(shape), shape, corners, state))
        found.append(Case(f"{shape} mips", sample(shape), shape, corners, state, True, 2e-2))
    large = {"filter": "linear", "address": "clamp"}
    found.append(Case("magnified", sample("texture2d"), corners="large", sampler=large))
    for lod in ({"lod_bias": 0.7}, {"min_lod": 1.5}, {"max_lod": 0.5}):
        found.append(
            Case(f"linear {lod}", sample("texture2d"), sampler={**large, **lod}, mips=True,
                 limit=2e-2)
        )  # fmt: skip
    mixed = {"filter": "min_point_mag_linear_mip_point", "address": "wrap"}
    found.append(Case("mixed", sample("texture2d"), corners="large", sampler=mixed, mips=True))
    wrap = {"filter": "linear", "address": "wrap"}
    for word, rest in (
        ("sample_l", ", v1.x"), ("sample_b", ", v1.x"), ("sample_d", ", v1.xyxx, v1.yxxx"),
    ):  # fmt: skip
        line = sample("texture2d", word=word, rest=rest)
        found.append(Case(word, line, sampler=wrap, mips=True, limit=2e-2))
    line = sample("texture2d").replace("_indexable", "_aoffimmi_indexable(-3,2,0)")
    found.append(Case("offset", line, sampler=wrap))
    for component in "xw":
        line = sample("texture2d", word="gather4").replace("s0", f"s0.{component}")
        found.append(Case(f"gather4 {component}", line, sampler=wrap))
    cube = sample("texturecube", word="gather4").replace("s0", "s0.x")
    found.append(Case("gather4 cube", cube, "texturecube", "around", wrap))
    for comparison in COMPARISONS:
        state = {"filter": "comparison_min_mag_mip_linear", "comparison": comparison}
        line = sample("texture2d", word="sample_c_lz", rest=", v1.x").replace("t0.xyzw", "t0.xxxx")
        found.append(Case(f"sample_c_lz {comparison}", line, sampler=state, compare=True))
    for most in (1, 2, 4, 16):
        for corners in ("small", "narrow", "large"):
            few: dict[str, Any] = {"filter": "anisotropic", "address": "wrap"}
            found.append(
                Case(f"anisotropic {most} {corners}", sample("texture2d"), corners=corners,
                     sampler={**few, "max_anisotropy": most}, mips=True, limit=5e-2)
            )  # fmt: skip
    return found


def text(case: Case) -> str:
    """The listing of a case."""
    mode = "mode_comparison" if case.compare else "mode_default"
    lines = [
        *signature("Input", VARYINGS), *signature("Output", TARGETS), "ps_5_0",
        "dcl_globalFlags refactoringAllowed", f"dcl_sampler s0, {mode}",
        f"dcl_resource_{case.shape} {FLOATS} t0", "dcl_input_ps linear v0.xyzw",
        "dcl_input_ps linear v1.xyzw", "dcl_output o0.xyzw", "dcl_output o1.xyzw",
        case.line, "mov o1.xyzw, v0.xyzw", "ret", "",
    ]  # fmt: skip
    return "\n".join(lines)


def vulkan_state(case: Case) -> dict[str, Any]:
    """The same sampler in Vulkan's words."""
    state = Sampler(**case.sampler).state
    words = ["point", "linear"]
    modes = [ADDRESSES.index(each) for each in state.address]
    return {
        "mag": words.index(str(state.magnify)), "min": words.index(state.minify),
        "mipmap": words.index(state.between), "addressU": modes[0], "addressV": modes[1],
        "addressW": modes[2], "bias": state.bias, "minLod": max(0.0, state.least),
        "maxLod": state.most, "border": 0, "compare": int(case.compare),
        "compareOp": COMPARISONS.index(state.comparison), "anisotropy": int(state.anisotropy > 1),
        "maxAnisotropy": float(state.anisotropy),
    }  # fmt: skip


def compared(device: Lavapipe, case: Case) -> tuple[Array, Array]:
    """Ours and theirs."""
    rng = np.random.default_rng(11)
    shape, layered, axes = SHAPES[case.shape]
    texels = rng.random((*axes, 4)).astype(np.float32)
    resource = LoweredResource(
        "t0", Form.TEXTURE, 16, returns=("float",) * 4, shape=shape, layered=layered
    )
    packed = pack(resource, Given(texels, mips=case.mips), "t0")
    levels = packed.state.levels
    layers = axes[0] if layered or shape is Shape.CUBE else 1
    sizes = axes[1:] if layers > 1 else axes
    data = packed.texels.view("<f4").reshape(-1, 4)
    kind = "d32" if case.compare else "rgba32f"
    image = device.image(
        kind, *reversed(sizes), shape=VIEWS[case.shape], levels=levels, layers=layers
    )
    image.write((data[:, 0] if case.compare else data).tobytes())
    texture = Texture(device, image, **vulkan_state(case))
    module, numbers = translated(text(case))
    every = {"t0": Half(texture, SAMPLED_IMAGE), "s0": Half(texture, SAMPLER)}
    corners = np.array([CORNERS[case.corners], SECOND], np.float32)
    varyings = {at: ("rgba32f", each.tolist()) for at, each in enumerate(corners)}
    bound = {number: every[name] for name, number in numbers.items()}
    drawn, places = draw(device, module, varyings, bound, size=SIZE, targets=("rgba32f",) * 2)
    x, y = quads(SIZE)
    theirs = np.frombuffer(drawn, np.float32).reshape(SIZE, SIZE, 4)[y, x]
    # Their own coordinates: where a texel ends is no question of interpolation then.
    first = np.frombuffer(places, np.float32).reshape(SIZE, SIZE, 4)[y, x]
    inputs = ports("v0", first.copy()) | ports("v1", interpolated(corners[1], SIZE))
    lowered = unshade.assemble(text(case), "dxcontainer").programs[0].lower()
    memories = {"t0": packed.texels, "t0.shape": packed.shape}
    given = {port.name: inputs[port.name] for port in lowered.kernel.inputs}
    state = Sampler(**case.sampler).state
    found = run(lowered, given, memories, {"t0": packed.state}, {"s0": state})
    ours = np.stack([found[f"o0.{letter}"] for letter in "xyzw"], 1).view(np.float32)
    return ours, theirs


def mean_over_pixels(case: Case, across: int = 24) -> Array:
    """Return the result of a perfect filter: level 0, bilinear, at many places of each pixel."""
    texels = np.random.default_rng(11).random((*SHAPES[case.shape][2], 4)).astype(np.float32)
    height, width = texels.shape[:2]
    corner = np.array(CORNERS[case.corners], np.float64)
    x, y = quads(SIZE)
    total = np.zeros((len(x), 4))
    for at in range(across * across):
        s = (x + (at % across + 0.5) / across) / (2 * SIZE)
        t = (y + (at // across + 0.5) / across) / (2 * SIZE)
        place = corner[0] + np.outer(s, corner[1] - corner[0]) + np.outer(t, corner[2] - corner[0])
        u, v = place[:, 0] * width - 0.5, place[:, 1] * height - 0.5
        column, row = np.floor(u).astype(int), np.floor(v).astype(int)
        for down in (0, 1):
            for right in (0, 1):
                weight = np.abs(1 - right - (u - column)) * np.abs(1 - down - (v - row))
                found = texels[(row + down) % height, (column + right) % width]
                total += weight[:, np.newaxis] * found
    return total / across**2


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default="", help="cases whose name has this in it")
    given = parser.parse_args()
    if not shutil.which("vkd3d-compiler"):
        print("vkd3d-compiler is missing", file=sys.stderr)
        return 2
    with Lavapipe() as device:
        print(f"{device.name}: {device.version}")
        print(f"{'':34} near        mean distance   greatest")
        for case in cases():
            if given.only not in case.name:
                continue
            ours, theirs = compared(device, case)
            distance = np.abs(ours.astype(np.float64) - theirs)
            near = float((distance <= case.limit).mean())
            row = f"{case.name:34} {100 * near:7.3f} %   {distance.mean():.1e}"
            row = f"{row}         {distance.max():.1e}"
            if "anisotropic" in case.name:
                mean = mean_over_pixels(case)
                apart = [float(np.abs(each - mean).mean()) for each in (ours, theirs)]
                row += f"   {apart[0]:.4f} here, {apart[1]:.4f} there from the mean"
            print(row, flush=True)
    return 0


if __name__ == "__main__":
    exit_with(main)
