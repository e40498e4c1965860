"""Shaders of every family, raw and packed in every way, are found and cut exactly."""

import gzip
import zlib
from functools import cache

import pytest

import unshade
from tests.archives.packing import PACKS, around, contents, lz4_frame, zstandard
from tests.contract.samples import Sample, ending, samples
from tests.examples import EXAMPLES
from unshade import formats
from unshade.errors import UnsupportedError
from unshade.search import PathStep

PHONG = (EXAMPLES / "phong.dxbc").read_bytes()
SAXPY = (EXAMPLES / "saxpy.dxbc").read_bytes()


def is_whole(sample: Sample) -> bool:
    """Return whether the sample is one intact shader."""
    if ending(sample.data) != len(sample.data):
        return False
    shader = unshade.loads(sample.data)
    return shader.damage is None and all(each.severity != "error" for each in shader.diagnostics)


@cache
def one_of_each_format() -> dict[str, Sample]:
    """Return an intact shader for each name of a format."""
    found: dict[str, Sample] = {}
    for each in samples():
        if each.format.name not in found and is_whole(each):
            found[each.format.name] = each
    return found


def test_there_is_a_sample_of_each_format() -> None:
    assert one_of_each_format().keys() == {each.name for each in formats.own()}


@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.parametrize("name", [each.name for each in formats.own()])
def test_a_shader_is_found_in_packed_data(name: str, pack: str) -> None:
    sample = one_of_each_format()[name]
    data = around(PACKS[pack](around(sample.data)))
    found, *_ = unshade.find(data)
    assert found.data == sample.data
    assert found.format == name
    assert bool(found.steps) == (pack != "raw")


@pytest.mark.slow
@pytest.mark.parametrize("outer", PACKS)
@pytest.mark.parametrize("inner", PACKS)
def test_a_shader_is_found_two_levels_deep(inner: str, outer: str) -> None:
    for sample in one_of_each_format().values():
        data = around(PACKS[outer](around(PACKS[inner](around(sample.data)))))
        assert contents([*unshade.find(data)])[:1] == [sample.data], sample.name


@pytest.mark.slow
def test_every_sample_is_found_at_the_start_of_a_stream() -> None:
    for sample in filter(is_whole, samples()):
        found = contents([*unshade.find(zlib.compress(sample.data))])
        assert found[:1] == [sample.data], sample.name
        assert len(found) == 1 or sample.format.stores_pipelines, sample.name


def test_the_path_leads_to_the_shader() -> None:
    inner = b"\x01" * 64 + SAXPY
    data = bytes(0x1F00) + zstandard.compress(inner)
    (found,) = unshade.find(data)
    assert found.path == "zstd@0x1f00!dxbc@0x40"
    assert found.steps == (PathStep("zstd", 0x1F00),)
    assert (found.offset, found.size, found.format) == (64, len(SAXPY), "dxcontainer")
    assert (found.stage, found.profile, found.name) == ("compute", "cs_5_0", None)
    assert found.hash == "adb128daef8bb583b1fec518a72c80ce693ad458ae1a5ca75c206b41a8689989"
    assert found.open().to_bytes() == SAXPY


def test_a_file_of_an_archive_is_part_of_the_path() -> None:
    (found,) = unshade.find(b"MZ" + PACKS["zip"](b"xyz" + SAXPY))
    assert found.path == "zip@0x2/shaders/sky.bin!dxbc@0x3"


def test_what_is_found_is_in_the_order_of_the_data() -> None:
    data = PHONG + zlib.compress(SAXPY + gzip.compress(PHONG)) + SAXPY
    assert contents([*unshade.find(data)]) == [PHONG, SAXPY, PHONG, SAXPY]


@pytest.mark.parametrize("pack", ["gzip", "bzip2", "xz", "zstd", "lz4"])
def test_streams_that_follow_each_other_are_one_file(pack: str) -> None:
    """A shader may lie across the streams; each path counts from the stream it begins in."""
    one = PACKS[pack]
    first, second = one(b"ab" + SAXPY[:100]), one(SAXPY[100:] + b"cde" + PHONG)
    across, inside = unshade.find(b"pak" + first + second)
    assert contents([across, inside]) == [SAXPY, PHONG]
    assert (across.steps[0].offset, across.offset) == (3, 2)
    assert inside.steps[0].offset == 3 + len(first)
    assert inside.offset == len(SAXPY) - 100 + 3


def test_a_stream_that_is_cut_or_wrong_is_none() -> None:
    for pack, one in PACKS.items():
        if pack != "raw" and not pack.startswith("zip"):
            data = one(b"some text " * 9 + SAXPY)
            found = [step.name for each in unshade.find(data[:-1]) for step in each.steps]
            assert found in ([], ["lz4-block"]), pack  # the block in the frame is whole


def test_a_library_that_is_missing_is_named_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for name in ("zstandard", "lz4", "lz4.frame"):
        monkeypatch.setitem(sys.modules, name, None)
    found = unshade.find(zstandard.compress(SAXPY) + PHONG + lz4_frame.compress(b"text"))
    assert next(found).data == PHONG
    with pytest.raises(UnsupportedError, match=r"a frame of Zstandard needs zstandard: .*\[find\]"):
        next(found)


def test_damage_inside_of_an_archive() -> None:
    cut = PHONG[:2000] + SAXPY
    damaged, intact = unshade.find(b"x" + zlib.compress(cut), strict=False)
    assert damaged.damage is not None
    assert damaged.size == 2000
    assert intact.data == SAXPY
    assert [each.data for each in unshade.find(zlib.compress(cut))] == [cut[: len(PHONG)]]


def test_shaders_of_a_database_follow_it() -> None:
    """A blob of SQLite may lie in pieces, so that the database has to be read."""
    (sample,) = [each for each in one_of_each_format().values() if each.format.stores_pipelines]
    found = [*unshade.find(b"pak" + gzip.compress(sample.data))]
    assert found[0].data == sample.data
    inside = unshade.loads(sample.data).extract()
    assert [each.data for each in found[1:]] == [*inside.values()]
    name = next(iter(inside))
    assert found[1].path == f"gzip@0x3!{found[0].suffix}@0x0/{name}!dxbc@0x0"
    with pytest.raises(UnsupportedError, match="what is inside cannot be put back"):
        unshade.put_back(sample.data, {found[1].path.partition("!")[2]: found[1].data})
