"""Documentation page about SPIR-V modules."""

from collections.abc import Iterable, Iterator
from pkgutil import get_data

from ...isa.markdown import filled, indented
from . import exact, module
from .editing import debug
from .lower.coverage import run_column
from .tables.grammar import Enumerant, Grammar, Op, OperandKind, OperandRule, grammar
from .text import blocks, literals, names

__all__ = ["page"]

OTHERS = "Reserved"  # the class of instructions that the specification does not describe
HIDDEN = "@exclude"  # the same in the grammar


def page() -> str:
    """Return page.md with its tables filled in."""
    text = (get_data(__package__, "page.md") or b"").decode()
    table = grammar()
    return filled(
        text,
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
