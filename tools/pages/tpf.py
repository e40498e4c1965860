"""Documentation page of the instruction set of Shader Model 4 to 5.1."""

from tests.programs.tpf.tables import edges
from tools.pages import census
from tools.pages.markdown import block, edge_table, enum_table, filled, indented, word_table
from unshade.isa import Word
from unshade.isa.source import ErrorList, Source
from unshade.programs.tpf import customdata
from unshade.programs.tpf.assembler import assemble
from unshade.programs.tpf.instruction import Instruction
from unshade.programs.tpf.operands import IMMEDIATE_DWORDS, IS_RELATIVE
from unshade.programs.tpf.tables import enumerations, selection, spellings, tokens
from unshade.programs.tpf.tables.ops import LETTERS, OPS, Op
from unshade.programs.tpf.verify.registers import REGISTERS, RegisterTraits

# Words with a section of their own on the page.
EXTENDED: tuple[type[Word], ...] = (tokens.ExtendedToken, *tokens.EXTENDED_OPCODES.values())
OPERANDS = (
    tokens.OperandToken, tokens.ModeToken, tokens.MaskToken, tokens.SwizzleToken,
    tokens.SelectToken,
)  # fmt: skip
DWORDS = (tokens.ReturnTypes, tokens.SystemName, tokens.TableSizes)
SPELLED = {enumerations.SystemValueName: spellings.SYSTEM_VALUES}
REPRESENTATIONS = (
    "a number", "a number of 64 bits, low half first", "an operand, whose value is the index",
    "a number and an operand, added", "a number of 64 bits and an operand, added",
)  # fmt: skip
SOURCES = (
    "Microsoft's header `D3D12TokenizedProgramFormat.hpp` (DirectX-Headers, revision 443ff511):"
    " numbers, controls, layouts.",
    "Direct3D 11.3 functional specification, version 1.17 of 20 June 2025 (DirectX-Specs, revision"
    " 9a31a844): semantics, edge values.",
    "`ShaderBinary.cpp` of the DXIL converter (DirectXShaderCompiler, revision 9a3e225d): operand"
    " counts, precision masks.",
    "The documentation of the HLSL assembly instructions: models, stages.",
    "373 listings of fxc 9.29 to 10.1 with their programs: mnemonics, kinds of literals.",
    "Every statement about tokens was checked on {count} programs; each is encoded again without"
    " a difference.",
)
EXAMPLE = 10, "mul r0.x, cb0[0].xxxx, r0.xxxx"  # the instruction of examples/saxpy.dxbc


def page() -> str:
    """Return the page with its tables filled in."""
    number, line = EXAMPLE
    name, length = line.split()[0], len(example().encode())
    count = sum(census.PROFILES.values())
    return filled(
        __file__,
        {
            "version": "\n".join(word_table(tokens.VersionToken)).rstrip(),
            "example_text": line,
            "example_number": str(number),
            "example_path": f"instructions[{number}]",
            "example_opcode": f"{OPS[name].code} ({name})",
            "example_length": str(length),
            "opcode": words(tokens.OpcodeToken),
            "controls": words(*controls()),
            "extended": words(*EXTENDED),
            "operand": words(*OPERANDS),
            "selection": block(drawing_of(selection.__doc__)),
            "indices": "\n".join(indices()),
            "registers": "\n".join(registers()),
            "modifier": words(tokens.OperandModifier),
            "enumerations": "\n".join(enums()).rstrip(),
            "dwords": words(*DWORDS),
            "custom": words(tokens.CustomData),
            "messages": indented(customdata).split("\n\nA comment")[0],
            "legend": "\n".join(legend()),
            "programs": f"{count:,}",
            "profiles": str(len(census.PROFILES)),
            "date": census.DATE,
            "operations": "\n".join(operations()),
            "edges": "\n".join(edge_table(edges.EDGES)),
            "setting": edges.SETTING,
            "snippets": "\n".join(snippets()),
            "proven": "\n".join(proven()),
            "sources": "\n".join(f"- {each.format(count=count)}" for each in SOURCES),
        },
    )


def example() -> Instruction:
    """Return the instruction that the page explains field by field."""
    errors = ErrorList()
    code = assemble(Source(f"cs_5_0\n{EXAMPLE[1]}"), errors)
    errors.check()
    return code.instructions[0]


def words(*found: type[Word]) -> str:
    """Return the tables of the bit fields of some words."""
    return "\n".join(line for word in found for line in word_table(word)).rstrip()


def controls() -> list[type[Word]]:
    """Return the opcode tokens with controls of particular operations."""
    return [
        word
        for word in vars(tokens).values()
        if isinstance(word, type)
        and issubclass(word, tokens.OpcodeToken)
        and word is not tokens.OpcodeToken
    ]


def drawing_of(doc: str | None) -> str:
    """Return the drawing in a module's docstring."""
    return "\n".join(line[4:] for line in (doc or "").splitlines() if line.startswith("    "))


def indices() -> list[str]:
    """Return the table of index representations."""
    lines = ["| value | name | after the operand | dwords |", "|---|---|---|---|"]
    for each in enumerations.IndexRepresentation:
        count = IMMEDIATE_DWORDS[each] or ""
        more = " + the operand" if IS_RELATIVE[each] else ""
        size = f"{count}{more}".removeprefix(" + ")
        lines.append(f"| {each.value} | {each.name} | {REPRESENTATIONS[each]} | {size} |")
    return lines


def registers() -> list[str]:
    """Return the table of register files."""
    lines = ["| value | name | in a listing | contents | stages | indices | relative |"]
    lines += ["|---|---|---|---|---|---|---|"]
    for each in enumerations.OperandType:
        known = REGISTERS.get(each)
        name = f"| {each.value} | {each.name} | `{spellings.REGISTERS[each]}` |"
        lines.append(f"{name} {register(known)} |" if known else f"{name} | | | |")
    return lines


def register(row: RegisterTraits) -> str:
    """Return the last cells of a register file's row."""
    count = " or ".join(map(str, row.indices))
    if row.ranged != row.indices:
        count += f"; 5.1: {' or '.join(map(str, row.ranged))}"
    stages = "all" if len(row.stages.split()) == 6 else row.stages
    return f"{row.doc} | {stages} | {count} | {', '.join(map(str, row.relative))}"


def enums() -> list[str]:
    """Return the enumerations that are too long for a row of bit fields."""
    lines: list[str] = []
    for enum in (enumerations.SystemValueName,):
        lines += enum_table(enum, SPELLED.get(enum, ()))
    return lines


def legend() -> list[str]:
    """Return the legend of the operand letters."""
    lines = ["| letter | operand |", "|---|---|"]
    return lines + [f"| {letter} | {meaning} |" for letter, meaning in LETTERS.items()]


def operations() -> list[str]:
    """Return the table of operations."""
    lines = ["| number | name | operands | model | stages | seen | what it does |"]
    return [*lines, "|---|---|---|---|---|---|---|", *map(operation, OPS)]


def operation(op: Op) -> str:
    """Return one row."""
    stages = "all" if len(op.stages) == 6 else " ".join(sorted(s.profile for s in op.stages))
    operands = " ".join([*op.operands, *(f"`{name}`" for name in op.dwords)])
    model = f"{op.since[0]}.{op.since[1]}"
    seen = census.OPERATIONS.get(op.name, 0)
    return f"| {op.code} | `{op.name}` | {operands} | {model} | {stages} | {seen} | {op.doc} |"


def snippets() -> list[str]:
    """Return the rows of edge values of operations on memory, textures and flow.

    Operations with equal results share a row, with the lines of the first.
    """
    lines = ["| operations | case | lines | r0 | basis | note |", "|---|---|---|---|---|---|"]
    alike: dict[tuple[str, ...], list[edges.Snippet]] = {}
    for each in edges.SNIPPETS:
        alike.setdefault((each.when, *each.result, each.basis, each.note), []).append(each)
    for several in alike.values():
        first = several[0]
        ops = " ".join(f"`{name}`" for each in several for name in each.ops)
        code = "<br>".join(f"`{line}`" for line in first.code.splitlines())
        result = ", ".join(first.result)
        cells = ops, first.when, code, result, first.basis, first.note
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def proven() -> list[str]:
    """Return the rows of edge values that whole programs of the tests show."""
    lines = ["| operations | case | result | basis |", "|---|---|---|---|"]
    for each in edges.PROVEN:
        ops = " ".join(f"`{name}`" for name in each.ops)
        lines.append(f"| {ops} | {each.when} | {each.result} | {each.basis} |")
    return lines
