"""Format description of SkSL binary files, for the registry and the command line.

The format has no magic number: a file is recognised by its version, by the sizes of its strings,
which fill the pool, and by its first command. In larger data, it is found by a string that most
files have: the name of the function main or of a type. The strings before it lead to the header.
"""

import re
from collections.abc import Iterator
from typing import Any

from ...format import Format, ListingLanguage, Option

FIRST = {  # by version: the numbers of the commands Program and SymbolTable
    4: (48,),
    **dict.fromkeys(range(5, 15), (43, 52)),
}
KINDS = (  # of programs.sksl.tables.enumerations, which is not imported here
    "fragment",
    "vertex",
    "graphite_fragment",
    "graphite_vertex",
    "runtime_color_filter",
    "runtime_shader",
    "runtime_blender",
    "private_runtime_shader",
    "mesh_vertex",
    "mesh_fragment",
    "generic",
)
HEADER = 4  # bytes: version and size of the pool


def is_sksl(data: bytes) -> bool:
    """Return True if the data starts like a program or module of versions 4 to 14."""
    first = FIRST.get(int.from_bytes(data[:2], "little"))
    end = HEADER + int.from_bytes(data[2:4], "little")
    if first is None or end >= len(data) or data[end] not in first:
        return False
    at = HEADER
    while at < end:
        at += 1 + data[at]
    return at == end


STRINGS = b"\x04main", b"\x06float4", b"\x05half4", b"\x05float"
REACH = 1024  # bytes before a string in which the header is sought
VERSION = re.compile(rb"(?=[\x04-\x0e]\0)")


def starts(data: Any, at: int) -> Iterator[int]:
    """Yield the offsets of headers with strings that lead to the string at `at`."""
    first = max(0, at - REACH)
    before = bytes(data[first:at])
    dead: set[int] = set()  # lead past the string
    for found in VERSION.finditer(before):
        step = found.start() + HEADER
        end = step + int.from_bytes(before[step - 2 : step], "little")
        if step > len(before) or end < len(before) + 1:
            continue
        walked = []
        while step < len(before) and step not in dead:
            walked.append(step)
            step += 1 + before[step]
        if step == len(before):
            yield first + found.start()
        else:
            dead.update(walked)


SOURCE = "SkSL source, for `unshade asm --format sksl`"

SKSL = Format(
    "sksl",
    b"",
    "unshade.formats.sksl.shader:SkslShader",
    matches=is_sksl,
    suffix=".skslb",
    pipelines="skia",
    sized=False,
    marks=STRINGS,
    starts=starts,
    says=r"// sksl [a-z_]+",
    example="// sksl runtime_shader",
    holds=("sksl",),
    texts=(".sksl", ".rts", ".rtcf", ".rtb", ".prts", ".mvert", ".mfrag", ".agsl"),
    donors=False,
    tool="skslc",
    commands=(("skslc", "asm"),),
    text="SkSL source",
    languages=(
        ListingLanguage(
            "sksl",
            "SkSL",
            "unshade.programs.sksl.lexer:LEXER",
            r"// (?:unshade sksl |sksl [a-z_]+)"
            r"|uniform (?:half[2-4]?|float[2-4]|shader|colorFilter|blender)\b",
            files=("*.sksl", "*.rts", "*.rtcf", "*.rtb", "*.prts", "*.mvert", "*.mfrag", "*.agsl"),
            explanation="unshade.programs.sksl.explanation",
        ),
    ),
    phrases=(
        ("half4 main(", SOURCE),
        ("uniform shader ", SOURCE),
        ("sk_Position", SOURCE),
        ("sk_FragC", SOURCE),
    ),
    # HLSL has no inputs and outputs outside of functions, GLSL no types of these names.
    declares=(
        r"^[ \t]*(?:layout[ \t]*\([^)\n]*\)[ \t]*)?(?:flat[ \t]+)?(?:in|out)[ \t]+"
        r"(?:half|float)(?:[2-4](?:x[2-4])?)?[ \t]+\w+[ \t]*;",
        SOURCE,
    ),
    assembler=(
        Option("kind", "Purpose of an SkSL program; default that of its suffix.", KINDS),
        Option("optimize", "Keep what has no effect, in SkSL programs.", value=False),
    ),
    counts=("instructions", "declarations"),
    strips=(("debug", "names of functions and locals"), ("reflection", "names of uniforms")),
)

__all__ = ["FIRST", "SKSL", "is_sksl"]
