"""The description of Direct3D 9 programs for the registry and the command line.

    00 03 fe ff      vs_3_0: minor and major version, 0xfffe
    01 01 ff ff      ps_1_1: 0xffff

The version is followed by a comment, an instruction, or the end token.
"""

from collections.abc import Iterator
from typing import Any

from ...format import Format, ListingLanguage

PROFILE = r"(?i:[vp]s_[1-3]_(?:[0-4x]|sw)\b)"
KINDS = (0xFFFE, 0xFFFF)
COMMENT, END = 0xFFFE, 0xFFFF
LATEST = 0x60  # the greatest opcode besides phase, comment and end
TABLE = b"CTAB"  # at the start of the comment that fxc writes after the version
COUNTS = (
    "instructions", "temp_registers", "defines", "declarations", "moves", "texture_samples",
    "texture_bias", "texture_gradients", "texture_loads", "static_flow_control",
    "dynamic_flow_control",
)  # fmt: skip


def _word(data: Any, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little")


def _matches(data: bytes) -> bool:
    version, token = _word(data, 0), _word(data, 4)
    minor, major = version & 0xFF, version >> 8 & 0xFF
    if version >> 16 not in KINDS or not 1 <= major <= 3 or (4 < minor < 0xFF) or len(data) < 8:
        return False
    opcode = token & 0xFFFF
    return token == END or (0 < opcode <= LATEST and not token >> 31) or opcode >= 0xFFFD


def starts(data: Any, at: int) -> Iterator[int]:
    """Yield the start of a file whose table of constants is at the offset `at`."""
    start = at - 8
    if start >= 0 and _word(data, at - 4) & 0xFFFF == COMMENT and _matches(data[start : at + 4]):
        yield start


D3D9 = Format(
    "d3d9",
    b"",
    "unshade.formats.d3d9.shader:Direct3D9Shader",
    matches=_matches,
    suffix=".d3d9",
    marks=(TABLE,),
    starts=starts,
    says=PROFILE,
    example="ps_2_0",
    holds=("d3d9",),
    texts=(".vsa", ".psa"),
    tool="fxc",
    text="a listing of Direct3D 9",
    languages=(
        ListingLanguage(
            "d3d9",
            "Direct3D 9 assembly",
            "unshade.programs.d3d9.lexer:LEXER",
            rf"// unshade d3d9 |[ \t]*{PROFILE}",
            files=("*.vsa", "*.psa"),
            explanation="unshade.programs.d3d9.explanation",
        ),
    ),
    counts=COUNTS,
    strips=(
        ("debug", "lines and variables (DBUG), other comments"),
        ("reflection", "names of constants (CTAB)"),
    ),
    reveals=((r"comments\[\d+\]\.creator$", "compiler"),),
)
