"""Databases: shaders, edits, plain data, spans."""

import re
from collections import Counter
from pathlib import Path

import pytest

import unshade
from tests.corpus import REPOSITORY
from tests.fixtures.databases import application
from unshade import FormatError, UnsupportedError, UsageError
from unshade.formats.sodb import Sodb
from unshade.formats.sodb.database import DatabaseRow

DATA = application().data()
REFLECTION = ("reflection",)


@pytest.fixture
def file() -> Sodb:
    return Sodb.loads(DATA)


def versions(data: bytes) -> dict[bytes, int]:
    rows = Sodb.loads(data).tables["groups"]
    return {row.values["Key"]: row.values["Version"] for row in rows}


def test_shaders_are_opened_by_key(file: Sodb) -> None:
    assert list(file.shaders) == [b"saxpy.dxbc", b"skinning.dxbc", b"phong.dxbc", b"saxpy6.dxil"]
    for key in file.shaders:
        stored = REPOSITORY / "examples" / key.decode()
        assert file.shaders[key].to_bytes() == stored.read_bytes()
    assert b"other" not in file.shaders
    with pytest.raises(KeyError):
        file.shaders[b"other"]


def test_an_edit_keeps_rows_and_raises_the_versions_of_its_groups(file: Sodb) -> None:
    before = versions(DATA)
    shader = file.shaders[b"phong.dxbc"]
    shader.strip(*REFLECTION)
    data = file.to_bytes()
    assert versions(data) == {**before, b"pso2\0": 7, b"pso3\0": 8}
    again = Sodb.loads(data)
    assert again.shaders[b"phong.dxbc"].to_bytes() == file.shaders[b"phong.dxbc"].to_bytes()
    for name, rows in Sodb.loads(DATA).tables.items():
        if name not in ("groups", "shader_bytecode"):
            assert again.tables[name] == rows
    assert [row.rowid for row in again.tables["shader_bytecode"]] == [1, 2, 3, 4]
    assert file.to_bytes() == data  # once, however often it is written


def test_a_library_belongs_to_the_groups_of_its_state_object(file: Sodb) -> None:
    file.shaders[b"saxpy6.dxil"] = (REPOSITORY / "examples/saxpy.dxbc").read_bytes()
    assert versions(file.to_bytes()) == {b"pso1\0": 5, b"pso2\0": 6, b"pso3\0": 7, b"so": 2}


def test_collections_and_parents_count(file: Sodb) -> None:
    objects = file.tables["state_objects"]
    null = dict.fromkeys(objects[0].values)
    objects.append(DatabaseRow(2, {**null, "Key": b"child", "AddToStateObjectParent": b"\x01\x02"}))
    objects.append(DatabaseRow(3, {**null, "Key": b"user"}))
    pair = {"StateObjectKey": b"user", "ExistingStateObjectKey": b"child", "ExportKey": None}
    file.tables["so_to_existing_so_associations"].append(DatabaseRow(1, pair))
    group = {"Key": b"outer", "Version": 9, "PSOKey": None, "SOKey": b"user"}
    file.tables["groups"].append(DatabaseRow(9, group))
    again = Sodb.loads(file.to_bytes())
    again.shaders[b"saxpy6.dxil"] = b"not a shader"
    assert versions(again.to_bytes())[b"outer"] == 10


def test_a_version_that_the_user_sets_stays(file: Sodb) -> None:
    shader = file.shaders[b"saxpy.dxbc"]
    shader.strip(*REFLECTION)
    row = file.tables["groups"][0]
    row.values["Version"] = 40
    assert versions(file.to_bytes())[b"pso1\0"] == 40


def test_the_same_bytes_raise_no_version(file: Sodb) -> None:
    file.shaders[b"saxpy.dxbc"] = file.shaders[b"saxpy.dxbc"].to_bytes()
    assert file.to_bytes() == DATA


def test_shaders_are_neither_added_nor_removed(file: Sodb) -> None:
    with pytest.raises(KeyError):
        file.shaders[b"other"] = b""
    with pytest.raises(UsageError, match="cannot be removed"):
        del file.shaders[b"saxpy.dxbc"]
    with pytest.raises(UsageError, match="expected a shader or bytes, got 3"):
        file.shaders[b"saxpy.dxbc"] = 3  # type: ignore[assignment]


def test_bytecode_that_is_no_shader_is_named(file: Sodb) -> None:
    file.shaders[b"saxpy.dxbc"] = b"nothing"
    problem = r"shader_bytecode\[1\].Bytecode: expected a shader, got b'nothing'"
    with pytest.raises(UnsupportedError, match=problem):
        file.shaders[b"saxpy.dxbc"]


def test_plain_data_has_shaders_as_plain_data(file: Sodb) -> None:
    plain = file.to_data()
    first = plain["tables"]["shader_bytecode"][0]
    assert first["Key"] == "saxpy.dxbc"
    assert first["Bytecode"]["shader"] == file.shaders[b"saxpy.dxbc"].to_data()
    assert plain["tables"]["groups"][0] == {
        "rowid": 1, "Key": r"pso1\0", "Version": 5, "PSOKey": "state 1", "SOKey": None,
    }  # fmt: skip
    assert "arrangement" not in plain
    assert unshade.from_data(plain).to_bytes() == DATA


def test_another_arrangement_comes_back_through_plain_data() -> None:
    data = bytearray(DATA)
    data[24:28] = data[92:96] = (77).to_bytes(4, "big")  # written 77 times
    plain = Sodb.loads(bytes(data)).to_data()
    assert plain["arrangement"]["bytes"] == {"0x1b": "4d", "0x5f": "4d"}
    assert unshade.from_data(plain).to_bytes() == data
    plain["arrangement"]["built"] = "0" * 64  # of another version of SQLite
    assert Sodb.loads(unshade.from_data(plain).to_bytes()).tables == Sodb.loads(DATA).tables


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"page_size": 100}, "page_size: expected the size of a page, got 100"),
        ({"encoding": "x"}, "encoding: expected an encoding, got 'x'"),
        ({"tables": {"x": []}}, "tables: expected tables by name"),
        ({"tables": {"groups": 3}}, "tables.groups: expected a list of rows, got 3"),
        ({"tables": {"groups": [{}]}}, r"tables.groups\[0\]: expected rowid, Key, "),
        ({"other": 1}, "unknown field 'other'"),
        ({"arrangement": 1}, "arrangement: expected built, size and bytes"),
    ],
)
def test_malformed_plain_data_is_refused(
    file: Sodb, change: dict[str, object], problem: str
) -> None:
    with pytest.raises(FormatError, match=problem):
        unshade.from_data({**file.to_data(), **change})


def test_a_span_of_a_shader_lies_where_its_bytes_are(file: Sodb) -> None:
    """Pages of 512 bytes cut every shader into several runs."""
    shader = file.shaders[b"saxpy.dxbc"]
    whole = shader.to_bytes()
    inner: dict[str, Counter[int]] = {}
    for span in shader.spans():
        inner.setdefault(span.path, Counter()).update(whole[span.offset :][: span.length])
    lead = "shader_bytecode[1].Bytecode."
    pieces: dict[str, Counter[int]] = {}
    for span in file.spans():
        if span.path.startswith(lead):
            found = pieces.setdefault(span.path.removeprefix(lead), Counter())
            found.update(DATA[span.offset :][: span.length])
    assert pieces == inner


def test_nearly_every_byte_of_rows_is_in_a_named_field(file: Sodb) -> None:
    header = [span for span in file.spans() if span.path.startswith("header.")]
    assert sum(span.length for span in header) == 100
    named = {span.path for span in file.spans() if span.kind == "field"}
    for name, rows in file.tables.items():
        for row in rows:
            for column, value in row.values.items():
                path = re.escape(f"{name}[{row.rowid}].{column}")
                stored = value is not None and value not in (0, 1, b"", "")
                found = any(re.match(path, each) for each in named) if stored else True
                assert found, path


def test_a_log_beside_the_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.sodb"
    path.write_bytes(DATA)
    (tmp_path / "a.sodb-wal").write_bytes(b"")
    assert unshade.open(path).to_bytes() == DATA  # empty: nothing is missing
    for suffix in ("-wal", "-journal"):
        log = tmp_path / f"a.sodb{suffix}"
        log.write_bytes(b"x")
        for read in (unshade.open, Sodb.open):
            with pytest.raises(FormatError, match=f"expected no file .*a.sodb{suffix}"):
                read(path)
        log.unlink()


def test_opening_creates_no_file(tmp_path: Path) -> None:
    path = tmp_path / "a.sodb"
    data = bytearray(DATA)
    data[18:20] = b"\2\2"  # a write-ahead log is used
    path.write_bytes(data)
    file = unshade.open(path)
    file.verify()
    file.spans()
    assert [each.name for each in tmp_path.iterdir()] == ["a.sodb"]


def test_names_of_extracted_files_stay_in_the_folder(tmp_path: Path) -> None:
    from tests.cli.terminal import unshade as run

    made = application()
    made.add("shader_bytecode", "../../up", Bytecode=b"outside")
    made.add("shader_bytecode", "/etc/absolute", Bytecode=b"outside")
    path = tmp_path / "a.sodb"
    path.write_bytes(made.data())
    ended = run("extract", path, "-o", tmp_path / "out")
    assert ended.code == 0, ended.err
    written = [each for each in tmp_path.rglob("*") if each.is_file() and each != path]
    assert written
    assert all((tmp_path / "out") in each.parents for each in written)
    assert {each.read_bytes() for each in written} >= {b"outside"}


def test_a_database_has_neither_listing_nor_reflection(file: Sodb) -> None:
    for call in (file.disassemble, file.reflect):
        with pytest.raises(UnsupportedError, match="a database of 4 shaders has no"):
            call()
