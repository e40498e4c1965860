"""Tokens of 32 bits, little-endian, and the registers that they name.

    version      kind 31-16      major 15-8   minor 7-0
    opcode       coissue 30   predicated 28   length 27-24   controls 23-16   opcode 15-0
    comment      length in tokens 30-16                                  0xfffe 15-0
    declaration  is_parameter 31   texture 30-27   index 19-16   usage 4-0
    destination  is_parameter 31   type_low 30-28   shift 27-24   modifiers 23-20   mask 19-16
                 relative 13   type_high 12-11   number 10-0
    source       is_parameter 31   type_low 30-28   modifier 27-24   swizzle 23-16
                 relative 13   type_high 12-11   number 10-0

A relative operand of Shader Model 2 and 3 is followed by a source token for the register that is
added to the number; in model 1 that register is a0.x. Opcode tokens of model 1 have no length: an
instruction ends at the next token without bit 31, except that the numbers of `def` may be anything.

Source: the documentation of d3d9types.h and of the shader code format in Microsoft's driver kit.
"""

import re

from ....enums import IntEnum
from ....isa import Bits, Word

__all__ = [
    "COMMENT",
    "END",
    "PHASE",
    "ComparisonControl",
    "DeclarationToken",
    "DeclarationUsage",
    "DestinationParameter",
    "InstructionToken",
    "RegisterType",
    "SourceModifier",
    "SourceParameter",
    "TextureKind",
    "Version",
    "VersionKind",
    "spelled_mask",
    "spelled_swizzle",
]  # fmt: skip

COMMENT, PHASE, END = 0xFFFE, 0xFFFD, 0xFFFF  # opcodes
COMPONENTS = "xyzw"
IDENTITY = 0xE4  # the swizzle xyzw
SOFTWARE = 0xFF  # minor version of shaders that only software executes
MINORS = {"x": 1, "sw": SOFTWARE}
PROFILE = re.compile(r"[ \t]*(vs|ps)_([1-3])_([0-9x]|sw)(?![\w])", re.ASCII)


class VersionKind(IntEnum):
    """The upper half of the version token."""

    VERTEX = 0xFFFE
    PIXEL = 0xFFFF


class RegisterType(IntEnum):
    """NamedRegister files (D3DSHADER_PARAM_REGISTER_TYPE).

    3 is the address register in vertex shaders, and a texture coordinate in pixel shaders. 6 is a
    texture coordinate up to Shader Model 2, and any output of vertex shaders of model 3.
    """

    TEMP = 0
    INPUT = 1
    CONST = 2
    ADDR = 3
    RASTOUT = 4
    ATTROUT = 5
    OUTPUT = 6
    CONSTINT = 7
    COLOROUT = 8
    DEPTHOUT = 9
    SAMPLER = 10
    CONST2 = 11
    CONST3 = 12
    CONST4 = 13
    CONSTBOOL = 14
    LOOP = 15
    TEMPFLOAT16 = 16
    MISCTYPE = 17
    LABEL = 18
    PREDICATE = 19


class DeclarationUsage(IntEnum):
    """Usages of declared registers (D3DDECLUSAGE)."""

    POSITION = 0
    BLENDWEIGHT = 1
    BLENDINDICES = 2
    NORMAL = 3
    PSIZE = 4
    TEXCOORD = 5
    TANGENT = 6
    BINORMAL = 7
    TESSFACTOR = 8
    POSITIONT = 9
    COLOR = 10
    FOG = 11
    DEPTH = 12
    SAMPLE = 13


class TextureKind(IntEnum):
    """Kinds of textures of a declared sampler (D3DSAMPLER_TEXTURE_TYPE)."""

    UNKNOWN = 0
    D2 = 2
    CUBE = 3
    VOLUME = 4


class SourceModifier(IntEnum):
    """Modifiers of sources (D3DSHADER_PARAM_SRCMOD_TYPE)."""

    NONE = 0
    NEG = 1
    BIAS = 2
    BIASNEG = 3
    SIGN = 4
    SIGNNEG = 5
    COMP = 6
    X2 = 7
    X2NEG = 8
    DZ = 9
    DW = 10
    ABS = 11
    ABSNEG = 12
    NOT = 13


class ComparisonControl(IntEnum):
    """Comparisons in the controls of ifc, breakc and setp (D3DSHADER_COMPARISON)."""

    GT = 1
    EQ = 2
    GE = 3
    LT = 4
    NE = 5
    LE = 6


def spelled_mask(mask: int) -> str:
    """Return the components of a mask: 0b1011 is `xyw`."""
    return "".join(c for i, c in enumerate(COMPONENTS) if mask >> i & 1)


def spelled_swizzle(swizzle: int) -> str:
    """Return the four components of a swizzle: 0xe4 is `xyzw`."""
    return "".join(COMPONENTS[swizzle >> 2 * i & 3] for i in range(4))


class Version(Word):
    """The first token: the version of the program."""

    minor = Bits(0, 8, "minor version; 1 after major 2: 2_x")
    major = Bits(8, 8, "major version, 1 to 3")
    kind = Bits(16, 16, "kind of the program", enum=VersionKind)

    @property
    def is_pixel(self) -> bool:
        """True for pixel shaders."""
        return self.kind == VersionKind.PIXEL

    @property
    def profile(self) -> str:
        """The name of the version: `ps_2_0`, `vs_2_x`."""
        minor: int | str = "x" if (self.major, self.minor) == (2, 1) else self.minor
        if self.minor == SOFTWARE:
            minor = "sw"
        return f"{'ps' if self.is_pixel else 'vs'}_{self.major}_{minor}"

    @property
    def model(self) -> str:
        """The shader model: `2.0`, `2.x`."""
        return f"{self.major}.{self.profile.rpartition('_')[2]}"

    @classmethod
    def named(cls, profile: str) -> "Version | None":
        """Return the version of a profile such as `ps_2_0`; None for other text."""
        found = PROFILE.fullmatch(profile)
        if found is None:
            return None
        kind = VersionKind.PIXEL if found[1] == "ps" else VersionKind.VERTEX
        minor = {"x": 1, "sw": SOFTWARE}.get(found[3])
        return cls(
            int(kind) << 16 | int(found[2]) << 8 | (int(found[3]) if minor is None else minor)
        )


class InstructionToken(Word):
    """The first token of an instruction."""

    opcode = Bits(0, 16, "operation")
    controls = Bits(16, 8, "comparison; 1: texldp, 2: texldb")
    length = Bits(24, 4, "tokens after this one; 0 in Shader Model 1")
    predicated = Bits(28, 1, "executed where a predicate, the token after the destination, is true")
    coissue = Bits(30, 1, "issued together with the instruction before")


class CommentToken(Word):
    """The first token of a comment."""

    opcode = Bits(0, 16, "0xfffe")
    length = Bits(16, 15, "tokens after this one")


class DeclarationToken(Word):
    """The token of a declaration that says what the declared register is."""

    usage = Bits(0, 5, "usage", enum=DeclarationUsage)
    index = Bits(16, 4, "index of the usage")
    texture = Bits(27, 4, "kind of the texture", enum=TextureKind)
    is_parameter = Bits(31, 1, "1")


class ParameterToken(Word):
    """The fields that destinations and sources share."""

    number = Bits(0, 11, "number of the register")
    type_high = Bits(11, 2, "register file: its upper two bits")
    relative = Bits(13, 1, "a register is added to the number")
    type_low = Bits(28, 3, "register file: its lower three bits")
    is_parameter = Bits(31, 1, "1")

    @property
    def file(self) -> int:
        """The number of the register file; RegisterType has the names."""
        return self.type_high << 3 | self.type_low


class DestinationParameter(ParameterToken):
    """The token of a destination."""

    mask = Bits(16, 4, "components that are written", spell=spelled_mask)
    modifiers = Bits(20, 4, "1: saturate, 2: partial precision, 4: centroid")
    shift = Bits(24, 4, "the result is multiplied by two to this power", signed=True)


class SourceParameter(ParameterToken):
    """The token of a source."""

    swizzle = Bits(16, 8, "components that are read", spell=spelled_swizzle)
    modifier = Bits(24, 4, "modifier", enum=SourceModifier)
