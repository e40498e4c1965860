"""Names, strings and numbers as LLVM 3.7 spells them.

Text is `str`; bytes of names that are not UTF-8 are surrogate escapes, and print as `\\XX`.

Source: the language reference of LLVM 3.7; listings by dxc.
"""

import re
import struct

__all__ = ["escaped", "float_text", "identifier", "metadata_identifier", "quoted_name"]

_PLAIN = re.compile(r"[A-Za-z._-][A-Za-z0-9._-]*\Z")
_SPECIAL = re.compile(rb"[^ !#-\[\]-~]")
_SPECIAL_TEXT = re.compile(r"[^ !#-\[\]-~]")
_METADATA = re.compile(rb"[^-A-Za-z0-9$._]")

HALF_BITS, FLOAT_BITS, DOUBLE_BITS = 16, 32, 64
LONG_LETTERS = {80: "K", 128: "L"}


def _hexadecimal(match: re.Match[bytes]) -> bytes:
    return b"\\%02X" % match[0][0]


def escaped(text: str) -> str:
    """Return the contents of a quoted string."""
    if _SPECIAL_TEXT.search(text) is None:
        return text
    data = text.encode("utf-8", "surrogateescape")
    return _SPECIAL.sub(_hexadecimal, data).decode("ascii")


def quoted_name(name: str) -> str:
    """Return a name without its prefix, in quotes if it needs them."""
    return name if _PLAIN.match(name) else f'"{escaped(name)}"'


def identifier(prefix: str, name: str) -> str:
    """Return a name with its prefix: `%x`, `@"a b"`."""
    return prefix + quoted_name(name)


def metadata_identifier(name: str) -> str:
    """Return the name of named metadata or of a kind of metadata, without `!`."""
    if not name:
        return "<empty name> "
    data = name.encode("utf-8", "surrogateescape")
    first, rest = data[:1], data[1:]
    first = b"\\%02X" % first[0] if first.isdigit() else _METADATA.sub(_hexadecimal, first)
    return (first + _METADATA.sub(_hexadecimal, rest)).decode("ascii")


def float_text(bits: int, width: int) -> str:
    """Return a floating-point number by its bits.

    Decimal with six digits if that is the exact value, else the bits of the `double` of that value;
    other formats always in hexadecimal, with a letter. Higher bits than the type has are ignored,
    as LLVM's reader does.
    """
    bits &= (1 << width) - 1
    if width == FLOAT_BITS:
        exponent, fraction = bits >> 23 & 0xFF, bits & 0x7F_FFFF
        if exponent == 0xFF:
            return f"0x{bits >> 31 << 63 | 0x7FF << 52 | fraction << 29:X}"
        value = struct.unpack("<f", bits.to_bytes(4, "little"))[0]
    elif width == DOUBLE_BITS:
        if bits >> 52 & 0x7FF == 0x7FF:
            return f"0x{bits:X}"
        value = struct.unpack("<d", bits.to_bytes(8, "little"))[0]
    elif width == HALF_BITS:
        return f"0xH{bits:04X}"
    else:
        return _long_text(bits, width)
    text = f"{value:e}"
    if float(text) == value:
        return text
    return f"0x{int.from_bytes(struct.pack('<d', value), 'little'):X}"


def _long_text(bits: int, width: int) -> str:
    """Return a number of 80 or 128 bits; at 128 bits the low word comes first."""
    letter = LONG_LETTERS.get(width, "M")
    if width == 80:
        return f"0x{letter}{bits:020X}"
    return f"0x{letter}{bits & (1 << 64) - 1:016X}{bits >> 64:016X}"
