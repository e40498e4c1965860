"""Shaders in caches, captures and content of engines, written here as their sources write them."""

import json
import struct
import zlib
from collections.abc import Sequence

import pytest

import unshade
from tests.archives.packing import around, contents, zstandard
from tests.examples import EXAMPLES
from tests.fixtures import vbc
from unshade.archives.varint import words_of
from unshade.errors import LimitError, UnsupportedError
from unshade.limits import Limits

lz4_block = pytest.importorskip("lz4.block")

MODULES = [vbc.module(vbc.VERT), vbc.module(vbc.FRAG)]
PHONG = (EXAMPLES / "phong.dxbc").read_bytes()
SAXPY = (EXAMPLES / "saxpy.dxbc").read_bytes()


def varint(module: bytes) -> bytes:
    made = bytearray()
    for (word,) in struct.iter_unpack("<I", module):
        rest = word
        while rest > 0x7F:
            made.append(rest & 0x7F | 0x80)
            rest >>= 7
        made.append(rest)
    return bytes(made)


@pytest.mark.parametrize("module", MODULES)
def test_words_as_varints(module: bytes) -> None:
    packed = varint(module)
    assert words_of(packed, len(module)) == module
    assert words_of(packed[:-1], len(module)) is None
    assert words_of(packed + b"\1", len(module)) is None
    assert words_of(b"\xff\xff\xff\xff\x7f", 4) is None
    assert words_of(b"\xff" * 9, 4) is None


# ---------------------------------------------------------------- Fossilize


def foz(modules: Sequence[bytes], *, packed: bool = True, version: int = 6) -> bytes:
    out = b"\x81FOSSILIZEDB\0\0\0" + bytes([version])
    for number, module in enumerate(modules):
        code = varint(module)
        described = {"varintOffset": 0, "varintSize": len(code), "codeSize": len(module)}
        data = {"version": 6, "shaderModules": {f"{number:016x}": {"flags": 0, **described}}}
        payload = json.dumps(data).encode() + b"\0" + code
        stored = zlib.compress(payload) if packed else payload
        out += f"{4:024x}{number:016x}".encode()
        out += struct.pack("<4I", len(stored), 2 if packed else 1, zlib.crc32(stored), len(payload))
        out += stored
    return out


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("version", [5, 6])
def test_a_database_of_fossilize(packed: bool, version: int) -> None:
    data = foz(MODULES, packed=packed, version=version)
    found = [*unshade.find(data)]
    assert contents(found) == MODULES
    assert found[1].path == "foz@0x0/04.0000000000000001!spv@0x0"
    assert contents([*unshade.find(around(data))]) == MODULES


def test_a_database_of_fossilize_that_is_cut_or_wrong() -> None:
    data = foz(MODULES)
    assert contents([*unshade.find(data[:-5])]) == MODULES[:1]
    wrong = bytearray(data)
    wrong[-1] ^= 1  # the checksum of the payload
    assert contents([*unshade.find(bytes(wrong))]) == MODULES[:1]
    assert list(unshade.find(data[:16])) == []
    assert list(unshade.find(foz(MODULES, version=9))) == []


def described(*modules: str) -> bytes:
    """Return a database of one entry with the descriptions of modules, and SAXPY's words."""
    text = ", ".join(f'"{number}": {each}' for number, each in enumerate(modules))
    payload = b'{"shaderModules": {' + text.encode() + b"}}\0" + varint(MODULES[0])
    out = b"\x81FOSSILIZEDB\0\0\0\6" + f"{4:024x}{0:016x}".encode()
    return out + struct.pack("<4I", len(payload), 1, 0, len(payload)) + payload


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "-4", '"x"', "[]", "9" * 5000])
def test_numbers_of_a_database_that_are_none(number: str) -> None:
    for name in ("varintOffset", "varintSize", "codeSize"):
        fields = {"varintOffset": "0", "varintSize": "16", "codeSize": "16", name: number}
        words = ", ".join(f'"{key}": {value}' for key, value in fields.items())
        assert list(unshade.find(described("{" + words + "}"))) == []


def test_modules_of_a_database_that_overlap_are_read_once() -> None:
    size = len(varint(MODULES[0]))
    one = f'{{"varintOffset": 0, "varintSize": {size}, "codeSize": {len(MODULES[0])}}}'
    assert contents([*unshade.find(described(one))]) == MODULES[:1]
    assert contents([*unshade.find(described(*[one] * 50))]) == MODULES[:1]


def test_what_is_in_a_database_is_not_put_back() -> None:
    data = foz(MODULES)
    path = next(unshade.find(data)).path
    with pytest.raises(UnsupportedError, match="foz: what is inside cannot be put back"):
        unshade.put_back(data, {path: MODULES[1]})


# ---------------------------------------------------------------- vkd3d-proton


def blob(module: bytes) -> bytes:
    code = varint(module)
    return struct.pack("<3I", 0x1234, len(module), len(code)) + code


@pytest.mark.parametrize("align", [1, 8])
def test_a_cache_of_vkd3d_proton(align: int) -> None:
    out = bytearray(struct.pack("<3s B 3I 2Q 16s", b"VKS", 4, 0x1002, 0x73BF, 0, 1, 2, bytes(16)))
    for kind, data in (
        (1, b"driver's"),
        (0, blob(MODULES[0])),
        (2, b"x" * 13),
        (0, blob(MODULES[1])),
    ):
        out += struct.pack("<2Q2I", 0xABC + kind, 0, len(data), kind) + data
        out += bytes(-len(out) % align)
    found = [*unshade.find(bytes(out))]
    assert contents(found) == MODULES
    assert found[0].path == "vkd3d-cache@0x0/0000000000000abc!spv@0x0"
    assert contents([*unshade.find(bytes(out[:-20]))]) == MODULES[:1]


def test_a_library_of_vkd3d_proton() -> None:
    blobs = [*map(blob, MODULES), b"driver"]
    names = b"".join(number.to_bytes(8, "little") for number in range(3))
    rows, raw = b"", names
    for each in blobs:
        rows += struct.pack("<Q2I", len(raw), 0, len(each))
        raw += each
    head = struct.pack("<3s B 5I 2Q 16s", b"VKL", 4, 1, 2, 2, 1, 0, 3, 4, bytes(16))
    found = [*unshade.find(head + rows + raw)]
    assert contents(found) == MODULES
    assert found[1].path == "vkd3d-library@0x0/1!spv@0x0"


# ---------------------------------------------------------------- RenderDoc


def capture(section: bytes, pack: str) -> bytes:
    """Return a capture whose first section has these bytes, and a second of text."""
    packed, flags = section, 0
    if pack == "lz4":
        pages = [section[at : at + 65536] for at in range(0, len(section), 65536)]
        last, packed, flags = b"", b"", 2
        for page in pages:
            made = lz4_block.compress(page, store_size=False, dict=last)
            packed += len(made).to_bytes(4, "little") + made
            last = page
    elif pack == "zstd":
        packed, flags = b"", 4
        for at in range(0, len(section), 131072):
            made = zstandard.ZstdCompressor(level=7, write_content_size=False).compress(
                section[at : at + 131072]
            )
            packed += len(made).to_bytes(4, "little") + made
    driver = b"Vulkan\0"
    rest = struct.pack("<2HI", 0, 0, 0) + struct.pack("<QIB", 1, 8, len(driver)) + driver
    head = struct.pack("<QII16s", 0x434F4452, 0x100, 32 + len(rest), b"v1.36") + rest

    def header(kind: int, data: bytes, size: int, bits: int, name: bytes) -> bytes:
        return (
            struct.pack("<4x I 3Q 2I", kind, len(data), size, 0x13, bits, len(name)) + name + data
        )

    return (
        head
        + header(1, packed, len(section), flags, b"renderdoc/internal/framecapture\0")
        + header(4, b"notes", 5, 0, b"renderdoc/ui/notes\0")
    )


@pytest.mark.parametrize("pack", ["lz4", "zstd", "none"])
def test_a_capture_of_renderdoc(pack: str) -> None:
    """A shader lies across two blocks, and one refers to the block before."""
    section = b"chunk" * 13_000 + PHONG + bytes(70_000) + MODULES[0] + PHONG + b"end"
    found = [*unshade.find(capture(section, pack))]
    assert contents(found) == [PHONG, MODULES[0], PHONG]
    name = "renderdoc/internal/framecapture"
    assert found[0].path == f"rdc@0x0/{name}!dxbc@0x{65_000:x}"


def test_a_capture_that_is_cut() -> None:
    data = capture(PHONG + bytes(200_000) + SAXPY, "lz4")
    assert contents([*unshade.find(data[:-30])]) == [PHONG, SAXPY]


# ---------------------------------------------------------------- XNA and MonoGame


def effect(shaders: Sequence[bytes]) -> bytes:
    """Return an effect of MonoGame, version 10, with the code of shaders."""
    out = b"MGFX\x0a\x01" + (1234).to_bytes(4, "little") + b"\0" + bytes([len(shaders)])
    for each in shaders:
        out += b"\1" + len(each).to_bytes(4, "little") + each + b"\0\0\0"
    return out + b"\0\0"


def xnb(content: bytes, flags: int) -> bytes:
    packed = content
    if flags & 0x40:
        block = lz4_block.compress(content, store_size=False)
        packed = len(content).to_bytes(4, "little") + block
    return b"XNBw\x05" + bytes([flags]) + (10 + len(packed)).to_bytes(4, "little") + packed


def test_an_effect_of_monogame() -> None:
    assert contents([*unshade.find(effect([PHONG, SAXPY]))]) == [PHONG, SAXPY]


@pytest.mark.parametrize("flags", [0x00, 0x01, 0x40, 0x41])
def test_content_of_monogame(flags: int) -> None:
    data = xnb(
        b"\1\x2eMicrosoft.Xna.Framework.Content.EffectReader" + effect([PHONG, SAXPY]), flags
    )
    found = [*unshade.find(data)]
    assert contents(found) == [PHONG, SAXPY]
    assert [each.name for each in found[0].steps] == (["xnb"] if flags & 0x40 else [])
    assert contents([*unshade.find(zlib.compress(data))]) == [PHONG, SAXPY]


def test_content_that_is_not_read_is_named() -> None:
    data = b"XNBw\x05\x80" + (40).to_bytes(4, "little") + (99).to_bytes(4, "little") + bytes(30)
    found = unshade.find(data + PHONG)
    assert next(found).data == PHONG
    with pytest.raises(UnsupportedError, match="packed with LZX"):
        next(found)


def test_content_is_bounded() -> None:
    data = bytearray(xnb(bytes(1 << 22), 0x40))
    with pytest.raises(LimitError, match="file_size"):
        list(unshade.find(bytes(data), limits=Limits(file_size=1 << 20)))
    data[10:14] = (0x7FFFFFFF).to_bytes(4, "little")
    with pytest.raises(LimitError, match="file_size"):
        list(unshade.find(bytes(data)))


# ---------------------------------------------------------------- without a magic


def test_brotli_at_the_start() -> None:
    brotli = pytest.importorskip("brotli")
    data = brotli.compress(b"head" + PHONG + b"tail" * 40_000 + SAXPY)
    found = [*unshade.find(data)]
    assert contents(found) == [PHONG, SAXPY]
    assert found[0].path == "brotli@0x0!dxbc@0x4"
    assert contents([*unshade.find(zlib.compress(data))]) == [PHONG, SAXPY]
    assert list(unshade.find(data[:-1])) == []
    assert list(unshade.find(data + b"x")) == []
    assert list(unshade.find(brotli.compress(bytes(1 << 26)))) == []


@pytest.mark.parametrize("before", [0, 4, 8])
def test_a_block_of_lz4_at_the_start(before: int) -> None:
    content = b"an asset of an engine " * 3 + PHONG + SAXPY
    size = len(content).to_bytes(8, "little")[:before]
    data = size + lz4_block.compress(content, store_size=False)
    found = [*unshade.find(data)]
    assert contents(found) == [PHONG, SAXPY]
    assert found[0].path == f"lz4-start@0x0!dxbc@0x{22 * 3:x}"


def test_a_folder_of_dumps(tmp_path: object) -> None:
    """GFXReconstruct writes each module to a file without a suffix."""
    from pathlib import Path

    from tests.cli.terminal import unshade as command

    folder = Path(str(tmp_path))
    for number, each in enumerate(MODULES):
        (folder / f"sh{number + 40}").write_bytes(each)
    ended = command("find", folder)
    assert ended.code == 0
    assert ended.out.count("!spv@0x0") == 2
