"""Names of the counters of `for` loops: i, j, k by the depth of the loop.

    for (int r3 = 0; r3 < 4; r3++) {             for (int i = 0; i < 4; i++) {
        for (int r4 = 0; r4 < r3; r4++) {   ->       for (int j = 0; j < i; j++) {

Only counters that the program has no name for are renamed. Loops that follow each other share a
name: each defines its counter.
"""

from collections.abc import Container, Sequence

from .names import DecompiledNames
from .rewriting import rename
from .structure import inner_lines
from .tree import Define, Line, Repeat, ScalarKind, name

__all__ = ["name_counters"]

LETTERS = "ijkmn"
INTEGERS = (ScalarKind.INT, ScalarKind.UINT)


def name_counters(lines: Sequence[Line], made_up: Container[str], names: DecompiledNames) -> None:
    """Rename the counters of loops.

    Args:
        lines: The lines of the entry point, which are changed.
        made_up: The names of variables that no name of the program stands for.
        names: The names of the source.
    """
    found: dict[str, str] = {}
    for line in lines:
        _inside(line, 0, made_up, names, found)


def _inside(
    line: Line, depth: int, made_up: Container[str], names: DecompiledNames, found: dict[str, str]
) -> None:
    """Rename the counters in a line; `depth` is the number of renamed counters around it."""
    if isinstance(line, Repeat) and isinstance(line.first, Define):
        first = line.first
        renamed = first.name in made_up and first.type.kind in INTEGERS and first.type.width == 1
        if renamed and depth < len(LETTERS):
            letter = LETTERS[depth]
            if letter not in found:
                found[letter] = names.unique(f"{letter}_1" if names.is_wanted(letter) else letter)
            rename([line], {first.name: name(found[letter], first.type)})
            first.name = found[letter]
            depth += 1
    for inner in inner_lines(line):
        for each in inner:
            _inside(each, depth, made_up, names, found)
