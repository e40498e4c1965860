"""Types of GLSL, and the extensions that some need."""

from ...errors import UnsupportedError
from ..tree import ScalarKind, TermType

__all__ = ["ARITHMETIC", "EXTENDED", "PREFIXES", "type_name"]

ARITHMETIC = "GL_EXT_shader_explicit_arithmetic_types"
EXTENDED = "GL_EXT_shader_subgroup_extended_types"  # the same types in operations of subgroups
TYPES = {  # scalar, start of the vectors' names, extension
    (ScalarKind.FLOAT, 32): ("float", "vec", ""),
    (ScalarKind.INT, 32): ("int", "ivec", ""),
    (ScalarKind.UINT, 32): ("uint", "uvec", ""),
    (ScalarKind.BOOL, 32): ("bool", "bvec", ""),
    (ScalarKind.FLOAT, 64): ("double", "dvec", ""),
    (ScalarKind.FLOAT, 16): ("float16_t", "f16vec", f"{ARITHMETIC}_float16"),
    (ScalarKind.INT, 64): ("int64_t", "i64vec", f"{ARITHMETIC}_int64"),
    (ScalarKind.UINT, 64): ("uint64_t", "u64vec", f"{ARITHMETIC}_int64"),
    (ScalarKind.INT, 16): ("int16_t", "i16vec", f"{ARITHMETIC}_int16"),
    (ScalarKind.UINT, 16): ("uint16_t", "u16vec", f"{ARITHMETIC}_int16"),
    (ScalarKind.INT, 8): ("int8_t", "i8vec", f"{ARITHMETIC}_int8"),
    (ScalarKind.UINT, 8): ("uint8_t", "u8vec", f"{ARITHMETIC}_int8"),
}
PREFIXES = {ScalarKind.FLOAT: "", ScalarKind.INT: "i", ScalarKind.UINT: "u"}  # of textures


def type_name(type: TermType, extensions: set[str]) -> str:
    """Return the name of a type; add the extension that it needs."""
    found = TYPES.get((type.kind, type.bits))
    if found is None:
        raise UnsupportedError(f"{type.kind} of {type.bits} bits cannot be decompiled yet")
    scalar, vector, extension = found
    if extension:
        extensions.add(extension)
    return scalar if type.width == 1 else f"{vector}{type.width}"
