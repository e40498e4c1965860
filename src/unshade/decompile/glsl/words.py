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
output hvec2 hvec3 hvec4 fvec2 fvec3 fvec4 filter sizeof cast namespace using row_major main
sampler texture subpassinput subpassinputms image1d image2d image3d imagecube imagebuffer
sampler1d sampler2d sampler3d samplercube samplerbuffer sampler2darray texture1d texture2d
texture3d texturecube texturebuffer texture2darray float16_t int64_t uint64_t int16_t uint16_t
abs acos acosh all any asin asinh atan atanh ceil clamp cos cosh cross degrees determinant
distance dot equal exp exp2 faceforward floor fma fract frexp inversesqrt inverse isinf isnan
ldexp length log log2 max min mix mod modf normalize not pow radians reflect refract round
roundeven sign sin sinh smoothstep sqrt step tan tanh transpose trunc bitcount bitfieldreverse
findlsb findmsb bitfieldextract bitfieldinsert umulextended imulextended texelfetch texturesize
texturelod texturegrad textureoffset texturegather imageload imagestore imagesize barrier
memorybarrier atomicadd atomicmin atomicmax dfdx dfdy fwidth outerproduct packhalf2x16
unpackhalf2x16 floatbitstoint floatbitstouint intbitstofloat uintbitstofloat lessthan
lessthanequal greaterthan greaterthanequal notequal
spirv_instruction spirv_execution_mode spirv_type nonuniformext
matrixcompmult interpolateatcentroid interpolateatoffset interpolateatsample noise1 noise2
noise3 noise4 ftransform gather
"""
RESERVED = frozenset(WORDS.split())
