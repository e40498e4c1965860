"""Messages on files that are not shaders: their probable type."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.terminal import PHONG, SAXPY, unshade
from tests.examples import EXAMPLES
from unshade.cli.guess import HEAD, OTHERS, SHADERS, guess, phrases

SKSL = "SkSL source, for `unshade asm --format sksl`"


def bytes_of(offset: int, magic: bytes) -> bytes:
    return bytes(offset) + magic + b"\x80\x81\x82"


@pytest.mark.parametrize(("offset", "magic", "words"), SHADERS)
def test_shaders_of_other_formats_are_unsupported(offset: int, magic: bytes, words: str) -> None:
    ended = unshade("info", "-", stdin=bytes_of(offset, magic))
    assert ended.code == 4
    assert f"not supported yet: {words}" in ended.err


@pytest.mark.parametrize(("offset", "magic", "words"), OTHERS)
def test_other_files_are_not_shaders(offset: int, magic: bytes, words: str) -> None:
    ended = unshade("info", "-", stdin=bytes_of(offset, magic))
    assert ended.code == 3
    assert f"not a compiled shader: {words}" in ended.err


@pytest.mark.parametrize(
    ("head", "words"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a PNG image"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF\0", "a JPEG image"),
        (b"GIF89a\1\0\1\0", "a GIF image"),
        (b"BM\x9a\0\0\0\0\0\0\0", "a bitmap image"),
        (b"DDS \x7c\0\0\0", "a DirectDraw texture (DDS)"),
        (b"\xabKTX 11\xbb\r\n\x1a\n", "a Khronos texture (KTX)"),
        (b"\x7fELF\2\1\1\0", "an ELF executable or library"),
        (b"MZ\x90\0\3\0\0\0", "a Windows executable or library (PE)"),
        (b"\xcf\xfa\xed\xfe\7\0\0\1", "a macOS executable or library (Mach-O)"),
        (b"\xca\xfe\xba\xbe\0\0\0\2", "a macOS universal binary, or a Java class"),
        (b"PK\x03\x04\x14\0\0\0", "a zip archive"),
        (b"\x1f\x8b\x08\0\0\0\0\0", "gzip-compressed data"),
        (b"BZh91AY&SY", "bzip2-compressed data"),
        (b"\xfd7zXZ\0\0\4", "xz-compressed data"),
        (b"\x28\xb5\x2f\xfd\x04\x00", "Zstandard-compressed data"),
        (b"7z\xbc\xaf\x27\x1c\0\4", "a 7-Zip archive"),
        (b"name".ljust(257, b"\0") + b"ustar\x0000", "a tar archive"),
        (b"!<arch>\n/               ", "a static library (ar)"),
        (b"%PDF-1.7\n", "a PDF document"),
        (b"UnityFS\0\0\0\0\6", "a Unity asset bundle"),
        (b"RIFF\x24\0\0\0WAVE", "a RIFF file (audio, video or image)"),
        (b"glTF\2\0\0\0", "a binary glTF model"),
        (b"PAR1\x15\4\x15\x10", "a Parquet table"),
        (b"SQLite format 3\0\x10\0", "an SQLite database"),
        (b"BC\xc0\xde\x35\x14\0\0", "LLVM bitcode, not of version 3.7"),
        (b"\xde\xc0\x17\x0b\0\0\0\0", "LLVM bitcode in a wrapper, not of version 3.7"),
    ],
)
def test_heads_of_files(head: bytes, words: str) -> None:
    """As the formats define them, at their offset and nowhere else."""
    assert guess(head) == (words, False)
    assert guess(b"\x81" + head) != (words, False)


def test_every_head_is_in_the_table_above() -> None:
    heads = next(mark for mark in test_heads_of_files.pytestmark if mark.name == "parametrize")  # type: ignore[attr-defined]
    assert {words for _, words in heads.args[1]} == {words for _, _, words in OTHERS}


def test_sksl_without_a_suffix_of_its_own_is_named() -> None:
    """Skia's tools name fragment programs .frag, as those of GLSL do."""
    ended = unshade("asm", "-", stdin=b"in float4 v;\nout float4 c;\nvoid main() { c = v; }\n")
    assert ended.code == 3
    assert f"expected a listing or assembly, got {SKSL}" in ended.err


def test_the_command_that_a_text_is_said_to_be_for_assembles_it(tmp_path: Path) -> None:
    """Also if neither the suffix nor the text tells the format to `asm`."""
    for text in (b"half4 main(float2 p) { return half4(1); }\n", b".proc main\n\tend\n.end\n"):
        ended = unshade("asm", "-", stdin=text)
        assert ended.code in (0, 3), ended.err
        if ended.code:
            _, _, told = ended.err.partition("for `unshade ")
            command = told.partition("`")[0].split()
            made = unshade(*command, "-", "-o", str(tmp_path / "made"), stdin=text)
            assert made.code == 0, made.err


def test_source_for_another_compiler_is_named() -> None:
    ended = unshade("asm", "-", stdin=b"float4 main() : SV_Target { return 1; }\n")
    assert ended.code == 3
    assert "expected a listing or assembly, got HLSL source, for dxc" in ended.err
    ended = unshade("from-yaml", "-", stdin=PHONG.read_bytes())
    assert ended.code == 3
    assert "expected YAML, got a compiled shader (dxcontainer): see `unshade to-yaml`" in ended.err


def test_every_phrase_can_match() -> None:
    for phrase, words in phrases():
        assert guess(f"-- {phrase} --\n".encode()) == (words, False)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "an empty file"),
        (bytes(100), "nothing but zeros"),
        (b"plain words\n", "text"),
        (b"-" * (HEAD - 1) + "é".encode(), "text"),  # read up to half a character
        (b"@shader graphics;\nout(0) float4 c;\n", "VSL source"),
        (b"half4 main(float2 p) { return half4(1); }\n", SKSL),
        (b"half4 tint;\n", "source of a Skia shader, for `unshade asm` with --format"),
        (b"in float4 v;\nlayout(location=1) out float4 c;\nvoid main() { c = v; }\n", SKSL),
        (b"void f(in float4 v, out float4 c) { c = v; }\n", "HLSL source, for dxc"),
        (b"#version 450\nout float4 c;\n", "GLSL source, for glslang"),
        (b"float4 p : SV_Position; // gl_Position there\n", "HLSL source, for dxc"),
        (b".proc main ; gl_Position\n", "picasso source, for `unshade asm`"),
        (b"float4 main() : COLOR\n", "HLSL source, for dxc"),
        (b"\x0b\0\x04main\x05half4\x2b", "a Skia shader in binary form, of before 2022"),
        (b"\x0b\0\x04main\x06half4\x2b", "unknown binary data"),
        (b"\x0b\0\x04main\x05half4", "unknown binary data"),  # no code
        (b"\x0b\0\x04m\x01in\x05half4\x2b", "unknown binary data"),
        ("\ufeffcbuffer P".encode("utf-16-le"), "HLSL source, for dxc"),
        (b"\xff\xfe\x00\xd8", "unknown binary data"),
        (b"\x01\x02\x03\xfd\xfe", "unknown binary data"),
    ],
)
def test_data_without_magic(data: bytes, words: str) -> None:
    assert guess(data)[0] == words


def test_embedded_shaders_are_listed() -> None:
    shaders = [PHONG.read_bytes(), SAXPY.read_bytes()]
    ended = unshade("info", "-", stdin=b"MZ" + bytes(98) + b"DXBC".join([shaders[0], shaders[1]]))
    assert ended.code == 3
    assert (
        "a Windows executable or library (PE) (starts with 4d 5a 00 00 00 00 00 00); it contains"
        " dxcontainer at 0x64 (2,780 bytes), dxcontainer at 0xb44 (1,236 bytes)" in ended.err
    )
    ended = unshade("info", "-", stdin=b"MZ" + shaders[1] * 5)
    assert ", and more" in ended.err


def test_a_text_is_not_shown_as_bytes() -> None:
    ended = unshade("info", EXAMPLES / "plasma.rts")
    words = f"not a compiled shader: {SKSL}; compile it with --compile"
    assert (ended.code, ended.err) == (3, f"unshade: {EXAMPLES / 'plasma.rts'}: {words}\n")


def test_a_shader_without_a_magic_is_unsupported_too() -> None:
    data = b"\x0b\0\x04main\x05half4\x2b"
    assert unshade("info", "-", stdin=data).code == 4
    ended = unshade("identify", "-", stdin=data)
    assert ended.code == 4
    words = "a Skia shader in binary form, of before 2022"
    assert ended.out == f"standard input: not supported yet: {words}\n"


def test_identify_shaders_and_other_files() -> None:
    ended = unshade("identify", PHONG, PHONG.with_suffix(".hlsl"))
    assert ended.code == 1
    assert ended.out == (
        f"{PHONG}: dxcontainer, pixel shader 5.0 (ps_5_0)\n"
        f"{PHONG.with_suffix('.hlsl')}: not a compiled shader: HLSL source, for dxc\n"
    )


def test_identify_uses_the_intact_parts_of_a_damaged_file() -> None:
    ended = unshade("identify", "-", stdin=PHONG.read_bytes()[:2000])
    message = "standard input: dxcontainer, pixel shader 5.0 (ps_5_0)\n"
    assert (ended.code, ended.out, ended.err) == (0, message, "")


def test_identify_has_only_the_format_of_a_file_without_intact_parts() -> None:
    ended = unshade("identify", "-", stdin=PHONG.read_bytes()[:100])
    assert (ended.code, ended.out, ended.err) == (0, "standard input: dxcontainer\n", "")
    data = json.loads(unshade("identify", "--json", "-", stdin=b"DXBC").out)
    assert data == {"file": "standard input", "format": "dxcontainer", "seems": None}


def test_identify_as_json() -> None:
    data = json.loads(
        unshade("identify", "--json", PHONG, EXAMPLES / "reverse.shbin", "-", stdin=b"SPIR").out
    )
    assert data[0] == {
        "file": str(PHONG), "format": "dxcontainer", "seems": None,
        "stage": "pixel", "model": "5.0", "profile": "ps_5_0",
    }  # fmt: skip
    assert data[1]["entry_points"] == [
        {"entry_point": "main", "stage": "vertex"},
        {"entry_point": "main1", "stage": "geometry"},
    ]
    assert data[2] == {"file": "standard input", "format": None, "seems": "text"}
