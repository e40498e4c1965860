"""Buffer Definitions: RDEF's constant buffers, interfaces and structured buffers.

    // cbuffer $Globals
    // {
    //
    //   float4x4 world;                    // Offset:    0 Size:    64
    //   float4 tint;                       // Offset:   64 Size:    16 [unused]
    //      = 0x3f800000 0x3f800000 0x3f800000 0x3f800000 <
    //   <
    //   struct Light
    //   {
    //       <
    //       float3 dir;                    // Offset:   80
    //
    //   } lights[2];                       // Offset:   80 Size:    44
    //
    // }

`<` marks lines that end with a blank. A line of blanks precedes a structure, unless it is the first
in its buffer or structure. Comments begin in column 40, or directly after a longer name. Types are
spelled from class and component type. The type name, which files have since 5.0, is printed only
for structures: it is `half4` and `dword` where the listing has float4 and uint.
Source: listings of fxc.
"""

import struct

from .....errors import LimitError
from .....isa.linked import LinkedLine
from .....limits import Limits
from .....tuples import NamedTuple
from .....vocab.d3d import BufferType, VariableClass
from ...parts.rdef import RdefBuffer, RdefType, RdefVariable, ResourceDefinition
from .names import BUFFERS, SCALARS

TITLE = "Buffer Definitions:"
COMMENT = 40  # column of `// Offset`
OFFSET, SIZE, UNUSED = "// Offset:", "Size:", "[unused]"
DEFAULT_VALUE = "="
STRUCT, INTERFACE, ROW_MAJOR = "struct", "interface", "row_major"
USED = 2  # bit of a variable's flags
STRUCTURES = (VariableClass.STRUCT, VariableClass.INTERFACE_CLASS)


class _Places(NamedTuple):
    """Paths in the part of a structure; a type has the path of the first variable of that type."""

    types: dict[int, str]  # by identity
    variable: str
    path: str


def lines(rdef: ResourceDefinition, limits: Limits) -> list[str]:
    """Return the lines of the section; none if there is no buffer."""
    if not rdef.buffers:
        return []
    found = [f"// {TITLE} ", "//"]
    types: dict[int, str] = {}
    for at, buffer in enumerate(rdef.buffers):
        _buffer(buffer, f"buffers[{at}]", types, found, limits)
    found.append("//")
    return found


def _buffer(
    buffer: RdefBuffer, path: str, types: dict[int, str], found: list[str], limits: Limits
) -> None:
    kind = BUFFERS.get(buffer.kind) or f"buffer {int(buffer.kind)}"
    found += [LinkedLine(f"// {kind} {buffer.name}", path), "// {", "//"]
    first = True
    for number, variable in enumerate(buffer.variables):
        own = f"{path}.variables[{number}]"
        unused = "" if variable.flags & USED else f" {UNUSED}"
        size = f" {SIZE} {variable.size:5}{unused}"
        type_ = variable.type
        if type_.variable_class in STRUCTURES:
            if not first:
                found.append("//   ")
            places = _Places(types, own, f"{own}.type")
            _structure(type_, variable.name, variable.offset, size, "//   ", found, limits, places)
        else:
            start = f"//   {declared(type_, variable.name)};"
            line = f"{start:<{COMMENT}}{OFFSET} {variable.offset:4}{size}"
            found.append(LinkedLine(line, own))
        # An interface pointer has a size (in slots) without a value.
        if variable.default_value and buffer.kind != BufferType.INTERFACE_POINTERS:
            _default(variable, f"{own}.default_value", found)
        first = False
    found += ["//", "// }", "//"]


def _structure(
    type_: RdefType,
    name: str,
    offset: int,
    size: str,
    indent: str,
    found: list[str],
    limits: Limits,
    places: _Places,
) -> None:
    if len(found) > limits.members:  # types are shared: few bytes can describe many members
        raise LimitError("members", limits.members, "more")
    inner = f"{indent}    "
    word = f"{STRUCT} {type_.name}" if type_.name else STRUCT
    own = places.variable
    path = places.types.setdefault(id(type_), places.path)
    found += [LinkedLine(f"{indent}{word}", own), f"{indent}{{", inner]
    first = True
    for number, member in enumerate(type_.members or ()):
        below = f"{path}.members[{number}]"
        at = offset + member.offset
        kind = member.type
        if kind.variable_class in STRUCTURES:
            if not first:
                found.append(inner)
            deeper = places._replace(path=f"{below}.type")
            _structure(kind, member.name, at, "", inner, found, limits, deeper)
        else:
            line = f"{f'{inner}{declared(kind, member.name)};':<{COMMENT}}{OFFSET} {at:4}"
            found.append(LinkedLine(line, below, own))
        first = False
    end = f"{indent}}} {_sized(name, type_)};"
    found += ["//", LinkedLine(f"{end:<{COMMENT}}{OFFSET} {offset:4}{size}", own)]


def declared(type_: RdefType, name: str) -> str:
    """Return the declaration without its semicolon: `row_major float4x3 m[2]`."""
    return f"{spelled(type_)} {_sized(name, type_)}"


def _sized(name: str, type_: RdefType) -> str:
    """Return the name with its array size, which is omitted if 1 (SM 5.1 buffer arrays)."""
    return f"{name}[{type_.elements}]" if type_.elements > 1 else name


def spelled(type_: RdefType) -> str:
    """Return the HLSL name of a type, without array size."""
    kind = type_.variable_class
    if kind == VariableClass.INTERFACE_POINTER:
        return f"{INTERFACE} {type_.name or ''}"
    scalar = SCALARS.get(type_.variable_type)
    if scalar is None:
        return type_.name or f"type{int(type_.variable_type)}"
    if kind == VariableClass.VECTOR:
        return f"{scalar}{type_.columns}"
    if kind == VariableClass.MATRIX_COLUMNS:
        return f"{scalar}{type_.rows}x{type_.columns}"
    if kind == VariableClass.MATRIX_ROWS:
        return f"{ROW_MAJOR} {scalar}{type_.rows}x{type_.columns}"
    return scalar


def _default(variable: RdefVariable, path: str, found: list[str]) -> None:
    """Append the initial value as words, four per line."""
    data = variable.default_value or b""
    words = struct.unpack_from(f"<{len(data) // 4}I", data)
    start = f"//      {DEFAULT_VALUE} "
    for i in range(0, len(words), 4):
        row = start + "".join([f"0x{word:08x} " for word in words[i : i + 4]])
        found.append(LinkedLine(row, path))
        start = "//        "
