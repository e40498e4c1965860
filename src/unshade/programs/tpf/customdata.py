"""Custom data with a known layout: debug messages and comments.

    printf("%f", x)     payload of class 4, shader message

      0  u32  message id       0x00200102 printf, 0x00200103 errorf
      4  u32  format           1: the text is a format of printf
      8  u32  characters       of the text, without the NUL
     12  u32  operands
     16  u32  operand dwords
     20       operands
              text             NUL, padded with NUL to 4

A comment (class 0) is a text terminated and padded in the same way. A payload that cannot be
reproduced exactly from these fields is left undecoded.

Source: ShaderBinary.cpp of the public DXIL converter; printf calls in shaders compiled by fxc 10.1.
"""

import struct
from collections.abc import Iterable
from typing import Self

from ...errors import EncodeError, FormatError, LimitError
from .operands import Operand, decode_operand

HEADER = ("message_id", "format", "characters", "operand_count", "operand_dwords")


class ShaderMessage:
    """The payload of a printf or errorf message."""

    __slots__ = ("format", "message_id", "operands", "text")

    def __init__(
        self, message_id: int, text: bytes, operands: Iterable[Operand] = (), format: int = 1
    ) -> None:
        self.message_id = message_id
        self.format = format
        self.text = text
        self.operands = list(operands)

    @classmethod
    def decode(cls, payload: tuple[int, ...]) -> Self | None:
        """Decode a payload; return None if `words` would not return the same payload."""
        if len(payload) < len(HEADER):
            return None
        end = len(HEADER) + payload[4]
        size = payload[2]
        if end > len(payload) or size >= 4 * (len(payload) - end):
            return None
        operands = []
        own = payload[:end]
        at = len(HEADER)
        try:
            while at < end:
                operand, at = decode_operand(own, at)
                operands.append(operand)
        except (FormatError, LimitError):
            return None
        text = words_to_bytes(payload[end:])[:size]
        found = cls(payload[0], text, operands, payload[1])
        return found if found.words() == payload else None

    def header(self) -> tuple[int, ...]:
        """Return the dwords before the operands, in the order of `HEADER`."""
        return self.words()[: len(HEADER)]

    def words(self) -> tuple[int, ...]:
        """Return the payload."""
        operands: list[int] = []
        for i, operand in enumerate(self.operands):
            try:
                operands += operand.words()
            except EncodeError as error:
                raise error.within(f"operands[{i}]") from None
        head = (self.message_id, self.format, len(self.text), len(self.operands), len(operands))
        return (*head, *operands, *text_to_words(self.text))


def comment(payload: tuple[int, ...]) -> bytes | None:
    """Return the text of a comment; None if `text_to_words` would not return the same payload."""
    text = words_to_bytes(payload).rstrip(b"\0")
    return text if text_to_words(text) == payload else None


def text_to_words(text: bytes) -> tuple[int, ...]:
    """Return the dwords of a text with its NUL and padding."""
    count = len(text) // 4 + 1
    return struct.unpack(f"<{count}I", text.ljust(4 * count, b"\0"))


def words_to_bytes(words: tuple[int, ...]) -> bytes:
    """Return the bytes of dwords."""
    return struct.pack(f"<{len(words)}I", *words)
