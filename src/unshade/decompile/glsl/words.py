"""Words that are not allowed as names in GLSL: keywords, types, and functions of the language."""

__all__ = ["RESERVED"]

WORDS = """
attribute const uniform varying buffer shared coherent volatile restrict readonly writeonly
atomic_uint layout centroid flat smooth noperspective patch sample break continue do for while
switch case default if else subroutine in out inout float double int void bool true false
invariant precise discard return mat2 mat3 mat4 dmat2 dmat3 dmat4 vec2 vec3 vec4 ivec2 ivec3
ivec4 bvec2 bvec3 bvec4 dvec2 dvec3 dvec4 uint uvec2 uvec3 uvec4 lowp mediump highp precision
struct common partition active asm class union enum typedef template this resource goto inline
noinline public static extern external interface long short half fixed unsigned superp input
output hvec2 hvec3 hvec4 fvec2 fvec3 fvec4 sampler3DRect filter sizeof cast namespace using main
row_major column_major sampler samplerShadow subpassInput subpassInputMS
float16_t float32_t float64_t int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t
abs acos acosh all any asin asinh atan atanh ceil clamp cos cosh cross degrees determinant
distance dot equal exp exp2 faceforward floor fma fract frexp inversesqrt inverse isinf isnan
ldexp length log log2 max min mix mod modf normalize not pow radians reflect refract round
roundEven sign sin sinh smoothstep sqrt step tan tanh transpose trunc bitCount bitfieldReverse
findLSB findMSB bitfieldExtract bitfieldInsert umulExtended imulExtended uaddCarry usubBorrow
texture texelFetch textureSize textureLod textureGrad textureOffset textureProj textureGather
textureQueryLod textureQueryLevels textureSamples imageLoad imageStore imageSize imageSamples
barrier memoryBarrier memoryBarrierBuffer memoryBarrierImage memoryBarrierShared
groupMemoryBarrier atomicAdd atomicMin atomicMax atomicAnd atomicOr atomicXor atomicExchange
atomicCompSwap dFdx dFdy dFdxFine dFdyFine dFdxCoarse dFdyCoarse fwidth outerProduct
packHalf2x16 unpackHalf2x16 floatBitsToInt floatBitsToUint intBitsToFloat uintBitsToFloat
lessThan lessThanEqual greaterThan greaterThanEqual notEqual EmitVertex EndPrimitive
spirv_instruction spirv_execution_mode spirv_type nonuniformEXT matrixCompMult
interpolateAtCentroid interpolateAtOffset interpolateAtSample noise1 noise2 noise3 noise4
ftransform gather
"""
SHAPES = """
1D 2D 3D Cube 1DArray 2DArray CubeArray 2DMS 2DMSArray 2DRect Buffer 1DShadow 2DShadow
CubeShadow 1DArrayShadow 2DArrayShadow CubeArrayShadow 2DRectShadow
"""
TYPES = (
    f"{kind}{word}{shape}"
    for kind in ("", "i", "u")
    for word in ("sampler", "texture", "image")
    for shape in SHAPES.split()
)
MATRICES = (f"{kind}mat{a}x{b}" for kind in ("", "d") for a in (2, 3, 4) for b in (2, 3, 4))
RESERVED = frozenset((*WORDS.split(), *TYPES, *MATRICES))
