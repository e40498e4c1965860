"""The registry: which formats there are, and where each describes itself.

One line makes a format known. The entry-point group `unshade.formats` adds formats of other
packages, each a `Format`; it is read only when none of these matches, so that starting stays cheap.
One of them that cannot be loaded takes nothing away from the others: it is named where no format
was found.
"""

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ..errors import FormatError, LimitError, UnshadeError, UsageError
from ..format import Format, Option, load
from ..limits import DEFAULT, Limits
from ..shader import Shader

if TYPE_CHECKING:
    from mmap import mmap

    from ..isa.source import Source

__all__ = [
    "FORMATS",
    "Format",
    "Found",
    "Option",
    "Shader",
    "find",
    "format_named",
    "identify",
    "known",
    "loads",
    "of_text",
    "open_nested",
    "own",
    "spoken",
    "suffixes",
    "texts",
]


# Recognised in this order: each module (about.py says how) loads when those before do not match.
FORMATS: tuple[tuple[str, str], ...] = (
    ("dxcontainer", ".dxcontainer.about:DXCONTAINER"),
    ("shbin",       ".shbin.about:SHBIN"),
    ("dvoj",        ".shbin.about:DVOJ"),
)  # fmt: skip


class Found(NamedTuple):
    """A shader inside larger data; `damage` says what is wrong with one that is damaged."""

    offset: int
    size: int
    format: str

    @property
    def damage(self) -> FormatError | LimitError | None:
        return None


class DamagedFound(Found):
    """The beginning of a damaged shader; where it ends is what its header says, or a guess."""

    _damage: FormatError | LimitError

    @classmethod
    def at(
        cls, offset: int, size: int, format: str, damage: FormatError | LimitError
    ) -> "DamagedFound":
        """Return the one that begins there."""
        found = cls(offset, size, format)
        found._damage = damage
        return found

    @property
    def damage(self) -> FormatError | LimitError:
        return self._damage


@cache
def _plugins() -> tuple[tuple[Format, ...], tuple[str, ...]]:
    """The formats of other packages, and what is wrong with those that do not load."""
    from importlib.metadata import entry_points

    found, wrong = [], []
    for each in entry_points(group="unshade.formats"):
        try:
            loaded: object = each.load()
        except Exception as error:  # the code of others may raise anything
            wrong.append(f"{each.name} ({each.value}) does not load: {error!r}")
            continue
        if isinstance(loaded, Format):
            found.append(loaded)
        else:
            wrong.append(f"{each.name} ({each.value}) is no Format")
    return tuple(found), tuple(wrong)


@cache
def _own(name: str) -> Format:
    """The format of that name in the registry; KeyError without one."""
    return cast("Format", load(dict(FORMATS)[name], __name__))


def own() -> tuple[Format, ...]:
    """The formats of the registry."""
    return tuple(_own(name) for name, _ in FORMATS)


def known() -> tuple[Format, ...]:
    """The formats there are: those of the registry, then those of other packages."""
    return own() + _plugins()[0]


def _told(names: list[str]) -> str:
    """The formats there are, and those there could be."""
    return "; ".join([", ".join(names), *_plugins()[1]])


def _bytes(data: "bytes | bytearray | memoryview | mmap") -> bytes:
    given: object = data
    if isinstance(given, bytes):
        return given
    try:
        return bytes(memoryview(given))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        kind = f"an object of type {type(given).__name__}"
        raise UsageError(f"a shader is read from bytes, not from {kind}") from None


def identify(data: bytes | bytearray | memoryview) -> str | None:
    """The name of the format that the bytes start like, None where none does."""
    found = _recognise(_bytes(data))
    return None if found is None else found.name


def _recognise(data: bytes) -> Format | None:
    for name, _ in FORMATS:  # one at a time, so that the others need not load
        each = _own(name)
        if each.recognises(data):
            return each
    return next((each for each in _plugins()[0] if each.recognises(data)), None)


def format_named(name: str) -> Format:
    """The format of that name; UsageError lists the names there are."""
    with suppress(KeyError):
        return _own(name)
    for each in _plugins()[0]:
        if each.name == name:
            return each
    raise UsageError(f"no format {name!r}; there are {_told([f.name for f in known()])}")


def loads(
    data: bytes | bytearray | memoryview, limits: Limits = DEFAULT, strict: bool = True
) -> Shader:
    """Read a shader of any format; unless `strict`, what is intact of a damaged one."""
    data = _bytes(data)
    found = _recognise(data)
    if found is None:
        start = bytes(data[:16]).hex(" ")
        wanted = _told([f"{f.name} ({f.magic!r})" for f in known()])
        raise FormatError(
            f"starts with {start or 'nothing'}, which is none of {wanted}", path="magic"
        )
    if strict:
        return found.shader().loads(data, limits)
    from ..damaged import salvaged  # most files are whole

    return salvaged(found.shader(), data, limits)


def texts() -> tuple[str, ...]:
    """How the names of files may end that hold texts to assemble."""
    return tuple(dict.fromkeys(suffix for each in known() for suffix in each.texts))


def suffixes() -> tuple[str, ...]:
    """How names of shaders end."""
    return tuple(dict.fromkeys(each.suffix for each in known() if each.suffix))


def spoken(text: str) -> Format | None:
    """The format that a text is one of, by its heading or by what its lines begin with."""
    import re  # not for those who only open files

    from ..dialect import heading

    told = heading(text)
    if told is not None:
        ours = (each for each in known() if told.format in (each.name, *each.holds))
        return next(ours, None)
    for each in known():
        if each.says and re.search(rf"^[ \t]*{each.says}", text, re.MULTILINE | re.ASCII):
            return each
    return None


def of_text(source: "Source") -> Format:
    """The format that a text is to become: by its heading, else by what its lines begin with.

    Where neither tells, the end of the file's name does, if one format alone has such texts.
    """
    import re

    from ..dialect import heading

    found = spoken(source.text)
    if found is not None:
        return found
    told = heading(source.text)
    if told is not None:
        return format_named(told.format)
    named = [each for each in known() if each.texts and source.name.endswith(each.texts)]
    if len(named) == 1:
        return named[0]
    examples = _told([f"{f.example} says {f.name}" for f in known() if f.example])
    problem = f"no line says which format this is to become, as {examples}; --format does"
    code = re.compile(r"[ \t\r]*(?!//|;)\S")
    lines = enumerate(source.lines, 1)
    raise source.error(problem, next((number for number, line in lines if code.match(line)), 1))


def open_nested(data: bytes, limits: Limits = DEFAULT) -> Shader:
    """Open what one format carries of another."""
    return loads(data, limits)


def find(data: "bytes | bytearray | memoryview | mmap", *, strict: bool = True) -> Iterator[Found]:
    """Yield the shaders inside larger data: those with a magic and a structure that reads.

    With `strict=False` those too whose header reads, and not their structure: they have `damage`,
    and end where the next shader begins, if they do not before.
    """
    last: DamagedFound | None = None
    for each in _candidates(data, strict):
        if last is not None:
            size = min(last.size, each.offset - last.offset)
            yield DamagedFound.at(last.offset, size, last.format, last.damage)
        last = each if isinstance(each, DamagedFound) else None
        if last is None:
            yield each
    if last is not None:
        yield last


def _candidates(data: "bytes | bytearray | memoryview | mmap", strict: bool) -> Iterator[Found]:
    view = data if hasattr(data, "find") and not isinstance(data, str) else _bytes(data)
    wanted = [(f, magic) for f in known() for magic in f.magics]
    places = {each: view.find(each[1]) for each in wanted}
    while places := {each: place for each, place in places.items() if place >= 0}:
        which = min(places, key=places.__getitem__)
        at = places[which]
        rest = memoryview(view)[at:]
        try:
            size = which[0].shader().measure(rest)
        except UnshadeError as error:
            size = 0
            if not strict and isinstance(error, FormatError | LimitError):
                claimed = which[0].shader().claim(rest)
                damage = error.within(at, "") if isinstance(error, FormatError) else error
                if claimed:
                    yield DamagedFound.at(at, claimed, which[0].name, damage)
        inside = 0
        if size and not strict:
            inside = _swallowed(which[0].shader(), view, at, size, wanted)
        if inside:
            problem = f"the digest is wrong, and another shader begins inside, at 0x{inside:x}"
            yield DamagedFound.at(at, size, which[0].name, FormatError(problem, offset=at))
            size = 0
        elif size:
            yield Found(at, size, which[0].name)
        for each, place in places.items():
            if each == which or place < at + size:
                places[each] = view.find(each[1], at + max(size, 1))


def _swallowed(
    kind: type[Shader], view: Any, start: int, size: int, wanted: list[tuple[Format, bytes]]
) -> int:
    """Return the offset of a shader that stands in the place of this one's end, 0 without one.

    The structure of a shader that is cut off reads well where the bytes of the next one fit into
    it; only the digest tells that they do not belong there.
    """
    end = start + size
    for each, magic in wanted:
        at = view.find(magic, start + 1, end)
        while at >= 0:
            with suppress(UnshadeError):
                each.shader().measure(memoryview(view)[at:])
                whole = kind.loads(bytes(memoryview(view)[start:end]))
                return at if whole.digest_state == "unknown" else 0
            at = view.find(magic, at + 1, end)
    return 0
