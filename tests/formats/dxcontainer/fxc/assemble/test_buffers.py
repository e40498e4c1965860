"""Parsing the table Buffer Definitions."""

from __future__ import annotations

import struct

import pytest

from tests.fixtures.one_of_each import definition
from tests.formats.dxcontainer.fxc.assemble.reading import commented, mistakes_in, read
from tests.formats.dxcontainer.fxc.listing.records import resources
from unshade.formats.dxcontainer.fxc.listing import buffers
from unshade.formats.dxcontainer.parts.rdef import RdefBuffer, RdefMember, RdefType, RdefVariable
from unshade.limits import DEFAULT
from unshade.vocab.d3d import BufferType, VariableClass, VariableType

FLOAT, UINT = VariableType.FLOAT, VariableType.UINT
NOT_USED = 0xFFFFFFFF


def kind(
    name: str | None,
    of: int = VariableClass.SCALAR,
    scalar: int = FLOAT,
    rows: int = 1,
    columns: int = 1,
    elements: int = 0,
) -> RdefType:
    return RdefType(
        variable_class=of,
        variable_type=scalar,
        rows=rows,
        columns=columns,
        elements=elements,
        name=name,
    )


def structure(
    name: str | None, columns: int, *members: tuple[str, int, RdefType], elements: int = 0
) -> RdefType:
    return RdefType(
        variable_class=VariableClass.STRUCT,
        rows=1,
        columns=columns,
        elements=elements,
        name=name,
        members=[RdefMember(name=word, offset=at, type=type_) for word, at, type_ in members],
    )


def variable(
    name: str, offset: int, size: int, type_: RdefType, flags: int = 2, default: bytes | None = None
) -> RdefVariable:
    return RdefVariable(
        name=name,
        offset=offset,
        size=size,
        flags=flags,
        type=type_,
        default_value=default,
        start_texture=NOT_USED,
        start_sampler=NOT_USED,
    )


VECTOR, COLUMNS, ROWS = (
    VariableClass.VECTOR,
    VariableClass.MATRIX_COLUMNS,
    VariableClass.MATRIX_ROWS,
)
TYPES = [
    ("float x;", kind("float")),
    ("bool x;", kind("bool", scalar=VariableType.BOOL)),
    ("uint x;", kind("dword", scalar=UINT)),
    ("uint2 x[3];", kind("uint2", VECTOR, UINT, columns=2, elements=3)),
    ("float1 x;", kind("float1", VECTOR, columns=1)),
    ("double4 x;", kind("double4", VECTOR, VariableType.DOUBLE, columns=4)),
    ("min16float3 x;", kind("min16float3", VECTOR, VariableType.MIN16FLOAT, columns=3)),
    ("uint8 x;", kind("uint8", scalar=VariableType.UINT8)),
    ("float4x3 x;", kind("float4x3", COLUMNS, rows=4, columns=3)),
    ("row_major int2x3 x[7];", kind("int2x3", ROWS, VariableType.INT, 2, 3, 7)),
    ("Texture2D x;", kind("Texture2D", VariableClass.OBJECT, VariableType.TEXTURE2D, 0, 0)),
]


def listed(body: str, of: str = "cbuffer B") -> str:
    return commented(f"Buffer Definitions:\n\n{of}\n{{\n\n{body}\n\n}}\n\n")


def one(text: str, model: tuple[int, int] = (5, 0)) -> RdefBuffer:
    (buffer,) = read(text, model=model).buffers or []
    return buffer


@pytest.mark.parametrize(("declared", "type_"), TYPES)
def test_types(declared: str, type_: RdefType) -> None:
    found = one(listed(f"{declared} // Offset: 0 Size: 4"))
    assert found.variables == [variable("x", 0, 4, type_)]
    old = one(listed(f"{declared} // Offset: 0 Size: 4"), model=(4, 0)).variables[0]
    assert old.type.name is None
    assert (old.start_texture, old.texture_size) == (0, 0)  # no such words in the file


INNER = structure("S::<unnamed>", 2, ("u", 0, kind("float")), ("v", 4, kind("float")))
INNERS = structure("S::<unnamed>", 2, ("u", 0, kind("float")), ("v", 4, kind("float")), elements=2)
OUTER = structure("S", 7, ("f", 0, INNERS), ("w", 32, kind("float")), ("l", 48, INNER))
BUFFERS = [
    RdefBuffer(
        name="$Globals",
        size=144,
        kind=BufferType.CBUFFER,
        variables=[
            variable("a", 0, 4, kind("float"), default=struct.pack("<f", 1)),
            variable("s", 16, 84, OUTER, flags=0, default=bytes(range(84))),
            variable("v", 112, 20, kind("float4", VECTOR, columns=4, elements=2)),
        ],
    ),
    RdefBuffer(name="empty", size=0, kind=BufferType.TBUFFER, variables=[]),
    RdefBuffer(
        name="data",
        size=12,
        kind=BufferType.RESOURCE_BIND_INFO,
        variables=[variable("$Element", 0, 12, structure(None, 3, ("p", 4, TYPES[8][1])))],
    ),
]
BUFFERS[2].variables[0].type.columns = 12


def test_printed_tables_are_parsed() -> None:
    lines = buffers.lines(resources(BUFFERS), DEFAULT)
    assert read("\n".join(lines)).buffers == BUFFERS


def test_interfaces() -> None:
    interface = RdefType(variable_class=VariableClass.INTERFACE_CLASS, rows=1, name="iAlpha")
    pointer = RdefType(
        variable_class=VariableClass.INTERFACE_POINTER,
        variable_type=VariableType.INTERFACE_POINTER,
        rows=1,
        columns=4,
        elements=3,
        name="iAlpha",
        sub_type=interface,
    )
    buffer = RdefBuffer(
        name="$ThisPointer",
        size=16,
        kind=BufferType.INTERFACE_POINTERS,
        variables=[variable("g", 0, 3, pointer, flags=6), variable("h", 3, 3, pointer, flags=4)],
    )
    lines = buffers.lines(resources([buffer]), DEFAULT)
    assert read("\n".join(lines)).buffers == [buffer]


def test_the_definition_of_the_fixtures() -> None:
    given = definition(5, 0)
    lines = buffers.lines(given, DEFAULT)
    found = read("\n".join(lines)).buffers
    assert found is not None
    assert buffers.lines(resources(found), DEFAULT) == lines


def test_a_bound_array_is_an_array_of_structures() -> None:
    text = listed("struct D\n{\n\nfloat a; // Offset: 0\n\n} d; // Offset: 0 Size: 4", "cbuffer d")
    table = """
Resource Bindings:

Name                                 Type  Format         Dim      ID      HLSL Bind  Count
------------------------------ ---------- ------- ----------- ------- -------------- ------
d                                 cbuffer      NA          NA     CB0            cb0     %s
"""
    for count, elements in ((1, 0), (8, 1), (4294967295, 1)):
        found = one(text + commented(table % count), model=(5, 1))
        assert found.variables[0].type.elements == elements


@pytest.mark.parametrize(
    ("body", "line", "column", "problem"),
    [
        ("flot a; // Offset: 0 Size: 4", 6, 4, "unknown type 'flot'; did you mean float?"),
        ("flaot4 a; // Offset: 0 Size: 16", 6, 4, "unknown type 'flaot4'; did you mean float4?"),
        ("float5 a; // Offset: 0 Size: 4", 6, 4, "unknown type 'float5'"),
        ("row_major float4 a; // Offset: 0 Size: 4", 6, 14, "expected a matrix after row_major"),
        ("float a // Offset: 0 Size: 4", 6, 12, "expected ';', got '/'"),
        ("float a[2; // Offset: 0 Size: 4", 6, 13, "expected ']', got ';'"),
        ("float a[65536]; // Offset: 0 Size: 4", 6, 12, "a number of elements up to 65535"),
        ("float a; // Offse: 0 Size: 4", 6, 13, "expected '// Offset:', got '/'"),
        ("float a; // Offset: 0", 6, 25, "expected 'Size:', got the end of the line"),
        ("float a; // Offset: x Size: 4", 6, 24, "expected a number after '// Offset:'"),
        ("float a; // Offset: 0 Size: 4 [used]", 6, 34, "expected [unused] or the end"),
        ("float; // Offset: 0 Size: 4", 6, 9, "expected a name, got ';'"),
        (
            "float a; // Offset: 0 Size: 8\n = 0x1",
            7,
            7,
            "expected 2 values for the 8 bytes of a, got 1",
        ),
        (
            "float a; // Offset: 0 Size: 4\n = 1.0",
            7,
            7,
            "expected a value of 32 bits such as 0x3f8",
        ),
        ("struct S\nfloat a; // Offset: 0", 7, 4, "expected '{', got 'float'"),
        (
            "struct\n{\nfloat a; // Offset: 0\n} s; // Offset: 4 Size: 4",
            9,
            22,
            "a: expected an offset from 4, that of its structure, on, got 0",
        ),
    ],
)
def test_mistakes(body: str, line: int, column: int, problem: str) -> None:
    found = mistakes_in(listed(body))
    assert found[0][:2] == (line, column), found
    assert problem in found[0][2]


def test_every_variable_is_parsed() -> None:
    found = mistakes_in(listed("flot a; // Offset: 0 Size: 4\n" * 3))
    assert [line for line, *_ in found] == [6, 7, 8]


def test_an_open_brace() -> None:
    text = "// Buffer Definitions:\n// cbuffer B\n// {\n// float a; // Offset: 0 Size: 4\nps_5_0\n"
    assert mistakes_in(text) == [(5, 1, "expected a comment with a variable or '}', got 'ps_5_0'")]


def test_depth_and_size_are_bounded() -> None:
    deep = "struct\n{\n" * 1000
    assert "structures are nested too deeply" in mistakes_in(listed(deep))[0][2]
    wide = "struct\n{\nfloat4x4 a[65535]; // Offset: 0\n} s; // Offset: 0 Size: 4"
    assert (
        "expected at most 65535 members and components, got 1048560"
        in mistakes_in(listed(wide))[0][2]
    )
