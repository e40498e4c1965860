"""What every format's shader can do, and what every program in one can."""

from collections.abc import ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
from enum import StrEnum
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Generic,
    NamedTuple,
    Protocol,
    Self,
    SupportsIndex,
    TypeVar,
    cast,
    overload,
)

from .errors import (
    Diagnostic,
    FormatError,
    LimitError,
    PartError,
    UnsupportedError,
    UsageError,
)
from .files import Path, write_atomically
from .limits import DEFAULT, Limits
from .program import Program
from .wire import Span

if TYPE_CHECKING:
    from .isa.lexer import Lexer
    from .isa.source import Source
    from .model import Reflection
    from .rule import Rule


class Category(StrEnum):
    """What some part of a file is for: who misses it when it goes, who cares when it changes."""

    CODE = "code"  # what runs
    INTERFACE = "interface"  # what the pipeline has to know: signatures, bindings, features
    REFLECTION = "reflection"  # names, types and layouts, for programs that ask
    STATISTICS = "statistics"  # counts over the code
    DEBUG = "debug"  # sources, lines, names of debug files
    COMPILER = "compiler"  # who made it, and with which flags
    DIGEST = "digest"  # checksums and hashes
    PRIVATE = "private"  # what somebody attached
    CONTAINER = "container"  # order, gaps, and what nobody describes


class Part(Protocol):
    """One part of a format whose files are made of parts."""

    name: str
    offset: int
    error: FormatError | LimitError | None

    @property
    def data(self) -> bytes:
        """Its bytes as they would be written now."""

    @property
    def size(self) -> int:
        """Bytes of its data."""

    @property
    def category(self) -> Category:
        """What such parts are for, in one word."""

    def category_of(self, field: str) -> Category:
        """The same of one field of the typed part, by its dotted path: `creator` in RDEF."""

    def in_program(self, field: str) -> bool:
        """Whether a field is what a program of the shader says: code is told by its text."""

    def told(self, field: str, value: Any) -> str | None:
        """The value of a field in words of its own; None where it speaks for itself."""

    @property
    def extents(self) -> list[tuple[int, int]]:
        """The (start, end) of each run of its bytes, its header included; mostly one."""

    @property
    def title(self) -> str:
        """What such parts are for; empty where that is not known."""

    @property
    def value(self) -> Any:
        """The typed part, bytes where nothing describes it."""


class Loss(NamedTuple):
    """Something that `strip` can take away, and what that means for who uses the file."""

    part: str
    size: int  # bytes
    category: str  # one of STRIPPABLE
    meaning: str


# What `strip` takes, as D3DStripShader and `dxc -Qstrip_…` name it. Statistics are apart.
STRIPPABLE = ("debug", "reflection", "statistics", "private", "root-signature")


def stripped(categories: Sequence[str]) -> tuple[str, ...]:
    """These categories, `all` as every one; UsageError names a wrong one."""
    for each in categories:
        if each not in (*STRIPPABLE, "all"):
            names = ", ".join((*STRIPPABLE, "all"))
            raise UsageError(f"{each!r:.40} cannot be stripped; there are {names}")
    return STRIPPABLE if "all" in categories else tuple(categories)


class Parts(Protocol):
    """The parts in file order; by number, or the first of a name."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Part]: ...
    def __contains__(self, key: object) -> bool: ...
    @overload
    def __getitem__(self, key: int) -> Part: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[Part]: ...
    @overload
    def __getitem__(self, key: str) -> Part: ...

    def get(self, *names: str) -> Part | None:
        """The first part with one of these names."""

    def all(self, *names: str) -> Sequence[Part]:
        """Every part with one of these names."""


P = TypeVar("P", bound=Part)


class ByName(Generic[P]):
    """Parts in file order, by number, or by the first of a name: what a sequence of them adds."""

    __slots__ = ()
    NONE = "there are no parts"

    if TYPE_CHECKING:

        def __iter__(self) -> Iterator[P]: ...

    @overload
    def __getitem__(self, key: SupportsIndex) -> P: ...
    @overload
    def __getitem__(self, key: slice) -> list[P]: ...
    @overload
    def __getitem__(self, key: str) -> P: ...
    def __getitem__(self, key: SupportsIndex | slice | str) -> P | list[P]:
        if isinstance(key, str):
            found = self.get(key)
            if found is None:
                names = ", ".join(dict.fromkeys(part.name for part in self))
                there = f"there are {names}" if names else self.NONE
                raise PartError(f"no part {key!r}; {there}", key)
            return found
        return super().__getitem__(key)  # type: ignore[misc,no-any-return]

    def __contains__(self, key: object) -> bool:
        if isinstance(key, str):
            return self.get(key) is not None
        return super().__contains__(key)  # type: ignore[misc,no-any-return]

    def get(self, *names: str) -> P | None:
        """The first part with one of these names."""
        return next((part for part in self if part.name in names), None)

    def all(self, *names: str) -> list[P]:
        """Every part with one of these names, in file order."""
        return [part for part in self if part.name in names]


class PartTuple(ByName[Part], tuple[Part, ...]):  # type: ignore[misc]
    """Parts that cannot be exchanged: what a format shows as such that has no table of parts."""

    __slots__ = ()
    NONE = "the format is not made of parts"


class RawBytes:
    """An attribute that is bytes and takes nothing else: a str would only be missed on writing."""

    def __init__(self, doc: str) -> None:
        self.__doc__ = doc
        self.name = ""

    def __set_name__(self, _: type, name: str) -> None:
        self.name = f"_{name}"

    def __get__(self, holder: object, _: type) -> bytes:
        value: bytes = getattr(holder, self.name, b"")
        return value

    def __set__(self, holder: object, value: bytes) -> None:
        given: object = value
        if not isinstance(given, bytes | bytearray | memoryview):
            raise UsageError(f"{self.name[1:]} takes bytes, not {value!r:.40}")
        setattr(holder, self.name, bytes(given))


class Shader:
    """One opened shader. Subclasses are the formats; this is what they share.

    Attributes: `format` is the format's name, `trailing` the bytes behind the shader's own end,
    `limits` bounds the work.
    """

    format: ClassVar[str]
    comment: ClassVar[str] = "//"  # begins one in the format's texts
    limits: Limits = DEFAULT
    trailing = RawBytes("the bytes behind the shader's own end")

    @classmethod
    def loads(cls, data: bytes, limits: Limits = DEFAULT) -> Self:
        """Read a shader; bytes behind its end are kept in `trailing`."""
        raise NotImplementedError

    @classmethod
    def measure(cls, data: bytes | memoryview) -> int:
        """The size of the shader at the start of `data`, by its own structure."""
        raise NotImplementedError

    @property
    def programs(self) -> Sequence[Program]:
        """Every piece of code, in file order."""
        return ()

    @property
    def parts(self) -> Parts:
        """The parts in file order; none where the format is not made of parts."""
        return PartTuple()

    def __getitem__(self, name: str) -> Any:
        """The typed record of the first part of that name; bytes where nothing describes it."""
        given: object = name
        if not isinstance(given, str):
            raise UsageError(f"a part's name is needed, not {given!r:.40}: parts[0] is the first")
        return self.parts[name].value

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.parts.get(name) is not None

    def __iter__(self) -> Iterator[str]:
        """The names of the parts in file order, each once: what `[]` takes, as of a dictionary."""
        return iter(dict.fromkeys(part.name for part in self.parts))

    def __len__(self) -> int:
        """How many names of parts there are."""
        return len({part.name for part in self.parts})

    def __bool__(self) -> bool:
        """True: a shader without parts is a shader."""
        return True

    def keys(self) -> KeysView[str]:
        """The names of the parts, each once."""
        return KeysView(cast("Mapping[str, Any]", self))

    def values(self) -> ValuesView[Any]:
        """What `[]` returns for each name."""
        return ValuesView(cast("Mapping[str, Any]", self))

    def items(self) -> ItemsView[str, Any]:
        """Each name with what `[]` returns for it."""
        return ItemsView(cast("Mapping[str, Any]", self))

    def get(self, name: str, default: Any = None) -> Any:
        """What `[]` returns, or `default` where there is no part of that name."""
        part = self.parts.get(name)
        return default if part is None else part.value

    def frame(self) -> dict[str, Any]:
        """What the file says around its parts and programs, as plain data.

        Nothing that follows from those, as sizes and a right digest do. `digest` is what is said
        of a checksum, everything else is a matter of layout.
        """
        return {}

    @property
    def digest_state(self) -> str | None:
        """Whether the digest is right, and of which kind; None where the format has none."""
        return None

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """What was odd while reading."""
        return []

    def to_bytes(self) -> bytes:
        """The exact bytes of the file."""
        raise NotImplementedError

    def save(self, path: Path) -> None:
        """Write the file, whole or not at all; over the one that was opened, too, if that is named.

        It is written beside its place and then put there, so that it is never half there.
        """
        write_atomically(path, self.to_bytes())

    def to_data(self) -> dict[str, Any]:
        """Plain data, lossless; `unshade.from_data` is the way back."""
        raise NotImplementedError

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        """The shader that plain data describes."""
        raise NotImplementedError

    def disassemble(self, dialect: str | None = None, **options: Any) -> str:
        """The shader as text, by default as the format's own tool prints it."""
        raise UnsupportedError(f"{self.format} has no disassembly yet")

    def listings(self, dialect: str | None = None, **options: Any) -> dict[str, str]:
        """The text as files: several where the format's own tool wants several.

        The key is what follows the shader's own name in that of the file.
        """
        return {".asm": self.disassemble(dialect, **options)}

    def lexer(self) -> "Lexer":
        """What tells the words of its texts apart, to show them in colours."""
        from .isa.lexer import comments

        return next((each.lexer() for each in self.programs), None) or comments(self.comment)

    @classmethod
    def assemble(
        cls, sources: "Sequence[Source]", *, donor: Self | None = None, **options: Any
    ) -> Self:
        """The shader that texts describe, in any dialect; AssembleError names what is wrong.

        `donor` is a shader of this format that supplies what a text does not say.
        """
        raise UnsupportedError(f"{cls.format} has no assembler yet")

    @classmethod
    def link(cls, objects: "Sequence[Shader]", **options: Any) -> "Shader":
        """One shader made of several objects of this format."""
        raise UnsupportedError(f"{cls.format} files are not objects that can be linked")

    def identity(self) -> "Reflection":
        """Stage, model and entry points: the beginning of the reflection, which little is read for.

        Nothing but the format where there is no code, or where the format has no reflection.
        """
        from .model import Reflection

        return Reflection(format=self.format)

    def reflect(self) -> "Reflection":
        """Inputs, outputs, resources, constants: the same words for every format."""
        raise UnsupportedError(f"{self.format} has no reflection yet")

    def verify(self) -> list[Diagnostic]:
        """Every finding: those of reading, and every rule of the format and its programs."""
        return self.diagnostics

    @classmethod
    def rules(cls) -> "Mapping[str, Rule]":
        """Every rule that `verify` checks, by its code."""
        return {}

    def sign(self) -> None:
        """Recompute the digest, in place."""
        raise UnsupportedError(f"{self.format} files are not signed")

    def strippable(self, *categories: str) -> list[Loss]:
        """What `strip` would take away, of all categories where none is named; nothing changes."""
        wanted = stripped(categories or STRIPPABLE)
        return [loss for loss in self._losses() if loss.category in wanted]

    def strip(self, *categories: str) -> list[Loss]:
        """Take away what the runtime does not need, in place: debug information by default.

        Categories are those of STRIPPABLE, or `all`. Gives what was taken away.
        """
        wanted = stripped(categories or ("debug",))
        lost = self.strippable(*wanted)
        self._strip(lost)
        return lost

    def _losses(self) -> Sequence[Loss]:
        """Everything that the runtime does not need, in file order: what a format has to say."""
        return ()

    def _strip(self, lost: Sequence[Loss]) -> None:
        """Take these away, which are some of `_losses`: what a format has to do."""

    def spans(self) -> list[Span]:
        """Every named field of the file in file order."""
        raise NotImplementedError

    def extract(self) -> dict[str, bytes]:
        """What the file holds that is a file of its own: programs, sources, private data."""
        return {}
