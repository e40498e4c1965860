"""Names of the counters of `for` loops: i, j, k by the depth of the loop.

    for (int r3 = 0; r3 < 4; r3++) {             for (int i = 0; i < 4; i++) {
        for (int r4 = 0; r4 < r3; r4++) {   ->       for (int j = 0; j < i; j++) {
            …                                            …
        }                                            }
    }                                            }
    for (int r5 = 0; r5 < 8; r5++) {             for (int i_1 = 0; i_1 < 8; i_1++) {

Only counters that the program has no name for are renamed. Loops of one block have counters of
different names, because in HLSL a counter is a variable of the block around the loop; loops of
different blocks share names.
"""

from collections import Counter
from collections.abc import Container, Sequence

from ..dataclass import dataclass, field
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
    _Naming(made_up, names).block(lines, 0)


@dataclass(slots=True, eq=False)
class _Naming:
    made_up: Container[str]
    names: DecompiledNames
    found: dict[tuple[str, int], str] = field(default_factory=dict)

    def block(self, lines: Sequence[Line], depth: int) -> None:
        """Rename the counters in a block; `depth` is the number of renamed counters around it."""
        times: Counter[str] = Counter()
        for line in lines:
            inside = depth
            if isinstance(line, Repeat) and isinstance(line.first, Define) and depth < len(LETTERS):
                first = line.first
                counts = first.type.kind in INTEGERS and first.type.width == 1
                if counts and first.name in self.made_up:
                    letter = LETTERS[depth]
                    word = self._word(letter, times[letter])
                    times[letter] += 1
                    rename([line], {first.name: name(word, first.type)})
                    first.name = word
                    inside += 1
            for inner in inner_lines(line):
                self.block(inner, inside)

    def _word(self, letter: str, number: int) -> str:
        """Return the name of the counter with a number in its block."""
        key = letter, number
        if key not in self.found:
            numbered = number or self.names.is_wanted(letter)
            self.found[key] = self.names.unique(f"{letter}_{number or 1}" if numbered else letter)
        return self.found[key]
