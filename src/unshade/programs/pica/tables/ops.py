"""The instructions of the PICA200's shader units: one row states all that is known of an operation.

    Op(0x08, 1, "mul", Format1, "arithmetic", "dst src1 src2", "xyzw xyzw", "dst", "", "",  …)
        |    |    |       |          |               |              |         |    |    |
        |    |    |       |          |               |              |         |    |    stages
        |    |    |       |          |               |              |         |    sources that
        |    |    |       |          |               |              |         |    picasso keeps whole
        |    |    |       |          |               |              |         what is written
        |    |    |       |          |               |              components read of each source
        |    |    |       |          |               operands in the order of a text
        |    |    |       |          what kind of operation
        |    |    |       format of the word (fields.py)
        |    |    picasso's mnemonic
        |    opcodes of six bits that it takes: 1, 2 (cmp), 8 (mad)
        the first of them

and then: other spellings, one sentence of semantics, special cases, errata.

Operands are named as the fields of their format; where an operand is more than one field:

    dst       destination with the descriptor's mask      a0        address registers, by that mask
    src1…3    source with swizzle, sign and address register
    cond      condop, refx, refy: a condition of cmp.x and cmp.y
    bool      a boolean uniform          test    one that jmpu may invert
    int       an integer uniform
    else      target and num: where the if part ends, words of the else part
    call      target and num: the called code
    last      target: the last word of a loop      jump    target: where to go on
    vertex    the three fields of setemit

Components read: after the swizzle. A capital is read always, a small letter only if the mask has
that component: "xyzw" is an operation component by component, "XYZ" a dot product.

Of a descriptor picasso shares, an instruction only claims the bits that matter to it. Those are
nearly the components read; of dst, litp and the second source of cmp it claims all.

Source: 3dbrew's pages on the instruction set and on pitfalls; nihstro's headers, picasso's encoder,
the interpreters of azahar, Panda3DS and Tanuki3DS and their tests on hardware. Where they differ,
the row says so. The corpus has every one of these operations and no other.
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
        # The source of seven bits, to which the address register belongs.
        widths = {each: getattr(format, each).width for each in self.sources}
        self.wide = next((each for each, width in widths.items() if width == 7), "")

    def __repr__(self) -> str:
        return f"<Op {self.name}>"

    def components(self, source: int, mask: str) -> str:
        """The components of a source, 0 to 2, that are read after its swizzle: "xz".

        `mask` has the components that are written.
        """
        reads = self.reads[source]
        return "".join(c for c in COMPONENTS if c.upper() in reads or (c in reads and c in mask))

    def claims(self, source: int, mask: str) -> str:
        """The components of a source's swizzle that matter as picasso sees it."""
        kept = self.sources[source] in self.kept
        return COMPONENTS if kept else self.components(source, mask)


ADD_INF = "inf − inf is NaN. Subtract by negating a source."
PRODUCTS = "Products are those of mul."
DOT = "The sum stands in every written component. " + PRODUCTS
HOMOGENEOUS = "It is always the first source whose w counts as 1.0, in both forms. " + DOT
SCALAR = (
    "Only x of the source is read, after its swizzle; the result stands in every written component."
)
COMPARED = "NaN on either side gives 0.0."
TRUE_LENGTH = "NUM has eight bits: the else part has at most 255 words."
PROCEDURE = "The words from DST on, NUM of them; behind the last of them execution returns to the word after the call."
LAST_WORD = "Does not work as the last word of a block: the block's end is found first, and wins."
DISTANCE = "With (·, d², d², ·) and (·, 1/d, ·, 1/d) the result is (1, d, d², 1/d). y needs y of both, z only the first source, w only the second."
DISTANCE_ERRATA = "Known from its name and one emulator (Tanuki3DS); not tried on hardware by anybody who wrote it down."

# fmt: off
OPS = Table((
    # ---- arithmetic
    Op(0x00, 1, "add",     Format1,     "arithmetic", "dst src1 src2",      "xyzw xyzw",      "dst",     "",          "",  "",        "Sum, component by component.", ADD_INF, ""),
    Op(0x01, 1, "dp3",     Format1,     "arithmetic", "dst src1 src2",      "XYZ XYZ",        "dst",     "",          "",  "",        "Dot product of x, y and z.", DOT, ""),
    Op(0x02, 1, "dp4",     Format1,     "arithmetic", "dst src1 src2",      "XYZW XYZW",      "dst",     "",          "",  "",        "Dot product of all four components.", DOT, ""),
    Op(0x03, 1, "dph",     Format1,     "arithmetic", "dst src1 src2",      "XYZ XYZW",       "dst",     "",          "",  "",        "Dot product of all four components, w of the first source being 1.0.", HOMOGENEOUS, ""),
    Op(0x04, 1, "dst",     Format1,     "arithmetic", "dst src1 src2",      "yz yw",          "dst",     "src1 src2", "",  "",        "Distance vector: (1.0, y₁ × y₂, z₁, w₂).", DISTANCE, DISTANCE_ERRATA),
    Op(0x05, 1, "ex2",     Format1u,    "arithmetic", "dst src1",           "X",              "dst",     "",          "",  "exp",     "2 to the power of x.", "ex2(−inf) is 0. " + SCALAR, ""),
    Op(0x06, 1, "lg2",     Format1u,    "arithmetic", "dst src1",           "X",              "dst",     "",          "",  "log",     "Logarithm of x to the base 2.", "lg2(0) is −inf, of a negative number NaN. " + SCALAR, ""),
    Op(0x07, 1, "litp",    Format1u,    "arithmetic", "dst src1",           "XyW",            "dst cmp", "src1",      "",  "lit",     "Lighting helper: (max(x, 0), clamp(y, −127.996, 127.996), 0, max(w, 0)), and cmp.x = x ≥ 0, cmp.y = w ≥ 0.", "The bound is 0x7FFF / 0x100 = 127.99609375. Both flags are set whatever the mask.", "From 3dbrew and a test program on hardware (Panda3DS); azahar does not have it."),
    Op(0x08, 1, "mul",     Format1,     "arithmetic", "dst src1 src2",      "xyzw xyzw",      "dst",     "",          "",  "",        "Product, component by component.", "0 × inf and inf × 0 are 0, where IEEE 754 has NaN; NaN times anything is NaN.", "3dbrew's table of August 2015 has 0 for NaN × 0, too; azahar's tests expect NaN."),
    Op(0x09, 1, "sge",     Format1,     "arithmetic", "dst src1 src2",      "xyzw xyzw",      "dst",     "",          "",  "",        "1.0 where the first source is greater than or equal to the second, else 0.0.", COMPARED, ""),
    Op(0x0A, 1, "slt",     Format1,     "arithmetic", "dst src1 src2",      "xyzw xyzw",      "dst",     "",          "",  "",        "1.0 where the first source is less than the second, else 0.0.", COMPARED, ""),
    Op(0x0B, 1, "flr",     Format1u,    "arithmetic", "dst src1",           "xyzw",           "dst",     "",          "",  "",        "Greatest integer that is not above, component by component.", "Rounds towards −inf: flr(−0.1) is −1. The fraction of x is add x, −flr(x).", ""),
    Op(0x0C, 1, "max",     Format1,     "arithmetic", "dst src1 src2",      "xyzw xyzw",      "dst",     "",          "",  "",        "The first source where it is greater than the second, else the second.", "Hence max(0, NaN) is NaN and max(NaN, 0) is 0. Subnormal numbers pass unchanged.", "3dbrew gives max(0, −inf) as −inf; a later test on hardware expects 0, which is what the sentence says."),
    Op(0x0D, 1, "min",     Format1,     "arithmetic", "dst src1 src2",      "xyzw xyzw",      "dst",     "",          "",  "",        "The first source where it is less than the second, else the second.", "Hence min(0, NaN) is NaN and min(NaN, 0) is 0. Subnormal numbers pass unchanged.", ""),
    Op(0x0E, 1, "rcp",     Format1u,    "arithmetic", "dst src1",           "X",              "dst",     "",          "",  "",        "1 divided by x.", "rcp(0) is +inf, also of −0; rcp(±inf) is 0. " + SCALAR, "Precision on hardware is not known."),
    Op(0x0F, 1, "rsq",     Format1u,    "arithmetic", "dst src1",           "X",              "dst",     "",          "",  "",        "1 divided by the square root of x.", "rsq(0) is +inf, also of −0; rsq(+inf) is 0, of a negative number and of −inf NaN. " + SCALAR, "Precision on hardware is not known."),
    Op(0x12, 1, "mova",    Format1u,    "address",    "a0 src1",            "xy",             "a0",      "",          "",  "",        "a0.x and a0.y become x and y as integers, those that the mask has.", "Rounds towards zero: 0.9 becomes 0. Values from −128 to 127 are of use. The register number in DST means nothing.", "Two mova in a row freeze the GPU: put another instruction between them."),
    Op(0x13, 1, "mov",     Format1u,    "arithmetic", "dst src1",           "xyzw",           "dst",     "",          "",  "",        "Copies, component by component.", "Subnormal numbers pass unchanged.", ""),
    Op(0x18, 1, "dphi",    Format1i,    "arithmetic", "dst src1 src2",      "XYZ XYZW",       "dst",     "",          "",  "dph",     "As dph; the second source may be a float uniform.", HOMOGENEOUS, ""),
    Op(0x19, 1, "dsti",    Format1i,    "arithmetic", "dst src1 src2",      "yz yw",          "dst",     "src1 src2", "",  "dst",     "As dst; the second source may be a float uniform.", DISTANCE, DISTANCE_ERRATA),
    Op(0x1A, 1, "sgei",    Format1i,    "arithmetic", "dst src1 src2",      "xyzw xyzw",      "dst",     "",          "",  "sge",     "As sge; the second source may be a float uniform.", COMPARED, ""),
    Op(0x1B, 1, "slti",    Format1i,    "arithmetic", "dst src1 src2",      "xyzw xyzw",      "dst",     "",          "",  "slt",     "As slt; the second source may be a float uniform.", COMPARED, ""),
    # ---- flow
    Op(0x20, 1, "break",   Format0,     "break",      "",                   "",               "aL",      "",          "",  "",        "Leaves the innermost loop.", "Execution goes on behind the loop.", "Inside an if or a called procedure it leaves that block's entry on its stack. With no loop running it hangs the GPU. It is seldom of use: directly in a loop, what follows never runs."),
    Op(0x21, 1, "nop",     Format0,     "nop",        "",                   "",               "",        "",          "",  "",        "Does nothing.", "Stands where a block may not end otherwise.", ""),
    Op(0x22, 1, "end",     Format0,     "end",        "",                   "",               "",        "",          "",  "",        "Ends the shader.", "Works at any depth of blocks and calls.", ""),
    Op(0x23, 1, "breakc",  Format2,     "break",      "cond",               "",               "aL",      "",          "",  "",        "Leaves the innermost loop if the condition holds.", "DST and NUM mean nothing.", "As break."),
    Op(0x24, 1, "call",    Format2,     "call",       "call",               "",               "",        "",          "",  "",        "Calls a procedure.", PROCEDURE, LAST_WORD),
    Op(0x25, 1, "callc",   Format2,     "call",       "cond call",          "",               "",        "",          "",  "",        "Calls a procedure if the condition holds.", PROCEDURE, LAST_WORD),
    Op(0x26, 1, "callu",   Format3,     "call",       "bool call",          "",               "",        "",          "",  "",        "Calls a procedure if the boolean uniform is true.", PROCEDURE, LAST_WORD),
    Op(0x27, 1, "ifu",     Format3,     "if",         "bool else",          "",               "",        "",          "",  "",        "Runs what follows up to DST if the boolean uniform is true, else goes on at DST.", "After the first part the NUM words of the else part are passed over. " + TRUE_LENGTH, ""),
    Op(0x28, 1, "ifc",     Format2,     "if",         "cond else",          "",               "",        "",          "",  "",        "Runs what follows up to DST if the condition holds, else goes on at DST.", "After the first part the NUM words of the else part are passed over. " + TRUE_LENGTH, ""),
    Op(0x29, 1, "for",     Format3Loop, "loop",       "int last",           "",               "aL",      "",          "",  "loop",    "Runs the words up to and with DST i.x + 1 times, 1 to 256; aL starts at i.y and grows by i.z after each turn.", "There is no way to run the body not at all. aL grows after the last turn too, and stays so behind the outermost loop; behind an inner one the aL of the outer comes back.", "What aL is after break is not known: azahar's interpreter lets it grow once more, its compiler does not. The same interpreter gives an outer loop the wrong aL back, as its tests say."),
    Op(0x2A, 1, "emit",    Format0,     "emit",       "",                   "",               "",        "",          "g", "",        "Stores the outputs as the vertex that setemit chose; with its prim flag, sends the triangle.", "The slots keep their vertices: a strip stores only the new one each time.", "There are two banks of output registers, changed with each emit: an output that is not written again has the value of two emits ago."),
    Op(0x2B, 1, "setemit", Format4,     "setemit",    "vertex",             "",               "",        "",          "g", "",        "Chooses the slot, 0 to 2, for the next emit, whether it completes a triangle, and whether that is turned over.", "With prim the three slots are sent as a triangle after the store; inv swaps its winding.", "Slot 3 can be written in the word; what hardware does then is not known."),
    Op(0x2C, 1, "jmpc",    Format2,     "jump",       "cond jump",          "",               "",        "",          "",  "",        "Goes on at DST if the condition holds.", "May go backwards. Out of a block it leaves that block's entry on its stack.", LAST_WORD),
    Op(0x2D, 1, "jmpu",    Format3Jump, "jump",       "test jump",          "",               "",        "",          "",  "",        "Goes on at DST if the boolean uniform is true, or false where bit 0 of NUM is set.", "May go backwards. Out of a block it leaves that block's entry on its stack.", LAST_WORD),
    # ---- the formats with fewer bits of opcode
    Op(0x2E, 2, "cmp",     Format1c,    "compare",    "src1 cmpx cmpy src2", "XY XY",         "cmp",     "src2",      "",  "",        "cmp.x = x₁ CMPX x₂ and cmp.y = y₁ CMPY y₂.", "Both flags are always set; the mask means nothing. With NaN only ne holds. A subnormal number is not equal to 0.", "Comparisons 6 and 7: Panda3DS and Tanuki3DS take them to hold always, azahar leaves the flag; not known."),
    Op(0x30, 8, "madi",    Format5i,    "arithmetic", "dst src1 src2 src3", "xyzw xyzw xyzw", "dst",     "",          "",  "mad",     "As mad; the third source may be a float uniform.", PRODUCTS + " Descriptors 0 to 31 only.", ""),
    Op(0x38, 8, "mad",     Format5,     "arithmetic", "dst src1 src2 src3", "xyzw xyzw xyzw", "dst",     "",          "",  "",        "First source times second, plus third, component by component.", PRODUCTS + " inf × 0 + 1 is 1. Descriptors 0 to 31 only.", "Whether the product is rounded before the sum is not known."),
))
# fmt: on

INVERTED = {"dph": "dphi", "dst": "dsti", "sge": "sgei", "slt": "slti", "mad": "madi"}

BY_OPCODE: tuple[Op | None, ...] = tuple(
    next((op for op in OPS if op.code <= opcode < op.code + op.span), None) for opcode in range(64)
)
