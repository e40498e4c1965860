"""Programs and modules as version 11 holds them: a string pool and a stream of commands.

    u16 version   u16 size of the pool   { u8 n   n bytes }…   commands to the end

`unit` is the tree. Data that the writer derives from the tree (numbers of symbols, the pool) is
kept only where a file differs: `odd` maps paths to non-default choices, `strings` is the pool.

Source: docs/formats/sksl.md.
"""

from typing import Self

from ...errors import FormatError, UnsupportedError
from ...limits import DEFAULT, Limits
from .codec.commands import CURRENT, VERSIONS, CommandSet
from .codec.numbering import Choice
from .codec.pool import PooledStrings, read_strings
from .codec.reader import read_commands
from .codec.writer import write_commands
from .tree import ProgramUnit, TranslationUnit

__all__ = ["Code", "command_set"]


class Code:
    """A program or module.

    Attributes:
        unit: The tree.
        version: Version of the format.
        odd: Choices of a file that the writer would not make, by path.
        strings: The strings of the pool, if they differ from the strings of the tree; else None.
        limits: Bounds on the work.
    """

    __slots__ = ("limits", "odd", "strings", "unit", "version")

    def __init__(
        self,
        unit: TranslationUnit,
        version: int = CURRENT,
        odd: dict[str, Choice] | None = None,
        strings: list[str] | None = None,
        limits: Limits = DEFAULT,
    ) -> None:
        self.unit = unit
        self.version = version
        self.odd = odd or {}
        self.strings = strings
        self.limits = limits

    @classmethod
    def decode(
        cls, data: bytes, pool: bytes, version: int = CURRENT, limits: Limits = DEFAULT
    ) -> Self:
        """Decode a command stream with its string pool.

        Raises:
            FormatError: The stream or the pool is malformed; offsets count from the start of the
                malformed one.
            LimitError: The stream exceeds `limits`.
            UnsupportedError: The version is not known.
        """
        found, size = cls.decode_prefix(data, pool, version, limits)
        if size != len(data):
            problem = f"expected the end after the last command, got {len(data) - size} more bytes"
            raise FormatError(problem, offset=size)
        return found

    @classmethod
    def decode_prefix(
        cls, data: bytes, pool: bytes, version: int = CURRENT, limits: Limits = DEFAULT
    ) -> tuple[Self, int]:
        """Decode the stream at the start of `data`; return the program and the stream's size."""
        texts = read_strings(pool)
        commands = command_set(version)
        found = read_commands(data, PooledStrings(texts), commands, limits)
        # An offset of its own can only be checked against the whole pool.
        plain = all(how != "offset" for how, _ in found.odd.values())
        kept = None if plain and PooledStrings(found.strings).data == pool else texts
        return cls(found.unit, version, found.odd, kept, limits), found.size

    def encoded(self) -> tuple[bytes, bytes]:
        """Return the string pool and the command stream."""
        pool = PooledStrings(self.strings or ())
        stream = write_commands(self.unit, pool, command_set(self.version), self.odd, self.limits)
        return bytes(pool.data), stream

    def encode(self) -> bytes:
        """Return the command stream."""
        return self.encoded()[1]

    @property
    def is_program(self) -> bool:
        """True for a program, False for a module."""
        return isinstance(self.unit, ProgramUnit)

    def unused_strings(self) -> list[str]:
        """Return the strings of the pool that no command refers to."""
        if self.strings is None:
            return []
        pool, stream = self.encoded()
        texts = read_strings(pool)
        commands = command_set(self.version)
        used = set(read_commands(stream, PooledStrings(texts), commands, self.limits).strings)
        return [each for each in texts if each not in used]

    def drop_unused_strings(self) -> None:
        """Remove the strings that no command refers to; the pool is then Skia's."""
        self.strings = None
        self.odd = {path: odd for path, odd in self.odd.items() if odd[0] != "offset"}


def command_set(version: int) -> CommandSet:
    """Return the commands of a version; UnsupportedError if they are not known."""
    found = VERSIONS.get(version)
    if found is None:
        known = ", ".join(map(str, VERSIONS))
        raise UnsupportedError(f"version {version} is not supported: expected one of {known}")
    return found
