"""Input layouts: vertex buffers in formats, as the inputs of a vertex shader.

    POSITION  r32g32_float       slot 0  offset 0        12 bytes a vertex
    COLOR     r8g8b8a8_unorm     slot 0  offset 8

Components that a format lacks are 0, the fourth is 1. Data beyond the end of a buffer is 0.

Source: Direct3D 11.3 functional specification, section 8.1 (input assembler).
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from ....dataclass import dataclass
from ....errors import UsageError
from ....vm.launch import Array
from ...binding.numbers import shown
from ...binding.pixel_formats import PixelFormat, pixel_format
from ...runner import Runner
from ...signature import KernelSignature, SignatureRow


@dataclass(frozen=True, slots=True)
class Element:
    """An element of an input layout.

    Args:
        semantic: The name of the input, in any case; may include its index.
        format: The format, `r32g32b32_float` or `DXGI_FORMAT_R32G32B32_FLOAT`.
        index: The index of the semantic.
        slot: The number of the vertex buffer.
        offset: The offset in a vertex, in bytes; None if the element follows the element before it.
        step: Number of instances that share a value; 0 for a value per vertex.
    """

    semantic: str
    format: str
    index: int = 0
    slot: int = 0
    offset: int | None = None
    step: int = 0


@dataclass(frozen=True, slots=True)
class _Placed:
    element: Element
    format: PixelFormat
    offset: int


class InputLayout:
    """The elements of vertex buffers. `strides` are bytes per vertex, by slot; by default the size
    of all elements of the slot.
    """

    def __init__(
        self, elements: Iterable[Element], strides: Mapping[int, int] | None = None
    ) -> None:
        self._placed: list[_Placed] = []
        ends: dict[int, int] = {}
        for each in elements:
            format = pixel_format(str(each.format).replace("-", "_"))
            offset = ends.get(each.slot, 0) if each.offset is None else each.offset
            self._placed.append(_Placed(each, format, offset))
            ends[each.slot] = offset + format.size
        self.strides = {**ends, **(strides or {})}

    def vertices(self, vertex: Runner, buffers: Mapping[int, Any], count: int) -> dict[str, Array]:
        """Return the inputs of a vertex shader for each vertex, by semantic."""
        return self._read(vertex.inputs, buffers, np.arange(count), instanced=False)

    def instances(self, vertex: Runner, buffers: Mapping[int, Any], count: int) -> dict[str, Array]:
        """Return the inputs of a vertex shader for each instance, by semantic."""
        return self._read(vertex.inputs, buffers, np.arange(count), instanced=True)

    def _read(
        self, rows: KernelSignature, buffers: Mapping[int, Any], numbers: Array, *, instanced: bool
    ) -> dict[str, Array]:
        found = {}
        for each in self._placed:
            if bool(each.element.step) is not instanced:
                continue
            row = _row(rows, each.element)
            if row is None:
                continue  # the shader does not read it
            which = numbers // max(each.element.step, 1)
            array = each.format.decode(self._bytes(each, buffers.get(each.element.slot), which))
            found[row.label] = _typed(row, array)
        return found

    def _bytes(self, placed: _Placed, buffer: Any, which: Array) -> Array:
        """Return the bytes of an element of some vertices, (n, size)."""
        data = _plain(buffer, placed.element.slot)
        stride = self.strides[placed.element.slot]
        places = (which * stride + placed.offset)[:, np.newaxis] + np.arange(placed.format.size)
        inside = places < len(data)
        made = np.zeros(places.shape, np.uint8)
        made[inside] = data[places[inside]]
        return made


def _row(rows: KernelSignature, element: Element) -> SignatureRow | None:
    """Return the input of a semantic; None if the shader reads none.

    Signatures that are ordered by register, as of Direct3D 9, have no name with the index 0.
    """
    whole = element.semantic[-1:].isdigit() and not element.index
    names = [element.semantic if whole else f"{element.semantic}{element.index}"]
    if not element.index:
        names.append(element.semantic.removesuffix("0") if whole else element.semantic)
    for each in names:
        with suppress(UsageError):
            return rows.find(each)
    return None


def _plain(buffer: Any, slot: int) -> Array:
    if buffer is None:
        return np.zeros(0, np.uint8)
    if isinstance(buffer, bytes | bytearray | memoryview):
        return np.frombuffer(bytes(buffer), np.uint8)
    if not isinstance(buffer, np.ndarray):
        raise UsageError(f"vertex buffer {slot}: expected bytes or an array, got {shown(buffer)}")
    return np.ascontiguousarray(buffer).reshape(-1).view(np.uint8)


def _typed(row: SignatureRow, array: Array) -> Array:
    """Return the components that an input has, in its type; bits where the format has another."""
    chosen = np.ascontiguousarray(array[:, row.components])
    return chosen if chosen.dtype == row.dtype else chosen.view(row.dtype)
