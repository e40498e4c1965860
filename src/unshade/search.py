"""Search for shaders in larger data, by their magics and marks.

A shader begins with a magic; the structure decides whether there is a shader, and where it ends. A
format without a magic has marks, which occur inside: a shader that is found by a mark has to be
readable as a whole.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .errors import FormatError, LimitError, Severity, UnshadeError
from .format import Format
from .limits import DEFAULT
from .scanning import Magics, MagicScanner
from .shader import Shader
from .tuples import NamedTuple

if TYPE_CHECKING:
    from .model import Reflection

WINDOW = 1 << 20  # bytes in which a shader without a magic has to end


class _FoundPlace(NamedTuple):
    offset: int
    size: int
    format: str


class PathStep(NamedTuple):
    """An archive or a compressed stream that was unpacked: `zip@0x1f00/shaders/sky.bin`."""

    name: str  # of the kind of archive
    offset: int  # in the bytes that hold it
    entry: str = ""  # the name of the file in it

    def __str__(self) -> str:
        return f"{self.name}@0x{self.offset:x}" + (f"/{self.entry}" if self.entry else "")


class Found(_FoundPlace):
    """A shader found inside larger data.

    Attributes:
        offset: Offset in the bytes that contain it: in the data, or in the bytes unpacked last.
        size: Size in bytes; for a damaged shader, the size in its header or an estimate.
        format: Name of the format.
        damage: Its error; None if it is intact.
        steps: The archives and streams that were unpacked to reach it, from the outside in.
    """

    damage: "FormatError | LimitError | None" = None
    steps: tuple[PathStep, ...] = ()
    _format: "Format | None" = None
    _source: Any = b""
    _start: int = 0

    @property
    def suffix(self) -> str:
        """The suffix of file names of the format, without the dot."""
        known = "" if self._format is None else self._format.suffix
        return known.removeprefix(".") or self.format

    @property
    def path(self) -> str:
        """The way to the shader: `zstd@0x1f00!dxbc@0x40`."""
        return "!".join((*map(str, self.steps), f"{self.suffix}@0x{self.offset:x}"))

    @property
    def data(self) -> bytes:
        """The bytes of the shader."""
        return bytes(self._source[self._start : self._start + self.size])

    @cached_property
    def hash(self) -> str:
        """The SHA-256 of the bytes, in hexadecimal."""
        from hashlib import sha256  # not needed to open files

        return sha256(self.data).hexdigest()

    def open(self) -> Shader:
        """Open the shader; a damaged shader is read-only."""
        assert self._format is not None
        kind = self._format.shader()
        if self.damage is None:
            return kind.loads(self.data)
        from .damaged import salvaged  # rarely needed

        return salvaged(kind, self.data, DEFAULT)

    @cached_property
    def identity(self) -> "Reflection | None":
        """Stage, model and entry points; None if they cannot be read."""
        with suppress(UnshadeError):
            return self.open().identity()
        return None

    @property
    def stage(self) -> str | None:
        """The stages of the programs, separated by commas; None if unknown."""
        known = self.identity
        if known is None:
            return None
        if known.entry_points:
            return ",".join(dict.fromkeys(str(each.stage) for each in known.entry_points))
        return None if known.stage is None else str(known.stage)

    @property
    def profile(self) -> str | None:
        """The profile, such as `ps_5_0`; else the version of the language; None if unknown."""
        known = self.identity
        return None if known is None else known.profile or known.model

    @property
    def name(self) -> str | None:
        """The name of the entry points, separated by commas; None if unknown."""
        known = self.identity
        if known is None:
            return None
        several = [each.entry_point for each in known.entry_points or [known]]
        return ",".join(dict.fromkeys(each for each in several if each)) or None


def unpacked(found: Found, steps: tuple[PathStep, ...], offset: int) -> Found:
    """Return an unpacked shader with its path and offset in the file, and only its own bytes."""
    made = Found(offset, found.size, found.format)
    made.damage, made._format, made.steps = found.damage, found._format, steps
    made._source = found.data
    return made


class Mark(NamedTuple):
    """The meaning of a magic: the format, and whether the magic occurs inside files."""

    format: Format
    inside: bool


class Sought(Magics[Any]):
    """The magics and marks of formats, and those of others, such as archives.

    Args:
        formats: The formats.
        others: Other magics and their meanings.
    """

    def __init__(self, formats: Iterable[Format], others: Iterable[tuple[bytes, Any]] = ()) -> None:
        known = list(formats)
        self.marks = [
            *((magic, Mark(each, False)) for each in known for magic in each.magics),
            *((mark, Mark(each, True)) for each in known for mark in each.marks),
        ]
        super().__init__((*self.marks, *others))


def shader_at(
    data: Any, at: int, least: int, mark: Mark, strict: bool, magics: "list[tuple[bytes, Mark]]"
) -> Found | None:
    """Return the shader with a magic or a mark at `at`; None if there is none.

    Args:
        data: The bytes to search.
        at: Place of the magic or mark.
        least: The least offset that the shader may have.
        mark: Meaning of the magic.
        strict: If False, also return damaged shaders.
        magics: All magics that are searched for.
    """
    if mark.inside:
        return _around(data, at, least, mark.format)
    format, rest = mark.format, memoryview(data)[at:]
    try:
        size = format.shader().measure(rest)
    except UnshadeError as error:
        if strict or not isinstance(error, FormatError | LimitError):
            return None
        claimed = format.shader().claim(rest)
        damage = error.within(at, "") if isinstance(error, FormatError) else error
        return _made(data, at, claimed, format, damage) if claimed else None
    if not size:
        return None
    inside = 0 if strict else _swallowed(format.shader(), data, at, size, magics)
    if inside:
        problem = f"the digest is wrong, and another shader begins inside, at 0x{inside:x}"
        return _made(data, at, size, format, FormatError(problem, offset=at))
    return _made(data, at, size, format)


def _made(
    data: Any, at: int, size: int, format: Format, damage: "FormatError | LimitError | None" = None
) -> Found:
    found = Found(at, size, format.name)
    found.damage, found._format = damage, format
    found._source, found._start = data, at
    return found


def shortened(found: Found, size: int) -> Found:
    """Return a damaged shader of a smaller size: it ends where another shader begins."""
    if size >= found.size:
        return found
    made = Found(found.offset, size, found.format)
    made.__dict__.update(found.__dict__)
    return made


def _around(data: Any, at: int, least: int, format: Format) -> Found | None:
    """Return a shader around a mark that can be read whole; None if there is none."""
    for start in format.starts(data, at) if format.starts is not None else ():
        found = _whole(data, start, format) if start >= least else None
        if found is not None and start + found.size > at:
            return found
    return None


def _whole(data: Any, start: int, format: Format) -> Found | None:
    """Return the shader at `start` if all of it can be read without an error."""
    window, kind = bytes(data[start : start + WINDOW]), format.shader()
    if not format.recognises(window):
        return None
    with suppress(UnshadeError):
        size = kind.measure(window)
        shader = kind.loads(window[:size])
        wrong = any(each.severity is Severity.ERROR for each in shader.diagnostics)
        if shader.damage is None and not wrong and not shader.trailing:
            return _made(data, start, size, format)
    return None


def at_start(data: Any, format: Format) -> Found | None:
    """Return a shader without a magic at the start of data; None if it cannot be read whole."""
    return _whole(data, 0, format)


class Search:
    """The state of a search in one piece of data.

    A damaged shader is held back until the next is found, at which it ends at the latest.
    """

    def __init__(self, data: Any, strict: bool, sought: Sought) -> None:
        self.data = data
        self.strict = strict
        self.sought = sought
        self.at = 0  # where the scan goes on
        self.least = 0  # end of what was found last
        self.held: Found | None = None
        self._scanner = MagicScanner(data, sought)

    def next(self) -> tuple[int, list[Any]] | None:
        """Return the next place, and the meanings of the magic there."""
        place = self._scanner.next(self.at)
        if place is not None:
            self.at = place[0]
        return place

    def shader(self, mark: Mark) -> Found | None:
        """Return the shader at the place, which may be damaged."""
        found = shader_at(self.data, self.at, self.least, mark, self.strict, self.sought.marks)
        held = self.held
        if found and mark.inside and held and found.offset < held.offset + held.size:
            return None  # part of the damaged shader
        return found

    def end_held(self, offset: int) -> Iterator[Found]:
        """Yield the damaged shader that was held back, which ends at `offset` at the latest."""
        held, self.held = self.held, None
        if held is not None:
            yield shortened(held, offset - held.offset)

    def accept(self, found: Found) -> Iterator[Found]:
        """Continue after a shader, or inside a damaged shader; yield complete shaders."""
        yield from self.end_held(found.offset)
        if found.damage is None:
            self.skip(found.offset + found.size)
            yield found
        else:
            self.held = found
            self.at += 1

    def skip(self, end: int) -> None:
        """Go on at `end`."""
        self.at = self.least = end


def search(data: Any, formats: Iterable[Format], strict: bool) -> Iterator[Found]:
    """Yield the shaders in data that is not unpacked, in order of their offsets."""
    here = Search(data, strict, Sought(formats))
    while (place := here.next()) is not None:
        for mark in place[1]:
            found = here.shader(mark)
            if found is not None:
                yield from here.accept(found)
                break
        else:
            here.at += 1
    yield from here.end_held(len(data))


def _swallowed(
    kind: type[Shader], data: Any, start: int, size: int, magics: list[tuple[bytes, Mark]]
) -> int:
    """Return the offset of another shader that overwrites the end of a shader, or 0.

    The structure of a truncated shader may be valid if the bytes of the next shader happen to fit;
    only the digest shows that they do not belong to it.
    """
    end = start + size
    for magic, mark in magics:
        at = -1 if mark.inside else data.find(magic, start + 1, end)
        while at >= 0:
            with suppress(UnshadeError):
                mark.format.shader().measure(memoryview(data)[at:])
                whole = kind.loads(bytes(memoryview(data)[start:end]))
                return at if whole.digest_state == "unknown" else 0
            at = data.find(magic, at + 1, end)
    return 0
