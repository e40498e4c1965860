r"""Kinds of text that a file gives away, told by their form.

    C:\Users\mia\engine\ui.hlsl        a path, with the name of a user
    \\build07\share\ui.hlsl            a path, with the name of a machine
    Nov 29 2026 01:49:11               a time, as __DATE__ and __TIME__ write it
    Microsoft (R) HLSL Shader …        a compiler
    -Zi, /O3, #define FAST             options of a compiler
    float4 main() { return 0; }        source

A field whose meaning is known does not need this: its format declares the kind (`Format.reveals`).
"""

import re
from collections.abc import Iterator

from ...enums import StrEnum

__all__ = ["Reveals", "comments_in", "details_in", "form_of", "is_vocabulary"]


class Reveals(StrEnum):
    """A category of `audit`: what a piece of data gives away."""

    SOURCE = "source"  # text of a program
    COMMENT = "comment"  # comments in a source
    PATH = "path"  # names of files and folders
    USER = "user"  # names of users in paths, addresses and variables
    MACHINE = "machine"  # names of machines
    TIME = "time"  # of a build
    OPTIONS = "options"  # arguments and defines of a compiler
    COMPILER = "compiler"  # name and version of a compiler
    PDB = "pdb"  # names of files with debug information
    NAME = "name"  # of variables, types, functions, resources
    TEXT = "text"  # in bytes of unknown meaning
    UNUSED = "unused"  # resources and variables that the code does not use


SUFFIXES = (
    "hlsli?|fxh?|cginc|usf|ush|glslv?|glslf|vert|frag|geom|tesc|tese|comp|mesh|task|rgen|rchit|rahit"
    "|rmiss|slang|wgsl|sksl|rts|rtb|rtcf|vsl|pica|vsh|gsh|psh|shader|compute|metal|inl|inc|h|hpp"
    "|cpp|c|cs|rs|py|cso|dxbc|dxil|dxo|spv|o|obj|asm|skslb|vbc|shbin"
)
DRIVE = r"[A-Za-z]:[\\/]"
ROOT = (
    rf"(?:{DRIVE}|"
    r"\\\\[\w.$-]+\\|~/|\.{1,2}[\\/]|//[\w.-]+/(?=\w)"
    r"|/(?:Applications|Library|System|Users|Volumes|app|build|builds|data|etc|home|mnt|opt|private"
    r"|proc|root|run|src|srv|tmp|usr|var|work|workspace)/)"
)
PDB = re.compile(r"[^\n]*\.pdb\Z", re.I)
WHOLE_PATH = re.compile(
    rf"{ROOT}[^\n\"*?<>|;{{}}]*\Z|(?!.*\s[-/]|(?:struct|class|union)\.)[^\n\"*?<>|;{{}}=()]+\.(?:{SUFFIXES})\Z",
    re.I,
)
DRIVE_INSIDE = re.compile(rf"(?<![\w:.]){DRIVE}")
PATH_INSIDE = re.compile(
    rf"(?:(?<![\w\\/:.]){ROOT}|(?<![\w:.]){DRIVE})[^\s\"'<>|*?;,(){{}}\x00]+"
    rf"|(?<=\")[^\n\"<>|*?;{{}}]+\.(?:{SUFFIXES}|pdb)(?=\")|(?<=<)[^\n\"<>|*?;{{}}]+\.(?:{SUFFIXES})(?=>)",
    re.I,
)
USER = re.compile(
    r"(?:[\\/](?:home|users|documents and settings)[\\/]+|\b(?:USERNAME|USER|LOGNAME)=)"
    r"([^\\/:*?\"<>|\r\n;]+)",
    re.I,
)
ADDRESS = re.compile(r"(?<![\w@.+-])([\w.+-]+)@([A-Za-z][\w-]*(?:\.[\w-]+)*)(?![\w@])")
MACHINE = re.compile(
    r"(?:(?<![\\\w])\\\\|(?<![:/\w])//)([A-Za-z][\w-]*(?:\.[\w-]+)*)[\\/](?=\w)"
    r"|\b(?:COMPUTERNAME|HOSTNAME)=([\w.-]+)"
)
MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
CLOCK = r"[0-2]\d:[0-5]\d(?::[0-6]\d)?"
TIME = re.compile(
    rf"\b{MONTH} [ 0-3]?\d,? (?:19|20)\d\d(?: {CLOCK})?"
    rf"|\b(?:19|20)\d\d[-/][01]\d[-/][0-3]\d(?:[T ]{CLOCK}(?:Z|[+-]\d\d:?\d\d)?)?"
    r"|\b[0-2]\d:[0-5]\d:[0-6]\d\b"
)
COMPILER = re.compile(
    r"\b(?:clang|llvm|gcc|msvc|fxc|dxc|d3dcompiler|glslang|glslc|shaderc|slangc?|naga|spirv-\w+|tint|vkd3d"
    r"|mojoshader|picasso|nihstro|vslc)\b.{0,40}\d|compiler.{0,60}\d|\bversion \d",
    re.I,
)
OPTION = re.compile(
    r"(?:--?[A-Za-z][\w-]*|/[A-Z][\w]{0,3})(?:[ =:].*)?\Z|#\s*define\b|\w+=\S*\Z|client \w+\Z"
)
COMMAND = re.compile(r"[\w.:\\/\"' -]*\s[-/][A-Za-z]\w*(?:[\s:=]|\Z)")
SOURCE = re.compile(r"[;{}].*[\n;{}]|\n.*[;{}]|#\s*(?:line|include|version|pragma)\b", re.S)
COMMENT = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|(//[^\n]*|/\*.*?(?:\*/|\Z))", re.S)

# Words of specifications and of tools: they tell nothing about who wrote a shader.
VOCABULARY = re.compile(
    r"(?:SV_\w+|main|(?:POSITION|NORMAL|TANGENT|BINORMAL|COLOR|TEXCOORD|BLENDINDICES|BLENDWEIGHT|PSIZE"
    r"|FOG|DEPTH|VFACE|VPOS|TESSFACTOR)\d*"
    r"|(?:u?int|float|half|double|bool|u?short|min(?:16float|10float|16u?int|12int)|dword|u?long|u?char"
    r"|u?int(?:8|16|32|64)_t|float(?:16|32|64)_t|unsigned int|void"
    r"|sampler\w*|[iub]?vec[234]|mat[234]\w*)"
    r"(?:[1-4](?:x[1-4])?)?(?:\[\d*\])*"
    r"|(?:vector|matrix)<[^<>]*>|(?:RW)?(?:Structured|ByteAddress)?Buffer|(?:RW)?Texture\w+"
    r"|Sampler(?:Comparison)?State|const|element(?:_count)?|row_count|col_count|_\d\d|_m\d\d"
    r"|dx\.\w.*|llvm\..*|dxil-ms-dx|dxil-pc-.*|e-m:e-.*|[vpgdhcam]s|lib|struct\.anon(?:\.\d+)?"
    r"|(?:class|struct)\.(?:vector|matrix)\.[\w.]+|Dwarf Version|Debug Info Version|branch|flatten"
    r"|GLSL\.std\.450|OpenCL\.\w+|NonSemantic\.\w[\w.]*|SPV_\w+|GL_\w+|gl_\w+|\$Globals|\$Params|\$Element"
    r"|a?(?:cos|sin|tan)h?|abs|all|any|ceil|clamp|cross|degrees|determinant|dFd[xy]|distance|dot"
    r"|equal|eval|exp2?|faceforward|floor|fract|fwidth|(?:greater|less)Than(?:Equal)?|inverse(?:sqrt)?"
    r"|length|log2?|matrixCompMult|max|min|mix|mod|normalize|not(?:Equal)?|outerProduct|pow|radians"
    r"|reflect|refract|saturate|sign|smoothstep|sqrt|step|transpose|(?:un)?premul|sk_\w+"
    r"|(?:to|from)LinearSrgb|shader|blender|colorFilter|fragmentProcessor"
    r"|(?:array|tex|sig|gs)_[a-z_]+|atomic|barrier|branches|fence|floats|insts|u?ints"  # counters
    r"|0x[0-9a-f]+|[\d.]*|[xyzwrgba]{1,4}|(?:RootSignature|Compute|Pixel|Vertex)|fullscreen|interop)\Z"
)


def is_vocabulary(text: str) -> bool:
    """Return True for words of specifications and tools, which give nothing away."""
    return VOCABULARY.match(text) is not None


def form_of(text: str) -> Reveals | None:
    """Return the category that a text's form reveals; None if the text may be any name."""
    if SOURCE.search(text):
        return Reveals.SOURCE
    if PDB.match(text):
        return Reveals.PDB
    inside = PATH_INSIDE.search(text)
    if WHOLE_PATH.match(text) and (inside is None or not inside.start()):
        return Reveals.PATH
    found = TIME.search(text)
    if found is not None and len(found[0]) * 2 > len(text):
        return Reveals.TIME
    if OPTION.match(text) or COMMAND.match(text):
        return Reveals.OPTIONS
    return Reveals.COMPILER if COMPILER.search(text) else None


def details_in(text: str) -> Iterator[tuple[Reveals, str, int]]:
    """Yield (category, text, position) of paths, users, machines and times inside a text."""
    if form_of(text) not in (Reveals.PATH, Reveals.PDB):
        for found in PATH_INSIDE.finditer(text):
            kind = Reveals.PDB if PDB.match(found[0]) else Reveals.PATH
            yield kind, found[0], found.start()
    elif at := DRIVE_INSIDE.search(text, 1):  # /src/files/C:\\ui.hlsl, the name of a stream
        yield Reveals.PATH, text[at.start() :], at.start()
    for found in USER.finditer(text):
        yield Reveals.USER, found[1], found.start(1)
    for found in ADDRESS.finditer(text) if "@@" not in text else ():  # a mangled name of C++
        yield Reveals.USER, found[1], found.start(1)
        yield Reveals.MACHINE, found[2], found.start(2)
    for found in MACHINE.finditer(text):
        group = 1 if found[1] else 2
        yield Reveals.MACHINE, found[group], found.start(group)
    for found in TIME.finditer(text):
        yield Reveals.TIME, found[0], found.start()


def comments_in(source: str) -> Iterator[tuple[str, int]]:
    """Yield (comment, position) of each comment in a source."""
    for found in COMMENT.finditer(source):
        if found[1]:
            yield found[1], found.start(1)
