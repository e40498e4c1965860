"""The registry: which formats there are, how to recognise them, which module reads them.

One line makes a format known. The entry-point group `unshade.formats` adds formats of other
packages; it is read only when none of these matches, so that starting stays cheap.
"""

from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, cast

from ..errors import FormatError, UnshadeError, UsageError
from ..limits import DEFAULT, Limits
from ..shader import Program, Shader

if TYPE_CHECKING:
    from mmap import mmap

__all__ = [
    "Format",
    "Found",
    "Program",
    "Shader",
    "find",
    "format_named",
    "identify",
    "loads",
    "open_nested",
]


class Format(NamedTuple):
    """`module` exports `SHADER`, the format's Shader class; `magic` stands at the file's start."""

    name: str
    magic: bytes
    module: str
    matches: Callable[[bytes], bool] | None = None

    def recognises(self, data: bytes) -> bool:
        """Whether the data starts like this format."""
        return data.startswith(self.magic) and (self.matches is None or self.matches(data))

    def shader(self) -> type[Shader]:
        """The class, imported now."""
        return cast("type[Shader]", import_module(self.module, __name__).SHADER)


FORMATS: tuple[Format, ...] = (
    Format("dxcontainer", b"DXBC", ".dxcontainer"),
)  # fmt: skip


class Found(NamedTuple):
    """A shader inside larger data."""

    offset: int
    size: int
    format: str


@cache
def _plugins() -> tuple[Format, ...]:
    from importlib.metadata import entry_points

    return tuple(cast(Format, each.load()) for each in entry_points(group="unshade.formats"))


def _all() -> Iterator[Format]:
    yield from FORMATS
    yield from _plugins()


def identify(data: bytes) -> str | None:
    """The name of the format that the bytes start like, None where none does."""
    found = _recognise(data)
    return None if found is None else found.name


def _recognise(data: bytes) -> Format | None:
    for each in _all():
        if each.recognises(data):
            return each
    return None


def format_named(name: str) -> Format:
    """The format of that name; UsageError lists the names there are."""
    for each in _all():
        if each.name == name:
            return each
    raise UsageError(f"no format {name!r}; there are {', '.join(f.name for f in FORMATS)}")


def loads(data: bytes, limits: Limits = DEFAULT) -> Shader:
    """Read a shader of any format."""
    found = _recognise(data)
    if found is None:
        start = bytes(data[:16]).hex(" ")
        wanted = ", ".join(f"{f.name} ({f.magic!r})" for f in FORMATS)
        raise FormatError(
            f"starts with {start or 'nothing'}, which is none of {wanted}", path="magic"
        )
    return found.shader().loads(data, limits)


def open_nested(data: bytes, limits: Limits = DEFAULT) -> Shader:
    """Open what one format carries of another."""
    return loads(data, limits)


def find(data: "bytes | mmap") -> Iterator[Found]:
    """Shaders inside larger data: those with a magic and a structure that reads."""
    at = 0
    while True:
        starts = [(data.find(f.magic, at), f) for f in FORMATS if f.magic]
        starts = [(place, f) for place, f in starts if place >= 0]
        if not starts:
            return
        place, which = min(starts, key=lambda s: s[0])
        at = place + 1
        try:
            size = which.shader().measure(memoryview(data)[place:])
        except UnshadeError:
            continue
        yield Found(place, size, which.name)
        at = place + size
