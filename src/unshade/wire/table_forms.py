"""Forms of the tables that records refer to: texts, numbers, lists of numbers, raw bytes.

    texts    "" "main" "COLOR"       by byte offset         words    0 1 2 3      by index
    lists    2, 0, 1, 3, 4, 5, 6     by index of a length   bytes    …            by offset and size

A form reads the items of a table, finds the item that a number refers to, and builds a table of
values.
"""

from collections.abc import Sequence
from typing import Any

from .types import U32, Array, Blob, Built, CString, WireType

__all__ = ["ByteTable", "ListTable", "TextTable", "WordTable"]


class TextTable:
    """NUL-terminated texts, referred to by byte offset, filled up with NUL to four bytes.

    The table begins with an empty text, to which all empty texts refer. Unless `shared`, equal
    texts are stored once for each reference.
    """

    item: WireType = CString()
    value: WireType = CString()
    unit = 1

    def __init__(self, *, shared: bool) -> None:
        self.shared = shared

    def items(self, data: bytes) -> list[Any]:
        if data and data[-1]:
            raise ValueError("expected NUL at the end of the texts")
        return data.decode("utf-8", "surrogateescape").split("\0")[:-1]

    def encode(self, items: Sequence[Any]) -> bytes:
        return b"".join(_encoded(each) for each in items)

    def get(self, data: bytes, place: int, length: int) -> str:
        end = data.find(0, place)
        if end < 0 and (place or data):  # the empty text needs no table
            raise ValueError(f"expected an offset of text below 0x{len(data):x}, got 0x{place:x}")
        return data[place : max(end, 0)].decode("utf-8", "surrogateescape")

    def build(self, values: Sequence[Any], listed: bytes) -> Built:
        known: dict[str, int] = {}
        out = bytearray(listed)
        at = 0
        for text in self.items(listed):
            known.setdefault(text, at)
            at += len(_encoded(text))
        shared = self.shared or bool(listed)
        places = []
        for text in values:
            if not out:
                out += b"\0"
            if not text and not listed:
                places.append(0)
                continue
            place = known.get(text) if shared else None
            if place is None:
                place = known[text] = len(out)
                out += _encoded(text)
            places.append(place)
        return bytes(out) + bytes(-len(out) % 4 if not listed or out != listed else 0), places


class WordTable:
    """Numbers of 32 bits, referred to by the index of the first; the record contains the count.

    A sequence that is already in the table is not added again.
    """

    item: WireType = U32
    value: WireType = Array(U32)
    unit = 4

    def items(self, data: bytes) -> list[Any]:
        return _words(data)

    def encode(self, items: Sequence[Any]) -> bytes:
        return b"".join(_word(each) for each in items)

    def get(self, data: bytes, place: int, length: int) -> list[int]:
        end = place + length
        if end > len(data) // 4:
            raise ValueError(f"expected an end of at most {len(data) // 4}, got {end}")
        return _words(data[4 * place : 4 * end])

    def build(self, values: Sequence[Any], listed: bytes) -> Built:
        out = bytearray(listed)
        places = []
        for each in values:
            wanted = self.encode(each)
            at = out.find(wanted)
            while at % 4 and at > 0:
                at = out.find(wanted, at + 1)
            if at < 0:
                at = len(out)
                out += wanted
            places.append(at // 4)
        return bytes(out), places


class ListTable:
    """Lists of numbers, each preceded by its length, referred to by the index of the length."""

    item: WireType = U32
    value: WireType = Array(U32)
    unit = 1

    def items(self, data: bytes) -> list[Any]:
        if len(data) % 4:
            raise ValueError(f"expected a multiple of 4 bytes, got {len(data)}")
        return _words(data)

    def encode(self, items: Sequence[Any]) -> bytes:
        return b"".join(_word(each) for each in items)

    def get(self, data: bytes, place: int, length: int) -> list[int]:
        count = int.from_bytes(data[4 * place : 4 * place + 4], "little")
        end = place + 1 + count
        if end > len(data) // 4:
            raise ValueError(f"expected an end of at most {len(data) // 4}, got {end}")
        return _words(data[4 * place + 4 : 4 * end])

    def build(self, values: Sequence[Any], listed: bytes) -> Built:
        out = bytearray(listed)
        known: dict[bytes, int] = {}
        at = 0
        while at + 4 <= len(listed):
            end = at + 4 + 4 * int.from_bytes(listed[at : at + 4], "little")
            known.setdefault(listed[at:end], at // 4)
            at = end
        places = []
        for each in values:
            wanted = _word(len(each)) + self.encode(each)
            place = known.get(wanted)
            if place is None:
                place = known[wanted] = len(out) // 4
                out += wanted
            places.append(place)
        return bytes(out), places


class ByteTable:
    """Raw bytes, referred to by offset; the record contains the size. Filled up to four bytes."""

    item: WireType = Blob()
    value: WireType = Blob()
    unit = 1

    def items(self, data: bytes) -> list[Any]:
        return [data]

    def encode(self, items: Sequence[Any]) -> bytes:
        return b"".join(items)

    def get(self, data: bytes, place: int, length: int) -> bytes:
        if place + length > len(data):
            raise ValueError(f"expected an end of at most {len(data)}, got {place + length}")
        return data[place : place + length]

    def build(self, values: Sequence[Any], listed: bytes) -> Built:
        out = bytearray(listed)
        known: dict[bytes, int] = {}
        places = []
        for each in values:
            place = known.get(each)
            if place is None and listed:
                place = listed.find(each)
            if place is None or place < 0:
                place = len(out)
                out += each
            known[each] = place
            places.append(place)
        return bytes(out) + bytes(-len(out) % 4 if not listed or out != listed else 0), places


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape") + b"\0"


def _word(number: int) -> bytes:
    return number.to_bytes(4, "little")


def _words(data: bytes) -> list[int]:
    return [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]
