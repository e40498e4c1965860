"""Findings in a SHBIN: paths in the record become offsets in the file.

    dvles[0].outputs[2].mask   ->   offset 0x9c, path DVLE.outputs[2].mask

Offsets are computed at the end: most files have no finding and need not be traced.
"""

from typing import TYPE_CHECKING

from ....errors import Diagnostic
from ....rule import Findings
from ....wire import ReadTrace
from .rules import RULES

if TYPE_CHECKING:
    from ..tables import TableFile


class ShbinFindings(Findings):
    """The findings of one file."""

    __slots__ = ("file",)

    def __init__(self, file: "TableFile") -> None:
        super().__init__(RULES)
        self.file = file

    def traced(self) -> ReadTrace:
        """Return the trace of the file: its fields with their offsets."""
        return self.file.traced()[1]

    def placed(self) -> list[Diagnostic]:
        """Return the findings with their offsets, in file order."""
        if self.found:
            places: dict[str, int] = {}
            for start, _, path, _, _ in self.traced().spans:
                places.setdefault(path.lstrip("."), start)
            for each in self.found:
                if each.path != "trailing":
                    each.offset = _place(places, each.path)
                    each.path = self.file.called(each.path)
                else:
                    each.offset = len(self.file.traced()[0])
        return self.diagnostics()


def _place(places: dict[str, int], path: str) -> int | None:
    """Return the offset of a field; for a row or a record, the offset of its first field."""
    if path in places:
        return places[path]
    inside = (start for name, start in places.items() if name.startswith(f"{path}."))
    return min(inside, default=None) if path else 0
