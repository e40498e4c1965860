"""Documentation page about the PICA200 instruction set."""

from tests.programs.pica.tables import edges
from tools.pages.markdown import bits_row, block, drawn, edge_table, filled, indented
from unshade.errors import Severity
from unshade.programs.pica import Instruction, OperandDescriptor, Program, descriptors
from unshade.programs.pica.operands import Condition
from unshade.programs.pica.structure import structure
from unshade.programs.pica.tables import fields, ops, registers
from unshade.programs.pica.verify.rules import RULES
from unshade.vocab import float24


def page() -> str:
    """Return the page with its tables filled in."""
    swizzle = 0b00_10_00_11
    code, table = example()
    first = next(each for each in code if each.name == "dp4")
    parts = {
        "example": listing(code, table),
        "example_word": f"0x{first.word:08x}",
        "example_desc": str(first.desc),
        "registers": indented(registers),
        "formats": formats(),
        "descriptors": block(drawn(descriptors.OperandDescriptor)),
        "descriptor_bits": "\n".join(
            ["| bits | field | meaning |", "|---|---|---|"]
            + [bits_row(f) for f in reversed(descriptors.OperandDescriptor.FIELDS)]
        ),
        "comparisons": comparisons(),
        "swizzle_example": descriptors.swizzle_letters(swizzle),
        "swizzle_number": f"0x{swizzle:02x}",
        "opcode_map": opcode_map(),
        "operations": "\n".join(operation(op) for op in ops.OPS).rstrip(),
        "edges": "\n".join(edge_table(edges.EDGES)),
        "conditions": "\n".join(
            f"| {name.value} | {name.name} | {Condition(name.value, True, False)} |".replace(
                "||", "\\|\\|"
            )
            for name in fields.ConditionOp
        ),
        "flow_example": flow_example(),
        "float24": indented(float24),
        "errata": "\n".join(
            ["| rule | finding | reason |", "|---|---|---|"]
            + [
                f"| `{rule.code}` | {rule.summary} | {rule.explanation} |"
                for rule in RULES.values()
                if rule.severity is Severity.ERROR
            ]
        ),
        "corpus": "8,053 words and 5,308 descriptors of 137 files by five tools",
    }
    return filled(__file__, parts)


def comparisons() -> str:
    """Return the table of comparisons of `cmp`."""
    lines = ["| CMPX, CMPY | in picasso | the flag is set if |", "|---|---|---|"]
    for each, sign in zip(fields.CompareOp, SIGNS, strict=True):
        lines.append(f"| {each.value} | `{each.name.lower()}` | source 1 {sign} source 2 |")
    return "\n".join([*lines, "| 6, 7 | | [not known](#what-is-not-known) |"])


def example() -> tuple[list[Instruction], list[OperandDescriptor]]:
    """Return the code and descriptors of position = projection × (v0.xyz, 1); colour = v1."""
    make, identity = Instruction.make, descriptors.IDENTITY
    table = [
        OperandDescriptor(mask=0b1110, swz1=identity),
        OperandDescriptor(mask=0b0001, swz1=0b01_01_01_01),
        *[OperandDescriptor(mask=8 >> i, swz1=identity, swz2=identity) for i in range(4)],
        OperandDescriptor(mask=0b1111, swz1=identity),
    ]
    code = [
        make("mov", dst="r0", src1="v0", desc=0),
        make("mov", dst="r0", src1="c95", desc=1),
        *[make("dp4", dst="o0", src1=f"c{i}", src2="r0", desc=2 + i) for i in range(4)],
        make("mov", dst="o1", src1="v1", desc=6),
        make("end"),
    ]
    return code, table


def listing(code: list[Instruction], table: list[OperandDescriptor]) -> str:
    """Return the words with their instructions and descriptors."""
    lines = []
    for at, each in enumerate(code):
        operands = ", ".join(map(str, each.operands_by(table)))
        reads = each.op is not None and each.op.reads
        desc = f"descriptor {each.desc}: 0x{table[each.desc].word:08x}" if reads else ""
        lines.append(f"{at:2}  {each.word:08x}  {each.name:<5}{operands:<26}{desc}".rstrip())
    return block("\n".join(lines))


def formats() -> str:
    """Return a section for each format: its operations, a diagram and the fields."""
    found = []
    for word in fields.FORMATS:
        names = ", ".join(f"`{op.name}`" for op in ops.OPS if op.format is word)
        number = getattr(word, "FORMAT", "")
        doc = (word.__doc__ or "").strip()
        found += [f"### Format {number}: {names}", "", doc, "", block(drawn(word)), ""]
        found += ["| bits | field | meaning |", "|---|---|---|"]
        found += [bits_row(f) for f in reversed(word.FIELDS)]
        found.append("")
    return "\n".join(found).rstrip()


def opcode_map() -> str:
    """Return the opcodes as a table of eight by eight."""
    lines = ["| | " + " | ".join(f"+{i}" for i in range(8)) + " |", "|---" * 9 + "|"]
    for row in range(0, 64, 8):
        names = (op.name if op else "" for op in ops.BY_OPCODE[row : row + 8])
        cells = (f"[`{name}`](#{name})" if name else "" for name in names)
        lines.append(f"| **0x{row:02x}** | " + " | ".join(cells) + " |")
    return "\n".join(lines)


SIGNS = ("=", "≠", "<", "≤", ">", "≥")
SYNTAX = {
    "a0": "a0.x|a0.y|a0.xy",
    "cmpx": "opx",
    "cmpy": "opy",
    "cond": "condition",
    "bool": "bN",
    "test": "[!]bN",
    "int": "iN",
    "call": "procedure",
    "jump": "label",
    "vertex": "slot[, [prim] [inv]]",
}
BLOCKS = {"if": " … [.else …] .end", "loop": " … .end"}


def operation(op: ops.Op) -> str:
    """Return the section of one operation."""
    written = [name for name in op.operands if name not in ("else", "last")]
    syntax = f"{op.name} {', '.join(SYNTAX.get(name, name) for name in written)}".rstrip()
    codes = (
        f"0x{op.code:02x}" if op.span == 1 else f"0x{op.code:02x} to 0x{op.code + op.span - 1:02x}"
    )
    facts = [f"`{syntax}{BLOCKS.get(op.kind, '')}`", f"opcode {codes}"]
    facts.append(f"format {getattr(op.format, 'FORMAT', '')}")
    if op.geometry:
        facts.append("geometry shaders only")
    if op.also:
        facts.append(f"also called {', '.join(f'`{name}`' for name in op.also)}")
    lines = [f"### {op.name}", "", " · ".join(facts), "", op.doc]
    if op.cases:
        lines[-1] += f" {op.cases}"
    if op.sources:
        sources = (
            f"{name} {'wide' if name == op.wide else 'narrow'}, {reads(op.reads[i])}"
            for i, name in enumerate(op.sources)
        )
        lines += ["", f"Reads: {'; '.join(sources)}."]
    if op.errata:
        lines += ["", f"*Hardware:* {op.errata}"]
    return "\n".join([*lines, ""])


def reads(spec: str) -> str:
    """Describe the components that a source is read in; `spec` is a column of the table."""
    always = "".join(c.lower() for c in spec if c.isupper())
    masked = "".join(c for c in spec if c.islower())
    if masked == "xyzw":
        return "the components that are written"
    parts = [always] if always else []
    if masked:
        parts.append(f"{masked} if written")
    return " and ".join(parts)


def flow_example() -> str:
    """Return nested blocks as words, with notes."""
    make = Instruction.make
    code = [
        make("call", target=9, num=2),
        make("for", int_id="i0", target=6),
        make("ifc", condop="X", refx=1, target=4, num=1),
        make("nop"),
        make("nop"),
        make("breakc", condop="Y", refy=1),
        make("nop"),
        make("end"),
        make("nop"),
        make("nop"),
        make("nop"),
    ]
    notes = {
        0: "calls words 9 and 10, returns to 1",
        1: "body: words 2 to 6",
        2: "if part: word 3; else part: word 4",
        5: "if cmp.y, continue at word 7",
        6: "so that breakc is not the last word of the loop",
        9: "the procedure",
    }
    found = structure(Program(code))
    assert found.sound
    lines = []
    for at, each in enumerate(code):
        depth = sum(block.at < at < block.end for block in found.blocks)
        fields = ", ".join(map(str, each.operands))
        text = f"{'  ' * depth}{each.name} {fields}".rstrip()
        lines.append(f"{at:2}  {each.word:08x}  {text:<20} {notes.get(at, '')}".rstrip())
    return block("\n".join(lines))
