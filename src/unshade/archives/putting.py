"""Shaders put back into a copy of the data that they were found in.

    put_back(pak, {"zstd@0x1f00!dxbc@0x40": edited})

From the inside out: the shader replaces its bytes in the unpacked data, which is packed again and
replaces its bytes in turn. A size may change only where every place that stores it is known: the
shader is a whole entry of an archive, or the stream is the whole file.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from .. import formats
from ..errors import FormatError, UnsupportedError, UsageError, did_you_mean
from ..limits import DEFAULT, Limits
from ..search import Found, PathStep
from ..tuples import NamedTuple
from . import known
from .archive import Archive, ArchivePlace, Edit, Opened
from .budget import UnpackBudget
from .inside import find

__all__ = ["put_back"]


class _Change(NamedTuple):
    found: Found
    steps: tuple[PathStep, ...]  # those that are left
    data: bytes
    shift: int = 0  # added to the first offset


def put_back(
    data: bytes | bytearray | memoryview,
    changes: Mapping[str, bytes],
    *,
    limits: Limits = DEFAULT,
) -> bytes:
    """Return a copy of data with other shaders in place of those that were found in it.

    Compressed data is compressed again, with the settings of the original; checksums and sizes
    of archives follow, and all other entries stay as they are.

    Args:
        data: The data that `find` was called with.
        changes: By path (`Found.path`), the bytes of the new shader, of the same format.
        limits: Bounds on unpacking.

    Raises:
        FormatError: A new shader is malformed.
        UsageError: Nothing is at a path, or the new shader does not fit; the message says why.
        UnsupportedError: An archive cannot be written, or a package is missing.
    """
    whole = bytes(data)
    places: dict[str, Found] = {}
    for each in find(whole, strict=False, limits=limits):
        if each.path in changes:
            places[each.path] = each
    for path, new in changes.items():
        if path not in places:
            known_paths = [each.path for each in find(whole, strict=False, limits=limits)]
            problem = f"no shader at {path}"
            raise UsageError(problem + did_you_mean(path, known_paths))
        _check(places[path], new)
    wanted = [
        _Change(places[path], places[path].steps, bytes(new)) for path, new in changes.items()
    ]
    return _changed(whole, wanted, True, UnpackBudget(limits, len(whole)))


def _check(found: Found, new: bytes) -> None:
    """Raise an error unless the bytes are one whole shader of the format."""
    name = formats.identify(new)
    if name != found.format:
        raise UsageError(f"{found.path}: expected a shader of format {found.format}, got {name}")
    try:
        shader = formats.loads(new)
    except FormatError as error:
        raise FormatError(error.problem, offset=error.offset, path=error.path) from None
    if shader.trailing:
        size = len(new) - len(shader.trailing)
        raise UsageError(f"{found.path}: expected a shader alone, got {len(new) - size} more bytes")


def _changed(data: bytes, changes: list[_Change], free: bool, budget: UnpackBudget) -> bytes:
    """Return a piece of data with changes; `free` if its size may change."""
    edits: list[tuple[int, int, bytes]] = []  # start, end, new bytes
    inside: list[tuple[int, _Change]] = []
    for each in changes:
        if each.steps:
            inside.append((each.steps[0].offset + each.shift, each))
        else:
            start = each.found.offset + each.shift
            new = _fitting(data, each.found, start, each.data, free)
            edits.append((start, start + each.found.size, new))
    inside.sort(key=lambda each: each[0])
    while inside:
        at, first = inside[0]
        archive, opened = _opened(data, first.steps[0].name, at, budget)
        end = at + opened.size
        here = [each for each in inside if each[0] < end]
        inside = inside[len(here) :]
        may = free and end == len(data) and (at == 0 or archive.last)
        stream = [] if first.steps[0].entry else list(opened.entries)
        place = ArchivePlace(archive.name, opened._replace(entries=iter(stream)), data, at)
        pieces = stream[0].pieces if stream else ()
        edits.append((at, end, archive.put(place, _edits(here, pieces, at, budget), may)))
    made, end = [], 0
    for start, stop, new in sorted(edits):
        made += [data[end:start], new]
        end = stop
    return b"".join([*made, data[end:]])


def _fitting(data: bytes, found: Found, start: int, new: bytes, free: bool) -> bytes:
    """Return the bytes in place of a shader: of its size, or of any if it is all of the data."""
    size = found.size
    if data[start : start + size] != found.data:
        raise UsageError(f"{found.path}: expected the shader that was found there, got other bytes")
    if len(new) == size or (free and start == 0 and size == len(data)):
        return new
    if len(new) > size:
        problem = f"expected at most {size:,} bytes, got {len(new):,}"
        raise UsageError(f"{found.path}: {problem}: what follows it in the file cannot move")
    if not formats.format_named(found.format).sized:
        problem = f"expected {size:,} bytes, got {len(new):,}"
        raise UsageError(f"{found.path}: {problem}: {found.format} has no padding behind its end")
    return new + bytes(size - len(new))


def _edits(
    here: list[tuple[int, _Change]],
    pieces: tuple[tuple[int, int], ...],
    at: int,
    budget: UnpackBudget,
) -> dict[str, Edit]:
    """Return the changes of each entry of an archive.

    Offsets count from the stream that a path names. If several streams were read as one file, the
    path may name a stream after the first.
    """
    entries: defaultdict[str, list[_Change]] = defaultdict(list)
    starts = {place: start for start, place in pieces}
    for place, change in here:
        steps, shift = change.steps[1:], 0 if place == at else starts[place]
        entries[change.steps[0].entry].append(change._replace(steps=steps, shift=shift))

    def edit(several: list[_Change]) -> Edit:
        return lambda contents, free: _changed(contents, several, free, budget)

    return {entry: edit(several) for entry, several in entries.items()}


def _opened(data: Any, name: str, at: int, budget: UnpackBudget) -> tuple[Archive, Opened]:
    """Open the archive at an offset again."""
    for archive in known():
        if archive.name == name:
            for place in range(at, min(at + 80, len(data))) if archive.shows else (at,):
                opened = archive.open(data, place, budget)
                if opened is not None and opened.start in (None, at):
                    return archive, opened
    if all(archive.name != name for archive in known()):
        raise UnsupportedError(f"{name}: what is inside cannot be put back")
    raise UsageError(f"expected {name} at 0x{at:x}")
