"""HLSL's packing rules: the offset of each component of a type in a constant buffer.

    struct { float3 a; float b; float2x3 m; } s[2]            s[0] +0    s[1] +48

    +0   a.x   a.y   a.z   b        +16  m[0].x m[1].x  -   -      a matrix is column major unless
    +32  m[0].y m[1].y  -   -       ... m[.].z at +48               the type is row major

A constant buffer consists of 16-byte registers. Each array element, and each row of a row-major or
column of a column-major matrix, begins a register; the members of a structure have explicit
offsets. Source: the public documentation of HLSL's packing rules, checked on the default values of
compiled files.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ...tuples import NamedTuple
from ...vocab.d3d import VariableClass, VariableType
from ...wire import ReadTrace, Span, f32_from_bits
from ...wire.spans import gaps, spans_of

if TYPE_CHECKING:
    from .parts import rdef

REGISTER = 16


class ComponentFormat(NamedTuple):
    """Format of a component: a struct code; `?` is a word that is true if any bit is set."""

    name: str
    code: str
    size: int = 4

    def unpacked(self, data: bytes, at: int) -> bool | int | float:
        """Return the value of the component at offset `at`."""
        if self.code == "d":
            value: float = struct.unpack_from("<d", data, at)[0]
            return value
        bits = int.from_bytes(data[at : at + 4], "little", signed=self.code == "i")
        if self.code == "f":
            return f32_from_bits(bits)
        return bits != 0 if self.code == "?" else bits


# fmt: off
SCALARS: dict[int, ComponentFormat] = {
    VariableType.BOOL:       ComponentFormat("bool", "?"),
    VariableType.INT:        ComponentFormat("int", "i"),
    VariableType.FLOAT:      ComponentFormat("float", "f"),
    VariableType.UINT:       ComponentFormat("uint", "I"),
    VariableType.UINT8:      ComponentFormat("uint8", "I"),
    VariableType.DOUBLE:     ComponentFormat("double", "d", 8),
    VariableType.MIN8FLOAT:  ComponentFormat("min8float", "f"),
    VariableType.MIN10FLOAT: ComponentFormat("min10float", "f"),
    VariableType.MIN16FLOAT: ComponentFormat("min16float", "f"),
    VariableType.MIN12INT:   ComponentFormat("min12int", "i"),
    VariableType.MIN16INT:   ComponentFormat("min16int", "i"),
    VariableType.MIN16UINT:  ComponentFormat("min16uint", "I"),
}
# fmt: on
NUMERIC = (
    VariableClass.SCALAR,
    VariableClass.VECTOR,
    VariableClass.MATRIX_ROWS,
    VariableClass.MATRIX_COLUMNS,
)

Path = tuple[Any, "str | int"] | None  # the path further out, and one step
Component = Callable[[int, ComponentFormat, Path], Any]


class Spent(Exception):
    """The type does not fit the bytes, or the budget of values is used up."""


class Packing:
    """A walk over the types of one RDEF part.

    `budget` bounds the number of components and structures visited: variables may share an initial
    value, and a type may be larger than the value. Elements of structured buffers follow the same
    rules with a `register` of one byte, that is, without alignment.
    """

    def __init__(self, budget: int, register: int = REGISTER) -> None:
        self.budget = budget
        self.register = register
        self._sizes: dict[int, int] = {}

    def walk(self, given: rdef.RdefType, size: int, component: Component) -> Any:
        """Return dicts and lists in the shape of the type, with components as leaves.

        A leaf is the result of `component(offset, scalar, path)` for bytes within `size`. A
        member without bytes (a texture in a structure) is None.

        Raises:
            Spent: The type does not fit the bytes, or the budget is used up.
        """
        return self._array(given, 0, None, size, component)

    def _spend(self) -> None:
        self.budget -= 1
        if self.budget < 0:
            raise Spent

    def _array(self, given: rdef.RdefType, at: int, path: Path, end: int, each: Component) -> Any:
        if not given.elements:
            return self._one(given, at, path, end, each)
        stride = self.stride(given)
        if at + (given.elements - 1) * stride >= end:
            raise Spent
        return [
            self._one(given, at + i * stride, (path, i), end, each) for i in range(given.elements)
        ]

    def _one(self, given: rdef.RdefType, at: int, path: Path, end: int, each: Component) -> Any:
        self._spend()
        kind = given.variable_class
        if kind == VariableClass.STRUCT:
            return {
                member.name: self._array(
                    member.type, at + member.offset, (path, _step(member.name, i)), end, each
                )
                for i, member in enumerate(given.members)
            }
        scalar = SCALARS.get(given.variable_type)
        if kind not in NUMERIC or scalar is None:
            return None
        size = scalar.size

        def one(offset: int, way: Path) -> Any:
            self._spend()
            if offset + size > end:
                raise Spent
            return each(offset, scalar, way)

        if kind == VariableClass.SCALAR:
            return one(at, path)
        if kind == VariableClass.VECTOR:
            return [one(at + size * i, (path, _letter(i))) for i in range(given.columns)]
        step = self.matrix_stride(given)
        across, down = (step, size) if kind == VariableClass.MATRIX_COLUMNS else (size, step)
        found = []
        for row in range(given.rows):
            self._spend()
            line = (path, row)
            found.append(
                [
                    one(at + down * row + across * i, (line, _letter(i)))
                    for i in range(given.columns)
                ]
            )
        return found

    def size(self, given: rdef.RdefType) -> int:
        """Return the size of one element in bytes, without trailing padding; at least 1."""
        known = self._sizes.get(id(given))
        if known is None:
            known = self._sizes[id(given)] = max(self._measured(given), 1)
        return known

    def stride(self, given: rdef.RdefType) -> int:
        """Return the distance of consecutive array elements in bytes."""
        return self._aligned(self.size(given))

    def matrix_stride(self, given: rdef.RdefType) -> int:
        """Return the distance of consecutive rows (columns if column major) in bytes."""
        scalar = SCALARS.get(given.variable_type)
        along = (
            given.rows if given.variable_class == VariableClass.MATRIX_COLUMNS else given.columns
        )
        return self._aligned(along * (4 if scalar is None else scalar.size))

    def _aligned(self, size: int) -> int:
        return -(-size // self.register) * self.register

    def _measured(self, given: rdef.RdefType) -> int:
        if given.variable_class == VariableClass.STRUCT:
            if not given.members:
                return 0
            last = max(given.members, key=lambda member: member.offset)
            size = self.size(last.type)
            return last.offset + max(last.type.elements - 1, 0) * self.stride(last.type) + size
        scalar = SCALARS.get(given.variable_type)
        size = 4 if scalar is None else scalar.size
        if given.variable_class == VariableClass.MATRIX_ROWS:
            return (given.rows - 1) * self.matrix_stride(given) + given.columns * size
        if given.variable_class == VariableClass.MATRIX_COLUMNS:
            return (given.columns - 1) * self.matrix_stride(given) + given.rows * size
        return given.columns * size


def _letter(index: int) -> str:
    return "xyzw"[index] if index < 4 else f"c{index}"


def _step(name: str, index: int) -> str:
    """Return a member's name, or its index if the name is not valid in a dotted path."""
    return name if name.isidentifier() and len(name) <= 64 else f"members[{index}]"


def spelled(path: Path) -> str:
    """Return a path as text, such as `[1].color.x`."""
    steps: list[str] = []
    while path is not None:
        path, step = path
        steps.append(f"[{step}]" if isinstance(step, int) else f".{step}")
    return "".join(reversed(steps))


# -- the initial values of a part ----------------------------------------------------------------

_VARIABLE = r"\.?buffers\[(\d+)\]\.variables\[(\d+)\]\.default_value"


def spans_with_components(found: ReadTrace) -> list[Span]:
    """Return the spans of an RDEF part, with one for each component of an initial value.

    A value that does not match its type stays one raw span.
    """
    spans: list[Span] = []
    variable = re.compile(_VARIABLE)
    for span in spans_of(found):
        match = variable.fullmatch(span.path)
        if match is None or not isinstance(span.value, bytes):  # the offset itself is an int
            spans.append(span)
            continue
        buffer, number = map(int, match.groups())
        spans += _components(span, found.record.buffers[buffer].variables[number].type)
    return spans


def _components(span: Span, given: rdef.RdefType) -> list[Span]:
    data: bytes = span.value
    found: list[Span] = []

    def note(at: int, scalar: ComponentFormat, path: Path) -> None:
        value = scalar.unpacked(data, at)
        doc = f"initial value, {scalar.name}"
        found.append(Span(at, scalar.size, span.path + spelled(path), value, doc))

    try:
        Packing(64 + 4 * len(data)).walk(given, len(data), note)
    except Spent:
        return [span]
    found.sort(key=lambda each: each.offset)
    if not found or any(a.offset + a.length > b.offset for a, b in pairwise(found)):
        return [span]  # no components, or overlapping ones: the value has another type
    for start, end in gaps(found, len(data)):
        raw = data[start:end]
        if any(raw) or len(raw) >= REGISTER:
            found.append(span._replace(offset=start, length=end - start, value=raw))
        else:
            path, doc = f"{span.path}.padding", "padding to a register boundary"
            found.append(Span(start, end - start, path, raw, doc, None, "padding"))
    found.sort(key=lambda each: each.offset)
    return [each._replace(offset=span.offset + each.offset) for each in found]
