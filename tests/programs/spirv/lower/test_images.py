"""Images and samplers: sampling, gathers, fetches, storage images, atomics and queries."""

from typing import Any

import numpy as np
import pytest

from unshade import Shader, kernel
from unshade.errors import UnsupportedError, UsageError
from unshade.run import Sampler, Texture

from .graphics import fragment, module, same_everywhere

IMAGE = np.arange(12, dtype="<f4").reshape(3, 4)  # 4 wide
AT_0 = 'OpName %tex "tex"\nOpDecorate %tex DescriptorSet 0\nOpDecorate %tex Binding 0\n'
SAMPLED = """%image = OpTypeImage %float {dim} 0 {arrayed} {many} 1 Unknown
%sampled = OpTypeSampledImage %image
%p_tex = OpTypePointer UniformConstant %sampled
%tex = OpVariable %p_tex UniformConstant
"""
PLACE = "%place = OpConstantComposite %v2float {} {}\n"
POINT = Sampler("point", "clamp", max_lod=0)


def sampling(
    code: str, globals: str = "", *, dim: str = "2D", arrayed: int = 0, many: int = 0
) -> Shader:
    """Return a fragment shader with a combined texture %tex, whose colour is %value."""
    return fragment(
        f"%both = OpLoad %sampled %tex\n%plain = OpImage %image %both\n{code}\nOpStore %out %value",
        globals=SAMPLED.format(dim=dim, arrayed=arrayed, many=many) + globals, decorations=AT_0,
        capabilities="OpCapability ImageQuery\nOpCapability ImageGatherExtended\n"
        "OpCapability SampledCubeArray\nOpCapability Sampled1D\nOpCapability SampledBuffer\n"
        "OpCapability MinLod",
    )  # fmt: skip


def sampled(code: str, texture: Any, globals: str = "", **image: Any) -> list[float]:
    """Return %value, four floats, of a fragment shader with a combined texture %tex."""
    shader = sampling(code, globals, **image)
    found = same_everywhere(shader, lambda each: each.shade((1, 1), tex=texture)["location0"])
    return [float(each) for each in found[0, 0]]


SAMPLE = "%value = OpImageSampleExplicitLod %v4float %both %place Lod %f0"


def test_filters_and_address_modes() -> None:
    place = PLACE.format("%half", "%half")
    assert sampled(SAMPLE, Texture(IMAGE, sampler=POINT), place)[0] == 6
    assert sampled(SAMPLE, Texture(IMAGE, sampler=Sampler("linear")), place)[0] == 5.5
    outside = PLACE.format("%f2", "%half")
    border = Sampler("point", "border", border=(9, 0, 0, 0))
    assert sampled(SAMPLE, Texture(IMAGE, sampler=border), outside)[0] == 9


def test_projection_divides_by_the_last_coordinate() -> None:
    code = "%value = OpImageSampleProjExplicitLod %v4float %both %place Lod %f0"
    place = "%place = OpConstantComposite %v3float %f1 %f1 %f2"
    assert sampled(code, Texture(IMAGE, sampler=POINT), place)[0] == 6


def test_offsets_and_levels() -> None:
    levels = [IMAGE[:2], np.array([[50, 51]], "<f4")]
    sampler = Sampler("point", "clamp")
    place = PLACE.format("%quarter", "%quarter") + "%by = OpConstantComposite %v2int %i1 %i1"
    code = "%value = OpImageSampleExplicitLod %v4float %both %place Lod|ConstOffset %f0 %by"
    assert sampled(code, Texture(levels, sampler=sampler), place)[0] == 6
    code = "%value = OpImageSampleExplicitLod %v4float %both %place Lod %f1"
    assert sampled(code, Texture(levels, sampler=sampler), place)[0] == 50
    code = "%value = OpImageSampleExplicitLod %v4float %both %place Grad %step %zero"
    steps = "\n%step = OpConstantComposite %v2float %half %f0"
    steps += "\n%zero = OpConstantComposite %v2float %f0 %f0"
    assert sampled(code, Texture(levels, sampler=sampler), place + steps)[0] == 50
    code = "%value = OpImageSampleImplicitLod %v4float %both %place MinLod %f1"
    assert sampled(code, Texture(levels, sampler=sampler), place)[0] == 50


def test_comparison_has_one_component() -> None:
    code = """%one = OpImageSampleDrefExplicitLod %float %both %place %f2 Lod %f0
%other = OpImageDrefGather %v4float %both %place %f2
%first = OpCompositeExtract %float %other 1
%value = OpCompositeConstruct %v4float %one %first %f0 %f0"""
    sampler = Sampler("point", "clamp", comparison="less")
    place = PLACE.format("%half", "%half")
    assert sampled(code, Texture(IMAGE, sampler=sampler), place)[:2] == [1, 1]
    assert sampled(code, Texture(IMAGE - 9, sampler=sampler), place)[:2] == [0, 0]


@pytest.mark.parametrize(
    "code",
    [
        "%four = OpImageDrefGather %v4uint %both %place %f2",
        "%one = OpImageSampleDrefExplicitLod %uint %both %place %f2 Lod %f0",
    ],
)
def test_comparisons_of_an_image_of_integers_are_refused(code: str) -> None:
    shader = fragment(
        f"%both = OpLoad %sampled %tex\n{code}",
        globals=SAMPLED.replace("%float", "%uint").format(dim="2D", arrayed=0, many=0)
        + PLACE.format("%half", "%half"),
        decorations=AT_0,
    )
    with pytest.raises(UnsupportedError, match="comparisons of an image of integers"):
        kernel(shader)


def test_gather_takes_the_four_texels_of_a_filter() -> None:
    place = PLACE.format("%half", "%half")
    code = "%value = OpImageGather %v4float %both %place %i0"
    assert sampled(code, Texture(IMAGE[:2], sampler=POINT), place) == [5, 6, 2, 1]
    four = "%pair = OpTypeArray %v2int %four\n%four = OpConstant %uint 4"
    four = "%four = OpConstant %uint 4\n%pair = OpTypeArray %v2int %four\n" + "".join(
        f"%o{at} = OpConstantComposite %v2int %i{x} %i{y}\n"
        for at, (x, y) in enumerate([(0, 0), (1, 0), (0, 1), (1, 1)])
    )
    code = "%value = OpImageGather %v4float %both %place %i0 ConstOffsets %all"
    every = "%all = OpConstantComposite %pair %o0 %o1 %o2 %o3"
    found = sampled(code, Texture(IMAGE[:2], sampler=POINT), place + four + every)
    assert found == [1, 2, 5, 6]


def test_fetches_of_arrays_and_samples() -> None:
    place = "%place = OpConstantComposite %v3int %i3 %i1 %i1"
    code = "%value = OpImageFetch %v4float %plain %place Lod %i0"
    layers = np.stack([IMAGE, IMAGE + 100])
    assert sampled(code, layers, place, arrayed=1)[0] == 107
    place = "%place = OpConstantComposite %v2int %i2 %i1"
    code = "%value = OpImageFetch %v4float %plain %place Sample %i1"
    samples = np.stack([IMAGE, IMAGE + 50], axis=-1)[..., np.newaxis]
    assert sampled(code, samples, place, many=1)[0] == 56


def test_texel_buffers() -> None:
    texels = np.arange(8, dtype="<f4").reshape(4, 2)
    code = "%value = OpImageFetch %v4float %plain %i2"
    assert sampled(code, texels, dim="Buffer") == [4, 5, 0, 1]
    code = """%n = OpImageQuerySize %int %plain
%float_n = OpConvertSToF %float %n
%value = OpCompositeConstruct %v4float %float_n %f0 %f0 %f0"""
    assert sampled(code, texels, dim="Buffer")[0] == 4


def test_queries() -> None:
    code = """%size = OpImageQuerySizeLod %v2int %plain %i1
%x = OpCompositeExtract %int %size 0
%y = OpCompositeExtract %int %size 1
%levels = OpImageQueryLevels %int %plain
%detail = OpImageQueryLod %v2float %both %place
%lod = OpCompositeExtract %float %detail 1
%fx = OpConvertSToF %float %x
%fy = OpConvertSToF %float %y
%fl = OpConvertSToF %float %levels
%clamped = OpExtInst %float %1 FMax %lod %f0
%value = OpCompositeConstruct %v4float %fx %fy %fl %clamped"""
    levels = [np.zeros((6, 4), "<f4"), np.zeros((3, 2), "<f4"), np.zeros((1, 1), "<f4")]
    place = PLACE.format("%half", "%half")
    assert sampled(code, Texture(levels, sampler=POINT), place) == [2, 3, 3, 0]


SEPARATE = """%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampler = OpTypeSampler
%both = OpTypeSampledImage %image
%images = OpTypeArray %image %c3
%samplers = OpTypeArray %sampler %c2
%p_images = OpTypePointer UniformConstant %images
%p_samplers = OpTypePointer UniformConstant %samplers
%p_image = OpTypePointer UniformConstant %image
%p_sampler = OpTypePointer UniformConstant %sampler
%tex = OpVariable %p_images UniformConstant
%filters = OpVariable %p_samplers UniformConstant
%p_in = OpTypePointer Input %v2int
%chosen = OpVariable %p_in Input
%place = OpConstantComposite %v2float %half %half
"""


def test_arrays_of_images_and_samplers_are_indexed_at_run_time() -> None:
    shader = fragment(
        """%which = OpLoad %v2int %chosen
%a = OpCompositeExtract %int %which 0
%b = OpCompositeExtract %int %which 1
%pa = OpAccessChain %p_image %tex %a
%pb = OpAccessChain %p_sampler %filters %b
%la = OpLoad %image %pa
%lb = OpLoad %sampler %pb
%joined = OpSampledImage %both %la %lb
%value = OpImageSampleExplicitLod %v4float %joined %place Lod %f0
OpStore %out %value""",
        globals=SEPARATE, inputs="%chosen",
        decorations=AT_0 + 'OpName %filters "filters"\nOpName %chosen "chosen"\n'
        "OpDecorate %filters DescriptorSet 0\nOpDecorate %filters Binding 1\n"
        "OpDecorate %chosen Location 0\nOpDecorate %chosen Flat",
    )  # fmt: skip
    bound: dict[str, Any] = {f"set0_binding0[{at}]": IMAGE + 100 * at for at in range(3)}
    bound |= {"set0_binding1[0]": POINT, "set0_binding1[1]": Sampler("linear")}
    chosen = {"chosen": np.array([[0, 0], [2, 0], [1, 1], [7, 0]], "<i4")}
    found = same_everywhere(shader, lambda each: each.shade(chosen, **bound)["location0"])
    assert found[:, 0].tolist() == [6, 206, 105.5, 0]
    lists = kernel(shader).shade(chosen, None, {"tex": [IMAGE] * 3, "filters": [POINT, POINT]})[
        "location0"
    ]
    assert lists[:, 0].tolist() == [6, 6, 6, 0]


def storing(code: str, kind: str, globals: str = "") -> Shader:
    """Return a compute shader of eight invocations %i in a row, with a storage image %tex."""
    return module(
        "GLCompute", "%all = OpLoad %v3uint %gid\n%i = OpCompositeExtract %uint %all 0\n" + code,
        interface="%gid", modes="OpExecutionMode %main LocalSize 8 1 1",
        decorations=AT_0 + "OpDecorate %gid BuiltIn GlobalInvocationId",
        globals=f"""{globals}
%v3uint = OpTypeVector %uint 3
%p_gid = OpTypePointer Input %v3uint
%gid = OpVariable %p_gid Input
%image = OpTypeImage {kind}
%p_tex = OpTypePointer UniformConstant %image
%tex = OpVariable %p_tex UniformConstant""",
        capabilities="OpCapability StorageImageExtendedFormats\nOpCapability ImageQuery\n"
        "OpCapability Int64\nOpCapability Int64ImageEXT\nOpCapability Int64Atomics",
    )  # fmt: skip


def stored(code: str, image: Any, kind: str, globals: str = "", groups: int = 1) -> Any:
    """Return a storage image of a compute shader with eight invocations in a row."""

    def call(each: Any) -> Any:
        return each.dispatch(groups, tex=np.array(image))["set0_binding0"]

    return same_everywhere(storing(code, kind, globals), call)


def test_storage_images_are_read_and_written() -> None:
    code = """%t = OpLoad %image %tex
%y = OpIAdd %uint %i %c0
%from = OpCompositeConstruct %v2uint %y %c0
%to = OpCompositeConstruct %v2uint %y %c1
%texel = OpImageRead %v4float %t %from
%more = OpFAdd %v4float %texel %texel
OpImageWrite %t %to %more"""
    image = np.zeros((2, 4, 4), "u1")
    image[0] = [[10, 20, 30, 40]] * 4
    image[0, 3] = 200
    found = stored(code, image, "%float 2D 0 0 0 2 Rgba8")
    assert found[1, 0].tolist() == [20, 40, 60, 80]
    assert found[1, 3].tolist() == [255] * 4


def test_image_atomics_count() -> None:
    code = """%at = OpCompositeConstruct %v2uint %c1 %c0
%texel = OpImageTexelPointer %p_texel %tex %at %c0
%old = OpAtomicIAdd %uint %texel %c1 %c0 %c2"""
    image = np.zeros((2, 2), "<u4")
    globals = "%p_texel = OpTypePointer Image %uint"
    found = stored(code, image, "%uint 2D 0 0 0 2 R32ui", globals, groups=2)
    assert found.tolist() == [[0, 32], [0, 0]]


def test_writes_outside_of_an_image_are_dropped() -> None:
    code = """%t = OpLoad %image %tex
%far = OpCompositeConstruct %v2uint %i %c2
%value = OpCompositeConstruct %v4uint %c1 %c1 %c1 %c1
OpImageWrite %t %far %value"""
    found = stored(code, np.zeros((2, 8), "<u4"), "%uint 2D 0 0 0 2 R32ui")
    assert not found.any()


SPARSE = """%pair = OpImageSparseFetch %both_ %plain %place Lod %i0
%texel = OpCompositeExtract %v4float %pair 1
%code = OpCompositeExtract %int %pair 0
%there = OpImageSparseTexelsResident %bool %code
%value = OpSelect %v4float %there %texel %nothing"""
SPARSE_PLACE = """%place = OpConstantComposite %v2int %i2 %i1
%both_ = OpTypeStruct %int %v4float
%nothing = OpConstantComposite %v4float %f0 %f0 %f0 %f0"""


def test_sparse_reads_are_all_resident() -> None:
    assert sampled(SPARSE, IMAGE, SPARSE_PLACE)[0] == 6


def test_coordinates_in_texels() -> None:
    one_and_a_half = "%x = OpConstant %float 1.5\n%place = OpConstantComposite %v2float %x %f1\n"
    point = Sampler("point", unnormalized=True)
    assert sampled(SAMPLE, Texture(IMAGE, sampler=point), one_and_a_half)[0] == 5
    linear = Sampler("linear", unnormalized=True)
    assert sampled(SAMPLE, Texture(IMAGE, sampler=linear), one_and_a_half)[0] == 3
    far = "%x = OpConstant %float 9\n%place = OpConstantComposite %v2float %x %f1\n"
    assert sampled(SAMPLE, Texture(IMAGE, sampler=point), far)[0] == 7
    border = Sampler("point", "border", border=(9, 0, 0, 0), unnormalized=True)
    assert sampled(SAMPLE, Texture(IMAGE, sampler=border), far)[0] == 9
    with pytest.raises(UsageError, match="clamp or border"):
        Sampler("point", "wrap", unnormalized=True)


CUBE = """%t = OpLoad %image %tex
%face = OpConvertUToF %float %i
%from = OpCompositeConstruct %v3uint %c1 %c0 %i
%texel = OpImageRead %v4uint %t %from
%to = OpCompositeConstruct %v3uint %c0 %c1 %i
OpImageWrite %t %to %texel"""


def test_faces_of_a_stored_cube() -> None:
    """Faces are layers; the invocations beyond the last face read nothing and write nothing."""
    image = np.arange(24, dtype="<u4").reshape(6, 2, 2)
    expected = image.copy()
    expected[:, 1, 0] = image[:, 0, 1]
    found = stored(CUBE, image, "%uint Cube 0 0 0 2 R32ui")
    np.testing.assert_array_equal(found, expected)


def test_samples_of_a_stored_image() -> None:
    code = """%t = OpLoad %image %tex
%at = OpCompositeConstruct %v2uint %c1 %c0
%more = OpIAdd %uint %i %c3
%value = OpCompositeConstruct %v4uint %more %more %more %more
OpImageWrite %t %at %value Sample %i
%texel = OpImageRead %v4uint %t %at Sample %i
%to = OpCompositeConstruct %v2uint %c0 %c0
OpImageWrite %t %to %texel Sample %i"""
    found = stored(code, np.zeros((1, 2, 4), "<u4"), "%uint 2D 0 0 1 2 R32ui")
    assert found[0].tolist() == [[3, 4, 5, 6], [3, 4, 5, 6]]


WIDE_KIND = "%ulong 2D 0 0 0 2 R64ui"
WIDE = """%ulong = OpTypeInt 64 0
%v4ulong = OpTypeVector %ulong 4
%p_texel = OpTypePointer Image %ulong
%big = OpConstant %ulong 8589934592
%thirty = OpConstant %uint 32"""
WIDE_CODE = """%at = OpCompositeConstruct %v2uint %c1 %c0
%texel = OpImageTexelPointer %p_texel %tex %at %c0
%old = OpAtomicIAdd %ulong %texel %c1 %c0 %big
%t = OpLoad %image %tex
%from = OpCompositeConstruct %v2uint %c0 %c0
%four = OpImageRead %v4ulong %t %from
%x = OpCompositeExtract %ulong %four 0
%w = OpCompositeExtract %ulong %four 3
%sum = OpIAdd %ulong %x %w
%value = OpCompositeConstruct %v4ulong %sum %sum %sum %sum
%to = OpCompositeConstruct %v2uint %i %c1
OpImageWrite %t %to %value"""


def test_texels_of_64_bits() -> None:
    """The first texel is copied with 1 added, the fourth component; the second counts to 16."""
    image = np.array([[7 << 40, 5], [0, 0]], "<u8")
    found = stored(WIDE_CODE, image, WIDE_KIND, WIDE)
    assert found.dtype == np.uint64
    assert found.tolist() == [[7 << 40, (16 << 32) + 5], [(7 << 40) + 1, (7 << 40) + 1]]


def test_texels_of_64_bits_are_one_number_in_vulkan() -> None:
    """R64i and R64ui are the only formats of such images: a second component would be lost."""
    for array in (np.zeros((2, 2, 2), "<u8"), np.zeros((2, 2, 4), "<u4")):
        with pytest.raises(UsageError, match="expected 1 component of 64 bits, got"):
            stored(WIDE_CODE, array, WIDE_KIND, WIDE)
    pairs = np.array([[[0, 7], [5, 0]], [[0, 0], [0, 0]]], "<u4")
    assert stored(WIDE_CODE, pairs, WIDE_KIND, WIDE)[1].tolist() == [[1, 7], [1, 7]]


def test_an_input_attachment_is_read_at_the_pixel() -> None:
    shader = fragment(
        """%t = OpLoad %image %tex
%value = OpImageRead %v4float %t %here
OpStore %out %value""",
        globals="""%image = OpTypeImage %float SubpassData 0 0 0 2 Unknown
%p_tex = OpTypePointer UniformConstant %image
%tex = OpVariable %p_tex UniformConstant
%here = OpConstantComposite %v2int %i0 %i0""",
        decorations=AT_0 + "OpDecorate %tex InputAttachmentIndex 0",
        capabilities="OpCapability InputAttachment",
    )  # fmt: skip
    found = same_everywhere(shader, lambda each: each.shade((4, 3), tex=IMAGE)["location0"])
    np.testing.assert_array_equal(found[..., 0], IMAGE)
