"""SkSL binary files."""

import pytest

import unshade
from tests.formats.sizes import check_size_is_limited
from tests.programs.sksl.samples import empty, indexed, one_of_each, tinted
from unshade.errors import FormatError, LimitError, UnsupportedError
from unshade.formats.sksl import SkslShader
from unshade.formats.sksl.about import SKSL, is_sksl
from unshade.limits import Limits

FILES = one_of_each()


@pytest.mark.parametrize("name", FILES)
def test_files_come_back(name: str) -> None:
    data = FILES[name]
    assert is_sksl(data)
    shader = SkslShader.loads(data)
    assert shader.to_bytes() == data
    assert SkslShader.from_data(shader.to_data()).to_bytes() == data
    assert SkslShader.measure(data + b"more") == len(data)
    assert sum(each.length for each in shader.spans()) == len(data)
    assert not shader.verify()


def test_every_byte_has_a_name() -> None:
    shader = SkslShader.loads(FILES["tinted"])
    found = [(each.path, each.value) for each in shader.spans()]
    assert found[:4] == [
        ("version", 11), ("pool_size", len(shader.record.pool)),
        ("strings[0].size", 4), ("strings[0]", "tint"),
    ]  # fmt: skip
    paths = dict(found)
    assert paths["program.symbols.owned[0].command"] == "Variable"
    assert paths["program.symbols.owned[0].name"] == "tint"
    assert paths["program.elements.end"] == "ElementsComplete"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x0b\0\0\0",
        b"\x0b\0\x02\0\x05a\x2b",  # the string is longer than the pool
        b"\x0b\0\0\0\x01",  # the first command is no program
        b"\x63\0\0\0\x2b",
    ],
)
def test_other_data(data: bytes) -> None:
    assert not is_sksl(data)


def test_errors_have_offsets_in_the_file() -> None:
    data = FILES["empty"]
    with pytest.raises(FormatError, match=r"at 0x5, program\.kind: expected 0 to 10, got 99"):
        SkslShader.loads(data[:5] + b"\x63" + data[6:])
    with pytest.raises(FormatError, match="at 0x0, version: expected 2 bytes"):
        SkslShader.loads(b"\x0b")
    with pytest.raises(UnsupportedError, match="version 9 is not supported"):
        SkslShader.loads(b"\x09" + data[1:])
    with pytest.raises(LimitError, match="file_size"):
        SkslShader.loads(data, Limits(file_size=4))


def test_findings_have_offsets_in_the_file() -> None:
    data = FILES["empty"]
    grown = SkslShader.loads(data[:2] + b"\x05\0\x04idle" + data[4:])
    (found,) = grown.verify()
    assert (found.code, found.path) == ("sksl.pool", "program")
    (loss,) = grown.strippable()
    assert (loss.size, loss.category) == (5, "debug")
    assert grown.strip() == [loss]
    assert grown.to_bytes() == data
    assert grown.strippable() == []


def test_bytes_after_the_program_are_kept() -> None:
    shader = SkslShader.loads(FILES["empty"] + b"more")
    assert shader.trailing == b"more"
    assert shader.to_bytes() == FILES["empty"] + b"more"
    assert SkslShader.from_data(shader.to_data()).trailing == b"more"


def test_reflection() -> None:
    found = SkslShader(tinted()).reflect()
    assert (found.stage, found.model, found.profile) == ("pixel", "100", "runtime_shader")
    assert found.functions == ["half4 main(float2 p)"]
    (place,) = found.inputs
    assert (place.semantic, place.component_type, place.components) == ("p", "float32", "xy")
    assert found.outputs[0].component_type == "float16"
    assert SkslShader(empty()).identity().entry_point is None


def test_a_damaged_file_shows_what_stands_before_the_damage() -> None:
    data = FILES["tinted"]
    with pytest.raises(FormatError):
        SkslShader.loads(data[:-3])
    remains = SkslShader.salvage(data[:-3])
    paths = [each.path for each in remains.spans()]
    assert "strings[0]" in paths
    assert "program.symbols.owned[0].name" in paths


def test_a_nested_file_is_refused() -> None:
    pool, stream = indexed(1).encoded()
    deep = stream.replace(bytes([42, 1]), bytes([42, 1]) * 10_000)
    data = b"\x0b\0" + len(pool).to_bytes(2, "little") + pool + deep
    with pytest.raises(LimitError, match="limit nesting = 128 exceeded"):
        SkslShader.loads(data)


def test_the_description() -> None:
    assert SKSL.recognises(FILES["empty"])
    assert not unshade.formats.identify(b"\x0b\0\0\0")


def test_the_size_of_a_file_is_limited() -> None:
    check_size_is_limited(SkslShader.loads, next(iter(FILES.values())))
