"""The screen of `unshade diff --reproducible`: fields that differ, by reason."""

from collections.abc import Iterator

from ..analysis.reproducible import FieldDifference, Reproduction
from .blocks import Block, Cell, Prose, TableBlock, Title
from .text import many, visible

FEW = 6  # fields of a reason that are listed


def screen(name: str, found: Reproduction) -> Iterator[Block]:
    """Yield the verdict, a table by reason, and the differences that `strip` would remove."""
    if found.equal:
        yield Title(visible(name), "reproducible: the same, byte for byte")
        return
    count = sum(found.reasons.values())
    one, other = found.sizes
    sizes = f"{one:,}" if one == other else f"{one:,} and {other:,}"
    yield Title(visible(name), f"not reproducible: {many(count, 'byte')} of {sizes} differ")
    rows: list[list[Cell]] = []
    for reason, size in found.reasons.items():
        of_it = [each for each in found.differences if each.reason == reason]
        for at, each in enumerate(of_it[:FEW]):
            rows.append([reason if not at else "", f"{size:,}" if not at else "", *_cells(each)])
        if len(of_it) > FEW:
            rows.append(["", "", "", (f"… {len(of_it) - FEW:,} more fields", "dim"), ""])
    yield TableBlock("", ("reason", ">bytes", ">offset", "field", "change"), rows)
    if found.equal_after is None:
        yield Prose("Not equal after strip --all.")
    else:
        options = " ".join(f"--{each}" for each in found.equal_after)
        yield Prose(f"Equal after strip {options}.")


def _cells(each: FieldDifference) -> list[Cell]:
    at = each.before if each.before is not None else each.after
    change = f"{visible(each.old) or 'nothing'} → {visible(each.new) or 'nothing'}"
    return [(f"0x{at or 0:04x}", "dim"), (visible(each.path), "path"), change]
