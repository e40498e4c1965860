"""Bit-field words, enumerations and edge values as Markdown; templates of pages."""

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from pathlib import Path
from types import ModuleType

from tests.edges import Edge
from unshade.isa.bits import Bits, Word

__all__ = [
    "anchor", "bits_row", "block", "contents", "drawing", "drawn", "edge_table", "enum_table",
    "filled", "indented", "word_table",
]  # fmt: skip

INLINE = 16  # values of an enumeration that a row of bits has room for


def drawing(doc: str | None) -> str:
    """Return a module docstring as Markdown; its indented drawings become code blocks."""
    return (doc or "").strip() + "\n"


def block(text: str) -> str:
    """Return text as a fenced code block."""
    return f"```text\n{text}\n```"


def indented(module: ModuleType) -> str:
    """Return a module docstring without its first paragraph and its source."""
    paragraphs = (module.__doc__ or "").strip().split("\n\n")
    return "\n\n".join(each for each in paragraphs[1:] if not each.startswith("Source:"))


def drawn(word: type[Word]) -> str:
    """Return a drawing of the bits of a word, the most significant on the left."""
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


def word_table(word: type[Word]) -> list[str]:
    """Return the section of a word; fields of its base class are only referred to."""
    base = next((each for each in word.__mro__[1:] if getattr(each, "FIELDS", ())), None)
    shared = {f.name for f in getattr(base, "FIELDS", ())}
    lines = [f"### {word.__name__}", "", (word.__doc__ or "").strip(), ""]
    if base is not None:
        lines += [f"Besides the bits of [{base.__name__}](#{base.__name__.lower()}):", ""]
    lines += ["| bits | field | meaning |", "|---|---|---|"]
    lines += [bits_row(f) for f in word.FIELDS if f.name not in shared]
    return [*lines, ""]


def bits_row(f: Bits) -> str:
    """Return a row of a table of bit fields."""
    bits = str(f.low) if f.width == 1 else f"{f.low}–{f.low + f.width - 1}"
    half = 1 << (f.width - 1)
    range_ = f"Signed: −{half} to {half - 1}" if f.signed else ""
    sentences = [f.doc, range_, _values(f.enum) if f.enum else ""]
    return f"| {bits} | `{f.name}` | {'. '.join(each for each in sentences if each)} |"


def _values(enum: type[IntEnum]) -> str:
    """Return the values of a field, or a link to their table if there are many."""
    if len(enum) > INLINE:
        return f"See [{enum.__name__}](#{enum.__name__.lower()})"
    return "Values: " + ", ".join(f"{each.value} {each.name}" for each in enum)


def enum_table(enum: type[IntEnum], words: Sequence[str] = ()) -> list[str]:
    """An enumeration, with the words that a listing has for its values."""
    lines = [f"### {enum.__name__}", "", (enum.__doc__ or "").strip(), ""]
    lines += (
        ["| value | name | in a listing |", "|---|---|---|"]
        if words
        else ["| value | name |", "|---|---|"]
    )
    for each in enum:
        spelled = words[each.value] if each.value < len(words) else ""
        row = f"| {each.value} | {each.name} |"
        lines.append(f"{row} {f'`{spelled}`' if spelled else ''} |" if words else row)
    return [*lines, ""]


def contents(page: str) -> str:
    """The sections of a page, as links."""
    titles = [line[3:] for line in page.splitlines() if line.startswith("## ")]
    return " · ".join(f"[{title}](#{anchor(title)})" for title in titles)


def anchor(title: str) -> str:
    """The name by which GitHub and others link a heading."""
    kept = (c for c in title.lower() if c.isalnum() or c in " -_")
    return "".join(kept).replace(" ", "-")


def edge_table(rows: Iterable[Edge]) -> list[str]:
    """Return the rows as Markdown."""
    lines = ["| operation | sources | result | basis | note |", "|---|---|---|---|---|"]
    for each in rows:
        sources, results = ", ".join(each.sources), ", ".join(each.results)
        lines.append(f"| `{each.op}` | {sources} | {results} | {each.basis} | {each.note} |")
    return lines


def filled(module: str, parts: Mapping[str, str]) -> str:
    """Return the template beside a module, `NAME.md` beside `NAME.py`, filled in.

    Each `{name}` is replaced by its part, and `{contents}` by links to the sections.
    """
    page = Path(module).with_suffix(".md").read_text("utf-8")
    for name, value in parts.items():
        page = page.replace(f"{{{name}}}", value)
    return page.replace("{contents}", contents(page))
