"""Operations of the PICA200's shader units, one row each with everything known about it.

    Op(0x08, 1, "mul", Format1, "arithmetic", "dst src1 src2", "xyzw xyzw", "dst", "", "",  …)
        |    |    |       |          |               |              |         |    |    |
        |    |    |       |          |               |              |         |    |    stages
        |    |    |       |          |               |              |         |    sources that
        |    |    |       |          |               |              |         |    picasso keeps whole
        |    |    |       |          |               |              |         what it writes
        |    |    |       |          |               |              components read of each source
        |    |    |       |          |               operands in the order of the text
        |    |    |       |          kind of operation
        |    |    |       format of the word (fields.py)
        |    |    picasso's mnemonic
        |    number of six-bit opcodes that it occupies: 1, 2 (cmp), 8 (mad)
        the first of them

then: other spellings, semantics, special cases, errata.

Operands are named after the fields of their format. Operands of more than one field:

    dst       destination with the descriptor's mask      a0        address registers, by that mask
    src1…3    source with swizzle, sign and address register
    cond      condop, refx, refy: a condition of cmp.x and cmp.y
    bool      a boolean uniform          test    one that jmpu may invert
    int       an integer uniform
    else      target and num: end of the if part, length of the else part
    call      target and num: the called code
    last      target: the last word of a loop      jump    target: the next word
    vertex    the three fields of setemit

Components read are those after the swizzle. A capital letter is always read, a small one only if
the mask has that component: "xyzw" is a componentwise operation, "XYZ" a dot product.

When picasso shares a descriptor, an instruction claims only the bits that matter to it. These are
almost always the components read; picasso claims all components of the sources of dst and litp and
of cmp's second source.

Source: 3dbrew's pages on the instruction set and on pitfalls; nihstro's headers, picasso's encoder,
the interpreters of azahar, Panda3DS and Tanuki3DS and their tests on hardware. Rows list the
differences. The corpus contains all of these operations and no others.
"""

# ruff: noqa: E501
from ....isa import Table, Word
from ....vocab.pica import COMPONENTS
from .fields import (
    Format0,
    Format1,
    Format1c,
    Format1i,
    Format1u,
    Format2,
    Format3,
    Format3Jump,
    Format3Loop,
    Format4,
    Format5,
    Format5i,
)


class Op:
    """One operation: a row of `OPS`; the columns are drawn at the top of the module."""

    __slots__ = (
        "also", "cases", "code", "doc", "errata", "format", "geometry", "kept", "kind", "name",
        "operands", "reads", "results", "sources", "span", "wide", "writes",
    )  # fmt: skip

    def __init__(
        self,
        code: int,
        span: int,
        name: str,
        format: type[Word],
        kind: str,
        operands: str,
        reads: str,
        writes: str,
        kept: str,
        stage: str,
        also: str,
        doc: str,
        cases: str,
        errata: str,
    ) -> None:
        self.code = code
        self.span = span
        self.name = name
        self.format = format
        self.kind = kind
        self.operands = tuple(operands.split())
        self.reads = tuple(reads.split())
        self.writes = frozenset(writes.split())
        self.kept = frozenset(kept.split())
        self.geometry = stage == "g"  # only in geometry shaders
        self.also = tuple(also.split())
        self.doc = doc
        self.cases = cases
        self.errata = errata
        self.results = sum(each in ("dst", "a0") for each in self.operands)  # the first operands
        self.sources = tuple(each for each in self.operands if each.startswith("src"))
        # The seven-bit source, which the address register belongs to.
        widths = {each: getattr(format, each).width for each in self.sources}
        self.wide = next((each for each, width in widths.items() if width == 7), "")

    def __repr__(self) -> str:
        return f"<Op {self.name}>"

    def components(self, source: int, mask: str) -> str:
        """Return the components of a source that are read, after its swizzle: "xz".

        Args:
            source: The number of the source, 0 to 2.
            mask: The components that the instruction writes, such as "xyz".
        """
        reads = self.reads[source]
        return "".join(c for c in COMPONENTS if c.upper() in reads or (c in reads and c in mask))

    def claims(self, source: int, mask: str) -> str:
        """Return the components of a source's swizzle that picasso claims in a shared descriptor."""
        kept = self.sources[source] in self.kept
        return COMPONENTS if kept else self.components(source, mask)


ADD_INF = "inf − inf is NaN. Subtract by negating a source."
PRODUCTS = "Products are computed as by `mul`."
DOT = "The sum is written to every component of the mask. " + PRODUCTS
HOMOGENEOUS = "In both forms, w of the *first* source is taken as 1.0. " + DOT
SCALAR = "Only x of the source is read, after its swizzle; the result is written to every component of the mask."
COMPARED = "The result is 0.0 if either source is NaN."
TRUE_LENGTH = "NUM has eight bits, so the else part has at most 255 words."
PROCEDURE = "The procedure is the NUM words from DST on; after the last, execution returns to the word after the call."
LAST_WORD = "Has no effect as the last word of a block: the end of the block overrules it."
DISTANCE = "With (·, d², d², ·) and (·, 1/d, ·, 1/d) the result is (1, d, d², 1/d). y reads y of both sources, z only the first source, w only the second."
DISTANCE_ERRATA = "Known from its name and one emulator (Tanuki3DS); no published test on hardware."

# fmt: off
OPS = Table((
    # ---- arithmetic
    Op(0x00, 1, "add",     Format1,     "arithmetic", "dst src1 src2",      "xyzw xyzw",      "dst",     "",          "",  "",        "Componentwise sum.", ADD_INF, ""),
    Op(0x01, 1, "dp3",     Format1,     "arithmetic", "dst src1 src2",      "XYZ XYZ",        "dst",     "",          "",  "",        "Dot product of x, y and z.", DOT, ""),
    Op(0x02, 1, "dp4",     Format1,     "arithmetic", "dst src1 src2",      "XYZW XYZW",      "dst",     "",          "",  "",        "Dot product of all four components.", DOT, ""),
    Op(0x03, 1, "dph",     Format1,     "arithmetic", "dst src1 src2",      "XYZ XYZW",       "dst",     "",          "",  "",        "Homogeneous dot product: all four components, with w of the first source taken as 1.0.", HOMOGENEOUS, ""),
    Op(0x04, 1, "dst",     Format1,     "arithmetic", "dst src1 src2",      "yz yw",          "dst",     "src1 src2", "",  "",        "Distance vector: (1.0, y₁ × y₂, z₁, w₂).", DISTANCE, DISTANCE_ERRATA),
    Op(0x05, 1, "ex2",     Format1u,    "arithmetic", "dst src1",           "X",              "dst",     "",          "",  "exp",     "2 to the power of x.", "ex2(−inf) is 0. " + SCALAR, ""),
    Op(0x06, 1, "lg2",     Format1u,    "arithmetic", "dst src1",           "X",              "dst",     "",          "",  "log",     "Base-2 logarithm of x.", "lg2(0) is −inf, lg2 of a negative number is NaN. " + SCALAR, ""),
    Op(0x07, 1, "litp",    Format1u,    "arithmetic", "dst src1",           "XyW",            "dst cmp", "src1",      "",  "lit",     "Lighting helper: (max(x, 0), clamp(y, −127.996, 127.996), 0, max(w, 0)), and cmp.x = x ≥ 0, cmp.y = w ≥ 0.", "The bound is 0x7FFF / 0x100 = 127.99609375. Both flags are set regardless of the mask.", "From 3dbrew and a test program on hardware (Panda3DS); azahar does not implement it."),
    Op(0x08, 1, "mul",     Format1,     "arithmetic", "dst src1 src2",      "xyzw xyzw",      "dst",     "",          "",  "",        "Componentwise product.", "0 × inf and inf × 0 are 0, where IEEE 754 has NaN; NaN times anything is NaN.", "3dbrew's table of August 2015 also has 0 for NaN × 0; azahar's tests expect NaN."),
    Op(0x09, 1, "sge",     Format1,     "arithmetic", "dst src1 src2",      "xyzw xyzw",      "dst",     "",          "",  "",        "Componentwise comparison: 1.0 if the first source is greater than or equal to the second, else 0.0.", COMPARED, ""),
    Op(0x0A, 1, "slt",     Format1,     "arithmetic", "dst src1 src2",      "xyzw xyzw",      "dst",     "",          "",  "",        "Componentwise comparison: 1.0 if the first source is less than the second, else 0.0.", COMPARED, ""),
    Op(0x0B, 1, "flr",     Format1u,    "arithmetic", "dst src1",           "xyzw",           "dst",     "",          "",  "",        "Componentwise floor.", "Rounds towards −inf: flr(−0.1) is −1. The fractional part of x is x − flr(x).", ""),
    Op(0x0C, 1, "max",     Format1,     "arithmetic", "dst src1 src2",      "xyzw xyzw",      "dst",     "",          "",  "",        "Componentwise maximum: the first source if it is greater than the second, else the second.", "Hence max(0, NaN) is NaN and max(NaN, 0) is 0. Subnormal numbers pass unchanged.", "3dbrew has −inf for max(0, −inf); a later test on hardware expects 0, which follows from the definition."),
    Op(0x0D, 1, "min",     Format1,     "arithmetic", "dst src1 src2",      "xyzw xyzw",      "dst",     "",          "",  "",        "Componentwise minimum: the first source if it is less than the second, else the second.", "Hence min(0, NaN) is NaN and min(NaN, 0) is 0. Subnormal numbers pass unchanged.", ""),
    Op(0x0E, 1, "rcp",     Format1u,    "arithmetic", "dst src1",           "X",              "dst",     "",          "",  "",        "Reciprocal of x.", "rcp(0) and rcp(−0) are +inf, rcp(±inf) is 0. " + SCALAR, "Precision on hardware is not known."),
    Op(0x0F, 1, "rsq",     Format1u,    "arithmetic", "dst src1",           "X",              "dst",     "",          "",  "",        "Reciprocal square root of x.", "rsq(0) and rsq(−0) are +inf, rsq(+inf) is 0, rsq of a negative number or −inf is NaN. " + SCALAR, "Precision on hardware is not known."),
    Op(0x12, 1, "mova",    Format1u,    "address",    "a0 src1",            "xy",             "a0",      "",          "",  "",        "Converts x and y to integers and writes them to a0.x and a0.y, as selected by the mask.", "Rounds towards zero: 0.9 becomes 0. Only values from −128 to 127 are useful. The register number in DST is ignored.", "Two consecutive `mova` freeze the GPU; put another instruction between them."),
    Op(0x13, 1, "mov",     Format1u,    "arithmetic", "dst src1",           "xyzw",           "dst",     "",          "",  "",        "Componentwise copy.", "Subnormal numbers pass unchanged.", ""),
    Op(0x18, 1, "dphi",    Format1i,    "arithmetic", "dst src1 src2",      "XYZ XYZW",       "dst",     "",          "",  "dph",     "As `dph`, but the second source may be a float uniform.", HOMOGENEOUS, ""),
    Op(0x19, 1, "dsti",    Format1i,    "arithmetic", "dst src1 src2",      "yz yw",          "dst",     "src1 src2", "",  "dst",     "As `dst`, but the second source may be a float uniform.", DISTANCE, DISTANCE_ERRATA),
    Op(0x1A, 1, "sgei",    Format1i,    "arithmetic", "dst src1 src2",      "xyzw xyzw",      "dst",     "",          "",  "sge",     "As `sge`, but the second source may be a float uniform.", COMPARED, ""),
    Op(0x1B, 1, "slti",    Format1i,    "arithmetic", "dst src1 src2",      "xyzw xyzw",      "dst",     "",          "",  "slt",     "As `slt`, but the second source may be a float uniform.", COMPARED, ""),
    # ---- flow
    Op(0x20, 1, "break",   Format0,     "break",      "",                   "",               "aL",      "",          "",  "",        "Leaves the innermost loop.", "Execution continues after the loop.", "Inside an if or a called procedure, that block's entry stays on its stack. If no loop is running, the GPU hangs. Rarely useful: directly in a loop, the code after it never runs."),
    Op(0x21, 1, "nop",     Format0,     "nop",        "",                   "",               "",        "",          "",  "",        "No operation.", "Used where a block must not end with the previous instruction.", ""),
    Op(0x22, 1, "end",     Format0,     "end",        "",                   "",               "",        "",          "",  "",        "Ends the shader.", "Valid at any depth of blocks and calls.", ""),
    Op(0x23, 1, "breakc",  Format2,     "break",      "cond",               "",               "aL",      "",          "",  "",        "Leaves the innermost loop if the condition holds.", "DST and NUM are ignored.", "As `break`."),
    Op(0x24, 1, "call",    Format2,     "call",       "call",               "",               "",        "",          "",  "",        "Calls a procedure.", PROCEDURE, LAST_WORD),
    Op(0x25, 1, "callc",   Format2,     "call",       "cond call",          "",               "",        "",          "",  "",        "Calls a procedure if the condition holds.", PROCEDURE, LAST_WORD),
    Op(0x26, 1, "callu",   Format3,     "call",       "bool call",          "",               "",        "",          "",  "",        "Calls a procedure if the boolean uniform is true.", PROCEDURE, LAST_WORD),
    Op(0x27, 1, "ifu",     Format3,     "if",         "bool else",          "",               "",        "",          "",  "",        "Runs the words up to DST if the boolean uniform is true, else continues at DST.", "After the if part, the NUM words of the else part are skipped. " + TRUE_LENGTH, ""),
    Op(0x28, 1, "ifc",     Format2,     "if",         "cond else",          "",               "",        "",          "",  "",        "Runs the words up to DST if the condition holds, else continues at DST.", "After the if part, the NUM words of the else part are skipped. " + TRUE_LENGTH, ""),
    Op(0x29, 1, "for",     Format3Loop, "loop",       "int last",           "",               "aL",      "",          "",  "loop",    "Runs the words up to and including DST i.x + 1 times (1 to 256); aL starts at i.y and is incremented by i.z after each iteration.", "The body runs at least once. aL is incremented after the last iteration too, and keeps that value after the outermost loop; after an inner loop, the outer loop's aL is restored.", "The value of aL after `break` is not known: azahar's interpreter increments it once more, its compiler does not. That interpreter also restores a wrong aL to an outer loop, as its tests note."),
    Op(0x2A, 1, "emit",    Format0,     "emit",       "",                   "",               "",        "",          "g", "",        "Stores the outputs in the vertex slot selected by `setemit`; with its prim flag, also emits the triangle.", "The slots keep their vertices, so a strip only needs to store the new one each time.", "There are two banks of output registers, swapped by each emit: an output that is not written again has its value of two emits before."),
    Op(0x2B, 1, "setemit", Format4,     "setemit",    "vertex",             "",               "",        "",          "g", "",        "Selects the slot (0 to 2) for the next `emit`, whether it completes a triangle, and the triangle's winding.", "With prim, the three slots are emitted as a triangle after the store; inv reverses its winding.", "The word can hold slot 3; its effect on hardware is not known."),
    Op(0x2C, 1, "jmpc",    Format2,     "jump",       "cond jump",          "",               "",        "",          "",  "",        "Jumps to DST if the condition holds.", "Backward jumps are allowed. A jump out of a block leaves that block's entry on its stack.", LAST_WORD),
    Op(0x2D, 1, "jmpu",    Format3Jump, "jump",       "test jump",          "",               "",        "",          "",  "",        "Jumps to DST if the boolean uniform is true, or, with bit 0 of NUM set, if it is false.", "Backward jumps are allowed. A jump out of a block leaves that block's entry on its stack.", LAST_WORD),
    # ---- the formats with fewer bits of opcode
    Op(0x2E, 2, "cmp",     Format1c,    "compare",    "src1 cmpx cmpy src2", "XY XY",         "cmp",     "src2",      "",  "",        "cmp.x = x₁ CMPX x₂ and cmp.y = y₁ CMPY y₂.", "Both flags are always set; the mask is ignored. With NaN only `ne` holds. A subnormal number is not equal to 0.", "Comparisons 6 and 7 are undefined: in Panda3DS and Tanuki3DS they always hold, in azahar the flag does not change."),
    Op(0x30, 8, "madi",    Format5i,    "arithmetic", "dst src1 src2 src3", "xyzw xyzw xyzw", "dst",     "",          "",  "mad",     "As `mad`, but the third source may be a float uniform.", PRODUCTS + " Descriptors 0 to 31 only.", ""),
    Op(0x38, 8, "mad",     Format5,     "arithmetic", "dst src1 src2 src3", "xyzw xyzw xyzw", "dst",     "",          "",  "",        "Componentwise multiply-add: first source times second, plus third.", PRODUCTS + " inf × 0 + 1 is 1. Descriptors 0 to 31 only.", "Not known: whether the product is rounded before the addition."),
))
# fmt: on

INVERTED = {"dph": "dphi", "dst": "dsti", "sge": "sgei", "slt": "slti", "mad": "madi"}

BY_OPCODE: tuple[Op | None, ...] = tuple(
    next((op for op in OPS if op.code <= opcode < op.code + op.span), None) for opcode in range(64)
)
