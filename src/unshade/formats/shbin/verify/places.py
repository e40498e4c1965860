"""What was found in a SHBIN, and where: paths in the record become offsets, at the end.

    dvles[0].outputs[2].mask   ->   offset 0x9c, path DVLE.outputs[2].mask

Most files have no finding, so that the file is not read again before there is one.
"""

from typing import TYPE_CHECKING

from ....errors import Diagnostic
from ....rule import Findings
from ....wire import Trace
from .rules import RULES

if TYPE_CHECKING:
    from ..tables import TableFile


class ShbinFindings(Findings):
    """The findings of one file."""

    __slots__ = ("file",)

    def __init__(self, file: "TableFile") -> None:
        super().__init__(RULES)
        self.file = file

    def traced(self) -> Trace:
        """Where everything is in the file."""
        return self.file.traced()[1]

    def placed(self) -> list[Diagnostic]:
        """The findings with their offsets, in file order."""
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
    """The offset of a field; of a row, or a record, that of its first field."""
    if path in places:
        return places[path]
    inside = (start for name, start in places.items() if name.startswith(f"{path}."))
    return min(inside, default=None) if path else 0
