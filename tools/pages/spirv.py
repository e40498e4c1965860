"""Documentation page about SPIR-V modules."""

import re
from collections.abc import Iterable, Iterator

from tools.pages.markdown import filled, indented
from unshade.programs.spirv import exact, module
from unshade.programs.spirv.editing import debug
from unshade.programs.spirv.lower import HANDLERS
from unshade.programs.spirv.lower.refused import reason_of
from unshade.programs.spirv.tables.grammar import (
    Enumerant,
    Grammar,
    Op,
    OperandKind,
    OperandRule,
    grammar,
)
from unshade.programs.spirv.text import blocks, literals, names

__all__ = ["is_no_code", "page", "run_column"]

OTHERS = "Reserved"  # the class of instructions that the specification does not describe
HIDDEN = "@exclude"  # the same in the grammar
# What `flow`, `types` and `index` read, and what has no effect.
NO_CODE = re.compile(
    r"Op(Nop|NoLine|Line|Label|Phi|Branch|BranchConditional|Switch|Unreachable|LoopMerge"
    r"|SelectionMerge|Function|FunctionParameter|FunctionEnd|Source.*|Name|MemberName|String"
    r"|Extension|ExtInstImport|MemoryModel|EntryPoint|ExecutionMode(Id)?|Capability|Undef"
    r"|ModuleProcessed|(Member)?Decorate(String|Id|Id[A-Z]+)?|DecorationGroup|Group(Member)?Decorate"
    r"|Type(Void|Bool|Int|Float|Vector|Matrix|Image|Sampler|SampledImage|Array|RuntimeArray"
    r"|Struct|Pointer|Function))"
)


def page() -> str:
    """Return the page with its tables filled in."""
    table = grammar()
    return filled(
        __file__,
        {
            "revision": f"version {table.version}, commit {table.revision[:12]}",
            "words": indented(module),
            "text": indented(blocks),
            "exact": indented(exact),
            "literals": indented(literals),
            "names": indented(names),
            "debug": indented(debug),
            "count": f"{len(table.core.by_code):,}",
            "instructions": "\n\n".join(_classes(table)),
            "enumerations": "\n\n".join(_enumerations(table.kinds.values())),
            "sets": "\n\n".join(_sets(table)),
            "generators": ", ".join(f"{code} {name}" for code, name in table.generators.items()),
        },
    )


def _classes(table: Grammar) -> Iterator[str]:
    """Iterate over the classes of instructions, in the order of their first opcodes."""
    groups: dict[str, list[str]] = {}
    for code, op in sorted(table.core.by_code.items()):
        group = OTHERS if op.group == HIDDEN else op.group
        row = f"| {code} | `{op.name[2:]}` | {_operands(op)} | {run_column(code, op.name)} |"
        groups.setdefault(group, []).append(row)
    for name, each in groups.items():
        title = name.replace("_", " ")
        heading = ["| opcode | instruction | operands | run |", "|---|---|---|---|"]
        yield "\n".join([f"**{title}**", "", *heading, *each])


def is_no_code(name: str) -> bool:
    """Return True if an instruction declares, describes or delimits code, or has no effect."""
    return NO_CODE.fullmatch(name) is not None


def run_column(code: int, name: str) -> str:
    """Return whether an instruction can be run: `yes`, or `no` with the reason."""
    if code in HANDLERS or is_no_code(name):
        return "yes"
    return f"no: {reason_of(name) or 'not known'}"


def _operands(op: Op | Enumerant) -> str:
    return ", ".join(map(_operand, op.operands))


def _operand(rule: OperandRule) -> str:
    """Return an operand as `kind`, with `?` or `*` and its name."""
    name = " ".join(rule.name.split())  # some names in the grammar have line ends
    return f"`{rule.kind}{rule.quantifier}`{f' {name}' if name else ''}"


def _enumerations(kinds: Iterable[OperandKind]) -> Iterator[str]:
    """Iterate over the enumerations and masks, with the operands that follow a value or bit."""
    for kind in sorted(kinds, key=lambda each: each.name):
        if not kind.is_enum:
            continue
        values = ", ".join(
            f"{_value(kind, each.value)} `{each.name}`"
            + (f" ({_operands(each)})" if each.operands else "")
            for each in kind.by_value.values()
        )
        yield f"**{kind.name}**{', a mask' if kind.is_mask else ''}: {values}."


def _value(kind: OperandKind, value: int) -> str:
    return f"{value:#x}" if kind.is_mask else str(value)


def _sets(table: Grammar) -> Iterator[str]:
    """Iterate over the extended instruction sets, with the enumerations that are theirs alone."""
    for name in table.set_names:
        found = table.extended(name)
        if found is None:
            continue
        rows = ", ".join(
            f"{code} `{op.name}`" + (f" ({_operands(op)})" if op.operands else "")
            for code, op in sorted(found.by_code.items())
        )
        yield f"**{name}**: {rows}."
        own = [each for key, each in found.kinds.items() if table.kinds.get(key) is not each]
        yield from _enumerations(own)
