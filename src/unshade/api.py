"""Functions of the public API: open, load, assemble and link shaders of any format."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

from . import files, formats
from .errors import (
    AssembleError,
    DamagedError,
    FormatError,
    LimitError,
    UnsupportedError,
    UsageError,
)
from .formats import Shader
from .limits import DEFAULT, Limits
from .program import Program

if TYPE_CHECKING:
    from .isa.source import Source

HEAD = 128  # bytes that tell every format

__all__ = ["assemble", "from_data", "link", "loads", "open", "pack"]


def open(
    source: files.Path | BinaryIO,
    *,
    offset: int = 0,
    limits: Limits = DEFAULT,
    strict: bool = True,
) -> Shader:
    """Open a shader from a path or a binary file object.

    Args:
        source: A path, or a file object opened in binary mode.
        offset: Offset in bytes of a shader inside a larger file. The shader ends where its own
            structure ends.
        limits: Bounds on the work that the file may cause.
        strict: If False, open a damaged file read-only; see `loads`.

    Raises:
        FormatError: The data is malformed, or no shader of a known format.
        LimitError: The data exceeds a limit.
        FileError: The file cannot be read; also the matching OSError.
    """
    data = files.contents(source)
    place: object = offset
    if not isinstance(place, int) or place < 0:
        raise UsageError(f"offset: expected an int of at least 0, got {offset!r:.40}")
    if not offset:
        formats.check_beside(data, source)
        return loads(data, limits=limits, strict=strict)
    name = formats.identify(data[offset : offset + HEAD])
    if name is None:
        head = data[offset : offset + 16].hex(" ") or "nothing"
        raise FormatError(f"expected the start of a shader, got {head}", offset=offset)
    kind, rest = formats.format_named(name).shader(), memoryview(data)[offset:]
    try:
        return loads(rest[: kind.measure(rest)], limits=limits)
    except (FormatError, LimitError) as error:
        if not strict:
            return loads(rest[: kind.claim(rest) or None], limits=limits, strict=False)
        raise error.within(offset, "") if isinstance(error, FormatError) else error from None


def loads(
    data: bytes | bytearray | memoryview, *, limits: Limits = DEFAULT, strict: bool = True
) -> Shader:
    """Read a shader from bytes; bytes after its end are kept in `trailing`.

    Args:
        data: The bytes of a file.
        limits: Bounds on the work that the data may cause.
        strict: If False, return a read-only shader with the intact parts of malformed data; its
            `damage` is the error that is raised otherwise.

    Raises:
        FormatError: The data is malformed, with offset and path, or its format is unknown.
        LimitError: The data exceeds a limit.
    """
    given: object = limits
    if not isinstance(given, Limits):
        raise UsageError(f"limits: expected a Limits object, got {_kind(given)}")
    return formats.loads(data, limits, strict)


def assemble(
    text: "str | Source | Sequence[str | Source]",
    format: str | None = None,
    *,
    donor: Shader | None = None,
    **options: Any,
) -> Shader:
    """Assemble a shader from the text of `Shader.disassemble`, or from hand-written code.

    Args:
        text: The source text; a `Source` adds a file name for error messages. Several texts make
            one shader if the format joins them (SHBIN).
        format: Name of the format; by default the donor's, or recognised from the text.
        donor: A shader of the same format that supplies everything that the text omits.
        options: Options of the format's assembler.

    Raises:
        AssembleError: With all errors that were found: file, line, column.
    """
    from .isa.source import Source

    given: object = text
    if isinstance(given, str | Source):
        several: list[Any] = [given]
    else:
        several = list(given) if isinstance(given, Sequence) else []
    if not several or not all(isinstance(each, str | Source) for each in several):
        raise UsageError(f"expected a string, a Source or a non-empty list, got {_kind(text)}")
    sources = [each if isinstance(each, Source) else Source(each) for each in several]
    if donor is not None and not isinstance(donor, Shader):
        raise UsageError(f"donor: expected a Shader, got {_kind(donor)}")
    if format is None:
        format = donor.format if donor is not None else formats.of_text(sources[0]).name
    if donor is not None and donor.format != format:
        raise UsageError(f"donor: expected a shader of format {format}, got {donor.format}")
    return formats.format_named(format).shader().assemble(sources, donor=donor, **options)


def assembled(data: bytes, name: str = "") -> Shader | None:
    """Assemble the text in a file; return None if it is not text of a known format.

    Args:
        data: The contents of the file.
        name: Its name, for error messages; the suffix may determine the format.

    Raises:
        AssembleError: With all errors that were found: file, line, column.
    """
    from .isa.source import Source, decoded

    text = None if formats.identify(data) is not None else decoded(data)
    if text is None:
        return None
    source = Source(text, name)
    try:
        format = formats.of_text(source).name
    except AssembleError:
        return None
    return assemble(source, format)


def link(objects: Shader | Sequence[Shader], **options: Any) -> Shader:
    """Link objects of one format to a shader: DVOJ files to a SHBIN file.

    Args:
        objects: The objects, in link order; one alone may be passed without a list.
        options: Options of the format's linker.

    Raises:
        DamagedError: An object is damaged.
        UnsupportedError: The format has no linkable objects.
        UsageError: The objects do not fit together; names symbols that are missing or duplicate.
    """
    several: list[Any] = [objects] if isinstance(objects, Shader) else list(objects)
    if not several or not all(isinstance(each, Shader) for each in several):
        raise UsageError(f"expected a Shader or a non-empty list of shaders, got {_kind(objects)}")
    found = sorted({each.format for each in several})
    if len(found) > 1:
        raise UsageError(f"expected objects of one format, got {', '.join(found)}")
    for each in several:
        if not each.editable:
            raise DamagedError(f"cannot link: the file is damaged ({each.damage})")
    made: Shader = several[0].link(several, **options)
    return made


def pack(
    modules: "Sequence[Shader | bytes] | Mapping[str, Shader | bytes]",
    format: str,
    reflection: Mapping[str, Any] | None = None,
) -> Shader:
    """Pack programs into a container: SPIR-V modules into a VBC file.

    Args:
        modules: The modules, as shaders or bytes, in any order: one for each stage. The keys of a
            mapping are names for error messages, such as file names.
        format: Name of the container's format.
        reflection: The container's description of its programs, as plain data of `Shader.to_data`;
            any section may be missing. Missing sections are derived from the programs; None derives
            everything.

    Raises:
        DamagedError: A module is damaged.
        FormatError: A module is malformed, or the reflection does not describe one.
        UnsupportedError: The format does not hold such programs.
        UsageError: The modules do not fit together.
    """
    given: object = modules
    several, names = [], []
    if isinstance(modules, Mapping):
        several, names = list(modules.values()), [str(each) for each in modules]
    elif isinstance(given, Sequence) and not isinstance(given, bytes):
        several = list(modules)
        names = [f"module {at}" for at in range(len(several))]
    if not several or not all(isinstance(each, Shader | bytes) for each in several):
        raise UsageError(f"expected a non-empty list of modules, got {_kind(modules)}")
    given = reflection
    if given is not None and not isinstance(given, Mapping):
        raise UsageError(f"reflection: expected plain data, got {_kind(reflection)}")
    found = formats.format_named(format)
    programs: list[Program] = []
    labels: list[str] = []
    for each, name in zip(several, names, strict=True):
        shader = each if isinstance(each, Shader) else loads(each)
        if not shader.editable:
            raise DamagedError(f"cannot pack: {name} is damaged ({shader.damage})")
        for program in shader.programs:
            if program.language not in found.packs:
                held = ", ".join(found.packs) or "none"
                raise UnsupportedError(
                    f"{name}: {format} does not pack {program.language} programs: expected {held}"
                )
            programs.append(program)
            labels.append(name)
    return found.shader().pack(programs, reflection, labels)


def _kind(given: object) -> str:
    return type(given).__name__


def from_data(data: Any) -> Shader:
    """Return the shader described by plain data of `Shader.to_data`.

    Raises:
        FormatError: The data does not describe a shader; the path names the invalid value.
    """
    name = data.get("format") if isinstance(data, dict) else None
    if not isinstance(name, str):
        raise FormatError("expected the name of a format", path="format")
    if "damage" in data:
        problem = "the data describes a damaged file; remove this key to keep the intact parts"
        raise FormatError(problem, path="damage")

    return formats.format_named(name).shader().from_data(data)
