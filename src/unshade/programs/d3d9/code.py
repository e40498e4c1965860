"""Code of a Direct3D 9 program: tokens of 32 bits, little-endian.

    version  0xfffe0300 (vertex), 0xffff0300 (pixel): Shader Model 3.0
    comment  0x001cfffe, then 28 tokens; fxc writes CTAB (constants.py) and DBUG (debug.py)
    instruction, comment, …
    end      0x0000ffff

Comments may stand between any two instructions; each is kept with the number of instructions before
it. What follows the end token is not part of the program.

Source: the shader code format in Microsoft's driver kit; files.
"""

import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import Self

from ...errors import EncodeError, FormatError, LimitError
from ...limits import DEFAULT, Limits
from .instruction import Instruction, malformed
from .tables.tokens import COMMENT, END, InstructionToken, Version

__all__ = ["Code", "Comment", "is_version"]

LITERALS = {0x51: 5, 0x30: 5, 0x2F: 2}  # tokens after def, defi, defb
DCL, DCL_TOKENS = 0x1F, 2
LONGEST_COMMENT = 0x7FFF  # tokens
REFLECTION = ("CTAB",)  # tags of comments with names of registers; others are for debuggers


class Comment:
    """A comment: `data` after its token, and `before`, the number of instructions before it.

    The data of fxc's comments begins with four letters: CTAB, DBUG.
    """

    __slots__ = ("before", "data")

    def __init__(self, data: bytes, before: int = 0) -> None:
        self.data = data
        self.before = before

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, Comment) and self.data == other.data
        return same and self.before == other.before  # type: ignore[attr-defined]

    __hash__ = None  # type: ignore[assignment]  # it can change

    @property
    def tag(self) -> str:
        """The four letters at the start of the data; empty if there are none."""
        start = self.data[:4]
        return start.decode() if len(start) == 4 and start.isalnum() and start.isascii() else ""

    @property
    def category(self) -> str:
        """The category of `strip` that the comment belongs to."""
        return "reflection" if self.tag in REFLECTION else "debug"

    def __repr__(self) -> str:
        return f"<Comment {self.tag or len(self.data)}>"


class Code:
    """A program: its version, its instructions and its comments. `Program` adds the operations."""

    __slots__ = ("comments", "instructions", "version")
    instructions: list[Instruction]

    def __init__(
        self,
        version: int | Version,
        instructions: Iterable[Instruction] = (),
        comments: Iterable[Comment] = (),
    ) -> None:
        self.version = version if isinstance(version, Version) else Version(version)
        self.instructions = list(instructions)
        self.comments = list(comments)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Code)
            and self.version == other.version
            and self.instructions == other.instructions
            and self.comments == other.comments
        )

    __hash__ = None  # type: ignore[assignment]  # it can change

    @classmethod
    def decode(cls, data: bytes, limits: Limits = DEFAULT) -> Self:
        """Decode a program that fills the data.

        Raises:
            FormatError: The data is malformed, or continues after the end token.
            LimitError: The program has too many instructions.
        """
        found, size = cls.decode_prefix(data, limits)
        if size != len(data):
            problem = f"expected the end of the data, got {len(data) - size} bytes"
            raise FormatError(problem, offset=size, path="end")
        return found

    @classmethod
    def decode_prefix(cls, data: bytes, limits: Limits = DEFAULT) -> tuple[Self, int]:
        """Decode the program that data starts with; return it and its size in bytes.

        Raises:
            FormatError: The data is malformed or ends before the end token.
            LimitError: The program has too many instructions.
        """
        words = struct.unpack_from(f"<{len(data) // 4}I", data)
        if not words or not is_version(words[0]):
            got = data[:4].hex(" ") or "nothing"
            raise FormatError(
                f"expected a version of Shader Model 1 to 3, got {got}", offset=0, path="version"
            )
        version = Version(words[0])
        made = cls(version)
        at = 1
        while True:
            path = f"instructions[{len(made.instructions)}]"
            if at >= len(words):
                raise malformed("expected an instruction or the end token 0x0000ffff", at, path)
            word = words[at]
            opcode = word & 0xFFFF
            if opcode == END:
                if word != END:
                    problem = f"expected the end token 0x0000ffff, got 0x{word:08x}"
                    raise malformed(problem, at, "end")
                return made, 4 * (at + 1)
            if opcode == COMMENT:
                if word >> 31:
                    problem = f"expected a comment without bit 31, got 0x{word:08x}"
                    raise malformed(problem, at, f"comments[{len(made.comments)}]")
                end = at + 1 + (word >> 16 & LONGEST_COMMENT)
                if end > len(words):
                    path = f"comments[{len(made.comments)}]"
                    raise malformed(_too_long(end - at - 1, len(words) - at - 1), at, path)
                content = data[4 * at + 4 : 4 * end]
                made.comments.append(Comment(content, len(made.instructions)))
            else:
                end = at + 1 + _length(words, at, version)
                if end > len(words):
                    raise malformed(_too_long(end - at - 1, len(words) - at - 1), at, path)
                if len(made.instructions) >= limits.instructions:
                    needed = len(made.instructions) + 1
                    raise LimitError("instructions", limits.instructions, needed)
                made.instructions.append(Instruction(words[at:end], version))
            at = end

    def items(self) -> Iterator[Instruction | Comment]:
        """Iterate over the instructions and comments in the order of the tokens."""
        waiting = sorted(self.comments, key=lambda each: each.before)
        at = 0
        for number, instruction in enumerate(self.instructions):
            while at < len(waiting) and waiting[at].before <= number:
                yield waiting[at]
                at += 1
            yield instruction
        yield from waiting[at:]

    def encode(self) -> bytes:
        """Return the bytes of the program, from the version to the end token.

        Raises:
            EncodeError: A token does not fit 32 bits, or a comment its length.
        """
        found = [_packed([self.version.word], "version")]
        number = remarks = 0
        for each in self.items():
            if isinstance(each, Comment):
                found.append(_comment(each, f"comments[{remarks}]"))
                remarks += 1
            else:
                found.append(_packed(each.words, f"instructions[{number}]"))
                number += 1
        return b"".join([*found, _packed([END], "end")])

    def offsets(self) -> list[int]:
        """Return the offset of each instruction from the start of the program."""
        found, at = [], 4
        for each in self.items():
            if isinstance(each, Comment):
                at += 4 + len(each.data)
            else:
                found.append(at)
                at += 4 * len(each.words)
        return found

    def path_of(self, comment: Comment) -> str:
        """Return the path of a comment in `spans`."""
        order = sorted(self.comments, key=lambda each: each.before)
        return f"comments[{next(i for i, each in enumerate(order) if each is comment)}]"

    def comment(self, tag: str) -> Comment | None:
        """Return the first comment whose data begins with a tag, None if there is none."""
        return next((each for each in self.comments if each.tag == tag), None)


def is_version(word: int) -> bool:
    """Return True for the version token of a program of Shader Model 1 to 3."""
    return word >> 17 == 0x7FFF and 1 <= word >> 8 & 0xFF <= 3


def _length(words: Sequence[int], at: int, version: Version) -> int:
    """Return the number of tokens after an opcode token."""
    token = InstructionToken(words[at])
    if version.major >= 2:
        return token.length
    opcode = token.opcode
    if opcode in LITERALS:
        return LITERALS[opcode]
    if opcode == DCL:
        return DCL_TOKENS
    end = at + 1
    while end < len(words) and words[end] >> 31:
        end += 1
    return end - at - 1


def _too_long(count: int, left: int) -> str:
    return f"expected {count} tokens, got {left}"


def _comment(comment: Comment, path: str) -> bytes:
    count, rest = divmod(len(comment.data), 4)
    if rest or count > LONGEST_COMMENT:
        raise EncodeError(
            f"expected a multiple of 4 bytes, {4 * LONGEST_COMMENT} at most, "
            f"got {len(comment.data)}",
            path=path,
        )
    return _packed([COMMENT | count << 16], path) + comment.data


def _packed(words: Sequence[int], path: str) -> bytes:
    try:
        return struct.pack(f"<{len(words)}I", *words)
    except struct.error:
        raise EncodeError(f"{list(words)!r:.40} does not fit 32 bits each", path=path) from None
