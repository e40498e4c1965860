"""Radiance HDR: colours with a common exponent of 8 bits, each row run-length coded.

    #?RADIANCE                      lines of text up to an empty one
    FORMAT=32-bit_rle_rgbe
                                    the empty line
    -Y 512 +X 1024                  the axes: here rows down, texels to the right
    02 02 04 00                     a row of 1024 texels, of each component its own runs:
    n > 128, byte                   n - 128 times the byte
    n, n bytes                      as they are

Rows that do not begin with 2, 2 are texels of four bytes; one that is 1, 1, 1, n repeats the texel
before.

Source: Greg Ward's description of Radiance picture files.
"""

import re

import numpy as np

from ...errors import FormatError, LimitError, UnsupportedError
from ...limits import Limits
from ...vm.launch import Array

MAGIC = (b"#?RADIANCE", b"#?RGBE")
AXES = re.compile(rb"([-+])Y +(\d{1,9}) +([-+])X +(\d{1,9})\n")
LEAST, MOST = 8, 0x7FFF  # texels of a row whose components have runs
LONGEST = 127  # of a run, which takes two bytes
BIAS = 128 + 8


def read_hdr(data: bytes, limits: Limits) -> Array:
    """Return the array (height, width, 3) of a Radiance file, as float32."""
    end = data.find(b"\n\n")
    header = data[: max(end, 0)]
    if end < 0:
        raise FormatError("expected an empty line after the header", offset=len(data))
    form = re.search(rb"^FORMAT=(.*)$", header, re.MULTILINE)
    if form is not None and form[1].strip() != b"32-bit_rle_rgbe":
        name = form[1].strip().decode("latin-1")
        raise UnsupportedError(f"a Radiance file of the format {name!r:.40} cannot be read")
    axes = AXES.match(data, end + 2)
    if axes is None:
        raise FormatError("expected the axes as -Y 512 +X 1024", offset=end + 2)
    height, width = int(axes[2]), int(axes[4])
    if width * height > limits.texels:
        raise LimitError("texels", limits.texels, width * height)
    runs = LEAST <= width <= MOST and data[axes.end() : axes.end() + 2] == b"\2\2"
    least = 4 + 8 * -(-width // LONGEST) if runs else 0
    left = len(data) - axes.end()
    if not width or not height or left < least * height:
        raise FormatError(f"expected {height} rows of {width} texels", offset=axes.end())
    rows = _with_runs(data, axes.end(), height, width) if runs else _plain(
        data, axes.end(), height * width
    ).reshape(height, width, 4)  # fmt: skip
    if axes[1] == b"+":
        rows = rows[::-1]
    if axes[3] == b"-":
        rows = rows[:, ::-1]
    scale = np.ldexp(np.float32(1), rows[..., 3:].astype(np.int32) - BIAS)
    found: Array = np.where(rows[..., 3:] == 0, np.float32(0), rows[..., :3] * scale)
    return np.ascontiguousarray(found, "<f4")


def _with_runs(data: bytes, at: int, height: int, width: int) -> Array:
    """Return rows (height, width, 4) whose components are coded apart."""
    start = bytes((2, 2, width >> 8, width & 255))
    rows = []
    for _ in range(height):
        if data[at : at + 4] != start:
            raise FormatError(f"expected a row of {width} texels: {start.hex(' ')}", offset=at)
        at += 4
        row = bytearray()
        for component in range(1, 5):
            while len(row) < component * width:
                count = data[at] if at < len(data) else 0
                piece = data[at + 1 : at + 2] if count > 128 else data[at + 1 : at + 1 + count]
                found = piece * (count - 128) if count > 128 else piece
                if not found or len(found) != (count - 128 if count > 128 else count):
                    raise FormatError("expected a run", offset=at)
                if len(row) + len(found) > component * width:
                    raise FormatError("expected a run that ends with its row", offset=at)
                row += found
                at += 1 + len(piece)
        rows.append(row)
    return np.frombuffer(b"".join(rows), np.uint8).reshape(height, 4, width).transpose(0, 2, 1)


def _plain(data: bytes, at: int, count: int) -> Array:
    """Return texels (count, 4), some of which may be repeated by a count."""
    words = np.frombuffer(data, np.uint8, (len(data) - at) // 4 * 4, at).reshape(-1, 4)
    again = (words[:, :3] == 1).all(axis=1)
    if not again.any():
        if len(words) < count:
            raise FormatError(f"expected {count} texels, got {len(words)}", offset=at)
        return words[:count]
    made = bytearray()
    shift = 0
    for word in words:
        if len(made) >= 4 * count:
            break
        if word[0] == word[1] == word[2] == 1:
            times = int(word[3]) << shift if shift < 32 else count
            if not made or len(made) // 4 + times > count:
                raise FormatError("expected a texel to repeat, and space for it", offset=at)
            made += made[-4:] * times
            shift += 8
        else:
            made += word.tobytes()
            shift = 0
    if len(made) < 4 * count:
        raise FormatError(f"expected {count} texels, got {len(made) // 4}", offset=at)
    return np.frombuffer(bytes(made), np.uint8).reshape(-1, 4)
