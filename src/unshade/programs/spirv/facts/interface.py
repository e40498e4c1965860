"""Inputs and outputs of an entry point: a row for each location and each built-in.

    layout(location = 2) in mat3 m;     m 0 in location 2, m 1 in 3, m 2 in 4
    out Block { vec4 a; vec4 b; } v;    v.a and v.b in consecutive locations
    in float gl_ClipDistance[2];        two rows of one built-in

A variable in an interface of control points or vertices is an array with an element for each, and
its rows are the rows of one element; the same applies to an input of a fragment, or a member of an
input, that is decorated with PerVertexKHR. A component of 64 bits takes two letters; its row
contains the first.

Source: Vulkan specification, Location and Component Assignment.
"""

from collections.abc import Iterator

from ....model import ComponentType, Interpolation, MinPrecision, Stage, SystemValue
from ....model.facts import ProgramFacts, ProgramPort
from ....tuples import NamedTuple
from ....vocab.numbers import word
from ....vocab.slots import Direction, Rate, port_slot
from ....vocab.words import DISPATCHED
from ..index import ModuleIndex
from ..tables.grammar import grammar
from ..tables.numbers import BuiltIn, Decoration, Opcode, StorageClass
from ..text.names import BUILT_INS as NAMES
from .resources import ModuleVariable
from .types import Types
from .usage import ANY, Path, Usage
from .vocabulary import BUILT_INS, BUILT_INS_OF_STAGES

__all__ = ["GATHERING", "LEVELS", "SCATTERING", "WHOLE", "Interface"]

MOST = 256  # rows of one variable
LETTERS = "xyzw"
RAYS = frozenset({
    Stage.RAYGENERATION, Stage.INTERSECTION, Stage.ANYHIT, Stage.CLOSESTHIT, Stage.MISS,
    Stage.CALLABLE,
})  # fmt: skip
# Stages whose inputs are those of several vertices or control points, and outputs likewise.
GATHERING = frozenset({Stage.HULL, Stage.DOMAIN, Stage.GEOMETRY})
SCATTERING = frozenset({Stage.HULL, Stage.MESH})
# The built-ins of a patch. DXC decorates others with Patch, too, which changes nothing.
LEVELS = frozenset({BuiltIn.TessLevelOuter, BuiltIn.TessLevelInner})
# Built-ins that are one array for all vertices, or no array.
WHOLE = LEVELS | {
    BuiltIn.PrimitiveId,
    BuiltIn.InvocationId,
    BuiltIn.PatchVertices,
    BuiltIn.TessCoord,
}
# The vertices of a primitive, which need no decoration to belong to it.
INDICES = frozenset({
    BuiltIn.PrimitivePointIndicesEXT, BuiltIn.PrimitiveLineIndicesEXT,
    BuiltIn.PrimitiveTriangleIndicesEXT,
})  # fmt: skip
TYPES = {
    "float": ComponentType.FLOAT32, "half": ComponentType.FLOAT16, "double": ComponentType.FLOAT64,
    "int": ComponentType.SINT32, "short": ComponentType.SINT16, "int64": ComponentType.SINT64,
    "uint": ComponentType.UINT32, "ushort": ComponentType.UINT16, "uint64": ComponentType.UINT64,
    "bool": ComponentType.UINT32,
}  # fmt: skip
RELAXED = {
    "float": MinPrecision.FLOAT_16, "int": MinPrecision.SINT_16, "uint": MinPrecision.UINT_16,
}  # fmt: skip
WIDE = ("double", "int64", "uint64")
# Decorations that hold for all that is in a variable or member.
INHERITED = (
    Decoration.Flat, Decoration.NoPerspective, Decoration.Centroid, Decoration.Sample,
    Decoration.Patch, Decoration.PerPrimitiveEXT, Decoration.PerVertexKHR,
    Decoration.RelaxedPrecision,
)  # fmt: skip
BARYCENTRIC_LINEAR = BuiltIn.BaryCoordNoPerspKHR


class _Place(NamedTuple):
    """A part of a variable: its name, location and decorations."""

    name: str
    path: Path
    location: int | None
    component: int = 0
    built_in: int | None = None
    stream: int = 0
    source: int = 0  # of blending
    marks: frozenset[int] = frozenset()
    vertices: int = 0  # length of the array by vertex that it is in
    array: str = ""  # its name
    member: int | None = None  # number in the structure that it is in
    buffer: int | None = None  # of transform feedback
    stride: int = 0
    offset: int | None = None


class _Row(NamedTuple):
    """A row: a vector or scalar at a location or in a built-in."""

    place: _Place
    scalar: str
    size: int  # components
    first: int = 0  # of the vector that takes two locations


class Interface:
    """The inputs and outputs of a module's entry points."""

    def __init__(self, index: ModuleIndex, types: Types) -> None:
        self.index = index
        self.types = types

    def add(self, facts: ProgramFacts, variable: ModuleVariable, usage: Usage) -> None:
        """Add the rows of an input or output."""
        stage = facts.stage
        is_input = variable.storage == StorageClass.Input
        kind = variable.type
        path: Path = ()
        start = self._started(variable)
        gathered = stage in GATHERING if is_input else stage in SCATTERING
        if gathered and not _is_whole(start, stage):
            found = self.index.definitions.get(kind)
            if found is not None and found.opcode == Opcode.TypeArray:
                kind, path = found.words[2], (ANY,)
        start = start._replace(path=path)
        if stage == Stage.PIXEL and is_input:
            kind, start = self._of_vertex(kind, start)
        names: dict[str, int] = {}
        for number, row in enumerate(self._rows(kind, start)):
            name = row.place.name or self._generated(row.place, is_input)
            if number == MOST:
                facts.notes.append(f"{name}: only the first {MOST} rows are listed")
                break
            at = names[name] = names.get(name, -1) + 1
            row = row._replace(place=row.place._replace(name=name))  # noqa: PLW2901
            self._port(facts, variable, row, usage, is_input, at)

    def _started(self, variable: ModuleVariable) -> _Place:
        name = self.index.names.get(variable.id, "")
        if not name:
            inner, _, _ = self.types.without_arrays(variable.type)
            if self.index.opcode_of(inner) == Opcode.TypeStruct:
                name = self.index.names.get(inner, "")
        return self._decorated(_Place(name, (), None), variable.id)

    def _decorated(self, place: _Place, target: int, member: int | None = None) -> _Place:
        """Return a place with the decorations of an id or member."""
        if member is None:
            uses = self.index.decorations.get(target, ())
        else:
            uses = self.index.members.get(target, {}).get(member, [])
        marks = set(place.marks)
        for each in uses:
            value = each.words[0] if each.words else 0
            match each.number:
                case Decoration.Location:
                    place = place._replace(location=value)
                case Decoration.Component:
                    place = place._replace(component=value)
                case Decoration.BuiltIn:
                    place = place._replace(built_in=value)
                case Decoration.Stream:
                    place = place._replace(stream=value)
                case Decoration.Index:
                    place = place._replace(source=value)
                case Decoration.XfbBuffer:
                    place = place._replace(buffer=value)
                case Decoration.XfbStride:
                    place = place._replace(stride=value)
                case Decoration.Offset:
                    place = place._replace(offset=value)
            if each.number in INHERITED:
                marks.add(each.number)
        return place._replace(marks=frozenset(marks))

    def _of_vertex(self, kind: int, place: _Place) -> tuple[int, _Place]:
        """Return the type and place of one vertex's element in a per-vertex array."""
        found = self.index.definitions.get(kind)
        if place.vertices or Decoration.PerVertexKHR not in place.marks or found is None:
            return kind, place
        if found.opcode != Opcode.TypeArray:
            return kind, place
        vertices = self.types.constants.integer(found.words[3]) or 0
        place = place._replace(path=(*place.path, ANY), vertices=vertices, array=place.name)
        return found.words[2], place

    # -- rows ------------------------------------------------------------------------------------

    def _rows(self, kind: int, place: _Place, depth: int = 0) -> Iterator[_Row]:
        """Iterate over the rows of a type at a place."""
        found = self.index.definitions.get(kind)
        if found is None or depth > 16:
            return
        match found.opcode:
            case Opcode.TypeStruct:
                yield from self._members(kind, found.words[2:], place, depth)
            case Opcode.TypeArray | Opcode.TypeMatrix:
                count = found.words[3]
                if found.opcode == Opcode.TypeArray:
                    count = self.types.constants.integer(count) or 0
                step = self._locations(found.words[2])
                for at in range(min(count, MOST + 1)):
                    inner = place._replace(path=(*place.path, at))
                    if place.location is not None:
                        inner = inner._replace(location=place.location + at * step)
                    if place.offset is not None:
                        inner = inner._replace(
                            offset=place.offset + at * self.packed_size(found.words[2])
                        )
                    yield from self._rows(found.words[2], inner, depth + 1)
            case Opcode.TypeVector:
                scalar, _ = self.types.scalar(found.words[2])
                yield from _vector(place, scalar, found.words[3])
            case Opcode.TypeInt | Opcode.TypeFloat | Opcode.TypeBool:
                scalar, _ = self.types.scalar(kind)
                yield from _vector(place, scalar, 1)

    def _members(
        self, kind: int, members: tuple[int, ...], place: _Place, depth: int
    ) -> Iterator[_Row]:
        names = self.index.member_names.get(kind, {})
        location, offset = place.location, place.offset
        for at, each in enumerate(members):
            name = names.get(at) or f"member{at}"
            inner = place._replace(
                name=f"{place.name}.{name}" if place.name else name,
                path=(*place.path, at),
                location=location,
                offset=offset,
                member=at if place.member is None else place.member,
            )
            inner = self._decorated(inner, kind, at)
            if offset is not None:  # of a structure whose members have none
                offset += self.packed_size(each)
            if inner.built_in is not None:
                inner = inner._replace(name=name if names.get(at) else "", location=None)
            member, inner = self._of_vertex(each, inner)
            if inner.built_in is None and inner.location is not None:
                location = inner.location + self._locations(member)
            yield from self._rows(member, inner, depth + 1)

    def _locations(self, kind: int, depth: int = 0) -> int:
        """Return the number of locations that a type takes."""
        found = self.index.definitions.get(kind)
        if found is None or depth > 16:
            return 1
        match found.opcode:
            case Opcode.TypeStruct:
                inner = (self._locations(each, depth + 1) for each in found.words[2 : 2 + MOST])
                return sum(inner)
            case Opcode.TypeArray:
                count = self.types.constants.integer(found.words[3]) or 0
                return count * self._locations(found.words[2], depth + 1)
            case Opcode.TypeMatrix:
                return found.words[3] * self._locations(found.words[2], depth + 1)
            case Opcode.TypeVector:
                scalar, _ = self.types.scalar(found.words[2])
                return 2 if scalar in WIDE and found.words[3] > 2 else 1
        return 1

    def packed_size(self, kind: int, depth: int = 0) -> int:
        """Return the bytes that a type takes where nothing is aligned, as in transform feedback."""
        found = self.index.definitions.get(kind)
        if found is None or depth > 16:
            return 0
        match found.opcode:
            case Opcode.TypeStruct:
                return sum(self.packed_size(each, depth + 1) for each in found.words[2 : 2 + MOST])
            case Opcode.TypeArray:
                count = self.types.constants.integer(found.words[3]) or 0
                return count * self.packed_size(found.words[2], depth + 1)
            case Opcode.TypeMatrix | Opcode.TypeVector:
                return found.words[3] * self.packed_size(found.words[2], depth + 1)
            case Opcode.TypeInt | Opcode.TypeFloat:
                return found.words[2] // 8
        return 4

    # -- ports -----------------------------------------------------------------------------------

    def _port(
        self,
        facts: ProgramFacts,
        variable: ModuleVariable,
        row: _Row,
        usage: Usage,
        is_input: bool,
        number: int,
    ) -> None:
        place, stage = row.place, facts.stage
        direction = Direction.INPUT if is_input else Direction.OUTPUT
        rate, to = None, facts.inputs if is_input else facts.outputs
        patch = place.built_in in LEVELS
        if patch or (place.built_in is None and Decoration.Patch in place.marks):
            rate, to = Rate.PATCH, facts.patch_constants
        elif stage == Stage.MESH and _is_of_primitive(place):
            rate, to = Rate.PRIMITIVE, facts.patch_constants
        elif place.built_in is not None and is_input and (stage in DISPATCHED or stage in RAYS):
            to = facts.builtins
        value = None if place.built_in is None else self._value(facts, place.built_in, variable)
        name = place.name
        where = value if value is not None else place.location or 0
        if value is None and stage == Stage.PIXEL and not is_input:
            value = SystemValue.TARGET
        slot = port_slot(stage, direction, where, rate=rate, stream=place.stream)
        slot = slot._replace(
            element=number if place.built_in is not None else 0, index=place.source
        )
        wide = 2 if row.scalar in WIDE else 1
        first = place.component if place.built_in is None else 0
        letters = LETTERS[first:][::wide][: row.size] if wide > 1 else LETTERS[first:][: row.size]
        relaxed = Decoration.RelaxedPrecision in place.marks
        to.append(
            ProgramPort(
                label=f"{name}[{number}]" if number else name,
                name=name,
                index=number,
                slot=slot,
                components=letters,
                used=self._used(variable, row, usage, letters),
                system_value=value,
                interpolation=_interpolation(place, stage) if is_input else None,
                component_type=TYPES.get(row.scalar, ComponentType.UNKNOWN),
                min_precision=RELAXED.get(row.scalar, "default") if relaxed else "default",
                path=variable.path,
                vertices=place.vertices,
                vertex_array=place.array,
                member=place.member,
                feedback_buffer=None if place.offset is None else place.buffer,
                feedback_offset=place.offset or 0,
                feedback_stride=place.stride,
            )
        )
        if is_input and (
            Decoration.Sample in place.marks
            or place.built_in in (BuiltIn.SampleId, BuiltIn.SamplePosition)
        ):
            facts.sample_frequency = stage == Stage.PIXEL

    def _value(self, facts: ProgramFacts, number: int, variable: ModuleVariable) -> str:
        if number == BuiltIn.FragDepth:
            if "DepthGreater" in facts.global_flags:
                return SystemValue.DEPTH_GREATER_EQUAL
            if "DepthLess" in facts.global_flags:
                return SystemValue.DEPTH_LESS_EQUAL
        special = BUILT_INS_OF_STAGES.get((number, facts.stage))  # type: ignore[arg-type]
        return special or word(BUILT_INS, number)

    def _generated(self, place: _Place, is_input: bool) -> str:
        """Return a generated name for an unnamed object: out0; out0_1 of the second source."""
        if place.built_in is None:
            source = f"_{place.source}" if place.source else ""
            stream = f"_stream{place.stream}" if place.stream else ""
            return f"{'in' if is_input else 'out'}{place.location or 0}{source}{stream}"
        found = grammar().kinds["BuiltIn"].by_value.get(place.built_in)
        name = found.name if found is not None else f"BuiltIn{place.built_in}"
        return NAMES.get(name, name)

    def _used(self, variable: ModuleVariable, row: _Row, usage: Usage, letters: str) -> str:
        path = row.place.path
        return "".join(
            letter
            for at, letter in enumerate(letters)
            if usage.uses(variable.id, (*path, row.first + at))
        )


def _is_whole(place: _Place, stage: Stage | str) -> bool:
    """Return True for a variable that has no element for each vertex or control point."""
    return Decoration.Patch in place.marks or (place.built_in in WHOLE and stage != Stage.MESH)


def _is_of_primitive(place: _Place) -> bool:
    """Return True for an output of a mesh shader that a primitive has."""
    return Decoration.PerPrimitiveEXT in place.marks or place.built_in in INDICES


def _vector(place: _Place, scalar: str, count: int) -> Iterator[_Row]:
    """Iterate over the rows of a vector: one row, or two for more than two 64-bit components."""
    if scalar not in WIDE or count <= 2 or place.location is None:
        yield _Row(place, scalar, min(count, len(LETTERS)))
        return
    yield _Row(place, scalar, 2)
    second = place._replace(location=place.location + 1)
    if place.offset is not None:
        second = second._replace(offset=place.offset + 16)
    yield _Row(second, scalar, min(count, 4) - 2, 2)


def _interpolation(place: _Place, stage: Stage | str) -> Interpolation | None:
    """Return the interpolation of a pixel shader's input."""
    if stage != Stage.PIXEL:
        return None
    marks = place.marks
    if Decoration.PerVertexKHR in marks:
        return Interpolation.PER_VERTEX
    if Decoration.Flat in marks:
        return Interpolation.CONSTANT
    straight = Decoration.NoPerspective in marks or place.built_in == BARYCENTRIC_LINEAR
    if place.built_in is not None and not straight and place.built_in != BuiltIn.BaryCoordKHR:
        return None
    words = ["linear", *(["noperspective"] if straight else [])]
    if Decoration.Sample in marks:
        words.append("sample")
    elif Decoration.Centroid in marks:
        words.append("centroid")
    return Interpolation("_".join(words))
