"""Lines of a function, and what the validator reports about each of them."""

from __future__ import annotations

from collections.abc import Sequence

from tests.programs.spirv.validate.test_rules import text_of
from unshade.isa.source import Source
from unshade.programs.spirv.assembler import assemble
from unshade.programs.spirv.tables.numbers import Opcode
from unshade.programs.spirv.validate import validate

FINE = ""  # of a line without findings


def reported(
    head: str, lines: Sequence[str], target: str = "spv1.6", local: str = ""
) -> list[list[str]]:
    """Return the messages about each line of a function's body, without the opcode's name.

    `head` is the text before the function and `local` the first lines in it. Each line is one
    instruction; `{}` in it stands for a number that no other line has.
    """
    body = "\n".join(line.replace("{}", str(at)) for at, line in enumerate(lines))
    text = text_of(f"{head}\n{{main}} {local} OpNop\n{body} {{end}}")
    module = assemble(Source(text), target=target)
    codes = [each.opcode for each in module.instructions]
    first = codes.index(Opcode.Nop) + 1
    assert len(codes) == first + len(lines) + 2, "a line is one instruction"
    found: dict[int, list[str]] = {at: [] for at in range(len(lines))}
    for each in validate(module, target):
        position = getattr(each, "position", -1)
        found[position - first].append(each.message.partition(": ")[2])
    return list(found.values())


def differing(
    head: str, rows: Sequence[tuple[str, str]], target: str = "spv1.6", local: str = ""
) -> list[tuple[str, str, list[str]]]:
    """Return the rows, of a line and its one message or FINE, about which others are reported."""
    found = reported(head, [line for line, _ in rows], target, local)
    return [
        (line, wanted, messages)
        for (line, wanted), messages in zip(rows, found, strict=True)
        if messages != ([wanted] if wanted else [])
    ]
