"""Bounded inflation of the zlib streams in SRCI and PDBI."""

import zlib

from ....errors import FormatError, LimitError
from ....limits import Limits

__all__ = ["deflated", "inflated"]


def inflated(stored: bytes, size: int, limits: Limits, path: str = "") -> bytes:
    """Return the contents of a zlib stream that declares to have `size` bytes.

    Raises:
        FormatError: The stream is damaged or has another size.
        LimitError: The data is larger than `limits.inflated`.
    """
    if size > limits.inflated:
        raise LimitError("inflated", limits.inflated, size)
    stream = zlib.decompressobj()
    try:
        found = stream.decompress(stored, size + 1)
    except zlib.error as error:
        raise FormatError(f"damaged zlib stream: {error}", path=path) from None
    if len(found) != size or not (stream.eof or not stream.decompress(b"", 1)):
        more = " or more" if len(found) > size else ""
        raise FormatError(f"expected {size} bytes inflated, got {len(found)}{more}", path=path)
    return found


def deflated(data: bytes) -> bytes:
    """Return the bytes as a zlib stream."""
    return zlib.compress(data)
