"""Scenes made from seeds: positions in clip space, and the shaders that show what is drawn.

    vertex()                 passes on a position, a value of four floats and the size of a point
    fragment(places)         the value interpolated in every way, and what the rasteriser says
    fetch()                  reads every sample of an image into a buffer

The targets of the fragment shader, each of four floats:

    0   the value, with perspective              3   the coordinates of the fragment
    1   the value, linear on the screen          4   the value at the centroid, or at the sample
    2   the value of the first vertex (x),       5   the derivatives of the value's x and y
        face, primitive + 1, coverage                along x, then along y; in place of
                                                     the last the number of the sample
"""

HEAD = """\
OpCapability Shader
{capabilities}
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint {model} %main "main" {interface}
{modes}
{decorations}
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%v2 = OpTypeVector %float 2
%v3 = OpTypeVector %float 3
%v4 = OpTypeVector %float 4
%u3 = OpTypeVector %uint 3
%i2 = OpTypeVector %int 2
%function = OpTypeFunction %void
%p_in_float = OpTypePointer Input %float
%p_in = OpTypePointer Input %v4
%p_out = OpTypePointer Output %v4
%i0 = OpConstant %int 0
%i1 = OpConstant %int 1
%zero = OpConstant %float 0
%one = OpConstant %float 1
{globals}
%main = OpFunction %void None %function
%entry = OpLabel
{code}
OpReturn
OpFunctionEnd
"""
TARGETS = 6
VALUES = 4  # outputs of the vertex shader


def vertex() -> str:
    """Return the vertex shader: locations 0 to 3 are the value."""
    outputs = [f"%o{at}" for at in range(VALUES)]
    code = [
        "%p = OpLoad %v4 %place", "%v = OpLoad %v4 %value", "%s = OpLoad %float %size",
        "%at = OpAccessChain %p_out %gl %i0", "OpStore %at %p",
        "%as = OpAccessChain %p_out_float %gl %i1", "OpStore %as %s",
    ]  # fmt: skip
    names = "".join(f'OpName %{each} "{each}"\n' for each in ("place", "value", "size"))
    return HEAD.format(
        model="Vertex", capabilities="", modes="",
        interface="%place %value %size %gl " + " ".join(outputs),
        decorations=names + "\n".join([
            "OpMemberDecorate %vertex 0 BuiltIn Position",
            "OpMemberDecorate %vertex 1 BuiltIn PointSize", "OpDecorate %vertex Block",
            *(f"OpDecorate %{each} Location {at}"
              for at, each in enumerate(("place", "value", "size"))),
            *(f"OpDecorate {each} Location {at}" for at, each in enumerate(outputs)),
        ]),
        globals="\n".join([
            "%vertex = OpTypeStruct %v4 %float", "%p_vertex = OpTypePointer Output %vertex",
            "%p_out_float = OpTypePointer Output %float", "%gl = OpVariable %p_vertex Output",
            "%place = OpVariable %p_in Input", "%value = OpVariable %p_in Input",
            "%size = OpVariable %p_in_float Input",
            *(f"{each} = OpVariable %p_out Output" for each in outputs),
        ]),
        code="\n".join(code + [f"OpStore {each} %v" for each in outputs]),
    )  # fmt: skip


def fragment(place: str = "Centroid") -> str:
    """Return the fragment shader; `place` is Centroid, Sample or SampleId.

    The first two are the place of target 4. With the last the shader is run for each sample, since
    it reads the number of the sample.
    """
    inputs = [f"%i_{at}" for at in range(VALUES)]
    outputs = [f"%t{at}" for at in range(TARGETS)]
    own = ["%coordinates", "%front", "%primitive", "%coverage"]
    ways = ["", "NoPerspective", "Flat", "Sample" if place == "Sample" else "Centroid"]
    numbered = place == "SampleId"
    code = [f"%a{at} = OpLoad %v4 {each}" for at, each in enumerate(inputs)]
    code += [
        "%c = OpLoad %v4 %coordinates",
        "%f = OpLoad %bool %front", "%face = OpSelect %float %f %one %zero",
        "%n = OpLoad %int %primitive", "%n1 = OpIAdd %int %n %i1",
        "%number = OpConvertSToF %float %n1",
        "%m = OpAccessChain %p_in_int %coverage %i0", "%bits = OpLoad %int %m",
        "%mask = OpConvertSToF %float %bits", "%flat = OpCompositeExtract %float %a2 0",
        "%facts = OpCompositeConstruct %v4 %flat %face %number %mask",
        "%dx = OpDPdxFine %v4 %a0", "%dy = OpDPdyFine %v4 %a0",
        "%slopes = OpVectorShuffle %v4 %dx %dy 0 1 4 5",
    ]  # fmt: skip
    shown = ["%a0", "%a1", "%facts", "%c", "%a3", "%slopes"]
    if numbered:
        own.append("%sample")
        code += ["%which = OpLoad %int %sample", "%as_float = OpConvertSToF %float %which",
                 "%more = OpCompositeInsert %v4 %as_float %slopes 3"]  # fmt: skip
        shown[5] = "%more"
    code += [f"OpStore {each} {value}" for each, value in zip(outputs, shown, strict=True)]
    capabilities = ["OpCapability Geometry", "OpCapability DerivativeControl"]
    if place != "Centroid":
        capabilities.append("OpCapability SampleRateShading")
    return HEAD.format(
        model="Fragment", capabilities="\n".join(capabilities),
        interface=" ".join(inputs + own + outputs), modes="OpExecutionMode %main OriginUpperLeft",
        decorations="\n".join([
            *(f'OpName {each} "{each[1:]}"' for each in outputs),
            *(f"OpDecorate {each} Location {at}" for at, each in enumerate(inputs)),
            *(f"OpDecorate {each} {way}" for each, way in zip(inputs, ways, strict=True) if way),
            *(f"OpDecorate {each} Location {at}" for at, each in enumerate(outputs)),
            "OpDecorate %coordinates BuiltIn FragCoord", "OpDecorate %front BuiltIn FrontFacing",
            "OpDecorate %primitive BuiltIn PrimitiveId", "OpDecorate %primitive Flat",
            "OpDecorate %coverage BuiltIn SampleMask", "OpDecorate %coverage Flat",
            *["OpDecorate %sample BuiltIn SampleId", "OpDecorate %sample Flat"] * numbered,
        ]),
        globals="\n".join([
            "%p_in_bool = OpTypePointer Input %bool", "%p_in_int = OpTypePointer Input %int",
            "%c1 = OpConstant %uint 1", "%masks = OpTypeArray %int %c1",
            "%p_in_masks = OpTypePointer Input %masks",
            *(f"{each} = OpVariable %p_in Input" for each in inputs),
            "%coordinates = OpVariable %p_in Input", "%front = OpVariable %p_in_bool Input",
            "%primitive = OpVariable %p_in_int Input",
            "%coverage = OpVariable %p_in_masks Input",
            *["%sample = OpVariable %p_in_int Input"] * numbered,
            *(f"{each} = OpVariable %p_out Output" for each in outputs),
        ]),
        code="\n".join(code),
    )  # fmt: skip


def fetch() -> str:
    """Return the compute shader that reads the samples of an image: see drawing_scenes.py."""
    return HEAD.format(
        model="GLCompute", capabilities="", interface="%id",
        modes="OpExecutionMode %main LocalSize 8 8 1",
        decorations="\n".join([
            "OpDecorate %id BuiltIn GlobalInvocationId",
            "OpDecorate %image DescriptorSet 0", "OpDecorate %image Binding 0",
            "OpDecorate %out DescriptorSet 0", "OpDecorate %out Binding 1",
            "OpDecorate %all ArrayStride 16", "OpMemberDecorate %block 0 Offset 0",
            "OpDecorate %block BufferBlock", "OpMemberDecorate %given 0 Offset 0",
            "OpMemberDecorate %given 1 Offset 4", "OpDecorate %given Block",
        ]),
        globals="\n".join([
            "%p_id = OpTypePointer Input %u3", "%id = OpVariable %p_id Input",
            "%kind = OpTypeImage %float 2D 0 0 1 1 Unknown",
            "%p_image = OpTypePointer UniformConstant %kind",
            "%image = OpVariable %p_image UniformConstant",
            "%all = OpTypeRuntimeArray %v4", "%block = OpTypeStruct %all",
            "%p_block = OpTypePointer Uniform %block", "%out = OpVariable %p_block Uniform",
            "%p_texel = OpTypePointer Uniform %v4", "%given = OpTypeStruct %uint %uint",
            "%p_given = OpTypePointer PushConstant %given",
            "%push = OpVariable %p_given PushConstant",
            "%p_number = OpTypePointer PushConstant %uint",
        ]),
        code="\n".join([
            "%n = OpLoad %u3 %id", "%x = OpCompositeExtract %uint %n 0",
            "%y = OpCompositeExtract %uint %n 1", "%z = OpCompositeExtract %uint %n 2",
            "%xi = OpBitcast %int %x", "%yi = OpBitcast %int %y", "%zi = OpBitcast %int %z",
            "%where = OpCompositeConstruct %i2 %xi %yi", "%from = OpLoad %kind %image",
            "%texel = OpImageFetch %v4 %from %where Sample %zi",
            "%pw = OpAccessChain %p_number %push %i0", "%width = OpLoad %uint %pw",
            "%ps = OpAccessChain %p_number %push %i1", "%samples = OpLoad %uint %ps",
            "%row = OpIMul %uint %y %width", "%pixel = OpIAdd %uint %row %x",
            "%first = OpIMul %uint %pixel %samples", "%index = OpIAdd %uint %first %z",
            "%to = OpAccessChain %p_texel %out %i0 %index", "OpStore %to %texel",
        ]),
    )  # fmt: skip
