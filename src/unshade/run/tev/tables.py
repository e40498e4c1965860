"""Tables of constants in the immediate constant buffer of a pixel shader.

A row has four numbers: two pairs of different tables, or one entry of four.

    value difference value difference
    red   green      blue  alpha
"""

from collections.abc import Sequence

from ...dataclass import dataclass, field

Entries = Sequence[tuple[float, ...]]
PAIRS = ("xyxx", "zwzz")  # swizzles of the pair in a row


@dataclass(slots=True)
class ConstantTables:
    """Tables with the row at which each begins; a table that is there already is shared."""

    rows: list[list[float]] = field(default_factory=list)
    heights: list[int] = field(default_factory=lambda: [0, 0])
    known: dict[tuple[tuple[float, ...], ...], tuple[int, int]] = field(default_factory=dict)

    def pairs(self, entries: Entries) -> tuple[int, str]:
        """Return the first row of a table of pairs, and the swizzle that reads one."""
        row = min(self.heights)
        row, column = self._placed(entries, row, [self.heights.index(row)])
        return row, PAIRS[column]

    def fours(self, entries: Entries) -> int:
        """Return the first row of a table of four numbers an entry."""
        return self._placed(entries, max(self.heights), [0, 1])[0]

    def _placed(self, entries: Entries, row: int, columns: list[int]) -> tuple[int, int]:
        """Return the row and the column of a table, which is put there if it is new."""
        table = tuple(entries)
        if table not in self.known:
            self.rows += [[0.0] * 4 for _ in range(row + len(table) - len(self.rows))]
            start = 2 * columns[0]
            for at, entry in enumerate(table):
                self.rows[row + at][start : start + len(entry)] = entry
            for column in columns:
                self.heights[column] = row + len(table)
            self.known[table] = row, columns[0]
        return self.known[table]

    def declaration(self) -> list[str]:
        """Return the line that declares the buffer, if there are tables."""
        if not self.rows:
            return []
        rows = ", ".join(f"{{ {', '.join(map(repr, row))} }}" for row in self.rows)
        return [f"dcl_immediateConstantBuffer {{ {rows} }}"]
