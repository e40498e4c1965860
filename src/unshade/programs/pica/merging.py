"""Concatenation of code: one descriptor table for all pieces, and relocated targets.

piece a    code 0 … 9     descriptors 0 … 3
piece b    code 0 … 5     descriptors 0 … 2      call 4
together   a 0 … 9, b 10 … 15     equal descriptors once     call 14
"""

from collections.abc import Mapping, Sequence

from ...errors import EncodeError, UsageError
from ...tuples import NamedTuple
from .descriptors import MAX_DESCRIPTORS, MAX_MAD_DESCRIPTORS
from .instruction import Instruction

__all__ = ["CodePiece", "merge"]

TARGETS = ("else", "call", "last", "jump")  # operands that name a word of the code
MAD = ("mad", "madi")


class CodePiece(NamedTuple):
    """A piece of code.

    A descriptor is one number of two words, the first word in the low bits. `outside` maps words of
    this piece to their targets in other pieces, as words of the whole.
    """

    code: Sequence[int]
    descriptors: Sequence[int]
    outside: Mapping[int, int]


def merge(pieces: Sequence[CodePiece]) -> tuple[list[int], list[int]]:
    """Return the words and the descriptors of all pieces; UsageError if there are too many."""
    table = _DescriptorTable(pieces)
    code: list[int] = []
    for piece in pieces:
        base = len(code)
        code += [_moved(table, piece, at, base) for at in range(len(piece.code))]
    return code, table.rows


class _DescriptorTable:
    """The merged descriptors; descriptors of mad come first, since its field has only five bits."""

    def __init__(self, pieces: Sequence[CodePiece]) -> None:
        self.rows: list[int] = []
        for piece in pieces:
            for word in piece.code:
                one = Instruction(word)
                if one.name in MAD and one.desc < len(piece.descriptors):
                    self.number(piece.descriptors[one.desc])
        if len(self.rows) > MAX_MAD_DESCRIPTORS:
            raise UsageError(
                f"expected at most {MAX_MAD_DESCRIPTORS} descriptors of mad, got {len(self.rows)}"
            )

    def number(self, wanted: int) -> int:
        """Return the number of a descriptor, which is appended if it is new."""
        if wanted not in self.rows:
            if len(self.rows) == MAX_DESCRIPTORS:
                raise UsageError(
                    f"expected at most {MAX_DESCRIPTORS} descriptors in all objects, got more"
                )
            self.rows.append(wanted)
        return self.rows.index(wanted)


def _moved(table: _DescriptorTable, piece: CodePiece, at: int, base: int) -> int:
    one = Instruction(piece.code[at])
    op = one.op
    if op is None:
        return one.word
    try:
        if op.reads and one.desc < len(piece.descriptors):
            one.desc = table.number(piece.descriptors[one.desc])
        if any(name in TARGETS for name in op.operands):
            one.target = piece.outside.get(at, one.target + base)
    except EncodeError as error:
        raise UsageError(f"word {at} of the object at {base}: {error}") from None
    return one.word
