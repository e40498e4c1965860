"""Tables from the numbers of a specification to the words of the vocabulary.

class TessellatorDomain(IntEnum):              class Domain(StrEnum):
    ISOLINE = 1                                    ISOLINE = auto()

same_names(TessellatorDomain, Domain)          {1: Domain.ISOLINE, …}
word(DOMAINS, 1), word(DOMAINS, 9)             Domain.ISOLINE, "unknown_9"; `number` is the way back
"""

from collections.abc import Mapping
from typing import TypeVar

from ..enums import IntEnum, StrEnum, member_of

W = TypeVar("W", bound=StrEnum)


def same_names(numbers: type[IntEnum], words: type[W]) -> dict[int, W]:
    """Return the word for each number whose name is a word."""
    return {
        number.value: words[name]
        for name, number in numbers.__members__.items()
        if name in words.__members__
    }


def word(table: Mapping[int, W], number: int) -> W | str:
    """Return the word for a number; `unknown_N` for a number without one."""
    return table.get(number) or f"unknown_{number}"


def named(number: int, names: type[IntEnum]) -> str:
    """Return the name of a number in lower case, with the number if it is unnamed: `float32`."""
    found = member_of(names, number)
    return str(number) if found is None else found.name.lower()


def number(table: Mapping[int, W], word: str) -> int | None:
    """Return the number of a word, None for a word that the table does not have."""
    for found, known in table.items():
        if known == word:
            return found
    digits = word.removeprefix("unknown_")
    return int(digits) if digits != word and digits.isdecimal() else None


def flag_names(table: tuple[tuple[int, str], ...], flags: int) -> list[str]:
    """Return the names of the set bits; unnamed bits are combined in one hex number."""
    found = [name for bit, name in table if flags & bit]
    rest = flags
    for bit, _ in table:
        rest &= ~bit
    return [*found, f"0x{rest:x}"] if rest else found


COMPONENTS = tuple(
    "".join(letter for bit, letter in enumerate("xyzw") if mask >> bit & 1) for mask in range(16)
)


def components(mask: int) -> str:
    """Return the letters of a component mask: 0b0101 is xz."""
    return COMPONENTS[mask & 15]


MASKS = {letters: mask for mask, letters in enumerate(COMPONENTS)}
