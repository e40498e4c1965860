"""SPDB: the debug information of fxc since Windows 8, a whole PDB (MSF 7.00).

The file is opened through the registry of formats, so that it is handled like any PDB. No
file with this part was at hand. Source: RenderDoc dxbc_spdb.cpp, LLVM's documentation of PDB files.
"""

from typing import Any

from ....errors import FormatError
from ....limits import Limits
from ....wire import Span
from ....wire.data import Plain
from ... import format_named
from .description import Category, PartDescription

__all__ = ["PARTS"]


class EmbeddedFile:
    """A part that is a file of another format."""

    def __init__(self, format: str) -> None:
        self.format = format

    @property
    def types(self) -> tuple[type, ...]:
        return (format_named(self.format).shader(),)

    def read(self, name: str, data: bytes, limits: Limits) -> Any:
        if not format_named(self.format).recognises(data):
            got = data[:8].hex(" ") or "nothing"
            raise FormatError(f"expected the magic of {self.format}, got {got}", offset=0)
        return self.types[0].loads(data, limits)  # type: ignore[attr-defined]

    def write(self, name: str, value: Any, pad: int, like: bytes | None) -> bytes:
        data: bytes = value.to_bytes()
        return data

    def to_data(self, name: str, value: Any, pad: int, like: bytes | None, limits: Limits) -> Plain:
        data: Plain = value.to_data()
        return data

    def from_data(self, name: str, data: Plain, pad: int, path: str) -> tuple[Any, bytes]:
        if not isinstance(data, dict) or data.get("format") != self.format:
            raise FormatError(f"expected the plain data of a file of {self.format}", path=path)
        try:
            value = self.types[0].from_data(data)  # type: ignore[attr-defined]
        except FormatError as error:
            raise error.within(0, path) from None
        return value, value.to_bytes()

    def spans(self, name: str, data: bytes, pad: int) -> list[Span]:
        spans: list[Span] = self.types[0].loads(data).spans()  # type: ignore[attr-defined]
        return spans

    def intact_spans(self, name: str, data: bytes) -> list[Span]:
        return []

    def schema(self) -> None:
        return None


PARTS = {
    "SPDB": PartDescription(
        "debug information (PDB)",
        Category.DEBUG,
        EmbeddedFile("msf"),
        sources=True,
        loss="sources, lines and variables, for debuggers",
        repeats="lines and variables",
    )
}
