"""The style in which LLVM prints YAML: aligned keys, wrapped flow sequences.

    Hash:            [ 0x0, 0x25, 0xD4, 0xF2, 0x29, 0x8A, 0x3E, 0xC8, 0x34,·
                       0x8C ]

A key and its colon take 17 columns. A flow sequence is wrapped before the first element that starts
after column 70. Source: texts of obj2yaml.
"""

import re
from collections.abc import Iterator
from typing import Any

__all__ = ["FlowList", "Literal", "emitted", "quoted"]

KEY_WIDTH = 17
WRAP_AFTER = 70
PLAIN = re.compile(r"[A-Za-z0-9_^./@][A-Za-z0-9_^./@ ,-]*(?<! )")
NOT_TEXT = re.compile(
    r"~|null|true|false|[-+]?[0-9][0-9_.]*(e[-+]?[0-9]+)?|0x[0-9a-f]+|0o[0-7]+"
    r"|[-+]?\.(inf|[0-9]+(e[-+]?[0-9]+)?)|\.nan",
    re.IGNORECASE,
)


class Literal(str):
    """A scalar that is printed without quotes: a number, or a name that needs none."""

    __slots__ = ()


class FlowList(list[Literal]):
    """A sequence of scalars that is printed between brackets."""


def emitted(data: dict[str, Any]) -> str:
    """Return the lines of a mapping of scalars, mappings, lists of mappings and flow lists."""
    return "".join(f"{line}\n" for line in _mapping(data, ""))


def _mapping(data: dict[str, Any], indent: str) -> Iterator[str]:
    for key, value in data.items():
        head = f"{indent}{key}:"
        if isinstance(value, dict):
            yield head
            yield from _mapping(value, indent + "  ")
            continue
        head = head.ljust(len(indent) + KEY_WIDTH)
        if not head.endswith(" "):
            head += " "
        if isinstance(value, FlowList):
            yield head + _flow(value, len(head))
        elif not isinstance(value, list):
            yield head + (value if isinstance(value, Literal) else quoted(value))
        elif not value:
            yield head + "[]"
        else:
            yield f"{indent}{key}:"
            for each in value:
                yield from _item(each, indent + "  ")


def _item(value: Any, indent: str) -> Iterator[str]:
    """Yield the lines of an element of a block sequence."""
    if isinstance(value, FlowList):
        yield f"{indent}- {_flow(value, len(indent) + 2)}"
        return
    lines = _mapping(value, indent + "  ")
    yield f"{indent}- {next(lines).lstrip()}"
    yield from lines


def _flow(values: FlowList, start: int) -> str:
    out, column = "[ ", start + 2
    for index, each in enumerate(values):
        if index:
            out, column = f"{out}, ", column + 2
        if column > WRAP_AFTER:
            out, column = f"{out}\n{' ' * (start + 2)}", start + 2
        out, column = out + each, column + len(each)
    return f"{out} ]"


def quoted(text: str) -> str:
    """Return a scalar, in quotes if it would not be read as this text."""
    if all(" " <= each <= "~" for each in text):
        if PLAIN.fullmatch(text) and not NOT_TEXT.fullmatch(text):
            return text
        escaped = text.replace("'", "''")
        return f"'{escaped}'"
    found = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(_escaped(each) for each in found) + '"'


def _escaped(letter: str) -> str:
    number = ord(letter)
    if number >= 0x80:
        return f"\\u{number:04X}" if number < 0x1_0000 else f"\\U{number:08X}"
    return letter if letter >= " " and number != 0x7F else f"\\x{number:02X}"
