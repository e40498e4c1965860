"""Damaged files: read-only access to the intact parts of a file whose structure is malformed.

    loads(data)                 ──►  the format's own shader, or an error
    loads(data, strict=False)   ──►  the same shader, or DamagedShader
                                       .damage      the error that `loads(data)` raises
                                       .parts       typed if intact, else raw bytes
                                       .to_bytes()  the input

A format's `Shader.salvage` returns what can still be read, as a `Remains`; everything else is
common to all formats. A damaged file cannot be edited, since it is unknown which offsets an edit
would have to change.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import copy
from typing import TYPE_CHECKING, Any, NoReturn, cast

from .errors import (
    DamagedError,
    Diagnostic,
    Diagnostics,
    FormatError,
    LimitError,
    Severity,
    UnshadeError,
    UnsupportedError,
)
from .files import Path
from .limits import Limits, check_file_size
from .parts import Part, PartTuple
from .program import Program
from .rule import AT_MOST, Rule, table
from .shader import Shader
from .stripping import Loss
from .wire import Span
from .wire.spans import gaps

if TYPE_CHECKING:
    from .isa.lexer import Lexer
    from .model import Reflection

__all__ = ["MALFORMED", "RULES", "Damage", "DamagedShader", "Remains", "salvaged"]

Damage = FormatError | LimitError

MALFORMED = Rule(
    "file.malformed",
    Severity.ERROR,
    "the structure of the file is malformed",
    "The file is truncated, or a size, an offset or a count in it is wrong. No other rule was"
    " checked. Drivers reject such a file; `info`, `hexdump` and `extract` show the intact parts.",
)
LIMIT = Rule(
    "file.limit",
    Severity.ERROR,
    "reading the file exceeds a limit",
    "A field of `Limits` is exceeded. In Python, loads(data, limits=Limits(…)) raises the limit.",
)
RULES = table((MALFORMED, LIMIT))


class Remains:
    """The readable parts of a damaged file; the base class lists no parts.

    `parts` are in file order. A damaged part carries its `error`, and its value is bytes.
    `errors` are the errors in the structure of the file.
    """

    parts: Sequence[Part] = ()
    errors: Sequence[Damage] = ()

    def intact(self) -> Shader | None:
        """Return a shader made of the intact parts alone, or None if none can be made."""
        return None

    def spans(self) -> list[Span]:
        """Return the spans of the fields that could be read; the other bytes are raw."""
        return []

    def fingerprint(self, part: Part) -> object:
        """Return an object that compares equal as long as the part's value is not edited."""
        return part.data

    def settle(self) -> None:
        """Write edits of programs back into parts, if programs are separate objects."""

    def extract(self) -> dict[str, bytes]:
        """Return the files that the intact parts contain, by name."""
        shader = self.intact()
        return {} if shader is None else shader.extract()

    def reflect(self) -> "Reflection":
        """Return the reflection of the intact parts."""
        shader = self.intact()
        if shader is None:
            raise UnsupportedError("the intact parts are not enough for a reflection")
        return shader.reflect()

    def identity(self) -> "Reflection | None":
        """Return stage, model and entry points, as far as they can be read."""
        shader = self.intact()
        return None if shader is None else shader.identity()

    def lexer(self, dialect: str | None = None) -> "Lexer | None":
        """Return the lexer of the text."""
        shader = self.intact()
        return None if shader is None else shader.lexer(dialect)

    def disassemble(self, **options: Any) -> str:
        """Return the native text of the code up to the damage."""
        shader = self.intact()
        if shader is None:
            raise UnsupportedError("the intact parts are not enough for a listing")
        return shader.disassemble(None, **options)


class DamagedShader(Shader):
    """A read-only shader with the intact parts of a damaged file.

    `[]`, `parts`, `programs`, `reflect`, `extract` and `to_data` work on the intact parts; `spans`
    cover all bytes. Methods that edit raise DamagedError.
    """

    editable = False
    _kind: type[Shader]
    _data: bytes
    _damage: Damage
    _remains: Remains
    _parts: PartTuple
    _looked_at: dict[int, tuple[Part, object]]  # by id: part and fingerprint, for `to_bytes`

    def __init__(self, kind: type[Shader], data: bytes, damage: Damage, limits: Limits) -> None:
        put = super().__setattr__
        remains = kind.salvage(data, limits) or Remains()
        put("_kind", kind)
        put("_data", data)
        put("_damage", damage)
        put("_remains", remains)
        put("limits", limits)
        put("_looked_at", {})
        put("_parts", PartTuple(cast(Part, _ReadOnlyPart(part, self)) for part in remains.parts))

    @property
    def format(self) -> str:  # type: ignore[override]
        return self._kind.format

    @property
    def comment(self) -> str:  # type: ignore[override]
        return self._kind.comment

    @property
    def damage(self) -> Damage:
        return self._damage

    @property
    def parts(self) -> PartTuple:
        return self._parts

    @property
    def programs(self) -> Sequence[Program]:
        """The intact programs."""
        for part in self._remains.parts:  # an edit of a program may change any of them
            self.look_at(part)
        shader = self._remains.intact()
        return () if shader is None else shader.programs

    @property
    def diagnostics(self) -> Diagnostics:
        """All errors in the structure and in single parts."""
        return Diagnostics(_diagnostic(path, error) for path, error in self._errors())

    def _errors(self) -> list[tuple[str, Damage]]:
        """Return (name of the part or "", error) of every error, once each, in file order."""
        errors = [("", self.damage), *(("", each) for each in self._remains.errors)]
        for part in self._remains.parts:
            _ = part.value  # sets `error` if it is malformed
            if part.error is not None:
                errors.append((part.name, part.error))
        found: dict[tuple[int, str], tuple[str, Damage]] = {}
        for name, error in errors:
            place = (error.offset, "") if isinstance(error, FormatError) else (0, str(error))
            found.setdefault(place, (name, error))
        return [found[place] for place in sorted(found)]

    def verify(self, **options: Any) -> Diagnostics:
        """Return all errors. Rules of the format are not checked on a damaged file."""
        return self.diagnostics

    @classmethod
    def rules(cls) -> Mapping[str, Rule]:
        return RULES

    # -- the bytes -----------------------------------------------------------------------------

    def to_bytes(self) -> bytes:
        """Return the input; raise DamagedError if a record was edited."""
        self._remains.settle()
        for part, before in self._looked_at.values():
            if self._remains.fingerprint(part) != before:
                raise self._refusal(f"cannot write the edit of {part.name}")
        return self._data

    def save(self, path: Path) -> None:
        """Raise DamagedError. Use `to_bytes` to write the damaged file itself."""
        raise self._refusal("cannot save")

    def look_at(self, part: Part) -> Any:
        """Return the value of a part and note its fingerprint, which `to_bytes` compares."""
        value = part.value
        if not isinstance(value, bytes) and id(part) not in self._looked_at:
            with suppress(UnshadeError):  # a value that cannot be encoded cannot be compared
                self._looked_at[id(part)] = part, self._remains.fingerprint(part)
        return value

    # -- views ---------------------------------------------------------------------------------

    def spans(self) -> list[Span]:
        """Return the fields that could be read and the raw bytes between them, in file order."""
        found = self._remains.spans()
        runs = sorted((*run, part.name) for part in self._remains.parts for run in part.extents)
        starts = [start for start, _, _ in runs]
        for start, end in gaps(found, len(self._data)):
            before = bisect_right(starts, start) - 1  # the part that the gap may be in
            inside = before >= 0 and start < runs[before][1]
            path = f"{runs[before][2]}.unread" if inside else "unread"
            raw = self._data[start:end]
            found.append(Span(start, end - start, path, raw, "not read", None, "raw"))
        return sorted(found, key=lambda each: (each.offset, each.length if not each.bits else 0))

    def extract(self) -> dict[str, bytes]:
        """Return the files in the intact parts, and other parts as `SHDR.damaged`."""
        found = self._remains.extract()
        seen: Counter[str] = Counter()
        for part in self._remains.parts:
            if part.error is not None and part.data:
                number = seen[part.name]
                seen[part.name] += 1
                found[f"{part.name}{f'.{number}' if number else ''}.damaged"] = part.data
        return found

    def to_data(self) -> dict[str, Any]:
        """Return plain data of the intact parts, and the key `damage`, which `from_data` rejects.

        Without that key, the result is the plain data of a shader with only the intact parts.
        """
        shader = self._remains.intact()
        rest = {} if shader is None else shader.to_data()
        damage = _plain(self.damage)
        damage["parts"] = [
            {
                "name": part.name,
                "offset": part.offset,
                "problem": str(part.error),
                "data": part.data.hex(),
            }
            for part in self._remains.parts
            if part.error is not None
        ]
        rest.pop("format", None)
        return {"format": self.format, "damage": damage, **rest}

    @property
    def private_data(self) -> bytes | None:
        shader = self._remains.intact()
        return None if shader is None else shader.private_data

    @private_data.setter
    def private_data(self, value: bytes | None) -> None:
        self.refuse_change()

    def identity(self) -> "Reflection":
        return self._remains.identity() or super().identity()

    def lexer(self, dialect: str | None = None) -> "Lexer":
        return self._remains.lexer(dialect) or super().lexer(dialect)

    def reflect(self) -> "Reflection":
        """Return the reflection of the intact parts; its notes name the damaged parts."""
        found = self._remains.reflect()
        noted = {note.partition(": ")[2] for note in found.notes}
        for _, error in self._errors()[:AT_MOST]:
            if str(error) not in noted:
                found.notes.append(f"the file is damaged: {error}")
        found.complete = False
        return found

    def disassemble(
        self, dialect: str | None = None, *, strict: bool = True, **options: Any
    ) -> str:
        """Return the native text up to the damage, ending with a comment that describes it.

        Other dialects are refused, since their text must represent the whole program.
        """
        if dialect not in (None, "native"):
            raise self._refusal(f"cannot disassemble in the dialect {dialect!r}")
        try:
            text = self._remains.disassemble(**options)
        except UnsupportedError:  # no code is intact
            raise copy(self.damage) from None
        return f"{text}{self.comment} the file is damaged: {self.damage}\n"

    # -- edits, all of them refused --------------------------------------------------------------

    def _refusal(self, problem: str) -> DamagedError:
        return DamagedError(f"{problem}: the file is damaged ({self.damage})")

    def refuse_change(self) -> NoReturn:
        """Raise DamagedError."""
        raise self._refusal("cannot edit")

    def __setattr__(self, name: str, value: object) -> None:
        self.refuse_change()

    def __delattr__(self, name: str) -> None:
        self.refuse_change()

    def __setitem__(self, name: str, value: object) -> None:
        self.refuse_change()

    def __delitem__(self, name: str) -> None:
        self.refuse_change()

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and hasattr(self._kind, name):  # a method of the format
            raise self._refusal(f"no attribute {name!r}")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def rename(self, path: str, name: str) -> None:
        self.refuse_change()

    def recount(self) -> dict[str, tuple[int, int]]:
        self.refuse_change()

    def sign(self) -> None:
        self.refuse_change()

    def _losses(self) -> Sequence[Loss]:
        self.refuse_change()

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self._kind, self._data, self._damage, self.limits)

    def __repr__(self) -> str:
        return f"<DamagedShader {self.format}: {self.damage}>"


class _ReadOnlyPart:
    """A read-only proxy of a part of a damaged file."""

    __slots__ = ("_owner", "_part")

    def __init__(self, part: Part, owner: DamagedShader) -> None:
        object.__setattr__(self, "_part", part)
        object.__setattr__(self, "_owner", owner)

    @property
    def value(self) -> Any:
        """The typed part; bytes if it is damaged or of an unknown type."""
        return self._owner.look_at(self._part)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._part, name)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self._part, self._owner)

    def __setattr__(self, name: str, value: object) -> None:
        self._owner.refuse_change()

    def __delattr__(self, name: str) -> None:
        self._owner.refuse_change()

    def __repr__(self) -> str:
        return repr(self._part)


def salvaged(kind: type[Shader], data: bytes, limits: Limits) -> Shader:
    """Return the shader that `kind` reads, or a DamagedShader if the data is malformed."""
    check_file_size(len(data), limits)
    try:
        return kind.loads(data, limits)
    except (FormatError, LimitError) as error:
        damage = error.with_traceback(None)  # drop references to what was being read

    return DamagedShader(kind, data, damage, limits)


def _diagnostic(path: str, error: Damage) -> Diagnostic:
    if isinstance(error, FormatError):
        return MALFORMED.found(error.problem, offset=error.offset, path=error.path)
    return LIMIT.found(str(error), path=path)


def _plain(error: Damage) -> dict[str, Any]:
    """Return an error as plain data."""
    if isinstance(error, FormatError):
        return {"offset": error.offset, "path": error.path, "problem": error.problem}
    return {"problem": str(error)}
