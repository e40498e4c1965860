"""What the screens look like: plain in a pipe, styled on a terminal, safe in both."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import unshade as library
from tests.cli.terminal import EXAMPLES, PHONG, SAXPY, unshade
from tests.model.schema_check import violations
from unshade.cli.blocks import bar, columns_of, render_plain
from unshade.cli.output import visible
from unshade.cli.render_reflection import body, headline
from unshade.model import (
    InterfaceClass,
    InterfaceInstance,
    Interfaces,
    InterfaceSlot,
    Reflection,
)
from unshade.model.rootsignature import RootParameter, RootRange, RootSignature, StaticSampler
from unshade.overview import schema

ALL = sorted(EXAMPLES.glob("*.dxbc"))
STYLES = re.compile(r"\x1b\[[0-9;]*m")


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
@pytest.mark.parametrize("verb", ["info", "parts", "reflect", "dis", "hexdump"])
def test_plain_in_a_pipe_styled_on_a_terminal(verb: str, path: Path) -> None:
    plain = unshade(verb, path)
    assert plain.code == 0
    assert "\x1b" not in plain.out
    styled = unshade(verb, path, terminal=True)
    assert STYLES.search(styled.out)
    assert "\x1b" not in STYLES.sub("", styled.out)
    words = set(re.findall(r"\w+", plain.out)) - {"x"}
    assert words <= set(re.findall(r"\w+", STYLES.sub("", styled.out)))


def test_no_color_and_force_color() -> None:
    assert "\x1b" not in unshade("info", PHONG, terminal=True, NO_COLOR="1").out
    assert "\x1b" in unshade("info", PHONG, FORCE_COLOR="1").out
    assert "\x1b" not in unshade("info", PHONG, terminal=True, FORCE_COLOR="0").out


def test_info_says_what_one_wants_to_know() -> None:
    out = unshade("info", PHONG).out
    for line in (
        "phong.dxbc: pixel shader 5.0 (ps_5_0), 2,780 bytes",
        "  compiler  vkd3d-shader 2.1",
        "  digest    right",
        "  RDEF  0x0108    620  22.3%",
        "  counts     77 instructions, 31 float, 5 int, 20 mov, 2 samples",
        "  TEXCOORD2  2         x     x     int                  constant",
        "  t2    env           texture cube     float4",
        "Constant buffer U, 160 bytes",
        "     128     16  float4 u_eye",
    ):
        assert line in out
    assert "16 x 16 x 1 = 256 threads" in unshade("info", EXAMPLES / "matmul.dxbc").out


def test_info_of_a_changed_file_says_so(tmp_path: Path) -> None:
    data = bytearray(PHONG.read_bytes())
    data[-4] ^= 1
    ended = unshade("info", "-", stdin=bytes(data))
    assert "  digest    wrong: the bytes were changed after they were signed\n" in ended.out
    assert ended.code == 0
    ended = unshade("info", "-", stdin=PHONG.read_bytes() + b"more")
    assert "  behind its end  4 bytes" in ended.out


def test_info_of_a_malformed_part_goes_on() -> None:
    data = PHONG.read_bytes().replace(b"\x08\0\0\0TEXC", b"\xff\xff\0\0TEXC")
    data = data[:0x3C] + b"\xff\xff\xff\xff" + data[0x40:]  # rows of the input signature
    ended = unshade("info", "-", stdin=data)
    assert ended.code == 0
    assert "input signature (malformed)" in ended.out
    assert "\nFindings\n" in ended.out


def test_json_of_info_is_that_of_the_library() -> None:
    found = json.loads(unshade("info", "--json", PHONG).out)
    assert found == {"file": str(PHONG), **library.info(library.open(PHONG)).to_dict()}
    assert [*schema()["$defs"]["Info"]["required"]] == [*found][1:]


@pytest.mark.parametrize("verb", ["info", "reflect"])
@pytest.mark.parametrize("files", [[PHONG], [PHONG, SAXPY], ["missing"], [PHONG, "missing"]])
def test_what_is_printed_fits_the_schema_that_is_printed(
    verb: str, files: list[Path | str]
) -> None:
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


def test_hexdump_of_a_part_and_of_a_path() -> None:
    out = unshade("hexdump", PHONG, "RDEF", "--only", "RDEF.bindings[0]", "--docs").out
    assert "0x0150  03 00 00 00              RDEF.bindings[0].kind" in out
    assert "3 SAMPLER  ; what is bound" in out
    assert "bindings[1]" not in out
    found = json.loads(unshade("hexdump", "--json", PHONG, "ISGN").out)["fields"]
    assert found[0] | {"doc": ""} == {
        "offset": 52, "length": 4, "path": "ISGN.name", "value": "ISGN", "doc": "",
        "bits": None, "kind": "field", "bytes": "4953474e",
    }  # fmt: skip
    ended = unshade("hexdump", PHONG, "DXIL")
    assert ended.code == 2
    assert "the fields begin with magic, digest" in ended.err


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
def test_columns_are_in_proportion_and_none_is_lost(sizes: list[int]) -> None:
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
