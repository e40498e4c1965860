"""Tables of constants: arrays of numbers, or of rows of them."""

import struct
from importlib.util import find_spec

import pytest

import unshade
from unshade.ir.memory import Space
from unshade.ir.types import F32, I32
from unshade.isa.source import Source

from .pixels import Pixel


@pytest.mark.parametrize(
    ("width", "declared"),
    [
        (1, "static const float table[2] = {\n    1.5,\n    2.5\n};"),
        (2, "static const float2 table[2] = {\n    { 1.5, 2.5 },\n    { 3.5, 4.5 }\n};"),
    ],
)
def test_a_row_of_one_number_is_a_number(width: int, declared: str) -> None:
    pixel = Pixel()
    b = pixel.b
    data = struct.pack(f"<{2 * width}f", *(1.5 + each for each in range(2 * width)))
    table = b.memory("table", Space.TABLE, 4 * width, 2, data=data)
    x, y = pixel.inputs()
    text = pixel.text([b.load(table, b.ftou(x, type=I32), 4 * (width - 1), F32), y])
    assert declared in text
    letter = ".y" if width > 1 else ""
    assert f"table[uint(t.x)]{letter}" in text
    if find_spec("slangpy") is not None:
        unshade.compile(
            Source(text, "table.hlsl"), language="hlsl", stage="pixel", compiler="slang"
        )
