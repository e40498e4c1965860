"""What vertices and pixels are given and give: arrays by semantic, ports by component.

TEXCOORD1  float32 (n, 2)   v1.z  v1.w      two rows of a signature may share a register
SV_Depth   float32 (n,)     oDepth
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import UsageError
from ..ir.lowered import Points
from ..ir.memory import Port
from ..model import ComponentType, SignatureParameter, SystemValue
from ..vm.launch import Array
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
LONE_INPUTS: dict[str, tuple[str, str]] = {  # port: semantic, meaning
    "vPrim": ("SV_PrimitiveID", SystemValue.PRIMITIVE_ID),
    "vCoverage": ("SV_Coverage", SystemValue.COVERAGE),
    "vInnerCoverage": ("SV_InnerCoverage", SystemValue.INNER_COVERAGE),
    "vCycleCounter": ("vCycleCounter", ""),
}
PLACE = re.compile(r"([a-z]+)(\d+)\.([xyzw])")


@dataclass(slots=True)
class Row:
    """One semantic: an array of `len(ports)` components; None where the program has no port.

    `points` is how many vertices or control points a row of the array has of it; 0 for a row that
    has no axis for them.
    """

    name: str
    ports: list[Port | None]
    dtype: np.dtype[Any]
    meaning: str = ""
    interpolation: str = ""
    points: int = 0

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
        return f"{self.name} {self.dtype} ({shape})"


@dataclass(slots=True)
class Signature:
    """The rows by name: `TEXCOORD0`; `TEXCOORD` is the one of index 0."""

    rows: dict[str, Row] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows.values())

    def find(self, name: str) -> Row:
        """A row by semantic, in any case, with or without index 0."""
        upper = {each.upper(): row for each, row in self.rows.items()}
        wanted = name.upper()
        found = upper.get(wanted) or upper.get(wanted + "0")
        if found is None and wanted.endswith("0"):
            found = upper.get(wanted[:-1])
        if found is None:
            raise UsageError(f"no semantic {name!r}{near(name, self.rows)}")
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
    counts: dict[str, int] = {}
    for each in parameters:
        counts[each.semantic.upper()] = counts.get(each.semantic.upper(), 0) + 1
    signature = Signature()
    for each in parameters:
        letters = each.components
        if each.register is None:
            lone = LONE.get(str(each.system_value), "")
            made = [left.pop(lone, None)]
        else:
            made = [left.pop(f"{prefix}{each.register}.{letter}", None) for letter in letters]
        single = counts[each.semantic.upper()] == 1 and not each.index
        name = each.semantic if single else f"{each.semantic}{each.index}"
        dtype = np.dtype(DTYPES.get(str(each.component_type), "<f4"))
        meaning = str(each.system_value or "")
        given = next((port for port in made if port is not None), None)
        interpolation = given.interpolation if given is not None else ""
        signature.rows.setdefault(name, Row(name, made, dtype, meaning, interpolation))
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
        label, meaning = LONE_INPUTS.get(name, (name, ""))
        kind = "<u4" if name in LONE_INPUTS else "<f4"
        signature.rows[label] = Row(label, [port], np.dtype(kind), meaning, port.interpolation)
        return
    register = place[1] + place[2]
    row = signature.rows.setdefault(
        register, Row(register, [], np.dtype("<f4"), port.meaning, port.interpolation)
    )
    row.ports.append(port)


# ---------------------------------------------------------------- arrays


def typed(row: Row, value: Any) -> Array:
    """What was given for a row, in its type."""
    array = as_array(value, f"{row.name} takes numbers")
    given = isinstance(value, np.ndarray) and array.dtype.kind != row.dtype.kind
    if array.dtype.kind == "V" or (given and "f" in (array.dtype.kind, row.dtype.kind)):
        raise UsageError(f"{row.name} takes {row.dtype}, not {array.dtype}")
    return converted(array, row.dtype, row.name)


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
    raise UsageError(f"{row.name} takes ({told}) {row.dtype}, not {array.shape}")


def bits(row: Row, array: Array) -> dict[str, Array]:
    """What each port of a row is given: 32 bits a lane, of an array (lanes, components)."""
    return {
        port.name: np.ascontiguousarray(array[:, at]).view("<u4")
        for at, port in enumerate(row.ports)
        if port is not None
    }


def array_of(row: Row, outputs: dict[str, Array], lanes: int) -> Array:
    """The array (lanes, components) of what was given, 0 for components that never are."""
    made = np.zeros((lanes, len(row.ports)), row.dtype)
    for at, port in enumerate(row.ports):
        if port is not None:
            made[:, at] = outputs[port.name].view(row.dtype)
    return made
