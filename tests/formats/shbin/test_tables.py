"""Files of every known layout: read, written, as plain data, as spans."""

import struct

import pytest

import unshade
from tests.fixtures import shbin
from tests.formats.sizes import check_size_is_limited
from tests.model.schema_check import violations
from unshade import FormatError, LimitError, Limits, UnsupportedError
from unshade.formats.shbin import Dvlb, Dvoj, Shbin
from unshade.formats.shbin.dvoj import DvojShader
from unshade.formats.shbin.records import Label, Uniform
from unshade.programs.pica import Instruction
from unshade.wire.schema import json_schema

FILES = shbin.one_of_each()


def load(data: bytes) -> Shbin:
    shader = unshade.loads(data)
    assert isinstance(shader, Shbin)
    return shader


@pytest.mark.parametrize("name", FILES)
def test_a_file_round_trips_through_plain_data(name: str) -> None:
    data = FILES[name]
    shader = unshade.loads(data)
    plain = shader.to_data()
    assert shader.to_bytes() == data
    assert "layout" not in plain
    assert unshade.from_data(plain).to_bytes() == data
    assert unshade.from_yaml(unshade.to_yaml(shader)).to_bytes() == data


@pytest.mark.parametrize("name", FILES)
def test_every_byte_is_in_a_span(name: str) -> None:
    at = 0
    for span in unshade.loads(FILES[name]).spans():
        assert span.offset <= at
        at = max(at, span.offset + span.length)
    assert at == len(FILES[name])


@pytest.mark.parametrize("name", ["simple", "short", "named", "object"])
def test_plain_data_of_records_matches_the_schema(name: str) -> None:
    from unshade.wire.data import to_data

    shader = unshade.loads(FILES[name])
    assert isinstance(shader, Shbin | DvojShader)
    record = shader.record
    assert not violations(to_data(record), json_schema(type(record)))


def test_picasso_layout() -> None:
    """DVLB, DVLP, code, descriptors, DVLE, tables, names, and zeros to a multiple of four."""
    data = FILES["simple"]
    assert data[12:16] == b"DVLP"
    assert int.from_bytes(data[0x14:0x18], "little") == 0x28  # code, from the DVLP's start
    dvle = int.from_bytes(data[8:12], "little")
    assert dvle == 12 + 0x28 + 3 * 4 + 8
    assert data[dvle : dvle + 4] == b"DVLE"
    assert data.endswith(b"projection\0\0")
    assert len(data) % 4 == 0


def test_short_layout() -> None:
    """The DVLE header follows a DVLP header of 0x1c bytes; names of labels come first."""
    data = FILES["short"]
    assert data[0x28:0x2C] == b"DVLE"
    assert data.endswith(b"main\0endmain\0projection\0")
    shader = load(data)
    assert shader.short_header
    assert shader.to_data()["header"] == "short"


def test_uniforms_are_named_before_labels() -> None:
    assert FILES["labelled"].endswith(b"projection\0main\0endmain\0")
    assert load(FILES["labelled"]).padded is None


def test_a_file_truncated_after_its_last_name() -> None:
    shader = load(FILES["unpadded"])
    assert shader.padded is False
    assert shader.to_data()["padded"] is False


def test_trailing_bytes_are_kept_apart() -> None:
    assert load(FILES["trailing"]).trailing == b"\0more"


def test_an_odd_layout_is_kept() -> None:
    """Eight bytes between the program and the executable, and names in another order."""
    data = FILES["labelled"]
    dvle = int.from_bytes(data[8:12], "little")
    moved = bytearray(data[:dvle] + b"\1\2\3\4\5\6\7\x08" + data[dvle:])
    moved[8:12] = (dvle + 8).to_bytes(4, "little")
    shader = load(bytes(moved))
    assert shader.to_bytes() == moved
    plain = shader.to_data()
    assert plain["layout"]["fill"] == {f"0x{dvle:x}": "0102030405060708"}
    assert unshade.from_data(plain).to_bytes() == moved
    shader.dvles[0].main = 1
    moved[dvle + 8 + 8] = 1
    assert shader.to_bytes() == moved


def test_unsorted_names() -> None:
    shader = shbin.labelled()
    shader.dvles[0].symbols = ["endmain", "nobody", "main", "projection"]
    again = load(shader.to_bytes())
    assert again.dvles[0].symbols == ["endmain", "nobody", "main", "projection"]
    assert again.dvles[0].labels[0].symbol == "main"
    assert "layout" not in again.to_data()
    again.dvles[0].labels[0].symbol = "other"
    assert again.to_bytes().endswith(b"endmain\0nobody\0main\0projection\0other\0")


def test_a_wrong_size_of_names_is_kept() -> None:
    data = bytearray(FILES["labelled"])
    dvle = int.from_bytes(data[8:12], "little")
    data[dvle + 0x3C] -= 3
    shader = load(bytes(data))
    assert shader.dvles[0].symbol_size == data[dvle + 0x3C]
    assert shader.to_bytes() == data
    assert unshade.from_data(shader.to_data()).to_bytes() == data


def test_several_executables_may_be_one() -> None:
    data = bytearray(FILES["pair"])
    data[12:16] = data[8:12]
    shader = load(bytes(data))
    assert shader.dvles[0] is shader.dvles[1]
    assert shader.to_bytes() == data


@pytest.mark.parametrize(
    ("at", "value", "path"),
    [
        (4, 0x7FFFFFFF, "DVLB.dvles"),
        (8, 0xFFFFFFF0, "DVLB.dvles[0]"),
        (12, 0, "DVLP.magic"),
        (0x18, 0x10000, "DVLP.code"),
        (0x20, 0xFFFFFFFF, "DVLP.descriptors"),
    ],
)
def test_refusals_have_offset_and_path(at: int, value: int, path: str) -> None:
    data = bytearray(FILES["simple"])
    data[at : at + 4] = value.to_bytes(4, "little")
    with pytest.raises(FormatError) as caught:
        unshade.loads(data)
    assert caught.value.path == path
    assert caught.value.offset >= 4


def test_an_empty_table_may_stand_anywhere() -> None:
    data = bytearray(FILES["simple"])
    dvle = int.from_bytes(data[8:12], "little")
    data[dvle + 0x20 : dvle + 0x24] = b"\xff\xff\xff\xff"  # labels
    shader = load(bytes(data))
    assert shader.dvles[0].labels == []
    assert shader.to_bytes() == data
    assert unshade.from_data(shader.to_data()).to_bytes() == data


def test_limits() -> None:
    with pytest.raises(LimitError, match="parts"):
        unshade.loads(FILES["pair"], limits=Limits(parts=1))
    with pytest.raises(LimitError, match="instructions"):
        unshade.loads(FILES["pair"], limits=Limits(instructions=2))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"header": "tiny"}, "long or short"),
        ({"padded": 1}, "true or false"),
        ({"dvles": 3}, "expected a list"),
        ({"dvlp": 3}, "expected a mapping"),
        ({"dvlp": {"version": 0, "code": [{"op": "fly"}]}}, "unknown instruction"),
        ({"more": 1}, "unknown field"),
    ],
)
def test_invalid_plain_data_is_refused(change: dict[str, object], problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        unshade.from_data({**shbin.simple().to_data(), **change})


# -- the program ---------------------------------------------------------------------------------


def test_the_program_has_an_entry_for_each_executable() -> None:
    assert shbin.pair().program.entry_points == [("main", "vertex"), ("main1", "geometry")]
    assert load(FILES["labelled"]).program.entry_points == [("main", "vertex")]


def test_edits_of_the_program_are_written() -> None:
    shader = load(FILES["pair"])
    shader.program.instructions[0].dst = 0x11
    shader.program.descriptors[0].mask = 0x8
    again = load(shader.to_bytes())
    assert again.program.instructions[0].dst == 0x11
    assert again.program.descriptors[0].mask == 0x8


def test_entries_and_labels_move_with_the_code() -> None:
    shader = load(FILES["pair"])
    shader.dvles[1].labels = [Label(offset=3, symbol="gmain"), Label(offset=7, symbol="gend")]
    shader.program.insert(1, Instruction.make("nop"))
    shader.to_bytes()
    assert (shader.dvles[0].main, shader.dvles[0].end) == (0, 4)
    assert (shader.dvles[1].main, shader.dvles[1].end) == (4, 8)
    assert [label.offset for label in shader.dvles[1].labels] == [4, 8]
    assert shader.program.entry_points == [("main", "vertex"), ("gmain", "geometry")]


def test_edits_of_the_record_reach_the_program() -> None:
    shader = load(FILES["pair"])
    assert len(shader.program.instructions) == 7
    shader.dvles[0].end = 2
    assert shader.program.entries[0].end == 2
    shader.dvlp.code = shader.dvlp.code[:5]
    assert len(shader.program.instructions) == 5


# -- as a shader ---------------------------------------------------------------------------------


def test_parts_by_name() -> None:
    shader = load(FILES["pair"])
    assert list(shader) == ["DVLP", "DVLE"]
    assert shader["DVLP"] is shader.dvlp
    assert [part.value for part in shader.parts.all("DVLE")] == shader.dvles
    assert sum(part.size for part in shader.parts) <= len(FILES["pair"])
    with pytest.raises(unshade.UsageError, match="DVLP, DVLE"):
        shader["RDEF"]


def test_extents_of_a_short_file_are_interleaved() -> None:
    parts = load(FILES["short"]).parts
    assert len(parts["DVLP"].extents) == 2
    assert len(parts["DVLE"].extents) == 2


def test_paths_begin_with_part_names() -> None:
    one = [span.path for span in load(FILES["simple"]).spans()]
    two = [span.path for span in load(FILES["pair"]).spans()]
    assert {"DVLB.magic", "DVLP.code[0].opcode", "DVLE.outputs[0].mask"} <= set(one)
    assert {"DVLE[0].main", "DVLE[1].main", "DVLP.descriptors[0].swz1"} <= set(two)


@pytest.mark.fast
@pytest.mark.parametrize("gap", [0, 8])
def test_spans_of_the_program_are_where_its_tables_point(gap: int) -> None:
    """The words of code begin at the pointer at 0x14, those of descriptors at the one at 0x1c."""
    data = bytearray(FILES["simple"])
    code, words, table = struct.unpack_from("<3I", data, 0x14)
    count = int.from_bytes(data[0x20:0x24], "little")
    data[12 + table : 12 + table] = b"\xff" * gap
    for at in (8, 0x1C):  # the executable, and the descriptors before it
        (pointer,) = struct.unpack_from("<I", data, at)
        struct.pack_into("<I", data, at, pointer + gap)
    spans = load(bytes(data)).spans()
    for name, start, length in (
        ("DVLP.code[", 12 + code, 4 * words),
        ("DVLP.descriptors[", 12 + table + gap, 8 * count),
    ):
        found = [each for each in spans if each.path.startswith(name)]
        assert found, name
        assert {each.offset for each in found} <= set(range(start, start + length))
        for each in found:
            if each.bits is not None and isinstance(each.value, int):
                low, width = each.bits
                raw = int.from_bytes(data[each.offset : each.offset + each.length], "little")
                assert raw >> low & (1 << width) - 1 == each.value, each.path


def test_found_in_a_model() -> None:
    """A CGFX with two shaders, one of them cut off, and the magic alone."""
    model = b"CGFX" + bytes(28) + b"DVLB" + bytes(12) + FILES["pair"] + bytes(3) + FILES["object"]
    model += bytes(1) + FILES["short"] + b"tail" + FILES["simple"][:90]
    found = list(unshade.find(model))
    assert [(each.size, each.format) for each in found] == [
        (len(FILES["pair"]), "shbin"),
        (len(FILES["object"]), "dvoj"),
        (len(FILES["short"]), "shbin"),
    ]
    assert model[found[0].offset :].startswith(FILES["pair"])


def test_opened_at_an_offset(tmp_path: object) -> None:
    from io import BytesIO

    shader = unshade.open(BytesIO(bytes(7) + FILES["short"] + bytes(9)), offset=7)
    assert shader.to_bytes() == FILES["short"]


def test_extract_gives_code_and_executables() -> None:
    pieces = load(FILES["pair"]).extract()
    assert list(pieces) == ["code", "descriptors", "main.shbin", "main1.shbin"]
    assert len(pieces["code"]) == 7 * 4
    assert len(pieces["descriptors"]) == 4
    assert load(pieces["main1.shbin"]).dvles[0].main == 3


def test_sign_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="no digest"):
        shbin.simple().sign()


# -- objects -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["object", "object, other magic"])
def test_both_spellings_of_an_object(name: str) -> None:
    shader = unshade.loads(FILES[name])
    assert isinstance(shader, DvojShader)
    assert shader.format == "dvoj"
    assert isinstance(shader.record, Dvoj)
    assert ("magic" in shader.to_data()) is (name != "object")
    assert [line.line for line in shader.record.lines] == [10, 11, 12]


def test_objects_are_marked_experimental() -> None:
    found = unshade.loads(FILES["object"]).diagnostics
    assert [each.code for each in found] == ["shbin.experimental"]


def test_a_shader_from_scratch() -> None:
    shader = Shbin()
    shader.dvlp.code = shbin.words(*shbin.PASS)
    shader.dvlp.descriptors = shbin.descriptors(shbin.ALL)
    shader.dvles.append(shbin.vertex(uniforms=[Uniform(symbol="m", start=0x10, end=0x10)]))
    assert isinstance(shader.record, Dvlb)
    assert load(shader.to_bytes()).dvles == shader.dvles


def overlapping() -> bytes:
    """Return a file whose table of labels overlaps the header of the DVLE."""
    data = bytearray(shbin.named().to_bytes())
    dvle = data.index(b"DVLE")
    data[dvle + 0x20 : dvle + 0x24] = bytes(4)
    return bytes(data)


def test_tables_that_overlap_are_plain_data_as_bytes() -> None:
    data = overlapping()
    plain = load(data).to_data()
    assert plain == {"format": "shbin", "data": data.hex()}
    assert unshade.from_data(plain).to_bytes() == data
    with pytest.raises(FormatError, match="either data or fields"):
        unshade.from_data({**plain, "padded": True})


def test_tables_that_overlap_have_no_exact_text() -> None:
    with pytest.raises(FormatError, match=r"no exact text.*also belong to DVLE\.labels") as found:
        load(overlapping()).disassemble("exact")
    assert (found.value.offset, found.value.path) == (0x6C, "DVLE.magic")


def test_the_size_of_a_file_is_limited() -> None:
    check_size_is_limited(Shbin.loads, shbin.simple().to_bytes())
