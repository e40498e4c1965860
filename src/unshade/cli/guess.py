"""Guesses at the type of files that are not supported shaders, for messages.

Rows are (offset, magic, type of the file).
"""

import re
from codecs import getincrementaldecoder
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

from .. import archives, formats
from ..errors import FormatError, UnshadeError, UnsupportedError
from ..search import Found

# fmt: off
# Shaders, or files that hold them, which unshade does not read yet.
SHADERS: tuple[tuple[int, bytes, str], ...] = (
    (0, b"DVLP",                             "a bare Nintendo 3DS shader program (DVLP)"),
    (0, b"MTLB",                             "a Metal library"),
    (0, b"CGFX",                             "a Nintendo 3DS model (CGFX), which may hold shaders"),
    (0, b"BCH\0",                            "a Nintendo 3DS model (BCH), which may hold shaders"),
    (0, b"\x01\x09\xff\xfe",                 "a compiled effect (fx_2_0)"),
)
OTHERS: tuple[tuple[int, bytes, str], ...] = (
    (0, b"BC\xc0\xde",                       "LLVM bitcode, not of version 3.7"),
    (0, b"\xde\xc0\x17\x0b",                 "LLVM bitcode in a wrapper, not of version 3.7"),
    (0, b"\x89PNG\r\n\x1a\n",                "a PNG image"),
    (0, b"\xff\xd8\xff",                     "a JPEG image"),
    (0, b"GIF8",                             "a GIF image"),
    (0, b"BM",                               "a bitmap image"),
    (0, b"DDS ",                             "a DirectDraw texture (DDS)"),
    (0, b"\xabKTX ",                         "a Khronos texture (KTX)"),
    (0, b"\x7fELF",                          "an ELF executable or library"),
    (0, b"MZ",                               "a Windows executable or library (PE)"),
    (0, b"\xcf\xfa\xed\xfe",                 "a macOS executable or library (Mach-O)"),
    (0, b"\xca\xfe\xba\xbe",                 "a macOS universal binary, or a Java class"),
    (0, b"PK\x03\x04",                       "a zip archive"),
    (0, b"\x1f\x8b",                         "gzip-compressed data"),
    (0, b"BZh",                              "bzip2-compressed data"),
    (0, b"\xfd7zXZ\0",                       "xz-compressed data"),
    (0, b"\x28\xb5\x2f\xfd",                 "Zstandard-compressed data"),
    (0, b"7z\xbc\xaf\x27\x1c",               "a 7-Zip archive"),
    (257, b"ustar",                          "a tar archive"),
    (0, b"!<arch>\n",                        "a static library (ar)"),
    (0, b"%PDF",                             "a PDF document"),
    (0, b"UnityFS",                          "a Unity asset bundle"),
    (0, b"RIFF",                             "a RIFF file (audio, video or image)"),
    (0, b"glTF",                             "a binary glTF model"),
    (0, b"PAR1",                             "a Parquet table"),
    (0, b"SQLite format 3\0",                "an SQLite database"),
)
HLSL = "HLSL source, for dxc"
SKIA = "source of a Skia shader, for `unshade asm` with --format"
# Phrases of text files, the first that is found counts; formats have more about their own texts.
PHRASES: tuple[tuple[str, str], ...] = (
    ("@shader ",                             "VSL source"),
    ("#version ",                            "GLSL source, for glslang"),
    ("SV_",                                  HLSL),
    ("cbuffer ",                             HLSL),
    ("gl_Position",                          "GLSL source, for glslang"),
    ("gl_FragCo",                            "GLSL source, for glslang"),
    ("StructuredBuffer<",                    HLSL),
    ("Texture2D",                            HLSL),
    ("half4 ",                               SKIA),
    ("float4 ",                              HLSL),
    ("@vertex",                              "WGSL source, for tint or naga"),
    ("@fragment",                            "WGSL source, for tint or naga"),
    ("@compute",                             "WGSL source, for tint or naga"),
    ("<!DOCTYPE html",                       "an HTML page"),
    ("<?xml",                                "XML"),
)
# fmt: on

YAML = "YAML of a shader, for `unshade from-yaml`"
HEAD = 65536  # bytes that are read as text
SHOWN = 3  # embedded shaders listed in a message


def guess(data: bytes) -> tuple[str, bool]:
    """Return a guess at the type of the data, and True if it is or may contain a shader."""
    if not data:
        return "an empty file", False
    near = to_come(data)
    if near:
        return near, True
    if _is_unversioned(data):
        return "a Skia shader in binary form, of before 2022", True
    for offset, magic, words in OTHERS:
        if data.startswith(magic, offset):
            return words, False
    return _text(data[:HEAD]), False


def to_come(head: bytes) -> str | None:
    """Return the unsupported shader format that the first bytes identify, or None."""
    return next((words for at, magic, words in SHADERS if head.startswith(magic, at)), None)


def _is_unversioned(data: bytes) -> bool:
    """Return True if this is a binary Skia shader without a version, as before 2022.

        0  u16 bytes of the pool, then the pool: u8 n, n bytes of a name, again and again
           the commands

    The pool must consist of names up to its end and be followed by code.
    """
    at = 2
    end = at + int.from_bytes(data[:at], "little")
    if not at + 8 <= end < len(data):
        return False
    while at < end:
        stop = at + 1 + data[at]
        name = data[at + 1 : stop]
        if stop > end or not (name.isascii() and name.decode("ascii").isprintable()):
            return False
        at = stop
    return True


def _text(data: bytes) -> str:
    if data.count(0) == len(data):
        return "nothing but zeros"
    text = _decoded(data)
    if text is None:
        return "unknown binary data"
    if any(text.startswith(_yaml_start(each)) for each in formats.known()):
        return YAML
    found = formats.detect_text(text)
    if found is not None:
        return f"{found.text}, for `unshade asm`"
    return source_of(text) or "text"


def _decoded(data: bytes) -> str | None:
    """Return data as text, which may end within a character; None if it is not text."""
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
    try:
        text = getincrementaldecoder(encoding)().decode(data, final=len(data) < HEAD)
    except UnicodeDecodeError:
        return None
    return None if any(ord(c) < 32 and c not in "\t\n\r\f\x1b" for c in text) else text


def _yaml_start(format: formats.Format) -> str:
    """Return the start of a shader's YAML, which may contain text of another format."""
    return f"format: {format.name}"


def phrases() -> Iterator[tuple[str, str]]:
    """Yield phrases with the type of text they occur in; phrases of formats come first."""
    for each in formats.known():
        yield from each.phrases
        yield _yaml_start(each), YAML
    yield from PHRASES


def no_text(data: bytes) -> UnshadeError:
    """Return the error for binary data in place of text, with a guess at its type."""
    format = formats.identify(data)
    if format is not None:
        return FormatError(f"expected text, got a compiled shader ({format}): see `unshade dis`")
    return FormatError(f"expected text, got {guess(data)[0]}")


def source_of(text: str) -> str | None:
    """Return the language of a text, and the tool that reads it; None if unknown."""
    found = next((words for phrase, words in phrases() if phrase in text), None)
    if found in (None, HLSL):
        for each in formats.known():
            if each.declares is not None and re.search(each.declares[0], text, re.MULTILINE):
                return each.declares[1]
    return found


def _place(found: Found) -> str:
    """Return `at 0x40`, or the path of the unpacked entry."""
    return f"at {found.path}" if found.steps else f"at 0x{found.offset:x}"


def no_shader(data: bytes, hint: str = "") -> UnshadeError:
    """Return the error for data that is not a shader, with a guess at its type and contents."""
    words, near = guess(data)
    if not data:
        return FormatError("not a compiled shader: an empty file")
    inside: list[Found] = []
    with suppress(UnshadeError):  # of what is packed: this is about another error
        inside += islice(archives.find(data), SHOWN + 1)
    places = ", ".join(f"{f.format} {_place(f)} ({f.size:,} bytes)" for f in inside[:SHOWN])
    if len(inside) > SHOWN:
        places += ", and more"
    found = f"; it contains {places}: see `unshade find`" if inside else ""
    start = "" if _decoded(data[:HEAD]) is not None else f" (starts with {data[:8].hex(' ')})"
    if near:
        return UnsupportedError(f"not supported yet: {words}{start}{found}")
    return FormatError(f"not a compiled shader: {words}{start}{found}{hint}")
