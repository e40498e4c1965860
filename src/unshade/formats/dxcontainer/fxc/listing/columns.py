"""The tables of a listing: a line of titles, a rule of dashes, rows in columns.

    // Name                 Index   Mask Register SysValue  Format   Used
    // -------------------- ----- ------ -------- -------- ------- ------
    // TEXCOORD                 0   xy          1     NONE   float   xy  <

A cell that is too wide shifts the rest of its row. The assembler recognizes the tables of each
generation by their titles.
"""

from .....tuples import NamedTuple


class Column(NamedTuple):
    """A column: its title, its width and its alignment."""

    title: str
    width: int
    left: bool = False  # aligned to the left; most are to the right

    def cell(self, text: object) -> str:
        """Return the text, padded to the width."""
        return f"{text:<{self.width}}" if self.left else f"{text:>{self.width}}"


class ColumnTable:
    """A table whose columns are separated by a blank; each row ends with `end`."""

    __slots__ = ("columns", "heads", "row")

    def __init__(self, *columns: Column, end: str = "") -> None:
        self.columns = columns
        titles = " ".join([column.cell(column.title) for column in columns])
        rules = " ".join(["-" * column.width for column in columns])
        self.heads = [f"// {titles}", f"// {rules}"]
        cells = [f"{{:{'<' if column.left else '>'}{column.width}}}" for column in columns]
        self.row = f"// {' '.join(cells)}{end}".format
