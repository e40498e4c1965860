"""Instructions as the rules of the validator see them, and the table where rules are registered.

CHECKS = CheckTable()

@CHECKS.on(Opcode.ImageRead, Opcode.ImageSparseRead)
def check_read(state: State, inst: Inst) -> None: …
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ..operands import IDS, Decoded, DecodedOperand, OperandPlaces
from ..tables.grammar import Op
from ..tables.numbers import Opcode
from ..tables.sections import TERMINATORS

if TYPE_CHECKING:
    from .state import State

__all__ = ["Check", "CheckTable", "FunctionPlaces", "Inst"]


class Inst:
    """An instruction with its place in the module.

    An instruction of a large module has the places of its operands instead of the operands, if its
    first word determines them; `read` then makes `decoded` when that is asked for.

    Attributes:
        position: Its index in the module.
        code: The opcode.
        words: All words, the first with the opcode.
        type, id: Ids of the result type and of the result; 0 without one.
        function: The index of the function it is in; -1 outside.
        block: The label of the block it is in; 0 outside.
        set: The name of the extended instruction set of OpExtInst; empty otherwise.
    """

    __slots__ = (
        "_decoded", "_ids", "_operands", "block", "code", "function", "id", "places", "position",
        "read", "set", "type", "words",
    )  # fmt: skip

    def __init__(
        self,
        position: int,
        words: tuple[int, ...],
        decoded: Decoded,
        function: int = -1,
        block: int = 0,
    ) -> None:
        self.position = position
        self.words = words
        self.code = words[0] & 0xFFFF
        self.type = decoded.result_type or 0
        self.id = decoded.result or 0
        self._decoded: Decoded | None = decoded
        self._operands: tuple[DecodedOperand, ...] | None = None
        self.places = decoded.places
        self.read: Callable[[tuple[int, ...]], Decoded] | None = None
        self.function = function
        self.block = block
        self.set = ""
        self._ids: tuple[int, ...] | None = None

    @classmethod
    def at_places(
        cls,
        position: int,
        words: tuple[int, ...],
        places: OperandPlaces,
        read: Callable[[tuple[int, ...]], Decoded],
        function: int,
        block: int,
    ) -> "Inst":
        """Return an instruction whose operands are at these places."""
        made = cls.__new__(cls)
        made.position = position
        made.words = words
        made.code = words[0] & 0xFFFF
        made.type = words[places.result_type] if places.result_type else 0
        made.id = words[places.result] if places.result else 0
        made._decoded = made._operands = None
        made.places = places
        made.read = read
        made.function = function
        made.block = block
        made.set = ""
        made._ids = None
        return made

    @property
    def decoded(self) -> Decoded:
        """The instruction with all its operands."""
        found = self._decoded
        if found is None:
            assert self.read is not None
            self._decoded = found = self.read(self.words)
        return found

    @property
    def operands(self) -> tuple[DecodedOperand, ...]:
        """The operands, result type and result left out."""
        found = self._operands
        if found is None:
            self._operands = found = _after_result(self.decoded)
        return found

    def nested(self) -> "Inst":
        """Return the operation inside OpSpecConstantOp as a separate instruction."""
        made = Inst(self.position, self.words, self.decoded)
        made.function, made.block, made.set = self.function, self.block, self.set
        made.code = self.word(0)
        made._operands = self.operands[1:]
        made.words = (made.code, self.type, self.id, *self.words[4:])
        return made

    @property
    def op(self) -> Op | None:
        """The row of the grammar; None for an unknown opcode."""
        return self.decoded.op if self.places is None else self.places.op

    @property
    def name(self) -> str:
        """The name of the operation: OpLoad."""
        return self.op.name if self.op is not None else f"opcode {self.code}"

    def word(self, at: int) -> int:
        """Return the first word of an operand, 0 if the instruction does not have it."""
        if self.places is not None:
            at += self.places.first
            return self.words[at] if at < self.places.end else 0
        return self.operands[at].words[0] if at < len(self.operands) else 0

    @property
    def count(self) -> int:
        """The number of operands."""
        places = self.places
        return len(self.operands) if places is None else places.end - places.first

    def first_words(self) -> tuple[int, ...]:
        """Return the first word of each operand."""
        if self.places is not None:
            return self.words[self.places.first : self.places.end]
        return tuple([each.words[0] for each in self.operands])

    def ids(self) -> tuple[int, ...]:
        """Return the ids among the operands."""
        found = self._ids
        if found is None:
            if self.places is not None:
                words = self.words
                found = tuple([words[at] for at in self.places.ids])
            else:
                found = tuple([each.words[0] for each in self.operands if each.kind in IDS])
            self._ids = found
        return found

    def all_ids(self) -> Iterable[tuple[int, int, str]]:
        """Return the number, the id and the kind of each operand that is one, result included."""
        if self.places is not None:
            words = self.words
            return [(number, words[at], kind) for number, at, kind in self.places.all_ids]
        found = enumerate(self.decoded.operands)
        return [(number, each.words[0], each.kind) for number, each in found if each.kind in IDS]


def _after_result(decoded: Decoded) -> tuple[DecodedOperand, ...]:
    """Return the operands without result type and result."""
    count = (decoded.result_type is not None) + (decoded.result is not None)
    kinds = ("IdResultType", "IdResult")
    found = decoded.operands
    if count and found[0].kind in kinds and found[count - 1].kind in kinds:
        return found[count:]
    return tuple(each for each in found if each.kind not in kinds)


class FunctionPlaces:
    """The function and the block of each instruction, which are given in order.

    Only the instructions of `CHANGES` need be given: the others are at the place that follows.

    Attributes:
        starts: Positions of the functions.
        following: The place of the next instruction: the index of the function, -1 outside, and the
            label of the block, 0 outside.
    """

    CHANGES = TERMINATORS | {
        Opcode.AbortKHR, Opcode.Function, Opcode.FunctionEnd, Opcode.Label,
    }  # fmt: skip

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.following = -1, 0

    def next(self, position: int, code: int, result: int) -> tuple[int, int]:
        """Return the index of the function and the label of the block of an instruction."""
        found = self.following
        if code == Opcode.Function:
            found = self.following = len(self.starts), 0
            self.starts.append(position)
        elif code == Opcode.Label:
            found = self.following = found[0], result
        elif code == Opcode.FunctionEnd:
            self.following = -1, 0
        elif code in self.CHANGES:
            self.following = found[0], 0
        return found


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
