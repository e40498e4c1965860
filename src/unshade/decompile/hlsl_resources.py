"""Resources in HLSL: declarations, and accesses to buffers, textures and shared memory.

    cbuffer Scene : register(b0) { float4x4 world; };            world._m00_m10_m20
    Texture2D<float4> albedo : register(t0);                     albedo.Sample(s0, uv)
    ByteAddressBuffer t1 : register(t1);                         t1.Load(4 * i)
    groupshared float g0[64][4];                                 g0[i][2]

A constant buffer is declared as the reflection describes it, if every access of the program is a
component of a variable; otherwise as an array of registers.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from ..errors import UnsupportedError
from ..ir.fold import signed
from ..ir.kernel import KernelIR, Value
from ..ir.lowered import Form as ResourceForm
from ..ir.lowered import Lowered, LoweredResource
from ..ir.memory import Memory, Space
from ..ir.ops import OPS
from ..ir.textures import Action, Level, Sample, SamplerDeclaration, Shape, TextureDeclaration
from ..model import Reflection
from ..model.resources import ConstantBuffer, Resource, TypeDescription
from ..vocab.slots import MemoryPart, PointsSlot, ResourceClass, ResourceSlot
from ..vocab.words import TypeClass
from .expressions import Expressions, refused, text_key
from .kinds import Kinds, stripped
from .layout import IndexStep, MemberPath, all_members, find_member, scalar_kind
from .names import DecompiledNames
from .operations import SOURCE_OPS
from .tree import (
    Assign,
    Define,
    Evaluate,
    Line,
    NodeForm,
    ScalarKind,
    SourceExpression,
    TermType,
    literal,
    name,
    swizzle,
)
from .vectors import Group

__all__ = ["HlslResources"]

UINT = TermType(ScalarKind.UINT)
ROW = 16
STEPS = frozenset({OPS.iadd, OPS.ishl, OPS.imul})
RETURNS = {
    "float": ScalarKind.FLOAT,
    "unorm": ScalarKind.FLOAT,
    "snorm": ScalarKind.FLOAT,
    "sint": ScalarKind.INT,
    "uint": ScalarKind.UINT,
}
REGISTER = {
    ResourceClass.CONSTANTS: "b", ResourceClass.READ: "t", ResourceClass.WRITE: "u",
    ResourceClass.SAMPLER: "s",
}  # fmt: skip
ATOMICS = {
    OPS.atomic_add: "Add", OPS.atomic_and: "And", OPS.atomic_or: "Or", OPS.atomic_xor: "Xor",
    OPS.atomic_imin: "Min", OPS.atomic_imax: "Max", OPS.atomic_umin: "Min",
    OPS.atomic_umax: "Max", OPS.atomic_xchg: "Exchange", OPS.atomic_cas: "CompareExchange",
}  # fmt: skip
MINIMUM = {"min16float": "float", "min10float": "float", "min16int": "int", "min12int": "int",
           "min16uint": "uint"}  # fmt: skip
SHAPES = {Shape.D1: "1D", Shape.D2: "2D", Shape.D3: "3D", Shape.CUBE: "Cube"}

Number = Callable[[int, TermType], str]  # prints a literal


@dataclass(slots=True, eq=False)
class DeclaredResource:
    """A memory, texture or sampler of the kernel, with its name and description."""

    name: str
    resource: LoweredResource | None = None
    reflected: Resource | None = None
    layout: ConstantBuffer | None = None
    index: int | None = None  # in an array of resources
    rows: int = 0  # of a constant buffer that is declared as registers
    used: bool = False
    single: bool = False  # atomic operations need texels of one component
    members: dict[str, str] = field(default_factory=dict)


def linear(
    value: Value, stop: Callable[[Value], bool] | None = None
) -> tuple[int, int, Value | None]:
    """Return an integer as a constant plus a factor times another value, None if constant.

    `stop` returns True for values that are not taken apart.
    """
    constant, factor = 0, 1
    value = stripped(value)
    while stop is None or not stop(value):
        if value.op is OPS.const:
            return constant + factor * signed(value.attr, value.type), 0, None
        step = stripped(value.args[1]) if value.op in STEPS else None
        if step is None or step.op is not OPS.const:
            break
        number = signed(step.attr, step.type)
        if value.op is OPS.iadd:
            constant += factor * number
        else:
            factor *= number if value.op is OPS.imul else 1 << (number & 31)
        value = stripped(value.args[0])
    return constant, factor, value


def _index_at(step: IndexStep, index: SourceExpression | None) -> SourceExpression:
    """Return an index of an array."""
    if not step.factor or index is None:
        return literal((step.constant,), TermType(ScalarKind.INT))
    type = index.type
    if step.factor != 1:
        index = SourceExpression(OPS.imul, type, (index, literal((step.factor,), type)))
    if step.constant:
        index = SourceExpression(OPS.iadd, type, (index, literal((step.constant,), type)))
    return index


class HlslResources:
    """The resources of a program."""

    def __init__(
        self, lowered: Lowered, reflection: Reflection | None, names: DecompiledNames, exact: bool
    ) -> None:
        self.kernel: KernelIR = lowered.kernel
        self.reflection = reflection
        self.names = names
        self.exact = exact
        self.forms = {each.key: each for each in lowered.resources}
        self.known: dict[object, DeclaredResource] = {}
        self.structures: list[str] = []
        self.kinds: Kinds | None = None
        self.sized: dict[object, str] = {}
        self.queries: list[Line] = []
        self._reflected = self._by_register()
        for memory in self.kernel.memories:
            self._declare(memory)
        for texture in self.kernel.textures:
            self._declare(texture)
        for sampler in self.kernel.samplers:
            self._declare(sampler)
        self._choose_layouts()

    def _by_register(self) -> dict[tuple[object, int, int], tuple[Resource, int]]:
        found: dict[tuple[object, int, int], tuple[Resource, int]] = {}
        for each in self.reflection.resources if self.reflection is not None else ():
            slot = each.slot
            for at in range(min(each.count or 1, 1024)):
                key = slot.kind, each.register + at, each.space
                if key not in found or not each.declared:
                    found[key] = each, at
        return found

    def _declare(self, each: Memory | TextureDeclaration | SamplerDeclaration) -> None:
        slot = each.slot
        resource = self.forms.get(each.key)
        made = DeclaredResource(each.name, resource)
        if isinstance(slot, ResourceSlot) and slot.part in (MemoryPart.DATA,):
            found = self._reflected.get((slot.kind, slot.number, slot.space))
            if found is not None:
                made.reflected = found[0]
                made.index = found[1] if found[0].count != 1 else None
                for buffer in self.reflection.constant_buffers if self.reflection else ():
                    if self._describes(buffer, found[0]):
                        made.layout = buffer
            if made.index is not None and made.reflected is not None:
                shared = next(
                    (k for k in self.known.values()
                     if k.reflected is made.reflected and k.index is not None), None,
                )  # fmt: skip
                made.name = shared.name if shared else self.names.unique(made.reflected.name)
            else:
                wanted = made.reflected.name if made.reflected is not None else each.name
                made.name = self.names.unique(wanted)
        elif isinstance(each, Memory) and each.space in (Space.LOCAL, Space.SHARED, Space.TABLE):
            made.name = self.names.unique(each.name)
        self.known[each] = made

    def _describes(self, buffer: ConstantBuffer, resource: Resource) -> bool:
        """Return True if a layout is that of a resource."""
        if buffer.resource is None or self.reflection is None:
            return False
        return self.reflection.resources[buffer.resource] is resource

    # ------------------------------------------------------------ kinds

    def declared(self, value: Value) -> ScalarKind | None:
        """Return the kind of a load, store or part that a declaration fixes."""
        if value.op is OPS.part:
            return self._part_kind(value)
        if value.op not in (OPS.load, OPS.store) and not value.op.atomic:
            return None
        memory: Memory = value.attr
        found = self.known[memory]
        resource = found.resource
        if resource is None:
            return ScalarKind.UINT if memory.internal else None
        if resource.form is ResourceForm.TYPED or resource.form is ResourceForm.TEXTURE:
            return RETURNS.get(
                resource.returns[0] if resource.returns else "float", ScalarKind.FLOAT
            )
        if resource.form is ResourceForm.RAW:
            return ScalarKind.UINT
        if resource.form is ResourceForm.STRUCTURED and found.layout is None:
            return None
        path = self._path(value)
        return scalar_kind(path.type) if path is not None else None

    def _part_kind(self, value: Value) -> ScalarKind:
        sample: Sample = value.args[0].attr
        if sample.action in (Action.SIZE, Action.SAMPLES):
            return ScalarKind.UINT
        if sample.compare or sample.action is Action.LOD or value.type.kind == "f":
            return ScalarKind.FLOAT
        return self._texel_kind(sample.texture)

    def _texel_kind(self, texture: TextureDeclaration) -> ScalarKind:
        resource = self.known[texture].resource
        returns = resource.returns if resource is not None and resource.returns else ()
        if returns:
            return RETURNS.get(returns[0], ScalarKind.FLOAT)
        return ScalarKind.INT if texture.type.kind == "i" else ScalarKind.FLOAT

    # ------------------------------------------------------------ layouts

    def _choose_layouts(self) -> None:
        """Drop the layout of each buffer with an access that is not a component of a variable."""
        accesses: dict[Memory, list[Value]] = {}
        for value in self.kernel.values():
            if value.op in (OPS.load, OPS.store):
                accesses.setdefault(value.attr, []).append(value)
            elif value.op.attribute == "memory":
                self.known[value.attr].used = True
                self.known[value.attr].single |= value.op.atomic
        for memory, values in accesses.items():
            found = self.known[memory]
            found.used = True
            if found.layout is None or found.index is not None:
                found.layout = None
                continue
            fits = all_members(found.layout) and not found.layout.declared
            if not fits or any(self._path(each) is None for each in values):
                found.layout = None

    def _path(self, value: Value) -> MemberPath | None:
        """Return the member that an access with constant places reads."""
        memory: Memory = value.attr
        layout = self.known[memory].layout
        if layout is None:
            return None
        element, byte = (stripped(each) for each in value.args[:2])
        if byte.op is not OPS.const:
            return None
        offset = byte.attr
        if memory.space is not Space.CONSTANT:
            return find_member(layout.variables, offset)
        rows, factor, _ = linear(element)
        if factor and self.exact:  # outside of an array, the program reads what lies there
            return None
        return find_member(layout.variables, offset + rows * memory.stride, factor * memory.stride)

    def member(
        self,
        memory: Memory,
        path: MemberPath,
        base: SourceExpression | None,
        index: SourceExpression | None = None,
    ) -> tuple[SourceExpression, int]:
        """Return the expression of a member and the component."""
        kind = scalar_kind(path.type) or ScalarKind.FLOAT
        type = path.type
        made = base
        for step in path.steps:
            whole = TermType(kind, 32, max(type.columns, 1))
            if isinstance(step, IndexStep):
                assert made is not None
                place = _index_at(step, index)
                made = SourceExpression(NodeForm.INDEX, whole, (made, place))
            elif made is None:
                made = name(self.member_name(memory, step), whole)
            else:
                made = SourceExpression(NodeForm.MEMBER, whole, (made,), step)
        assert made is not None
        if path.line is None:
            return made, path.component
        if type.type_class == TypeClass.MATRIX_ROWS:
            row = literal((path.line,), TermType(ScalarKind.INT))
            return SourceExpression(
                NodeForm.INDEX, TermType(kind, 32, type.columns), (made, row), type.rows
            ), path.component
        # A column: its components are elements of the matrix, which a swizzle names.
        column = "".join(f"_m{row}{path.line}" for row in range(type.rows))
        return SourceExpression(
            NodeForm.MEMBER, TermType(kind, 32, type.rows), (made,), column
        ), path.component

    def member_name(self, memory: Memory, wanted: str) -> str:
        """Return the name of a variable of a buffer, which HLSL declares globally."""
        found = self.known[memory]
        known = found.members.get(wanted)
        if known is None:
            known = found.members[wanted] = self.names.unique(wanted)
        return known

    # ------------------------------------------------------------ constants

    def leaf(self, made: Expressions, value: Value) -> tuple[SourceExpression, int]:
        """Return the expression and component of a load that nothing changes."""
        memory: Memory = value.attr
        found = self.known[memory]
        element, byte = value.args
        if memory.internal and memory.space is Space.CONSTANT:
            return self._view_size(made, value)
        path = self._path(value)
        if path is not None:
            return self.member(memory, path, None, self._index_of(made, element))
        if byte.op is not OPS.const or byte.attr % 4:
            raise refused("a constant at a place known only at run time", value.line)
        if memory.space is Space.CONSTANT and not isinstance(memory.slot, ResourceSlot):
            raise refused(f"the memory {memory.name}", value.line)
        kind = made.kinds.of(value)
        type = TermType(kind, 32, max(1, memory.stride // 4))
        base = name(self._rows_name(memory), type)
        if found.index is not None:  # an array of buffers, each with its registers
            base = SourceExpression(NodeForm.MEMBER, type, (self._object(found),), "rows")
        index = made.scalar(element, self._index_kind(made, element))
        return SourceExpression(NodeForm.INDEX, type, (base, index)), byte.attr // 4

    def _index_of(self, made: Expressions, element: Value) -> SourceExpression | None:
        """Return the index of an access to an array of constants; None for a constant place."""

        def named(value: Value) -> bool:
            known = made.placement.of.get(value)
            return known is not None and bool(known[0].name)

        rows, factor, term = linear(element)
        if term is None:
            return None
        near, left, seen = linear(element, named)
        kind = self._index_kind(made, seen or element)
        found = made.scalar(seen or element, kind)
        if seen is not None and left != factor:
            # A variable has a multiple of the index: what it was multiplied by divides it.
            type = found.type
            if rows != near:
                found = SourceExpression(
                    OPS.isub, type, (found, literal(((rows - near) // left & 0xFFFF_FFFF,), type))
                )
            by = literal((factor // left,), type)
            found = SourceExpression(OPS.udiv, type, (found, by))
        return found

    def _index_kind(self, made: Expressions, element: Value) -> ScalarKind:
        kind = made.kinds.of(element)
        return (
            kind
            if kind in (ScalarKind.INT, ScalarKind.UINT) and stripped(element).op is not OPS.const
            else (ScalarKind.INT if stripped(element).op is OPS.const else ScalarKind.UINT)
        )

    def _rows_name(self, memory: Memory) -> str:
        found = self.known[memory]
        if memory.space is Space.CONSTANT and not found.rows:
            size = found.resource.size if found.resource is not None else 0
            if found.reflected is not None and self.reflection is not None:
                for buffer in self.reflection.constant_buffers:
                    if self._describes(buffer, found.reflected):
                        size = max(size, buffer.size)
            found.rows = max(1, -(-size // ROW))
            found.members["rows"] = self.names.unique(f"{found.name}_rows")
        return found.members.get("rows", found.name)

    def _view_size(self, made: Expressions, value: Value) -> tuple[SourceExpression, int]:
        """Return a size of a writable texture: a function that the source defines returns them."""
        memory: Memory = value.attr
        row = stripped(value.args[0])
        owner = self._owner(memory)
        count = 0
        if owner is not None and owner.resource is not None and owner.resource.shape is not None:
            shape = owner.resource.shape
            count = (2 if shape is Shape.CUBE else shape.coordinates) + owner.resource.layered
        if owner is None or row.op is not OPS.const or row.attr >= count:
            raise refused(f"the memory {memory.name}", value.line)
        owner.used = True
        word = self.sized.get(("size", memory))
        if word is None:
            word = self.sized["size", memory] = self.names.unique(f"{owner.name}_size")
            base = owner.name if owner.index is None else f"{owner.name}[{owner.index}]"
            outs = ", ".join(f"size.{'xyz'[at]}" for at in range(count))
            self.structures.append(
                f"uint3 {word}() {{\n    uint3 size = 0;\n"
                f"    {base}.GetDimensions({outs});\n    return size;\n}}"
            )
        return SourceExpression(NodeForm.CALL, UINT.wide(3), (), word), int(row.attr)

    def _owner(self, memory: Memory) -> DeclaredResource | None:
        """Return the resource that a memory of another part belongs to."""
        if not isinstance(memory.slot, ResourceSlot):
            return None
        data = memory.slot.of(MemoryPart.DATA)
        return next((k for m, k in self.known.items() if getattr(m, "slot", None) == data), None)

    # ------------------------------------------------------------ buffers and arrays

    def _element(
        self, made: Expressions, memory: Memory, value: Value, lanes: Sequence[Value]
    ) -> tuple[SourceExpression, int]:
        """Return the vector that an access is to, and the component of the first lane."""
        found = self.known[memory]
        resource = found.resource
        element, byte = value.args[:2]
        kind = (
            made.kinds.of(value)
            if value.op is OPS.load
            else (self.declared(value) or made.kinds.of_place(made.kinds.cell(memory)))
        )
        base = self._object(found)
        form = resource.form if resource is not None else None
        if memory.space is Space.LOCAL:
            at = self._constant(byte, value, "an array of registers")
            type = TermType(kind, 32, max(1, memory.stride // 4))
            index = made.scalar(element, self._index_kind(made, element))
            return SourceExpression(NodeForm.INDEX, type, (base, index)), at // 4
        if memory.space is Space.SHARED:
            index = made.scalar(element, self._index_kind(made, element))
            type = TermType(kind, 32, 1)
            inner = SourceExpression(NodeForm.INDEX, type, (base, index))
            if memory.stride == 4:
                return inner, 0
            return SourceExpression(NodeForm.INDEX, type, (inner, self._word(made, byte))), 0
        if form is ResourceForm.TYPED or form is ResourceForm.TEXTURE:
            at = self._constant(byte, value, "a texel") // 4
            place = self._texel_place(made, element, found)
            type = TermType(kind, 32, self._components(found))
            if at >= type.width:
                return literal(
                    (0x3F80_0000 if kind is ScalarKind.FLOAT and at == 3 else int(at == 3),),
                    TermType(kind),
                ), 0
            return SourceExpression(NodeForm.INDEX, type, (base, place)), at
        if form is ResourceForm.STRUCTURED:
            index = made.scalar(element, self._index_kind(made, element))
            whole = SourceExpression(NodeForm.INDEX, TermType(kind), (base, index))
            path = self._path(value)
            if path is not None:
                if [*path.steps] == ["$Element"] or path.steps[0] == "$Element":
                    path = MemberPath(path.steps[1:], path.type, path.component, path.line)
                return self.member(memory, path, self._sized(whole, path.type, kind))
            if memory.stride == 4:
                return whole, 0
            words = SourceExpression(NodeForm.MEMBER, TermType(kind), (whole,), "words")
            return SourceExpression(
                NodeForm.INDEX, TermType(kind), (words, self._word(made, byte))
            ), 0
        raise refused(f"an access to {memory.name}", value.line)

    @staticmethod
    def _sized(
        whole: SourceExpression, type: TypeDescription, kind: ScalarKind
    ) -> SourceExpression:
        return SourceExpression(whole.op, TermType(kind, 32, max(1, type.columns)), whole.args)

    def _object(self, found: DeclaredResource) -> SourceExpression:
        base = name(found.name, UINT)
        if found.index is None:
            return base
        return SourceExpression(
            NodeForm.INDEX, UINT, (base, literal((found.index,), TermType(ScalarKind.INT)))
        )

    @staticmethod
    def _constant(byte: Value, value: Value, what: str) -> int:
        byte = stripped(byte)
        if byte.op is not OPS.const or byte.attr % 4:
            raise refused(f"{what} at a byte known only at run time", value.line)
        return int(byte.attr)

    def _word(self, made: Expressions, byte: Value) -> SourceExpression:
        byte = stripped(byte)
        if byte.op is OPS.const:
            return literal((byte.attr // 4,), TermType(ScalarKind.INT))
        two = literal((2,), UINT)
        return SourceExpression(OPS.ushr, UINT, (made.scalar(byte, ScalarKind.UINT), two))

    def _texel_place(
        self, made: Expressions, element: Value, found: DeclaredResource
    ) -> SourceExpression:
        """Return the coordinates of a texel, or its number in a buffer."""
        element = stripped(element)
        if element.op is SOURCE_OPS.texel:
            return made.vector(element.args, ScalarKind.UINT)
        resource = found.resource
        if resource is not None and resource.form is ResourceForm.TEXTURE:
            raise refused(f"a texel of {found.name} that is not at coordinates", element.line)
        return made.scalar(element, ScalarKind.UINT)

    def _components(self, found: DeclaredResource) -> int:
        if found.single:
            return 1
        if found.reflected is not None and found.reflected.components:
            return found.reflected.components
        return 4

    def read(self, made: Expressions, group: Group) -> SourceExpression:
        """Return the expression of loads of an element, a sample or a query."""
        first = group.first
        if first.op is OPS.sample:
            return self._sample(made, first)
        if first.op is OPS.count:
            return self._count(first)
        memory: Memory = first.attr
        found = self.known[memory]
        resource = found.resource
        if isinstance(memory.slot, PointsSlot):
            raise refused("points of a primitive or patch", first.line)
        if resource is not None and resource.form is ResourceForm.RAW:
            return self._raw_load(made, group)
        parts: list[tuple[SourceExpression, int]] = []
        for lane in group.lanes:
            parts.append(self._element(made, memory, lane, [lane]))
        kind = made.kinds.of(first)
        same = self._same_base(group.lanes, parts, found)
        if same is not None:
            return made.cast(swizzle(same, tuple(at for _, at in parts)), kind)
        each = [made.cast(swizzle(base, (at,)), kind) for base, at in parts]
        if len(each) == 1:
            return each[0]
        return SourceExpression(NodeForm.CONSTRUCT, TermType(kind, 32, len(each)), tuple(each))

    @staticmethod
    def _same_base(
        lanes: Sequence[Value],
        parts: Sequence[tuple[SourceExpression, int]],
        found: DeclaredResource,
    ) -> SourceExpression | None:
        keys = {text_key(base) for base, _ in parts}
        widest = max(at for _, at in parts)
        base = parts[0][0]
        return base if len(keys) == 1 and base.type.width > widest else None

    def _address(self, made: Expressions, element: Value) -> SourceExpression:
        """Return the byte address of a word of a raw buffer."""
        element = stripped(element)
        constant = 0
        if element.op is OPS.iadd and stripped(element.args[1]).op is OPS.const:
            group, _ = made.placement.of[element]
            if not group.name:
                constant = stripped(element.args[1]).attr
                element = stripped(element.args[0])
        known = made.placement.of.get(element)
        if (
            element.op is OPS.ushr
            and known is not None
            and not known[0].name
            and (stripped(element.args[1]).op is OPS.const and stripped(element.args[1]).attr == 2)
        ):
            low = made.scalar(element.args[0], ScalarKind.UINT)
        elif element.op is OPS.const:
            return literal(((element.attr + constant) * 4 & 0xFFFF_FFFF,), UINT)
        else:
            four = literal((4,), UINT)
            low = SourceExpression(OPS.imul, UINT, (made.scalar(element, ScalarKind.UINT), four))
        if not constant:
            return low
        more = literal((constant * 4 & 0xFFFF_FFFF,), UINT)
        return SourceExpression(OPS.iadd, UINT, (low, more))

    def _raw_load(self, made: Expressions, group: Group) -> SourceExpression:
        first = group.first
        kind = made.kinds.of(first)
        base = self._object(self.known[first.attr])
        parts = [
            SourceExpression(
                NodeForm.METHOD, UINT, (base, self._address(made, lane.args[0])), "Load"
            )
            for lane in group.lanes
        ]
        if len(parts) == 1:
            return made.cast(parts[0], kind)
        whole = SourceExpression(NodeForm.CONSTRUCT, UINT.wide(len(parts)), tuple(parts))
        return made.cast(whole, kind)

    # ------------------------------------------------------------ stores

    def store(self, made: Expressions, group: Group) -> list[Line]:
        """Return the lines of stores to an element."""
        first = group.first
        memory: Memory = first.attr
        found = self.known[memory]
        form = found.resource.form if found.resource is not None else None
        line = first.line
        if isinstance(memory.slot, PointsSlot):
            raise refused("points of a primitive or patch", line)
        if form is ResourceForm.RAW:
            base = self._object(found)
            return [
                Evaluate(
                    SourceExpression(
                        NodeForm.METHOD, UINT,
                        (base, self._address(made, lane.args[0]),
                         made.scalar(lane.args[2], ScalarKind.UINT)),
                        "Store",
                    ),
                    line,
                )
                for lane in group.lanes
            ]  # fmt: skip
        kind = self.declared(first) or made.kinds.of_place(made.kinds.cell(memory))
        if form in (ResourceForm.TYPED, ResourceForm.TEXTURE):
            target, _ = self._element(made, memory, first, group.lanes)
            width = self._components(found)
            if [stripped(lane.args[1]).attr for lane in group.lanes[:width]] != [
                4 * at for at in range(width)
            ]:
                raise refused("a store of some components of a texel", line)
            value = made.pack([lane.args[2] for lane in group.lanes[:width]], kind)
            return [Assign(target, value, line)]
        lines: list[Line] = []
        parts = [self._element(made, memory, lane, [lane]) for lane in group.lanes]
        same = self._same_base(group.lanes, parts, found)
        if same is not None and len(parts) > 1:
            target = swizzle(same, tuple(at for _, at in parts))
            value = made.pack([lane.args[2] for lane in group.lanes], target.type.kind)
            return [Assign(target, value, line)]
        for (base, at), lane in zip(parts, group.lanes, strict=True):
            target = swizzle(base, (at,)) if base.type.width > 1 else base
            lines.append(Assign(target, made.scalar(lane.args[2], target.type.kind), line))
        return lines

    def barrier(self, group: Group) -> SourceExpression:
        """Return the call of a barrier."""
        word = "GroupMemoryBarrierWithGroupSync"
        if group.first.attr != "group":
            word = "AllMemoryBarrier"
        elif any(each.writable and each.space is Space.BUFFER for each in self.kernel.memories):
            word = "AllMemoryBarrierWithGroupSync"
        return SourceExpression(NodeForm.CALL, UINT, (), word)

    def atomic(self, made: Expressions, group: Group) -> list[Line]:
        """Return the lines of an atomic operation."""
        value = group.first
        memory: Memory = value.attr
        found = self.known[memory]
        word = ATOMICS.get(value.op)
        slot = memory.slot
        if word is None or (found.resource is None and memory.space is not Space.SHARED):
            raise refused(f"{value.op.name} of {memory.name}", value.line)
        if isinstance(slot, ResourceSlot) and slot.part is MemoryPart.COUNTER:
            return self._counter(made, group)
        form = found.resource.form if found.resource is not None else None
        signed = value.op in (OPS.atomic_imin, OPS.atomic_imax)
        kind = ScalarKind.INT if signed else ScalarKind.UINT
        rest = list(value.args[2:])
        if value.op is OPS.atomic_cas:
            rest.reverse()
        operands_ = [made.scalar(each, kind) for each in rest]
        lines: list[Line] = []
        result: list[SourceExpression] = []
        wanted = made.type_of(group)
        if group.name:
            lines.append(Define(group.name, wanted, None, value.line))
            result = [name(group.name, wanted)]
        elif value.op in (OPS.atomic_xchg, OPS.atomic_cas):
            unused = self.names.unique("unused")
            lines.append(Define(unused, wanted, None, value.line))
            result = [name(unused, wanted)]
        if form is ResourceForm.RAW:
            args = (self._object(found), self._address(made, value.args[0]), *operands_, *result)
            call = SourceExpression(NodeForm.METHOD, UINT, args, f"Interlocked{word}")
        else:
            place, _ = self._element(made, memory, value, [value])
            if place.type.kind is ScalarKind.FLOAT:
                raise refused(f"{value.op.name} of a float", value.line)
            typed = [made.cast(each, place.type.kind) for each in operands_]
            args = (place, *typed, *result)
            call = SourceExpression(NodeForm.CALL, UINT, args, f"Interlocked{word}")
        return [*lines, Evaluate(call, value.line)]

    def _counter(self, made: Expressions, group: Group) -> list[Line]:
        """Return the line of a step of a hidden counter."""
        value = group.first
        memory: Memory = value.attr
        owner = self._owner(memory)
        if owner is None:
            raise refused("a counter without its buffer", value.line)
        owner.used = True
        step = value.args[2].attr
        word = "IncrementCounter" if step == 1 else "DecrementCounter"
        call = SourceExpression(NodeForm.METHOD, UINT, (self._object(owner),), word)
        if not group.name:
            return [Evaluate(call, value.line)]
        if step != 1:  # returns the counter after the step, the atomic operation the one before
            call = SourceExpression(OPS.iadd, UINT, (call, literal((1,), UINT)))
        return [Define(group.name, made.type_of(group), call, value.line)]

    # ------------------------------------------------------------ textures

    def _sample(self, made: Expressions, value: Value) -> SourceExpression:
        sample: Sample = value.attr
        texture = sample.texture
        found = self.known[texture]
        found.used = True
        base = self._object(found)
        kind = self._texel_kind(texture)
        if sample.compare or sample.action is Action.LOD:
            kind = ScalarKind.FLOAT
        shape = texture.shape
        args = list(value.args)
        count = shape.coordinates + texture.layered
        calls: list[SourceExpression] = [base]
        if sample.sampler is not None:
            sampler = self.known[sample.sampler]
            sampler.used = True
            calls.append(self._object(sampler))
        type = TermType(kind, 32, 4)
        match sample.action:
            case Action.SIZE | Action.SAMPLES:
                return self._size(made, value)
            case Action.FETCH:
                whole = args[:count]
                if not texture.samples > 1 and not self._is_many(found):
                    whole = [*whole, args[count]]
                    rest = args[count + 1 :]
                    more: list[SourceExpression] = []
                else:
                    more = [made.scalar(args[count], ScalarKind.INT)]
                    rest = args[count + 1 :]
                calls += [made.vector(whole, ScalarKind.INT), *more]
                calls += self._offset(made, sample, rest)
                return SourceExpression(NodeForm.METHOD, type, tuple(calls), "Load")
            case Action.LOD:
                calls.append(made.vector(args, ScalarKind.FLOAT))
                return self._lod(calls)
        coordinates, rest = args[:count], args[count:]
        calls.append(made.vector(coordinates, ScalarKind.FLOAT))
        word = "Sample" if sample.action is Action.SAMPLE else "Gather"
        if sample.compare:
            word += "Cmp"
            calls.append(made.scalar(rest.pop(0), ScalarKind.FLOAT))
            type = type.wide(1) if sample.action is Action.SAMPLE else type
        match sample.level:
            case Level.ZERO if sample.action is Action.SAMPLE:
                word += "LevelZero" if sample.compare else "Level"
                if not sample.compare:
                    calls.append(literal((0,), TermType(ScalarKind.FLOAT)))
            case Level.BIAS | Level.EXPLICIT:
                word += "Bias" if sample.level is Level.BIAS else "Level"
                calls.append(made.scalar(rest.pop(0), ScalarKind.FLOAT))
            case Level.GRADIENT:
                word += "Grad"
                for _ in range(2):
                    calls.append(made.vector(rest[: shape.coordinates], ScalarKind.FLOAT))
                    rest = rest[shape.coordinates :]
        if sample.action is Action.GATHER and sample.component and not sample.compare:
            word = f"Gather{('Red', 'Green', 'Blue', 'Alpha')[sample.component]}"
        clamp = made.scalar(rest.pop(), ScalarKind.FLOAT) if sample.clamped else None
        offset = self._offset(made, sample, rest)
        if clamp is not None and not offset and shape is not Shape.CUBE:
            width = shape.coordinates
            zero = literal((0,), TermType(ScalarKind.INT))
            offset = [
                SourceExpression(NodeForm.CONSTRUCT, zero.type.wide(width), (zero,) * width)
                if width > 1
                else zero
            ]
        calls += offset
        if clamp is not None:
            calls.append(clamp)
        return SourceExpression(NodeForm.METHOD, type, tuple(calls), word)

    def _count(self, value: Value) -> SourceExpression:
        """Return the number of elements of a buffer: a function that the source defines."""
        memory: Memory = value.attr
        found = self.known[memory]
        resource = found.resource
        if resource is None or not isinstance(memory.slot, ResourceSlot):
            raise refused(f"the size of {memory.name}", value.line)
        word = self.sized.get(("count", memory))
        if word is None:
            word = self.sized["count", memory] = self.names.unique(f"{found.name}_count")
            base = found.name if found.index is None else f"{found.name}[{found.index}]"
            stride = ", stride" if resource.form is ResourceForm.STRUCTURED else ""
            words = " >> 2" if resource.form is ResourceForm.RAW else ""
            self.structures.append(
                f"uint {word}() {{\n    uint count{stride};\n"
                f"    {base}.GetDimensions(count{stride});\n    return count{words};\n}}"
            )
        return SourceExpression(NodeForm.CALL, UINT, (), word)

    def _is_many(self, found: DeclaredResource) -> bool:
        return found.resource is not None and found.resource.multisampled

    def _offset(
        self, made: Expressions, sample: Sample, rest: Sequence[Value]
    ) -> list[SourceExpression]:
        width = sample.texture.shape.coordinates
        if sample.moving:
            return [made.vector(rest[:width], ScalarKind.INT)]
        if not any(sample.offset):
            return []
        bits = tuple(each & 0xFFFF_FFFF for each in sample.offset[:width])
        return [SourceExpression(NodeForm.LITERAL, TermType(ScalarKind.INT, 32, width), (), bits)]

    def _lod(self, calls: Sequence[SourceExpression]) -> SourceExpression:
        one = TermType(ScalarKind.FLOAT)
        clamped = SourceExpression(NodeForm.METHOD, one, tuple(calls), "CalculateLevelOfDetail")
        free = SourceExpression(
            NodeForm.METHOD, one, tuple(calls), "CalculateLevelOfDetailUnclamped"
        )
        zero = literal((0,), one)
        return SourceExpression(NodeForm.CONSTRUCT, one.wide(4), (clamped, free, zero, zero))

    def _size(self, made: Expressions, value: Value) -> SourceExpression:
        """Return the sizes of a texture: a function that the source defines returns them."""
        sample: Sample = value.attr
        found = self.known[sample.texture]
        texture = sample.texture
        many = self._is_many(found)
        count = (2 if texture.shape is Shape.CUBE else texture.shape.coordinates) + texture.layered
        level = [] if many or not value.args else [made.scalar(value.args[0], ScalarKind.UINT)]
        word = self.sized.get((texture, many and not value.args))
        if word is None:
            word = self.names.unique(f"{found.name}_size")
            self.sized[texture, many and not value.args] = word
            letters = [f"size.{'xyz'[at]}" for at in range(count)]
            base = found.name if found.index is None else f"{found.name}[{found.index}]"
            outs = ", ".join([*letters, "size.w"])
            if many:
                head = f"uint4 {word}()"
                call = f"{base}.GetDimensions({outs});"
            else:
                head = f"uint4 {word}(uint level)"
                call = f"{base}.GetDimensions(level, {outs});"
            self.structures.append(
                f"{head} {{\n    uint4 size = 0;\n    {call}\n    return size;\n}}"
            )
        whole = SourceExpression(NodeForm.CALL, UINT.wide(4), tuple(level), word)
        if sample.action is Action.SAMPLES:
            return swizzle(whole, (3, 3, 3, 3))
        return whole

    # ------------------------------------------------------------ declarations

    def declarations(self, kinds: Kinds, number: Number) -> Iterator[str]:
        """Yield the declarations of all resources that the program uses."""
        seen: set[str] = set()
        for each, found in self.known.items():
            if found.name in seen:
                continue
            text = ""
            if isinstance(each, Memory):
                text = self._memory(each, found, kinds, number)
            elif isinstance(each, TextureDeclaration) and found.used:
                text = self._texture(each, found)
            elif isinstance(each, SamplerDeclaration) and found.used:
                kind = "SamplerComparisonState" if self._compares(each) else "SamplerState"
                text = (
                    f"{kind} {found.name}{self._array(found)} : {self._register(each.slot, found)};"
                )
            if text:
                seen.add(found.name)
                yield text

    def _compares(self, sampler: SamplerDeclaration) -> bool:
        return any(
            value.op is OPS.sample and value.attr.sampler is sampler and value.attr.compare
            for value in self.kernel.values()
        )

    @staticmethod
    def _array(found: DeclaredResource) -> str:
        if found.index is None or found.reflected is None:
            return ""
        return f"[{found.reflected.count or ''}]"

    @staticmethod
    def _register(slot: object, found: DeclaredResource) -> str:
        assert isinstance(slot, ResourceSlot)
        if slot.kind not in REGISTER:
            raise UnsupportedError(f"{found.name}: {slot.kind} has no register in HLSL yet")
        number = slot.number - (found.index or 0)
        space = f", space{slot.space}" if slot.space else ""
        return f"register({REGISTER[slot.kind]}{number}{space})"

    def _texture(self, texture: TextureDeclaration, found: DeclaredResource) -> str:
        many = self._is_many(found)
        word = f"Texture{SHAPES[texture.shape]}{'MS' * many}{'Array' * texture.layered}"
        kind = self._texel_kind(texture)
        inner = f"{kind}4"  # as a program reads it, whatever the source declares
        place = self._register(texture.slot, found)
        return f"{word}<{inner}> {found.name}{self._array(found)} : {place};"

    def _memory(self, memory: Memory, found: DeclaredResource, kinds: Kinds, number: Number) -> str:
        kind = kinds.of_place(kinds.cell(memory))
        if memory.space is Space.LOCAL or not found.used:
            return ""
        if memory.internal and memory.space is not Space.TABLE:
            return ""
        if memory.space is Space.TABLE:
            width = memory.stride // 4
            rows = []
            type = TermType(kind)
            for at in range(memory.count or 0):
                bits = [
                    int.from_bytes(memory.data[at * memory.stride + 4 * each :][:4], "little")
                    for each in range(width)
                ]
                rows.append("{ " + ", ".join(number(each, type) for each in bits) + " }")
            inner = ",\n    ".join(rows)
            return f"static const {kind}{width} {found.name}[{memory.count}] = {{\n    {inner}\n}};"
        if memory.space is Space.SHARED:
            words = f"[{memory.stride // 4}]" * (memory.stride > 4)
            return f"groupshared {kind} {found.name}[{memory.count}]{words};"
        resource = found.resource
        if resource is None or not isinstance(memory.slot, ResourceSlot):
            return ""
        place = self._register(memory.slot, found)
        array = self._array(found)
        match resource.form:
            case ResourceForm.CONSTANTS:
                return self._constants(memory, found, kinds, place)
            case ResourceForm.RAW:
                word = "RWByteAddressBuffer" if memory.writable else "ByteAddressBuffer"
                return f"{word} {found.name}{array} : {place};"
            case ResourceForm.TYPED | ResourceForm.TEXTURE:
                rw = "RW" * memory.writable
                kind = RETURNS.get((resource.returns or ("float",))[0], ScalarKind.FLOAT)
                width = self._components(found)
                inner = f"{kind}{width if width > 1 else ''}"
                norm = (resource.returns or ("",))[0]
                if norm in ("unorm", "snorm"):
                    inner = f"{norm} {inner}"
                shape = resource.shape or Shape.BUFFER
                word = (
                    "Buffer" if shape is Shape.BUFFER
                    else f"Texture{SHAPES[shape]}{'Array' * resource.layered}"
                )  # fmt: skip
                return f"{rw}{word}<{inner}> {found.name}{array} : {place};"
            case ResourceForm.STRUCTURED:
                return self._structured(memory, found, kind, place, array)
        return ""

    def _structured(
        self, memory: Memory, found: DeclaredResource, kind: ScalarKind, place: str, array: str
    ) -> str:
        word = "RWStructuredBuffer" if memory.writable else "StructuredBuffer"
        if found.layout is not None and found.layout.variables:
            element = found.layout.variables[0]
            if len(found.layout.variables) == 1 and element.name == "$Element":
                inner = self._type(element.type)
            else:
                return ""
        elif memory.stride == 4:
            inner = str(kind)
        else:
            inner = self.names.unique(f"{found.name}_element")
            self.structures.append(
                f"struct {inner} {{\n    {kind} words[{-(-memory.stride // 4)}];\n}};"
            )
        return f"{word}<{inner}> {found.name}{array} : {place};"

    def _type(self, type: TypeDescription) -> str:
        """Return the name of a type; a structure is defined once."""
        if not type.members:
            words = type.spelling()
            for short, full in MINIMUM.items():  # registers of 32 bits, in this library too
                words = words.replace(short, full)
            return words
        key = ("struct", type.name, tuple((m.name, m.offset) for m in type.members))
        known = self.sized.get(key)
        if known is None:
            lines = [f"    {self._member(each.type, each.name)};" for each in type.members]
            known = self.sized[key] = self.names.unique(type.name or "Structure")
            body = "\n".join(lines)
            self.structures.append(f"struct {known} {{\n{body}\n}};")
        return known

    def _member(self, type: TypeDescription, wanted: str) -> str:
        sizes = "".join(f"[{each or ''}]" for each in type.elements)
        return f"{self._type(type)} {wanted}{sizes}"

    def _constants(self, memory: Memory, found: DeclaredResource, kinds: Kinds, place: str) -> str:
        if found.index is not None:
            kind = kinds.of_place(kinds.cell(memory))
            inner = self.names.unique(f"{found.name}_registers")
            self.structures.append(f"struct {inner} {{\n    {kind}4 rows[{found.rows}];\n}};")
            return f"ConstantBuffer<{inner}> {found.name}{self._array(found)} : {place};"
        if found.rows:
            kind = kinds.of_place(kinds.cell(memory))
            inner = f"    {kind}4 {found.members['rows']}[{found.rows}];"
            return f"cbuffer {found.name} : {place} {{\n{inner}\n}};"
        if found.layout is None:
            return ""
        lines = []
        for each in found.layout.variables:
            text = self._member(each.type, self.member_name(memory, each.name))
            register, part = divmod(each.offset, ROW)
            letter = f".{'xyzw'[part // 4]}" * bool(part)
            lines.append(f"    {text} : packoffset(c{register}{letter});")
        body = "\n".join(lines)
        return f"cbuffer {found.name} : {place} {{\n{body}\n}};"

    def locals(self, kinds: Kinds) -> Iterator[tuple[str, str, int]]:
        """Yield the type, name and size of the lane's arrays."""
        for memory in self.kernel.memories:
            if memory.space is Space.LOCAL and self.known[memory].used:
                kind = kinds.of_place(kinds.cell(memory))
                width = max(1, memory.stride // 4)
                word = f"{kind}{width if width > 1 else ''}"
                yield word, self.known[memory].name, memory.count or 0
