"""Containers with one thing wrong in header, table or a part's header: all else is intact."""

from __future__ import annotations

import struct
from typing import Any

import pytest

import unshade
from tests.fixtures import blog_vs_4_0 as blog
from tests.fixtures.containers import container
from unshade import FormatError, Limits
from unshade.formats.dxcontainer.salvage import claimed_size
from unshade.limits import DEFAULT

BLOG = blog.build()
OFFSETS = dict(zip(blog.PART_NAMES, blog.PART_OFFSETS, strict=True))


def with_word(at: int, value: int, data: bytes = BLOG) -> bytes:
    return data[:at] + struct.pack("<I", value) + data[at + 4 :]


def lenient(data: bytes, **options: Any) -> Any:
    shader = unshade.loads(data, strict=False, **options)
    assert not shader.editable
    assert shader.to_bytes() == data
    return shader


def states(shader: Any) -> dict[str, str]:
    return {
        part.name: "bytes" if isinstance(part.value, bytes) else "typed" for part in shader.parts
    }


ALL = dict.fromkeys(blog.PART_NAMES, "typed")


def test_an_offset_past_the_end() -> None:
    shader = lenient(with_word(44, 0x7FFF_FFFF))  # that of SHDR
    assert states(shader) == ALL, "what no entry leads to is found between its neighbours"
    (found,) = shader.diagnostics
    assert (found.offset, found.path) == (44, "parts[3]")
    assert found.message == "expected a part header at 0x7fffffff, got the end at 0x350"


@pytest.mark.parametrize("value", [0, 4, 32, 48])
def test_an_offset_into_the_header(value: int) -> None:
    shader = lenient(with_word(36, value))
    assert states(shader) == ALL
    (found,) = shader.diagnostics
    assert "expected an offset from 0x34 on" in found.message


def test_an_offset_into_another_part() -> None:
    shader = lenient(with_word(44, OFFSETS["ISGN"] + 20))
    assert states(shader) == ALL
    assert [each.path for each in shader.diagnostics] == ["parts[3]"]


def test_two_entries_for_one_part() -> None:
    shader = lenient(with_word(44, OFFSETS["ISGN"]))
    assert states(shader) == ALL
    assert [part.name for part in shader.parts] == blog.PART_NAMES
    assert [each.path for each in shader.diagnostics] == ["parts[3]"]


@pytest.mark.parametrize("size", [200, 0x7FFF_FFFF, 0xFFFF_FFFF])
def test_a_size_that_reaches_into_the_next_part(size: int) -> None:
    """The next part is not at fault, as strict reading has to assume."""
    shader = lenient(with_word(OFFSETS["ISGN"] + 4, size))
    assert states(shader) == {**ALL, "ISGN": "bytes"}
    assert shader["ISGN"] == BLOG[OFFSETS["ISGN"] + 8 : OFFSETS["OSGN"]]
    error = shader.parts["ISGN"].error
    assert str(error) == (
        f"at 0x110, parts[1].size: expected {size} bytes for ISGN before the part at 0x160, got 76"
    )


def test_parts_that_overlap() -> None:
    data = container([("PRIV", bytes(16)), ("PRIV", bytes(16))])
    shader = lenient(with_word(36, 48, data))
    assert [(part.offset, part.size) for part in shader.parts] == [(40, 16), (64, 16)]
    assert isinstance(shader.damage, FormatError)
    assert shader.damage.path == "parts[1]"


@pytest.mark.parametrize("count", [6, 8, 0x10, 4000, 0x8000_0005, 0xFFFF_FFFF])
def test_a_count_that_is_too_large(count: int) -> None:
    """The table ends where the first part begins."""
    shader = lenient(with_word(28, count))
    assert states(shader) == ALL
    assert {span.value for span in shader.spans() if span.path == "part_count"} == {count}


@pytest.mark.slow
def test_a_truncated_part_keeps_its_bytes() -> None:
    for size in range(OFFSETS["STAT"] + 9, len(BLOG)):
        shader = lenient(BLOG[:size])
        assert shader["STAT"] == BLOG[OFFSETS["STAT"] + 8 : size]
        paths = {span.path for span in shader.spans() if span.offset >= OFFSETS["STAT"] + 8}
        assert size < OFFSETS["STAT"] + 12 or "STAT.instruction_count" in paths


def test_the_fields_before_the_damage_are_named() -> None:
    shader = lenient(BLOG[: OFFSETS["RDEF"] + 8 + 100])
    paths = [span.path for span in shader.spans()]
    for path in ("magic", "offsets[4]", "RDEF.name", "RDEF.size", "RDEF.buffer_count"):
        assert path in paths
    assert "RDEF.buffers[0].size" in paths
    assert paths[-1] == "RDEF.unread"


def test_instructions_before_the_damage_are_named() -> None:
    shader = lenient(BLOG[:600])
    values = {span.path: span.value for span in shader.spans()}
    assert values["SHDR.length"] == 69, "as the file has it"
    assert "SHDR.instructions[7].opcode" in values
    assert "SHDR.instructions[8].opcode" not in values


def test_fields_of_a_malformed_part_before_the_damage_are_named() -> None:
    shader = unshade.loads(with_word(OFFSETS["ISGN"] + 8 + 8, 0xFFFF_FFF0))  # a name's offset
    assert shader.editable
    paths = [span.path for span in shader.spans() if span.path.startswith("ISGN")]
    assert "ISGN.elements[0].mask" in paths
    assert paths[-1] == "ISGN.unread"


@pytest.mark.parametrize("size", range(4, 56))
def test_a_truncated_header(size: int) -> None:
    shader = lenient(BLOG[:size])
    assert list(shader.parts) == []
    spans = shader.spans()
    assert spans[0].path == "magic"
    assert sum(span.length for span in spans) == size


def test_duplicate_names() -> None:
    shader = lenient(container([("PRIV", b"abcd"), ("PRIV", b"efghijkl")])[:-2])
    assert [part.data for part in shader.parts] == [b"abcd", b"efghij"]
    assert shader["PRIV"] == b"abcd"
    assert [*shader.extract()] == ["PRIV", "PRIV.damaged"]
    assert {span.path for span in shader.spans()} >= {"PRIV[0].name", "PRIV[1].name"}


def test_bytes_between_parts_are_raw() -> None:
    data = container([("PRIV", b"abcd"), ("PRIV", b"efgh")], gaps=[b"", b"gap!"])[:-2]
    shader = lenient(data)
    (gap,) = [span for span in shader.spans() if span.path == "unread"]
    assert (gap.value, gap.kind) == (b"gap!", "raw")


def test_a_program_cut_at_any_place() -> None:
    for size, number in ((OFFSETS["SHDR"] + 16, 0), (600, 8)):
        text = lenient(BLOG[:size]).disassemble()
        assert text.count("\n// the code ends here: ") == 1
        assert f"SHDR.instructions[{number}]" in text or number == 0
        assert "Approximately" not in text, "STAT is gone, so that nobody knows"


def test_a_table_is_read_up_to_the_limit() -> None:
    data = container([("PRIV", b"abcd")] * 5)
    shader = lenient(data, limits=Limits(parts=3))
    assert len(shader.parts) == 3


def test_plausible_and_implausible_headers() -> None:
    assert claimed_size(BLOG) == len(BLOG)
    assert claimed_size(BLOG[:500]) == 500
    assert claimed_size(with_word(24, 0x7FFF_FFFF)) == 0
    assert claimed_size(with_word(28, 0)) == 0
    assert claimed_size(with_word(28, 300)) == 0, "no room for so many"
    assert claimed_size(with_word(20, 2)) == 0
    assert claimed_size(BLOG[:31]) == 0


@pytest.mark.parametrize(
    ("version", "size", "count", "length", "claimed"),
    [
        (1, 44, 1, 100, 44), (1, 44, 1, 44, 44), (1, 44, 1, 43, 43), (1, 43, 1, 100, 0),
        (1, 56, 2, 100, 56), (1, 55, 2, 100, 0), (1, 44, 0, 100, 0), (0, 44, 1, 100, 0),
        (2, 44, 1, 100, 0), (1, 44, 1, 32, 32), (1, 44, 1, 31, 0),
        (1, DEFAULT.file_size, 1, 100, 100), (1, DEFAULT.file_size + 1, 1, 100, 0),
        (1, DEFAULT.file_size, DEFAULT.parts, 100, 100),
        (1, DEFAULT.file_size, DEFAULT.parts + 1, 100, 0),
    ],
)  # fmt: skip
def test_the_size_that_a_header_claims(
    version: int, size: int, count: int, length: int, claimed: int
) -> None:
    """Of a container with so many parts, each with an offset of 4 bytes and a header of 8."""
    header = b"DXBC" + bytes(16) + struct.pack("<3I", version, size, count)
    assert claimed_size(header.ljust(length, b"\0")[:length]) == claimed
