"""Damaged files: intact parts are readable, damage is reported, and edits are refused."""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import unshade
from tests.fixtures import blog_vs_4_0 as blog
from tests.fixtures import shbin
from tests.fixtures.containers import container
from tests.fixtures.one_of_each import one_of_each
from unshade import DamagedError, FormatError, LimitError, Limits, Severity, Shader
from unshade.damaged import RULES, DamagedShader
from unshade.formats.dxcontainer import DxContainer
from unshade.isa.lexer import Kind

BLOG = blog.build()
CUT = BLOG[:600]  # in the program; RDEF, ISGN and OSGN stand before it
PAIR = shbin.pair().to_bytes()
WHOLE = {"blog": BLOG, **one_of_each(), **{f"shbin {k}": v for k, v in shbin.one_of_each().items()}}


def lenient(data: bytes, **options: Any) -> Any:
    return unshade.loads(data, strict=False, **options)


def whole_parts(shader: Shader) -> list[tuple[str, int, bytes]]:
    """Return name, offset and bytes of each part that can be read."""
    return [
        (part.name, part.offset, part.data)
        for part in shader.parts
        if (part.value, part.error)[1] is None
    ]


# ---------------------------------------------------------------- what is intact


@pytest.mark.parametrize("name", WHOLE)
def test_an_intact_file_is_the_same_shader(name: str) -> None:
    shader = lenient(WHOLE[name])
    assert type(shader) is type(unshade.loads(WHOLE[name]))
    assert shader.editable
    assert shader.damage is None
    assert shader.to_bytes() == WHOLE[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", WHOLE)
def test_truncation_keeps_exactly_the_complete_parts(name: str) -> None:
    data = WHOLE[name]
    parts = [
        (part.name, part.offset, part.data, max(end for _, end in part.extents))
        for part in unshade.loads(data).parts
    ]
    for size in range(4, len(data)):
        shader = lenient(data[:size])
        inside = [(name, offset, raw) for name, offset, raw, end in parts if end <= size]
        assert whole_parts(shader) == inside, size
        assert shader.to_bytes() == data[:size]


@pytest.mark.parametrize("size", range(4))
def test_data_without_a_magic_is_not_a_shader(size: int) -> None:
    with pytest.raises(FormatError, match="expected the magic of dxcontainer"):
        lenient(BLOG[:size])


def test_intact_parts_are_typed_and_damaged_ones_are_bytes() -> None:
    shader = lenient(CUT)
    assert [*shader] == ["RDEF", "ISGN", "OSGN", "SHDR"]
    assert shader["RDEF"].creator == blog.CREATOR
    assert shader["SHDR"] == CUT[448:]
    assert shader.get("STAT") is None
    assert shader.parts["SHDR"].error.path == "parts[3].size"
    assert shader.parts["ISGN"].error is None


def test_damage_is_the_strict_error() -> None:
    for data in (CUT, BLOG[:20], PAIR[:-40], PAIR[:30]):
        with pytest.raises(FormatError) as caught:
            unshade.loads(data)
        damage = lenient(data).damage
        assert isinstance(damage, FormatError)
        assert (str(damage), damage.offset) == (str(caught.value), caught.value.offset)


def test_all_damage_is_a_finding() -> None:
    shader = lenient(CUT)
    found = [(each.code, each.offset, each.path) for each in shader.diagnostics]
    assert found == [("file.malformed", 48, "parts[4]"), ("file.malformed", 444, "parts[3].size")]
    assert [str(each) for each in shader.verify()] == [str(each) for each in shader.diagnostics]
    assert all(each.code in RULES for each in shader.diagnostics)
    assert {rule.severity for rule in shader.rules().values()} == {Severity.ERROR}


def test_spans_cover_every_byte() -> None:
    for data in (CUT, BLOG[:20], PAIR[:-40], PAIR[:30], PAIR[:90]):
        at = 0
        for span in lenient(data).spans():
            assert span.offset <= at
            at = max(at, span.offset + span.length)
        assert at == len(data)


def test_the_listing_ends_where_the_code_does() -> None:
    *lines, ends, last = lenient(CUT).disassemble().splitlines()
    assert ends.startswith("// the code ends here: at 0x23c, SHDR.instructions[8].length")
    assert last.startswith("// the file is damaged: at 0x1bc, parts[3].size")
    assert lines == blog.LISTING.splitlines()[: len(lines)]
    assert lines[-1] == "mov r0.w, l(1.000000)"


def test_a_listing_of_intact_code_mentions_the_damage() -> None:
    text = lenient(BLOG[:-4]).disassemble()
    assert text.splitlines()[-1] == (
        "// the file is damaged: at 0x2d8, parts[4].size: expected 116 bytes for STAT, got 112"
    )
    assert "\nret \n" in text


def test_without_code_there_is_no_listing() -> None:
    with pytest.raises(FormatError, match="expected 76 bytes for ISGN, got 24"):
        lenient(BLOG[:300]).disassemble()
    with pytest.raises(DamagedError, match="cannot disassemble in the dialect 'exact'"):
        lenient(CUT).disassemble("exact")


def test_reflection_of_the_intact_parts() -> None:
    whole, found = unshade.loads(BLOG).reflect(), lenient(CUT).reflect()
    assert (found.stage, found.model) == (whole.stage, whole.model)
    assert found.constant_buffers[0].name == "$Globals"
    assert [each.semantic for each in found.inputs] == [each.semantic for each in whole.inputs]
    assert not found.complete
    assert any("SHDR" in note for note in found.notes)
    assert any("parts[4]" in note for note in found.notes)


def test_the_stage_comes_from_any_intact_part() -> None:
    found = lenient(CUT).identity()
    assert (found.stage, found.model) == ("vertex", "4.0")
    assert lenient(BLOG[:60]).identity().stage is None
    assert lenient(PAIR[:-40]).identity().stage == "vertex"


def test_the_lexer_takes_damaged_listings() -> None:
    for data in (CUT, PAIR[:-40]):
        shader = lenient(data)
        *lines, last = shader.disassemble().splitlines()
        assert any(kind == Kind.OPERATION for _, kind in shader.lexer().tokens("\n".join(lines)))
        assert [kind for _, kind in shader.lexer().tokens(last)] == [Kind.COMMENT]


def test_private_data_is_read() -> None:
    data = container([("PRIV", b"mine"), ("ISGN", b"12345678")])[:-2]
    assert lenient(data).private_data == b"mine"
    assert lenient(CUT).private_data is None


def test_intact_parts_can_be_extracted() -> None:
    found = lenient(CUT).extract()
    assert [*found] == ["RDEF", "ISGN", "OSGN", "SHDR.damaged"]
    assert found["RDEF"] == BLOG[60:268]
    assert found["SHDR.damaged"] == CUT[448:]


def test_info_is_of_the_intact_parts() -> None:
    found = unshade.info(lenient(CUT))
    assert found.digest is None
    assert [part.state for part in found.parts] == ["typed", "typed", "typed", "malformed"]
    assert [each.code for each in found.findings] == ["file.malformed"] * 2


# ---------------------------------------------------------------- what is refused


def stripped(shader: Any) -> object:
    return shader.strip("debug", "reflection")


def set_part(shader: Any) -> None:
    shader["RDEF"] = b""


def set_value(shader: Any) -> None:
    shader.parts["RDEF"].value = b""


def set_digest(shader: Any) -> None:
    shader.digest = bytes(16)


def set_trailing(shader: Any) -> None:
    shader.trailing = b"more"


def set_private_data(shader: Any) -> None:
    shader.private_data = b"mine"


def delete(shader: Any) -> None:
    del shader["RDEF"]


def delete_attribute(shader: Any) -> None:
    del shader.limits


CHANGES: list[Callable[[Any], object]] = [
    set_part, set_value, set_digest, set_trailing, set_private_data, delete, delete_attribute,
    stripped,
    lambda shader: shader.strippable(),
    lambda shader: shader.sign(),
    lambda shader: shader.rename("$Globals", "Globals"),
    lambda shader: shader.recount(),
    lambda shader: unshade.link([shader]),
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_changes_are_refused(change: Callable[[Any], object]) -> None:
    shader = lenient(CUT)
    with pytest.raises(DamagedError, match="damaged"):
        change(shader)
    assert shader.to_bytes() == CUT


def test_save_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DamagedError, match="cannot save: the file is damaged"):
        lenient(CUT).save(tmp_path / "a.cso")
    assert not list(tmp_path.iterdir())


def rename_creator(shader: Any) -> None:
    shader["RDEF"].creator = "somebody else"


def add_row(shader: Any) -> None:
    shader["ISGN"].elements.append(shader["ISGN"].elements[0])


@pytest.mark.parametrize("edit", [rename_creator, add_row])
def test_saving_an_edited_record_is_refused(edit: Callable[[Any], None]) -> None:
    shader = lenient(CUT)
    edit(shader)
    with pytest.raises(DamagedError, match=r"cannot write the edit of (RDEF|ISGN)"):
        shader.to_bytes()


def test_saving_an_edited_program_is_refused() -> None:
    shader = lenient(BLOG[:-4])
    (program,) = shader.programs
    assert shader.to_bytes() == BLOG[:-4]
    program.instructions.pop()
    with pytest.raises(DamagedError, match="cannot write the edit of SHDR"):
        shader.to_bytes()
    damaged = PAIR[:-40]
    pica = lenient(damaged)
    assert pica.to_bytes() == damaged
    pica.programs[0].instructions[0].word ^= 1
    with pytest.raises(DamagedError, match="cannot write the edit of DVLP"):
        pica.to_bytes()


def test_reading_is_not_an_edit() -> None:
    for data in (CUT, BLOG[:-4], PAIR[:-40]):
        shader = lenient(data)
        for part in shader.parts:
            assert part.value is part.value
        _ = shader.programs, shader.reflect(), shader.to_data()
        assert shader.to_bytes() == data


def test_methods_of_the_format_are_missing() -> None:
    shader = lenient(CUT)
    assert not hasattr(shader, "digest_kind")
    assert not hasattr(shader, "nonsense")
    with pytest.raises(DamagedError, match="no attribute 'digest_kind'"):
        shader.digest_kind  # noqa: B018
    with pytest.raises(AttributeError, match="nonsense"):
        shader.nonsense  # noqa: B018


def test_copies() -> None:
    shader = lenient(CUT)
    for again in (copy.deepcopy(shader), pickle.loads(pickle.dumps(shader))):
        assert again.to_bytes() == CUT
        assert str(again.damage) == str(shader.damage)
        assert again["RDEF"] == shader["RDEF"]


# ---------------------------------------------------------------- plain data


def test_plain_data_describes_the_damage() -> None:
    data = lenient(CUT).to_data()
    assert [*data][:2] == ["format", "damage"]
    assert {key: data["damage"][key] for key in ("offset", "path", "problem")} == {
        "offset": 444, "path": "parts[3].size", "problem": "expected 276 bytes for SHDR, got 152",
    }  # fmt: skip
    (broken,) = data["damage"]["parts"]
    assert (broken["name"], broken["offset"]) == ("SHDR", 440)
    assert bytes.fromhex(broken["data"]) == CUT[448:]
    assert [part["name"] for part in data["parts"]] == ["RDEF", "ISGN", "OSGN"]


@pytest.mark.parametrize("data", [CUT, PAIR[:-40], PAIR[:40], BLOG[:40], b"DVOJ"])
def test_plain_data_with_damage_is_refused(data: bytes) -> None:
    shader = lenient(data)
    with pytest.raises(FormatError, match="damaged file") as caught:
        unshade.from_data(shader.to_data())
    assert caught.value.path == "damage"
    with pytest.raises(FormatError, match="damaged file"):
        unshade.from_yaml(unshade.to_yaml(shader))


@pytest.mark.parametrize("data", [CUT, PAIR[:-40]])
def test_plain_data_without_damage_makes_a_shader(data: bytes) -> None:
    shader = lenient(data)
    plain = shader.to_data()
    del plain["damage"]
    made = unshade.from_data(plain)
    again = unshade.loads(made.to_bytes())
    assert again.damage is None
    intact = [part.name for part in shader.parts if part.error is None]
    assert [part.name for part in again.parts] == intact
    assert again.digest_state in ("retail", None)


# ---------------------------------------------------------------- damage that can be mended


def test_a_malformed_part_leaves_the_shader_editable() -> None:
    data = BLOG[:276] + b"\xff\xff\xff\xff" + BLOG[280:]  # rows of ISGN
    for strict in (True, False):
        shader = unshade.loads(data, strict=strict)
        assert isinstance(shader, DxContainer)
        assert isinstance(shader.damage, FormatError)
        assert shader.damage.path == "ISGN.elements"
        shader["ISGN"] = unshade.loads(BLOG)["ISGN"]
        assert shader.damage is None
        assert shader.to_bytes()[20:] == BLOG[20:]


def test_signing_repairs_a_wrong_size() -> None:
    data = BLOG[:24] + b"\0\0\1\0" + BLOG[28:]
    shader = unshade.loads(data)
    assert isinstance(shader.damage, FormatError)
    assert (shader.damage.offset, shader.damage.path) == (24, "size")
    shader.sign()
    assert shader.damage is None


# ---------------------------------------------------------------- limits


def test_an_exceeded_limit_is_damage() -> None:
    shader = lenient(BLOG, limits=Limits(parts=2))
    assert isinstance(shader.damage, LimitError)
    assert shader.damage.limit == "parts"
    assert [name for name, _, _ in whole_parts(shader)] == ["RDEF", "ISGN"]
    assert [each.code for each in shader.verify()] == ["file.limit"]
    assert shader.to_data()["damage"]["problem"].startswith("limit parts = 2")


def test_a_file_over_the_size_limit_is_not_read() -> None:
    with pytest.raises(LimitError, match="file_size = 100"):
        lenient(CUT, limits=Limits(file_size=100))


def test_limits_apply_to_intact_parts() -> None:
    shader = lenient(BLOG[:-4], limits=Limits(instructions=3))
    assert isinstance(shader.parts["SHDR"].value, bytes)
    assert isinstance(shader.parts["SHDR"].error, LimitError)
    assert shader.disassemble().splitlines()[-2].startswith("// the code ends here: limit")


# ---------------------------------------------------------------- files in files


def test_open_takes_damaged_files(tmp_path: Path) -> None:
    path = tmp_path / "a.cso"
    path.write_bytes(CUT)
    assert str(unshade.open(path, strict=False).damage) == str(lenient(CUT).damage)
    with pytest.raises(FormatError):
        unshade.open(path)


def test_open_at_an_offset_ends_where_the_header_says() -> None:
    broken = BLOG[:444] + b"\xff\xff\xff\xff" + BLOG[448:]
    shader = unshade.open(io.BytesIO(b"x" * 7 + broken + b"more"), offset=7, strict=False)
    assert shader.to_bytes() == broken
    assert shader["STAT"].instruction_count == blog.INSTRUCTIONS
    assert not shader.editable


def test_find_lists_damaged_ones_on_request() -> None:
    data = b"x" * 5 + CUT + BLOG + PAIR[:-40]
    start, last = 5 + len(CUT), 5 + len(CUT) + len(BLOG)
    assert [tuple(each) for each in unshade.find(data)] == [(start, len(BLOG), "dxcontainer")]
    found = list(unshade.find(data, strict=False))
    assert [tuple(each)[::2] for each in found] == [
        (5, "dxcontainer"), (start, "dxcontainer"), (last, "shbin"),
    ]  # fmt: skip
    first, second, third = found
    assert first.size == len(CUT)
    assert isinstance(first.damage, FormatError)
    assert isinstance(third.damage, FormatError)
    assert last < third.offset + third.size <= len(data)
    assert second.damage is None
    for each in found:
        shader = lenient(data[each.offset : each.offset + each.size])
        assert (shader.damage is None) == (each.damage is None)


def test_find_ends_a_damaged_shader_at_the_next() -> None:
    """The structure of the first reads, with bytes of the second in it; its digest does not fit."""
    cut = BLOG[:732]  # in STAT, which has no structure of its own
    assert [each.offset for each in unshade.find(cut + BLOG)] == [0]
    first, second = unshade.find(cut + BLOG, strict=False)
    assert (first.offset, first.size) == (0, 732)
    assert "another shader begins inside" in str(first.damage)
    assert (second.offset, second.size, second.damage) == (732, len(BLOG), None)


@pytest.mark.parametrize(
    "data",
    [
        b"DXBC",
        b"DXBC" + bytes(60),
        b"DXBC" + bytes(16) + b"\1\0\0\0" + b"\xff" * 40,
        b"DVLB\2\0\0\0" + bytes(60),
        b"DVOJ" + bytes(3) + b"\1" * 60,
    ],
)
def test_find_ignores_a_bare_magic(data: bytes) -> None:
    assert list(unshade.find(b"x" + data, strict=False)) == []


def test_a_format_without_salvage_returns_the_bytes() -> None:
    class Toy(Shader):
        format = "toy"

    shader = DamagedShader(Toy, b"TOY!1234", FormatError("odd", offset=4, path="body"), Limits())
    assert (shader.format, shader.comment) == ("toy", "//")
    assert list(shader.parts) == []
    assert shader.to_bytes() == b"TOY!1234"
    assert [(each.offset, each.length) for each in shader.spans()] == [(0, 8)]
    assert [each.path for each in shader.diagnostics] == ["body"]
    assert shader.extract() == {}
    assert shader.to_data() == {
        "format": "toy",
        "damage": {"offset": 4, "path": "body", "problem": "odd", "parts": []},
    }
    with pytest.raises(FormatError, match="odd"):
        shader.disassemble()
    with pytest.raises(unshade.UnsupportedError):
        shader.reflect()
    assert unshade.info(shader).format == "toy"
