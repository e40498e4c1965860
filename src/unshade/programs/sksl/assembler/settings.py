"""Settings of the compiler: the kind of program, and requests in comments of the source.

    /*#pragma settings NoInline SkVMDebugTrace*/

Names are as in upstream's stand-alone compiler; a comment may contain several. Settings that only
change the text for a device are accepted without effect.

Source: skslc's Main.cpp and SkSLProgramSettings.h of Skia's milestone 104.
"""

import re
from collections.abc import Callable
from pathlib import PurePath

from ....errors import AssembleError, did_you_mean
from ....isa.source import Source
from ....tuples import NamedTuple
from ..tables.enumerations import SkslProgramKind

__all__ = ["CAPABILITIES", "EXTENSIONS", "Settings", "native_heading", "settings_of"]

CHILD = re.compile(r"^[ \t]*uniform[ \t]+(?:shader|colorFilter|blender)[ \t]", re.MULTILINE)
MAIN = re.compile(r"^[ \t]*(?:half4|float4|vec4)[ \t]+main[ \t]*\(([^)]*)\)", re.MULTILINE)
COLOUR = re.compile(r"\b(?:half|float|vec)4\b")

INLINE_THRESHOLD = 50  # growth that inlining may cause, in nodes
ANY_SIZE = (1 << 31) - 1

EXTENSIONS: dict[str, SkslProgramKind] = {
    ".rts": SkslProgramKind.RUNTIME_SHADER,
    ".rtcf": SkslProgramKind.RUNTIME_COLOR_FILTER,
    ".rtb": SkslProgramKind.RUNTIME_BLENDER,
    ".prts": SkslProgramKind.PRIVATE_RUNTIME_SHADER,
    ".mvert": SkslProgramKind.MESH_VERTEX,
    ".mfrag": SkslProgramKind.MESH_FRAGMENT,
    ".sksl": SkslProgramKind.FRAGMENT,
    ".agsl": SkslProgramKind.RUNTIME_SHADER,  # of Android
    ".frag": SkslProgramKind.FRAGMENT,
    ".vert": SkslProgramKind.VERTEX,
}

# Properties of a device that `sk_Caps.name` may ask for, with those of upstream's default device.
CAPABILITIES: dict[str, bool] = {
    "atan2ImplementedAsAtanYOverX": False,
    "builtinDeterminantSupport": False,
    "floatIs32Bits": True,
    "integerSupport": False,
    "mustDoOpBetweenFloorAndAbs": False,
    "mustGuardDivisionEvenAfterExplicitZeroCheck": False,
    "rewriteMatrixVectorMultiply": False,
}
NO_CHANGE: dict[str, bool] = {}
DEFAULT_DEVICE = {"integerSupport": True, "builtinDeterminantSupport": True}

# What a name in a comment changes of the device; those that change nothing only affect the text.
DEVICES: dict[str, dict[str, bool]] = {
    "AddAndTrueToLoopCondition": NO_CHANGE,
    "CannotUseFractForNegativeValues": NO_CHANGE,
    "CannotUseFragCoord": NO_CHANGE,
    "CannotUseMinAndAbsTogether": NO_CHANGE,
    "Default": DEFAULT_DEVICE,
    "EmulateAbsIntFunction": NO_CHANGE,
    "FramebufferFetchSupport": NO_CHANGE,
    "IncompleteShortIntPrecision": NO_CHANGE,
    "MustForceNegatedAtanParamToFloat": NO_CHANGE,
    "MustForceNegatedLdexpParamToMultiply": NO_CHANGE,
    "MustGuardDivisionEvenAfterExplicitZeroCheck": {
        "mustGuardDivisionEvenAfterExplicitZeroCheck": True
    },
    "RemovePowWithConstantExponent": NO_CHANGE,
    "RewriteDoWhileLoops": NO_CHANGE,
    "RewriteMatrixComparisons": NO_CHANGE,
    "RewriteMatrixVectorMultiply": {"rewriteMatrixVectorMultiply": True},
    "RewriteSwitchStatements": NO_CHANGE,
    "ShaderDerivativeExtensionString": NO_CHANGE,
    "UnfoldShortCircuitAsTernary": NO_CHANGE,
    "UsesPrecisionModifiers": NO_CHANGE,
    "Version110": NO_CHANGE,
    "Version450Core": NO_CHANGE,
}
HEADING = re.compile(r"// sksl (\w+)( flip)?[ \t]*")
HEADING_LINES = 2  # it may follow the heading of the dialect `exact`
NATIVE_NESTING = 100  # disassembled programs may have more parentheses than upstream reads
PRAGMA = re.compile(r"/\*#pragma settings ([^*]*)\*/")


class Settings(NamedTuple):
    """Settings of one run.

    Attributes:
        kind: Purpose of the program.
        optimize: Remove dead code; constants are always folded.
        inline_threshold: Growth that inlining may cause, in nodes; 0: do not inline.
        force_no_inline: Mark every function `noinline`.
        narrowing: Convert float to half and int to short implicitly; runtime effects always do.
        es2: Hold programs of `#version 100` to the rules of GLSL ES 1.00.
        flip: The program may be drawn upside down (`sk_FragCoord`, `dFdy`).
        fragment_coordinates: The device has usable fragment coordinates.
        capabilities: Properties of the device that `sk_Caps` contains.
        native: The text is a disassembled program, where `;` is an empty statement; in other texts
            `;` is an empty block, as in upstream.
        nesting: Nesting of expressions and statements.
    """

    kind: SkslProgramKind = SkslProgramKind.RUNTIME_SHADER
    optimize: bool = True
    inline_threshold: int = INLINE_THRESHOLD
    force_no_inline: bool = False
    narrowing: bool = False
    es2: bool = True
    flip: bool = True
    fragment_coordinates: bool = True
    capabilities: dict[str, bool] = CAPABILITIES
    native: bool = False
    nesting: int = 50

    @property
    def is_effect(self) -> bool:
        """True for runtime effects, including effects of meshes."""
        return SkslProgramKind.RUNTIME_COLOR_FILTER <= self.kind <= SkslProgramKind.MESH_FRAGMENT

    @property
    def is_mesh(self) -> bool:
        """True for the two programs of a mesh."""
        return self.kind in (SkslProgramKind.MESH_VERTEX, SkslProgramKind.MESH_FRAGMENT)

    @property
    def is_fragment(self) -> bool:
        """True for fragment programs of Skia's own."""
        return self.kind.is_fragment

    @property
    def is_vertex(self) -> bool:
        """True for vertex programs of Skia's own."""
        return self.kind in (SkslProgramKind.VERTEX, SkslProgramKind.GRAPHITE_VERTEX)

    @property
    def has_language(self) -> bool:
        """True if `#version` decides which features the program may use."""
        return self.is_effect or self.kind is SkslProgramKind.GENERIC

    @property
    def resolved(self) -> "Settings":
        """The settings, completed by implied settings."""
        return self._replace(
            inline_threshold=self.inline_threshold if self.optimize else 0,
            narrowing=self.narrowing or self.is_effect,
        )


class NativeHeading(NamedTuple):
    """The first line of a text that `Program.disassemble` made.

    Attributes:
        kind: Purpose of the program.
        flip: The program reads the uniform that flips y.
    """

    kind: SkslProgramKind
    flip: bool


def native_heading(source: Source) -> NativeHeading | None:
    """Return the settings in the first line of a disassembled program; None for any other text.

    Raises:
        AssembleError: The kind does not exist.
    """
    for number, line in enumerate(source.lines[:HEADING_LINES], 1):
        found = HEADING.fullmatch(line)
        if found is None:
            continue
        kinds = {each.name.lower(): each for each in SkslProgramKind}
        kind = kinds.get(found[1])
        if kind is None:
            column = found.start(1) + 1
            if found[1] == "module":
                problem = "modules cannot be compiled"
                raise source.error(problem, number, column, len(found[1]))
            hint = did_you_mean(found[1], kinds)
            problem = f"unknown kind {found[1]!r:.60}{hint}"
            raise source.error(problem, number, column, len(found[1]))
        return NativeHeading(kind, bool(found[2]))
    return None


def _kind_of_effect(text: str) -> SkslProgramKind:
    """Return the kind of a runtime effect: main takes a position, a colour, or two colours."""
    found = MAIN.search(text)
    parameters = found[1].split(",") if found else []
    if len(parameters) == 2:
        return SkslProgramKind.RUNTIME_BLENDER
    if any(COLOUR.search(each) for each in parameters):
        return SkslProgramKind.RUNTIME_COLOR_FILTER
    return SkslProgramKind.RUNTIME_SHADER


def settings_of(source: Source, kind: SkslProgramKind | None = None) -> Settings:
    """Return the settings that a source requests.

    Args:
        source: The source.
        kind: Purpose of the program; by default taken from the first line if `Program.disassemble`
            made the text, or from the extension of the file's name; else a runtime shader. An
            .agsl file, and an .sksl file with children, which only runtime effects can evaluate, is
            a shader, colour filter or blender by the parameters of main.

    Raises:
        AssembleError: A comment contains an unknown name.
    """
    heading = native_heading(source)
    if heading is not None:
        return Settings(
            kind=kind or heading.kind, optimize=False, narrowing=True, es2=False,
            native=True, nesting=NATIVE_NESTING,
        )  # fmt: skip
    if kind is None:
        suffix = PurePath(source.name).suffix.lower()
        kind = EXTENSIONS.get(suffix)
        if suffix == ".agsl" or (suffix == ".sksl" and CHILD.search(source.text)):
            kind = _kind_of_effect(source.text)
    given = Settings() if kind is None else Settings(kind=kind)
    found = PRAGMA.search(source.text)
    for name in found[1].split() if found else ():
        if name in DEVICES:
            given = given._replace(
                capabilities={**CAPABILITIES, **DEVICES[name]},
                fragment_coordinates=name != "CannotUseFragCoord",
            )
        elif name in CHANGES:
            given = CHANGES[name](given)
        else:
            raise _unknown(source, found.start(1) if found else 0, name)
    return given


# What other names change of the settings.
CHANGES: dict[str, Callable[[Settings], Settings]] = {
    "AllowNarrowingConversions": lambda given: given._replace(narrowing=True),
    "ForceHighPrecision": lambda given: given,
    "InlineThresholdMax": lambda given: given._replace(inline_threshold=ANY_SIZE),
    "NoInline": lambda given: given._replace(inline_threshold=0),
    "NoOptimize": lambda given: given._replace(optimize=False),
    "NoRTFlip": lambda given: given._replace(flip=False),
    "NoTraceVarInSkVMDebugTrace": lambda given: given,
    "Sharpen": lambda given: given,
    "SkVMDebugTrace": lambda given: given._replace(optimize=False),
}


def _unknown(source: Source, at: int, name: str) -> AssembleError:
    at = source.text.find(name, at)
    line = source.text.count("\n", 0, at) + 1
    column = at - source.text.rfind("\n", 0, at)
    hint = did_you_mean(name, [*DEVICES, *CHANGES])
    return source.error(f"unknown setting {name!r:.60}{hint}", line, column, len(name))
