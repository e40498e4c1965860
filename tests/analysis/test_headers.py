"""Declarations of buffers in other languages: offsets, padding, names, and that they compile."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

import unshade
from tests.cli.terminal import unshade as command
from tests.examples import EXAMPLES
from unshade.analysis.headers import headers
from unshade.analysis.headers.c import c_header
from unshade.analysis.headers.hlsl import hlsl_header, natural_offset
from unshade.analysis.headers.layout import HostScalar, HostStructure, LayoutBuilder
from unshade.analysis.headers.names import LANGUAGES, NameScope
from unshade.analysis.headers.rust import rust_header
from unshade.analysis.headers.tables import ResourceRow, ResourceTable
from unshade.model.resources import ConstantBuffer, Member, TypeDescription, Variable
from unshade.vocab.words import BufferKind, TypeClass


def plain(
    scalar: str, count: int = 1, size: int = 4, elements: Sequence[int] = (), stride: int = 0
) -> TypeDescription:
    strides = [stride]
    for each in reversed(elements[1:]):
        strides.insert(0, strides[0] * each)
    return TypeDescription(
        type_class=TypeClass.VECTOR if count > 1 else TypeClass.SCALAR, scalar=scalar,
        columns=count, size=count * size, elements=list(elements),
        strides=strides if elements else [],
    )  # fmt: skip


def matrix(
    rows: int, columns: int, by_rows: bool, stride: int = 16, elements: Sequence[int] = ()
) -> TypeDescription:
    vectors, length = (rows, columns) if by_rows else (columns, rows)
    return TypeDescription(
        type_class=TypeClass.MATRIX_ROWS if by_rows else TypeClass.MATRIX_COLUMNS, scalar="float",
        rows=rows, columns=columns, size=(vectors - 1) * stride + 4 * length, matrix_stride=stride,
        elements=list(elements), strides=[vectors * stride] if elements else [],
    )  # fmt: skip


def struct(
    name: str, size: int, elements: Sequence[int] = (), stride: int = 0, **members: TypeDescription
) -> TypeDescription:
    """Return a structure; a member `name_at_8` is at byte 8."""
    listed = [
        Member(name=key.rpartition("_at_")[0], offset=int(key.rpartition("_at_")[2]), type=each)
        for key, each in members.items()
    ]
    return TypeDescription(
        name=name, type_class=TypeClass.STRUCT, scalar="void", size=size, members=listed,
        elements=list(elements), strides=[stride] if elements else [],
    )  # fmt: skip


def buffer(name: str, size: int, **members: TypeDescription) -> ConstantBuffer:
    variables = [
        Variable(
            name=key.rpartition("_at_")[0], offset=int(key.rpartition("_at_")[2]), size=each.size,
            type=each,
        )
        for key, each in members.items()
    ]  # fmt: skip
    return ConstantBuffer(
        name=name, kind=BufferKind.CONSTANT_BUFFER, size=size, variables=variables
    )


LIGHT = struct(
    "Light", 20, elements=[3], stride=32, pos_at_0=plain("float", 3), on_at_16=plain("bool")
)
# Direct3D: elements begin registers, and the next member may use the padding of the last one.
PACKED = buffer(
    "Frame", 320, floats_at_0=plain("float", 1, elements=[3], stride=16), tail_at_36=plain("float"),
    by_columns_at_48=matrix(3, 2, False), by_rows_at_80=matrix(3, 3, True),
    beside_at_124=plain("int"),
    lights_at_128=LIGHT, after_at_212=plain("uint", 3),
    grid_at_224=plain("float", 2, elements=[2, 2], stride=16), wide_at_288=plain("double", 2, 8),
    half_at_304=plain("half", 4, 2), small_at_312=plain("min16float"),
)  # fmt: skip
SCALAR_LAYOUT = buffer("Tight", 28, a_at_0=plain("half", 1, 2), b_at_2=plain("ushort", 1, 2),
                       c_at_4=plain("double", 1, 8), d_at_12=plain("int64", 1, 8),
                       e_at_20=plain("uchar", 4, 1), f_at_24=plain("float"))  # fmt: skip
NAMES = buffer("class", 48, struct_at_0=plain("int"), fn_at_4=plain("int"),
               float_at_8=plain("int"), self_at_12=plain("int"),
               pad_20_at_16=plain("int"), x_at_32=plain("int"))  # fmt: skip
TABLES = [
    ResourceTable("Textures", [
        ResourceRow("tex", 0, "texture, t0"), ResourceRow("loop", 0, "texture, t0 */ again"),
        ResourceRow("tex", 1, "texture\n, t1"),
    ]),
    ResourceTable("Frame", [ResourceRow("9lives", 4, "")]),
]  # fmt: skip


def layouts(*buffers: ConstantBuffer) -> list[HostStructure]:
    builder = LayoutBuilder()
    for each in buffers:
        builder.buffer(each)
    return builder.structures


def test_every_byte_of_a_packed_buffer_is_declared() -> None:
    *inner, frame = layouts(PACKED)
    assert [(each.name, each.size) for each in inner] == [("Light", 20), ("Light", 32)]
    found = [(each.name, each.offset, each.dims, each.size) for each in frame.fields]
    assert found == [
        ("floats", 0, [9], 36), ("tail", 36, [], 4), ("", 40, [8], 8),
        ("by_columns", 48, [2, 4], 32),
        ("by_rows", 80, [11], 44), ("beside", 124, [], 4), ("lights", 128, [2], 64),
        ("lights_last", 192, [], 20), ("after", 212, [3], 12), ("grid", 224, [2, 2, 4], 64),
        ("wide", 288, [2], 16), ("half", 304, [4], 8), ("small", 312, [], 4), ("", 316, [4], 4),
    ]  # fmt: skip
    assert not frame.packed
    assert frame.fields[11].type == HostScalar("float", 2)


def test_a_layout_without_alignment_is_packed() -> None:
    (tight,) = layouts(SCALAR_LAYOUT)
    assert tight.packed
    assert [each.offset for each in tight.fields] == [0, 2, 4, 12, 20, 24]
    assert "#pragma pack(push, 1)" in c_header([tight], [], "", "c")
    assert "#[repr(C, packed)]" in rust_header([tight], [], "")


def test_an_array_without_a_size_is_described() -> None:
    open_ended = buffer("B", 16, count_at_0=plain("int"),
                        items_at_16=struct("Item", 8, [0], 8, a_at_0=plain("int", 2)))  # fmt: skip
    item, whole = layouts(open_ended)
    assert (item.name, item.size) == ("Item", 8)
    assert whole.notes == ["Item items[] follows at 16, 8 bytes each"]


def test_a_structure_in_arrays_of_two_buffers_is_declared_once() -> None:
    item = {"a_at_0": plain("int", 2)}
    first = buffer("A", 16, items_at_16=struct("Item", 8, [0], 8, **item))
    second = buffer("B", 24, items_at_0=struct("Item", 8, [3], 8, **item))
    other = buffer("C", 8, item_at_0=struct("Item", 8, b_at_0=plain("int", 2)))
    assert [each.name for each in layouts(first, second, other)] == ["Item", "A", "B", "Item", "C"]


def test_an_address_of_a_buffer_is_a_number_of_64_bits() -> None:
    address = TypeDescription(
        type_class=TypeClass.OBJECT, scalar="pointer", name="Lights", size=8, elements=[2],
        strides=[8],
    )  # fmt: skip
    (made,) = layouts(buffer("B", 16, lights_at_0=address))
    assert [(each.type, each.dims, each.note) for each in made.fields] == [
        (HostScalar("uint", 8), [2], "")
    ]
    assert "    uint64_t lights[2]; /* Lights lights[2] */" in c_header([made], [], "", "cpp")


def test_members_that_share_bytes_are_described() -> None:
    (made,) = layouts(buffer("B", 16, a_at_0=plain("float", 4), b_at_8=plain("float", 2)))
    assert made.notes == ["float4 a at 0 shares bytes with another member"]
    assert [(each.name, each.offset) for each in made.fields] == [("", 0), ("b", 8)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_are_legal_and_unique(language: str) -> None:
    scope = NameScope(language)
    wanted = ["a b", "a.b", "9", "class", "float", "fn", "$Globals", "_x", "__y", "", "é", "x", "x"]
    made = [scope.add(each) for each in wanted]
    assert len(set(made)) == len(made)
    assert all(each.isidentifier() and each.isascii() for each in made)
    assert not set(made) & LANGUAGES[language]


@pytest.mark.parametrize(
    ("type", "at", "registers", "expected"),
    [
        (plain("float", 3), 4, True, 4),
        (plain("float", 3), 8, True, 16),
        (plain("float", 3), 8, False, 8),
        (plain("double", 1, 8), 4, True, 8),
        (plain("float", 1, elements=[2], stride=16), 4, True, 16),
        (matrix(2, 2, True), 4, True, 16),
        (struct("S", 4, a_at_0=plain("float")), 4, True, 16),
        (struct("S", 4, a_at_0=plain("float")), 4, False, 4),
        (plain("half", 1, 2), 2, False, 2),
    ],
)
def test_where_hlsl_places_a_member(
    type: TypeDescription, at: int, registers: bool, expected: int
) -> None:
    assert natural_offset(type, at, registers) == expected


def test_hlsl_places_members_by_packoffset() -> None:
    text = "\n".join(hlsl_header([PACKED], [], ""))
    assert "row_major float3x3 by_rows : packoffset(c5);" in text
    assert "float tail : packoffset(c2.y);" in text
    assert "uint3 after : packoffset(c13.y);" in text
    assert "HLSL places it here" not in text


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.*")), ids=lambda path: path.name)
def test_offsets_and_sizes_are_those_of_the_reflection(path: Path) -> None:
    if unshade.identify(path.read_bytes()) is None:
        pytest.skip("not a shader")
    shader = unshade.open(path)
    if shader.pipelines:
        pytest.skip("a database of shaders")
    data = json.loads(headers(shader, "json"))
    by_origin = {each["origin"].split(" ")[-1]: each for each in data["structures"]}
    for each in shader.reflect().constant_buffers:
        made = by_origin.get(each.name)
        if made is None or made["size"] != each.size:
            continue
        places = {member["name"]: (member["offset"], member["size"]) for member in made["members"]}
        for variable in each.variables if each.kind != BufferKind.ELEMENT else ():
            offset, size = places[variable.name]
            assert offset == variable.offset
            assert size >= min(variable.size, variable.type.size)


def compiled(run: list[str], place: Path, text: str) -> None:
    if shutil.which(run[0]) is None:
        pytest.skip(f"no {run[0]} here")
    place.write_text(text)
    done = subprocess.run([*run, str(place)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


BUFFERS = (PACKED, SCALAR_LAYOUT, NAMES)


@pytest.mark.slow
def test_c_compiles(tmp_path: Path) -> None:
    text = "\n".join(c_header(layouts(*BUFFERS), TABLES, "a */ b", "c"))
    command = ["g++", "-x", "c", "-std=c11", "-Wall", "-Werror", "-fsyntax-only"]
    compiled(command, tmp_path / "a.c", text.replace("#pragma once\n", ""))


@pytest.mark.slow
def test_cpp_compiles(tmp_path: Path) -> None:
    text = "\n".join(c_header(layouts(*BUFFERS), TABLES, "", "cpp"))
    command = ["g++", "-std=c++17", "-Wall", "-Werror", "-fsyntax-only"]
    compiled(command, tmp_path / "a.cpp", text.replace("#pragma once\n", ""))


@pytest.mark.slow
def test_rust_compiles(tmp_path: Path) -> None:
    text = "\n".join(rust_header(layouts(*BUFFERS), TABLES, ""))
    place = ["--emit", "metadata", "-o", str(tmp_path / "a.rmeta")]
    compiled(["rustc", "--crate-type", "lib", "-D", "warnings", *place], tmp_path / "a.rs", text)


@pytest.mark.slow
def test_hlsl_compiles(tmp_path: Path) -> None:
    pytest.importorskip("slangpy")
    text = "\n".join(hlsl_header([SCALAR_LAYOUT, NAMES], [], ""))
    entry = '\n[shader("compute")] [numthreads(1, 1, 1)] void kernelMain() {}\n'
    unshade.compile(text + entry, stage="compute", entry="kernelMain", language="hlsl")


UNIFORMS = """.fvec projection[4], tint
.ivec count[2]
.bool flags[3]
.out pos position
.proc main
    dp4 pos.xyz, projection[0], v0
    mov pos.w, tint.w
    for count[1]
        nop
    .end
    ifu flags[2]
        nop
    .end
    end
.end
"""


def test_uniforms_are_named_with_their_registers() -> None:
    shader = unshade.assemble(UNIFORMS, "shbin")
    tables = json.loads(headers(shader, "json"))["resources"]
    assert {table["table"]: table["entries"] for table in tables} == {
        "FloatRegisters": [
            {"name": "projection", "number": 0, "about": "float4 projection[4], c0 to c3"},
            {"name": "tint", "number": 4, "about": "float4 tint, c4"},
        ],
        "UintRegisters": [{"name": "count", "number": 0, "about": "uint4 count[2], i0 to i1"}],
        "BoolRegisters": [{"name": "flags", "number": 0, "about": "bool flags[3], b0 to b2"}],
    }
    text = headers(shader, "c")
    assert "    FloatRegisters_tint = 4, /* float4 tint, c4 */" in text
    assert "FloatRegisters" not in headers(unshade.open(EXAMPLES / "plasma.skslb"), "c")
    toon = headers(unshade.open(EXAMPLES / "toon.d3d9"), "cpp")
    assert (
        "enum class FloatRegisters : std::uint32_t {\n    light = 0, /* float3 light, c0 */" in toon
    )


@pytest.mark.slow
def test_command(tmp_path: Path) -> None:
    shown = command("headers", EXAMPLES / "phong.dxbc", "--to", "rust")
    assert (shown.code, "pub u_l: [L; 4]" in shown.out) == (0, True)
    made = command("headers", EXAMPLES / "phong.dxbc", EXAMPLES / "lit.shbin", "-o", tmp_path)
    assert made.code == 0
    assert sorted(each.name for each in tmp_path.iterdir()) == ["lit.hpp", "phong.hpp"]


def test_an_unknown_language() -> None:
    with pytest.raises(unshade.UsageError, match="expected one of c, cpp, rust, hlsl, json"):
        headers(unshade.open(EXAMPLES / "phong.dxbc"), "pascal")
