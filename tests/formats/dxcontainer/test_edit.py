"""Parts are stripped, moved and attached, and sizes, offsets and the digest follow."""

# ruff: noqa: B005  (what is stripped here is no text)

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.fixtures import blog_vs_4_0 as blog
from tests.fixtures.containers import container
from unshade.errors import UsageError
from unshade.formats.dxcontainer import DigestKind, DxContainer, DxPart
from unshade.programs.tpf import Program
from unshade.shader import Shader
from unshade.stripping import STRIPPABLE, Loss


def names(shader: DxContainer) -> list[str]:
    return [part.name for part in DxContainer.loads(shader.to_bytes()).parts]


def load(*parts: str) -> DxContainer:
    tokenized = "DXIL" not in parts  # what STAT beside it holds begins as DXIL does
    data = {"STAT": bytes(8) if tokenized else b"\0" * 8 + b"DXIL"}
    return DxContainer.loads(container([(n, data.get(n, n.encode() * 2)) for n in parts]))


# ---------------------------------------------------------------- strip

EVERYTHING = ("RDEF", "SHDR", "STAT", "SPDB", "SDBG", "RTS0", "SFI0", "PRIV")


@pytest.mark.parametrize(
    ("categories", "gone"),
    [
        ((), {"SPDB", "SDBG"}),
        (("debug",), {"SPDB", "SDBG"}),
        (("reflection",), {"RDEF"}),
        (("statistics",), {"STAT"}),
        (("private",), {"PRIV"}),
        (("root-signature",), {"RTS0"}),
        (("reflection", "statistics"), {"RDEF", "STAT"}),
        (("all",), {"RDEF", "STAT", "SPDB", "SDBG", "RTS0", "PRIV"}),
    ],
)
def test_strip(categories: tuple[str, ...], gone: set[str]) -> None:
    shader = load(*EVERYTHING)
    could = shader.strippable(*categories) if categories else shader.strippable("debug")
    assert names(shader) == list(EVERYTHING)
    lost = shader.strip(*categories)
    assert lost == could
    assert {loss.part for loss in lost} == gone
    assert all(loss.size == 8 and loss.meaning for loss in lost)
    assert names(shader) == [name for name in EVERYTHING if name not in gone]
    assert DxContainer.loads(shader.to_bytes()).digest_kind is DigestKind.RETAIL
    assert shader.strip(*categories) == []


def test_every_category_can_be_stripped() -> None:
    assert {loss.category for loss in load(*EVERYTHING).strippable()} == set(STRIPPABLE)


def test_dxil_keeps_its_reflection_in_stat() -> None:
    shader = load("DXIL", "ILDB", "ILDN", "STAT", "HASH", "PSV0", "ISG1", "VERS")
    assert [loss.category for loss in shader.strippable()] == ["debug", "debug", "reflection"]
    shader.strip("all")
    assert names(shader) == ["DXIL", "HASH", "PSV0", "ISG1", "VERS"]


@pytest.mark.parametrize("parts", [("RTS0",), ("ILDB", "HASH", "SRCI"), ()])
def test_a_file_without_a_program_keeps_its_parts(parts: tuple[str, ...]) -> None:
    shader = load(*parts)
    assert shader.strip("all") == []
    assert names(shader) == list(parts)


def test_unknown_categories() -> None:
    shader = load("SHDR", "RDEF")
    for call in (shader.strip, shader.strippable):
        with pytest.raises(UsageError, match="unknown category 'names': expected one of debug"):
            call("names")


def test_strip_of_a_format_without_parts() -> None:
    class Notes(Shader):
        format = "notes"

        def __init__(self) -> None:
            self.comments = 3

        def _losses(self) -> list[Loss]:
            return [Loss("comments", self.comments, "debug", "remarks")] if self.comments else []

        def _strip(self, lost: Sequence[Loss]) -> None:
            if lost:
                self.comments = 0

    shader = Notes()
    assert shader.strip("reflection") == []
    assert [loss.part for loss in shader.strippable()] == ["comments"]
    assert [loss.size for loss in shader.strip()] == [3]
    assert shader.comments == 0
    assert Shader().strip() == []


def test_a_wrong_digest_is_kept() -> None:
    data = container([("SHDR", b""), ("STAT", bytes(4))], kind=bytes(range(16)))
    shader = DxContainer.loads(data)
    shader.strip("statistics")
    assert shader.to_bytes()[4:20] == bytes(range(16))


# ---------------------------------------------------------------- moving


@pytest.mark.parametrize(
    ("part", "index", "wanted"),
    [
        ("STAT", 0, ["STAT", "RDEF", "SHDR"]),
        ("RDEF", -1, ["SHDR", "STAT", "RDEF"]),
        (0, 1, ["SHDR", "RDEF", "STAT"]),
        (1, 1, ["RDEF", "SHDR", "STAT"]),
    ],
)
def test_move(part: int | str, index: int, wanted: list[str]) -> None:
    shader = load("RDEF", "SHDR", "STAT")
    shader.parts.move(part, index)
    assert names(shader) == wanted
    assert DxContainer.loads(shader.to_bytes()).digest_kind is DigestKind.RETAIL


def test_parts_are_a_list() -> None:
    shader = load("RDEF", "SHDR", "STAT")
    shader.parts.sort(key=lambda part: part.name, reverse=True)
    assert names(shader) == ["STAT", "SHDR", "RDEF"]
    shader.parts.reverse()
    shader.parts[1] = DxPart("XNAP", b"1234")
    assert names(shader) == ["RDEF", "XNAP", "STAT"]


def test_move_of_an_unknown_part_is_refused() -> None:
    shader = load("RDEF", "SHDR")
    with pytest.raises(UsageError, match="no part 'STAT': expected one of RDEF, SHDR"):
        shader.parts.move("STAT", 0)
    for index in (2, -3, "0"):
        with pytest.raises(UsageError, match=r"expected an index of one of 2 parts"):
            shader.parts.move("RDEF", index)  # type: ignore[arg-type]


def test_the_tables_order() -> None:
    """It is the file's, unless one is given; given, it lasts until the parts are rearranged."""
    shader = load("RDEF", "SHDR", "STAT")
    shader.order = [2, 0, 1]
    again = DxContainer.loads(shader.to_bytes())
    assert (again.order, names(again)) == ([2, 0, 1], ["RDEF", "SHDR", "STAT"])
    again.parts[0] = DxPart("ISGN", b"")
    assert DxContainer.loads(again.to_bytes()).order == [2, 0, 1]
    again.parts.move("STAT", 0)
    assert DxContainer.loads(again.to_bytes()).order is None


# ---------------------------------------------------------------- private data


def test_private_data() -> None:
    shader = load("RDEF", "SHDR")
    assert shader.private_data is None
    shader.private_data = b"13 bytes long"
    assert names(shader) == ["RDEF", "SHDR", "PRIV"]
    shader["STAT"] = bytes(4)
    assert names(shader) == ["RDEF", "SHDR", "STAT", "PRIV"]
    shader.private_data = b"other"
    again = DxContainer.loads(shader.to_bytes())
    assert again.private_data == b"other"
    assert not [each for each in again.verify() if each.code == "part.private-last"]
    again.private_data = None
    assert names(again) == ["RDEF", "SHDR", "STAT"]


def test_private_data_moves_to_the_end() -> None:
    shader = load("PRIV", "SHDR")
    shader.private_data = b"x"
    assert names(shader) == ["SHDR", "PRIV"]


@pytest.mark.parametrize("value", ["text", 5, []])
def test_private_data_are_bytes(value: object) -> None:
    shader = load("SHDR", "PRIV")
    with pytest.raises(UsageError, match="private data: expected bytes"):
        shader.private_data = value  # type: ignore[assignment]
    assert shader.private_data == b"PRIVPRIV"


def test_saved_edits(tmp_path: Path) -> None:
    shader = DxContainer.loads(blog.build())
    shader.private_data = b"by hand"
    shader.strip("reflection")
    shader.save(tmp_path / "edited.dxbc")
    again = DxContainer.loads((tmp_path / "edited.dxbc").read_bytes())
    assert again.digest_kind is DigestKind.RETAIL
    assert "RDEF" not in again
    assert again.private_data == b"by hand"


# ---------------------------------------------------------------- parts made from plain data


def test_an_untouched_part_is_not_encoded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    data = blog.build()
    made = DxContainer.from_data(DxContainer.loads(data).to_data())

    def refuse(_: object) -> bytes:
        raise AssertionError

    monkeypatch.setattr(Program, "encode", refuse)
    assert made.to_bytes() == data


def test_an_edit_of_a_part_from_plain_data_is_written() -> None:
    made = DxContainer.from_data(DxContainer.loads(blog.build()).to_data())
    del made["SHDR"].instructions[-1]
    again = DxContainer.loads(made.to_bytes())
    assert again["SHDR"].instructions == made["SHDR"].instructions
