"""Format description of SkSL binary files, for the registry and the command line.

There is no magic: a file is known by its version, by the sizes of its strings, which fill the pool,
and by its first command. So `find` does not look for these files inside others.
"""

from ...format import Format

FIRST = {  # by version: the numbers of the commands Program and SymbolTable
    4: (48,),
    **dict.fromkeys(range(5, 15), (43, 52)),
}
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


SKSL = Format(
    "sksl",
    b"",
    "unshade.formats.sksl.shader:SkslShader",
    matches=is_sksl,
    suffix=".skslb",
    says=r"(?:// sksl [a-z_]+|half4 main *\(|uniform (?:shader|colorFilter|blender)\b)",
    example="// sksl runtime_shader",
    texts=(".sksl", ".rts", ".rtcf", ".rtb"),
    donors=False,
    tool="skslc",
    text="SkSL source",
    counts=("instructions", "declarations"),
    pages=(("sksl.md", "unshade.formats.sksl.page:page"),),
    strips=(("debug", "strings that nothing refers to"),),
)

__all__ = ["FIRST", "SKSL", "is_sksl"]
