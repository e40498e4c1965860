"""The abbreviations that are in force inside a block."""

from collections.abc import Mapping

from .abbreviation import Abbreviation
from .items import BLOCKINFO

__all__ = ["AbbreviationScope"]


class AbbreviationScope:
    """The abbreviations of one block: BLOCKINFO's at its start, then its own.

    `target` is the list that a definition is added to: the block's own or, inside BLOCKINFO, the
    list of the block id that SETBID named; None before SETBID. The lists of BLOCKINFO are shared,
    not copied: a file may have many abbreviations and many blocks.
    """

    __slots__ = ("known", "own", "standard", "target")

    def __init__(self, block: int, standard: Mapping[int, list[Abbreviation]]) -> None:
        self.standard: list[Abbreviation] = standard.get(block, [])
        self.known = len(self.standard)
        self.own: list[Abbreviation] = []
        self.target = None if block == BLOCKINFO else self.own

    def get(self, number: int) -> Abbreviation | None:
        """Return an abbreviation by its number, which is 4 less than its id."""
        if number < self.known:
            return self.standard[number]
        number -= self.known
        return self.own[number] if number < len(self.own) else None
