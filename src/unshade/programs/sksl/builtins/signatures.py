"""Signatures of the builtin functions of version 11, by module.

    min max: G(G,G) G(G,float) H(H,H) H(H,half) +I(I,I) +I(I,int)

A row lists the names of functions, then their overloads: the type of the result and the types of
the parameters. The order of a function's overloads decides between those that fit equally well.

    G H I U B    $genType $genHType $genIType $genUType $genBType
    >            an out parameter            +    `$es3`: only in programs of `#version 300`
    =            it has a body               !    `sk_has_side_effects`

Source: the modules of Skia's milestone 104 in the binary format.
"""

__all__ = ["SIGNATURES"]

PUBLIC = """
radians degrees sin cos tan asin acos exp log exp2 log2 sqrt inversesqrt floor ceil fract
    saturate normalize: G(G) H(H)
atan: G(G,G) H(H,H) G(G) H(H)
sinh cosh tanh asinh acosh atanh trunc round roundEven dFdx dFdy fwidth: +G(G) +H(H)
pow reflect: G(G,G) H(H,H)
abs sign: G(G) H(H) +I(I)
mod: G(G,float) G(G,G) H(H,half) H(H,H)
min max: G(G,G) G(G,float) H(H,H) H(H,half) +I(I,I) +I(I,int)
clamp: G(G,G,G) G(G,float,float) H(H,H,H) H(H,half,half) +I(I,I,I) +I(I,int,int) +U(U,U,U)
    +U(U,uint,uint)
mix: G(G,G,G) G(G,G,float) H(H,H,H) H(H,H,half) +G(G,G,B) +H(H,H,B)
step: G(G,G) G(float,G) H(H,H) H(half,H)
smoothstep: G(G,G,G) G(float,float,G) H(H,H,H) H(half,half,H)
floatBitsToInt: +I(G)
floatBitsToUint: +U(G)
intBitsToFloat: +G(I)
uintBitsToFloat: +G(U)
isnan isinf: +B(G) +B(H)
modf: +G(G,>G) +H(H,>H)
packUnorm2x16: +uint(float2)
unpackUnorm2x16: +float2(uint)
length: float(G) half(H)
distance dot: float(G,G) half(H,H)
cross: float3(float3,float3) half3(half3,half3)
faceforward: G(G,G,G) H(H,H,H)
refract: G(G,G,float) H(H,H,half)
matrixCompMult: $squareMat($squareMat,$squareMat) $squareHMat($squareHMat,$squareHMat)
    +$mat($mat,$mat) +$hmat($hmat,$hmat)
inverse: $squareMat($squareMat) $squareHMat($squareHMat)
determinant: +float($squareMat) +half($squareHMat)
transpose: +$squareMat($squareMat) +$squareHMat($squareHMat) +float2x3(float3x2)
    +half2x3(half3x2) +float2x4(float4x2) +half2x4(half4x2) +float3x2(float2x3)
    +half3x2(half2x3) +float3x4(float4x3) +half3x4(half4x3) +float4x2(float2x4)
    +half4x2(half2x4) +float4x3(float3x4) +half4x3(half3x4)
outerProduct: +$squareMat($vec,$vec) +$squareHMat($hvec,$hvec) +float2x3(float3,float2)
    +half2x3(half3,half2) +float3x2(float2,float3) +half3x2(half2,half3)
    +float2x4(float4,float2) +half2x4(half4,half2) +float4x2(float2,float4)
    +half4x2(half2,half4) +float3x4(float4,float3) +half3x4(half4,half3)
    +float4x3(float3,float4) +half4x3(half3,half4)
lessThan lessThanEqual greaterThan greaterThanEqual: $bvec($vec,$vec) $bvec($hvec,$hvec)
    $bvec($ivec,$ivec)
equal notEqual: $bvec($vec,$vec) $bvec($hvec,$hvec) $bvec($ivec,$ivec) $bvec($bvec,$bvec)
any all: bool($bvec)
not: $bvec($bvec)
unpremul: =half4(half4) =float4(float4)
toLinearSrgb fromLinearSrgb: half3(half3)
$eval: half4(float2,shader) half4(half4,colorFilter) half4(half4,half4,blender)
"""

GPU = """
radians degrees sin cos tan asin acos sinh cosh tanh asinh acosh atanh exp log exp2 log2 sqrt
    inversesqrt floor trunc round roundEven ceil fract saturate normalize dFdx dFdy fwidth:
    G(G) H(H)
atan: G(G,G) G(G) H(H,H) H(H)
pow reflect: G(G,G) H(H,H)
abs sign: G(G) H(H) I(I)
mod: G(G,float) G(G,G) H(H,half) H(H,H)
modf: G(G,>G) H(H,>H)
min max: G(G,G) G(G,float) H(H,H) H(H,half) I(I,I) I(I,int)
clamp: G(G,G,G) G(G,float,float) H(H,H,H) H(H,half,half) I(I,I,I) I(I,int,int) U(U,U,U)
    U(U,uint,uint)
mix: G(G,G,G) G(G,G,float) H(H,H,H) H(H,H,half) G(G,G,B) H(H,H,B) I(I,I,B) B(B,B,B)
step: G(G,G) G(float,G) H(H,H) H(half,H)
smoothstep: G(G,G,G) G(float,float,G) H(H,H,H) H(half,half,H)
isnan isinf: B(G)
floatBitsToInt: I(G)
floatBitsToUint: U(G)
intBitsToFloat: G(I)
uintBitsToFloat: G(U)
fma faceforward: G(G,G,G) H(H,H,H)
frexp: !G(G,>I) !H(H,>I)
ldexp: G(G,I) H(H,I)
packUnorm2x16 packSnorm2x16 packHalf2x16: uint(float2)
packUnorm4x8 packSnorm4x8: uint(float4)
unpackUnorm2x16 unpackSnorm2x16 unpackHalf2x16: float2(uint)
unpackUnorm4x8 unpackSnorm4x8: float4(uint)
length: float(G) half(H)
distance dot: float(G,G) half(H,H)
cross: float3(float3,float3) half3(half3,half3)
refract: G(G,G,float) H(H,H,half)
matrixCompMult: $mat($mat,$mat) $hmat($hmat,$hmat)
outerProduct: $squareMat($vec,$vec) float2x3(float3,float2) float3x2(float2,float3)
    float2x4(float4,float2) float4x2(float2,float4) float3x4(float4,float3)
    float4x3(float3,float4) $squareHMat($hvec,$hvec) half2x3(half3,half2) half3x2(half2,half3)
    half2x4(half4,half2) half4x2(half2,half4) half3x4(half4,half3) half4x3(half3,half4)
transpose: $squareMat($squareMat) float2x3(float3x2) float3x2(float2x3) float2x4(float4x2)
    float4x2(float2x4) float3x4(float4x3) float4x3(float3x4) $squareHMat($squareHMat)
    half2x3(half3x2) half3x2(half2x3) half2x4(half4x2) half4x2(half2x4) half3x4(half4x3)
    half4x3(half3x4)
determinant: float($squareMat) half($squareHMat)
inverse: $squareMat($squareMat) $squareHMat($squareHMat)
lessThan: $bvec($vec,$vec) $bvec($hvec,$hvec) $bvec($ivec,$ivec) $bvec($svec,$svec)
    $bvec($usvec,$usvec) $bvec($uvec,$uvec)
lessThanEqual greaterThan greaterThanEqual: $bvec($vec,$vec) $bvec($hvec,$hvec)
    $bvec($ivec,$ivec) $bvec($uvec,$uvec) $bvec($svec,$svec) $bvec($usvec,$usvec)
equal notEqual: $bvec($vec,$vec) $bvec($hvec,$hvec) $bvec($ivec,$ivec) $bvec($uvec,$uvec)
    $bvec($svec,$svec) $bvec($usvec,$usvec) $bvec($bvec,$bvec)
any all: bool($bvec)
not: $bvec($bvec)
bitCount findLSB findMSB: I(I) I(U)
makeSampler2D: sampler2D(texture2D,sampler)
textureSize: int2(sampler2DRect)
sample: half4(sampler1D,float) half4(sampler1D,float,float) half4(sampler2D,float2)
    int4(isampler2D,float2) half4(samplerExternalOES,float2,float)
    half4(samplerExternalOES,float2) half4(sampler2DRect,float2) half4(sampler2DRect,float3)
    half4(sampler1D,float2) half4(sampler1D,float2,float) half4(sampler2D,float3)
    half4(sampler2D,float3,float)
subpassLoad: half4(subpassInput) half4(subpassInputMS,int)
interpolateAtSample: float(float,int) float2(float2,int) float3(float3,int) float4(float4,int)
interpolateAtOffset: float(float,float2) float2(float2,float2) float3(float3,float2)
    float4(float4,float2)
blend_clear blend_src blend_dst blend_src_over blend_dst_over blend_src_in blend_dst_in
    blend_src_out blend_dst_out blend_src_atop blend_dst_atop blend_xor blend_plus
    blend_modulate blend_screen blend_lighten blend_color_dodge blend_color_burn
    blend_hard_light blend_soft_light blend_difference blend_exclusion blend_multiply blend_hue
    blend_saturation blend_color blend_luminosity: =half4(half4,half4)
blend_porter_duff: =half4(half4,half4,half4)
$blend_overlay_component $color_dodge_component $color_burn_component $soft_light_component:
    =half(half2,half2)
blend_overlay: =half4(half4,half4) =half4(half4,half4,half)
blend_darken: =half4(half4,half4,half) =half4(half4,half4)
$guarded_divide: =half(half,half) =half3(half3,half)
$blend_color_luminance $blend_color_saturation: =half(half3)
$blend_set_color_luminance: =half3(half3,half,half3)
$blend_set_color_saturation: =half3(half3,half3)
blend_hslc: =half4(half4,half4,half2)
unpremul: =half4(half4) =float4(float4)
proj: =float2(float3)
cross_length_2d: =float(float2,float2) =half(half2,half2)
"""

GRAPHITE_FRAG = """
sk_error: =half4()
sk_solid_shader: =half4(float4)
sk_local_matrix_shader: =half4(float4x4,half4)
$tile: =float(int,float,float,float,float)
sk_compute_coords: =float2(float4x4,float4,int,int,int,int)
$tile_grad: =float2(int,float2)
$colorize_grad_4: =half4(float4[4],float[4],float2)
$colorize_grad_8: =half4(float4[8],float[8],float2)
$linear_grad_layout: =float2(float2,float2,float2)
$radial_grad_layout: =float2(float2,float,float2)
$sweep_grad_layout: =float2(float2,float,float,float2)
$map_to_unit_x: =float3x3(float2,float2)
$conical_grad_layout: =float2(float2,float2,float,float,float2)
sk_linear_grad_4_shader: =half4(float4x4,float4[4],float[4],float2,float2,int,float,float,float)
sk_linear_grad_8_shader: =half4(float4x4,float4[8],float[8],float2,float2,int,float,float,float)
sk_radial_grad_4_shader: =half4(float4x4,float4[4],float[4],float2,float,int)
sk_radial_grad_8_shader: =half4(float4x4,float4[8],float[8],float2,float,int)
sk_sweep_grad_4_shader:
    =half4(float4x4,float4[4],float[4],float2,float,float,int,float,float,float)
sk_sweep_grad_8_shader:
    =half4(float4x4,float4[8],float[8],float2,float,float,int,float,float,float)
sk_conical_grad_4_shader:
    =half4(float4x4,float4[4],float[4],float2,float2,float,float,int,float)
sk_conical_grad_8_shader:
    =half4(float4x4,float4[8],float[8],float2,float2,float,float,int,float)
sk_blend: =half4(int,half4,half4)
sk_blend_shader: =half4(int,int,int,int,half4,half4)
"""

GRAPHITE_VERT = """
wangs_formula_max_fdiff_p2 wangs_formula_cubic wangs_formula_cubic_log2:
    =float(float2,float2,float2,float2,float2x2)
wangs_formula_conic_p2 wangs_formula_conic wangs_formula_conic_log2:
    =float(float2,float2,float2,float)
robust_normalize_diff: =float2(float2,float2)
cosine_between_unit_vectors: =float(float2,float2)
miter_extent: =float(float,float)
num_radial_segments_per_radian: =float(float)
unchecked_mix: =float(float,float,float) =float2(float2,float2,float)
    =float4(float4,float4,float4)
tessellate_filled_curve: =float2(float,float,float4,float4)
tessellate_filled_wedge: =float2(float,float,float4,float4,float2)
tessellate_stroked_curve: =float2(float,float,float2x2,float2,float,float4,float4,float2,float2)
"""

SIGNATURES = {
    "public": PUBLIC,
    "gpu": GPU,
    "graphite_frag": GRAPHITE_FRAG,
    "graphite_vert": GRAPHITE_VERT,
}
