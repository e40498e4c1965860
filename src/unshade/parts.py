"""Parts of a file: the protocols, and sequences and mappings of parts for all formats."""

from collections.abc import ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
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
    runtime_checkable,
)

from .enums import StrEnum
from .errors import FormatError, LimitError, PartError, UnsupportedError, UsageError, did_you_mean

__all__ = [
    "ByName",
    "Category",
    "Part",
    "PartMapping",
    "PartTuple",
    "Parts",
    "PlainValue",
    "RawBytes",
]


class Category(StrEnum):
    """The purpose of a part or field of a file."""

    CODE = "code"  # programs
    INTERFACE = "interface"  # used by the pipeline: signatures, bindings, features
    REFLECTION = "reflection"  # names, types and layouts
    STATISTICS = "statistics"  # counts over the code
    DEBUG = "debug"  # sources, lines, names of debug files
    COMPILER = "compiler"  # compiler version and flags
    DIGEST = "digest"  # checksums and hashes
    PRIVATE = "private"  # private data of an application
    CONTAINER = "container"  # order, gaps, and parts of unknown type


class Part(Protocol):
    """A part of a container file."""

    name: str
    offset: int
    error: FormatError | LimitError | None

    @property
    def data(self) -> bytes:
        """The bytes of the part as they would be written now."""

    @property
    def size(self) -> int:
        """Size of the data in bytes."""

    @property
    def category(self) -> Category:
        """The category of parts of this name."""

    def category_of(self, field: str) -> Category:
        """Return the category of a field of the typed part, by its dotted path."""

    def in_program(self, field: str) -> bool:
        """Return True if a field is part of a program, and so appears in its text."""

    def described(self, field: str, value: Any) -> str | None:
        """Return a description of a field's value, or None if the value needs none."""

    @property
    def extents(self) -> list[tuple[int, int]]:
        """The (start, end) of each run of its bytes, header included; usually one."""

    @property
    def title(self) -> str:
        """The contents of parts of this name; empty if unknown."""

    @property
    def value(self) -> Any:
        """The typed part; bytes if it is of an unknown type."""


@runtime_checkable
class PlainValue(Protocol):
    """The value of a part that is not a record, but has plain data."""

    def to_data(self) -> dict[str, Any]:
        """Return plain data whose leaves `unshade.diff` compares."""


class Parts(Protocol):
    """A sequence of parts in file order; a name as index means the first part of that name."""

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
        """Return the first part that has any of these names, or None."""

    def all(self, *names: str) -> Sequence[Part]:
        """Return all parts that have any of these names, in file order."""

    def by_name(self) -> Mapping[str, Sequence[Part]]:
        """Return the parts of each name, in file order."""


P = TypeVar("P", bound=Part)


class ByName(Generic[P]):
    """Mixin for a sequence of parts: indexing by name, `get` and `all`."""

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
                names = [*dict.fromkeys(part.name for part in self)]
                meant = did_you_mean(key, names)
                message = f"expected one of {', '.join(names)}{meant}" if names else self.NONE
                raise PartError(f"no part {key!r}: {message}", key)
            return found
        return super().__getitem__(key)  # type: ignore[misc,no-any-return]

    def __contains__(self, key: object) -> bool:
        if isinstance(key, str):
            return self.get(key) is not None
        return super().__contains__(key)  # type: ignore[misc,no-any-return]

    def get(self, *names: str) -> P | None:
        """Return the first part that has any of these names, or None."""
        return next((part for part in self if part.name in names), None)

    def all(self, *names: str) -> list[P]:
        """Return all parts that have any of these names, in file order."""
        return [part for part in self if part.name in names]

    def by_name(self) -> dict[str, list[P]]:
        """Return the parts of each name, in file order."""
        found: dict[str, list[P]] = {}
        for part in self:
            found.setdefault(part.name, []).append(part)
        return found


class PartTuple(ByName[Part], tuple[Part, ...]):  # type: ignore[misc]
    """An immutable sequence of parts, for formats without a part table."""

    __slots__ = ()
    NONE = "the format is not made of parts"


class RawBytes:
    """Descriptor of an attribute that takes only bytes, so that a str is refused at once."""

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
            raise UsageError(f"{self.name[1:]}: expected bytes, got {value!r:.40}")
        setattr(holder, self.name, bytes(given))


class PartMapping:
    """Mapping from part names to parts, for a shader; always true, compared by identity.

    `part_types.py` adds `[]` and `get` with the type of each part.
    """

    format: ClassVar[str]

    @property
    def parts(self) -> Parts:
        """The parts in file order; empty if the format is not divided into parts."""
        return PartTuple()

    @classmethod
    def part_types(cls) -> Mapping[str, type]:
        """Return the class of the typed part for each known name."""
        return {}

    def part_value(self, name: str) -> Any:
        """Return the value of the first part of that name: typed, or bytes."""
        given: object = name
        if not isinstance(given, str):
            raise UsageError(
                f"expected the name of a part, got {given!r:.40}; `parts` takes indices"
            )
        return self.parts[name].value

    def __setitem__(self, name: str, value: Any) -> None:
        """Set the value of the first part of that name, or add a part."""
        raise UnsupportedError(f"the parts of {self.format} files cannot be replaced")

    def __delitem__(self, name: str) -> None:
        """Remove the first part of that name."""
        raise UnsupportedError(f"the parts of {self.format} files cannot be removed")

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.parts.get(name) is not None

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the parts in file order, each once."""
        return iter(dict.fromkeys(part.name for part in self.parts))

    def __len__(self) -> int:
        """Return the number of different names of parts."""
        return len({part.name for part in self.parts})

    def __bool__(self) -> bool:
        """Return True, also for a shader without parts."""
        return True

    def keys(self) -> KeysView[str]:
        """Return the names of the parts, each once."""
        return KeysView(cast("Mapping[str, Any]", self))

    def values(self) -> ValuesView[Any]:
        """Return the value of `[]` for each name."""
        return ValuesView(cast("Mapping[str, Any]", self))

    def items(self) -> ItemsView[str, Any]:
        """Return each name with the value of `[]` for it."""

        return ItemsView(cast("Mapping[str, Any]", self))

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)
