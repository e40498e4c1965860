"""References from the records of RDAT to its tables of texts, lists and bytes.

text     u32 offset in the texts                list     u32 index in the lists
bytes    u32 offset in the bytes, u32 size      none     0xFFFFFFFF
"""

from typing import Any

from .....wire import ByteTable, ListTable, Reference, TextTable, reference

__all__ = ["BYTES", "LISTS", "NONE", "TEXTS", "bytes_of", "numbers_of", "text_of", "texts_of"]

NONE = 0xFFFF_FFFF
TEXTS = TextTable(shared=True)
LISTS = ListTable()
BYTES = ByteTable()
_TEXT = Reference("strings", TEXTS)


def text_of(doc: str) -> Any:
    """Declare a reference to a text; None if there is none."""
    return reference(doc, "strings", TEXTS, null=NONE)


def numbers_of(doc: str) -> Any:
    """Declare a reference to a list of numbers; empty if there is none."""
    return reference(doc, "index_arrays", LISTS, null=NONE)


def texts_of(doc: str) -> Any:
    """Declare a reference to a list of texts; empty if there is none."""
    return reference(doc, "index_arrays", LISTS, of=_TEXT, null=NONE)


def bytes_of(doc: str, length: str) -> Any:
    """Declare a reference to raw bytes; the field `length` contains the size."""
    return reference(doc, "raw_bytes", BYTES, length=length, default=b"")
