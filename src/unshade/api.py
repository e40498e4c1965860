"""The functions of the public API that tie the formats to files and to plain data."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

from . import files, formats
from .errors import DamagedError, FormatError, LimitError, UsageError
from .formats import Shader
from .limits import DEFAULT, Limits

if TYPE_CHECKING:
    from .isa.source import Source

__all__ = ["assemble", "from_data", "link", "loads", "open"]


def open(
    source: files.Path | BinaryIO,
    *,
    offset: int = 0,
    limits: Limits = DEFAULT,
    strict: bool = True,
) -> Shader:
    """Open a shader from a path or a binary file object.

    With `offset` the shader is one inside a larger file: it begins there and ends where its own
    structure ends. `strict` is that of `loads`. Raises FormatError, LimitError, or UsageError where
    the file cannot be read.
    """
    data = files.contents(source)
    place: object = offset
    if not isinstance(place, int) or place < 0:
        raise UsageError(f"an offset counts from the start of the file, offset {offset!r} does not")
    if not offset:
        return loads(data, limits=limits, strict=strict)
    name = formats.identify(data[offset : offset + 64])
    if name is None:
        raise FormatError(
            f"no shader begins with {data[offset : offset + 16].hex(' ') or 'nothing'}",
            offset=offset,
        )
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
    """Read a shader from bytes; what stands behind its end is kept in `trailing`.

    FormatError where the structure cannot be read, with the offset and the path of what is wrong.
    With `strict=False` the shader then has what is intact, and this error as `damage`: it can be
    looked at, and not be changed. What is no shader of any format is refused all the same.
    """
    given: object = limits
    if not isinstance(given, Limits):
        raise UsageError(f"limits are a Limits(...), not {_kind(given)}")
    return formats.loads(data, limits, strict)


def assemble(
    text: "str | Source | Sequence[str | Source]",
    format: str | None = None,
    *,
    donor: Shader | None = None,
    **options: Any,
) -> Shader:
    """The shader that a text describes: what `Shader.disassemble` gives, or hand-written code.

    Where `format` is not given, the donor or the text itself says it. A `donor`, a shader of the
    same format, supplies what the text does not say. Several texts make one shader where the
    format has such (SHBIN). A `Source` is a text with a file name for the errors.

    Raises AssembleError with every mistake that was found: file, line, column.
    """
    from .isa.source import Source

    given: object = text
    if isinstance(given, str | Source):
        several: list[Any] = [given]
    else:
        several = list(given) if isinstance(given, Sequence) else []
    if not several or not all(isinstance(each, str | Source) for each in several):
        raise UsageError(f"a text is assembled, or several, not {_kind(text)}")
    sources = [each if isinstance(each, Source) else Source(each) for each in several]
    if donor is not None and not isinstance(donor, Shader):
        raise UsageError(f"a donor is a Shader, not {_kind(donor)}")
    if format is None:
        format = donor.format if donor is not None else formats.of_text(sources[0]).name
    if donor is not None and donor.format != format:
        raise UsageError(f"a donor of {format} expected, not one of {donor.format}")
    return formats.format_named(format).shader().assemble(sources, donor=donor, **options)


def link(objects: Shader | Sequence[Shader], **options: Any) -> Shader:
    """One shader made of several objects, which are all of one format: DVOJ makes SHBIN.

    Raises UsageError where they do not fit together; the message names what is missing or twice.
    """
    several: list[Any] = [objects] if isinstance(objects, Shader) else list(objects)
    if not several or not all(isinstance(each, Shader) for each in several):
        raise UsageError(f"shaders are linked, one or several, not {_kind(objects)}")
    formats_there = sorted({each.format for each in several})
    if len(formats_there) > 1:
        raise UsageError(f"objects of one format are linked, not of {', '.join(formats_there)}")
    for each in several:
        if not each.editable:
            raise DamagedError(f"not linked: a file is damaged ({each.damage})")
    made: Shader = several[0].link(several, **options)
    return made


def _kind(given: object) -> str:
    return f"an object of type {type(given).__name__}"


def from_data(data: Any) -> Shader:
    """The shader that plain data (of `Shader.to_data`) describes."""
    name = data.get("format") if isinstance(data, dict) else None
    if not isinstance(name, str):
        raise FormatError("plain data needs a `format`", path="format")
    if "damage" in data:
        problem = "this describes a damaged file; without `damage` it makes one of the intact parts"
        raise FormatError(problem, path="damage")
    return formats.format_named(name).shader().from_data(data)
