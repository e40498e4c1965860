"""Printing the table Buffer Definitions."""

from __future__ import annotations

import struct

import pytest

from tests.formats.dxcontainer.fxc.listing.records import resources
from unshade.errors import LimitError
from unshade.formats.dxcontainer.fxc.listing import buffers
from unshade.formats.dxcontainer.parts.rdef import RdefBuffer, RdefMember, RdefType, RdefVariable
from unshade.limits import DEFAULT, Limits
from unshade.vocab.d3d import BufferType, VariableClass, VariableType


def kind(
    of: VariableClass = VariableClass.SCALAR,
    scalar: VariableType = VariableType.FLOAT,
    rows: int = 1,
    columns: int = 1,
    elements: int = 0,
    name: str | None = None,
    members: list[RdefMember] | None = None,
) -> RdefType:
    return RdefType(
        variable_class=of,
        variable_type=scalar,
        rows=rows,
        columns=columns,
        elements=elements,
        name=name,
        member_count=None,
        members=members or [],
        sub_type=None,
    )


def structure(name: str | None, *members: tuple[str, int, RdefType], elements: int = 0) -> RdefType:
    rows = [RdefMember(name=word, offset=at, type=type_) for word, at, type_ in members]
    of = VariableClass.STRUCT
    return kind(of, VariableType.VOID, elements=elements, name=name, members=rows)


def variable(
    name: str, offset: int, size: int, type_: RdefType, flags: int = 2, default: bytes | None = None
) -> RdefVariable:
    return RdefVariable(
        name=name, offset=offset, size=size, flags=flags, type=type_, default_value=default
    )


def listed(
    *variables: RdefVariable, of: BufferType = BufferType.CBUFFER, limits: Limits = DEFAULT
) -> list[str]:
    """Return the lines of one buffer, between its braces."""
    buffer = RdefBuffer(
        name="B", variable_count=None, variables=list(variables), size=0, flags=0, kind=of
    )
    found = buffers.lines(resources([buffer]), limits)
    assert found[:2] == ["// Buffer Definitions: ", "//"]
    assert found[3:5] == ["// {", "//"]
    assert found[-4:] == ["//", "// }", "//", "//"]
    return [found[2], *found[5:-4]]


VECTOR, COLUMNS, ROWS = (
    VariableClass.VECTOR,
    VariableClass.MATRIX_COLUMNS,
    VariableClass.MATRIX_ROWS,
)


@pytest.mark.parametrize(
    ("type_", "text"),
    [
        (kind(), "float x"),
        (kind(scalar=VariableType.BOOL), "bool x"),
        (kind(scalar=VariableType.DOUBLE), "double x"),
        (kind(scalar=VariableType.UINT, name="dword"), "uint x"),
        (kind(VECTOR, columns=4, name="half4"), "float4 x"),
        (kind(VECTOR, VariableType.INT, columns=2, elements=3), "int2 x[3]"),
        (kind(VECTOR, VariableType.MIN16FLOAT, columns=3), "min16float3 x"),
        (kind(COLUMNS, rows=4, columns=3), "float4x3 x"),
        (kind(ROWS, rows=3, columns=4, elements=2), "row_major float3x4 x[2]"),
        (kind(elements=1), "float x"),
        (kind(VariableClass.OBJECT, VariableType.TEXTURE2D, name="Texture2D"), "Texture2D x"),
    ],
)
def test_declarations(type_: RdefType, text: str) -> None:
    assert buffers.declared(type_, "x") == text


def test_variables() -> None:
    long = "a_name_that_reaches_the_column_of_comments"
    assert listed(
        variable("a", 0, 4, kind()),
        variable("b", 4, 12, kind(VECTOR, columns=3), flags=0),
        variable(long, 16, 4, kind()),
    ) == [
        "// cbuffer B",
        "//   float a;                           // Offset:    0 Size:     4",
        "//   float3 b;                          // Offset:    4 Size:    12 [unused]",
        f"//   float {long};// Offset:   16 Size:     4",
    ]


def test_structures() -> None:
    inner = structure("S::<unnamed>", ("u", 0, kind()), ("v", 4, kind()), elements=2)
    outer = structure("S", ("first", 0, inner), ("w", 32, kind()), ("last", 48, inner))
    assert listed(variable("s", 16, 84, outer), variable("t", 112, 84, structure(None))) == [
        "// cbuffer B",
        "//   struct S",
        "//   {",
        "//       ",
        "//       struct S::<unnamed>",
        "//       {",
        "//           ",
        "//           float u;                   // Offset:   16",
        "//           float v;                   // Offset:   20",
        "//",
        "//       } first[2];                    // Offset:   16",
        "//       float w;                       // Offset:   48",
        "//       ",
        "//       struct S::<unnamed>",
        "//       {",
        "//           ",
        "//           float u;                   // Offset:   64",
        "//           float v;                   // Offset:   68",
        "//",
        "//       } last[2];                     // Offset:   64",
        "//",
        "//   } s;                               // Offset:   16 Size:    84",
        "//   ",
        "//   struct",
        "//   {",
        "//       ",
        "//",
        "//   } t;                               // Offset:  112 Size:    84",
    ]


def test_default_values() -> None:
    value = struct.pack("<5I", 0x3F800000, 0, 1, 2, 0xFFFFFFFF)
    type_ = kind(elements=2)
    assert listed(variable("a", 0, 20, type_, default=value))[2:] == [
        "//      = 0x3f800000 0x00000000 0x00000001 0x00000002 ",
        "//        0xffffffff ",
    ]


@pytest.mark.parametrize(
    ("of", "text"),
    [
        (BufferType.TBUFFER, "// tbuffer B"),
        (BufferType.RESOURCE_BIND_INFO, "// Resource bind info for B"),
    ],
)
def test_kinds_of_buffers(of: BufferType, text: str) -> None:
    assert listed(variable("$Element", 0, 4, kind()), of=of)[0] == text


def test_interfaces() -> None:
    pointer = kind(
        VariableClass.INTERFACE_POINTER, VariableType.INTERFACE_POINTER, elements=3, name="iAlpha"
    )
    assert listed(variable("g", 3, 3, pointer, flags=6), of=BufferType.INTERFACE_POINTERS) == [
        "// interfaces B",
        "//   interface iAlpha g[3];             // Offset:    3 Size:     3",
    ]


def test_nested_shared_types_are_bounded() -> None:
    type_ = structure("S0", ("x", 0, kind()))
    for level in range(1, 40):  # 40 types, 2 ** 39 lines
        type_ = structure(f"S{level}", ("a", 0, type_), ("b", 0, type_))
    with pytest.raises(LimitError, match="members = 1000"):
        listed(variable("s", 0, 4, type_), limits=Limits(members=1000))


def test_lines_at_their_limit() -> None:
    """Five lines come before the first structure, of the heading and the buffer."""
    type_ = structure("S", ("x", 0, kind()))
    one, two = variable("s", 0, 4, type_), variable("t", 16, 4, type_)
    assert listed(one, limits=Limits(members=5))
    with pytest.raises(LimitError, match="members = 4"):
        listed(one, limits=Limits(members=4))
    most = 5 + len(listed(one)) - len(listed()) + 1
    assert listed(one, two, limits=Limits(members=most))
    with pytest.raises(LimitError, match=f"members = {most - 1}"):
        listed(one, two, limits=Limits(members=most - 1))
