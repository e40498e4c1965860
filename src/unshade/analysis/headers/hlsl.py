"""Declarations in HLSL: buffers with packoffset, structures with padding, resources by register.

    struct Light { float4 position; float4 colour; };
    cbuffer U : register(b0)
    {
        Light light[4] : packoffset(c0);
        int n : packoffset(c8.x);
    };

In a constant buffer HLSL places a member at the next multiple of its component, or in the next
register of 16 bytes if it would cross into it; arrays, matrices and structures begin a register. In
an element of a structured buffer there are no registers. A comment marks each member that HLSL
would place at another offset than the file does.
"""

from collections.abc import Iterator, Sequence

from ...model.resources import ConstantBuffer, Resource, TypeDescription
from ...vocab.words import BufferKind, TypeClass
from .layout import scalar_of
from .names import NameScope

__all__ = ["hlsl_header", "natural_offset"]

REGISTER = 16
LETTERS = "xyzw"
MATRICES = (TypeClass.MATRIX_ROWS, TypeClass.MATRIX_COLUMNS)
SIZED = {  # scalars by the kind and size of what a file contains; others keep their name
    ("float", 2): "float16_t", ("float", 8): "double", ("int", 1): "int8_t", ("int", 2): "int16_t",
    ("int", 8): "int64_t", ("uint", 1): "uint8_t", ("uint", 2): "uint16_t", ("uint", 8): "uint64_t",
}  # fmt: skip
BOUND = (BufferKind.CONSTANT_BUFFER, BufferKind.TEXTURE_BUFFER)


class _Structures:
    """The structures of types, declared before their uses."""

    def __init__(self, scope: NameScope) -> None:
        self.scope = scope
        self.names: dict[int, str] = {}
        self.lines: list[str] = []
        self.seen: dict[tuple[object, ...], str] = {}

    def name(self, type: TypeDescription, registers: bool) -> str:
        """Return the name of a structure; declare it if it is new."""
        body = [*self._body(type, registers)]
        key = (type.name, tuple(body))
        if key not in self.seen:
            self.seen[key] = self.scope.add(type.name, "Structure")
            self.lines += ["", f"struct {self.seen[key]}", "{", *body, "};"]
        return self.seen[key]

    def _body(self, type: TypeDescription, registers: bool) -> Iterator[str]:
        scope = NameScope("hlsl")
        at = 0
        for each in type.members:
            while natural_offset(each.type, at, registers) < each.offset and at < each.offset:
                step = 4 - at % 4
                yield f"    {'uint' if step == 4 else 'uint16_t'} {scope.add(f'pad_{at}')};"
                at += step if step == 4 else 2
            found = natural_offset(each.type, at, registers)
            other = "" if found == each.offset else f" // at {each.offset}; HLSL places it here"
            yield f"    {self.declaration(each.name, each.type, scope, registers)};{other}"
            at = each.offset + _tight(each.type)

    def declaration(
        self, name: str, type: TypeDescription, scope: NameScope, registers: bool
    ) -> str:
        """Return the declaration of a member."""
        dims = "".join(f"[{size or 1}]" for size in type.elements)
        if type.type_class == TypeClass.STRUCT:
            made = self.name(type, registers)
        elif type.type_class in MATRICES:
            order = "row_major" if type.type_class == TypeClass.MATRIX_ROWS else "column_major"
            made = f"{order} {_scalar(type)}{type.rows}x{type.columns}"
        else:
            made = _scalar(type) + (str(type.columns) if type.columns > 1 else "")
        return f"{made} {scope.add(name, 'member')}{dims}"


def hlsl_header(
    buffers: Sequence[ConstantBuffer], resources: Sequence[Resource], about: str
) -> Iterator[str]:
    """Yield the lines of declarations in HLSL."""
    scope = NameScope("hlsl")
    structures = _Structures(scope)
    lines: list[str] = []
    for each in buffers:
        if each.kind in BOUND:
            lines += _constant_buffer(each, resources, structures, scope)
        else:
            members = [(v.name, v.offset, v.type) for v in each.variables]
            lines += _plain(each, members, structures)
    yield f"// {''.join(c if c.isprintable() else ' ' for c in about)}"
    yield from structures.lines
    yield from lines


def _constant_buffer(
    buffer: ConstantBuffer, resources: Sequence[Resource], structures: _Structures, scope: NameScope
) -> Iterator[str]:
    place = ""
    if buffer.resource is not None and buffer.resource < len(resources):
        bound = resources[buffer.resource]
        space = f", space{bound.space}" if bound.space else ""
        letter = bound.register_class or "b"
        if len(letter) == 1:
            place = f" : register({letter}{bound.register}{space})"
    word = "tbuffer" if buffer.kind == BufferKind.TEXTURE_BUFFER else "cbuffer"
    yield ""
    yield f"{word} {scope.add(buffer.name, 'Buffer')}{place} // {buffer.size} bytes"
    yield "{"
    for each in buffer.variables:
        if each.type.type_class in (TypeClass.OBJECT, TypeClass.INTERFACE_POINTER):
            continue
        made = structures.declaration(each.name, each.type, scope, True)
        yield f"    {made} : packoffset({_register(each.offset)});"
    yield "};"


def _plain(
    buffer: ConstantBuffer,
    members: Sequence[tuple[str, int, TypeDescription]],
    structures: _Structures,
) -> Iterator[str]:
    from ...model.resources import Member

    if len(members) == 1 and members[0][2].type_class == TypeClass.STRUCT:
        structures.name(members[0][2], False)
        return
    described = TypeDescription(
        name=buffer.name, type_class=TypeClass.STRUCT, scalar="void", size=buffer.size,
        members=[Member(name=name, offset=at, type=type) for name, at, type in members],
    )  # fmt: skip
    structures.name(described, False)
    yield from ()


def _register(offset: int) -> str:
    number, inside = divmod(offset, REGISTER)
    return f"c{number}" + (f".{LETTERS[inside // 4]}" if inside else "")


def natural_offset(type: TypeDescription, at: int, registers: bool) -> int:
    """Return where HLSL places a member that is declared at a free offset."""
    size = _component(type)
    if registers:
        whole = type.elements or type.members or type.type_class in MATRICES
        tight = size * type.columns
        if whole or at % REGISTER + tight > REGISTER:
            return -(-at // REGISTER) * REGISTER
    return -(-at // size) * size


def _component(type: TypeDescription) -> int:
    """Return the size of a component; for a structure, the size of its largest component."""
    if type.members:
        return max(_component(each.type) for each in type.members)
    if type.type_class in MATRICES:
        by_rows = type.type_class == TypeClass.MATRIX_ROWS
        vectors, count = (type.rows, type.columns) if by_rows else (type.columns, type.rows)
        return max((type.size - (vectors - 1) * (type.matrix_stride or 0)) // count, 1)
    return max(type.size // max(type.columns, 1), 1)


def _tight(type: TypeDescription) -> int:
    """Return the size of a member without the padding after its last element."""
    if not type.elements or not type.strides:
        return type.size
    total = (type.elements[0] or 1) * type.strides[0]
    return total - (type.strides[-1] - type.size)


def _scalar(type: TypeDescription) -> str:
    found = scalar_of(type)
    return type.scalar if found is None else SIZED.get(found, type.scalar)
