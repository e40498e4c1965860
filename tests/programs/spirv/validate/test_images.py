"""Image instructions: operands, coordinates, texels and image operands by the type of the image."""

from __future__ import annotations

from tests.programs.spirv.validate.lines import FINE, differing, differing_modules

HEAD = """OpCapability Shader
    OpCapability Linkage
    OpCapability Sampled1D
    OpCapability SampledBuffer
    OpCapability ImageQuery
    OpCapability SampledCubeArray
    OpCapability StorageImageMultisample
    OpCapability StorageImageReadWithoutFormat
    OpCapability StorageImageWriteWithoutFormat
    OpCapability ImageGatherExtended
    OpCapability MinLod
    OpCapability SparseResidency
    OpMemoryModel Logical GLSL450
    OpEntryPoint Fragment %main "main"
    OpExecutionMode %main OriginUpperLeft
    {types} %int = OpTypeInt 32 1
    %float3 = OpTypeVector %float 3
    %float4 = OpTypeVector %float 4
    %int2 = OpTypeVector %int 2
    %int3 = OpTypeVector %int 3
    %int4 = OpTypeVector %int 4
    %uint4 = OpTypeVector %uint 4
    %sampler = OpTypeSampler
    %t1 = OpTypeImage %float 1D 0 0 0 1 Unknown
    %t2 = OpTypeImage %float 2D 0 0 0 1 Unknown
    %t2a = OpTypeImage %float 2D 0 1 0 1 Unknown
    %t3 = OpTypeImage %float 3D 0 0 0 1 Unknown
    %tc = OpTypeImage %float Cube 0 0 0 1 Unknown
    %tca = OpTypeImage %float Cube 0 1 0 1 Unknown
    %tm = OpTypeImage %float 2D 0 0 1 1 Unknown
    %td = OpTypeImage %float 2D 1 0 0 1 Unknown
    %tb = OpTypeImage %float Buffer 0 0 0 1 Unknown
    %ti = OpTypeImage %int 2D 0 0 0 1 Unknown
    %tw = OpTypeImage %float 2D 0 0 0 2 Rgba32f
    %twm = OpTypeImage %float 2D 0 0 1 2 Rgba32f
    %s1 = OpTypeSampledImage %t1
    %s2 = OpTypeSampledImage %t2
    %s2a = OpTypeSampledImage %t2a
    %s3 = OpTypeSampledImage %t3
    %sc = OpTypeSampledImage %tc
    %sca = OpTypeSampledImage %tca
    %sm = OpTypeSampledImage %tm
    %sd = OpTypeSampledImage %td
    %si = OpTypeSampledImage %ti
    %sparse = OpTypeStruct %int %float4
    %sparse2 = OpTypeStruct %float %float4
    %f2 = OpConstantNull %float2
    %f3 = OpConstantNull %float3
    %f4 = OpConstantNull %float4
    %i1 = OpConstant %int 1
    %i2 = OpConstantNull %int2
    %i3 = OpConstantNull %int3
    %u2 = OpConstantNull %uint2
    %four = OpConstant %uint 4
    %i2x4 = OpTypeArray %int2 %four
    %i2x2 = OpTypeArray %int2 %two
    %offsets = OpConstantNull %i2x4
    %few = OpConstantNull %i2x2
    %moving = OpUndef %int2
    """
KINDS = ("1", "2", "2a", "3", "c", "ca", "m", "d", "i")
LOCAL = "\n".join(
    [f"%image{each} = OpUndef %t{each}" for each in (*KINDS, "b", "w", "wm")]
    + [f"%sampled{each} = OpUndef %s{each}" for each in KINDS]
    + ["%sampler0 = OpUndef %sampler"]
)
TEXEL = "expected components of the image's texel type"


def at_least(wanted: int, got: int) -> str:
    return f"expected at least {wanted} coordinates, got {got}"


def check(rows: list[tuple[str, str]]) -> None:
    named = [
        (line if line.startswith("Op") else f"%x{{}} = Op{line}", wanted) for line, wanted in rows
    ]
    assert differing(HEAD, named, local=LOCAL) == []


def test_samples_take_as_many_coordinates_as_the_image_has() -> None:
    check([
        ("ImageSampleImplicitLod %float4 %sampled1 %fone", FINE),
        ("ImageSampleImplicitLod %float4 %sampled2 %f2", FINE),
        ("ImageSampleImplicitLod %float4 %sampled2 %f4", FINE),
        ("ImageSampleImplicitLod %float4 %sampled2 %fone", at_least(2, 1)),
        ("ImageSampleImplicitLod %float4 %sampled2a %f3", FINE),
        ("ImageSampleImplicitLod %float4 %sampled2a %f2", at_least(3, 2)),
        ("ImageSampleImplicitLod %float4 %sampled3 %f2", at_least(3, 2)),
        ("ImageSampleImplicitLod %float4 %sampledc %f3", FINE),
        ("ImageSampleImplicitLod %float4 %sampledc %f2", at_least(3, 2)),
        ("ImageSampleImplicitLod %float4 %sampledca %f4", FINE),
        ("ImageSampleImplicitLod %float4 %sampledca %f3", at_least(4, 3)),
        ("ImageSampleImplicitLod %float4 %sampled2 %i2", "expected coordinates of float32"),
        ("ImageSampleImplicitLod %float3 %sampled2 %f2", "expected a texel of four components"),
        ("ImageSampleImplicitLod %uint4 %sampled2 %f2", TEXEL),
        ("ImageSampleImplicitLod %int4 %sampledi %f2", FINE),
        ("ImageSampleImplicitLod %float %sampled2 %f2", "expected a texel of int or float"),
        ("ImageSampleImplicitLod %float4 %image2 %f2", "expected a sampled image as operand"),
        ("ImageSampleImplicitLod %float4 %sampledm %f2", "a multisampled image is not sampled"),
        ("ImageSampleProjImplicitLod %float4 %sampled2 %f3", FINE),
        ("ImageSampleProjImplicitLod %float4 %sampled2 %f2", at_least(3, 2)),
        ("ImageSampleProjImplicitLod %float4 %sampledc %f4",
         "expected an image without layers or faces"),
        ("ImageSampleProjImplicitLod %float4 %sampled2a %f4",
         "expected an image without layers or faces"),
        ("ImageSampleDrefImplicitLod %float %sampledd %f2 %fone", FINE),
        ("ImageSampleDrefImplicitLod %float4 %sampledd %f2 %fone",
         "expected a scalar of int or float as texel"),
        ("ImageSampleDrefImplicitLod %uint %sampledd %f2 %fone",
         "expected the image's texel type"),
        ("ImageSampleDrefImplicitLod %float %sampledd %f2 %one",
         "expected a reference of 32-bit float"),
        ("ImageSparseSampleImplicitLod %sparse %sampled2 %f2", FINE),
        ("ImageSparseSampleImplicitLod %sparse2 %sampled2 %f2",
         "expected a structure of an int and a texel as result"),
        ("ImageSparseSampleImplicitLod %float4 %sampled2 %f2",
         "expected a structure of an int and a texel as result"),
    ])  # fmt: skip


def test_image_operands_go_with_instructions_and_images() -> None:
    implicit = "ImageSampleImplicitLod %float4 %sampled2 %f2 "
    explicit = "ImageSampleExplicitLod %float4 %sampled2 %f2 "
    cube = "ImageSampleExplicitLod %float4 %sampledc %f3 "
    fetch = "ImageFetch %float4 %image2 %i2 "
    gather = "ImageGather %float4 %sampled2 %f2 %zero "
    check([
        (implicit + "Bias %fone", FINE),
        (implicit + "Bias %one", "expected a level of 32-bit float"),
        (implicit + "MinLod %fone", FINE),
        (implicit + "Bias|MinLod %fone %one", "expected a level of 32-bit float"),
        (implicit + "Lod %fone", "Lod is for an explicit level, or a fetch"),
        (implicit + "Grad %f2 %f2", "Grad is for an explicit level"),
        (explicit + "Lod %fone", FINE),
        (explicit + "Lod %one", "expected a level of float"),
        (explicit + "Bias|Lod %fone %fone", "Bias is for an implicit level"),
        (explicit + "Lod|Grad %fone %f2 %f2", "Lod and Grad exclude each other"),
        (explicit + "Grad %f2 %f2", FINE),
        (explicit + "Grad %f2 %f3", "expected gradients of 2 components"),
        (explicit + "Grad %i2 %f2", "expected gradients of 32-bit float"),
        (explicit + "Grad|MinLod %f2 %f2 %fone", FINE),
        (explicit + "Lod|MinLod %fone %fone", "MinLod is for an implicit level, or Grad"),
        (cube + "Grad %f3 %f3", FINE),
        (cube + "Lod|ConstOffset %fone %i3", "an offset is not for cubes"),
        (explicit + "Lod|ConstOffset %fone %i2", FINE),
        (explicit + "Lod|ConstOffset %fone %i3", "expected an offset of 2 components"),
        (explicit + "Lod|ConstOffset %fone %f2", "expected an offset of 32-bit int"),
        (explicit + "Lod|Offset %fone %moving", FINE),
        (explicit + "Lod|ConstOffset|Offset %fone %i2 %i2", "expected one kind of offset"),
        (explicit + "Lod|ConstOffsets %fone %offsets", "several offsets are for gathers"),
        (fetch + "Sample %one", "Sample is for multisampled images"),
        (fetch + "Lod %one", FINE),
        (fetch + "Lod %fone", "expected a level of int"),
        (gather + "ConstOffsets %offsets", FINE),
        (gather + "ConstOffsets %few", "expected an array of four offsets"),
        (gather + "ConstOffsets %i2", "expected an array of four offsets"),
        (gather + "Bias %fone", "Bias is for an implicit level"),
        ("ImageFetch %float4 %imagem %i2 Sample %one", FINE),
        ("ImageFetch %float4 %imagem %i2 Sample %fone", "expected a sample of 32-bit int"),
        ("ImageFetch %float4 %imagem %i2", "a multisampled image needs Sample"),
        ("ImageFetch %float4 %imageb %one Lod %one", "expected an image with levels"),
    ])  # fmt: skip


def test_fetches_and_gathers() -> None:
    check([
        ("ImageFetch %float4 %image1 %one", FINE),
        ("ImageFetch %float4 %image2 %u2", FINE),
        ("ImageFetch %float4 %image2a %i2", at_least(3, 2)),
        ("ImageFetch %float4 %image2 %f2", "expected coordinates of int"),
        ("ImageFetch %float4 %imagec %i3", "a cube is not fetched"),
        ("ImageFetch %float4 %imagew %i2", "expected an image with Sampled 1"),
        ("ImageFetch %float4 %sampled2 %i2", "expected an image as operand"),
        ("ImageGather %float4 %sampled2 %f2 %zero", FINE),
        ("ImageGather %float4 %sampledc %f3 %zero", FINE),
        ("ImageGather %float4 %sampled2a %f2 %zero", at_least(3, 2)),
        ("ImageGather %float4 %sampled3 %f3 %zero", "expected the dimension 2D, Cube or Rect"),
        ("ImageGather %float4 %sampled1 %f2 %zero", "expected the dimension 2D, Cube or Rect"),
        ("ImageGather %float4 %sampledm %f2 %zero", "a multisampled image is not gathered"),
        ("ImageGather %float4 %sampled2 %f2 %fone", "expected a component of 32-bit int"),
        ("ImageDrefGather %float4 %sampledd %f2 %fone", FINE),
        ("ImageDrefGather %float4 %sampledd %f2 %one", "expected a reference of 32-bit float"),
        ("ImageDrefGather %float %sampledd %f2 %fone", "expected a texel of int or float"),
    ])  # fmt: skip


def test_reads_and_writes() -> None:
    check([
        ("ImageRead %float4 %imagew %i2", FINE),
        ("ImageRead %float %imagew %i2", FINE),
        ("ImageRead %uint4 %imagew %i2", TEXEL),
        ("ImageRead %float4 %imagew %one", at_least(2, 1)),
        ("ImageRead %float4 %image2 %i2", "expected an image with Sampled 0 or 2"),
        ("ImageRead %float4 %imagewm %i2 Sample %one", FINE),
        ("ImageRead %float4 %imagewm %i2", "a multisampled image needs Sample"),
        ("ImageRead %bool %imagew %i2", "expected a texel of int or float"),
        ("OpImageWrite %imagew %i2 %f4", FINE),
        ("OpImageWrite %imagew %i2 %u2", TEXEL),
        ("OpImageWrite %imagew %one %f4", at_least(2, 1)),
        ("OpImageWrite %image2 %i2 %f4", "expected an image with Sampled 0 or 2"),
        ("OpImageWrite %sampled2 %i2 %f4", "expected an image as operand"),
    ])  # fmt: skip


def test_images_and_samplers_are_put_together_and_taken_apart() -> None:
    check([
        ("SampledImage %s2 %image2 %sampler0", FINE),
        ("SampledImage %sd %image2 %sampler0", FINE),  # the same but for depth
        ("SampledImage %s3 %image2 %sampler0", "expected the image type of the result"),
        ("SampledImage %t2 %image2 %sampler0", "expected a sampled image as result"),
        ("SampledImage %s2 %image2 %one", "expected a sampler"),
        ("SampledImage %s2 %sampled2 %sampler0", "expected an image as operand"),
        ("Image %t2 %sampled2", FINE),
        ("Image %t3 %sampled2", "expected the image type of the sampled image"),
        ("Image %s2 %sampled2", "expected an image as result"),
        ("Image %t2 %image2", "expected a sampled image as operand"),
        ("ImageSparseTexelsResident %bool %one", FINE),
        ("ImageSparseTexelsResident %uint %one", "expected a result of bool"),
        ("ImageSparseTexelsResident %bool %fone", "expected a code of int"),
    ])  # fmt: skip


def test_queries() -> None:
    def components(number: int) -> str:
        return f"expected {number} components as result"

    dims = "expected the dimension 1D, 2D, 3D or Cube"
    check([
        ("ImageQuerySizeLod %uint %image1 %one", FINE),
        ("ImageQuerySizeLod %uint2 %image2 %one", FINE),
        ("ImageQuerySizeLod %int3 %image2a %one", FINE),
        ("ImageQuerySizeLod %int3 %image3 %one", FINE),
        ("ImageQuerySizeLod %int2 %imagec %one", FINE),
        ("ImageQuerySizeLod %int3 %imageca %one", FINE),
        ("ImageQuerySizeLod %uint2 %image1 %one", components(1)),
        ("ImageQuerySizeLod %uint2 %image2a %one", components(3)),
        ("ImageQuerySizeLod %int3 %imagec %one", components(2)),
        ("ImageQuerySizeLod %uint2 %imagem %one", "a multisampled image has no levels"),
        ("ImageQuerySizeLod %uint2 %image2 %fone", "expected a level of int"),
        ("ImageQuerySizeLod %uint %imageb %one", dims),
        ("ImageQuerySizeLod %float2 %image2 %one", "expected a result of int"),
        ("ImageQuerySize %uint %imageb", FINE),
        ("ImageQuerySize %uint2 %imagem", FINE),
        ("ImageQuerySize %uint2 %imagew", FINE),
        ("ImageQuerySize %int3 %imagew", components(2)),
        ("ImageQuerySize %uint2 %image2",
         "an image with levels; OpImageQuerySizeLod is for it"),
        ("ImageQueryLod %float2 %sampled2 %f2", FINE),
        ("ImageQueryLod %float3 %sampled2 %f2", "expected a result of two floats"),
        ("ImageQueryLod %float2 %sampled3 %f2", at_least(3, 2)),
        ("ImageQueryLod %float2 %image2 %f2", "expected a sampled image as operand"),
        ("ImageQueryLod %float2 %sampled2 %i2", "expected coordinates of float"),
        ("ImageQueryLevels %uint %image2", FINE),
        ("ImageQueryLevels %uint2 %image2", "expected a scalar of int as result"),
        ("ImageQueryLevels %uint %imageb", dims),
        ("ImageQuerySamples %uint %imagem", FINE),
        ("ImageQuerySamples %uint %image2", "expected a multisampled image"),
        ("ImageQuerySamples %uint %image3", "expected the dimension 2D"),
    ])  # fmt: skip


TEXELS = """
    %two_d = OpTypeImage %uint 2D 0 0 0 2 R32ui
    %layers = OpTypeImage %uint 2D 0 1 0 2 R32ui
    %cube = OpTypeImage %uint Cube 0 0 0 2 R32ui
    %cubes = OpTypeImage %uint Cube 0 1 0 2 R32ui
    %volume = OpTypeImage %uint 3D 0 0 0 2 R32ui
    %texels = OpTypeImage %uint Buffer 0 0 0 2 R32ui
    %samples = OpTypeImage %uint 2D 0 0 1 2 R32ui
    %subpass = OpTypeImage %uint SubpassData 0 0 0 2 Unknown
    """
OF_TEXELS = ["two_d", "layers", "cube", "cubes", "volume", "texels", "samples", "subpass"]


def test_pointers_to_texels() -> None:
    """As OpImageTexelPointer of the specification requires."""
    pointers = "\n".join(
        f"%p_{each} = OpTypePointer UniformConstant %{each}\n"
        f"%v_{each} = OpVariable %p_{each} UniformConstant"
        for each in (*OF_TEXELS, "uint", "s2")
    )
    texels = "".join(
        f"%p_texel_{each} = OpTypePointer Image %{each}\n"
        for each in ("uint", "int", "float", "uint2", "sampler")
    )
    capabilities = "OpCapability InputAttachment OpCapability ImageBuffer "
    capabilities += "OpCapability ImageCubeArray\n"
    head = f"{capabilities}{HEAD}{TEXELS}{pointers}\n%u3 = OpConstantNull %uint3\n{texels}"
    head = head.replace("%sampler = OpTypeSampler", "%uint3 = OpTypeVector %uint 3\n%sampler = "
                        "OpTypeSampler")  # fmt: skip

    def at(image: str, coordinate: str, sample: str = "zero", texel: str = "uint") -> str:
        return f"%x{{}} = OpImageTexelPointer %p_texel_{texel} %v_{image} %{coordinate} %{sample}"

    needs = "expected a pointer of the storage class Image as result"
    image = "expected a pointer to an image as operand"
    alike = "expected a pointer to the image's texel type"
    assert differing(head, [
        (at("two_d", "i2"), FINE),
        (at("two_d", "u2"), FINE),
        (at("layers", "i3"), FINE),
        (at("cube", "i3"), FINE),
        (at("cubes", "i3"), FINE),  # the third component is the layer and face
        (at("volume", "i3"), FINE),
        (at("texels", "one"), FINE),
        (at("samples", "i2", "one"), FINE),
        (at("two_d", "one"), "expected 2 coordinates"),
        (at("two_d", "i3"), "expected 2 coordinates"),
        (at("layers", "i2"), "expected 3 coordinates"),
        (at("cube", "i2"), "expected 3 coordinates"),
        (at("cubes", "i2"), "expected 3 coordinates"),
        (at("texels", "i2"), "expected 1 coordinates"),
        (at("two_d", "f2"), "expected coordinates of 32-bit int"),
        (at("two_d", "i2", "one"), "expected sample 0"),
        (at("two_d", "i2", "fone"), "expected a sample of 32-bit int"),
        (at("subpass", "i2"), "not for SubpassData"),
        (at("uint", "i2"), image),
        (at("s2", "i2"), image),
        ("%x{} = OpImageTexelPointer %p_texel_uint %one %i2 %zero", image),
        (at("two_d", "i2", texel="int"), alike),
        (at("two_d", "i2", texel="float"), alike),
        (at("two_d", "i2", texel="uint2"), "expected a pointer to a scalar"),
        (at("two_d", "i2", texel="sampler"), "expected a pointer to a scalar"),
        ("%x{} = OpImageTexelPointer %p_uint %v_two_d %i2 %zero", needs),
        ("%x{} = OpImageTexelPointer %uint %v_two_d %i2 %zero", needs),
    ], "spv1.3") == []  # fmt: skip


def test_storage_images_without_a_format() -> None:
    """Reads and writes need a capability each, until Vulkan 1.3 with SPIR-V 1.6."""
    template = """OpCapability Shader
    {}
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main" {interface}
    OpExecutionMode %main LocalSize 1 1 1
    OpDecorate %v DescriptorSet 0
    OpDecorate %v Binding 0
    {types} %float4 = OpTypeVector %float 4
    %image = OpTypeImage %float 2D 0 0 0 2 FORMAT
    %p = OpTypePointer UniformConstant %image
    %v = OpVariable %p UniformConstant
    %at = OpConstantNull %uint2
    %texel = OpConstantNull %float4
    {main} %i = OpLoad %image %v
    %read = OpImageRead %float4 %i %at
    OpImageWrite %i %at %texel {end}"""
    read, write = (
        f"Op{each}: an image without a format needs a capability"
        for each in ("ImageRead", "ImageWrite")
    )
    can_read, can_write = (
        f"OpCapability StorageImage{each}WithoutFormat" for each in ("Read", "Write")
    )
    both = f"{can_read} {can_write}"
    older = [("", [read, write]), (can_read, [write]), (can_write, [read]), (both, [])]
    always: list[tuple[str, list[str]]] = [(text, []) for text, _ in older]
    for format, target, rows in (
        ("Unknown", "vulkan1.1", older), ("Unknown", "vulkan1.2", older),
        ("Unknown", "vulkan1.3", always), ("Unknown", "spv1.5", always),
        ("Rgba32f", "vulkan1.1", always), ("Rgba32f", "vulkan1.2", always),
    ):  # fmt: skip
        parts = {"interface": "%v" if target in ("vulkan1.2", "vulkan1.3", "spv1.5") else ""}
        text = template.replace("FORMAT", format)
        assert differing_modules((text, target, rows), parts) == [], (format, target)
