"""Inputs and outputs of vertices and pixels: arrays by semantic, ports by component.

TEXCOORD 1    float32 (n, 2)   v1.z  v1.w      two rows of a signature may share a register
SV_Depth 0    float32 (n,)     oDepth
v 3           float32 (n, 4)   v3.x … v3.w     a register that the signature does not list

A semantic is a name, in any case, and a whole number. Rows are matched by both, never by text.
"""

import operator
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..dataclass import dataclass, field, replace
from ..errors import UsageError
from ..ir.lowered import Points
from ..ir.memory import Port
from ..model import ComponentType, SignatureParameter, Stage, SystemValue
from ..vm.launch import Array, dtype
from ..vocab.slots import WHOLE_NUMBERS, Direction, PortSlot, Rate
from ..vocab.words import Interpolation
from .binding.numbers import as_array, converted
from .binding.suggestions import suggestion

DTYPES: dict[str, str] = {
    ComponentType.FLOAT32: "<f4", ComponentType.UINT32: "<u4", ComponentType.SINT32: "<i4",
    ComponentType.FLOAT16: "<f4", ComponentType.UINT16: "<u4", ComponentType.SINT16: "<i4",
    ComponentType.FLOAT64: "<f8", ComponentType.UINT64: "<u8", ComponentType.SINT64: "<i8",
}  # fmt: skip
LETTERS = "xyzw"
# How dxc calls an input or output of SPIR-V, after its semantic: in.var.TEXCOORD1.
OF_SEMANTIC = re.compile(r"(?:in|out)\.var\.(.*\D)(\d{0,9})", re.ASCII)
# Inputs that a call counts, or that are 0, if it does not supply them.
ZERO = frozenset({
    SystemValue.BASE_VERTEX, SystemValue.BASE_INSTANCE, SystemValue.DRAW_INDEX,
    SystemValue.VIEW_INDEX, SystemValue.DEVICE_INDEX,
})  # fmt: skip
COUNTED = ZERO | {
    SystemValue.VERTEX_ID, SystemValue.INSTANCE_ID, SystemValue.PRIMITIVE_ID,
    SystemValue.PATCH_VERTICES,
}  # fmt: skip
# Members of the block gl_PerVertex, which compilers declare whole: 0 where a call has none.
SELDOM = frozenset({SystemValue.POINT_SIZE, SystemValue.CLIP_DISTANCE, SystemValue.CULL_DISTANCE})


@dataclass(frozen=True, slots=True)
class Key:
    """A semantic in the form in which two are compared: two stages join rows of equal keys."""

    name: str  # casefolded
    index: int
    stream: int | None = None
    vertex: int | None = None


@dataclass(slots=True)
class SignatureRow:
    """One semantic: an array of `len(ports)` components; None where the program has no port.

    `name` and `index` are the semantic. `numbered` is true if the label shows an index of 0,
    because the name also occurs with other indices. `stream` is the stream of a geometry shader
    with several streams. Where `listed` is False, the signature does not list the register: `name`
    is its label then. With `by_register` stages are joined by their registers, whatever the names
    are. `points` is the number of vertices or control points in a row of the array, 0 if the array
    has no axis of points; `fewer` is true if a call may supply fewer. `places` are the places of
    its components, as far as they are known. `vertex` is the vertex of the primitive whose value a
    pixel's input takes in place of an interpolated value. `beside_point` is true for a constant of
    the patch whose semantic a control point has, too.
    """

    name: str
    index: int
    ports: list[Port | None]
    dtype: np.dtype[Any]
    meaning: SystemValue | str | None = None
    interpolation: Interpolation | None = None
    points: int = 0
    fewer: bool = False
    numbered: bool = False
    stream: int | None = None
    listed: bool = True
    by_register: bool = False
    vertex: int | None = None
    beside_point: bool = False
    places: list[PortSlot] = field(default_factory=list)

    @property
    def slots(self) -> tuple[PortSlot, ...]:
        """The slots of its components, and of its registers as a whole."""
        return (*self.places, *self.shared_slots)

    @property
    def shared_slots(self) -> tuple[PortSlot, ...]:
        """The slots of its whole registers, which may be shared with other rows."""
        return tuple(dict.fromkeys(each.whole for each in self.places))

    @property
    def location(self) -> int | None:
        """The location that its components share, None if they have no location."""
        return self.places[0].location if self.places else None

    @property
    def components(self) -> list[int]:
        """The component of its location that each port is: [2] for a row that has z alone."""
        return [slot.component for slot in self.places] or [*range(len(self.ports))]

    @property
    def letters(self) -> str:
        """The components of the location that the row occupies, as letters of xyzw."""
        return "".join(LETTERS[slot.component] for slot in self.places)

    @property
    def key(self) -> Key:
        """The key to compare rows by: semantic (ignoring case), index, stream and vertex."""
        return Key(self.name.casefold(), self.index, self.stream, self.vertex)

    @property
    def names(self) -> tuple[str, ...]:
        """Every spelling, the usual one last: `TEXCOORD1`; `COLOR0`, `COLOR`; `m1:COLOR`;
        `COLOR[2]` at vertex 2; `patch:COLOR` beside `COLOR`; `UV0`, `UV`, `in.var.UV`.
        """
        if self.beside_point:
            alone = replace(self, beside_point=False).names
            return (*alone, f"patch:{alone[-1]}")
        if self.vertex is not None:
            return tuple(f"{each}[{self.vertex}]" for each in self.interpolated.names)
        if not self.listed:
            return (*self._semantics, f"{self.prefix}{self.name}")
        digits = self.name[-1:].isdigit()  # no compiler's: the index needs to stand apart
        full = f"{self.prefix}{self.name}{':' if digits else ''}{self.index}"
        if self.index:
            return (*self._semantics, full)
        short = f"{self.prefix}{self.name}"
        return (short, full) if self.numbered or digits else (full, short)

    @property
    def _semantics(self) -> tuple[str, ...]:
        """The spellings of the semantic in HLSL that the name of a variable contains."""
        found = OF_SEMANTIC.fullmatch(self.name)
        if found is None:
            return ()
        stem, index = found[1], int(found[2] or 0) + self.index
        return (f"{stem}{index}",) if index else (f"{stem}0", stem)

    @property
    def interpolated(self) -> "SignatureRow":
        """The same input without a vertex."""
        return replace(self, vertex=None)

    @property
    def label(self) -> str:
        """The usual spelling, unique in the signature."""
        return self.names[-1]

    @property
    def prefix(self) -> str:
        """`m1:` where there are several streams."""
        return "" if self.stream is None else f"m{self.stream}:"

    @property
    def label_of_register(self) -> str:
        """The label of the row's register in the program: `v1`."""
        return next((port.row for port in self.ports if port is not None), "")

    @property
    def is_indices(self) -> bool:
        """True if the row contains the vertices of a mesh shader's primitive."""
        return self.meaning == SystemValue.PRIMITIVE_INDICES

    @property
    def needed(self) -> bool:
        """True if the program uses any component of the row."""
        return any(port is not None for port in self.ports)

    @property
    def asked(self) -> bool:
        """True if a call must supply it; system-generated values need not be supplied."""
        seldom = self.points and self.meaning in SELDOM
        return self.needed and self.meaning not in COUNTED and not seldom

    def __str__(self) -> str:
        sizes = ["n"]
        if self.points:
            sizes.append(str(self.points))
        if len(self.ports) > 1:
            sizes.append(str(len(self.ports)))
        shape = ", ".join(sizes) if len(sizes) > 1 else "n,"
        return f"{self.label} {self.dtype} ({shape})"


@dataclass(slots=True)
class KernelSignature:
    """The rows of a signature, by semantic."""

    rows: dict[Key, SignatureRow] = field(default_factory=dict)

    def __iter__(self) -> Iterator[SignatureRow]:
        return iter(self.rows.values())

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, which: int | str | PortSlot) -> SignatureRow:
        """Return a row by its number, or as `find` does.

        Raises:
            UsageError: The row does not exist.
        """
        if isinstance(which, str | PortSlot):
            return self.find(which)
        rows = [*self]
        try:
            row: SignatureRow = rows[operator.index(which)]
        except (IndexError, TypeError):
            known = ", ".join(row.label for row in rows) or "none"
            message = f"expected a name or a number below {len(rows)}, got {which!r:.60}"
            raise UsageError(f"{message}; known: {known}") from None
        return row

    @classmethod
    def of(cls, rows: Iterable[SignatureRow]) -> "KernelSignature":
        """Return the signature of these rows."""
        return cls({row.key: row for row in rows})

    def add(self, row: SignatureRow) -> SignatureRow:
        """Add a row, or return the existing row of that semantic."""
        return self.rows.setdefault(row.key, row)

    def find(self, text: str | PortSlot) -> SignatureRow:
        """Return the row of a semantic, in any case.

        Index 0 may be left out. A slot, or a register that has a single row, also identifies a row.
        """
        if isinstance(text, PortSlot):
            own = [row for row in self if text in row.places]  # before others of the register
            for row in own or self:
                if text in row.slots:
                    return row
            raise UsageError(f"no input or output {text}")
        wanted = text.casefold()
        found: SignatureRow | None = None
        for row in self:
            *others, label = (each.casefold() for each in row.names)
            if label == wanted:
                return row
            if wanted in others:
                found = row
        if found is None:
            at_register = [row for row in self if row.label_of_register.casefold() == wanted]
            found = at_register[0] if len(at_register) == 1 else None
        if found is None:
            raise UsageError(
                f"unknown semantic {text!r}{suggestion(text, [row.label for row in self])}"
            )
        return found

    def by_meaning(self, meaning: SystemValue) -> SignatureRow | None:
        """Return the row with a meaning to the pipeline, or None."""
        return next((row for row in self if row.meaning == meaning), None)


def missing_inputs(rows: Sequence[SignatureRow]) -> UsageError:
    """Return the error for inputs that a call does not supply."""
    return UsageError(f"missing input{'s' * (len(rows) > 1)} {'; '.join(map(str, rows))}")


def signature_of(
    ports: Iterable[Port],
    parameters: Iterable[SignatureParameter],
    stage: Stage,
    direction: Direction,
    rate: Rate | None = None,
) -> KernelSignature:
    """Return the file's signature with the program's ports, and rows for unlisted ports."""
    left = {port.key: port for port in ports}
    parameters = list(parameters)
    counts = Counter(each.semantic.casefold() for each in parameters)
    signature = KernelSignature()
    listed: set[tuple[str, tuple[PortSlot, ...]]] = set()
    for each in parameters:
        if Key(each.semantic.casefold(), each.index) in signature.rows:
            continue  # its registers follow by number
        slots = each.slots(stage, direction, rate)
        where = each.semantic.casefold(), tuple(slots)
        if slots and where in listed:
            continue  # dxc 1.5 lists the vertices of a mesh shader as further indices
        listed.add(where)
        made = [left.pop(slot, None) for slot in slots] or [None]
        several = counts[each.semantic.casefold()] > 1
        dtype = np.dtype(DTYPES.get(str(each.component_type), "<f4"))
        given = next((port for port in made if port is not None), None)
        interpolation = given.interpolation if given is not None else None
        signature.add(
            SignatureRow(
                each.semantic, each.index, made, dtype, each.system_value, interpolation,
                numbered=several, listed=not each.by_register or each.index > 0,
                by_register=each.by_register, places=slots,
            )
        )  # fmt: skip
    for port in left.values():
        if not _add_at_vertex(signature, port):
            _add_unlisted(signature, port)
    return signature


def signature_of_points(
    points: Points,
    others: Iterable[Port],
    parameters: Iterable[SignatureParameter],
    stage: Stage,
    *,
    several: bool = True,
) -> KernelSignature:
    """Return the same for vertices or control points; `several`: rows have another axis."""
    slot = points.slot
    ports = [*points.ports, *others]
    signature = signature_of(ports, parameters, stage, slot.direction, slot.rate)
    for row in signature:
        if several and all(port is None or port in points.ports for port in row.ports):
            row.points, row.fewer = points.count, points.fewer
    return signature


def _add_at_vertex(signature: KernelSignature, port: Port) -> bool:
    """Add a component of a pixel's input at a vertex; False for any other port."""
    slot = port.slot
    if slot is None or slot.rate is not Rate.VERTEX or slot.direction is not Direction.INPUT:
        return False
    declared = slot.of_pixel
    of = next((row for row in signature if declared in row.places), None)
    if of is None:
        return False
    places = [each._replace(rate=slot.rate, element=slot.element) for each in of.places]
    made = replace(
        of, ports=[None] * len(places), places=places, vertex=slot.element,
        interpolation=Interpolation.CONSTANT,
    )  # fmt: skip
    signature.add(made).ports[of.places.index(declared)] = port
    return True


def _add_unlisted(signature: KernelSignature, port: Port) -> None:
    """Add a component of a register that the signature does not list, by the register's label."""
    slot = port.slot
    name = port.row or port.name
    alone = slot is not None and slot.location is None
    kind = "<u4" if slot is not None and slot.place in WHOLE_NUMBERS else "<f4"
    row = SignatureRow(
        name, 0, [], np.dtype(kind), port.role, port.interpolation,
        listed=False,
    )  # fmt: skip
    known = signature.rows.get(row.key)
    if known is None or (alone and not known.needed):  # it is listed, and nobody knew as what
        signature.rows[row.key] = known = row
    known.ports.append(port)
    if slot is not None:
        known.places.append(slot)


# ---------------------------------------------------------------- arrays


def typed(row: SignatureRow, value: Any) -> Array:
    """Return the value of a row, converted to its dtype."""
    array = as_array(value, f"{row.label}: expected numbers")
    given = isinstance(value, np.ndarray) and array.dtype.kind != row.dtype.kind
    if array.dtype.kind == "V" or (given and "f" in (array.dtype.kind, row.dtype.kind)):
        raise UsageError(f"{row.label}: expected {row.dtype}, got {array.dtype}")
    return converted(array, row.dtype, row.label)


def as_rows(row: SignatureRow, value: Any, lanes: tuple[int, ...]) -> Array:
    """Return the array of a row, (*lanes, components); one value is broadcast to all lanes."""
    components = len(row.ports)
    array = typed(row, value)
    if array.shape == lanes and components == 1:
        return array[..., np.newaxis]
    if array.shape == (*lanes, components):
        return array
    if array.shape in ((), (1,), (components,)):
        return np.broadcast_to(array, (*lanes, components))
    shape = ", ".join(map(str, (*lanes, components)))
    raise UsageError(f"{row.label}: expected ({shape}) {row.dtype}, got {array.shape}")


def bits(row: SignatureRow, array: Array) -> dict[Hashable, Array]:
    """Return the input of each port of a row, in the port's type, from (lanes, components)."""
    return {
        port.key: bits_of(port, np.ascontiguousarray(array[:, at]))
        for at, port in enumerate(row.ports)
        if port is not None
    }


def bits_of(port: Port, column: Array) -> Array:
    """Return numbers converted to the width of a port, and then viewed as its type."""
    wanted = dtype(port.type)
    if wanted.kind == "b":
        return np.asarray(column != 0)
    with np.errstate(over="ignore"):
        wide = column.astype(_wide(column.dtype, wanted), copy=False)
    made: Array = wide.view(wanted)
    return made


def _wide(kind: np.dtype[Any], width: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype of one kind that is as wide as another."""
    return np.dtype(f"<{kind.kind}{width.itemsize}")


def array_of(row: SignatureRow, outputs: Mapping[Any, Array], lanes: int) -> Array:
    """Return the output of a row as (lanes, components), 0 for components without a port."""
    made = np.zeros((lanes, len(row.ports)), row.dtype)
    for at, port in enumerate(row.ports):
        if port is not None:
            made[:, at] = of_port(outputs[port.key], row)
    return made


def of_port(column: Array, row: SignatureRow) -> Array:
    """Return the values of a port as numbers of the kind that its row has."""
    return column if column.dtype.kind == "b" else column.view(_wide(row.dtype, column.dtype))
