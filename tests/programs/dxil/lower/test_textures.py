"""Operations on textures: samples of written views, texels of 64 bits, raw gathers."""

from typing import Any

import numpy as np
import pytest

from tests.kernels import kernel_of
from unshade.errors import UsageError
from unshade.programs.dxil import Code
from unshade.run import engines

from .support import ENGINES, LAYOUT, code_of, declarations, lowered

TEXTURE_2D, TEXTURE_2DMS, RAW = 2, 3, 11
I32, U32, U64, U16, F32 = 4, 5, 7, 3, 9
HANDLE = "%dx.types.Handle"
TYPES = """
%dx.types.Handle = type { i8* }
%dx.types.Dimensions = type { i32, i32, i32, i32 }
%dx.types.ResRet.i16 = type { i16, i16, i16, i16, i32 }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }
%dx.types.ResRet.i64 = type { i64, i64, i64, i64, i32 }
%struct.View = type { i32 }
"""


def texture_code(body: str, view: str, *, reads: bool = False, types: str = "") -> Code:
    """Return a compute shader with the view `%view` (u0, or t0 with `reads`) and `%out` (u1)."""
    main = f"""define void @main() {{
  %view = call {HANDLE} @dx.op.createHandle(i32 57, i8 {int(not reads)}, i32 0, i32 0, i1 false)
  %out = call {HANDLE} @dx.op.createHandle(i32 57, i8 1, i32 1, i32 1, i1 false)
  %s = call {HANDLE} @dx.op.createHandle(i32 57, i8 3, i32 0, i32 0, i1 false)
  %lane = call i32 @dx.op.threadId.i32(i32 93, i32 0)
{body}
  ret void
}}"""
    out = (
        '!{i32 1, %struct.View* undef, !"out", i32 0, i32 1, i32 1, i32 11, i1 false, i1 false,'
        " i1 false, null}"
    )
    text = f"""
target datalayout = "{LAYOUT}"
target triple = "dxil-ms-dx"
{TYPES}{types}
{main}
{declarations(main)}
!dx.version = !{{!0}}
!dx.shaderModel = !{{!1}}
!dx.resources = !{{!2}}
!dx.entryPoints = !{{!7}}
!0 = !{{i32 1, i32 7}}
!1 = !{{!"cs", i32 6, i32 7}}
!2 = !{{{"!11" if reads else "null"}, {"!12" if reads else "!3"}, null, !10}}
!3 = !{{!4, !6}}
!4 = {view}
!6 = {out}
!7 = !{{void ()* @main, !"main", null, !2, !8}}
!8 = !{{i32 4, !9}}
!9 = !{{i32 4, i32 1, i32 1}}
!10 = !{{!13}}
!11 = !{{!4}}
!12 = !{{!6}}
!13 = !{{i32 0, %struct.View* undef, !"s", i32 0, i32 0, i32 1, i32 0, null}}
"""
    return code_of(text)


def written(kind: int, component: int) -> str:
    return (
        f'!{{i32 0, %struct.View* undef, !"view", i32 0, i32 0, i32 1, i32 {kind}, i1 false,'
        f" i1 false, i1 false, !14}}\n!14 = !{{i32 0, i32 {component}}}"
    )


def sampled(component: int, kind: int = TEXTURE_2D) -> str:
    return (
        f'!{{i32 0, %struct.View* undef, !"view", i32 0, i32 0, i32 1, i32 {kind}, i32 0,'
        f" !14}}\n!14 = !{{i32 0, i32 {component}}}"
    )


def results(code: Code, **bound: Any) -> list[Any]:
    """Return the results on both engines."""
    made = []
    for engine in ENGINES:
        kernel = kernel_of(lowered(code), None, engines.choose(engine, False))
        out = {"u1": np.zeros(16, "<u4")} if any(b.name == "u1" for b in kernel.bindings) else {}
        made.append(kernel.dispatch(1, **out, **{n: each.copy() for n, each in bound.items()}))
    for name in made[0]:
        np.testing.assert_array_equal(made[0][name], made[1][name])
    return made


def stores(count: int, type: str = "i32") -> str:
    """Return stores of %v0, %v1, … behind each other."""
    return "".join(
        f"""
  %at{at} = add i32 %start, {4 * at}
  call void @dx.op.rawBufferStore.{type}(i32 140, {HANDLE} %out, i32 %at{at}, i32 undef, \
i32 %v{at}, i32 undef, i32 undef, i32 undef, i8 1, i32 4)"""
        for at in range(count)
    )


def test_samples_of_a_written_view() -> None:
    """Each thread writes its sample of a texel and reads sample 1, which thread 1 wrote before."""
    body = f"""
  %more = add i32 %lane, 40
  call void @dx.op.textureStoreSample.i32(i32 225, {HANDLE} %view, i32 1, i32 0, i32 undef, \
i32 %more, i32 %more, i32 %more, i32 %more, i8 15, i32 %lane)
  call void @dx.op.barrier(i32 80, i32 9)
  %r = call %dx.types.ResRet.i32 @dx.op.textureLoad.i32(i32 66, {HANDLE} %view, i32 1, i32 1, \
i32 0, i32 undef, i32 undef, i32 undef, i32 undef)
  %v0 = extractvalue %dx.types.ResRet.i32 %r, 0
  %d = call %dx.types.Dimensions @dx.op.getDimensions(i32 72, {HANDLE} %view, i32 undef)
  %v1 = extractvalue %dx.types.Dimensions %d, 3
  %start = shl i32 %lane, 3{stores(2)}"""
    view = np.zeros((2, 3, 4), "<i4")  # height, width, samples
    found = results(texture_code(body, written(TEXTURE_2DMS, I32)), u0=view)[0]
    expected = view.copy()
    expected[0, 1] = [40, 41, 42, 43]
    np.testing.assert_array_equal(found["u0"], expected)
    assert found["u1"].view("<u4")[:4].tolist() == [41, 4, 41, 4]


def test_samples_that_do_not_exist() -> None:
    body = f"""
  %sample = add i32 %lane, 4
  call void @dx.op.textureStoreSample.i32(i32 225, {HANDLE} %view, i32 0, i32 0, i32 undef, \
i32 9, i32 9, i32 9, i32 9, i8 15, i32 %sample)"""
    found = results(texture_code(body, written(TEXTURE_2DMS, I32)), u0=np.zeros((2, 3, 4), "<i4"))
    assert not found[0]["u0"].any()


ADD_WIDE = f"""
  %wide = zext i32 %lane to i64
  %big = shl i64 %wide, 33
  %old = call i64 @dx.op.atomicBinOp.i64(i32 78, {HANDLE} %view, i32 0, i32 1, i32 0, i32 undef, \
i64 %big)"""


def test_atomics_of_64_bits_on_texels() -> None:
    view = np.zeros((2, 2), "<u8")
    view[0, 1] = 5
    found = results(texture_code(ADD_WIDE, written(TEXTURE_2D, U64)), u0=view)[0]["u0"]
    assert found.dtype == np.uint64
    assert found.tolist() == [[0, 5 + (6 << 33)], [0, 0]]


def test_words_of_texels_of_64_bits() -> None:
    """dxc stores and loads such a texel as its low and its high word."""
    body = f"""
  %r = call %dx.types.ResRet.i32 @dx.op.textureLoad.i32(i32 66, {HANDLE} %view, i32 undef, \
i32 1, i32 0, i32 undef, i32 undef, i32 undef, i32 undef)
  %low = extractvalue %dx.types.ResRet.i32 %r, 0
  %high = extractvalue %dx.types.ResRet.i32 %r, 1
  call void @dx.op.textureStore.i32(i32 67, {HANDLE} %view, i32 0, i32 0, i32 undef, \
i32 %high, i32 %low, i32 %high, i32 %low, i8 15)"""
    view = np.array([[0, (7 << 32) + 9]], "<u8")
    found = results(texture_code(body, written(TEXTURE_2D, U64)), u0=view)[0]["u0"]
    assert found.tolist() == [[(9 << 32) + 7, (7 << 32) + 9]]


def test_64_bits_stored_at_once() -> None:
    body = f"""
  call void @dx.op.textureStore.i64(i32 67, {HANDLE} %view, i32 0, i32 0, i32 undef, \
i64 81985529216486895, i64 0, i64 0, i64 0, i8 1)"""
    found = results(texture_code(body, written(TEXTURE_2D, U64)), u0=np.zeros((1, 1), "<u8"))
    assert found[0]["u0"].tolist() == [[81985529216486895]]


@pytest.mark.parametrize("coordinates", ["i32 undef, i32 undef", "i32 undef, i32 1"])
def test_undefined_coordinates_are_0(coordinates: str) -> None:
    body = f"""
  call void @dx.op.textureStore.i64(i32 67, {HANDLE} %view, {coordinates}, i32 undef, \
i64 1, i64 0, i64 0, i64 0, i8 1)"""
    code = texture_code(body, written(TEXTURE_2D, U64))
    kernel = kernel_of(lowered(code), None, engines.choose("lockstep", False))
    given = {"u0": np.zeros((2, 2), "<u8"), "u1": np.zeros(4, "<u4")}
    found = kernel.dispatch(1, **given)["u0"]
    expected = np.zeros((2, 2))
    expected[int(coordinates.endswith("1")), 0] = 1
    np.testing.assert_array_equal(np.reshape(found, (2, 2)), expected)


def test_texels_of_64_bits_have_two_components_at_most() -> None:
    kernel = kernel_of(
        lowered(texture_code(ADD_WIDE, written(TEXTURE_2D, U64))),
        None, engines.choose("lockstep", False),
    )  # fmt: skip
    with pytest.raises(UsageError, match="expected 1 or 2 components of 64 bits, got 3"):
        kernel.dispatch(1, u0=np.zeros((1, 1, 3), "<u8"))


@pytest.mark.parametrize(
    ("element", "dtype"), [("i64", "<i8"), ("<2 x double>", "<f8"), ("[4 x i64]", "<u8")]
)
def test_texels_of_64_bits_that_are_stated_as_words(element: str, dtype: str) -> None:
    """DXC says that they are integers of 32 bits; the type of the variable says what they are."""
    body = f"""
  %r = call %dx.types.ResRet.i32 @dx.op.textureLoad.i32(i32 66, {HANDLE} %view, i32 undef, \
i32 0, i32 0, i32 undef, i32 undef, i32 undef, i32 undef)
  %x = extractvalue %dx.types.ResRet.i32 %r, 0
  %y = extractvalue %dx.types.ResRet.i32 %r, 1
  call void @dx.op.textureStore.i32(i32 67, {HANDLE} %view, i32 1, i32 0, i32 undef, \
i32 %x, i32 %y, i32 %x, i32 %y, i8 15)"""
    view = written(TEXTURE_2D, U32).replace("%struct.View*", "%struct.Texels*")
    types = f"%struct.Texels = type {{ {element} }}\n"
    for components in (1, 2):
        texels = np.zeros((1, 2, components), dtype)
        texels[0, 0] = 12345678901
        found = results(texture_code(body, view, types=types), u0=texels)[0]["u0"]
        assert found.dtype == dtype
        assert found.reshape(2, -1).tolist() == [[12345678901] * components] * 2


GATHER = """
  %r = call %dx.types.ResRet.{type} @dx.op.textureGatherRaw.{type}(i32 223, {handle} %view, \
{handle} %s, float 5.000000e-01, float 5.000000e-01, float undef, float undef, i32 0, i32 0)"""


def test_a_raw_gather() -> None:
    body = GATHER.format(type="i32", handle=HANDLE) + "".join(
        f"\n  %v{at} = extractvalue %dx.types.ResRet.i32 %r, {at}" for at in range(4)
    )
    body += "\n  %start = shl i32 %lane, 0" + stores(4)
    view = np.array([[1, 2], [3, 4]], "<u4")
    found = results(texture_code(body, sampled(5), reads=True), t0=view)[0]
    assert found["u1"].view("<u4")[:4].tolist() == [3, 4, 2, 1]


def test_a_raw_gather_of_64_bits() -> None:
    body = GATHER.format(type="i64", handle=HANDLE)
    body += """
  %w = extractvalue %dx.types.ResRet.i64 %r, 0
  %h = lshr i64 %w, 32
  %v0 = trunc i64 %w to i32
  %v1 = trunc i64 %h to i32
  %start = shl i32 %lane, 0"""
    view = np.array([[1, 2], [(7 << 32) + 3, 4]], "<u8")
    found = results(texture_code(body + stores(2), sampled(U64), reads=True), t0=view)[0]
    assert found["u1"].view("<u4")[:2].tolist() == [3, 7]


# -Z is face 5; its columns go towards -X and its rows towards -Y.
BEHIND = (-0.5, 0.5, -1.0)


@pytest.mark.parametrize(
    ("kind", "shape", "coordinates", "texel"),
    [
        (1, (4,), (0.625,), (2,)),
        (2, (2, 4), (0.625, 0.75), (1, 2)),
        (4, (3, 2, 4), (0.625, 0.75, 0.5), (1, 1, 2)),
        (5, (6, 2, 2), BEHIND, (5, 0, 1)),
        (6, (3, 4), (0.625, 2.0), (2, 2)),
        (7, (3, 2, 4), (0.625, 0.75, 2.0), (2, 1, 2)),
        (9, (12, 2, 2), (*BEHIND, 1.0), (11, 0, 1)),
    ],
)
def test_each_kind_of_texture_takes_its_coordinates(
    kind: int, shape: tuple[int, ...], coordinates: tuple[float, ...], texel: tuple[int, ...]
) -> None:
    """The number of a slice follows the coordinates; what the kind does not take is ignored.

    Source: DXIL.rst, "Resource operations"; Direct3D 11.3 specification, 7.18 (faces of a cube).
    """
    code = sampling(kind, coordinates)
    texels = np.arange(np.prod(shape), dtype="<f4").reshape(shape)
    found = results(code, t0=texels)[0]["u1"]
    assert found[:4].view("<f4")[0] == texels[texel]


def test_a_cube_has_six_faces() -> None:
    """An array of cubes is another kind of texture."""
    with pytest.raises(UsageError, match="expected the 6 faces of a cube"):
        results(sampling(5, BEHIND), t0=np.zeros((12, 2, 2), "<f4"))


def sampling(kind: int, coordinates: tuple[float, ...]) -> Code:
    """Return a shader that stores a sample of a texture of a kind."""
    given = [f"float {each:.6e}" for each in coordinates] + ["float undef"] * 4
    body = f"""
  %r = call %dx.types.ResRet.f32 @dx.op.sampleLevel.f32(i32 62, {HANDLE} %view, {HANDLE} %s, \
{", ".join(given[:4])}, i32 0, i32 0, i32 0, float 0.000000e+00)
  %f = extractvalue %dx.types.ResRet.f32 %r, 0
  %v0 = bitcast float %f to i32
  %start = shl i32 %lane, 0{stores(1)}"""
    types = "%dx.types.ResRet.f32 = type { float, float, float, float, i32 }\n"
    return texture_code(body, sampled(F32, kind), reads=True, types=types)
