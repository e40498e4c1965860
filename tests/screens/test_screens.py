"""Screens are plain in a pipe, styled on a terminal, and safe in both."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import unshade as library
from tests.cli.terminal import PHONG, SAXPY, unshade
from tests.examples import EXAMPLES, each_container
from tests.model.schema_check import violations
from unshade.model import (
    Geometry,
    InterfaceClass,
    InterfaceInstance,
    Interfaces,
    InterfaceSlot,
    MeshShading,
    Reflection,
    Resource,
    SignatureParameter,
    Statistics,
)
from unshade.model.rootsignature import RootParameter, RootRange, RootSignature, StaticSampler
from unshade.overview import notes_of, schema
from unshade.screens.blocks import FactsBlock, TableBlock, bar, columns_of, render_plain
from unshade.screens.blocks import columns as display_width
from unshade.screens.hexdump import lines
from unshade.screens.reflection import COUNTS, body, headline, resources, signature
from unshade.screens.text import many, visible
from unshade.wire.spans import Span

LONGEST = 26  # a column of a terminal's table cuts what is longer
STYLES = re.compile(r"\x1b\[[0-9;]*m")


@pytest.mark.heavy
@each_container
@pytest.mark.parametrize("verb", ["info", "parts", "reflect", "dis", "hexdump"])
def test_plain_in_a_pipe_styled_on_a_terminal(verb: str, path: Path) -> None:
    plain = unshade(verb, path)
    assert plain.code == 0
    assert "\x1b" not in plain.out
    styled = unshade(verb, path, terminal=True)
    assert STYLES.search(styled.out)
    assert "\x1b" not in STYLES.sub("", styled.out)
    words = {word for word in re.findall(r"\w+", plain.out) if len(word) < LONGEST} - {"x"}
    assert words <= set(re.findall(r"\w+", STYLES.sub("", styled.out)))


def test_no_color_and_force_color() -> None:
    assert "\x1b" not in unshade("info", PHONG, terminal=True, NO_COLOR="1").out
    assert "\x1b" in unshade("info", PHONG, FORCE_COLOR="1").out
    assert "\x1b" not in unshade("info", PHONG, terminal=True, FORCE_COLOR="0").out


def test_info_has_the_main_facts() -> None:
    out = unshade("info", PHONG).out
    for line in (
        "phong.dxbc: pixel shader 5.0 (ps_5_0), 2,780 bytes",
        "  compiler  vkd3d-shader 2.1",
        "  digest    valid",
        "  RDEF  0x0108    620  22.3%",
        "  counts     77 instructions, 31 float, 5 int, 20 mov, 2 samples",
        "  TEXCOORD2  2         x     x     int                  constant",
        "  t2    env           texture cube     float4",
        "Constant buffer U, 160 bytes",
        "     128     16  float4 u_eye",
    ):
        assert line in out
    assert "16 x 16 x 1 = 256 threads" in unshade("info", EXAMPLES / "matmul.dxbc").out


def test_info_names_constants_of_the_group_and_layouts_of_blocks() -> None:
    out = unshade("info", EXAMPLES / "particles.spv").out
    assert "thread group  64 x 1 x 1 = 64 threads; x is constant 0\n" in out
    assert "Element Particles, 16 bytes, std140\n" in out


def test_info_reports_a_changed_file(tmp_path: Path) -> None:
    data = bytearray(PHONG.read_bytes())
    data[-4] ^= 1
    ended = unshade("info", "-", stdin=bytes(data))
    assert "  digest    invalid: the bytes were changed after signing\n" in ended.out
    assert ended.code == 0
    ended = unshade("info", "-", stdin=PHONG.read_bytes() + b"more")
    assert "  behind its end  4 bytes" in ended.out


def test_info_of_a_malformed_part_goes_on() -> None:
    data = PHONG.read_bytes().replace(b"\x08\0\0\0TEXC", b"\xff\xff\0\0TEXC")
    data = data[:0x3C] + b"\xff\xff\xff\xff" + data[0x40:]  # rows of the input signature
    ended = unshade("info", "-", stdin=data)
    assert ended.code == 3
    assert ended.err == (
        "unshade: standard input: at 0x44, ISGN.elements: expected 103079215080 bytes for"
        " 4294967295 items, got 108\n"
    )
    assert "input signature (malformed)" in ended.out
    assert "\nFindings\n" in ended.out


def test_json_of_info_is_that_of_the_library() -> None:
    found = json.loads(unshade("info", "--json", PHONG).out)
    assert found == {"file": str(PHONG), **library.info(library.open(PHONG)).to_dict()}
    assert [*schema()["$defs"]["Info"]["required"]] == [*found][1:]


@pytest.mark.parametrize("verb", ["info", "reflect"])
@pytest.mark.parametrize("files", [[PHONG], [PHONG, SAXPY], ["missing"], [PHONG, "missing"]])
def test_the_printed_report_fits_the_printed_schema(verb: str, files: list[Path | str]) -> None:
    described = json.loads(unshade(verb, "--schema").out)
    found = json.loads(unshade(verb, "--json", *files).out)
    assert violations(found, described) == []
    assert violations({"file": "a"}, described)


def test_hexdump_shows_every_byte_once() -> None:
    shown = b""
    for line in unshade("hexdump", SAXPY).out.splitlines():
        row = re.match(r"0x([0-9a-f]+)  ((?:[0-9a-f]{2} )*[0-9a-f]{2})(?=\s|$)", line)
        if row:
            assert int(row[1], 16) == len(shown)
            shown += bytes.fromhex(row[2])
    assert shown == SAXPY.read_bytes()


def test_hexdump_aligns_values_of_bits_with_those_of_fields() -> None:
    lines = unshade("hexdump", PHONG, "--only", "SHDR.instructions[20]").out.splitlines()
    [bits] = [line for line in lines if ".opcode " in line]
    [literal] = [line for line in lines if ".literal[0] " in line]
    assert bits.index("lt") == literal.index("0.1")


def test_info_shows_the_root_signature_and_the_interfaces() -> None:
    ranges = [
        RootRange(kind="srv", register=0, space=0, count=8, offset=0),
        RootRange(kind="uav", register=2, space=1, count=None, offset=8),
    ]
    sampler = StaticSampler(
        register=3, space=0, visibility="pixel", filter="anisotropic", address=["wrap"] * 3,
        mip_lod_bias=0.5, max_anisotropy=8, comparison="never", border_color="opaque_white",
        min_lod=0.0, max_lod=1.0,
    )  # fmt: skip
    rooted = RootSignature(
        version="1.1",
        flags=["deny_hull_shader_root_access"],
        parameters=[
            RootParameter(kind="constants", visibility="all", register=1, space=0, count=4, cost=4),
            RootParameter(kind="table", visibility="pixel", ranges=ranges, cost=1),
        ],
        samplers=[sampler],
    )
    linked = Interfaces(
        slot_count=3,
        classes=[
            InterfaceClass(name=name, id=n, constant_buffer_stride=0, textures=0, samplers=0)
            for n, name in enumerate(("Red", "Blue\x1b"))
        ],
        instances=[
            InterfaceInstance(
                name="lamps", class_id=1, elements=4, constant_buffer=None,
                constant_buffer_offset=None, texture=None, sampler=None,
            )
        ],
        slots=[InterfaceSlot(start=1, span=2, class_ids=[0, 1, 7], tables=[5, 6, 8])],
    )  # fmt: skip
    found = Reflection(format="dxcontainer", root_signature=rooted, interfaces=linked)
    assert headline(found) == "root signature 1.1"
    assert (
        render_plain(body(found))
        == """
Program
  root signature  1.1, deny_hull_shader_root_access

Root parameters, 5 of 64 words
     kind       registers        visible to  words
  0  constants  b1, 4 x 32 bits  all             4
  1  table                       pixel           1
       srv      t0-t7
       uav      u2... space1

Static samplers
  slot  visible to  filter       addressing
  s3    pixel       anisotropic  wrap        bias 0.5, at most 8 x

Interfaces, 3 slots
  slot  function tables  classes
  1-2   5, 6, 8          Red, Blue\\x1b, class 7

Instances
  name      class
  lamps[4]  Blue\\x1b
"""
    )
    whole = render_plain(body(found))
    at = whole.index("\nInterfaces, 3 slots")
    for only, shown in (
        (Reflection(format="dxcontainer", root_signature=rooted), whole[:at]),
        (Reflection(format="dxcontainer", interfaces=linked), whole[at:]),
    ):
        assert render_plain(body(only)).endswith(shown)


def test_hexdump_of_a_part_and_of_a_path() -> None:
    out = unshade("hexdump", PHONG, "--only", "RDEF.bindings[0]", "--docs").out
    assert "0x0150  03 00 00 00              RDEF.bindings[0].kind" in out
    assert "3 SAMPLER  ; kind of the resource" in out
    assert "bindings[1]" not in out
    found = json.loads(unshade("hexdump", "--json", PHONG, "--part", "ISGN").out)["fields"]
    assert found[0] | {"doc": ""} == {
        "offset": 52, "length": 4, "path": "ISGN.name", "value": "ISGN", "doc": "",
        "bits": None, "kind": "field", "bytes": "4953474e",
    }  # fmt: skip
    ended = unshade("hexdump", PHONG, "--only", "ISGN", "--only", "DXIL")
    assert ended.code == 2
    assert "no field 'DXIL': expected one of magic, digest" in ended.err
    ended = unshade("hexdump", PHONG, "--only", "RDEF.bindings[7].kind")
    assert "expected one of RDEF.bindings[0], RDEF.bindings[1], RDEF.bindings[2], " in ended.err
    ended = unshade("hexdump", PHONG, "--only", "RDEF.bindings[0].kindd")
    assert "expected one of RDEF.bindings[0].name, RDEF.bindings[0].kind, " in ended.err


@pytest.mark.slow
def test_hexdump_of_several_files() -> None:
    one, two = (unshade("hexdump", path, "--only", "STAT").out for path in (PHONG, SAXPY))
    ended = unshade("hexdump", PHONG, SAXPY, "--only", "STAT")
    assert ended.out == (
        f"{PHONG}: dxcontainer, 2,780 bytes\n{one}\n{SAXPY}: dxcontainer, 1,236 bytes\n{two}"
    )
    found = json.loads(unshade("hexdump", "--json", PHONG, SAXPY, "--part", "STAT").out)
    assert [each["file"] for each in found] == [str(PHONG), str(SAXPY)]
    both = unshade("hexdump", PHONG, "--only", "RDEF.bindings[0]", "--part", "STAT").out
    assert both.endswith("\n\n" + one)


@pytest.mark.heavy
@each_container
@pytest.mark.parametrize("columns", [80, 120])
def test_hexdump_fits_the_terminal_and_loses_nothing(path: Path, columns: int) -> None:
    long = path.read_bytes().replace(b"vkd3d-shader 2.1 (Debian", b"\xe6\x97\xa5" * 8)
    for docs in ([], ["--docs"]):
        out = unshade("hexdump", "-", *docs, stdin=long, terminal=True, COLUMNS=str(columns)).out
        shown = STYLES.sub("", out).splitlines()
        assert max(map(display_width, shown)) <= columns
        assert "RDEF" in shown
        assert any(line.startswith("0x0054  ") for line in shown)
        dumped = "".join(
            row[1] for line in shown if (row := re.match(r"0x\w+  ((?:[0-9a-f]{2} )+)", line + " "))
        )
        assert bytes.fromhex(dumped) == long


def test_hexdump_offsets_of_a_large_file_stay_in_their_column() -> None:
    data = bytes(0x1_0004)
    spans = [Span(0, 4, "A.a", 1, ""), Span(0x1_0000, 4, "A.b", 1, "", (0, 32))]
    first, word, bits = ("".join(text for text, _ in line) for line in lines(lambda: spans, data))
    assert first.startswith("0x00000  00 00 00 00")
    assert word.startswith("0x10000  00 00 00 00")
    assert first.rindex("1") == bits.rindex("1")


def test_a_table_aligns_by_visible_columns() -> None:
    table = TableBlock("", ("name", ">n"), [["日本", "1"], ["e\u0301te", "22"], ["█▎", "3"]])
    assert render_plain([table]) == "name   n\n日本   1\ne\u0301te   22\n█▎     3\n"
    facts = FactsBlock([("日本", "x"), ("abc", "y")])
    assert render_plain([facts]) == "  日本  x\n  abc   y\n"
    assert display_width("") == 0


def counted(each: int) -> Statistics:
    counts: dict[str, Any] = dict.fromkeys((name for name, _ in COUNTS), each)
    return Statistics(computed=False, **counts)


def test_a_count_of_one_is_singular() -> None:
    assert (many(1, "part"), many(2, "part"), many(0, "part")) == ("1 part", "2 parts", "0 parts")
    assert many(1000, "vertex", "vertices") == "1,000 vertices"
    ones = counted(1)
    found = Reflection(format="x", statistics=ones, thread_group=[1, 1, 1])
    text = render_plain(body(found))
    assert "1 x 1 x 1 = 1 thread\n" in text
    assert "1 instruction, 1 float" in text
    assert "1 static flow control, 1 dynamic flow control, 1 on arrays" in text
    twos = counted(2)
    assert "2 static flow control, 2" in render_plain(body(Reflection(format="x", statistics=twos)))


@pytest.mark.slow
def test_no_text_of_a_file_reaches_the_terminal_as_it_is() -> None:
    evil = b"\x1b]0;hi\x07"
    data = PHONG.read_bytes().replace(b"TEXCOORD", evil.ljust(8, b"!"))
    data = data.replace(b"_tex_sampler", b"\xe2\x80\xae\xff\x9b[2J   \r")
    for terminal in (False, True):
        for verb in ("info", "reflect", "hexdump", "parts", "verify"):
            ended = unshade(verb, "-", stdin=data, terminal=terminal)
            text = STYLES.sub("", ended.out + ended.err)
            assert not set("\x1b\x07\x9b\r\u202e") & set(text), verb
    assert "\\x1b]0;hi\\x07" in unshade("info", "-", stdin=data).out
    listing = STYLES.sub("", unshade("dis", "-", stdin=data, terminal=True).out)
    assert not set("\x1b\x07\x9b\r\u202e") & set(listing)
    assert evil in unshade("dis", "-", stdin=data).data


def test_visible() -> None:
    assert visible("a\tb\x1b\x9b\u202e\udcff é") == "a\\x09b\\x1b\\x9b\\u202e\\xff é"
    assert visible("a\tb\n", keep="\t\n") == "a\tb\n"


@pytest.mark.parametrize("sizes", [[], [0], [1], [5, 0, 5], [1, 1000, 1], [1] * 100, [3, 5, 7]])
def test_columns_are_proportional_and_none_is_dropped(sizes: list[int]) -> None:
    found = columns_of([("", size) for size in sizes], 60)
    assert len(found) == len(sizes)
    assert all((columns > 0) == (size > 0) for columns, size in zip(found, sizes, strict=True))
    if any(sizes):
        assert sum(found) == max(60, sum(size > 0 for size in sizes))


def test_bars() -> None:
    assert bar(0, 8) == ""
    assert bar(1, 8) == "████████"
    assert bar(0.0001, 8) == "▏"
    assert bar(0.5, 8) == "████"


def test_json_has_notes_about_unread_parts(tmp_path: Path) -> None:
    data = bytearray(PHONG.read_bytes())
    at = data.index(b"RDEF", 52) + 8
    data[at : at + 8] = b"\xff" * 8
    path = tmp_path / "a.dxbc"
    path.write_bytes(data)
    shown = unshade("info", path).out
    found = json.loads(unshade("info", "--json", path).out)
    assert found["reflection"]["complete"] is False
    assert found["notes"] == found["reflection"]["notes"] != []
    assert shown.count(found["notes"][0]) == 1


def test_notes_about_unread_parts_of_one_of_several_shaders() -> None:
    one = Reflection(format="shbin", code="pica", entry_point="main", notes=["not followed"])
    both = Reflection(format="shbin", code="pica", entry_points=[one], notes=["odd"])
    assert notes_of(both) == ["odd", "main: not followed"]
    assert notes_of(None) == []


@pytest.mark.parametrize(
    ("mesh", "line"),
    [
        (
            MeshShading(
                output_topology="linelist", max_vertices=1, max_primitives=2, payload_size=0
            ),
            ("mesh", "linelist out, at most 1 vertex, at most 2 primitives"),
        ),
        (MeshShading(payload_size=32), ("amplification", "payload of 32 bytes")),
    ],
)
def test_mesh_shading_is_a_line(mesh: MeshShading, line: tuple[str, str]) -> None:
    text = render_plain(body(Reflection(format="test", mesh=mesh)))
    assert "  ".join(line) in text


def test_defaults_of_constants_with_one_number_are_told() -> None:
    from unshade.model import Reflection, SpecialisationConstant
    from unshade.screens.reflection import _facts

    found = Reflection(
        format="spirv",
        specialisation_constants=[
            SpecialisationConstant(id=0, type="uint", default=32, name="a"),
            SpecialisationConstant(id=0, type="uint", default=1),
            SpecialisationConstant(id=1, type="bool", default=True),
        ],
    )
    assert [text for word, text in _facts(found) if word == "constant"] == [
        "0: uint a = 32 (others with this number: 1)",
        "0: uint = 1 (others with this number: 32)",
        "1: bool = True",
    ]


def test_columns_of_a_signature_are_there_if_a_row_needs_them() -> None:
    def row(**facts: Any) -> SignatureParameter:
        usual = {"semantic": "A", "components": "xyz", "used": "xz", "component_type": "uint32"}
        return SignatureParameter(**usual | facts)

    usual = ["semantic", "register", "mask", "used", "type", "system value"]
    plain = ["A", "-", "xyz ", "x z ", "uint", ""]
    for facts, heading, cells in (
        ({"stream": 2}, ">stream", ["0", "2"]),
        ({"min_precision": "float16"}, "precision", ["default", "float16"]),
        ({"interpolation": "linear"}, "interpolation", ["", "linear"]),
    ):
        table = signature("Inputs", [row(), row(**facts)])
        assert list(table.headings) == [*usual, heading]
        assert [each[1:] for each in table.rows] == [[*plain[1:], cell] for cell in cells]
    table = signature("Inputs", [row(index=3, register=0, system_value="position")])
    assert list(table.headings) == usual
    assert table.rows == [[("A3", "name"), "0", "xyz ", "x z ", "uint", "position"]]


def test_geometry_is_a_line() -> None:
    for facts, line in (
        (
            Geometry(input_primitive="triangle", output_topology="linestrip", instances=2,
                     max_output_vertices=1),
            "triangle in, linestrip out, at most 1 vertex, 2 instances",
        ),
        (
            Geometry(input_primitive="point", output_topology="pointlist", mode="fixed",
                     input_vertices=3, first_uniform=8, max_output_vertices=None),
            "fixed mode of 3 vertices from c8, pointlist out",
        ),
        (
            Geometry(input_primitive="point", output_topology="trianglestrip", mode="variable",
                     max_output_vertices=4),
            "variable mode, trianglestrip out, at most 4 vertices, 1 instance",
        ),
    ):  # fmt: skip
        assert f"geometry  {line}\n" in render_plain(body(Reflection(format="t", geometry=facts)))


def test_facts_of_a_resource_are_in_its_row() -> None:
    def last(**facts: Any) -> list[Any]:
        usual: dict[str, Any] = {"name": "r", "kind": "texture", "register": 1}
        (row,) = resources([Resource(**usual | {"register_class": "t"} | facts)]).rows
        return list(row)

    assert last() == [("t1", "key"), ("r", "name"), "texture", "", ""]
    assert last(count=None)[0] == ("t1[]", "key")
    assert last(count=3)[0] == ("t1[3]", "key")
    assert last(return_type="float32", components=4, dimension="2d")[2:4] == [
        "texture 2d", "float324",
    ]  # fmt: skip
    assert last(declared=True)[1] == ("r", "dim")
    for facts, text in (
        ({"writable": True}, "read-write"), ({"comparison": True}, "comparison"),
        ({"counter": "append"}, "append"), ({"globally_coherent": True}, "globally coherent"),
        ({"rasterizer_ordered": True}, "rasterizer ordered"), ({"stride": 16}, "stride 16"),
        ({"samples": 1}, "1 sample"), ({"samples": 4, "writable": True}, "read-write, 4 samples"),
    ):  # fmt: skip
        assert last(**facts)[4] == text
