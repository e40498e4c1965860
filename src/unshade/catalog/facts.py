"""The rows of a catalogue about a shader, and about the contents of a file.

Only the bytes decide the contents of a row, so that copies have the same rows. Facts that cannot be
read are missing: a damaged shader has a row with its damage, and the rows about its intact parts.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeVar

from .. import archives
from ..analysis.identities import kernels_of, key_of_interface, key_of_shape, program_key
from ..api import loads
from ..errors import FormatError, LimitError, Severity, UnshadeError
from ..limits import DEFAULT, Limits
from ..overview import state_of
from ..search import Found
from ..unchanged import unchanged
from .deadlines import OutOfTime, Watch
from .sketches import LABEL, key_of, marks_of
from .tables import COUNTS, TABLES

if TYPE_CHECKING:
    from mmap import mmap

    from ..model import Reflection
    from ..shader import Shader

__all__ = ["Rows", "content_rows", "operations_of", "shader_rows"]

Rows = dict[str, list[tuple[Any, ...]]]  # by table, in the order of its columns
Result = TypeVar("Result")

STATISTICS = tuple(each.split(" ", 1)[0] for each in COUNTS)
OF_RESOURCE = tuple(each.name for each in TABLES["resources"].columns[3:])
SIGNATURES = ("inputs", "outputs", "patch_constants")
SHADERS = 3  # shaders that may take as long as the limit, of a file
EACH_BYTE = 50e-6  # s, in addition: ten times what an ordinary shader takes
LONGEST = 500  # characters of a message: some quote what they found


def content_rows(
    content: str,
    data: "bytes | mmap",
    *,
    quick: bool = False,
    limits: Limits = DEFAULT,
    known: Callable[[str], bool] = lambda shader: False,
    watch: Watch | None = None,
) -> Rows:
    """Return the rows about the contents of a file, and about the shaders inside.

    A shader that takes longer than the limit has a row that records this, without facts that have
    to be read. A file may take as long as three such shaders, and a time for each byte.

    Args:
        content: SHA-256 of the data.
        data: The bytes.
        quick: Leave out the facts that take long.
        limits: Bounds on unpacking.
        known: True for a shader whose rows are not needed, by its SHA-256.
        watch: The watch of this thread, if the time is limited.
    """
    rows: Rows = {"places": []}
    kind = problem = None
    done: set[str] = set()
    watch = watch or Watch()
    seconds = limits.scan_seconds
    late = LimitError("scan_seconds", seconds, "more")
    end = watch.now() + SHADERS * seconds + len(data) * EACH_BYTE
    try:
        watch.until = end
        try:
            for number, found in enumerate(archives.find(data, strict=False, limits=limits)):
                shader = found.hash
                place = (content, number, found.path, found.offset, found.size, shader)
                rows["places"].append(place)
                if shader not in done and not known(shader):
                    end += found.size * EACH_BYTE
                    watch.until = min(end, watch.now() + seconds + found.size * EACH_BYTE)
                    try:
                        more = shader_rows(found, quick=quick)
                    except OutOfTime:
                        watch.until = end
                        if watch.now() > end:
                            raise
                        row = _row(found, None, None, {}, None, None, [_message(late)])
                        more = {"shaders": [row]}
                    watch.until = end
                    _join(rows, more)
                done.add(shader)
        except (UnshadeError, MemoryError) as error:
            kind, problem = type(error).__name__, _message(error)
        watch.until = None
    except OutOfTime:
        watch.until = None
        kind, problem = type(late).__name__, _message(late)
    rows["contents"] = [(content, len(rows["places"]), kind, problem)]
    return rows


def _join(rows: Rows, more: Rows) -> None:
    for name, each in more.items():
        rows.setdefault(name, []).extend(each)


def _message(error: Exception) -> str:
    return str(error)[:LONGEST] or type(error).__name__


class _Missing(list[str]):
    """The reasons why facts of a shader are missing."""

    def attempt(self, read: Callable[[], Result]) -> Result | None:
        """Return the result of a function; None if it raises, and note the reason."""
        try:
            return read()
        except (UnshadeError, MemoryError, RecursionError) as error:
            message = _message(error)
            if message not in self:
                self.append(message)
            return None


def shader_rows(found: Found, *, quick: bool = False) -> Rows:
    """Return the rows about a shader, without the findings and the operations if `quick`."""
    with unchanged():
        return _shader_rows(found, quick)


def _shader_rows(found: Found, quick: bool) -> Rows:
    missing = _Missing()
    opened = missing.attempt(found.open)
    rows: Rows = {}
    if opened is None:
        damage, offset = _damage(found, None)
        rows["shaders"] = [_row(found, None, None, {}, damage, offset, missing)]
        return rows
    shader = opened  # of a name that closures may refer to
    # Before a part is decoded, so that none has to be encoded for its size.
    parts = missing.attempt(lambda: _parts(shader)) or []
    damage, offset = _damage(found, shader)
    reflection = missing.attempt(shader.reflect)
    facts: dict[str, Any] = {"program": missing.attempt(lambda: program_key(shader))}
    if reflection is not None:
        facts["interface"] = key_of_interface(reflection)
    if not quick:
        kernels = kernels_of(shader) if damage is None else []
        facts["shape"] = key_of_shape(kernels)
        marks = missing.attempt(lambda: marks_of(facts, reflection, kernels)) or []
        words = sum(each.kind != LABEL for each in marks)
        key = key_of(found.hash)
        rows["sketches"] = [(each.mark, key, words) for each in marks]
        rows["findings"] = missing.attempt(lambda: _findings(found.hash, shader, facts)) or []
        rows["operations"] = missing.attempt(lambda: _operations(found.hash, shader)) or []
    rows["parts"] = _states(found.hash, shader, parts)
    rows["sources"] = missing.attempt(lambda: [*_sources(found.hash, shader)]) or []
    if reflection is not None:
        for entry, each in _entries(reflection):
            for name, made in _interface(found.hash, entry, each):
                rows.setdefault(name, []).append(made)
    rows["shaders"] = [_row(found, shader, reflection, facts, damage, offset, missing)]
    return rows


def _damage(found: Found, opened: "Shader | None") -> tuple[str | None, int | None]:
    """Return the message and the offset of the damage of a shader, in its own bytes."""
    error: UnshadeError | None = None
    if found.damage is not None:
        try:
            loads(found.data)
        except UnshadeError as refused:
            error = refused
        else:
            return "another shader begins inside", None
    elif opened is not None:
        with suppress(UnshadeError):
            error = opened.damage
    if isinstance(error, FormatError):
        path = f"{error.path}: " if error.path else ""
        return f"{path}{error.problem}"[:LONGEST], error.offset
    return (None, None) if error is None else (_message(error), None)


def _row(
    found: Found,
    shader: "Shader | None",
    reflection: "Reflection | None",
    facts: dict[str, Any],
    damage: str | None,
    offset: int | None,
    missing: list[str],
) -> tuple[Any, ...]:
    """Return the row of the table of shaders."""
    known = reflection
    if known is None and shader is not None:
        with suppress(UnshadeError):
            known = shader.identity()
    several = [] if known is None else known.entry_points or [known]
    stages = [str(each.stage) for each in several if each.stage is not None]
    names = [each.entry_point for each in several if each.entry_point]
    digest = None
    with suppress(UnshadeError):
        digest = None if shader is None else shader.digest_state
    first = several[0] if several else None
    group = None if first is None else first.thread_group
    counts = [None if each.statistics is None else each.statistics for each in several]
    return (
        found.hash,
        found.format,
        _text(known, "code"),
        ",".join(dict.fromkeys(stages)) or None,
        _text(known, "profile"),
        _text(known, "model"),
        ",".join(names) or None,
        len(several) if stages else 0,
        found.size,
        _text(known, "creator"),
        digest,
        facts.get("program"),
        facts.get("shape"),
        facts.get("interface"),
        *(group or (None, None, None)),
        []
        if known is None
        else sorted({*known.features, *(f for e in several for f in e.features)}),
        [] if known is None else sorted({*known.global_flags}),
        *(_total([getattr(each, name, None) for each in counts]) for name in STATISTICS),
        facts.get("errors"),
        facts.get("warnings"),
        damage,
        offset,
        "; ".join(missing)[:LONGEST] or None,
    )


def _text(known: "Reflection | None", name: str) -> str | None:
    """Return a text of a reflection, or of its first entry point that has one."""
    if known is None:
        return None
    for each in (known, *known.entry_points):
        value = getattr(each, name)
        if value is not None:
            return str(value)
    return None


def _total(counts: list[int | None]) -> int | None:
    known = [each for each in counts if each is not None]
    return sum(known) if known else None


def _findings(name: str, shader: "Shader", facts: dict[str, Any]) -> list[tuple[Any, ...]]:
    found = [*shader.verify()]
    facts["errors"] = sum(each.severity is Severity.ERROR for each in found)
    facts["warnings"] = sum(each.severity is Severity.WARNING for each in found)
    return [
        (name, number, each.code, str(each.severity), each.offset, each.path,
         each.message[:LONGEST])
        for number, each in enumerate(found)
    ]  # fmt: skip


def operations_of(shader: "Shader") -> list[tuple[str, int]]:
    """Return the operations of the code, and how often each occurs, by name."""
    counts: Counter[str] = Counter()
    for program in shader.programs:
        counts.update(program.operations())
    return sorted(counts.items())


def _operations(name: str, shader: "Shader") -> list[tuple[Any, ...]]:
    return [(name, operation, count) for operation, count in operations_of(shader)]


def _parts(shader: "Shader") -> list[tuple[str, int, int]]:
    """Return the name, the offset and the size of each part."""
    return [(each.name, each.offset, each.size) for each in shader.parts]


def _states(
    name: str, shader: "Shader", parts: list[tuple[str, int, int]]
) -> list[tuple[Any, ...]]:
    return [
        (name, number, *part, state_of(each))
        for number, (part, each) in enumerate(zip(parts, shader.parts, strict=False))
    ]


def _sources(name: str, shader: "Shader") -> Iterator[tuple[Any, ...]]:
    for file, data in sorted(shader.sources().items()):
        yield name, file, len(data), sha256(data).hexdigest()


def _entries(reflection: "Reflection") -> Iterator[tuple[str, "Reflection"]]:
    yield "", reflection
    for each in reflection.entry_points:
        yield each.entry_point or "", each


def _interface(name: str, entry: str, given: "Reflection") -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yield the rows about the resources, buffers and signatures of an entry point."""
    for number, each in enumerate(given.resources):
        values = (_plain(getattr(each, field)) for field in OF_RESOURCE)
        yield "resources", (name, entry, number, *values)
    for number, buffer in enumerate(given.constant_buffers):
        row = (buffer.name, str(buffer.kind), buffer.size, len(buffer.variables))
        yield "buffers", (name, entry, number, *row)
        for place, one in enumerate(buffer.variables):
            sizes = "".join(f"[{n or ''}]" for n in one.type.elements)
            yield "variables", (
                name, entry, number, place, one.name, one.type.spelling() + sizes,
                one.offset, one.size, one.used,
            )  # fmt: skip
    for direction in SIGNATURES:
        for number, each in enumerate(getattr(given, direction)):
            yield "signatures", (
                name, entry, direction, number, each.semantic, each.index, each.register,
                each.components, each.used, _plain(each.component_type),
                _plain(each.system_value), _plain(each.interpolation),
            )  # fmt: skip


def _plain(value: Any) -> Any:
    """Return a value without the enumeration that it may be of."""
    return str(value) if isinstance(value, str) else value
