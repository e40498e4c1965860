"""SHBIN files with one thing wrong: program and executables are read by themselves."""

from __future__ import annotations

import struct
from typing import Any

import pytest

import unshade
from tests.fixtures import shbin
from tests.hostile.big_shbin import many_executables
from unshade import FormatError, Limits
from unshade.formats.shbin import Shbin
from unshade.formats.shbin.salvage import claimed_size

PAIR = shbin.pair().to_bytes()
DVLP = 16
FIRST, SECOND = struct.unpack_from("<2I", PAIR, 8)


def with_word(at: int, value: int, data: bytes = PAIR) -> bytes:
    return data[:at] + struct.pack("<I", value) + data[at + 4 :]


def lenient(data: bytes, **options: Any) -> Any:
    shader = unshade.loads(data, strict=False, **options)
    assert not shader.editable
    assert shader.to_bytes() == data
    return shader


def states(shader: Any) -> list[tuple[str, int, bool]]:
    return [(part.name, part.offset, part.error is None) for part in shader.parts]


@pytest.mark.parametrize(("bad", "good"), [(FIRST, SECOND), (SECOND, FIRST)])
def test_one_executable_is_malformed(bad: int, good: int) -> None:
    shader = lenient(with_word(bad + 0x2C, 0x7FFF_FFFF))  # number of outputs
    assert states(shader) == sorted(
        [("DVLP", DVLP, True), ("DVLE", good, True), ("DVLE", bad, False)], key=lambda p: p[1]
    )
    number = int(bad == SECOND)
    assert shader.damage.path == f"DVLE[{number}].outputs"
    whole = unshade.loads(PAIR)
    assert isinstance(whole, Shbin)
    typed = [part.value for part in shader.parts if part.error is None]
    assert typed == [whole.dvlp, whole.dvles[1 - number]]
    ((_, stage),) = shader.programs[0].entry_points
    assert stage == whole.programs[0].entry_points[1 - number].stage
    assert "mov o0, v0" in shader.disassemble() or "emit" in shader.disassemble()
    assert len(shader.reflect().outputs) == 1


def test_executables_survive_a_malformed_program() -> None:
    shader = lenient(with_word(DVLP + 0xC, 0x7FFF_FFFF))  # words of code
    assert states(shader) == [("DVLP", DVLP, False), ("DVLE", FIRST, True), ("DVLE", SECOND, True)]
    assert shader.parts[1].value.uniforms[0].symbol == "projection"
    with pytest.raises(FormatError, match="bytes for 2147483647 items"):
        shader.disassemble()
    assert [*shader.extract()] == ["DVLP.damaged"]
    assert shader.to_data()["dvles"][0]["uniforms"][0]["symbol"] == "projection"


def test_instructions_before_the_damage_are_named() -> None:
    data = PAIR[: DVLP + 0x28 + 14]  # three instructions and a half
    shader = lenient(data)
    opcodes = [(span.path, span.value) for span in shader.spans() if span.path.endswith(".opcode")]
    assert opcodes == [
        ("DVLP.code[0].opcode", "mov"), ("DVLP.code[1].opcode", "mov"),
        ("DVLP.code[2].opcode", "end"),
    ]  # fmt: skip
    assert shader.spans()[-1].path == "DVLP.unread"


@pytest.mark.parametrize("offset", [0, 3, FIRST + 4, 0x7FFF_FFFF, 0xFFFF_FFFF])
def test_an_offset_of_no_executable(offset: int) -> None:
    shader = lenient(with_word(12, offset))
    assert states(shader) == [("DVLP", DVLP, True), ("DVLE", FIRST, True)]
    (error,) = [each for each in shader.diagnostics if each.offset == 12]
    assert error.path in ("DVLB.dvles[1]", "DVLE[1].magic")


def test_executables_after_an_offset_of_none() -> None:
    shader = lenient(with_word(8, 3))
    assert states(shader) == [("DVLP", DVLP, True), ("DVLE", SECOND, True)]
    twice = lenient(with_word(8, SECOND, with_word(SECOND + 0x2C, 0x7FFF_FFFF)))
    assert states(twice) == [("DVLP", DVLP, True), ("DVLE", SECOND, False)]


@pytest.mark.parametrize("count", [0, 1, 3, 0xFFFF_FFFF])
def test_a_count_that_is_wrong(count: int) -> None:
    """The program tells where the offsets end."""
    shader = lenient(with_word(4, count))
    assert [each for _, _, each in states(shader)] == [True] * 3
    assert {span.value for span in shader.spans() if span.path == "DVLB.dvle_count"} == {count}


def test_an_executable_without_a_program() -> None:
    shader = lenient(PAIR[:16] + b"XXXX" + PAIR[20:])
    assert [name for name, _, _ in states(shader)] == ["DVLE", "DVLE"]
    assert [each.path for each in shader.diagnostics] == ["DVLP.magic"]
    with pytest.raises(FormatError, match="expected DVLP"):
        shader.disassemble()


@pytest.mark.parametrize("make", [shbin.short, shbin.labelled, shbin.named])
def test_the_layout_of_each_writer(make: Any) -> None:
    data = make().to_bytes()
    whole = unshade.loads(data)
    shader = lenient(data[:-9])
    assert states(shader)[0][::2] == ("DVLP", True)
    assert shader.parts["DVLP"].value == whole["DVLP"]


def test_an_object_is_one_part() -> None:
    data = shbin.object_file().to_bytes()
    shader = lenient(data[:150])
    (part,) = shader.parts
    assert (part.name, part.value, part.offset) == ("DVOJ", data[:150], 0)
    paths = [span.path for span in shader.spans()]
    assert "DVOJ.constants[0].id" in paths
    assert list(shader.programs) == []


def test_a_malformed_executable_of_many_offsets_is_one_part() -> None:
    data = many_executables(2000)
    count = int.from_bytes(data[4:8], "little")
    (offset,) = set(struct.unpack_from(f"<{count}I", data, 8))
    shader = lenient(with_word(offset + 0x2C, 0x7FFF_FFFF, data))
    assert states(shader) == [("DVLP", 8 + 4 * count, True), ("DVLE", offset, False)]


def test_limits() -> None:
    shader = lenient(PAIR, limits=Limits(instructions=2))
    assert [each for _, _, each in states(shader)] == [False, True, True]
    assert [each.code for each in shader.diagnostics] == ["file.limit"]
    assert len(lenient(PAIR, limits=Limits(parts=1)).parts) == 2


def test_find_recognises_damaged_files() -> None:
    assert 0 < claimed_size(Shbin, PAIR[:-20]) <= len(PAIR) - 20
    assert claimed_size(Shbin, with_word(4, 3)) == 0
    assert claimed_size(Shbin, b"DVLB") == 0


OBJECT = shbin.object_file().to_bytes()


def test_find_lists_a_damaged_object() -> None:
    for data in (OBJECT[:-8], OBJECT[:-40], with_word(0x4C, 0x7FFF_FFFF, OBJECT)):
        at, size, kind = (found := next(unshade.find(b"pack" + data, strict=False)))
        assert (at, kind) == (4, "dvoj")
        assert 0 < size <= len(data)
        assert isinstance(found.damage, FormatError)
        assert not list(unshade.find(b"pack" + data))


@pytest.mark.parametrize(
    "data",
    [
        OBJECT[:0x57],
        with_word(0x20, 0x54, OBJECT[:-8]),
        with_word(0x20, 0x59, OBJECT[:-8]),
        with_word(0x24, 0, OBJECT[:-8]),
        with_word(0x24, 0x7FFF_FFFF, OBJECT[:-8]),
        OBJECT[:6] + b"\2" + OBJECT[7:-8],
        b"the magic is DVOJ, and this is the text that says so. " * 3,
    ],
)
def test_find_ignores_implausible_object_headers(data: bytes) -> None:
    assert not list(unshade.find(data, strict=False))
