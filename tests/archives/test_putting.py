"""Edited shaders are put back, and the copy is read by the archive's own library."""

import bz2
import gzip
import io
import lzma
import random
import re
import struct
import zipfile
import zlib
from collections.abc import Callable

import pytest

import unshade
from tests.archives.packing import PACKS, around, lz4_frame, zipped, zstandard
from tests.examples import EXAMPLES
from unshade import put_back
from unshade.archives.archive import ArchivePlace
from unshade.archives.budget import UnpackBudget
from unshade.archives.lz4_block_writing import lengthened, parse, write
from unshade.archives.zip import zip_archive
from unshade.archives.zip_writing import put
from unshade.errors import FormatError, UnsupportedError, UsageError
from unshade.limits import DEFAULT, Limits

lz4_block = pytest.importorskip("lz4.block")

NAMES = [
    "phong.dxbc", "saxpy.dxbc", "mandel.dxbc", "gyroid.dxbc", "billboards.dxbc", "skinning.dxbc",
]  # fmt: skip
SHADERS = [(EXAMPLES / name).read_bytes() for name in NAMES]
PHONG, SAXPY = SHADERS[:2]
UNPACKS: dict[str, Callable[[bytes], bytes]] = {
    "zlib": lambda data: zlib.decompressobj().decompress(data),
    "zlib stored": lambda data: zlib.decompressobj().decompress(data),
    "gzip": gzip.decompress,
    "bzip2": lambda data: bz2.BZ2Decompressor().decompress(data),
    "xz": lzma.decompress,
    "zstd": lambda data: (
        zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True).read()
    ),
    "zstd of unknown size": lambda data: (
        zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True).read()
    ),
    "lz4": lz4_frame.decompress,
    "lz4 with checksums": lz4_frame.decompress,
}


def edited(data: bytes, seed: int = 0) -> bytes:
    """Return the shader with an addition as a multiplication, or the reverse, and signed."""
    chance = random.Random(seed)
    shader = unshade.loads(data)
    lines = shader.disassemble("exact").splitlines()
    line = chance.choice([n for n, each in enumerate(lines) if re.match(r"\s*(add|mul) ", each)])
    swapped = {"add": "mul", "mul": "add"}
    lines[line] = re.sub("add|mul", lambda found: swapped[found[0]], lines[line], count=1)
    made = unshade.assemble("\n".join(lines), donor=shader).to_bytes()
    assert len(made) == len(data)
    assert made != data
    return made


def attempt(data: bytes, path: str, new: bytes, refusal: str) -> bytes | None:
    """Return the copy; None if it is refused with these words."""
    try:
        return put_back(data, {path: new})
    except UsageError as error:
        problem = str(error)
    assert re.search(refusal, problem)
    return None


def pieces(shader: bytes) -> bytes:
    return b"\x02head" + shader + b"tail text tail text"


@pytest.mark.parametrize("pack", UNPACKS)
def test_in_a_stream_that_is_the_whole_file(pack: str) -> None:
    data, new = PACKS[pack](pieces(PHONG)), edited(PHONG)
    (found,) = unshade.find(data)
    copy = put_back(data, {found.path: new})
    assert UNPACKS[pack](copy) == pieces(new)


@pytest.mark.parametrize("pack", UNPACKS)
def test_in_a_stream_amid_other_data(pack: str) -> None:
    """The stream keeps its size; one that cannot is refused with its size."""
    fine = 0
    for seed in range(6):
        data, new = around(PACKS[pack](pieces(PHONG))), edited(PHONG, seed)
        (found,) = unshade.find(data)
        copy = attempt(data, found.path, new, r"@0x1d: (expected at most|no packing has) [0-9,]+")
        if copy is None:
            continue
        fine += 1
        assert (copy[:29], copy[-31:], len(copy)) == (data[:29], data[-31:], len(data))
        assert UNPACKS[pack](copy[29:-31]) == pieces(new)
    assert fine


@pytest.mark.slow
def test_two_hundred_edits_in_every_packing() -> None:
    made = [(each, edited(each, seed)) for each in SHADERS for seed in range(4)]
    for number in range(200):
        old, new = made[number % len(made)]
        for pack, unpack in UNPACKS.items():
            data = PACKS[pack](pieces(old))
            (found,) = unshade.find(data)
            assert unpack(put_back(data, {found.path: new})) == pieces(new)
        data = zipped(old)
        (found,) = unshade.find(data)
        compare_zips(data, put_back(data, {found.path: new}), {"shaders/sky.bin": new})


def compare_zips(old: bytes, new: bytes, changed: dict[str, bytes]) -> None:
    """Check each entry: those that are changed, and that nothing of the others is."""
    with zipfile.ZipFile(io.BytesIO(old)) as before, zipfile.ZipFile(io.BytesIO(new)) as after:
        assert after.testzip() is None
        assert before.namelist() == after.namelist()
        assert before.comment == after.comment
        for one, other in zip(before.infolist(), after.infolist(), strict=True):
            contents = changed.get(one.filename, before.read(one))
            assert after.read(other) == contents
            same = (
                "filename",
                "date_time",
                "compress_type",
                "comment",
                "external_attr",
                "flag_bits",
            )
            assert all(getattr(one, name) == getattr(other, name) for name in same)
            if one.filename not in changed:
                assert (one.CRC, one.compress_size) == (other.CRC, other.compress_size)


METHODS = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("before", [b"", b"MZ" + bytes(90)])
def test_in_a_zip_archive(method: int, before: bytes) -> None:
    """The shader is the whole entry, so that its size may change."""
    data = before + zipped(SAXPY, method)
    (found,) = unshade.find(data)
    for new in (edited(SAXPY), PHONG):
        copy = put_back(data, {found.path: new})
        assert copy.startswith(before)
        compare_zips(data, copy, {"shaders/sky.bin": new})


def test_in_a_zip_archive_amid_other_data() -> None:
    """The entry gets padding in its header; a larger one does not fit."""
    data = b"pak" + zipped(PHONG) + b"more"
    (found,) = unshade.find(data)
    copy = put_back(data, {found.path: SAXPY})
    assert len(copy) == len(data)
    compare_zips(data[3:-4], copy[3:-4], {"shaders/sky.bin": SAXPY})
    with pytest.raises(UsageError, match=r"'shaders/sky.bin': expected at most [0-9,]+ bytes when"):
        put_back(data, {found.path: SHADERS[-1]})


def test_an_archive_written_as_a_stream() -> None:
    """Sizes follow the entry, in a descriptor."""

    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.data = bytearray()

        def writable(self) -> bool:
            return True

        def write(self, data: object) -> int:
            self.data += bytes(data)  # type: ignore[call-overload]
            return len(bytes(data))  # type: ignore[call-overload]

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", SAXPY)
        archive.writestr("b", PHONG)
    data = bytes(pipe.data)
    assert b"PK\7\x08" in data
    first, second = unshade.find(data)
    copy = put_back(data, {first.path: PHONG, second.path: SAXPY})
    compare_zips(data, copy, {"a": PHONG, "b": SAXPY})
    assert [each.data for each in unshade.find(copy)] == [PHONG, SAXPY]


@pytest.mark.parametrize("before", [b"", b"MZ" + bytes(90)])
def test_an_archive_of_64_bits(before: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sizes and offsets stand in extra fields, and a second end record has those of the whole."""
    with monkeypatch.context() as patch:
        patch.setattr(zipfile, "ZIP64_LIMIT", 100)
        data = before + zipped(SAXPY)
    assert b"PK\6\6" in data
    (found,) = unshade.find(data)
    copy = put_back(data, {found.path: PHONG})
    assert len(copy) > len(data)
    compare_zips(data, copy, {"shaders/sky.bin": PHONG})
    end = copy.index(b"PK\6\6")
    size, start = struct.unpack_from("<2Q", copy, end + 40)
    locator = copy.index(b"PK\6\7")
    assert copy[len(before) + start :].startswith(b"PK\1\2")
    assert len(before) + start + size == end
    assert struct.unpack_from("<Q", copy, locator + 8)[0] + len(before) == end


def test_two_levels_deep() -> None:
    inner = zipped(zstandard.compress(pieces(PHONG)), zipfile.ZIP_STORED)
    data = gzip.compress(inner)
    (found,) = unshade.find(data)
    new = edited(PHONG)
    copy = put_back(data, {found.path: new})
    with zipfile.ZipFile(io.BytesIO(gzip.decompress(copy))) as archive:
        assert zstandard.decompress(archive.read("shaders/sky.bin")) == pieces(new)
        assert archive.testzip() is None


@pytest.mark.parametrize("pack", ["gzip", "zstd", "lz4", "xz", "bzip2"])
def test_streams_that_are_one_file(pack: str) -> None:
    """Shaders of the first, of the last, and across two; the stream between stays as it is."""
    one = PACKS[pack]
    middle = one(b"nothing here " * 9)
    first, last = one(b"ab" + SAXPY + PHONG[:99]), one(PHONG[99:] + b"x" + SHADERS[2])
    data = first + last + middle + one(SHADERS[3])
    found = {each.path: edited(each.data) for each in unshade.find(data)}
    assert len(found) == 4
    copy = put_back(data, found)
    assert [each.data for each in unshade.find(copy)] == list(found.values())
    assert middle in copy


def test_several_in_one_piece_at_once() -> None:
    data = b"x" + SAXPY + b"y" + zlib.compress(PHONG + b"z" + SAXPY) + PHONG
    found = [*unshade.find(data)]
    chosen = {found[0].path: edited(SAXPY), found[1].path: edited(PHONG), found[3].path: PHONG}
    copy = put_back(data, chosen)
    now = [each.data for each in unshade.find(copy)]
    assert now == [edited(SAXPY), edited(PHONG), SAXPY, PHONG]


@pytest.mark.parametrize("mode", ["fast", "default", "high_compression"])
@pytest.mark.parametrize("shader", SHADERS, ids=NAMES)
def test_in_a_block_of_lz4(shader: bytes, mode: str) -> None:
    """The block has the size of the original, as a table that is not known has it."""
    packed = lz4_block.compress(shader, mode=mode, store_size=False)
    data, new = around(packed), edited(shader)
    (found,) = unshade.find(data)
    copy = attempt(data, found.path, new, "expected at most")
    if copy is None:
        assert mode == "high_compression"
        return
    assert len(copy) == len(data)
    block = copy[29 : 29 + len(packed)]
    assert lz4_block.decompress(block, uncompressed_size=len(new)) == new
    assert copy[29 + len(packed) :] == data[29 + len(packed) :]


def test_blocks_of_lz4_are_written_as_they_were_read() -> None:
    packed = lz4_block.compress(PHONG, store_size=False)
    assert write(parse(packed)) == packed
    for size in range(len(packed), len(packed) + 40):
        made = lengthened(packed, PHONG, size)
        assert made is not None
        assert len(made) == size
        assert lz4_block.decompress(made, uncompressed_size=len(PHONG)) == PHONG


def test_a_smaller_shader_is_filled_up() -> None:
    data = b"pak" + PHONG + b"end"
    copy = put_back(data, {"dxbc@0x3": SAXPY})
    assert copy == b"pak" + SAXPY + bytes(len(PHONG) - len(SAXPY)) + b"end"
    assert [each.data for each in unshade.find(copy)] == [SAXPY]


@pytest.mark.fast
def test_a_smaller_shader_in_a_block_of_lz4_is_filled_up() -> None:
    """What unpacks the block knows how many bytes come out of it."""
    packed = lz4_block.compress(PHONG, mode="fast", store_size=False)
    data = around(packed)
    (found,) = unshade.find(data)
    copy = put_back(data, {found.path: SAXPY})
    new = lz4_block.decompress(copy[29 : 29 + len(packed)], uncompressed_size=len(PHONG))
    assert new == SAXPY + bytes(len(PHONG) - len(SAXPY))
    with pytest.raises(UsageError, match="expected at most 2,780 bytes, got 11,112"):
        put_back(data, {found.path: SHADERS[-1]})


def test_a_format_without_padding_keeps_its_size() -> None:
    module = unshade.assemble(SPIRV).to_bytes()
    smaller = unshade.assemble(SPIRV.replace('OpName %f "function"\n', "")).to_bytes()
    with pytest.raises(UsageError, match="spirv has no padding behind its end"):
        put_back(b"x" + module + b"y", {"spv@0x1": smaller})
    assert put_back(module, {"spv@0x0": smaller}) == smaller


SPIRV = """OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %f "main"
OpExecutionMode %f LocalSize 1 1 1
OpName %f "function"
%v = OpTypeVoid
%t = OpTypeFunction %v
%f = OpFunction %v None %t
%l = OpLabel
OpReturn
OpFunctionEnd
"""


@pytest.mark.parametrize(
    ("path", "new", "says"),
    [
        ("dxbc@0x3", SHADERS[-1], r"dxbc@0x3: expected at most 2,780 bytes, got 11,112"),
        ("dxbc@0x4", PHONG, r"no shader at dxbc@0x4; did you mean dxbc@0x3\?"),
        ("dxbc@0x3", b"text", r"dxbc@0x3: expected a shader of format dxcontainer, got None"),
        ("dxbc@0x3", SAXPY + b"abc", r"dxbc@0x3: expected a shader alone, got 3 more bytes"),
    ],
)
def test_what_does_not_fit_is_refused(path: str, new: bytes, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        put_back(b"pak" + PHONG + b"end", {path: new})


def test_a_malformed_shader_is_refused() -> None:
    with pytest.raises(FormatError):
        put_back(PHONG, {"dxbc@0x0": PHONG[:900]})


def test_an_archive_without_a_directory_is_refused() -> None:
    data = zipped(SAXPY)
    cut = data[: data.index(b"PK\1\2")]
    (found,) = unshade.find(cut)
    with pytest.raises(UnsupportedError, match="without a central directory"):
        put_back(cut, {found.path: edited(SAXPY)})


def test_fields_of_a_header_of_gzip_are_kept() -> None:
    out = io.BytesIO()
    with gzip.GzipFile("name.bin", "wb", 6, out, mtime=1234) as file:
        file.write(pieces(PHONG))
    data = around(out.getvalue())
    (found,) = unshade.find(data)
    copy = put_back(data, {found.path: edited(PHONG)})
    packed = copy[29:-31]
    assert packed[:3] == b"\x1f\x8b\x08"
    assert struct.unpack("<I", packed[4:8]) == (1234,)
    assert packed[10:19] == b"name.bin\0"
    assert gzip.decompress(packed) == pieces(edited(PHONG))


def test_limits_hold() -> None:
    data = zlib.compress(bytes(1 << 22) + PHONG)
    with pytest.raises(unshade.LimitError):
        put_back(data, {"zlib@0x0!dxbc@0x400000": PHONG}, limits=Limits(unpacked=1 << 20))


@pytest.mark.parametrize("comment", [b"PK\5\6", b"PK\5\6" + bytes(40)])
def test_a_comment_that_looks_like_the_end_of_an_archive(comment: bytes) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", random.Random(1).randbytes(100))
        archive.writestr("b", SAXPY)
        archive.writestr("c", b"last")
    data = bytearray(out.getvalue())
    data[-2:] = len(comment).to_bytes(2, "little")
    data += comment
    path = "zip@0x0/b!dxbc@0x0"
    new = edited(SAXPY)
    made = put_back(bytes(data), {path: new})
    assert made.endswith(comment)
    plain = made[: -len(comment) - 2] + bytes(2)  # zipfile takes the comment for the end, too
    with zipfile.ZipFile(io.BytesIO(plain)) as read:
        assert read.read("b") == new
        assert read.read("c") == b"last"


def test_more_room_than_an_extra_field_has() -> None:
    """A stored entry that 70,000 bytes less are put into, in an archive amid other data."""
    data = zipped(PHONG + bytes(70_000), zipfile.ZIP_STORED) + b"after"
    opened = zip_archive(data, 0, UnpackBudget(DEFAULT, len(data)))
    assert opened is not None
    place = ArchivePlace("zip", opened, data, 0)
    with pytest.raises(UsageError, match=r"sky.bin': no packing has 7\d,\d+ bytes"):
        put(place, {"shaders/sky.bin": lambda old, free: PHONG}, False)
    shorter = put(place, {"shaders/sky.bin": lambda old, free: old[: len(PHONG) + 40_000]}, False)
    assert len(shorter) == opened.size
    with zipfile.ZipFile(io.BytesIO(shorter)) as archive:
        assert archive.read("shaders/sky.bin") == PHONG + bytes(40_000)


def test_a_block_of_many_sequences_is_lengthened_in_time() -> None:
    """Each sequence costs the same, however many there are."""
    chance = random.Random(3)
    words = [chance.randbytes(5) for _ in range(50)]
    data = b"".join(chance.choice(words) for _ in range(40_000))
    packed = lz4_block.compress(data, store_size=False)
    wanted = len(packed) + 2000
    made = lengthened(packed, data, wanted)
    assert made is not None
    assert len(made) == wanted
    assert lz4_block.decompress(made, uncompressed_size=len(data)) == data
