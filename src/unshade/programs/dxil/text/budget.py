"""A bound on the length of a text."""

from ....errors import LimitError
from ....limits import Limits
from ..model.module import DxilModule

__all__ = ["TextBudget"]

CHARACTERS_EACH = 2048  # of an instruction, a value or a piece of metadata, on average
CHARACTERS_OF_SHARING = 64


class TextBudget:
    """The number of characters that a text may still have.

    Names, types and constants repeat wherever they are used, so that the text of a small file could
    be endless. It may have CHARACTERS_EACH characters for each item of the module, and
    CHARACTERS_OF_SHARING times `limits.sharing` in addition.
    """

    __slots__ = ("left", "limits")

    def __init__(self, module: DxilModule, limits: Limits) -> None:
        things = len(module.globals) + len(module.constants) + len(module.metadata)
        for function in module.functions:
            things += len(function.constants) + sum(
                len(each.instructions) for each in function.blocks
            )
        self.limits = limits
        self.left = CHARACTERS_EACH * things + CHARACTERS_OF_SHARING * limits.sharing

    def spend(self, characters: int) -> None:
        """Account for characters.

        Raises:
            LimitError: The characters exceed the budget.
        """
        self.left -= characters
        if self.left < 0:
            raise LimitError("sharing", self.limits.sharing, "a longer text")
