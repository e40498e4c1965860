"""The operations of Shader Model 4 to 5.1: a table with one row for each.

    Op( 50, "mad", "float", "F", "Dfff", Arithmetic, "sp", 0x0e, "4.0", "", "all", "", "First …")
        |    |      |        |    |       |           |     |     |      |    |     |   documentation
        |    |      |        |    |       |           |     |     |      |    |     other dwords
        |    |      |        |    |       |           |     |     |      |    stages that have it
        |    |      |        |    |       |           |     |     |      flag or feature required
        |    |      |        |    |       |           |     |     first shader model that has it
        |    |      |        |    |       |           |     operands in the precision of the first
        |    |      |        |    |       |           flags of the text and the token
        |    |      |        |    |       the opcode token's control bits (tokens.py)
        |    |      |        |    one letter per operand
        |    |      |        instruction counts that include it
        |    |      type of the values, or kind of operation
        |    fxc's mnemonic
        number in the opcode token

Operand letters (`LETTERS`): the kind of the operand; it also determines how a literal is printed,
except with flag i.

Instruction counts of fxc (part STAT) that include the operation; capitals: from version 10 on.

    f float        i signed       u unsigned     c conversion   m mov          v movc
    s static flow control         d dynamic, unless its condition is a constant
    n sample       p comparison   b bias         g gradient     h gather       o lod
    l load         w store        a interlocked  y barrier      e emit         k cut
    < input declared              > output declared

Flags: s may saturate, p may be precise, t tests its operand for zero or nonzero, x may have the
extended tokens of resources, b is printed with a blank after the mnemonic although nothing follows,
i prints the literals of its floats as integers.

Dwords are listed in file order; an instruction may have fewer (before Shader Model 5.1 no
declaration has a register space, and the size of a constant buffer is an index). A name that ends
in [] takes all remaining dwords. The dwords follow the operands; only fcall's dword precedes its
operand.

The specification lists no `_sat` for itof and utof; fxc nevertheless writes itof_sat and utof_sat
for saturate() of an integer.

107, 112, 209 and 218 separate the generations in the vendor's enumeration; no instruction has them.

Source: the public header d3d12TokenizedProgramFormat.hpp (numbers, controls), listings of fxc
(mnemonics, kinds of literals), STAT parts of 339 files (what is counted; double operations and
most that came with 5.0 are not), ShaderBinary.cpp of the public DXIL converter (operand counts,
precision masks), the public documentation of the HLSL assembly instructions (models, stages).
"""

# ruff: noqa: E501
from ....isa import Table, Word
from ....vocab.d3d import ShaderKind
from .tokens import (
    Arithmetic,
    ConstantBufferDcl,
    ControlPoints,
    CustomData,
    GlobalFlags,
    GsPrimitive,
    GsTopology,
    InputPs,
    InterfaceDcl,
    OpcodeToken,
    Resinfo,
    ResourceDcl,
    SampleInfo,
    SamplerDcl,
    Sync,
    TessDomain,
    TessOutputPrimitive,
    TessPartitioning,
    Test,
    UavDcl,
)

LETTERS = {
    "D": "destination",
    "N": "destination that may be null",
    "f": "float",
    "i": "integer, signed where that matters",
    "u": "unsigned integer",
    "d": "double, in two components",
    "c": "condition: one component, true if any bit is set",
    "x": "32 bits, copied or tested rather than computed with",
    "T": "texture or buffer to read, t#; some operations take u# or the rasterizer",
    "S": "sampler, s#",
    "U": "unordered access view, u#",
    "C": "constant buffer, cb#",
    "G": "shared memory, g#",
    "W": "u# or g# to write",
    "R": "t#, u# or g# to read",
    "v": "input register, v#",
    "A": "register to declare",
    "M": "stream, m#",
    "L": "label, l# or fb#",
    "P": "interface, fp#",
}
STAGES = {
    "ps": ShaderKind.PIXEL,
    "vs": ShaderKind.VERTEX,
    "gs": ShaderKind.GEOMETRY,
    "hs": ShaderKind.HULL,
    "ds": ShaderKind.DOMAIN,
    "cs": ShaderKind.COMPUTE,
}


class Op:
    """A row of `OPS`, one operation; the module's docstring explains the columns."""

    __slots__ = (
        "blank", "code", "controls", "counts", "doc", "dwords", "kind", "leading", "name", "needs",
        "operands", "precise", "precision", "printed", "resource", "results", "saturate", "since",
        "stages", "test",
    )  # fmt: skip

    def __init__(
        self,
        code: int,
        name: str,
        kind: str,
        counts: str,
        operands: str,
        controls: type[Word],
        flags: str,
        precision: int,
        since: str,
        needs: str,
        stages: str,
        dwords: str,
        doc: str,
    ) -> None:
        self.code = code
        self.name = name
        self.kind = kind
        self.counts = counts
        self.operands = operands
        self.controls = controls
        self.saturate = "s" in flags
        self.precise = "p" in flags
        self.test = "t" in flags
        self.resource = "x" in flags
        self.blank = "b" in flags
        self.printed = operands.replace("f", "i") if "i" in flags else operands  # for literals
        self.precision = precision
        major, minor = since.split(".")
        self.since = int(major), int(minor)
        self.needs = needs
        named = STAGES if stages == "all" else stages.split()
        self.stages = frozenset(STAGES[stage] for stage in named)
        self.dwords = tuple(dwords.split())
        self.results = len(operands) - len(operands.lstrip("DN"))  # operands that are written
        self.leading = 1 if operands == "P" else 0  # dwords before the operands
        self.doc = doc

    def dword_name(self, index: int) -> str:
        """Return the name of dword `index` of an instruction's `words`; "" if unnamed."""
        if self.dwords and index >= len(self.dwords) - 1 and self.dwords[-1].endswith("[]"):
            return f"{self.dwords[-1][:-2]}[{index - len(self.dwords) + 1}]"
        return self.dwords[index] if index < len(self.dwords) else ""

    def __repr__(self) -> str:
        return f"<Op {self.code} {self.name}>"


# fmt: off
OPS: Table[Op] = Table((
    Op(  0, "add",                        "float",  "f",  "Dff",    Arithmetic,          "sp",  0x06, "4.0", "",                  "all",               "",                                     "Sum of two floats."),
    Op(  1, "and",                        "bit",    "u",  "Dii",    Arithmetic,          "p",   0x06, "4.0", "",                  "all",               "",                                     "Bits set in both sources."),
    Op(  2, "break",                      "flow",   "s",  "",       OpcodeToken,         "b",   0x00, "4.0", "",                  "all",               "",                                     "Leaves the innermost loop or switch."),
    Op(  3, "breakc",                     "flow",   "d",  "c",      Test,                "t",   0x00, "4.0", "",                  "all",               "",                                     "Leaves the innermost loop or switch if the condition holds."),
    Op(  4, "call",                       "flow",   "s",  "L",      OpcodeToken,         "",    0x00, "4.0", "",                  "all",               "",                                     "Calls the subroutine at a label."),
    Op(  5, "callc",                      "flow",   "d",  "cL",     Test,                "t",   0x00, "4.0", "",                  "all",               "",                                     "Calls the subroutine at a label if the condition holds."),
    Op(  6, "case",                       "flow",   "",   "i",      OpcodeToken,         "",    0x00, "4.0", "",                  "all",               "",                                     "Starts the code for one value of a switch."),
    Op(  7, "continue",                   "flow",   "s",  "",       OpcodeToken,         "b",   0x00, "4.0", "",                  "all",               "",                                     "Starts the next iteration of the innermost loop."),
    Op(  8, "continuec",                  "flow",   "d",  "c",      Test,                "t",   0x00, "4.0", "",                  "all",               "",                                     "Starts the next iteration of the innermost loop if the condition holds."),
    Op(  9, "cut",                        "flow",   "k",  "",       OpcodeToken,         "b",   0x00, "4.0", "",                  "gs",                "",                                     "Ends the current primitive strip."),
    Op( 10, "default",                    "flow",   "",   "",       OpcodeToken,         "b",   0x00, "4.0", "",                  "all",               "",                                     "Starts the code of a switch for values without a case."),
    Op( 11, "deriv_rtx",                  "float",  "f",  "Df",     Arithmetic,          "sp",  0x02, "4.0", "",                  "ps",                "",                                     "Derivative along x between neighbouring pixels; coarse or fine, as the hardware chooses."),
    Op( 12, "deriv_rty",                  "float",  "f",  "Df",     Arithmetic,          "sp",  0x02, "4.0", "",                  "ps",                "",                                     "Derivative along y between neighbouring pixels; coarse or fine, as the hardware chooses."),
    Op( 13, "discard",                    "flow",   "",   "c",      Test,                "t",   0x00, "4.0", "",                  "ps",                "",                                     "Discards all outputs of the pixel if the condition holds; execution continues, for the derivatives of its neighbours."),
    Op( 14, "div",                        "float",  "f",  "Dff",    Arithmetic,          "sp",  0x06, "4.0", "",                  "all",               "",                                     "Quotient of two floats."),
    Op( 15, "dp2",                        "float",  "f",  "Dff",    Arithmetic,          "sp",  0x06, "4.0", "",                  "all",               "",                                     "Dot product of two components, written to every destination component."),
    Op( 16, "dp3",                        "float",  "f",  "Dff",    Arithmetic,          "sp",  0x06, "4.0", "",                  "all",               "",                                     "Dot product of three components, written to every destination component."),
    Op( 17, "dp4",                        "float",  "f",  "Dff",    Arithmetic,          "sp",  0x06, "4.0", "",                  "all",               "",                                     "Dot product of four components, written to every destination component."),
    Op( 18, "else",                       "flow",   "s",  "",       OpcodeToken,         "b",   0x00, "4.0", "",                  "all",               "",                                     "Starts the code for a condition that fails."),
    Op( 19, "emit",                       "flow",   "e",  "",       OpcodeToken,         "b",   0x00, "4.0", "",                  "gs",                "",                                     "Appends a vertex with the current outputs to the strip."),
    Op( 20, "emit_then_cut",              "flow",   "ek", "",       OpcodeToken,         "b",   0x00, "4.0", "",                  "gs",                "",                                     "Appends a vertex, then ends the strip."),
    Op( 21, "endif",                      "flow",   "",   "",       OpcodeToken,         "b",   0x00, "4.0", "",                  "all",               "",                                     "Ends an `if`."),
    Op( 22, "endloop",                    "flow",   "",   "",       OpcodeToken,         "b",   0x00, "4.0", "",                  "all",               "",                                     "Ends a loop: the next iteration starts at its `loop`."),
    Op( 23, "endswitch",                  "flow",   "",   "",       OpcodeToken,         "b",   0x00, "4.0", "",                  "all",               "",                                     "Ends a switch."),
    Op( 24, "eq",                         "float",  "f",  "Dff",    Arithmetic,          "p",   0x00, "4.0", "",                  "all",               "",                                     "All ones where the floats are equal, else 0; NaN equals nothing."),
    Op( 25, "exp",                        "float",  "f",  "Df",     Arithmetic,          "sp",  0x02, "4.0", "",                  "all",               "",                                     "Two raised to the power of the source."),
    Op( 26, "frc",                        "float",  "fc", "Df",     Arithmetic,          "sp",  0x02, "4.0", "",                  "all",               "",                                     "Fractional part: the source minus the greatest integer not above it."),
    Op( 27, "ftoi",                       "float",  "c",  "Df",     Arithmetic,          "p",   0x00, "4.0", "",                  "all",               "",                                     "Float to signed integer, rounded toward zero and clamped to the range; NaN becomes 0."),
    Op( 28, "ftou",                       "float",  "c",  "Df",     Arithmetic,          "p",   0x00, "4.0", "",                  "all",               "",                                     "Float to unsigned integer, rounded toward zero and clamped to the range; NaN becomes 0."),
    Op( 29, "ge",                         "float",  "f",  "Dff",    Arithmetic,          "p",   0x00, "4.0", "",                  "all",               "",                                     "All ones where the first float is at least the second, else 0."),
    Op( 30, "iadd",                       "int",    "i",  "Dii",    Arithmetic,          "p",   0x06, "4.0", "",                  "all",               "",                                     "Sum of two integers, wrapping around."),
    Op( 31, "if",                         "flow",   "d",  "c",      Test,                "t",   0x00, "4.0", "",                  "all",               "",                                     "Starts the code for a condition that holds."),
    Op( 32, "ieq",                        "int",    "i",  "Dii",    Arithmetic,          "p",   0x00, "4.0", "",                  "all",               "",                                     "All ones where the integers are equal, else 0."),
    Op( 33, "ige",                        "int",    "i",  "Dii",    Arithmetic,          "p",   0x00, "4.0", "",                  "all",               "",                                     "All ones where the first signed integer is at least the second, else 0."),
    Op( 34, "ilt",                        "int",    "i",  "Dii",    Arithmetic,          "p",   0x00, "4.0", "",                  "all",               "",                                     "All ones where the first signed integer is less than the second, else 0."),
    Op( 35, "imad",                       "int",    "I",  "Diii",   Arithmetic,          "p",   0x0e, "4.0", "",                  "all",               "",                                     "Low 32 bits of the first source times the second, plus the third; signed."),
    Op( 36, "imax",                       "int",    "i",  "Dii",    Arithmetic,          "p",   0x06, "4.0", "",                  "all",               "",                                     "The greater of two signed integers."),
    Op( 37, "imin",                       "int",    "i",  "Dii",    Arithmetic,          "p",   0x06, "4.0", "",                  "all",               "",                                     "The lesser of two signed integers."),
    Op( 38, "imul",                       "int",    "i",  "NNii",   Arithmetic,          "p",   0x0c, "4.0", "",                  "all",               "",                                     "Signed 64-bit product: high half, low half; either destination may be null."),
    Op( 39, "ine",                        "int",    "i",  "Dii",    Arithmetic,          "p",   0x00, "4.0", "",                  "all",               "",                                     "All ones where the integers differ, else 0."),
    Op( 40, "ineg",                       "int",    "i",  "Di",     Arithmetic,          "p",   0x02, "4.0", "",                  "all",               "",                                     "Two's complement negation."),
    Op( 41, "ishl",                       "int",    "i",  "Dii",    Arithmetic,          "p",   0x02, "4.0", "",                  "all",               "",                                     "Shift left by the low five bits of the second source."),
    Op( 42, "ishr",                       "int",    "i",  "Dii",    Arithmetic,          "p",   0x02, "4.0", "",                  "all",               "",                                     "Arithmetic shift right by the low five bits of the second source."),
    Op( 43, "itof",                       "int",    "c",  "Di",     Arithmetic,          "sp",  0x00, "4.0", "",                  "all",               "",                                     "Signed integer to float."),
    Op( 44, "label",                      "flow",   "",   "L",      OpcodeToken,         "",    0x00, "4.0", "",                  "all",               "",                                     "Marks the start of a subroutine or function body."),
    Op( 45, "ld",                         "tex",    "l",  "DiT",    Arithmetic,          "px",  0x00, "4.0", "",                  "all",               "",                                     "Reads one texel at integer coordinates; the last coordinate is the mip level."),
    Op( 46, "ldms",                       "tex",    "l",  "DiTi",   Arithmetic,          "px",  0x00, "4.0", "",                  "all",               "",                                     "Reads one sample of a multisampled texture at integer coordinates."),
    Op( 47, "log",                        "float",  "f",  "Df",     Arithmetic,          "sp",  0x02, "4.0", "",                  "all",               "",                                     "Base-2 logarithm."),
    Op( 48, "loop",                       "flow",   "",   "",       OpcodeToken,         "b",   0x00, "4.0", "",                  "all",               "",                                     "Starts a loop, which only a break or ret leaves."),
    Op( 49, "lt",                         "float",  "f",  "Dff",    Arithmetic,          "p",   0x00, "4.0", "",                  "all",               "",                                     "All ones where the first float is less than the second, else 0."),
    Op( 50, "mad",                        "float",  "F",  "Dfff",   Arithmetic,          "sp",  0x0e, "4.0", "",                  "all",               "",                                     "First source times the second, plus the third; rounded once or twice."),
    Op( 51, "min",                        "float",  "f",  "Dff",    Arithmetic,          "sp",  0x06, "4.0", "",                  "all",               "",                                     "The lesser of two floats; the number if one is NaN."),
    Op( 52, "max",                        "float",  "f",  "Dff",    Arithmetic,          "sp",  0x06, "4.0", "",                  "all",               "",                                     "The greater of two floats; the number if one is NaN."),
    Op( 53, "customdata",                 "data",   "",   "",       CustomData,          "",    0x00, "4.0", "",                  "all",               "",                                     "Data between the instructions: an immediate constant buffer, a debug message, a comment."),
    Op( 54, "mov",                        "float",  "m",  "Dx",     Arithmetic,          "sp",  0x02, "4.0", "",                  "all",               "",                                     "Copies 32 bits per component, unchanged unless a modifier is set."),
    Op( 55, "movc",                       "float",  "v",  "Dxxx",   Arithmetic,          "sp",  0x0c, "4.0", "",                  "all",               "",                                     "The second source if any bit of the first is set, else the third."),
    Op( 56, "mul",                        "float",  "f",  "Dff",    Arithmetic,          "sp",  0x06, "4.0", "",                  "all",               "",                                     "Product of two floats."),
    Op( 57, "ne",                         "float",  "f",  "Dff",    Arithmetic,          "p",   0x00, "4.0", "",                  "all",               "",                                     "All ones where the floats differ, else 0; NaN differs from everything."),
    Op( 58, "nop",                        "flow",   "",   "",       OpcodeToken,         "b",   0x00, "4.0", "",                  "all",               "",                                     "Does nothing."),
    Op( 59, "not",                        "bit",    "u",  "Di",     Arithmetic,          "p",   0x02, "4.0", "",                  "all",               "",                                     "Bitwise complement."),
    Op( 60, "or",                         "bit",    "u",  "Dii",    Arithmetic,          "p",   0x06, "4.0", "",                  "all",               "",                                     "Bits set in either source."),
    Op( 61, "resinfo",                    "tex",    "",   "DiT",    Resinfo,             "x",   0x00, "4.0", "",                  "all",               "",                                     "Width, height, depth or array size, and mip count of a resource at a mip level."),
    Op( 62, "ret",                        "flow",   "s",  "",       OpcodeToken,         "b",   0x00, "4.0", "",                  "all",               "",                                     "Returns from the subroutine, or ends the shader."),
    Op( 63, "retc",                       "flow",   "d",  "c",      Test,                "t",   0x00, "4.0", "",                  "all",               "",                                     "Returns if the condition holds."),
    Op( 64, "round_ne",                   "float",  "fc", "Df",     Arithmetic,          "sp",  0x02, "4.0", "",                  "all",               "",                                     "Rounds to the nearest integer, ties to even."),
    Op( 65, "round_ni",                   "float",  "fc", "Df",     Arithmetic,          "sp",  0x02, "4.0", "",                  "all",               "",                                     "Rounds toward negative infinity."),
    Op( 66, "round_pi",                   "float",  "fc", "Df",     Arithmetic,          "sp",  0x02, "4.0", "",                  "all",               "",                                     "Rounds toward positive infinity."),
    Op( 67, "round_z",                    "float",  "fc", "Df",     Arithmetic,          "sp",  0x02, "4.0", "",                  "all",               "",                                     "Rounds toward zero."),
    Op( 68, "rsq",                        "float",  "f",  "Df",     Arithmetic,          "sp",  0x02, "4.0", "",                  "all",               "",                                     "Reciprocal square root."),
    Op( 69, "sample",                     "tex",    "n",  "DfTS",   Arithmetic,          "px",  0x00, "4.0", "",                  "ps",                "",                                     "Samples a texture; the mip level follows from the derivatives."),
    Op( 70, "sample_c",                   "tex",    "p",  "DfTSf",  Arithmetic,          "px",  0x00, "4.0", "",                  "ps",                "",                                     "Samples, comparing texels with a reference value before filtering."),
    Op( 71, "sample_c_lz",                "tex",    "p",  "DfTSf",  Arithmetic,          "px",  0x00, "4.0", "",                  "all",               "",                                     "Samples mip level 0, comparing texels with a reference value before filtering."),
    Op( 72, "sample_l",                   "tex",    "l",  "DfTSf",  Arithmetic,          "px",  0x00, "4.0", "",                  "all",               "",                                     "Samples a given mip level."),
    Op( 73, "sample_d",                   "tex",    "g",  "DfTSff", Arithmetic,          "px",  0x00, "4.0", "",                  "all",               "",                                     "Samples with given derivatives."),
    Op( 74, "sample_b",                   "tex",    "b",  "DfTSf",  Arithmetic,          "px",  0x00, "4.0", "",                  "ps",                "",                                     "Samples with a bias added to the mip level."),
    Op( 75, "sqrt",                       "float",  "f",  "Df",     Arithmetic,          "sp",  0x02, "4.0", "",                  "all",               "",                                     "Square root."),
    Op( 76, "switch",                     "flow",   "d",  "c",      OpcodeToken,         "",    0x00, "4.0", "",                  "all",               "",                                     "Starts a switch on an integer value."),
    Op( 77, "sincos",                     "float",  "f",  "NNf",    Arithmetic,          "sp",  0x04, "4.0", "",                  "all",               "",                                     "Sine and cosine of an angle in radians; either destination may be null."),
    Op( 78, "udiv",                       "uint",   "u",  "NNuu",   Arithmetic,          "p",   0x0c, "4.0", "",                  "all",               "",                                     "Unsigned quotient and remainder; either destination may be null. Division by 0 yields all ones in both."),
    Op( 79, "ult",                        "uint",   "u",  "Duu",    Arithmetic,          "p",   0x00, "4.0", "",                  "all",               "",                                     "All ones where the first unsigned integer is less than the second, else 0."),
    Op( 80, "uge",                        "uint",   "u",  "Duu",    Arithmetic,          "p",   0x00, "4.0", "",                  "all",               "",                                     "All ones where the first unsigned integer is at least the second, else 0."),
    Op( 81, "umul",                       "uint",   "u",  "NNuu",   Arithmetic,          "p",   0x0c, "4.0", "",                  "all",               "",                                     "Unsigned 64-bit product: high half, low half; either destination may be null."),
    Op( 82, "umad",                       "uint",   "U",  "Duuu",   Arithmetic,          "p",   0x0e, "4.0", "",                  "all",               "",                                     "Low 32 bits of the first source times the second, plus the third; unsigned."),
    Op( 83, "umax",                       "uint",   "u",  "Duu",    Arithmetic,          "p",   0x06, "4.0", "",                  "all",               "",                                     "The greater of two unsigned integers."),
    Op( 84, "umin",                       "uint",   "u",  "Duu",    Arithmetic,          "p",   0x06, "4.0", "",                  "all",               "",                                     "The lesser of two unsigned integers."),
    Op( 85, "ushr",                       "uint",   "u",  "Duu",    Arithmetic,          "p",   0x02, "4.0", "",                  "all",               "",                                     "Logical shift right by the low five bits of the second source."),
    Op( 86, "utof",                       "uint",   "c",  "Du",     Arithmetic,          "sp",  0x00, "4.0", "",                  "all",               "",                                     "Unsigned integer to float."),
    Op( 87, "xor",                        "bit",    "u",  "Dii",    Arithmetic,          "p",   0x06, "4.0", "",                  "all",               "",                                     "Bits set in exactly one of the sources."),
    Op( 88, "dcl_resource",               "decl",   "",   "T",      ResourceDcl,         "",    0x00, "4.0", "",                  "all",               "return_type space",                    "Declares a texture or typed buffer: dimension, sample count, component types."),
    Op( 89, "dcl_constantbuffer",         "decl",   "",   "C",      ConstantBufferDcl,   "",    0x00, "4.0", "",                  "all",               "size space",                           "Declares a constant buffer: its size in rows, and constant or dynamic indices."),
    Op( 90, "dcl_sampler",                "decl",   "",   "S",      SamplerDcl,          "",    0x00, "4.0", "",                  "all",               "space",                                "Declares a sampler and its mode."),
    Op( 91, "dcl_indexrange",             "decl",   "",   "A",      OpcodeToken,         "",    0x00, "4.0", "",                  "all",               "count",                                "Declares a range of registers that may be indexed dynamically."),
    Op( 92, "dcl_outputtopology",         "decl",   "",   "",       GsTopology,          "b",   0x00, "4.0", "",                  "gs",                "",                                     "Declares the output topology of a geometry shader."),
    Op( 93, "dcl_inputprimitive",         "decl",   "",   "",       GsPrimitive,         "b",   0x00, "4.0", "",                  "gs",                "",                                     "Declares the input primitive of a geometry shader."),
    Op( 94, "dcl_maxout",                 "decl",   "",   "",       OpcodeToken,         "",    0x00, "4.0", "",                  "gs",                "count",                                "Declares the maximum number of vertices that one invocation emits."),
    Op( 95, "dcl_input",                  "decl",   "<",  "A",      OpcodeToken,         "",    0x00, "4.0", "",                  "vs gs hs ds cs ps", "",                                     "Declares an input register and the components that are read."),
    Op( 96, "dcl_input_sgv",              "decl",   "<",  "A",      OpcodeToken,         "",    0x00, "4.0", "",                  "vs gs hs ds",       "system_value",                         "Declares an input that the hardware generates."),
    Op( 97, "dcl_input_siv",              "decl",   "<",  "A",      OpcodeToken,         "",    0x00, "4.0", "",                  "gs hs ds",          "system_value",                         "Declares an input that an earlier stage writes and the hardware interprets."),
    Op( 98, "dcl_input_ps",               "decl",   "<",  "A",      InputPs,             "",    0x00, "4.0", "",                  "ps",                "",                                     "Declares a pixel shader input and its interpolation."),
    Op( 99, "dcl_input_ps_sgv",           "decl",   "<",  "A",      InputPs,             "",    0x00, "4.0", "",                  "ps",                "system_value",                         "Declares a pixel shader input that the hardware generates."),
    Op(100, "dcl_input_ps_siv",           "decl",   "<",  "A",      InputPs,             "",    0x00, "4.0", "",                  "ps",                "system_value",                         "Declares a pixel shader input with a system value, and its interpolation."),
    Op(101, "dcl_output",                 "decl",   ">",  "A",      OpcodeToken,         "",    0x00, "4.0", "",                  "ps vs gs hs ds",    "",                                     "Declares an output register and the components that are written."),
    Op(102, "dcl_output_sgv",             "decl",   ">",  "A",      OpcodeToken,         "",    0x00, "4.0", "",                  "vs gs",             "system_value",                         "Declares an output that carries a generated value."),
    Op(103, "dcl_output_siv",             "decl",   ">",  "A",      OpcodeToken,         "",    0x00, "4.0", "",                  "vs gs hs ds",       "system_value",                         "Declares an output that the hardware interprets."),
    Op(104, "dcl_temps",                  "decl",   "",   "",       OpcodeToken,         "",    0x00, "4.0", "",                  "all",               "count",                                "Declares the number of temporary registers."),
    Op(105, "dcl_indexableTemp",          "decl",   "",   "",       OpcodeToken,         "",    0x00, "4.0", "",                  "all",               "register count components",            "Declares an array of temporaries: number, elements, components."),
    Op(106, "dcl_globalFlags",            "decl",   "",   "",       GlobalFlags,         "",    0x00, "4.0", "",                  "all",               "",                                     "Declares features and permissions of the whole program."),
    Op(108, "lod",                        "tex",    "o",  "DfTS",   Arithmetic,          "px",  0x00, "4.1", "",                  "ps",                "",                                     "The mip level that sampling would choose, clamped and unclamped."),
    Op(109, "gather4",                    "tex",    "h",  "DfTS",   Arithmetic,          "px",  0x00, "4.1", "",                  "all",               "",                                     "One component of each of the four texels that bilinear filtering would read."),
    Op(110, "samplepos",                  "tex",    "",   "DTi",    Arithmetic,          "p",   0x00, "4.1", "",                  "all",               "",                                     "Position of a sample within the pixel."),
    Op(111, "sampleinfo",                 "tex",    "",   "DT",     SampleInfo,          "",    0x00, "4.1", "",                  "all",               "",                                     "Number of samples of a resource or of the render target."),
    Op(113, "hs_decls",                   "phase",  "",   "",       OpcodeToken,         "b",   0x00, "5.0", "",                  "hs",                "",                                     "Starts the declarations common to all phases of a hull shader."),
    Op(114, "hs_control_point_phase",     "phase",  "",   "",       OpcodeToken,         "b",   0x00, "5.0", "",                  "hs",                "",                                     "Starts the phase that runs once for each output control point."),
    Op(115, "hs_fork_phase",              "phase",  "",   "",       OpcodeToken,         "b",   0x00, "5.0", "",                  "hs",                "",                                     "Starts a phase that computes patch constants, independent of other fork phases."),
    Op(116, "hs_join_phase",              "phase",  "",   "",       OpcodeToken,         "b",   0x00, "5.0", "",                  "hs",                "",                                     "Starts a phase that computes patch constants after the fork phases."),
    Op(117, "emit_stream",                "flow",   "e",  "M",      OpcodeToken,         "",    0x00, "5.0", "",                  "gs",                "",                                     "Appends a vertex to a given stream."),
    Op(118, "cut_stream",                 "flow",   "k",  "M",      OpcodeToken,         "",    0x00, "5.0", "",                  "gs",                "",                                     "Ends the strip of a given stream."),
    Op(119, "emit_then_cut_stream",       "flow",   "ek", "M",      OpcodeToken,         "",    0x00, "5.0", "",                  "gs",                "",                                     "Appends a vertex to a given stream, then ends its strip."),
    Op(120, "fcall",                      "flow",   "",   "P",      OpcodeToken,         "",    0x00, "5.0", "",                  "all",               "function",                             "Calls the function that an interface slot is bound to."),
    Op(121, "bufinfo",                    "tex",    "",   "DT",     OpcodeToken,         "x",   0x00, "5.0", "",                  "all",               "",                                     "Number of elements of a buffer; of a raw buffer, number of bytes."),
    Op(122, "deriv_rtx_coarse",           "float",  "f",  "Df",     Arithmetic,          "sp",  0x02, "5.0", "",                  "ps",                "",                                     "Derivative along x, one value for each block of two by two pixels."),
    Op(123, "deriv_rtx_fine",             "float",  "f",  "Df",     Arithmetic,          "sp",  0x02, "5.0", "",                  "ps",                "",                                     "Derivative along x, one value for each row of the block."),
    Op(124, "deriv_rty_coarse",           "float",  "f",  "Df",     Arithmetic,          "sp",  0x02, "5.0", "",                  "ps",                "",                                     "Derivative along y, one value for each block of two by two pixels."),
    Op(125, "deriv_rty_fine",             "float",  "f",  "Df",     Arithmetic,          "sp",  0x02, "5.0", "",                  "ps",                "",                                     "Derivative along y, one value for each column of the block."),
    Op(126, "gather4_c",                  "tex",    "",   "DfTSf",  Arithmetic,          "px",  0x00, "5.0", "",                  "all",               "",                                     "Like gather4, comparing each texel with a reference value."),
    Op(127, "gather4_po",                 "tex",    "h",  "DfiTS",  Arithmetic,          "pxi", 0x00, "5.0", "",                  "all",               "",                                     "Like gather4, with an offset computed at run time."),
    Op(128, "gather4_po_c",               "tex",    "",   "DfiTSf", Arithmetic,          "pxi", 0x00, "5.0", "",                  "all",               "",                                     "Like gather4_c, with an offset computed at run time."),
    Op(129, "rcp",                        "float",  "",   "Df",     Arithmetic,          "sp",  0x02, "5.0", "",                  "all",               "",                                     "Approximate reciprocal."),
    Op(130, "f32tof16",                   "float",  "",   "Df",     Arithmetic,          "p",   0x00, "5.0", "",                  "all",               "",                                     "Float to half, stored in the low 16 bits."),
    Op(131, "f16tof32",                   "float",  "",   "Di",     Arithmetic,          "sp",  0x00, "5.0", "",                  "all",               "",                                     "Half in the low 16 bits to float."),
    Op(132, "uaddc",                      "uint",   "",   "DNuu",   Arithmetic,          "p",   0x0c, "5.0", "",                  "all",               "",                                     "Unsigned sum and its carry."),
    Op(133, "usubb",                      "uint",   "",   "DNuu",   Arithmetic,          "p",   0x0c, "5.0", "",                  "all",               "",                                     "Unsigned difference and its borrow."),
    Op(134, "countbits",                  "bit",    "",   "Du",     Arithmetic,          "p",   0x02, "5.0", "",                  "all",               "",                                     "Number of set bits."),
    Op(135, "firstbit_hi",                "bit",    "",   "Du",     Arithmetic,          "p",   0x02, "5.0", "",                  "all",               "",                                     "Position of the first set bit, counted from the most significant; all ones if there is none."),
    Op(136, "firstbit_lo",                "bit",    "",   "Du",     Arithmetic,          "p",   0x02, "5.0", "",                  "all",               "",                                     "Position of the first set bit, counted from the least significant; all ones if there is none."),
    Op(137, "firstbit_shi",               "bit",    "",   "Di",     Arithmetic,          "p",   0x02, "5.0", "",                  "all",               "",                                     "Position of the first bit that differs from the sign, counted from the most significant; all ones if there is none."),
    Op(138, "ubfe",                       "bit",    "",   "Duuu",   Arithmetic,          "p",   0x02, "5.0", "",                  "all",               "",                                     "Extracts a bit field (width, offset, value), zero-extended."),
    Op(139, "ibfe",                       "bit",    "",   "Diii",   Arithmetic,          "p",   0x02, "5.0", "",                  "all",               "",                                     "Extracts a bit field (width, offset, value), sign-extended."),
    Op(140, "bfi",                        "bit",    "",   "Diiii",  Arithmetic,          "p",   0x02, "5.0", "",                  "all",               "",                                     "Inserts the low bits of the third source into the fourth (width, offset)."),
    Op(141, "bfrev",                      "bit",    "",   "Du",     Arithmetic,          "p",   0x02, "5.0", "",                  "all",               "",                                     "Reverses the order of the bits."),
    Op(142, "swapc",                      "float",  "",   "DDxxx",  Arithmetic,          "sp",  0x02, "5.0", "",                  "all",               "",                                     "Swaps two values if any bit of the condition is set."),
    Op(143, "dcl_stream",                 "decl",   "",   "M",      OpcodeToken,         "",    0x00, "5.0", "",                  "gs",                "",                                     "Declares a stream of a geometry shader; the declarations after it belong to the stream."),
    Op(144, "dcl_function_body",          "decl",   "",   "",       OpcodeToken,         "",    0x00, "5.0", "",                  "all",               "body",                                 "Declares a function body."),
    Op(145, "dcl_function_table",         "decl",   "",   "",       OpcodeToken,         "",    0x00, "5.0", "",                  "all",               "table count bodies[]",                 "Declares a table of function bodies: the methods of one class."),
    Op(146, "dcl_interface",              "decl",   "",   "",       InterfaceDcl,        "",    0x00, "5.0", "",                  "all",               "interface call_sites lengths tables[]","Declares an interface slot and the tables that may be bound to it."),
    Op(147, "dcl_input_control_point_count","decl",   "",   "",       ControlPoints,       "",    0x00, "5.0", "",                  "hs ds",             "",                                     "Declares the number of input control points of a patch."),
    Op(148, "dcl_output_control_point_count","decl",   "",   "",       ControlPoints,       "",    0x00, "5.0", "",                  "hs",                "",                                     "Declares the number of control points that the hull shader writes."),
    Op(149, "dcl_tessellator_domain",     "decl",   "",   "",       TessDomain,          "",    0x00, "5.0", "",                  "hs ds",             "",                                     "Declares the domain of the tessellator."),
    Op(150, "dcl_tessellator_partitioning","decl",   "",   "",       TessPartitioning,    "",    0x00, "5.0", "",                  "hs",                "",                                     "Declares the rounding of the tessellation factors."),
    Op(151, "dcl_tessellator_output_primitive","decl",   "",   "",       TessOutputPrimitive, "",    0x00, "5.0", "",                  "hs",                "",                                     "Declares the primitive that the tessellator produces."),
    Op(152, "dcl_hs_max_tessfactor",      "decl",   "",   "",       OpcodeToken,         "",    0x00, "5.0", "",                  "hs",                "factor",                               "Declares the maximum tessellation factor."),
    Op(153, "dcl_hs_fork_phase_instance_count","decl",   "",   "",       OpcodeToken,         "",    0x00, "5.0", "",                  "hs",                "count",                                "Declares the number of instances of the fork phase."),
    Op(154, "dcl_hs_join_phase_instance_count","decl",   "",   "",       OpcodeToken,         "",    0x00, "5.0", "",                  "hs",                "count",                                "Declares the number of instances of the join phase."),
    Op(155, "dcl_thread_group",           "decl",   "",   "",       OpcodeToken,         "",    0x00, "4.0", "",                  "cs",                "x y z",                                "Declares the size of the thread group along x, y and z."),
    Op(156, "dcl_uav_typed",              "decl",   "",   "U",      UavDcl,              "",    0x00, "5.0", "",                  "all",               "return_type space",                    "Declares an unordered access view of a texture or typed buffer."),
    Op(157, "dcl_uav_raw",                "decl",   "",   "U",      UavDcl,              "",    0x00, "4.0", "",                  "all",               "space",                                "Declares an unordered access view of a byte-addressed buffer."),
    Op(158, "dcl_uav_structured",         "decl",   "",   "U",      UavDcl,              "",    0x00, "4.0", "",                  "all",               "stride space",                         "Declares an unordered access view of a structured buffer, and its stride."),
    Op(159, "dcl_tgsm_raw",               "decl",   "",   "G",      OpcodeToken,         "",    0x00, "4.0", "",                  "cs",                "size",                                 "Declares byte-addressed thread group shared memory, and its size."),
    Op(160, "dcl_tgsm_structured",        "decl",   "",   "G",      OpcodeToken,         "",    0x00, "4.0", "",                  "cs",                "stride count",                         "Declares structured thread group shared memory: stride and number of structures."),
    Op(161, "dcl_resource_raw",           "decl",   "",   "T",      OpcodeToken,         "",    0x00, "4.0", "",                  "all",               "space",                                "Declares a byte-addressed buffer."),
    Op(162, "dcl_resource_structured",    "decl",   "",   "T",      OpcodeToken,         "",    0x00, "4.0", "",                  "all",               "stride space",                         "Declares a structured buffer, and its stride."),
    Op(163, "ld_uav_typed",               "mem",    "l",  "DiU",    Arithmetic,          "px",  0x00, "5.0", "",                  "all",               "",                                     "Reads one element of a typed unordered access view."),
    Op(164, "store_uav_typed",            "mem",    "w",  "Uix",    OpcodeToken,         "",    0x00, "5.0", "",                  "all",               "",                                     "Writes one element of a typed unordered access view."),
    Op(165, "ld_raw",                     "mem",    "l",  "DiR",    Arithmetic,          "px",  0x00, "4.0", "",                  "all",               "",                                     "Reads one to four words at a byte address."),
    Op(166, "store_raw",                  "mem",    "w",  "Wix",    OpcodeToken,         "",    0x00, "4.0", "",                  "all",               "",                                     "Writes one to four words at a byte address."),
    Op(167, "ld_structured",              "mem",    "l",  "DiiR",   Arithmetic,          "px",  0x00, "4.0", "",                  "all",               "",                                     "Reads words of a structure (structure index, byte offset in it)."),
    Op(168, "store_structured",           "mem",    "w",  "Wiix",   OpcodeToken,         "",    0x00, "4.0", "",                  "all",               "",                                     "Writes words of a structure (structure index, byte offset in it)."),
    Op(169, "atomic_and",                 "atomic", "a",  "Wii",    OpcodeToken,         "",    0x00, "5.0", "",                  "all",               "",                                     "Bitwise and with memory, atomically."),
    Op(170, "atomic_or",                  "atomic", "a",  "Wii",    OpcodeToken,         "",    0x00, "5.0", "",                  "all",               "",                                     "Bitwise or with memory, atomically."),
    Op(171, "atomic_xor",                 "atomic", "a",  "Wii",    OpcodeToken,         "",    0x00, "5.0", "",                  "all",               "",                                     "Bitwise exclusive or with memory, atomically."),
    Op(172, "atomic_cmp_store",           "atomic", "a",  "Wiii",   OpcodeToken,         "",    0x00, "5.0", "",                  "all",               "",                                     "Stores the last source if memory equals the one before it, atomically."),
    Op(173, "atomic_iadd",                "atomic", "a",  "Wii",    OpcodeToken,         "",    0x00, "5.0", "",                  "all",               "",                                     "Adds to memory, atomically."),
    Op(174, "atomic_imax",                "atomic", "a",  "Wii",    OpcodeToken,         "",    0x00, "5.0", "",                  "all",               "",                                     "Signed maximum with memory, atomically."),
    Op(175, "atomic_imin",                "atomic", "a",  "Wii",    OpcodeToken,         "",    0x00, "5.0", "",                  "all",               "",                                     "Signed minimum with memory, atomically."),
    Op(176, "atomic_umax",                "atomic", "a",  "Wiu",    OpcodeToken,         "",    0x00, "5.0", "",                  "all",               "",                                     "Unsigned maximum with memory, atomically."),
    Op(177, "atomic_umin",                "atomic", "a",  "Wiu",    OpcodeToken,         "",    0x00, "5.0", "",                  "all",               "",                                     "Unsigned minimum with memory, atomically."),
    Op(178, "imm_atomic_alloc",           "atomic", "a",  "DU",     OpcodeToken,         "",    0x00, "5.0", "",                  "all",               "",                                     "Increments the counter of a view and returns its old value."),
    Op(179, "imm_atomic_consume",         "atomic", "a",  "DU",     OpcodeToken,         "",    0x00, "5.0", "",                  "all",               "",                                     "Decrements the counter of a view and returns its new value."),
    Op(180, "imm_atomic_iadd",            "atomic", "a",  "DWii",   OpcodeToken,         "",    0x00, "5.0", "",                  "all",               "",                                     "Adds to memory and returns the old value."),
    Op(181, "imm_atomic_and",             "atomic", "a",  "DWii",   OpcodeToken,         "",    0x00, "5.0", "",                  "all",               "",                                     "Bitwise and with memory; returns the old value."),
    Op(182, "imm_atomic_or",              "atomic", "a",  "DWii",   OpcodeToken,         "",    0x00, "5.0", "",                  "all",               "",                                     "Bitwise or with memory; returns the old value."),
    Op(183, "imm_atomic_xor",             "atomic", "a",  "DWii",   OpcodeToken,         "",    0x00, "5.0", "",                  "all",               "",                                     "Bitwise exclusive or with memory; returns the old value."),
    Op(184, "imm_atomic_exch",            "atomic", "a",  "DWii",   OpcodeToken,         "",    0x00, "5.0", "",                  "all",               "",                                     "Stores a value and returns the old one."),
    Op(185, "imm_atomic_cmp_exch",        "atomic", "a",  "DWiii",  OpcodeToken,         "",    0x00, "5.0", "",                  "all",               "",                                     "Stores the last source if memory equals the one before it; returns the old value."),
    Op(186, "imm_atomic_imax",            "atomic", "a",  "DWii",   OpcodeToken,         "",    0x00, "5.0", "",                  "all",               "",                                     "Signed maximum with memory; returns the old value."),
    Op(187, "imm_atomic_imin",            "atomic", "a",  "DWii",   OpcodeToken,         "",    0x00, "5.0", "",                  "all",               "",                                     "Signed minimum with memory; returns the old value."),
    Op(188, "imm_atomic_umax",            "atomic", "a",  "DWiu",   OpcodeToken,         "",    0x00, "5.0", "",                  "all",               "",                                     "Unsigned maximum with memory; returns the old value."),
    Op(189, "imm_atomic_umin",            "atomic", "a",  "DWiu",   OpcodeToken,         "",    0x00, "5.0", "",                  "all",               "",                                     "Unsigned minimum with memory; returns the old value."),
    Op(190, "sync",                       "sync",   "y",  "",       Sync,                "",    0x00, "4.0", "",                  "all",               "",                                     "Barrier for the threads of the group, fence for shared memory or unordered access views, as flagged."),
    Op(191, "dadd",                       "double", "",   "Ddd",    Arithmetic,          "sp",  0x06, "5.0", "double",            "all",               "",                                     "Sum of two doubles."),
    Op(192, "dmax",                       "double", "",   "Ddd",    Arithmetic,          "sp",  0x06, "5.0", "double",            "all",               "",                                     "The greater of two doubles."),
    Op(193, "dmin",                       "double", "",   "Ddd",    Arithmetic,          "sp",  0x06, "5.0", "double",            "all",               "",                                     "The lesser of two doubles."),
    Op(194, "dmul",                       "double", "",   "Ddd",    Arithmetic,          "sp",  0x06, "5.0", "double",            "all",               "",                                     "Product of two doubles."),
    Op(195, "deq",                        "double", "",   "Ddd",    Arithmetic,          "p",   0x00, "5.0", "double",            "all",               "",                                     "All ones where the doubles are equal, else 0."),
    Op(196, "dge",                        "double", "",   "Ddd",    Arithmetic,          "p",   0x00, "5.0", "double",            "all",               "",                                     "All ones where the first double is at least the second, else 0."),
    Op(197, "dlt",                        "double", "",   "Ddd",    Arithmetic,          "p",   0x00, "5.0", "double",            "all",               "",                                     "All ones where the first double is less than the second, else 0."),
    Op(198, "dne",                        "double", "",   "Ddd",    Arithmetic,          "p",   0x00, "5.0", "double",            "all",               "",                                     "All ones where the doubles differ, else 0."),
    Op(199, "dmov",                       "double", "",   "Dd",     Arithmetic,          "sp",  0x02, "5.0", "double",            "all",               "",                                     "Copies a double."),
    Op(200, "dmovc",                      "double", "",   "Dxdd",   Arithmetic,          "sp",  0x0c, "5.0", "double",            "all",               "",                                     "The second double if any bit of the first source is set, else the third."),
    Op(201, "dtof",                       "double", "c",  "Dd",     Arithmetic,          "sp",  0x02, "5.0", "double",            "all",               "",                                     "Double to float."),
    Op(202, "ftod",                       "double", "c",  "Df",     Arithmetic,          "p",   0x00, "5.0", "double",            "all",               "",                                     "Float to double."),
    Op(203, "eval_snapped",               "float",  "",   "Dvi",    Arithmetic,          "p",   0x02, "5.0", "",                  "ps",                "",                                     "The attribute at an offset within the pixel, in sixteenths."),
    Op(204, "eval_sample_index",          "float",  "",   "Dvi",    Arithmetic,          "p",   0x02, "5.0", "",                  "ps",                "",                                     "The attribute at the position of a given sample."),
    Op(205, "eval_centroid",              "float",  "",   "Dv",     Arithmetic,          "p",   0x02, "5.0", "",                  "ps",                "",                                     "The attribute at the pixel's centre if all its samples are covered, else at the first covered sample."),
    Op(206, "dcl_gsinstances",            "decl",   "",   "",       OpcodeToken,         "",    0x00, "5.0", "",                  "gs",                "count",                                "Declares the number of geometry shader instances per primitive."),
    Op(207, "abort",                      "debug",  "",   "",       OpcodeToken,         "b",   0x00, "4.0", "debug",             "all",               "",                                     "Aborts the draw or dispatch; debug layer only."),
    Op(208, "debug_break",                "debug",  "",   "",       OpcodeToken,         "b",   0x00, "4.0", "debug",             "all",               "",                                     "Breaks into the debugger; debug layer only."),
    Op(210, "ddiv",                       "double", "",   "Ddd",    Arithmetic,          "sp",  0x06, "5.0", "double_extensions", "all",               "",                                     "Quotient of two doubles."),
    Op(211, "dfma",                       "double", "F",  "Dddd",   Arithmetic,          "sp",  0x0e, "5.0", "double_extensions", "all",               "",                                     "First double times the second, plus the third; rounded once."),
    Op(212, "drcp",                       "double", "",   "Dd",     Arithmetic,          "sp",  0x02, "5.0", "double_extensions", "all",               "",                                     "Reciprocal of a double."),
    Op(213, "msad",                       "uint",   "u",  "Duuu",   Arithmetic,          "p",   0x0e, "5.0", "shader_extensions", "all",               "",                                     "Masked sum of absolute differences of bytes plus the third source; reference bytes of 0 are skipped."),
    Op(214, "dtoi",                       "double", "c",  "Dd",     Arithmetic,          "p",   0x00, "5.0", "double_extensions", "all",               "",                                     "Double to signed integer, rounded toward zero."),
    Op(215, "dtou",                       "double", "c",  "Dd",     Arithmetic,          "p",   0x00, "5.0", "double_extensions", "all",               "",                                     "Double to unsigned integer, rounded toward zero."),
    Op(216, "itod",                       "int",    "c",  "Di",     Arithmetic,          "p",   0x00, "5.0", "double_extensions", "all",               "",                                     "Signed integer to double."),
    Op(217, "utod",                       "uint",   "c",  "Du",     Arithmetic,          "p",   0x00, "5.0", "double_extensions", "all",               "",                                     "Unsigned integer to double."),
    Op(219, "gather4_s",                  "tex",    "h",  "DNfTS",  Arithmetic,          "px",  0x00, "5.0", "tiled",             "all",               "",                                     "Like gather4; the second destination receives the residency status."),
    Op(220, "gather4_c_s",                "tex",    "h",  "DNfTSf", Arithmetic,          "px",  0x00, "5.0", "tiled",             "all",               "",                                     "Like gather4_c; the second destination receives the residency status."),
    Op(221, "gather4_po_s",               "tex",    "h",  "DNfiTS", Arithmetic,          "pxi", 0x00, "5.0", "tiled",             "all",               "",                                     "Like gather4_po; the second destination receives the residency status."),
    Op(222, "gather4_po_c_s",             "tex",    "h",  "DNfiTSf",Arithmetic,          "pxi", 0x00, "5.0", "tiled",             "all",               "",                                     "Like gather4_po_c; the second destination receives the residency status."),
    Op(223, "ld_s",                       "tex",    "l",  "DNiT",   Arithmetic,          "px",  0x00, "5.0", "tiled",             "all",               "",                                     "Like ld; the second destination receives the residency status."),
    Op(224, "ldms_s",                     "tex",    "l",  "DNiTi",  Arithmetic,          "px",  0x00, "5.0", "tiled",             "all",               "",                                     "Like ldms; the second destination receives the residency status."),
    Op(225, "ld_uav_typed_s",             "mem",    "l",  "DNiU",   Arithmetic,          "px",  0x00, "5.0", "tiled",             "all",               "",                                     "Like ld_uav_typed; the second destination receives the residency status."),
    Op(226, "ld_raw_s",                   "mem",    "l",  "DNiR",   Arithmetic,          "px",  0x00, "5.0", "tiled",             "all",               "",                                     "Like ld_raw; the second destination receives the residency status."),
    Op(227, "ld_structured_s",            "mem",    "l",  "DNiiR",  Arithmetic,          "px",  0x00, "5.0", "tiled",             "all",               "",                                     "Like ld_structured; the second destination receives the residency status."),
    Op(228, "sample_l_s",                 "tex",    "l",  "DNfTSf", Arithmetic,          "px",  0x00, "5.0", "tiled",             "all",               "",                                     "Like sample_l; the second destination receives the residency status."),
    Op(229, "sample_c_lz_s",              "tex",    "p",  "DNfTSf", Arithmetic,          "px",  0x00, "5.0", "tiled",             "all",               "",                                     "Like sample_c_lz; the second destination receives the residency status."),
    Op(230, "sample_cl_s",                "tex",    "n",  "DNfTSf", Arithmetic,          "px",  0x00, "5.0", "tiled",             "ps",                "",                                     "Like sample, with a mip level clamp; the second destination receives the residency status."),
    Op(231, "sample_b_cl_s",              "tex",    "b",  "DNfTSff",Arithmetic,          "px",  0x00, "5.0", "tiled",             "ps",                "",                                     "Like sample_b, with a mip level clamp; the second destination receives the residency status."),
    Op(232, "sample_d_cl_s",              "tex",    "g",  "DNfTSfff",Arithmetic,          "px",  0x00, "5.0", "tiled",             "all",               "",                                     "Like sample_d, with a mip level clamp; the second destination receives the residency status."),
    Op(233, "sample_c_cl_s",              "tex",    "p",  "DNfTSff",Arithmetic,          "px",  0x00, "5.0", "tiled",             "ps",                "",                                     "Like sample_c, with a mip level clamp; the second destination receives the residency status."),
    Op(234, "check_access_fully_mapped",  "tex",    "",   "Dx",     OpcodeToken,         "",    0x00, "5.0", "tiled",             "all",               "",                                     "All ones if every texel of the access with this residency status was mapped, else 0."),
))
# fmt: on
