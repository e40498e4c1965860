"""Inputs and outputs of vertices and pixels: arrays by semantic, ports by component.

TEXCOORD 1    float32 (n, 2)   v1.z  v1.w      two rows of a signature may share a register
SV_Depth 0    float32 (n,)     oDepth
v 3           float32 (n, 4)   v3.x … v3.w     a register that the signature does not list

A semantic is a name, in any case, and a whole number. Rows are matched by both, never by text.
"""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import UsageError
from ..ir.lowered import Points
from ..ir.memory import Port
from ..model import ComponentType, SignatureParameter, SystemValue
from ..vm.launch import Array
from ..vocab.words import Interpolation
from .layout import near
from .numbers import as_array, converted

DTYPES: dict[str, str] = {
    ComponentType.FLOAT32: "<f4", ComponentType.UINT32: "<u4", ComponentType.SINT32: "<i4",
    ComponentType.FLOAT16: "<f4", ComponentType.UINT16: "<u4", ComponentType.SINT16: "<i4",
}  # fmt: skip
# Ports without a place in the register file, by what they mean to the pipeline.
LONE: dict[str, str] = {
    SystemValue.DEPTH: "oDepth", SystemValue.DEPTH_GREATER_EQUAL: "oDepthGE",
    SystemValue.DEPTH_LESS_EQUAL: "oDepthLE", SystemValue.COVERAGE: "oMask",
    SystemValue.STENCIL_REF: "oStencilRef",
}  # fmt: skip
LONE_INPUTS: dict[str, tuple[str, SystemValue | None]] = {  # port: semantic, meaning
    "vPrim": ("SV_PrimitiveID", SystemValue.PRIMITIVE_ID),
    "vCoverage": ("SV_Coverage", SystemValue.COVERAGE),
    "vInnerCoverage": ("SV_InnerCoverage", SystemValue.INNER_COVERAGE),
    "vCycleCounter": ("vCycleCounter", None),
}
PLACE = re.compile(r"([a-z]+)(\d+)\.([xyzw])")


@dataclass(frozen=True, slots=True)
class Key:
    """A semantic in the form in which two are compared: two stages join rows of equal keys."""

    name: str  # casefolded
    index: int
    stream: int | None = None


@dataclass(slots=True)
class Row:
    """One semantic: an array of `len(ports)` components; None where the program has no port.

    `name` and `index` are the semantic. `numbered` says that its label shows an index of 0, too:
    where the name has other indices. `stream` is that of a geometry shader which has several.
    `points` is how many vertices or control points a row of the array has of it; 0 for a row that
    has no axis for them. `register` and `letters` say where its components stand, if they do.
    """

    name: str
    index: int
    ports: list[Port | None]
    dtype: np.dtype[Any]
    meaning: SystemValue | str | None = None
    interpolation: Interpolation | None = None
    points: int = 0
    numbered: bool = False
    stream: int | None = None
    register: int | None = None
    letters: str = ""

    @property
    def key(self) -> Key:
        """The semantic, to compare it with another."""
        return Key(self.name.casefold(), self.index, self.stream)

    @property
    def names(self) -> tuple[str, ...]:
        """Every spelling, the usual one last: `TEXCOORD1`; `COLOR0`, `COLOR`; `m1:COLOR`."""
        digits = self.name[-1:].isdigit()  # no compiler's: the index needs to stand apart
        full = f"{self.prefix}{self.name}{':' if digits else ''}{self.index}"
        if self.index:
            return (full,)
        short = f"{self.prefix}{self.name}"
        return (short, full) if self.numbered or digits else (full, short)

    @property
    def label(self) -> str:
        """The usual spelling, which no other row of the signature has."""
        return self.names[-1]

    @property
    def prefix(self) -> str:
        """`m1:` where there are several streams."""
        return "" if self.stream is None else f"m{self.stream}:"

    @property
    def needed(self) -> bool:
        """Whether the program has any of it."""
        return any(port is not None for port in self.ports)

    @property
    def asked(self) -> bool:
        """Whether it has to be given: numbers of vertices and the like count by themselves."""
        own = (SystemValue.VERTEX_ID, SystemValue.INSTANCE_ID, SystemValue.PRIMITIVE_ID)
        return self.needed and self.meaning not in own

    def __str__(self) -> str:
        sizes = ["n"]
        if self.points:
            sizes.append(str(self.points))
        if len(self.ports) > 1:
            sizes.append(str(len(self.ports)))
        shape = ", ".join(sizes) if len(sizes) > 1 else "n,"
        return f"{self.label} {self.dtype} ({shape})"


@dataclass(slots=True)
class Signature:
    """The rows, by semantic."""

    rows: dict[Key, Row] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows.values())

    @classmethod
    def of(cls, rows: Iterable[Row]) -> "Signature":
        """Return the signature of these rows."""
        return cls({row.key: row for row in rows})

    def add(self, row: Row) -> Row:
        """Add a row, or return the one of that semantic."""
        return self.rows.setdefault(row.key, row)

    def find(self, text: str) -> Row:
        """Return the row of a semantic, in any case; index 0 may be left out."""
        wanted = text.casefold()
        found: Row | None = None
        for row in self:
            *others, label = (each.casefold() for each in row.names)
            if label == wanted:
                return row
            if wanted in others:
                found = row
        if found is None:
            raise UsageError(f"no semantic {text!r}{near(text, [row.label for row in self])}")
        return found

    def by_meaning(self, meaning: str) -> Row | None:
        """The row that means this to the pipeline."""
        return next((row for row in self if row.meaning == meaning), None)


def signature_of(
    ports: Iterable[Port], parameters: Iterable[SignatureParameter], stage: str
) -> Signature:
    """Rows of the file's signature with the ports of the program; ports that it does not list."""
    left = {port.name: port for port in ports}
    prefix = next((found[1] for name in left if (found := PLACE.fullmatch(name))), "")
    parameters = list(parameters)
    counts = Counter(each.semantic.casefold() for each in parameters)
    signature = Signature()
    for each in parameters:
        letters = each.components
        if Key(each.semantic.casefold(), each.index) in signature.rows:
            continue  # its registers follow by number
        if each.register is None:
            lone = LONE.get(str(each.system_value), "")
            made = [left.pop(lone, None)]
        else:
            made = [left.pop(f"{prefix}{each.register}.{letter}", None) for letter in letters]
        several = counts[each.semantic.casefold()] > 1
        dtype = np.dtype(DTYPES.get(str(each.component_type), "<f4"))
        meaning = each.system_value
        given = next((port for port in made if port is not None), None)
        interpolation = given.interpolation if given is not None else None
        signature.add(
            Row(
                each.semantic, each.index, made, dtype, meaning, interpolation, numbered=several,
                register=each.register, letters=letters,
            )
        )  # fmt: skip
    for name, port in left.items():
        _add_unlisted(signature, name, port)
    return signature


def signature_of_points(
    points: Points,
    others: Iterable[Port],
    parameters: Iterable[SignatureParameter],
    stage: str,
    *,
    several: bool = True,
) -> Signature:
    """The same for vertices or control points: their rows have an axis more, if `several`."""
    signature = signature_of([*points.ports, *others], parameters, stage)
    alone = {port.name for port in others}
    for row in signature:
        if several and not any(port is not None and port.name in alone for port in row.ports):
            row.points = points.count
    return signature


def _add_unlisted(signature: Signature, name: str, port: Port) -> None:
    place = PLACE.fullmatch(name)
    if place is None:
        semantic, meaning = LONE_INPUTS.get(name, (name, None))
        kind = "<u4" if name in LONE_INPUTS else "<f4"
        row = Row(semantic, 0, [port], np.dtype(kind), meaning, port.interpolation)
        signature.rows[row.key] = row  # in place of one that stands outside the register file
        return
    dtype, number = np.dtype("<f4"), int(place[2])
    row = signature.add(
        Row(
            place[1], number, [], dtype, port.meaning, port.interpolation, numbered=True,
            register=number,
        )
    )  # fmt: skip
    row.ports.append(port)
    row.letters += place[3]


# ---------------------------------------------------------------- arrays


def typed(row: Row, value: Any) -> Array:
    """What was given for a row, in its type."""
    array = as_array(value, f"{row.label} takes numbers")
    given = isinstance(value, np.ndarray) and array.dtype.kind != row.dtype.kind
    if array.dtype.kind == "V" or (given and "f" in (array.dtype.kind, row.dtype.kind)):
        raise UsageError(f"{row.label} takes {row.dtype}, not {array.dtype}")
    return converted(array, row.dtype, row.label)


def as_rows(row: Row, value: Any, lanes: tuple[int, ...]) -> Array:
    """An array for a row, (…, components) with `lanes` in front, or one value for all of them."""
    components = len(row.ports)
    array = typed(row, value)
    if array.shape == lanes and components == 1:
        return array[..., np.newaxis]
    if array.shape == (*lanes, components):
        return array
    if array.shape in ((), (1,), (components,)):
        return np.broadcast_to(array, (*lanes, components))
    told = ", ".join(map(str, (*lanes, components)))
    raise UsageError(f"{row.label} takes ({told}) {row.dtype}, not {array.shape}")


def bits(row: Row, array: Array) -> dict[Hashable, Array]:
    """What each port of a row is given: 32 bits a lane, of an array (lanes, components)."""
    return {
        port.key: np.ascontiguousarray(array[:, at]).view("<u4")
        for at, port in enumerate(row.ports)
        if port is not None
    }


def array_of(row: Row, outputs: Mapping[Any, Array], lanes: int) -> Array:
    """The array (lanes, components) of what was given, 0 for components that never are."""
    made = np.zeros((lanes, len(row.ports)), row.dtype)
    for at, port in enumerate(row.ports):
        if port is not None:
            made[:, at] = outputs[port.key].view(row.dtype)
    return made
