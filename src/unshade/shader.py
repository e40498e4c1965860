"""What every format's shader can do."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, NamedTuple, Self

from .errors import (
    Diagnostics,
    FormatError,
    LimitError,
    Severity,
    UnsupportedError,
    UsageError,
)
from .files import Path, contents, write_atomically
from .limits import DEFAULT, Limits
from .notebook import Shown
from .part_types import TypedParts
from .parts import RawBytes
from .program import Program
from .wire import Span

if TYPE_CHECKING:
    from .damaged import Remains
    from .isa.lexer import Lexer
    from .isa.source import Source
    from .model import Reflection
    from .rule import Rule


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


class Shader(Shown, TypedParts):
    """One opened shader. Subclasses are the formats; this is what they share.

    Attributes: `format` is the format's name, `trailing` the bytes behind the shader's own end,
    `limits` bounds the work, `editable` is False for a damaged file, which can only be looked at.
    """

    drawn_by = "shader"
    format: ClassVar[str]
    editable: ClassVar[bool] = True
    comment: ClassVar[str] = "//"  # begins one in the format's texts
    limits: Limits = DEFAULT
    trailing = RawBytes("the bytes behind the shader's own end")

    @classmethod
    def open(cls, source: "Path | BinaryIO", *, limits: Limits = DEFAULT) -> Self:
        """Open a file of this one format, from a path or a binary file object.

        What `unshade.open` does for all formats, for code that knows which it has: type checkers
        and editors then know it, too. FormatError where the file is of another format.
        """
        return cls.loads(contents(source), limits)

    @classmethod
    def loads(cls, data: bytes, limits: Limits = DEFAULT) -> Self:
        """Read a shader; bytes behind its end are kept in `trailing`."""
        raise NotImplementedError

    @classmethod
    def measure(cls, data: bytes | memoryview) -> int:
        """The size of the shader at the start of `data`, by its own structure."""
        raise NotImplementedError

    @classmethod
    def salvage(cls, data: bytes, limits: Limits = DEFAULT) -> "Remains | None":
        """Read what is intact of a file that `loads` refuses; None where the format cannot."""
        return None

    @classmethod
    def claim(cls, data: bytes | memoryview) -> int:
        """Return the size that a damaged shader at the start of `data` may have, 0 without one.

        `data` begins with the magic, and what follows it is no shader that `measure` takes.
        """
        return 0

    @property
    def programs(self) -> Sequence[Program]:
        """Every piece of code, in file order."""
        return ()

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
    def diagnostics(self) -> Diagnostics:
        """What was odd while reading."""
        return Diagnostics()

    @property
    def damage(self) -> FormatError | LimitError | None:
        """The error that says why a part, or the whole file, cannot be read; None without one.

        A shader that is `editable` nevertheless is mended by an edit: give the part another value.
        """
        for part in self.parts:
            _ = part.value  # reading it tells whether it is malformed
            if part.error is not None:
                return part.error
        for each in self.diagnostics:
            if each.severity is Severity.ERROR:
                return FormatError(each.message, offset=each.offset or 0, path=each.path)
        return None

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

    def disassemble(
        self, dialect: str | None = None, *, strict: bool = True, **options: Any
    ) -> str:
        """The shader as text, by default as the format's own tool prints it.

        FormatError where the code is malformed; with `strict=False` the text goes up to the damage,
        and a comment behind it says what is wrong.
        """
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

    def verify(self) -> Diagnostics:
        """Every finding: those of reading, and every rule of the format and its programs."""
        return Diagnostics(self.diagnostics)

    @classmethod
    def rules(cls) -> "Mapping[str, Rule]":
        """Every rule that `verify` checks, by its code."""
        return {code: rule for table in cls.rule_tables().values() for code, rule in table.items()}

    @classmethod
    def rule_tables(cls) -> "Mapping[str, Mapping[str, Rule]]":
        """The rules of the format and of each kind of program it holds, by what they are about."""
        return {}

    # -- edits ---------------------------------------------------------------------------------

    @property
    def private_data(self) -> bytes | None:
        """What somebody attached to the file; None where there is nothing of that kind."""
        return None

    @private_data.setter
    def private_data(self, value: bytes | None) -> None:
        raise UnsupportedError(f"{self.format} files have no place for private data")

    def rename(self, path: str, name: str) -> None:
        """Give what a path names another name: a constant, a member, a buffer, a resource."""
        raise UnsupportedError(f"the names in {self.format} files cannot be changed yet")

    def recount(self) -> dict[str, tuple[int, int]]:
        """Recompute the statistics; return each counter that changed, before and now."""
        raise UnsupportedError(f"{self.format} files hold no statistics")

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
