"""Regular expressions for the tokens of a program's text.

    add_sat [precise(x)] r0.x, -|cb0[r1.x + 4].x {min16f}|, l(1.5, 0x7fc00001) {mode=SWIZZLE}
    MNEMONIC             NAME    SUBSCRIPT     COMPONENTS   NUMERAL            NOTE

Blanks between them are optional; comments are removed first.
"""

import re

MNEMONIC = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:<[0-9]+>[A-Za-z0-9_]*)?|<[a-z_0-9]+>")
PROFILE = re.compile(r"([a-z]+|<[0-9]{1,5}>)_([0-9]{1,2})_([0-9]{1,2})(?!\w)")
# vkd3d-compiler prints _sat before each result: sincos_sat r0.xy_sat, null.
REGISTER = re.compile(r"((?:(?!_sat\b)[A-Za-z_])+|<[0-9]{1,3}>)([0-9]*)")
COMPONENTS = re.compile(r"\.\s*(\w+?)(?=_sat\b|\b)")
OPEN_END = re.compile(r"\*|unbound")  # of vkd3d-compiler and of RenderDoc
INTEGER = re.compile(r"0[xX][0-9a-fA-F]+|[0-9]+")
SIGNED = re.compile(r"[-+]?[0-9]+")
NUMERAL = re.compile(r"[-+]?nan\(ind\)|[^\s,(){}|\[\]]+")
NUMBERLIKE = re.compile(
    r"[-+]?(?:0[xX][0-9a-fA-F]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?l?)$"
)
LITERAL = re.compile(r"\b[ld]\([^()]*\)")
UNNAMED = re.compile(r"<([0-9]{1,10})>")
NOTHING = re.compile("")
PRECISION = re.compile(r"\{\s*(?!nonuniform\b)(\w+|<[0-9]>)(?:\s+as\s+(\w+|<[0-9]>))?\s*\}")
NONUNIFORM = re.compile(r"\{\s*nonuniform\s*\}")
PRECISE = re.compile(r"\[\s*precise\s*(?:\(\s*([xyzw]+)\s*\)\s*)?\]")
# Signatures in listings of vkd3d-compiler, which the container's assembler reads.
DIRECTIVE = re.compile(r"\.(?:input|output|patch_constant|param|text)\b")
OFFSETS = re.compile(r"\(\s*[-+]?[0-9]")
# The number or byte offset of an instruction, which fxc prints with /Ni and /No, and RenderDoc.
NUMBERED = re.compile(r"(?:0[xX][0-9a-fA-F]+|[0-9]+)[ \t]*:(?!:)")
PLAIN_NUMBER = re.compile(r"[-+]?[0-9][^\s,(){}|\[\]]*")
ABSOLUTE = re.compile(r"abs\s*\(")
NOTE = re.compile(r"\{(?=\s*\w+\s*=)")
FIELD = re.compile(r"\w+")
VALUE = re.compile(r"[-\w]+")
# The text of a message may contain quotes and comment marks: it ends at its last quote.
QUOTED = re.compile(r'"(.*)"(?=\s*(?:$|,|//))')
MESSAGE = re.compile(r"\s*(?:printf|errorf)\b")
LINE_NUMBER = re.compile(r"\s*#line\b")  # of listings with debug information

LONGEST = 40  # characters of an integer; longer ones fit no field


def integer(text: str) -> int | None:
    """Return an integer in decimal or hex; None if it is too long to fit any field."""
    return int(text, 16 if text[1:2] in ("x", "X") else 10) if len(text) <= LONGEST else None
