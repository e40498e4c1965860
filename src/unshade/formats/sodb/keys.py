"""Spellings of keys: any bytes, as a text that a command line and JSON can carry.

b"psoKey\\0"      psoKey\\0       printable ASCII, with `\\0` for a NUL at the end
b"\\x12\\xff"     0x12ff         anything else
"""

import re

from ...errors import UsageError

__all__ = ["key_of", "spelled"]

PLAIN = re.compile(rb"(?!0x)[!-\[\]-~][ -\[\]-~]*")
NUL = "\\0"


def spelled(key: bytes) -> str:
    """Return the spelling of a key; `key_of` is the inverse."""
    bare = key.removesuffix(b"\0")
    if PLAIN.fullmatch(bare):
        return bare.decode("ascii") + (NUL if bare != key else "")
    return f"0x{key.hex()}"


def key_of(text: str) -> bytes:
    """Return the key with that spelling.

    Raises:
        UsageError: The text is the spelling of no key.
    """
    key = None
    if text.startswith("0x"):
        try:
            key = bytes.fromhex(text[2:])
        except ValueError:
            key = None
    elif text.isascii():
        bare = text.removesuffix(NUL)
        key = bare.encode("ascii") + (b"\0" if bare != text else b"")
    if key is None or spelled(key) != text:
        raise UsageError(f"expected a key, as text or as 0x and digits, got {text!r:.60}")
    return key
