"""What every format's shader can do, and what every program in one can."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, overload, runtime_checkable

from .errors import Diagnostic, FormatError, LimitError, UnsupportedError, UsageError
from .files import Path, write_atomically
from .limits import DEFAULT, Limits
from .wire import Span

if TYPE_CHECKING:
    from .model import Reflection


@runtime_checkable
class Program(Protocol):
    """One piece of code in a shader."""

    @property
    def entry_points(self) -> Sequence[tuple[str, str]]:
        """(name, stage) of each function that can be started."""

    def disassemble(self, dialect: str | None = None) -> str:
        """The code as text, without what only the container knows."""

    def verify(self) -> list[Diagnostic]:
        """Findings about the code alone."""

    @property
    def instructions(self) -> list[Any]:
        """The instructions, to read and to edit; empty where the code is not made of such."""


class Part(Protocol):
    """One part of a format whose files are made of parts."""

    name: str
    offset: int
    error: FormatError | LimitError | None

    @property
    def size(self) -> int:
        """Bytes of its data."""

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


class NoParts(tuple[Part, ...]):
    """The parts of a format whose files are not made of parts."""

    __slots__ = ()

    @overload  # type: ignore[override]
    def __getitem__(self, key: int) -> Part: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[Part]: ...
    @overload
    def __getitem__(self, key: str) -> Part: ...
    def __getitem__(self, key: int | slice | str) -> Part | Sequence[Part]:
        if isinstance(key, str):
            raise UsageError(f"no part {key!r}: files of this format are not made of parts")
        return super().__getitem__(key)

    def get(self, *names: str) -> Part | None:
        return None

    def all(self, *names: str) -> Sequence[Part]:
        return ()


class Shader:
    """One opened shader. Subclasses are the formats; this is what they share.

    Attributes: `format` is the format's name, `trailing` the bytes behind the shader's own end,
    `limits` bounds the work.
    """

    format: ClassVar[str]
    limits: Limits = DEFAULT
    trailing: bytes = b""

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
        return NoParts()

    def __getitem__(self, name: str) -> Any:
        """The typed record of the first part of that name; bytes where nothing describes it."""
        return self.parts[name].value

    def __contains__(self, name: str) -> bool:
        return self.parts.get(name) is not None

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
        """Write the file: first beside its place, then into it, so that it is never half there."""
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

    def reflect(self) -> "Reflection":
        """Inputs, outputs, resources, constants: the same words for every format."""
        raise UnsupportedError(f"{self.format} has no reflection yet")

    def verify(self) -> list[Diagnostic]:
        """Every finding: those of reading, and every rule of the format and its programs."""
        return self.diagnostics

    def sign(self) -> None:
        """Recompute the digest, in place."""
        raise UnsupportedError(f"{self.format} files are not signed")

    def spans(self) -> list[Span]:
        """Every named field of the file in file order."""
        raise NotImplementedError

    def extract(self) -> dict[str, bytes]:
        """What the file holds that is a file of its own: programs, sources, private data."""
        return {}
