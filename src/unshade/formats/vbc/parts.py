"""Parts of a VBC: the reflection with the header, and the module of each stage.

    VBC     header, interface, bindings, uniform block, subpass inputs
    vert    SPIR-V of the vertex stage       … tesc, tese, geom, frag

Paths of fields begin with the name of the part: `VBC.inputs[0].location`, `frag.bound`.
"""

from typing import Any

from ...errors import FormatError, LimitError
from ...parts import Category
from .spelling import NAMES

__all__ = ["HEAD", "TITLES", "VbcPart", "called"]

HEAD = "VBC"
TITLES = {
    HEAD: "reflection: inputs, outputs, bindings, uniform block",
    "vert": "SPIR-V of the vertex stage",
    "tesc": "SPIR-V of the tessellation control stage",
    "tese": "SPIR-V of the tessellation evaluation stage",
    "geom": "SPIR-V of the geometry stage",
    "frag": "SPIR-V of the fragment stage",
}


class VbcPart:
    """One part of the file: the record, or the program of a stage."""

    __slots__ = ("data", "error", "name", "offset", "value")

    def __init__(
        self,
        name: str,
        offset: int,
        data: bytes,
        value: Any,
        error: FormatError | LimitError | None = None,
    ) -> None:
        self.name = name
        self.offset = offset
        self.data = data
        self.value = value
        self.error = error

    @property
    def size(self) -> int:
        """Size of the data in bytes."""
        return len(self.data)

    @property
    def extents(self) -> list[tuple[int, int]]:
        """The (start, end) of its bytes."""
        return [(self.offset, self.offset + self.size)]

    @property
    def title(self) -> str:
        """A one-line description."""
        return TITLES[self.name]

    @property
    def category(self) -> Category:
        """The category of the part."""
        return Category.INTERFACE if self.name == HEAD else Category.CODE

    def category_of(self, field: str) -> Category:
        """Return the category of a field, given by its dotted path."""
        if self.in_program(field):
            return Category.CODE
        if field.startswith("uniform.members") and field.rpartition(".")[2] == "name":
            return Category.REFLECTION
        return self.category

    def in_program(self, field: str) -> bool:
        """Return True if a field is the code of a stage, or its size."""
        return self.name != HEAD or field.removesuffix("_words") in NAMES

    def described(self, field: str, value: Any) -> str | None:
        """Return None: plain data already contains the names of numbers."""
        return None

    def __repr__(self) -> str:
        return f"<VbcPart {self.name} at 0x{self.offset:x}>"


def called(path: str) -> str:
    """Return the public path of a field of the record."""
    path = path.lstrip(".")
    first = path.partition(".")[0]
    return path if first in (*NAMES, "trailing") else f"{HEAD}.{path}" if path else HEAD
