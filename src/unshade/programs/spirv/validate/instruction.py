"""Instructions as the rules of the validator see them, and the table where rules are registered.

CHECKS = CheckTable()

@CHECKS.on(Opcode.ImageRead, Opcode.ImageSparseRead)
def check_read(state: State, inst: Inst) -> None: …
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..operands import IDS, Decoded, DecodedOperand

if TYPE_CHECKING:
    from .state import State

__all__ = ["Check", "CheckTable", "Inst"]


class Inst:
    """An instruction with its place in the module.

    Attributes:
        position: Its index in the module.
        code: The opcode.
        words: All words, the first with the opcode.
        type, id: Ids of the result type and of the result; 0 without one.
        operands: The operands, those two left out.
        function: The index of the function it is in; -1 outside.
        block: The label of the block it is in; 0 outside.
        set: The name of the extended instruction set of OpExtInst; empty otherwise.
    """

    __slots__ = (
        "block", "code", "decoded", "function", "id", "operands", "position", "set", "type",
        "words",
    )  # fmt: skip

    def __init__(self, position: int, words: tuple[int, ...], decoded: Decoded) -> None:
        self.position = position
        self.words = words
        self.code = words[0] & 0xFFFF
        self.decoded = decoded
        self.type = decoded.result_type or 0
        self.id = decoded.result or 0
        count = (decoded.result_type is not None) + (decoded.result is not None)
        kinds = ("IdResultType", "IdResult")
        found = decoded.operands
        if count and found[0].kind in kinds and found[count - 1].kind in kinds:
            self.operands: tuple[DecodedOperand, ...] = found[count:]
        else:
            self.operands = tuple(each for each in found if each.kind not in kinds)
        self.function = -1
        self.block = 0
        self.set = ""

    @property
    def name(self) -> str:
        """The name of the operation: OpLoad."""
        return self.decoded.op.name if self.decoded.op is not None else f"opcode {self.code}"

    def word(self, at: int) -> int:
        """Return the first word of an operand, 0 if the instruction does not have it."""
        return self.operands[at].words[0] if at < len(self.operands) else 0

    def ids(self) -> tuple[int, ...]:
        """Return the ids among the operands."""
        return tuple([each.words[0] for each in self.operands if each.kind in IDS])


Check = Callable[["State", Inst], None]


class CheckTable(dict[int, list[Check]]):
    """Checks by the opcode that they apply to; checks under -1 apply to every instruction."""

    def on(self, *codes: int) -> Callable[[Check], Check]:
        """Return a decorator that registers a function for opcodes."""

        def enter(check: Check) -> Check:
            for code in codes or (-1,):
                self.setdefault(code, []).append(check)
            return check

        return enter
