"""Words and their bit fields as plain data, and the checks of what comes back.

    0x07002038  as Arithmetic       {saturate: 1}
    0x2227f107  as Format1          {dst: r1, src1: c95, src2: v2, desc: 7}

Enumerated values stand under their names; bits that no field names stand under `unnamed`, in hex.
`spelled` asks for the spelling of a field too, where it has one (a swizzle, a register).
"""

from collections.abc import Iterable

from ..errors import FormatError
from ..wire.data import Plain, name_of
from .bits import Bits, Word

UNNAMED = "unnamed"


def word_to_data(
    cls: type[Word], word: int, skip: Iterable[str] = (), *, spelled: bool = False
) -> dict[str, Plain]:
    """The fields that are not zero, and the bits that have no name."""
    found: dict[str, Plain] = {}
    for f in cls.FIELDS:
        value = f.of(word)
        if value and f.name not in skip:
            found[f.name] = field_to_data(f, value, spelled=spelled)
    return found | rest_to_data(cls, word)


def field_to_data(f: Bits, value: int, *, spelled: bool = True) -> Plain:
    """One field: its name or spelling, the number where it has neither."""
    if spelled and f.spell is not None:
        return f.spell(value) or value
    return name_of(f.enum, value)


def rest_to_data(cls: type[Word], word: int) -> dict[str, Plain]:
    """The bits that are set and that no field names."""
    rest = word & ~cls.named_mask()
    return {UNNAMED: f"0x{rest:08x}"} if rest else {}


def take_word(cls: type[Word], data: dict[str, Plain], path: str, skip: Iterable[str] = ()) -> int:
    """The word that `word_to_data` told; its entries are taken out of `data`."""
    word = word_from_data(data.pop(UNNAMED, 0), f"{path}.{UNNAMED}")
    for f in cls.FIELDS:
        if f.name in data and f.name not in skip:
            word = f.put(word, field_from_data(f, data.pop(f.name), f"{path}.{f.name}"))
    return word


def field_from_data(f: Bits, data: Plain, path: str) -> int:
    """The value of a field from its number, its name or its spelling."""
    if isinstance(data, str) and (f.enum is not None or f.spell is not None):
        value = f.value_of(data)
        if value is not None:
            return value
        if not data[:1].isdigit():
            known = f"none of {', '.join(f.enum.__members__)}" if f.enum else _wanted(f)
            raise FormatError(f"{data!r:.40} is {known}", path=path)
    return integer_from_data(data, path)


def _wanted(f: Bits) -> str:
    """What a field with a spelling has no room for: `no src2: v0 to r15`."""
    first, last = (f.spell(number) if f.spell else "" for number in (0, f.mask))
    return f"no {f.name}: {first} to {last}" if first and last else f"no {f.name}"


def word_from_data(data: Plain, path: str) -> int:
    """A word of 32 bits from an integer or from text in hex."""
    value = integer_from_data(data, path)
    if not 0 <= value <= 0xFFFF_FFFF:
        raise FormatError(f"{value} does not fit 32 bits", path=path)
    return value


def integer_from_data(data: Plain, path: str) -> int:
    """An integer of up to 64 bits from itself or from text: 16, -1, "0x10"."""
    value = data
    if isinstance(data, str):
        try:
            value = int(data, 0)
        except ValueError:
            value = None
    if type(value) is int and -(1 << 31) <= value < 1 << 64:
        return value
    raise FormatError(f"a number expected, not {data!r:.40}", path=path)


def list_from_data(data: Plain, path: str) -> list[Plain]:
    """A list."""
    if isinstance(data, list):
        return data
    raise FormatError(f"a list expected, not {type(data).__name__}", path=path)


def mapping_from_data(data: Plain, path: str) -> dict[str, Plain]:
    """A copy of a mapping."""
    if isinstance(data, dict):
        return dict(data)
    raise FormatError(f"a mapping expected, not {type(data).__name__}", path=path)


def nothing_left(data: dict[str, Plain], path: str) -> None:
    """Refuses entries that nobody took."""
    if data:
        raise FormatError(f"{next(iter(data))!r} is no field here", path=path)
