"""Lines of a function, and what the validator reports about each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from tests.programs.spirv.validate.test_rules import text_of
from unshade.isa.source import Source
from unshade.programs.spirv.assembler import assemble
from unshade.programs.spirv.tables.numbers import Opcode
from unshade.programs.spirv.validate import validate

FINE = ""  # of a line without findings
DECLARED, AT_END = "declarations", "at the end"
# A module's text with {} for what differs, the target, and the messages about each module.
Rows = tuple[str, str, list[tuple[str, list[str]]]]


def reported(
    head: str, lines: Sequence[str], target: str = "spv1.6", local: str = ""
) -> list[list[str]]:
    """Return the messages about each line of a function's body, without the opcode's name.

    `head` is the text before the function and `local` the first lines in it. Each line is one
    instruction; `{}` in it stands for a number that no other line has. With DECLARED as `local`
    they are declarations, before the function; with AT_END nothing follows the lines.
    """
    numbered = [line.replace("{}", str(at)) for at, line in enumerate(lines)]
    body = "\n".join(numbered)
    if local is DECLARED:
        text, after = f"{head}\n{body}\n{{main}} {{end}}", 4
    elif local is AT_END:
        text, after = f"{head}\n{body}", 0
    else:
        text, after = f"{head}\n{{main}} {local} {body} {{end}}", 2
    module = assemble(Source(text_of(text)), target=target)
    first = len(module.instructions) - after - len(lines)
    words = [line.split(" = ")[-1].split()[0][2:] for line in numbered]
    codes = [each.opcode for each in module.instructions[first : first + len(lines)]]
    assert codes == [getattr(Opcode, word) for word in words], "a line is one instruction"
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


def mistaken(
    head: str, rows: Sequence[tuple[str, bool]], target: str = "spv1.6"
) -> list[tuple[str, list[str]]]:
    """Return the lines that are valid but reported, or invalid but not, with the messages."""
    wrong = []
    for at in range(0, len(rows), 32):  # a rule lists 64 violations, and a line may have two
        part = rows[at : at + 32]
        found = reported(head, [line for line, _ in part], target)
        wrong += [
            (line, messages)
            for (line, valid), messages in zip(part, found, strict=True)
            if valid == bool(messages)
        ]
    return wrong


def differing_modules(
    rows: Rows, parts: Mapping[str, str] = MappingProxyType({}), *, apart: str = ""
) -> list[tuple[str, list[str]]]:
    """Return what makes a module about which other messages are reported, and those.

    `{name}` in a text stands for the part of that name. Findings of the rule `apart` are left to
    the rule's own test.
    """
    template, target, texts = rows
    wrong = []
    for text, wanted in texts:
        whole = template.replace("{}", text)
        for name, part in parts.items():
            whole = whole.replace(f"{{{name}}}", part)
        module = assemble(Source(text_of(whole)), target=target)
        found = [each.message for each in validate(module, target) if each.code != apart]
        if found != wanted:
            wrong.append((text, found))
    return wrong
