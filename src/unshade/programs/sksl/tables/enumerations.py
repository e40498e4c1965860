"""Enumerations and flags that programs of version 11 store as numbers.

Source: Skia of milestone 104 (its public headers SkSLProgramKind.h, SkSLVersion.h; SkSLVariable.h,
SkSLBlock.h, SkSLModifiers.h, SkSLLayout.h and their neighbours), checked against programs that its
compiler wrote.
"""

from enum import IntFlag

from ....enums import IntEnum

__all__ = [
    "BlockForm",
    "Builtin",
    "LanguageVersion",
    "LayoutFlag",
    "ModifierFlag",
    "OwnerKind",
    "ReferenceKind",
    "SkslProgramKind",
    "SwizzleComponent",
    "VariableStorage",
]


class SkslProgramKind(IntEnum):
    """The purpose of a program, which chooses its builtins and the signature of main."""

    FRAGMENT = 0
    VERTEX = 1
    GRAPHITE_FRAGMENT = 2
    GRAPHITE_VERTEX = 3
    RUNTIME_COLOR_FILTER = 4
    RUNTIME_SHADER = 5
    RUNTIME_BLENDER = 6
    PRIVATE_RUNTIME_SHADER = 7
    MESH_VERTEX = 8
    MESH_FRAGMENT = 9
    GENERIC = 10

    @property
    def is_fragment(self) -> bool:
        """True for fragment programs of Skia's own, which may discard."""
        return self in (SkslProgramKind.FRAGMENT, SkslProgramKind.GRAPHITE_FRAGMENT)

    @property
    def prints_version(self) -> bool:
        """True if upstream's text of the program begins with `#version`."""
        return self >= SkslProgramKind.RUNTIME_COLOR_FILTER


class LanguageVersion(IntEnum):
    """The language version that a program needs: GLSL ES 1.00 or 3.00."""

    ES2 = 0
    ES3 = 1

    @property
    def directive(self) -> str:
        """The number after `#version`."""
        return "300" if self else "100"


class VariableStorage(IntEnum):
    """The place of a variable."""

    GLOBAL = 0
    INTERFACE_BLOCK = 1
    LOCAL = 2
    PARAMETER = 3


class OwnerKind(IntEnum):
    """The owner of a field: a value, or an interface block without instance name."""

    DEFAULT = 0
    ANONYMOUS_INTERFACE_BLOCK = 1


class ReferenceKind(IntEnum):
    """The use of a variable; POINTER is an argument for an out or inout parameter."""

    READ = 0
    WRITE = 1
    READ_WRITE = 2
    POINTER = 3


class SwizzleComponent(IntEnum):
    """A component of a swizzle. Finished programs have only X, Y, Z and W."""

    X = 0
    Y = 1
    Z = 2
    W = 3
    R = 4
    G = 5
    B = 6
    A = 7
    S = 8
    T = 9
    P = 10
    Q = 11
    LEFT = 12
    TOP = 13
    RIGHT = 14
    BOTTOM = 15
    ZERO = 16
    ONE = 17

    @property
    def letter(self) -> str:
        """The component's letter in source."""
        return "xyzwrgbastpqLTRB01"[self]


class BlockForm(IntEnum):
    """The form of a block: without braces, with braces and a scope, or `int a, b;`."""

    UNBRACED = 0
    BRACED_SCOPE = 1
    COMPOUND = 2


class ModifierFlag(IntFlag):
    """Modifiers of a declaration."""

    FLAT = 1
    NOPERSPECTIVE = 2
    CONST = 4
    UNIFORM = 8
    IN = 16
    OUT = 32
    HIGHP = 64
    MEDIUMP = 128
    LOWP = 256
    ES3 = 512
    HAS_SIDE_EFFECTS = 1024
    INLINE = 2048
    NOINLINE = 4096


class LayoutFlag(IntFlag):
    """Flags of a layout; flags from LOCATION on mark the numbers that are present."""

    ORIGIN_UPPER_LEFT = 1
    PUSH_CONSTANT = 2
    BLEND_SUPPORT_ALL_EQUATIONS = 4
    COLOR = 8
    LOCATION = 16
    OFFSET = 32
    BINDING = 64
    INDEX = 128
    SET = 256
    BUILTIN = 512
    INPUT_ATTACHMENT_INDEX = 1024


class Builtin(IntEnum):
    """Meanings of builtin variables, as `layout(builtin=…)` numbers them."""

    POSITION = 0
    POINT_SIZE = 1
    FRAG_COORD = 15
    CLOCKWISE = 17
    VERTEX_ID = 42
    INSTANCE_ID = 43
    FRAG_COLOR = 10001
    LAST_FRAG_COLOR = 10008
    MAIN_COORDS = 10009
    INPUT_COLOR = 10010
    DEST_COLOR = 10011
    SECONDARY_FRAG_COLOR = 10012
