"""The parts of a file, of whatever format: what a part is, several in order, and by name."""

from collections.abc import ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
from enum import StrEnum
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Generic,
    Protocol,
    SupportsIndex,
    TypeVar,
    cast,
    overload,
)

from .errors import FormatError, LimitError, PartError, UnsupportedError, UsageError

__all__ = ["ByName", "Category", "Part", "PartMapping", "PartTuple", "Parts", "RawBytes"]


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


class PartMapping:
    """A shader by the names of its parts: a mapping, but for its equality, and always true.

    `part_types.py` adds `[]` and `get`, with the type that each part has.
    """

    format: ClassVar[str]

    @property
    def parts(self) -> Parts:
        """The parts in file order; none where the format is not made of parts."""
        return PartTuple()

    @classmethod
    def part_types(cls) -> Mapping[str, type]:
        """The class of the typed part, for each name of which there is one."""
        return {}

    def part_value(self, name: str) -> Any:
        """The typed record of the first part of that name; bytes where nothing describes it."""
        given: object = name
        if not isinstance(given, str):
            raise UsageError(f"a part's name is needed, not {given!r:.40}: parts[0] is the first")
        return self.parts[name].value

    def __setitem__(self, name: str, value: Any) -> None:
        """Give the first part of that name another value, or add a part."""
        raise UnsupportedError(f"the parts of {self.format} files cannot be replaced")

    def __delitem__(self, name: str) -> None:
        """Remove the first part of that name."""
        raise UnsupportedError(f"the parts of {self.format} files cannot be removed")

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

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)
