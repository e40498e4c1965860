"""Conversion of bit-field words to plain data and back, with checks.

    0x07002038  as Arithmetic       {saturate: 1}
    0x2227f107  as Format1          {dst: r1, src1: c95, src2: v2, desc: 7}

Enumerated values are written by name, bits outside of any field as `unnamed`, in hex. With
`spelled`, fields that have a spelling (a swizzle, a register) are written that way.
"""

from functools import lru_cache

from ..errors import FormatError
from ..wire.data import Plain, name_of
from .bits import Bits, Word

UNNAMED = "unnamed"


def word_to_data(
    cls: type[Word], word: int, skip: tuple[str, ...] = (), *, spelled: bool = False
) -> dict[str, Plain]:
    """Return the nonzero fields of a word, and its bits outside of any field."""
    # mypy takes the hash of a word for the hash of its class
    return dict(_word_to_data(cls, word, skip, spelled))  # type: ignore[arg-type]


@lru_cache(maxsize=1 << 13)  # programs repeat their words
def _word_to_data(
    cls: type[Word], word: int, skip: tuple[str, ...], spelled: bool
) -> dict[str, Plain]:
    found: dict[str, Plain] = {}
    for f in cls.FIELDS:
        value = f.of(word)
        if value and f.name not in skip:
            found[f.name] = field_to_data(f, value, spelled=spelled)
    return found | rest_to_data(cls, word)


def field_to_data(f: Bits, value: int, *, spelled: bool = True) -> Plain:
    """Return the name or spelling of a field's value, or the number if it has neither."""
    if spelled and f.spell is not None:
        return f.spell(value) or value
    return name_of(f.enum, value)


def rest_to_data(cls: type[Word], word: int) -> dict[str, Plain]:
    """Return the bits of a word that are set outside of any field; empty if there are none."""
    rest = word & ~cls.named_mask()
    return {UNNAMED: f"0x{rest:08x}"} if rest else {}


def take_word(
    cls: type[Word], data: dict[str, Plain], path: str, skip: tuple[str, ...] = ()
) -> int:
    """Return the word described by data of `word_to_data`; remove its entries from `data`."""
    word = 0
    if UNNAMED in data:
        word = word_from_data(data.pop(UNNAMED), f"{path}.{UNNAMED}")
    fields = cls.BY_NAME
    for name in [each for each in data if each in fields and each not in skip]:
        f = fields[name]
        word = f.put(word, field_from_data(f, data.pop(name), f"{path}.{name}"))
    return word


def field_from_data(f: Bits, data: Plain, path: str) -> int:
    """Return the value of a field, given as a number, name or spelling."""
    if isinstance(data, str) and (f.enum is not None or f.spell is not None):
        value = f.value_of(data)
        if value is not None:
            return value
        if not data[:1].isdigit():
            expected = f"one of {', '.join(f.enum.__members__)}" if f.enum else _expected(f)
            raise FormatError(f"expected {expected}, got {data!r:.40}", path=path)
    return integer_from_data(data, path)


def _expected(f: Bits) -> str:
    """Return the permitted values of a field as text: `src2 (v0 to r15)`."""
    first, last = (f.spell(number) if f.spell else "" for number in (0, f.mask))
    return f"{f.name} ({first} to {last})" if first and last else f.name


def word_from_data(data: Plain, path: str) -> int:
    """Return a 32-bit word, given as an integer or as text such as "0x10"."""
    value = integer_from_data(data, path)
    if not 0 <= value <= 0xFFFF_FFFF:
        raise FormatError(f"expected a 32-bit number, got {value}", path=path)
    return value


def integer_from_data(data: Plain, path: str) -> int:
    """Return an integer of up to 64 bits, given as a number or as text: 16, -1, "0x10"."""
    value = data
    if isinstance(data, str):
        try:
            value = int(data, 0)
        except ValueError:
            value = None
    if type(value) is int and -(1 << 31) <= value < 1 << 64:
        return value
    raise FormatError(f"expected a number, got {data!r:.40}", path=path)


def list_from_data(data: Plain, path: str) -> list[Plain]:
    """Return `data`; FormatError if it is not a list."""
    if isinstance(data, list):
        return data
    raise FormatError(f"expected a list, got {type(data).__name__}", path=path)


def mapping_from_data(data: Plain, path: str) -> dict[str, Plain]:
    """Return a copy of `data`; FormatError if it is not a mapping."""
    if isinstance(data, dict):
        return dict(data)
    raise FormatError(f"expected a mapping, got {type(data).__name__}", path=path)


def nothing_left(data: dict[str, Plain], path: str) -> None:
    """Raise FormatError if entries are left over."""
    if data:
        raise FormatError(f"unknown field {next(iter(data))!r}", path=path)
