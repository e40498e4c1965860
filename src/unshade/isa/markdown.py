"""Words of bit fields as Markdown, for the documentation's pages."""

from types import ModuleType

from .bits import Word

__all__ = ["bits_row", "block", "drawing", "drawn", "indented", "word_table"]


def drawing(doc: str | None) -> str:
    """A module's text as Markdown: its indented drawings are code blocks there too."""
    return (doc or "").strip() + "\n"


def block(text: str) -> str:
    """Text as it stands."""
    return f"```text\n{text}\n```"


def indented(module: ModuleType) -> str:
    """The middle of a module's text: without what it models, and without its source."""
    paragraphs = (module.__doc__ or "").strip().split("\n\n")
    return "\n\n".join(each for each in paragraphs[1:] if not each.startswith("Source:"))


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


def word_table(word: type[Word]) -> list[str]:
    """A word and its bit fields."""
    lines = [f"### {word.__name__}", "", (word.__doc__ or "").strip(), ""]
    lines += ["| bits | field | meaning |", "|---|---|---|"]
    lines += [bits_row(f.low, f.width, f.name, f.doc) for f in word.FIELDS]
    return [*lines, ""]


def bits_row(low: int, width: int, name: str, doc: str) -> str:
    """A row of a table of bit fields."""
    bits = str(low) if width == 1 else f"{low}–{low + width - 1}"
    return f"| {bits} | `{name}` | {doc} |"
