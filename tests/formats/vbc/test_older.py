"""Older layouts are read where they fit exactly, and written back as they were."""

import json
import struct

import pytest

import unshade
from tests.fixtures.vbc import FRAG, VERT, made, module
from unshade import FormatError
from unshade.formats.vbc.older import LAYOUTS, OlderLayout, layout_of
from unshade.formats.vbc.program import split_modules
from unshade.formats.vbc.records import BaseType, BufferInfo, TexelInfo, TexelRank, TexelType
from unshade.formats.vbc.shader import Vbc

WORDS = struct.pack("<5H", len(module(VERT)) // 4, 0, 0, 0, len(module(FRAG)) // 4)
TABLES = struct.pack("<5H", 8192, 128, 512, 128, 128)
CODE = module(VERT) + module(FRAG)
ROW = bytes((0, 4, 3, 1, 1, 0, 0, 0))
MEMBER = b"tint"
SUBPASS = struct.pack("<I4B", 1, 4, 4, 0, 0)


def old(*, typed: bool, counts: str, uniform: bytes, row: bytes = ROW) -> bytes:
    """Return a file of January 2021 with one row in each table; `row` is that of bindings."""
    count = struct.pack(f"<{counts}", 1)
    head = b"VBC\1" + (b"\1" if typed else b"")
    tables = 2 * (count + ROW) + count + row
    return head + WORDS + TABLES + tables + uniform + SUBPASS + CODE


def sizeless(code: bytes, subpass: bytes = SUBPASS, row: bytes = ROW) -> bytes:
    rows = struct.pack("<I", 1) + ROW
    uniform = struct.pack("<HHI", 16, 1, 1) + b"\4" + MEMBER + struct.pack("<H4B", 0, 4, 4, 1, 1)
    tables = 2 * rows + struct.pack("<I", 1) + row
    return b"VBC\1\1" + TABLES + tables + uniform + subpass + code


FIRST = struct.pack("<IIII", 16, 1, 0, 4) + MEMBER
SECOND = struct.pack("<IHIII", 16, 1, 1, 0, 4) + MEMBER
THIRD = struct.pack("<IHII4BI", 16, 1, 1, 0, 4, 4, 1, 1, 4) + MEMBER
FILES = [
    (old(typed=False, counts="B", uniform=FIRST), "d6c226a"),
    (old(typed=True, counts="I", uniform=SECOND), "adb6b69 to 11afc76"),
    (old(typed=True, counts="I", uniform=struct.pack("<IHI", 0, 0, 0)), "449c2f6 to e480f91"),
    (old(typed=True, counts="I", uniform=THIRD), "a77136f"),
    (old(typed=True, counts="I", uniform=bytes(4)), "a77136f"),
    (sizeless(b""), "0209e93 to 553a92c"),
    (sizeless(CODE), "0209e93 to 553a92c"),
    (sizeless(CODE, struct.pack("<I", 1) + bytes(48)), "0209e93 to 553a92c"),
]


@pytest.mark.parametrize(("data", "commits"), FILES)
def test_an_older_layout_is_read_and_written_back(data: bytes, commits: str) -> None:
    shader = Vbc.loads(data)
    assert shader.older is not None
    assert shader.older.commits == commits
    assert shader.to_bytes() == data
    plain = json.loads(json.dumps(shader.to_data()))
    assert plain["layout"] == commits
    assert Vbc.from_data(plain).to_bytes() == data
    assert unshade.assemble(shader.disassemble("exact")).to_bytes() == data
    assert shader.reflect().to_dict()["format"] == "vbc"
    assert {each.code for each in shader.verify()} >= {"vbc.layout"}


@pytest.mark.parametrize(("data", "commits"), FILES)
def test_every_byte_has_a_span_at_its_place(data: bytes, commits: str) -> None:
    spans = Vbc.loads(data).spans()
    at = 0
    for each in spans:
        assert each.offset <= at
        at = max(at, each.offset + each.length)
    assert at == len(data)
    named = {each.path: data[each.offset : each.offset + each.length] for each in spans}
    if MEMBER in data:
        assert named["VBC.uniform.members[0].name"] == MEMBER
    assert named["VBC.magic"] == b"VBC"


def test_numbers_are_those_of_today() -> None:
    shader = Vbc.loads(
        old(typed=True, counts="I", uniform=THIRD, row=bytes((3, 9, 1, 0, 24, 0, 0, 0)))
    )
    (binding,) = shader.record.bindings
    assert (binding.base, binding.stages) == (BaseType.RW_BUFFER, 1)
    assert binding.data == BufferInfo(size=24)
    image = bytes((3, 6, 16, 0, 2, 4, 4, 2))
    (binding,) = Vbc.loads(old(typed=True, counts="I", uniform=THIRD, row=image)).record.bindings
    assert binding.data == TexelInfo(rank=TexelRank.D2, type=TexelType.FLOAT, size=4, count=2)
    (first,) = shader.record.uniform.members
    assert (first.name, first.base, first.rows) == ("tint", BaseType.FLOAT, 4)
    assert shader.record.subpasses[0].type == TexelType.FLOAT  # type: ignore[union-attr]


@pytest.mark.parametrize("layout", [each for each in LAYOUTS.values() if each.stages])
def test_a_file_of_today_is_written_in_an_older_layout(layout: OlderLayout) -> None:
    shader = made()
    today = shader.to_bytes()
    if not layout.type:
        for each in shader.record.uniform.members:
            each.base = each.rows = each.columns = each.count = 0
    shader.older = layout
    older = shader.to_bytes()
    again = Vbc.loads(older)
    assert again.older is not None
    assert (again.record, again.form) == (shader.record, shader.form)
    assert again.to_bytes() == older
    again.older = None
    assert (again.to_bytes() == today) == bool(layout.type)
    bad = [str(each) for each in Vbc.loads(older).verify() if each.code != "vbc.layout"]
    assert bad == []


def test_values_that_an_older_layout_cannot_hold() -> None:
    shader = made()
    shader.older = LAYOUTS["d6c226a"]
    with pytest.raises(FormatError, match="expected 0, got 16, in the layout of d6c226a"):
        shader.to_bytes()
    with pytest.raises(FormatError, match="layout: expected one of a77136f"):
        Vbc.from_data({**made().to_data(), "layout": "a"})


@pytest.mark.parametrize("data", [each for each, name in FILES if "0209e93" not in name])
def test_a_layout_must_fit_exactly(data: bytes) -> None:
    for other in (data[:-1], data + b"\0"):
        assert layout_of(other, split_modules) is None
        with pytest.raises(FormatError):
            unshade.loads(other)


def test_files_of_today_have_no_older_layout() -> None:
    assert Vbc.loads(made().to_bytes()).older is None
    for data in (made().to_bytes(), b"", b"VBC\1\1" + b"\xff" * 64):
        assert layout_of(data, split_modules) is None
