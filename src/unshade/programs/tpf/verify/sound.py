"""Tokens and operands without findings, which are not checked again.

    ps_5_0, refactoringAllowed      add token                          sound
                                    operand 1 of add: r#.xyzw, source  reads x, y, z and w

Most of the checks of a token or an operand depend on the stage, the model, the global flags and the
bits of the token alone, and programs repeat each other's tokens. So the tokens without findings are
kept from one program to the next. Whether a register is declared is checked for each operand.
"""

from functools import lru_cache

KINDS = 16  # combinations of stage, model and flags that are kept
MOST = 4096  # tokens, and operands, that are kept for each

UNREAD = -1  # instead of a mask: an operand that is no declared register
OperandKey = tuple[int, int, int, tuple[int, ...], int, int]  # see `operands.check_operands`


class SoundTokens:
    """The sound tokens of programs of one stage and model, with the same global flags."""

    __slots__ = ("operands", "tokens")

    def __init__(self) -> None:
        self.tokens: set[tuple[int, tuple[int, ...]]] = set()  # with the extended tokens
        self.operands: dict[OperandKey, int] = {}  # components that are read or written, or UNREAD

    def keep_token(self, token: tuple[int, tuple[int, ...]]) -> None:
        """Add the opcode token of an instruction, with its extended tokens."""
        if len(self.tokens) >= MOST:
            self.tokens.clear()
        self.tokens.add(token)

    def keep_operand(self, key: OperandKey, mask: int) -> None:
        """Add an operand, with the components that the instruction reads or writes."""
        if len(self.operands) >= MOST:
            self.operands.clear()
        self.operands[key] = mask


@lru_cache(maxsize=KINDS)
def sound_tokens(kind: int, model: tuple[int, int], flags: int) -> SoundTokens:
    """Return the sound tokens of programs of this stage and model, with these flags."""
    return SoundTokens()
