"""Documentation page about SPIR-V modules."""

from collections.abc import Iterator
from pkgutil import get_data

from ...isa.markdown import filled, indented
from . import exact, module
from .editing import debug
from .lower.coverage import run_column
from .tables.grammar import Grammar, grammar
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
            "sets": "\n".join(_sets(table)),
        },
    )


def _classes(table: Grammar) -> Iterator[str]:
    """Iterate over the classes of instructions, in the order of their first opcodes."""
    groups: dict[str, list[str]] = {}
    for code, op in sorted(table.core.by_code.items()):
        group = OTHERS if op.group == HIDDEN else op.group
        row = f"| {code} | `{op.name[2:]}` | {run_column(code, op.name)} |"
        groups.setdefault(group, []).append(row)
    for name, each in groups.items():
        title = name.replace("_", " ")
        yield "\n".join(
            [f"**{title}**", "", "| opcode | instruction | run |", "|---|---|---|", *each]
        )


def _sets(table: Grammar) -> Iterator[str]:
    for name in table.set_names:
        found = table.extended(name)
        yield f"| `{name}` | {0 if found is None else len(found.by_code)} |"
