"""Operations that sample, gather, load and measure textures, against texels chosen by hand.

The texture has 4 x 4 texels x + 10 y in red and 100 + x + 10 y in green, and a second level of
2 x 2 texels 200 + x + 10 y. Coordinates 0.375, 0.625 are those of texel 1, 2 (21), and of texel
0, 1 (210) of the second level. The four threads are a quad.
"""
# ruff: noqa: E501  (the tables are columns)

from typing import Any

import numpy as np
import pytest

from unshade.run import Sampler, Texture

from .test_textures import F32, HANDLE, TEXTURE_2D, TEXTURE_2DMS, results, sampled, texture_code

TYPES = """%dx.types.ResRet.f32 = type { float, float, float, float, i32 }
%dx.types.SamplePos = type { float, float }
"""
ROWS = np.arange(4)[:, None] * 10 + np.arange(4)
LEVELS = [
    np.stack([ROWS, 100 + ROWS], -1).astype("<f4"),
    np.stack([200 + ROWS[:2, :2], 300 + ROWS[:2, :2]], -1).astype("<f4"),
]
CODE = """
  %x = and i32 %lane, 1
  %fx = uitofp i32 %x to float
  %start = shl i32 %lane, 4
"""
VIEWS = f"{HANDLE} %view, {HANDLE} %s"
THERE = "float 3.750000e-01, float 6.250000e-01, float undef, float undef"
CORNER = "float 5.000000e-01, float 5.000000e-01, float undef, float undef"
ACROSS = "float %fx, float 6.250000e-01, float undef, float undef"
NONE = "i32 0, i32 0, i32 undef"
MOVED = "i32 1, i32 -1, i32 undef"
MOVING = "i32 %lane, i32 0, i32 undef"
TINY = "float 1.000000e-01, float 0.0, float undef, float 0.0, float 1.000000e-01, float undef"
WIDE = "float 5.000000e-01, float 0.0, float undef, float 0.0, float 5.000000e-01, float undef"
ONE = "float 1.000000e+00"


def of_lanes(body: str, texture: Any, view: str = "", sampler: Any = None) -> list[list[float]]:
    """Return the four numbers that each thread stores."""
    code = texture_code(CODE + body, view or sampled(F32), reads=True, types=TYPES)
    bound = {"t0": texture} if sampler is None else {"t0": texture, "s0": sampler}
    found = results(code, **{name: Kept(each) for name, each in bound.items()})[0]["u1"]
    made: list[list[float]] = found.view("<f4").reshape(4, 4).tolist()
    return made


class Kept:
    """An argument that `results` need not copy."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def copy(self) -> Any:
        return self.value


def stored(values: str) -> str:
    return f"""
  call void @dx.op.rawBufferStore.f32(i32 140, {HANDLE} %out, i32 %start, i32 undef, {values}, i8 15, i32 4)"""


def all_of(call: str) -> str:
    """Return the code of a call, and of stores of its four components."""
    parts = "".join(f"\n  %v{at} = extractvalue %dx.types.ResRet.f32 %r, {at}" for at in range(4))
    return f"\n  %r = call %dx.types.ResRet.f32 @dx.op.{call}{parts}" + stored(
        ", ".join(f"float %v{at}" for at in range(4))
    )


def texel(x: int, y: int) -> list[float]:
    return [x + 10 * y, 100 + x + 10 * y, 0, 1]


def small(x: int, y: int) -> list[float]:
    return [200 + x + 10 * y, 300 + x + 10 * y, 0, 1]


# fmt: off
SAMPLES = [
    (f"sampleLevel.f32(i32 62, {VIEWS}, {THERE}, {NONE}, float 0.0)", [texel(1, 2)] * 4),
    (f"sampleLevel.f32(i32 62, {VIEWS}, {THERE}, {MOVED}, float 0.0)", [texel(2, 1)] * 4),
    (f"sampleLevel.f32(i32 62, {VIEWS}, {THERE}, {MOVING}, float 0.0)",
     [texel(1, 2), texel(2, 2), texel(3, 2), texel(3, 2)]),
    (f"sampleLevel.f32(i32 62, {VIEWS}, {THERE}, {NONE}, {ONE})", [small(0, 1)] * 4),
    (f"sampleLevel.f32(i32 62, {VIEWS}, {ACROSS}, {NONE}, {ONE})", [small(0, 1), small(1, 1)] * 2),
    (f"sampleGrad.f32(i32 63, {VIEWS}, {THERE}, {NONE}, {TINY}, float undef)", [texel(1, 2)] * 4),
    (f"sampleGrad.f32(i32 63, {VIEWS}, {THERE}, {NONE}, {WIDE}, float undef)", [small(0, 1)] * 4),
    (f"sampleGrad.f32(i32 63, {VIEWS}, {THERE}, {NONE}, {TINY}, {ONE})", [small(0, 1)] * 4),
    (f"sampleGrad.f32(i32 63, {VIEWS}, {THERE}, {MOVED}, {TINY}, float 0.0)", [texel(2, 1)] * 4),
    # coordinates that differ by four texels in a quad: level 2, of which there are 0 and 1
    (f"sample.f32(i32 60, {VIEWS}, {ACROSS}, {NONE}, float undef)", [small(0, 1), small(1, 1)] * 2),
    (f"sample.f32(i32 60, {VIEWS}, {THERE}, {NONE}, float undef)", [texel(1, 2)] * 4),
    (f"sample.f32(i32 60, {VIEWS}, {THERE}, {NONE}, {ONE})", [small(0, 1)] * 4),
    (f"sampleBias.f32(i32 61, {VIEWS}, {ACROSS}, {NONE}, float -2.0, float undef)", [texel(0, 2), texel(3, 2)] * 2),
    (f"sampleBias.f32(i32 61, {VIEWS}, {ACROSS}, {NONE}, float -1.0, float undef)", [small(0, 1), small(1, 1)] * 2),
    # the texels from the lower left one counter-clockwise
    (f"textureGather.f32(i32 73, {VIEWS}, {CORNER}, i32 0, i32 0, i32 0)", [[21, 22, 12, 11]] * 4),
    (f"textureGather.f32(i32 73, {VIEWS}, {CORNER}, i32 0, i32 0, i32 1)", [[121, 122, 112, 111]] * 4),
    (f"textureGather.f32(i32 73, {VIEWS}, {CORNER}, i32 1, i32 -1, i32 0)", [[12, 13, 3, 2]] * 4),
    (f"textureGather.f32(i32 73, {VIEWS}, {CORNER}, i32 %lane, i32 0, i32 0)",
     [[21, 22, 12, 11], [22, 23, 13, 12], [23, 23, 13, 13], [23, 23, 13, 13]]),
    (f"textureLoad.f32(i32 66, {HANDLE} %view, i32 0, i32 3, i32 1, i32 undef, {NONE})", [texel(3, 1)] * 4),
    (f"textureLoad.f32(i32 66, {HANDLE} %view, i32 0, i32 3, i32 1, i32 undef, i32 -1, i32 2, i32 undef)", [texel(2, 3)] * 4),
    (f"textureLoad.f32(i32 66, {HANDLE} %view, i32 1, i32 1, i32 0, i32 undef, {NONE})", [small(1, 0)] * 4),
    (f"textureLoad.f32(i32 66, {HANDLE} %view, i32 0, i32 %lane, i32 1, i32 undef, {NONE})", [texel(n, 1) for n in range(4)]),
    (f"textureLoad.f32(i32 66, {HANDLE} %view, i32 1, i32 %lane, i32 1, i32 undef, {NONE})",
     [small(0, 1), small(1, 1), [0, 0, 0, 1], [0, 0, 0, 1]]),
]
COMPARED = [
    (f"sampleCmpLevelZero.f32(i32 65, {VIEWS}, {THERE}, {NONE}, float 2.050000e+01)", [1, 1, 1, 1]),
    (f"sampleCmpLevelZero.f32(i32 65, {VIEWS}, {THERE}, {NONE}, float 2.150000e+01)", [0, 0, 0, 0]),
    (f"sampleCmpLevelZero.f32(i32 65, {VIEWS}, {THERE}, {MOVING}, float 2.150000e+01)", [0, 1, 1, 1]),
    (f"sampleCmpLevel.f32(i32 224, {VIEWS}, {THERE}, {NONE}, float 2.050000e+02, {ONE})", [1, 1, 1, 1]),
    (f"sampleCmpLevel.f32(i32 224, {VIEWS}, {THERE}, {NONE}, float 2.050000e+02, float 0.0)", [0, 0, 0, 0]),
    (f"sampleCmp.f32(i32 64, {VIEWS}, {ACROSS}, {NONE}, float 2.105000e+02, float undef)", [0, 1, 0, 1]),
    (f"textureGatherCmp.f32(i32 74, {VIEWS}, {CORNER}, i32 0, i32 0, i32 0, float 2.050000e+01)", [1, 1, 1, 1]),
    (f"textureGatherCmp.f32(i32 74, {VIEWS}, {CORNER}, i32 0, i32 %lane, i32 0, float 3.050000e+01)", [0, 1, 1, 1]),
]
# fmt: on


@pytest.mark.parametrize(("call", "expected"), SAMPLES)
def test_texels(call: str, expected: list[list[float]]) -> None:
    sampler = Sampler("point", "clamp")
    load = call.startswith("textureLoad")
    assert of_lanes(all_of(call), Texture(LEVELS), sampler=None if load else sampler) == expected


@pytest.mark.parametrize(("call", "expected"), COMPARED)
def test_comparisons(call: str, expected: list[float]) -> None:
    """The reference is compared with red; the first component is the result."""
    sampler = Sampler("point", "clamp", comparison="less")
    found = of_lanes(all_of(call), Texture([each[..., 0] for each in LEVELS]), sampler=sampler)
    assert [each[0] for each in found] == expected


def test_a_comparison_of_four_texels() -> None:
    call = (
        f"textureGatherCmp.f32(i32 74, {VIEWS}, {CORNER}, i32 0, i32 0, i32 0, float 1.150000e+01)"
    )
    sampler = Sampler("point", "clamp", comparison="less")
    assert (
        of_lanes(all_of(call), Texture([LEVELS[0][..., 0]]), sampler=sampler) == [[1, 1, 1, 0]] * 4
    )


def test_levels_of_detail() -> None:
    """Four texels for each thread are level 2, which is clamped to the last one."""
    calls = "".join(
        f"\n  %v{at} = call float @dx.op.calculateLOD.f32(i32 81, {VIEWS}, float %fx, float 0.0, float undef, i1 {how})"
        for at, how in enumerate(("true", "false"))
    )
    body = calls + stored("float %v0, float %v1, float 0.0, float 0.0")
    assert of_lanes(body, Texture(LEVELS), sampler=Sampler("linear", "clamp")) == [[1, 2, 0, 0]] * 4


def test_sizes_by_level() -> None:
    parts = "".join(
        f"\n  %d{at} = extractvalue %dx.types.Dimensions %d, {at}\n  %v{at} = uitofp i32 %d{at} to float"
        for at in (0, 1, 3)
    )
    body = (
        f"\n  %d = call %dx.types.Dimensions @dx.op.getDimensions(i32 72, {HANDLE} %view, i32 %x)"
    )
    body += parts + stored("float %v0, float %v1, float 0.0, float %v3")
    texture = Texture([np.zeros((4, 8), "<f4"), np.zeros((2, 4), "<f4"), np.zeros((1, 2), "<f4")])
    assert of_lanes(body, texture) == [[8, 4, 0, 3], [4, 2, 0, 3]] * 2


def test_positions_of_samples() -> None:
    """Those of four samples, in sixteenths of a pixel; a sample that does not exist is at 0."""
    body = f"""
  %n = add i32 %lane, 1
  %p = call %dx.types.SamplePos @dx.op.texture2DMSGetSamplePosition(i32 75, {HANDLE} %view, i32 %lane)
  %q = call %dx.types.SamplePos @dx.op.texture2DMSGetSamplePosition(i32 75, {HANDLE} %view, i32 %n)
  %v0 = extractvalue %dx.types.SamplePos %p, 0
  %v1 = extractvalue %dx.types.SamplePos %p, 1
  %v2 = extractvalue %dx.types.SamplePos %q, 0
  %v3 = extractvalue %dx.types.SamplePos %q, 1"""
    body += stored("float %v0, float %v1, float %v2, float %v3")
    view = sampled(F32).replace(f"i32 {TEXTURE_2D}, i32 0", f"i32 {TEXTURE_2DMS}, i32 4")
    found = of_lanes(body, np.zeros((2, 2, 4), "<f4"), view)
    places: list[list[float]] = [
        [-2 / 16, -6 / 16],
        [6 / 16, -2 / 16],
        [-6 / 16, 2 / 16],
        [2 / 16, 6 / 16],
        [0, 0],
    ]
    assert found == [[*places[n], *places[n + 1]] for n in range(4)]


def test_an_exchange_if_equal() -> None:
    """Only the second thread finds the number that it compares; all get the old one."""
    body = f"""
  %w = shl i32 %lane, 2
  %old = call i32 @dx.op.atomicBinOp.i32(i32 78, {HANDLE} %out, i32 0, i32 %w, i32 undef, i32 undef, i32 7)
  %f = add i32 %lane, 6
  %was = call i32 @dx.op.atomicCompareExchange.i32(i32 79, {HANDLE} %out, i32 %w, i32 undef, i32 undef, i32 %f, i32 9)
  %wasf = uitofp i32 %was to float
  %e = add i32 %w, 16
  %now = bitcast float %wasf to i32
  call void @dx.op.rawBufferStore.i32(i32 140, {HANDLE} %out, i32 %e, i32 undef, i32 %now, i32 undef, i32 undef, i32 undef, i8 1, i32 4)"""
    code = texture_code(CODE + body, sampled(F32), reads=True)
    words = results(code, t0=LEVELS[0])[0]["u1"].view("<u4")
    assert words[:4].tolist() == [7, 9, 7, 7]
    assert words[4:8].view("<f4").tolist() == [7.0] * 4
