"""The shaders that have given marks, from the rows of sketches, which are sorted by mark.

    mark 0x3a…   group 17 of 8,192 rows: its least and its greatest mark tell that the mark is there
    mark 0x51…   groups 40 to 62: more rows than a rare mark has, so that none of them is read

The groups of a mark are found by bisection of their statistics, and only those groups are decoded.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from .storage import CatalogStorage

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["MarkIndex"]

COLUMN = 0  # that the rows are sorted by
GroupPlace = tuple[int, int]  # the file, and the group in it


class _Edges(Sequence[int]):
    """The least or the greatest mark of each group of a file, read when it is asked for."""

    def __init__(self, metadata: Any, greatest: bool) -> None:
        self._count = int(metadata.num_row_groups)

        @cache
        def edge(group: int) -> int:
            found = metadata.row_group(group).column(COLUMN).statistics
            return int(found.max if greatest else found.min)

        self._edge = edge

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, group: Any) -> Any:
        return self._edge(group)


class MarkIndex:
    """The rows of sketches of a catalogue.

    Args:
        storage: The place of the catalogue.
        names: The names of the files.
    """

    def __init__(self, storage: CatalogStorage, names: Iterable[str]) -> None:
        from pyarrow import parquet

        self._files = [parquet.ParquetFile(storage.source(each)) for each in names]
        self._least = [_Edges(each.metadata, False) for each in self._files]
        self._greatest = [_Edges(each.metadata, True) for each in self._files]

    def _groups(self, mark: int) -> list[GroupPlace]:
        """Return the groups that may have rows of a mark."""
        found: list[GroupPlace] = []
        for number in range(len(self._files)):
            first = bisect_left(self._greatest[number], mark)
            after = bisect_right(self._least[number], mark)
            found += ((number, group) for group in range(first, after))
        return found

    def _sure(self, mark: int, groups: Sequence[GroupPlace]) -> int:
        """Return the number of rows of a mark in the groups that have no other one."""
        return sum(
            self._files[number].metadata.row_group(group).num_rows
            for number, group in groups
            if self._least[number][group] == self._greatest[number][group] == mark
        )

    def rows(self, marks: Iterable[int], most: int | None) -> "tuple[pa.Table, set[int]]":
        """Return the rows of marks, and the marks left out that have more rows than `most`."""
        import pyarrow as pa
        from pyarrow import compute

        wanted: dict[int, set[int]] = {}
        sought = []
        common = set()
        for mark in marks:
            groups = self._groups(mark)
            if most is not None and self._sure(mark, groups) > most:
                common.add(mark)
                continue
            sought.append(mark)
            for number, group in groups:
                wanted.setdefault(number, set()).add(group)
        schema = pa.schema([("mark", pa.int64()), ("key", pa.int64()), ("words", pa.int64())])
        found = [schema.empty_table()]
        values = pa.array(sought, pa.int64())
        for number, groups_of in sorted(wanted.items()):
            read = self._files[number].read_row_groups(sorted(groups_of), schema.names)
            found.append(read.filter(compute.is_in(read["mark"], value_set=values)).cast(schema))
        return pa.concat_tables(found), common

    def close(self) -> None:
        """Close the files."""
        for each in self._files:
            each.close()
