"""Writes docs/formats/*.md from the declarations in the code: `python tools/format_pages.py`.

tests/docs/test_format_pages.py fails while a page is older than what it is made from.
"""

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

from unshade.damaged import RULES as FILE_RULES
from unshade.errors import Severity
from unshade.formats.dxcontainer import container, parts
from unshade.formats.dxcontainer.parts.kind import RecordKind
from unshade.formats.dxcontainer.verify.rules import RULES as CONTAINER_RULES
from unshade.formats.shbin import dvoj, known_writers, linking, records, spelling
from unshade.formats.shbin.verify.rules import RULES as SHBIN_RULES
from unshade.isa import Word
from unshade.programs.pica import Instruction, OperandDescriptor, Program, float24, registers
from unshade.programs.pica import descriptors as pica_descriptors
from unshade.programs.pica import fields as pica_fields
from unshade.programs.pica import ops as pica_ops
from unshade.programs.pica.assembly_rules import RULES as SOURCE_RULES
from unshade.programs.pica.operands import Condition
from unshade.programs.pica.structure import structure
from unshade.programs.pica.verify.rules import RULES as PICA_RULES
from unshade.programs.tpf import tokens
from unshade.programs.tpf.ops import OPS, Op
from unshade.programs.tpf.verify.rules import RULES as PROGRAM_RULES
from unshade.wire.schema import markdown

DOCS = Path(__file__).resolve().parent.parent / "docs" / "formats"
MADE = "<!-- made by tools/format_pages.py; edit the declarations instead -->\n"


def pages() -> dict[str, str]:
    """The text of every page, by file name."""
    return {
        "dxcontainer.md": dxcontainer(),
        "tpf.md": tpf(),
        "shbin.md": shbin(),
        "pica.md": pica(),
        "findings.md": findings(),
    }


def dxcontainer() -> str:
    """The container and every part that is typed."""
    found = [MADE, "# The DirectX container", "", drawing(container.__doc__)]
    found += [markdown(container.Header), "## Parts", ""]
    names: dict[str, list[str]] = {}
    for name, module in parts.ALIASES.items():
        names.setdefault(module, []).append(name)
    for module in sorted(m.name for m in iter_modules(parts.__path__)):
        loaded = import_module(f"{parts.__name__}.{module}")
        if not hasattr(loaded, "PART"):
            continue
        own = [module.upper()] if len(module) == 4 else []  # else named by its aliases alone
        title = ", ".join(own + names.get(module, []))
        found += [f"## {title}", "", drawing(loaded.__doc__)]
        if isinstance(loaded.PART, RecordKind):
            found.append(markdown(loaded.PART.record))
        else:
            found += ["See [the tokenized program format](tpf.md).", ""]
    return "\n".join(found)


def shbin() -> str:
    """SHBIN and DVOJ: drawings and tables of the records."""
    found = [MADE, "# Nintendo 3DS: SHBIN", "", drawing(records.__doc__)]
    found += ["## Who writes what", "", drawing(known_writers.__doc__)]
    found += ["| writer | " + " | ".join(known_writers.COLUMNS) + " |"]
    found += ["|---" * (len(known_writers.COLUMNS) + 1) + "|"]
    found += [
        f"| {name} | " + " | ".join(row) + " |" for name, row in known_writers.WRITERS.items()
    ]
    found += ["", "## How numbers are written in YAML", "", drawing(spelling.__doc__)]
    found += ["## Records", "", markdown(records.Dvlb)]
    found += ["## Objects", "", drawing(dvoj.__doc__)]
    for page in ("\n" + markdown(records.Dvoj)).split("\n### ")[1:]:
        if page.startswith(("Dvoj", "Relocation")):  # the other records are above
            found += [f"### {page}", ""]
    found += ["", "## Linking", "", drawing(linking.__doc__)]
    found += ["The instruction set is described on [a page of its own](pica.md)."]
    return "\n".join(found) + "\n"


def tpf() -> str:
    """The instruction set of shader models 4 to 5.1."""
    found = [MADE, "# Shader Model 4 to 5.1: the tokenized program format", ""]
    found += [drawing(tokens.__doc__), "## Operations", ""]
    found += [
        "| number | name | operands | model | stages | what it does |",
        "|---|---|---|---|---|---|",
    ]
    found += [operation(op) for op in OPS]
    found += ["", "## Words", ""]
    for word in vars(tokens).values():
        if isinstance(word, type) and issubclass(word, Word) and word.FIELDS:
            found += word_table(word)
    return "\n".join(found)


def findings() -> str:
    """Every rule of `verify`."""
    found = [MADE, "# What `verify` finds", ""]
    found += [
        "An error may make the runtime or a driver refuse the file, a warning is what no compiler",
        "writes, a note is worth knowing.",
        "",
    ]
    for title, rules in (
        ("Files of every format", FILE_RULES),
        ("DirectX containers", CONTAINER_RULES),
        ("Shader Model 4 and 5 programs", PROGRAM_RULES),
        ("SHBIN files and objects", SHBIN_RULES),
        ("PICA200 programs", PICA_RULES),
        ("picasso sources, as they are assembled", SOURCE_RULES),
    ):
        found += [f"## {title}", "", "| code | severity | what was found | why it matters |"]
        found += ["|---|---|---|---|"]
        for rule in rules.values():
            row = f"| `{rule.code}` | {rule.severity} | {rule.summary} | {rule.explanation} |"
            found.append(row)
        found.append("")
    return "\n".join(found)


# ---------------------------------------------------------------- PICA200


def pica() -> str:
    """The reference of the PICA200's instruction set: tools/pica.md with its tables filled in."""
    swizzle = 0b00_10_00_11
    text = (Path(__file__).parent / "pica.md").read_text(encoding="utf-8")
    code, table = pica_example()
    first = next(each for each in code if each.name == "dp4")
    parts = {
        "example": pica_listing(code, table),
        "example_word": f"0x{first.word:08x}",
        "example_desc": str(first.desc),
        "registers": indented(registers),
        "formats": pica_formats(),
        "descriptors": block(drawn(pica_descriptors.OperandDescriptor)),
        "swizzle_example": pica_descriptors.swizzle_letters(swizzle),
        "swizzle_number": f"0x{swizzle:02x}",
        "opcode_map": pica_opcode_map(),
        "operations": "\n".join(pica_operation(op) for op in pica_ops.OPS).rstrip(),
        "conditions": "\n".join(
            f"| {name.value} | {name.name} | {Condition(name.value, True, False)} |".replace(
                "||", "\\|\\|"
            )
            for name in pica_fields.ConditionOp
        ),
        "flow_example": pica_flow_example(),
        "float24": indented(float24),
        "errata": "\n".join(
            ["| rule | what | why |", "|---|---|---|"]
            + [
                f"| `{rule.code}` | {rule.summary} | {rule.explanation} |"
                for rule in PICA_RULES.values()
                if rule.severity is Severity.ERROR
            ]
        ),
        "corpus": "8,053 words and 5,308 descriptors of 137 files by five tools",
    }
    for name, value in parts.items():
        text = text.replace(f"{{{name}}}", value)
    return MADE + "\n" + text


def pica_example() -> tuple[list[Instruction], list[OperandDescriptor]]:
    """position = projection × (v0.xyz, 1); colour = v1."""
    make, identity = Instruction.make, pica_descriptors.IDENTITY
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


def pica_listing(code: list[Instruction], table: list[OperandDescriptor]) -> str:
    """Words and what they say."""
    lines = []
    for at, each in enumerate(code):
        operands = ", ".join(map(str, each.operands_by(table)))
        reads = each.op is not None and each.op.reads
        desc = f"descriptor {each.desc}: 0x{table[each.desc].word:08x}" if reads else ""
        lines.append(f"{at:2}  {each.word:08x}  {each.name:<5}{operands:<26}{desc}".rstrip())
    return block("\n".join(lines))


def pica_formats() -> str:
    """Each format with the operations that have it, drawn."""
    found = []
    for word in pica_fields.FORMATS:
        names = ", ".join(f"`{op.name}`" for op in pica_ops.OPS if op.format is word)
        number = getattr(word, "FORMAT", "")
        doc = (word.__doc__ or "").strip()
        found += [f"### Format {number}: {names}", "", doc, "", block(drawn(word)), ""]
        found += ["| bits | field | meaning |", "|---|---|---|"]
        found += [bits_row(f.low, f.width, f.name, f.doc) for f in reversed(word.FIELDS)]
        found.append("")
    return "\n".join(found).rstrip()


def pica_opcode_map() -> str:
    """Eight by eight."""
    lines = ["| | " + " | ".join(f"+{i}" for i in range(8)) + " |", "|---" * 9 + "|"]
    for row in range(0, 64, 8):
        names = (op.name if op else "" for op in pica_ops.BY_OPCODE[row : row + 8])
        cells = (f"[`{name}`](#{name})" if name else "" for name in names)
        lines.append(f"| **0x{row:02x}** | " + " | ".join(cells) + " |")
    return "\n".join(lines)


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


def pica_operation(op: pica_ops.Op) -> str:
    """The section of one operation."""
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
        reads = (
            f"{name} {'wide' if name == op.wide else 'narrow'}, {pica_reads(op.reads[i])}"
            for i, name in enumerate(op.sources)
        )
        lines += ["", f"Reads: {'; '.join(reads)}."]
    if op.errata:
        lines += ["", f"*Hardware:* {op.errata}"]
    return "\n".join([*lines, ""])


def pica_reads(spec: str) -> str:
    """What a column of the table says of the components that are read."""
    always = "".join(c.lower() for c in spec if c.isupper())
    masked = "".join(c for c in spec if c.islower())
    if masked == "xyzw":
        return "the components that are written"
    told = [always] if always else []
    if masked:
        told.append(f"{masked} as far as {'they are' if len(masked) > 1 else 'it is'} written")
    return " and ".join(told)


def pica_flow_example() -> str:
    """Blocks as words."""
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
        1: "body: words 2 to 6, the last included",
        2: "if part: word 3; else part: word 4",
        5: "on cmp.y to word 7",
        6: "so that the loop does not end with breakc",
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


def drawn(word: type[Word]) -> str:
    """The bits of a word as a picture, the highest to the left."""
    cells: list[tuple[int, int, str]] = []
    above = word.WIDTH
    for f in reversed(word.FIELDS):
        if f.low + f.width < above:
            cells.append((above - 1, f.low + f.width, "-"))
        cells.append((f.low + f.width - 1, f.low, f.name))
        above = f.low
    if above:
        cells.append((above - 1, 0, "-"))
    numbers, line, names = " ", "+", "|"
    for high, low, name in cells:
        bits = str(high) if high == low else f"{high} {low}"
        width = max(len(name) + 2, len(bits) + 1, (high - low + 1) * 2 // 2)
        numbers += (bits if high == low else f"{high}{low:>{width - len(str(high)) - 1}}").ljust(
            width
        )
        numbers += " "
        line += "-" * width + "+"
        names += name.center(width) + "|"
    return "\n".join([numbers.rstrip(), line, names, line])


def block(text: str) -> str:
    """Text as it stands."""
    return f"```text\n{text}\n```"


def indented(module: ModuleType) -> str:
    """The middle of a module's text: without what it models, and without its source."""
    paragraphs = (module.__doc__ or "").strip().split("\n\n")
    return "\n\n".join(each for each in paragraphs[1:] if not each.startswith("Source:"))


def bits_row(low: int, width: int, name: str, doc: str) -> str:
    """A row of a table of bit fields."""
    bits = str(low) if width == 1 else f"{low}–{low + width - 1}"
    return f"| {bits} | `{name}` | {doc} |"


# ---------------------------------------------------------------- shader models


def operation(op: Op) -> str:
    """One row."""
    stages = "all" if len(op.stages) == 6 else " ".join(sorted(s.profile for s in op.stages))
    operands = " ".join([*op.operands, *(f"`{name}`" for name in op.dwords)])
    model = f"{op.since[0]}.{op.since[1]}"
    return f"| {op.code} | `{op.name}` | {operands} | {model} | {stages} | {op.doc} |"


def word_table(word: type[Word]) -> list[str]:
    """A word and its bit fields."""
    lines = [f"### {word.__name__}", "", (word.__doc__ or "").strip(), ""]
    lines += ["| bits | field | meaning |", "|---|---|---|"]
    lines += [bits_row(f.low, f.width, f.name, f.doc) for f in word.FIELDS]
    return [*lines, ""]


def drawing(doc: str | None) -> str:
    """A module's text as Markdown: its indented drawings are code blocks there too."""
    return (doc or "").strip() + "\n"


def main() -> None:
    DOCS.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (DOCS / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
