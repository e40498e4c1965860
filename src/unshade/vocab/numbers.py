"""Tables from the numbers of a specification to the words of the vocabulary.

class TessellatorDomain(IntEnum):              class Domain(StrEnum):
    ISOLINE = 1                                    ISOLINE = auto()

same_names(TessellatorDomain, Domain)          {1: Domain.ISOLINE, …}
"""

from collections.abc import Mapping
from enum import IntEnum, StrEnum
from typing import TypeVar

W = TypeVar("W", bound=StrEnum)


def same_names(numbers: type[IntEnum], words: type[W]) -> dict[int, W]:
    """Return the word of each number that has the name of one."""
    return {
        number.value: words[name]
        for name, number in numbers.__members__.items()
        if name in words.__members__
    }


def word(table: Mapping[int, W], number: int) -> W | str:
    """Return the word for a number; `unknown_N` for a number without one."""
    return table.get(number) or f"unknown_{number}"
