"""Mutants of PICA200 programs: other words of code and of operand descriptors.

one bit of a word      add r0, v1, c2  ->  add r0, v1, c3
a word of another      add r0, v1, c2  ->  dp4 r1, r0, c4
two words exchanged
"""

import random
from collections.abc import Callable

from unshade.formats.shbin.tables import TableFile

__all__ = ["changed_code"]

COUNTS = (1, 1, 2, 3, 5)
CODE, DESCRIPTORS = 4, 1  # how often each table is changed
Words = list[int]


def _bit(words: Words, chance: random.Random, donor: Words) -> None:
    words[chance.randrange(len(words))] ^= 1 << chance.randrange(32)


def _donate(words: Words, chance: random.Random, donor: Words) -> None:
    words[chance.randrange(len(words))] = chance.choice(donor or words)


def _exchange(words: Words, chance: random.Random, donor: Words) -> None:
    one, other = chance.randrange(len(words)), chance.randrange(len(words))
    words[one], words[other] = words[other], words[one]


CHANGES: tuple[Callable[[Words, random.Random, Words], None], ...] = (
    _bit, _bit, _donate, _exchange,
)  # fmt: skip


def changed_code(shader: TableFile, donor: TableFile, chance: random.Random) -> bytes:
    """Return the file with one to five changed words; EncodeError if it cannot be written."""
    for _ in range(chance.choice(COUNTS)):
        name = chance.choices(("code", "descriptors"), (CODE, DESCRIPTORS))[0]
        words, others = (getattr(each.code_holder, name) for each in (shader, donor))
        if words:
            chance.choice(CHANGES)(words, chance, others)
    return shader.to_bytes()
