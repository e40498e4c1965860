"""Search for shaders in data, and in the archives and compressed streams that it contains.

    search in one piece ──► a shader: its structure decides where it ends
                        └─► an archive ──► each entry is searched in the same way

A piece is searched from its start to its end; the bytes of a shader or an archive are not searched
again. So shaders are found in the order of the file, and no byte is read twice in one piece.
"""

from bisect import bisect_right
from collections.abc import Generator, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..errors import UnshadeError, UnsupportedError, UsageError
from ..format import Format
from ..formats import format_named, searchable
from ..formats import known as known_formats
from ..limits import DEFAULT, Limits
from ..search import Found, Mark, PathStep, Search, Sought, at_start, unpacked
from ..tuples import NamedTuple
from . import known
from .archive import Archive, ArchiveEntry
from .budget import UnpackBudget

if TYPE_CHECKING:
    from mmap import mmap

__all__ = ["find"]

HEAD = 1 << 17  # bytes that suffice to recognise a shader without a magic


def find(
    data: "bytes | bytearray | memoryview | mmap",
    *,
    strict: bool = True,
    limits: Limits = DEFAULT,
) -> Iterator[Found]:
    """Yield the shaders in data and in what is packed inside, in the order of the data.

    A shader has a known magic and a valid structure, which decides where it ends. A shader of a
    format without a magic is found if it can be read whole.

    Args:
        data: The bytes to search, for example a pack file that is mapped into memory.
        strict: If False, also yield shaders with only a valid header; they have `damage`, and end
            at the next shader at the latest.
        limits: Bounds on unpacking: `unpacked`, `entries`, `layers`, and `file_size` of an entry.

    Raises:
        LimitError: A limit is exceeded; what was found before has been yielded.
        UnsupportedError: Something needs a package that is not installed; raised at the end.
    """
    given: object = limits
    if not isinstance(given, Limits):
        raise UsageError(f"limits: expected a Limits object, got {type(given).__name__}")
    whole = searchable(data)
    state = _State(strict, UnpackBudget(limits, len(whole)), [], _sources(known_formats(), known()))
    yield from _piece(state, whole, 0)
    if state.missing:
        raise state.missing[0]


class _Sources(NamedTuple):
    """The formats and archives that are known, and their magics."""

    archives: tuple[Archive, ...]
    headless: tuple[Format, ...]  # formats without a magic
    sought: Sought


@lru_cache(1)  # made once, unless packages have been installed
def _sources(formats: tuple[Format, ...], archives: tuple[Archive, ...]) -> _Sources:
    headless = tuple(each for each in formats if not each.magics)
    magics = [(magic, each) for each in archives for magic in each.magics]
    return _Sources(archives, headless, Sought(formats, magics))


class _State(NamedTuple):
    """The state of one search in all pieces."""

    strict: bool
    budget: UnpackBudget
    missing: list[UnsupportedError]  # errors about packages
    sources: _Sources


def _piece(state: _State, data: Any, depth: int) -> Iterator[Found]:
    """Yield the shaders in one piece of data, and in archives inside the piece."""
    here = Search(data, state.strict, state.sources.sought)
    yield from _start(state, here, depth)
    while (place := here.next()) is not None:
        for meaning in place[1]:
            if isinstance(meaning, Mark):
                found = here.shader(meaning)
                doubtful = not meaning.inside and (found is None or found.damage is not None)
                if doubtful and (yield from _shown(state, here, depth)):
                    break
                if found is not None:
                    yield from _accepted(state, here, found, depth)
                    break
            elif (yield from _archive(state, here, meaning, depth)):
                break
        else:
            here.at += 1
    yield from here.end_held(len(data))
    state.budget.forget(data)


def _start(state: _State, here: Search, depth: int) -> Iterator[Found]:
    """Yield what begins at the start of a piece and has no magic."""
    head = bytes(here.data[:HEAD])
    for format in state.sources.headless:
        if format.recognises(head):
            found = at_start(here.data, format)
            if found is not None:
                yield from _accepted(state, here, found, depth)
                return
    if not head or state.sources.sought.at(head) is not None:
        return
    for each in state.sources.archives:
        headless = not each.magics and not each.shows
        if headless and (yield from _archive(state, here, each, depth)):
            return


def _accepted(state: _State, here: Search, found: Found, depth: int) -> Iterator[Found]:
    """Yield a shader, and the shaders in it if it is a database of them."""
    yield from here.accept(found)
    if found.damage is not None or not format_named(found.format).stores_pipelines:
        return
    state.budget.enter(depth + 1)
    try:
        inside = found.open().extract()
    except UnshadeError:
        return
    for name, data in inside.items():
        state.budget.entry()
        state.budget.take(len(data))
        step = PathStep(found.suffix, found.offset, name)
        for each in _piece(state, data, depth + 1):
            yield unpacked(each, (step, *each.steps), each.offset)


def _shown(state: _State, here: Search, depth: int) -> Generator[Found, None, bool]:
    """Yield the shaders in packed data that shows a magic at the place; return False if none."""
    for each in state.sources.archives:
        if each.shows and (yield from _archive(state, here, each, depth)):
            return True
    return False


def _archive(
    state: _State, here: Search, archive: Archive, depth: int
) -> Generator[Found, None, bool]:
    """Yield the shaders in an archive at the place; return False if there is none."""
    at = here.at
    try:
        opened = archive.open(here.data, at, state.budget)
    except UnsupportedError as error:
        state.missing.append(error)
        return False
    if opened is None:
        return False
    state.budget.enter(depth + 1)
    at = at if opened.start is None else opened.start
    if at < here.least:
        return False
    yield from here.end_held(at)
    try:
        for entry in opened.entries:
            state.budget.entry()
            for found in _piece(state, entry.data, depth + 1):
                yield _within(found, archive, at, entry)
    except UnsupportedError as error:
        state.missing.append(error)
    here.skip(at + opened.size)
    return True


def _within(found: Found, archive: Archive, at: int, entry: ArchiveEntry) -> Found:
    """Return a shader of an entry, placed in the data that contains the archive.

    In streams that were read as one file, offsets count from the stream in which it begins.
    """
    offset = found.steps[0].offset if found.steps else found.offset
    first = 0
    if entry.pieces:
        first, at = entry.pieces[bisect_right(entry.pieces, (offset, len(entry.data) + at)) - 1]
    outer = PathStep(archive.name, at, entry.name)
    if not found.steps:
        return unpacked(found, (outer,), offset - first)
    inner = found.steps[0]._replace(offset=offset - first)
    return unpacked(found, (outer, inner, *found.steps[1:]), found.offset)
