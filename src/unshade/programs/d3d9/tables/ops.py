"""Operations of Shader Model 1 to 3, one row each.

    Op(0x04, "mad", "d s s s", "arithmetic", 1, "Sum of the last source and …")
       |     |      |          |             |
       |     |      |          |             instruction slots
       |     |      |          kind of operation
       |     |      operand tokens in their order
       |     mnemonic; `instruction.py` spells what depends on the version or on the controls
       number in the opcode token

Operands: d a destination, s a source, u the usage of the register that is declared, f i b one float,
integer, boolean. A source in brackets is missing in some versions.

The slots are those of Shader Model 2 and 3; two rows after the table differ in pixel shaders of
model 3.

Source: the documentation of d3d9types.h (D3DSHADER_INSTRUCTION_OPCODE_TYPE) and the pages of the
assembly language, with the slots of each instruction.
"""

# ruff: noqa: E501
from ....isa import Table

__all__ = ["OPS", "Op"]


class Op:
    """One operation: a row of `OPS`; the columns are drawn at the top of the module."""

    __slots__ = ("code", "doc", "kind", "name", "operands", "slots")

    def __init__(
        self, code: int, name: str, operands: str, kind: str, slots: int, doc: str
    ) -> None:
        self.code = code
        self.name = name
        self.operands = tuple(operands.split())
        self.kind = kind
        self.slots = slots
        self.doc = doc

    def __repr__(self) -> str:
        return f"<Op {self.name}>"

    @property
    def writes(self) -> bool:
        """True if the first operand is a destination."""
        return self.operands[:1] == ("d",)


# fmt: off
OPS = Table((
    Op(0x00, "nop",          "",                "arithmetic",  1, "Nothing."),
    Op(0x01, "mov",          "d s",             "arithmetic",  1, "Copy. To a0 in vs_1_1, the floor of the source."),
    Op(0x02, "add",          "d s s",           "arithmetic",  1, "Sum."),
    Op(0x03, "sub",          "d s s",           "arithmetic",  1, "First source minus second."),
    Op(0x04, "mad",          "d s s s",         "arithmetic",  1, "Product of the first two sources plus the third."),
    Op(0x05, "mul",          "d s s",           "arithmetic",  1, "Product."),
    Op(0x06, "rcp",          "d s",             "arithmetic",  1, "Reciprocal of one component."),
    Op(0x07, "rsq",          "d s",             "arithmetic",  1, "Reciprocal square root of the magnitude of one component."),
    Op(0x08, "dp3",          "d s s",           "arithmetic",  1, "Dot product of three components."),
    Op(0x09, "dp4",          "d s s",           "arithmetic",  1, "Dot product of four components."),
    Op(0x0a, "min",          "d s s",           "arithmetic",  1, "Minimum."),
    Op(0x0b, "max",          "d s s",           "arithmetic",  1, "Maximum."),
    Op(0x0c, "slt",          "d s s",           "arithmetic",  1, "1 where the first source is less than the second, else 0."),
    Op(0x0d, "sge",          "d s s",           "arithmetic",  1, "1 where the first source is at least the second, else 0."),
    Op(0x0e, "exp",          "d s",             "arithmetic",  1, "Two to the power of one component."),
    Op(0x0f, "log",          "d s",             "arithmetic",  1, "Base-2 logarithm of the magnitude of one component."),
    Op(0x10, "lit",          "d s",             "arithmetic",  3, "Lighting coefficients of (n·l, n·h, ·, power)."),
    Op(0x11, "dst",          "d s s",           "arithmetic",  1, "Distance vector (1, y·y, z, w) of (·, d², d², ·) and (·, 1/d, ·, 1/d)."),
    Op(0x12, "lrp",          "d s s s",         "arithmetic",  2, "Linear interpolation from the third source to the second by the first."),
    Op(0x13, "frc",          "d s",             "arithmetic",  1, "Fractional part: x minus its floor."),
    Op(0x14, "m4x4",         "d s s",           "arithmetic",  4, "Product of a vector of four components and a matrix of four rows, in consecutive registers."),
    Op(0x15, "m4x3",         "d s s",           "arithmetic",  3, "Product of a vector of four components and three rows."),
    Op(0x16, "m3x4",         "d s s",           "arithmetic",  4, "Product of a vector of three components and four rows."),
    Op(0x17, "m3x3",         "d s s",           "arithmetic",  3, "Product of a vector of three components and three rows."),
    Op(0x18, "m3x2",         "d s s",           "arithmetic",  2, "Product of a vector of three components and two rows."),
    Op(0x19, "call",         "s",               "flow",        2, "Call of a subroutine."),
    Op(0x1a, "callnz",       "s s",             "flow",        3, "Call of a subroutine if a boolean is true."),
    Op(0x1b, "loop",         "s s",             "flow",        3, "Loop over aL with the count, start and step of an integer constant."),
    Op(0x1c, "ret",          "",                "flow",        1, "Return from a subroutine or end of the program."),
    Op(0x1d, "endloop",      "",                "flow",        2, "End of a loop."),
    Op(0x1e, "label",        "s",               "flow",        0, "Start of a subroutine."),
    Op(0x1f, "dcl",          "u d",             "declaration", 0, "Declaration of an input, output or sampler."),
    Op(0x20, "pow",          "d s s",           "arithmetic",  3, "Magnitude of one component to the power of another."),
    Op(0x21, "crs",          "d s s",           "arithmetic",  2, "Cross product."),
    Op(0x22, "sgn",          "d s [s] [s]",     "arithmetic",  3, "Sign: -1, 0 or 1; the other sources are scratch registers."),
    Op(0x23, "abs",          "d s",             "arithmetic",  1, "Magnitude."),
    Op(0x24, "nrm",          "d s",             "arithmetic",  3, "Vector divided by the length of its first three components."),
    Op(0x25, "sincos",       "d s [s] [s]",     "arithmetic",  8, "Cosine in x and sine in y; in Shader Model 2 by a series with the given coefficients."),
    Op(0x26, "rep",          "s",               "flow",        3, "Loop with the count of an integer constant."),
    Op(0x27, "endrep",       "",                "flow",        2, "End of rep."),
    Op(0x28, "if",           "s",               "flow",        3, "If a boolean or a component of the predicate is true."),
    Op(0x29, "ifc",          "s s",             "flow",        3, "If a comparison is true."),
    Op(0x2a, "else",         "",                "flow",        1, "Else part."),
    Op(0x2b, "endif",        "",                "flow",        1, "End of if."),
    Op(0x2c, "break",        "",                "flow",        1, "Leave the loop."),
    Op(0x2d, "breakc",       "s s",             "flow",        3, "Leave the loop if a comparison is true."),
    Op(0x2e, "mova",         "d s",             "arithmetic",  1, "Round to the nearest integer, into the address register."),
    Op(0x2f, "defb",         "d b",             "literal",     0, "Value of a boolean constant."),
    Op(0x30, "defi",         "d i i i i",       "literal",     0, "Value of an integer constant."),
    Op(0x40, "texcoord",     "d [s]",           "texture",     1, "Texture coordinate, clamped to 0 and 1 before ps_1_4."),
    Op(0x41, "texkill",      "d",               "arithmetic",  1, "Discard the pixel if one of the first three components is negative."),
    Op(0x42, "tex",          "d [s] [s]",       "texture",     1, "Texture sample."),
    Op(0x43, "texbem",       "d s",             "texture",     1, "Sample with coordinates perturbed by a bump map."),
    Op(0x44, "texbeml",      "d s",             "texture",     1, "The same, with luminance correction."),
    Op(0x45, "texreg2ar",    "d s",             "texture",     1, "Sample at (alpha, red) of the source."),
    Op(0x46, "texreg2gb",    "d s",             "texture",     1, "Sample at (green, blue) of the source."),
    Op(0x47, "texm3x2pad",   "d s",             "texture",     1, "First row of a product with two rows."),
    Op(0x48, "texm3x2tex",   "d s",             "texture",     1, "Second row, and sample at the result."),
    Op(0x49, "texm3x3pad",   "d s",             "texture",     1, "First or second row of a product with three rows."),
    Op(0x4a, "texm3x3tex",   "d s",             "texture",     1, "Third row, and sample at the result."),
    Op(0x4c, "texm3x3spec",  "d s s",           "texture",     1, "Third row, and sample at the reflection of a constant eye vector."),
    Op(0x4d, "texm3x3vspec", "d s",             "texture",     1, "Third row, and sample at the reflection of an eye vector from the coordinates."),
    Op(0x4e, "expp",         "d s",             "arithmetic",  1, "Two to the power of one component, in less precision; in vs_1_1 with parts of it."),
    Op(0x4f, "logp",         "d s",             "arithmetic",  1, "Base-2 logarithm of one component, in less precision; in vs_1_1 with parts of it."),
    Op(0x50, "cnd",          "d s s s",         "arithmetic",  1, "Second source where the first is greater than 0.5, else the third."),
    Op(0x51, "def",          "d f f f f",       "literal",     0, "Value of a constant."),
    Op(0x52, "texreg2rgb",   "d s",             "texture",     1, "Sample at (red, green, blue) of the source."),
    Op(0x53, "texdp3tex",    "d s",             "texture",     1, "Sample at (dot product, 0)."),
    Op(0x54, "texm3x2depth", "d s",             "texture",     1, "Second row; the depth is the quotient of both."),
    Op(0x55, "texdp3",       "d s",             "texture",     1, "Dot product of the source and the coordinates."),
    Op(0x56, "texm3x3",      "d s",             "texture",     1, "Third row of a product."),
    Op(0x57, "texdepth",     "d",               "texture",     1, "Depth of the pixel: red divided by green."),
    Op(0x58, "cmp",          "d s s s",         "arithmetic",  1, "Second source where the first is at least 0, else the third."),
    Op(0x59, "bem",          "d s s",           "arithmetic",  2, "First source plus the second multiplied by a bump matrix."),
    Op(0x5a, "dp2add",       "d s s s",         "arithmetic",  2, "Dot product of two components plus a component of the third source."),
    Op(0x5b, "dsx",          "d s",             "arithmetic",  2, "Derivative along x of the target."),
    Op(0x5c, "dsy",          "d s",             "arithmetic",  2, "Derivative along y of the target."),
    Op(0x5d, "texldd",       "d s s s s",       "texture",     3, "Texture sample with the given derivatives."),
    Op(0x5e, "setp",         "d s s",           "arithmetic",  1, "ComparisonControl into the predicate."),
    Op(0x5f, "texldl",       "d s s",           "texture",     2, "Texture sample at the level in w."),
    Op(0x60, "breakp",       "s",               "flow",        3, "Leave the loop if a component of the predicate is true."),
    Op(0xfffd, "phase",      "",                "flow",        0, "Start of the second phase of ps_1_4."),
))
# fmt: on
