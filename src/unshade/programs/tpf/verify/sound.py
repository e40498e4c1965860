"""Tokens and operands without findings, which are not checked again.

    ps_5_0, refactoringAllowed      add token                          sound
                                    operand 1 of add: r#.xyzw, source  reads x, y, z and w
                                    add r0.xyzw, r0.xyzw, v1.xyzw      needs r0, v1.xyzw

Most of the checks of a token or an operand depend on the stage, the model, the global flags and the
bits of the token alone, and programs repeat each other's tokens. So tokens without findings are
cached across programs, together with the declarations that whole instructions need. Whether a
register is declared is checked in each program.
"""

from typing import TYPE_CHECKING

from ..kept import LONGEST

if TYPE_CHECKING:
    from .needs import SoundDeclaration, SoundOperation

KINDS = 64  # combinations of stage, model and flags that are kept
MOST = 1 << 15  # tokens, operands and instructions that are kept for all of them together

UNREAD = -1  # instead of a mask: an operand that is not a declared register
OperandKey = tuple[int, int, int, tuple[int, ...], int, int]  # see `operands.check_operands`


class SoundTokens:
    """The sound tokens of programs of one stage and model, with the same global flags."""

    __slots__ = ("instructions", "operands", "tokens")

    def __init__(self) -> None:
        self.instructions: dict[bytes, SoundDeclaration | SoundOperation] = {}  # by dwords
        self.tokens: set[tuple[int, tuple[int, ...]]] = set()  # with the extended tokens
        self.operands: dict[OperandKey, int] = {}  # components that are read or written, or UNREAD

    def keep_instruction(self, key: bytes, found: "SoundDeclaration | SoundOperation") -> None:
        """Add an instruction that has no findings in some program."""
        if len(key) <= LONGEST:
            _make_room()
            self.instructions[key] = found

    def keep_token(self, token: tuple[int, tuple[int, ...]]) -> None:
        """Add the opcode token of an instruction, with its extended tokens."""
        _make_room()
        self.tokens.add(token)

    def keep_operand(self, key: OperandKey, mask: int) -> None:
        """Add an operand, with the components that the instruction reads or writes."""
        _make_room()
        self.operands[key] = mask

    def clear(self) -> None:
        """Forget everything."""
        self.instructions.clear()
        self.tokens.clear()
        self.operands.clear()


_KNOWN: dict[tuple[int, tuple[int, int], int], SoundTokens] = {}
_ROOM = [MOST]  # for so many more


def sound_tokens(kind: int, model: tuple[int, int], flags: int) -> SoundTokens:
    """Return the sound tokens of programs of this stage and model, with these flags."""
    key = kind, model, flags
    found = _KNOWN.get(key)
    if found is None:
        if len(_KNOWN) >= KINDS:
            _KNOWN.clear()
        found = _KNOWN[key] = SoundTokens()
    return found


def _make_room() -> None:
    """Clear the cache if it is full."""
    _ROOM[0] -= 1
    if _ROOM[0] < 0:
        for each in list(_KNOWN.values()):  # another thread may add one
            each.clear()
        _ROOM[0] = MOST - 1
