"""The functions of the public API that tie the formats to files and to plain data."""

import os
from typing import Any, BinaryIO

from . import files, formats
from .errors import FormatError, UsageError
from .formats import Shader
from .limits import DEFAULT, Limits

__all__ = ["from_data", "loads", "open"]


def open(
    source: files.Path | BinaryIO,
    *,
    offset: int = 0,
    limits: Limits = DEFAULT,
) -> Shader:
    """Open a shader from a path or a binary file object.

    With `offset` the shader is one inside a larger file: it begins there and ends where its own
    structure ends. Raises FormatError, LimitError, or UsageError where the file cannot be read.
    """
    if isinstance(source, str | os.PathLike):
        data: object = files.read(source)
    elif hasattr(source, "read"):
        try:
            data = source.read()
        except (OSError, ValueError) as error:  # closed, or not meant for reading
            raise UsageError(f"the file object cannot be read: {error}") from error
    else:
        raise UsageError(f"a path or a binary file is opened, not {_kind(source)}: try loads()")
    if not isinstance(data, bytes):
        raise UsageError("a file object opened in binary mode is needed")
    place: object = offset
    if not isinstance(place, int) or place < 0:
        raise UsageError(f"an offset counts from the start of the file, offset {offset!r} does not")
    if not offset:
        return loads(data, limits=limits)
    name = formats.identify(data[offset : offset + 64])
    if name is None:
        raise FormatError(
            f"no shader begins with {data[offset : offset + 16].hex(' ') or 'nothing'}",
            offset=offset,
        )
    try:
        size = formats.format_named(name).shader().measure(memoryview(data)[offset:])
        return loads(data[offset : offset + size], limits=limits)
    except FormatError as error:
        raise error.within(offset, "") from None


def loads(data: bytes | bytearray | memoryview, *, limits: Limits = DEFAULT) -> Shader:
    """Read a shader from bytes; what stands behind its end is kept in `trailing`."""
    given: object = limits
    if not isinstance(given, Limits):
        raise UsageError(f"limits are a Limits(...), not {_kind(given)}")
    return formats.loads(data, limits)


def _kind(given: object) -> str:
    return f"an object of type {type(given).__name__}"


def from_data(data: Any) -> Shader:
    """The shader that plain data (of `Shader.to_data`) describes."""
    name = data.get("format") if isinstance(data, dict) else None
    if not isinstance(name, str):
        raise FormatError("plain data needs a `format`", path="format")
    return formats.format_named(name).shader().from_data(data)
