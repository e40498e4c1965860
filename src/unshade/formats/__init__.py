"""The registry of formats.

A format is registered by one line in `FORMATS`. Other packages add formats through the entry-point
group `unshade.formats`, whose entries are of class `Format`; it is read only if no format of the
registry matches, to keep start-up fast. An entry that cannot be loaded does not affect the others;
it is named in the error if no format is found.
"""

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, cast

from ..errors import FormatError, LimitError, UnsupportedError, UsageError
from ..files import has_beside
from ..format import Format, Option, load
from ..limits import DEFAULT, Limits
from ..shader import Shader

if TYPE_CHECKING:
    from mmap import mmap

    from ..isa.source import Source
    from ..search import Found

__all__ = [
    "FORMATS",
    "LANGUAGES",
    "SHADER_MODEL",
    "Format",
    "Option",
    "Shader",
    "check_beside",
    "detect_text",
    "find",
    "format_named",
    "identify",
    "known",
    "loads",
    "nested_from_data",
    "nested_shader",
    "of_text",
    "open_nested",
    "options",
    "own",
    "source_languages",
    "suffixes",
    "texts",
]


# Tried in this order; the module of a format is loaded only if none before it matches.
SHADER_MODEL = "Shader Model"
# Names of the languages of code (`Reflection.code`), before their version. The versions of Direct3D
# are those of the shader model, and stand alone: `pixel shader 5.0`.
LANGUAGES = {
    "tpf": SHADER_MODEL,
    "dxil": SHADER_MODEL,
    "d3d9": SHADER_MODEL,
    "pica": "PICA200",
    "spirv": "SPIR-V",
    "sksl": "SkSL",
}
SHORTEST = 16  # bytes of what is not taken for a text: the start of a shader may be letters
LETTERS = 3  # at the start of a magic, for it to be shown as text
FORMATS: tuple[tuple[str, str], ...] = (
    ("dxcontainer", ".dxcontainer.about:DXCONTAINER"),
    ("shbin",       ".shbin.about:SHBIN"),
    ("dvoj",        ".shbin.about:DVOJ"),
    ("vbc",         ".vbc.about:VBC"),
    ("msf",         ".msf.about:MSF"),
    ("sodb",        ".sodb.about:SODB"),
    ("dxil",        ".dxil.about:DXIL"),
    ("spirv",       ".spirv.about:SPIRV"),
    ("sksl",        ".sksl.about:SKSL"),
    ("d3d9",        ".d3d9.about:D3D9"),
)  # fmt: skip


@cache
def _plugins() -> tuple[tuple[Format, ...], tuple[str, ...]]:
    """Return the formats of other packages, and the errors of those that cannot be loaded."""
    from ..plugins import entry_points

    found, wrong = [], []
    for each in entry_points("unshade.formats"):
        try:
            loaded: object = each.load()
        except Exception as error:  # code of other packages may raise anything
            wrong.append(f"{each.name} ({each.value}) cannot be loaded: {error!r}")
            continue
        if isinstance(loaded, Format):
            found.append(loaded)
        else:
            wrong.append(f"{each.name} ({each.value}) is not a Format")
    return tuple(found), tuple(wrong)


@cache
def _own(name: str) -> Format:
    """Return the format of that name in the registry, or raise KeyError."""
    return cast("Format", load(dict(FORMATS)[name], __name__))


def own() -> tuple[Format, ...]:
    """Return the formats of the registry."""
    return tuple(_own(name) for name, _ in FORMATS)


def known() -> tuple[Format, ...]:
    """Return all formats: first the registry's, then the formats of other packages."""
    return own() + _plugins()[0]


def source_languages() -> list[str]:
    """Return the names of all languages: of compilers, then of texts that unshade assembles."""
    from ..vocab.languages import SourceLanguage

    own_texts = (each.name for found in known() if found.texts for each in found.languages)
    return list(dict.fromkeys((*map(str, SourceLanguage), *own_texts)))


def options(format: Format, kind: str) -> tuple[Option, ...]:
    """Return the options of a kind that a format has: listing, assembler or verifier."""
    found: tuple[Option, ...] = getattr(format, kind)
    if format.options_of and kind != "assembler":
        found += getattr(format_named(format.options_of), kind)
    return found


def _listed(names: list[str]) -> str:
    """Return names of formats as text, followed by the errors of other packages."""
    return "; ".join([", ".join(names), *_plugins()[1]])


def _bytes(data: "bytes | bytearray | memoryview | mmap") -> bytes:
    given: object = data
    if isinstance(given, bytes):
        return given
    try:
        return bytes(memoryview(given))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise UsageError(f"expected bytes, got {type(given).__name__}") from None


def identify(data: bytes | bytearray | memoryview) -> str | None:
    """Return the name of the format that the data starts like, or None.

    Most formats have a magic. SkSL has none: a file of Skia is known by its version, the size of
    its strings and the first command. The rest is not read, so the data may still be damaged.
    """
    found = _recognise(_bytes(data))
    return None if found is None else found.name


def _recognise(data: bytes) -> Format | None:
    for name, _ in FORMATS:  # one at a time, so that the others need not load
        each = _own(name)
        if each.recognises(data):
            return each
    return next((each for each in _plugins()[0] if each.recognises(data)), None)


def check_beside(data: bytes, source: object) -> None:
    """Raise FormatError if a file beside `source` holds a part of the contents.

    Args:
        data: The bytes of the file.
        source: Its path; anything else is not checked.
    """
    if not isinstance(source, str | PathLike):
        return
    found = _recognise(data)
    for suffix in () if found is None else found.beside:
        if has_beside(source, suffix):
            problem = f"expected no file {fspath(source)}{suffix}: it holds a part of the contents"
            raise FormatError(problem)


def format_named(name: str) -> Format:
    """Return the format of that name.

    Raises:
        UsageError: The format does not exist; the message lists the names.
    """
    with suppress(KeyError):
        return _own(name)
    for each in _plugins()[0]:
        if each.name == name:
            return each
    names = [each.name for each in known()]
    raise UsageError(f"unknown format {name!r}: expected one of {_listed(names)}")


def loads(
    data: bytes | bytearray | memoryview, limits: Limits = DEFAULT, strict: bool = True
) -> Shader:
    """Read a shader of any format.

    Args:
        data: The bytes of the file.
        limits: Limits on the work that the data may cause.
        strict: If False, return a DamagedShader with the intact parts of a damaged file.

    Raises:
        FormatError: The format is unknown, or the data is malformed.
        LimitError: The data exceeds `limits`.
    """
    data = _bytes(data)
    found = _recognise(data)
    if found is None:
        wanted = _listed([f"{f.name}{_parenthesised(f.magic)}" for f in known()])
        got = bytes(data[:16]).hex(" ") or "nothing"
        if len(data) > SHORTEST and _is_text(data):
            line = bytes(data[:256]).strip().split(b"\n")[0].decode("utf-8", "replace").strip()
            raise FormatError(
                f"expected a compiled shader, got a text, {line!r:.40}: unshade.compile takes"
                " sources and listings"
            )
        raise FormatError(f"expected the magic of {wanted}, got {got}", path="magic")
    if strict:
        return found.shader().loads(data, limits)
    from ..damaged import salvaged  # rarely needed

    return salvaged(found.shader(), data, limits)


def _parenthesised(magic: bytes) -> str:
    """Return ` (DXBC)`: the letters that a magic starts with, or its bytes if they are few."""
    count = next((at for at, byte in enumerate(magic) if not 32 <= byte < 127), len(magic))
    shown = magic[:count].decode("ascii") if count >= LETTERS else magic.hex(" ")
    return f" ({shown})" if shown else ""


def _is_text(data: bytes) -> bool:
    """Return True if the data starts like a text in UTF-8."""
    start = data[:256]
    return bool(start) and not any(byte < 32 and byte not in b"\t\n\r\f" for byte in start)


def texts() -> tuple[str, ...]:
    """Return the suffixes of files with texts to assemble."""
    return tuple(dict.fromkeys(suffix for each in known() for suffix in each.texts))


def suffixes() -> tuple[str, ...]:
    """Return the suffixes of shader files."""
    return tuple(dict.fromkeys(each.suffix for each in known() if each.suffix))


def detect_text(text: str) -> Format | None:
    """Return the format of a text by its heading or the beginnings of its lines, or None."""
    import re  # not needed to open files

    from ..dialect import heading
    from ..isa.source import uncoloured

    text = uncoloured(text)
    head = heading(text)
    if head is not None:
        ours = (each for each in known() if head.format in (each.name, *each.holds))
        return next(ours, None)
    first, at = None, len(text)
    for each in known():
        if each.says:
            found = re.search(rf"^[ \t]*{each.says}", text[:at], re.MULTILINE | re.ASCII)
            if found is not None:
                first, at = each, found.start()
    return first


def of_text(source: "Source") -> Format:
    """Return the format that a text is assembled to.

    The format is determined by the heading, by the beginnings of the lines, or by the suffix of the
    file if only one format uses it for texts.

    Raises:
        AssembleError: The heading, lines and suffix do not determine the format.
    """
    import re

    from ..dialect import heading

    found = detect_text(source.text)
    if found is not None:
        return found
    head = heading(source.text)
    if head is not None:
        return format_named(head.format)
    named = [each for each in known() if each.texts and source.name.endswith(each.texts)]
    if len(named) == 1:
        return named[0]
    examples = _listed([f"{f.example} for {f.name}" for f in known() if f.example])
    problem = f"unknown format: expected a line such as {examples}; or name the format"
    code = re.compile(r"[ \t\r]*(?!//|;)\S")
    lines = enumerate(source.lines, 1)
    raise source.error(problem, next((number for number, line in lines if code.match(line)), 1))


def open_nested(data: bytes, limits: Limits = DEFAULT) -> Shader:
    """Open a shader that is embedded in another."""
    return loads(data, limits)


def nested_shader(data: bytes, outer: str, limits: Limits) -> Shader | None:
    """Return the shader in a file of the format `outer`.

    Return None if the data is not a shader of another format, or if the shader cannot be read and
    written back.
    """
    if identify(data) in (None, outer):
        return None
    try:
        found = open_nested(data, limits)
        return found if found.to_bytes() == data else None
    except (FormatError, LimitError, UnsupportedError):
        return None


def nested_from_data(data: Any, outer: str, path: str) -> Shader:
    """Return the shader of plain data in a file of the format `outer`; `path` is its place.

    Raises:
        FormatError: The data is not the plain data of a shader of another format.
    """
    if not isinstance(data, dict) or not isinstance(data.get("format"), str):
        raise FormatError(f"expected a shader, got {data!r:.40}", path=path)
    if data["format"] == outer:
        raise FormatError(f"expected no {outer} file inside another", path=path)
    try:
        return format_named(data["format"]).shader().from_data(data)
    except FormatError as error:
        raise error.within(0, path) from None


def find(
    data: "bytes | bytearray | memoryview | mmap", *, strict: bool = True
) -> "Iterator[Found]":
    """Yield the shaders in data as it is, in order of their offsets; `archives` looks inside.

    A shader has a known magic and a valid structure. A shader of a format without a magic is found
    if it has one of the marks of the format, and is valid from the first byte to the last.

    Args:
        data: The bytes to search, for example a pack file that is mapped into memory.
        strict: If False, also yield shaders with only a valid header; they have `damage`, and end
            at the next shader at the latest.
    """
    from ..search import search

    return search(searchable(data), known(), strict)


def searchable(data: "bytes | bytearray | memoryview | mmap") -> Any:
    """Return data with the method `find`; a map of a file is not copied."""
    given: object = data
    return given if hasattr(given, "find") and not isinstance(given, str) else _bytes(data)
