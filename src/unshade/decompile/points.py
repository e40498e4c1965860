"""Points: vertices of a primitive, control points and constants of a patch, vertices of streams.

    load %v[item * 3 + k, 20]                        vertices[k].colour.y
    if count < most { store …, count = count + 1 }   vertex.colour = …;  stream.Append(vertex);

`recognise_points` runs before simplification: loads get the index of a point in place of that of an
element, and the statements that append a vertex become one operation. The three vertices that a
PICA200 appends at once, as a triangle of a list, become three, and the end of a strip. `PointSets`
then names the points and their members, from the signature.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..dataclass import dataclass, field
from ..errors import UnsupportedError
from ..ir.kernel import If, KernelIR, Region, Statement, Value, every_region
from ..ir.lowered import Points
from ..ir.memory import Memory, Port, Var
from ..ir.ops import OPS
from ..ir.types import BOOL, I32, VOID
from ..model import Reflection
from ..model.reflection import SignatureParameter
from ..vocab.slots import (
    CONTROL_POINTS_IN,
    OWN_RATES,
    Direction,
    Exchange,
    MemoryPart,
    PointsSlot,
    PortSlot,
    Rate,
)
from ..vocab.words import Domain, GeometryMode, Primitive, Stage, SystemValue
from .expressions import refused
from .interface import IN_BLOCKS, LANE_PLACES, EntryParameter, parameter_of_ports, parameter_of_row
from .names import DecompiledNames, word_of
from .operations import SOURCE_OPS
from .tree import NodeForm, ScalarKind, SourceExpression, TermType, literal, name

__all__ = [
    "FACTOR_OF",
    "Emission",
    "PointSet",
    "PointSets",
    "check_points",
    "domain_word",
    "input_primitive",
    "is_own_point",
    "point_index",
    "primitive_word",
    "recognise_points",
    "stream_word",
]

VERTICES_IN = PointsSlot(Direction.INPUT, Rate.VERTEX)
NO_ELEMENT = (1 << 32) - 1
MOST_VERTICES = 1024
REGISTER = 16  # bytes
FACTORS = frozenset({"SV_TESSFACTOR", "SV_INSIDETESSFACTOR"})  # arrays in sources
FACTOR_OF: dict[object, str] = {
    SystemValue.FINAL_QUAD_EDGE_TESSFACTOR: "SV_TessFactor",
    SystemValue.FINAL_TRI_EDGE_TESSFACTOR: "SV_TessFactor",
    SystemValue.FINAL_LINE_DETAIL_TESSFACTOR: "SV_TessFactor",
    SystemValue.FINAL_LINE_DENSITY_TESSFACTOR: "SV_TessFactor",
    SystemValue.FINAL_QUAD_INSIDE_TESSFACTOR: "SV_InsideTessFactor",
    SystemValue.FINAL_TRI_INSIDE_TESSFACTOR: "SV_InsideTessFactor",
    SystemValue.TESS_LEVEL_OUTER: "SV_TessFactor",
    SystemValue.TESS_LEVEL_INNER: "SV_InsideTessFactor",
}
FACTORS_OF: dict[str, dict[str, int]] = {  # the number of each, by the domain
    Domain.ISOLINE: {"SV_TESSFACTOR": 2, "SV_INSIDETESSFACTOR": 0},
    Domain.TRI: {"SV_TESSFACTOR": 3, "SV_INSIDETESSFACTOR": 1},
    Domain.QUAD: {"SV_TESSFACTOR": 4, "SV_INSIDETESSFACTOR": 2},
}
OF_INVOCATION = frozenset({
    *OWN_RATES, SystemValue.OUTPUT_CONTROL_POINT_ID, SystemValue.PATCH_VERTICES,
    SystemValue.VIEW_INDEX, *LANE_PLACES,
})  # fmt: skip
POINTS_IN = frozenset({VERTICES_IN, CONTROL_POINTS_IN})
IN_CONSTANTS = frozenset({GeometryMode.VARIABLE, GeometryMode.FIXED})


def domain_word(reflection: Reflection | None, words: Mapping[str, str]) -> str:
    """Return a target's word for the domain of a patch.

    Raises:
        UnsupportedError: The shader does not state it.
    """
    found = reflection.tessellation if reflection is not None else None
    word = words.get(str(found.domain)) if found is not None else None
    if word is None:
        raise UnsupportedError("a domain that is not stated cannot be decompiled yet")
    return word


def input_primitive(reflection: Reflection | None) -> Primitive | str | None:
    """Return the primitive that a geometry shader takes; None if the shader does not state it.

    The input registers of a PICA200 are one point, although they may be the outputs of several
    vertices.

    Raises:
        UnsupportedError: The vertices are in constants that a PICA200 sets for each primitive.
    """
    found = reflection.geometry if reflection is not None else None
    if found is None:
        return None
    if found.mode in IN_CONSTANTS:
        raise UnsupportedError(
            f"in the input mode {found.mode}, the PICA200 sets constants to the vertices of each"
            " primitive: source languages have no constants of a primitive"
        )
    return Primitive.POINT if found.mode == GeometryMode.POINT else found.input_primitive


def primitive_word(reflection: Reflection | None, words: Mapping[str, str]) -> str:
    """Return a target's word for the primitive that a geometry shader takes.

    Raises:
        UnsupportedError: The shader does not state it, or it has no word.
    """
    word = words.get(str(input_primitive(reflection)))
    if word is None:
        raise UnsupportedError("a primitive that is not stated cannot be decompiled yet")
    return word


def stream_word(topology: str, words: Mapping[str, str]) -> str:
    """Return a target's word for the topology of a stream.

    Raises:
        UnsupportedError: It has no word.
    """
    word = words.get(topology)
    if word is None:
        raise UnsupportedError(f"a stream of {topology} cannot be decompiled yet")
    return word


@dataclass(slots=True, eq=False)
class Emission:
    """The attribute of an operation that appends or sets a point: the byte of each operand."""

    points: PointsSlot
    bytes: tuple[int, ...]
    kinds: tuple[ScalarKind, ...] = ()
    memory: Memory | None = None  # of a point that the program may read again
    indexed: bool = False  # the first operand is the index of the point


# ---------------------------------------------------------------- recognition


def recognise_points(kernel: KernelIR, points: Iterable[Points], exact: bool) -> None:
    """Index accesses to points by point, and make each append of a vertex one operation.

    An access to a register that is known only at run time becomes a choice among the registers of
    the point, since the members of a point have no numbers in a source. Only if the source is
    `exact`, the registers before the first of an index are among them.
    """
    bytes = {each.slot: sorted(each.ports.values()) for each in points}
    for region in every_region(kernel.body):
        region[:] = [made for each in region for made in _by_register(each, bytes, exact)]
    taken = {
        memory: memory.each
        for memory in kernel.memories
        if isinstance(memory.slot, PointsSlot)
        and (memory.slot.direction is Direction.INPUT or kernel.stage is Stage.HULL)
        and memory.slot.part is MemoryPart.DATA
    }
    for value in kernel.values():
        if value.op is OPS.load and value.attr in taken:
            index = point_index(value.args[0], taken[value.attr])
            if index is not None:
                value.args = (index, value.args[1])
    if kernel.stage is Stage.GEOMETRY:
        _recognise_streams(kernel)
        _name_number(kernel)


def _by_register(statement: Statement, bytes: Mapping[Any, Sequence[int]], exact: bool) -> Region:
    """Return an access to a component of a point, or a choice among those that it may be to."""
    if not isinstance(statement, Value) or statement.op not in (OPS.load, OPS.store):
        return [statement]
    element, byte, *stored = statement.args
    found = _register(byte) if statement.attr.slot in bytes else None
    if found is None:
        return [statement]
    register, constant = found
    made: Region = []
    zero = Value(OPS.const, statement.type, (), 0)  # of a register that is not there
    choice = (Value(OPS.const, BOOL, (), 0), zero, zero)
    for each in bytes[statement.attr.slot]:
        number, other = divmod(each - constant, REGISTER)
        if other or (number < 0 and not exact):
            continue
        at = Value(OPS.const, I32, (), number & 0xFFFF_FFFF)
        chosen = Value(OPS.ieq, BOOL, (register, at), None, statement.line)
        place = Value(OPS.const, I32, (), each)
        access = Value(
            statement.op, statement.type, (element, place, *stored), statement.attr,
            statement.line, statement.location, statement.label,
        )  # fmt: skip
        made.append(chosen)
        if statement.op is OPS.store:
            made.append(If(chosen, [access], line=statement.line))
            continue
        before = zero
        if len(made) > 1:
            before = Value(OPS.select, statement.type, choice, None, statement.line)
            made.append(before)
        made.append(access)
        choice = (chosen, access, before)
    if statement.op is OPS.store:
        return made
    statement.op, statement.args, statement.attr = OPS.select, choice, None
    return [*made, statement]


def _register(byte: Value) -> tuple[Value, int] | None:
    """Return the number of a register, and the byte of the register 0; None for other bytes."""
    constant = 0
    while byte.op is OPS.iadd and byte.args[1].op is OPS.const:
        constant += byte.args[1].attr
        byte = byte.args[0]
    if byte.op is not OPS.imul or byte.args[1].op is not OPS.const or byte.args[1].attr != REGISTER:
        return None
    number = byte.args[0]
    while number.op is OPS.iadd and number.args[1].op is OPS.const:
        constant += REGISTER * number.args[1].attr
        number = number.args[0]
    return number, constant


def _name_number(kernel: KernelIR) -> None:
    """Make the number of the lane's primitive that of the primitive, which sources have."""
    port = next((each for each in kernel.inputs if _place_of(each) is Exchange.PRIMITIVE), None)
    if port is None:
        return
    slot = PortSlot(Direction.INPUT, Rate.PRIMITIVE, SystemValue.PRIMITIVE_ID)
    number = Port(port.name, port.type, slot=slot)
    kernel.inputs[kernel.inputs.index(port)] = number
    for value in kernel.values():
        if value.attr is port:
            value.attr = number


def _place_of(port: Port) -> object:
    return None if port.slot is None else port.slot.place


def check_points(kernel: KernelIR) -> None:
    """Refuse stores of points, except stores of a vertex that a stream appends."""
    for value in kernel.values():
        if value.op is OPS.store and isinstance(value.attr.slot, PointsSlot):
            raise refused(f"a store of points in {value.attr.name}", value.line)


def point_index(element: Value, each: int) -> Value | None:
    """Return the index of a lane's point from the index of an element; None if it is not a sum."""
    while element.op is OPS.select:
        other = element.args[2]
        if other.op is not OPS.const or other.attr != NO_ELEMENT:
            break
        element = element.args[1]  # an index outside is undefined in sources
    zero = Value(OPS.const, I32, (), 0)
    if _is_first(element, each):
        return zero
    if element.op is OPS.iadd and _is_first(element.args[0], each):
        return element.args[1]
    return None


def is_own_point(index: Value) -> bool:
    """Return True for the number of the control point that a function makes."""
    return index.op is OPS.input and index.attr.role is SystemValue.OUTPUT_CONTROL_POINT_ID


def _is_first(value: Value, each: int) -> bool:
    """Return True for the element of the first point of the lane."""
    if _is_lane(value):
        return each == 1
    factor = value.args[1] if value.op is OPS.imul else None
    return factor is not None and factor.op is OPS.const and (
        factor.attr == each and _is_lane(value.args[0])
    )  # fmt: skip


def _is_lane(value: Value) -> bool:
    """Return True for the number of the lane's primitive or patch."""
    if value.op is OPS.udiv and value.args[1].op is OPS.const:  # of several instances
        value = value.args[0]
    if value.op is OPS.source:
        return bool(value.attr == "item")
    return value.op is OPS.input and _place_of(value.attr) in (Exchange.PATCH, Exchange.PRIMITIVE)


def _slot_of(value: Value) -> PointsSlot | None:
    memory = value.attr if value.op is OPS.store else None
    slot = memory.slot if isinstance(memory, Memory) else None
    if isinstance(slot, PointsSlot) and slot.direction is Direction.OUTPUT:
        return slot
    return None


def _recognise_streams(kernel: KernelIR) -> None:
    cuts: dict[Var, PointsSlot] = {}  # the variable that marks the next vertex of a stream
    for region in every_region(kernel.body):
        found: Region = []
        for statement in region:
            emitted = _emission(statement, cuts) if isinstance(statement, If) else None
            found += [statement] if emitted is None else emitted
        region[:] = found
    first = set(cuts)
    for region in every_region(kernel.body):
        kept: Region = []
        for statement in region:
            if isinstance(statement, Value):
                if statement.op is OPS.output and _is_count(statement.attr):
                    continue
                if statement.op is OPS.set and statement.attr in cuts:
                    if statement.attr not in first:
                        kept.append(_cut(statement, cuts[statement.attr]))
                    first.discard(statement.attr)  # the counters are set once at the start
                    continue
            kept.append(statement)
        region[:] = kept
    kernel.outputs[:] = [each for each in kernel.outputs if not _is_count(each)]


def _is_count(port: Port) -> bool:
    """Return True for the output with the number of vertices of a stream."""
    return _place_of(port) is Exchange.VERTEX_COUNT


def _cut(statement: Value | If, slot: PointsSlot) -> Value:
    return Value(SOURCE_OPS.cut, VOID, (), slot, statement.line, statement.location)


def _emission(statement: If, cuts: dict[Var, PointsSlot]) -> list[Value] | None:
    """Return the operations that append vertices, after their operands; None for other branches."""
    slot = None
    stored: dict[Value, list[Value]] = {}  # by the element, which is a vertex
    before: list[Value] = []
    primitive = False  # the first vertex begins a strip, whatever was before
    for each in statement.then:
        if not isinstance(each, Value):
            return None
        place = _slot_of(each)
        if place is not None and place.part is MemoryPart.CUTS:
            cut = each.args[2]
            if cut.op is OPS.get:
                cuts[cut.attr] = place.of(MemoryPart.DATA)
            elif cut.op is OPS.const:
                if bool(cut.attr) is primitive:
                    return None
                primitive = True
        elif place is not None and place.rate is Rate.VERTEX:
            if each.args[1].op is not OPS.const:
                return None
            slot = place
            stored.setdefault(each.args[0], []).append(each)
        elif each.op not in (OPS.set, OPS.output):
            before.append(each)
    if slot is None or statement.otherwise or not _follow([*stored]):
        return None
    if len(stored) > 1 and not primitive:
        return None
    made = [_emit(each, slot, statement) for each in stored.values()]
    if primitive:
        made.append(_cut(statement, slot))
    return [*before, *made]


def _follow(elements: Sequence[Value]) -> bool:
    """Return True for a single element, or the elements n, n + 1, n + 2 …"""
    if len(elements) == 1:
        return True
    steps = [each.args for each in elements if each.op is OPS.iadd]
    return len({args[0] for args in steps}) == 1 and [
        args[1].attr if args[1].op is OPS.const else None for args in steps
    ] == [*range(len(elements))]


def _emit(stored: Sequence[Value], slot: PointsSlot, branch: If) -> Value:
    emission = Emission(slot, tuple(each.args[1].attr for each in stored))
    args = tuple(each.args[2] for each in stored)
    return Value(SOURCE_OPS.emit, VOID, args, emission, branch.line, branch.location)


# ---------------------------------------------------------------- names


@dataclass(slots=True, eq=False)
class PointSet:
    """Points with their members; `of` finds the member and component of a byte."""

    points: Points
    name: str  # of the parameter
    structure: str  # of the type
    members: list[EntryParameter] = field(default_factory=list)
    of: dict[int, tuple[EntryParameter, int]] = field(default_factory=dict)
    counts: dict[EntryParameter, int] = field(default_factory=dict)  # of those that are arrays
    dropped: set[int] = field(default_factory=set)  # bytes of what the source does not have
    # Variable, and member of it, that each member is, in a language without structures of points.
    flat: dict[EntryParameter, tuple[str, str]] | None = None
    own: str = ""  # the index of the own point in these variables, if they are arrays
    vertex: str = ""  # the variable of the next vertex of a stream, or of the own point

    def component(self, base: SourceExpression, byte: int) -> tuple[SourceExpression, int] | None:
        """Return the member of a point at a byte, and the component; None if no member is there."""
        found = self.of.get(byte)
        if found is None:
            return None
        member, at = found
        whole = self.whole(member, base)
        if member not in self.counts:
            return whole, at
        place = literal((at,), TermType(ScalarKind.INT))
        return SourceExpression(NodeForm.INDEX, member.type, (whole, place)), 0

    def size(self, byte: int) -> int:
        """Return the number of components, or elements, of the member at a byte."""
        member, _ = self.of[byte]
        return self.counts.get(member, member.type.width)

    def indexed(
        self, base: SourceExpression, byte: int, index: SourceExpression
    ) -> tuple[SourceExpression, int] | None:
        """Return a component by its number; None if the byte does not begin its member."""
        member, at = self.of[byte]
        if at or self.size(byte) == 1:
            return None
        whole = self.whole(member, base)
        return SourceExpression(NodeForm.INDEX, member.type.wide(1), (whole, index)), 0

    def whole(self, member: EntryParameter, base: SourceExpression) -> SourceExpression:
        """Return a member of a point."""
        if self.flat is None:
            return SourceExpression(NodeForm.MEMBER, member.type, (base,), member.name)
        word, part = self.flat[member]
        found = name(word, member.type)
        index = base.args[1] if base.op is NodeForm.INDEX else None
        if index is None and self.own:
            index = name(self.own, TermType(ScalarKind.INT))
        if index is not None:
            found = SourceExpression(NodeForm.INDEX, member.type, (found, index))
        return SourceExpression(NodeForm.MEMBER, member.type, (found,), part) if part else found


WORDS: dict[tuple[Direction, Rate], tuple[str, str]] = {
    (Direction.INPUT, Rate.VERTEX): ("vertices", "Vertex"),
    (Direction.INPUT, Rate.CONTROL_POINT): ("points", "ControlPoint"),
    (Direction.INPUT, Rate.PATCH): ("constants", "PatchConstants"),
    (Direction.OUTPUT, Rate.VERTEX): ("stream", "StreamVertex"),
}
HULL_WORDS: dict[tuple[Direction, Rate], tuple[str, str]] = {
    (Direction.INPUT, Rate.CONTROL_POINT): ("vertices", "Vertex"),
    (Direction.OUTPUT, Rate.CONTROL_POINT): ("points", "ControlPoint"),
    (Direction.OUTPUT, Rate.PATCH): ("constants", "PatchConstants"),
}


GROUP_WORDS: dict[tuple[Direction, Rate], tuple[str, str]] = {
    (Direction.OUTPUT, Rate.VERTEX): ("vertices", "Vertex"),
    (Direction.OUTPUT, Rate.PRIMITIVE): ("primitives", "Primitive"),
}
WORDS_OF = {
    Stage.HULL: HULL_WORDS, Stage.MESH: GROUP_WORDS, Stage.AMPLIFICATION: GROUP_WORDS,
}  # fmt: skip


class PointSets:
    """The points of a program, by their slots."""

    def __init__(
        self,
        stage: Stage,
        points: Iterable[Points],
        reflection: Reflection | None,
        names: DecompiledNames,
    ) -> None:
        self.stage = stage
        self.of: dict[PointsSlot, PointSet] = {}
        known = WORDS_OF.get(stage, WORDS)
        for each in points:
            words = known.get((each.slot.direction, each.slot.rate))
            if words is None:
                continue
            if stage is Stage.GEOMETRY and each.count > MOST_VERTICES:
                raise UnsupportedError(
                    f"a geometry shader appends up to {each.count} vertices: Direct3D and Vulkan"
                    f" have at most {MOST_VERTICES}"
                )
            made = PointSet(each, names.unique(words[0]), names.unique(words[1]))
            found = reflection.tessellation if reflection is not None else None
            domain = str(found.domain) if found is not None else ""
            _fill(made, stage, _rows(each.slot, reflection), FACTORS_OF.get(domain, {}))
            if each.slot.direction is Direction.OUTPUT and stage is not Stage.MESH:
                word = "control_point" if stage is Stage.HULL else "emitted"
                own = each.slot.rate is Rate.PATCH
                made.vertex = made.name if own else names.unique(word)
            self.of[each.slot] = made
        # The type of the stream of a geometry shader that appends nothing; "" if it has streams.
        self.without_stream = ""
        if stage is Stage.GEOMETRY:
            directions = {slot.direction for slot in self.of}
            if Direction.OUTPUT not in directions:
                names.unique("stream")
                self.without_stream = names.unique("NoVertex")

    def of_memory(self, memory: Memory) -> PointSet | None:
        """Return the points that a memory holds."""
        return self.of.get(memory.slot) if isinstance(memory.slot, PointsSlot) else None

    def declared(self, memory: Memory, byte: int) -> ScalarKind | None:
        """Return the kind of a component."""
        found = self.of_memory(memory)
        member = found.of.get(byte) if found is not None else None
        return member[0].type.kind if member is not None else None

    def fill_kinds(self, values: Iterable[Value]) -> None:
        """Note the kinds of the operands of each operation that appends or sets a point."""
        for value in values:
            if value.op in (SOURCE_OPS.emit, SOURCE_OPS.point):
                emission: Emission = value.attr
                _without_dropped(value, self.of[emission.points].dropped)
                members = self.of[emission.points].of
                if any(byte not in members for byte in emission.bytes):
                    raise refused("a component that the signature does not have", value.line)
                emission.kinds = tuple(members[byte][0].type.kind for byte in emission.bytes)

    def rows(
        self, values: Sequence[Value], emission: Emission
    ) -> list[tuple[EntryParameter, list[tuple[int, Value]]]]:
        """Return the members of a vertex with their components, in order."""
        found: dict[EntryParameter, list[tuple[int, Value]]] = {}
        members = self.of[emission.points].of
        for byte, value in zip(emission.bytes, values, strict=True):
            member, at = members[byte]
            found.setdefault(member, []).append((at, value))
        return [
            (member, sorted(parts, key=lambda part: part[0])) for member, parts in found.items()
        ]


def _without_dropped(value: Value, dropped: set[int]) -> None:
    """Remove the operands for components that the source does not have."""
    emission: Emission = value.attr
    if dropped.isdisjoint(emission.bytes):
        return
    kept = [at for at, byte in enumerate(emission.bytes) if byte not in dropped]
    first = int(emission.indexed)
    value.args = (*value.args[:first], *(value.args[first + at] for at in kept))
    emission.bytes = tuple(emission.bytes[at] for at in kept)


def _rows(slot: PointsSlot, reflection: Reflection | None) -> list[SignatureParameter]:
    if reflection is None:
        return []
    if slot.rate is Rate.PATCH or slot == PointsSlot(Direction.OUTPUT, Rate.PRIMITIVE):
        return list(reflection.patch_constants)
    if slot.direction is Direction.INPUT:
        return list(reflection.inputs)
    return [each for each in reflection.outputs if each.stream == slot.stream]


def _fill(
    made: PointSet, stage: Stage, rows: Sequence[SignatureParameter], factors: Mapping[str, int]
) -> None:
    """Add the members that a signature has, then those of other ports.

    `factors` is the number of tessellation factors of the domain, if that is stated.
    """
    slot = made.points.slot
    local = DecompiledNames(())
    places = {port.slot: byte for port, byte in made.points.ports.items() if port.slot is not None}
    arrays: dict[str, EntryParameter] = {}
    for row in rows:
        slots = row.slots(stage, slot.direction, slot.rate)
        if not slots and slot.rate is not Rate.PATCH:
            continue
        if slot in POINTS_IN and row.system_value in OF_INVOCATION:  # a parameter
            continue
        if row.by_register and row.system_value in IN_BLOCKS and not row.used:
            made.dropped |= {places[each] for each in slots if each in places}
            continue
        if stage is Stage.MESH and slots and all(places.get(each) in made.of for each in slots):
            continue  # dxc 1.5 lists the vertices as further indices
        factor = FACTOR_OF.get(row.system_value) if slot.rate is Rate.PATCH else None
        word = (factor or row.semantic).upper()
        if row.index >= factors.get(word, row.index + 1):
            made.dropped |= {places[each] for each in slots if each in places}
            continue
        known = arrays.get(word)
        if known is None:
            known = parameter_of_row(row, slots, slot.direction, local)
            known.semantic = factor or known.semantic
            known.name = word_of(known.name.removeprefix("out_"))
            made.members.append(known)
        if word in FACTORS:
            arrays[word] = known
            made.counts[known] = max(made.counts.get(known, 0), row.index + 1)
            known.index = 0
        for at, each in enumerate(slots):
            if each in places:
                made.of[places[each]] = known, row.index if word in FACTORS else at
    for member, count in list(made.counts.items()):
        if count == 1:
            del made.counts[member]
    left = {port: byte for port, byte in made.points.ports.items() if byte not in made.of}
    by_row: dict[str, list[Port]] = {}
    for port, byte in left.items():
        if byte in made.dropped or (slot in POINTS_IN and port.role in OF_INVOCATION):
            continue
        by_row.setdefault(port.row or port.name, []).append(port)
    for row_name, ports in by_row.items():
        member = parameter_of_ports(row_name, ports, slot.direction, local)
        made.members.append(member)
        for port, at in member.ports.items():
            made.of[left[port]] = member, at


def point_of(found: PointSet, index: SourceExpression) -> SourceExpression:
    """Return the expression of a point."""
    base = name(found.name, TermType(ScalarKind.UINT))
    if found.points.slot.rate is Rate.PATCH:
        return base
    return SourceExpression(NodeForm.INDEX, base.type, (base, index))
