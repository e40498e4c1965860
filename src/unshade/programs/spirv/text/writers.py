"""Lines of the instructions of a module, by shape; without a shape, by decoding."""

from collections.abc import Iterator, Sequence
from itertools import islice

from ....tuples import NamedTuple
from ..context import Context
from ..operands import Decoded, decode
from ..tables.grammar import Grammar
from ..tables.numbers import Opcode
from .operands import id_text, operand_text
from .shapes import LineStyle, Shapes

__all__ = ["ExplainedInstruction", "LineWriter"]

UNKNOWN = "OpUnknown({}, {})"
TOGETHER = 1 << 14  # lines
# They change how others are read.
DECLARING = frozenset({Opcode.ExtInstImport, Opcode.TypeInt, Opcode.TypeFloat})


class ExplainedInstruction(NamedTuple):
    """An instruction as texts: its result or "", its operation, its other operands."""

    decoded: Decoded
    result: str
    name: str
    operands: tuple[str, ...]

    @property
    def body(self) -> str:
        """The operation and the operands."""
        return " ".join((self.name, *self.operands))


class LineWriter:
    """The lines of a module, in its order.

    Attributes:
        ids: Texts of ids; the list grows.
        unexplained: Positions of instructions that the grammar does not explain.
    """

    def __init__(self, grammar: Grammar, ids: dict[int, str], style: LineStyle) -> None:
        self.grammar = grammar
        self.ids = ids
        self.style = style
        self.shapes = Shapes.of(style)
        self.context = Context()
        self.unexplained: set[int] = set()
        self.code: Sequence[tuple[int, ...]] = ()
        self.done = 0  # lines of earlier batches
        self.made: list[str] = []  # of this batch
        self.typed = 0  # the position up to which results have their types in the context

    def lines(self, code: Sequence[tuple[int, ...]]) -> list[str]:
        """Return the lines of all instructions of a module."""
        return [line for batch in self.batches(code) for line in batch]

    def batches(self, code: Sequence[tuple[int, ...]]) -> Iterator[list[str]]:
        """Yield the lines of all instructions of a module, thousands at a time."""
        self.code, self.done = code, 0
        by_head, ids, context = self.shapes.by_head, self.ids, self.context
        left = iter(code)
        while several := list(islice(left, TOGETHER)):
            made = self.made = []
            add = made.append
            for words in several:
                try:
                    line = by_head[words[0]](words, ids, context)
                except KeyError:
                    line = self._line(words)
                add(line)
            yield made
            self.done += len(made)

    def explained(self, words: tuple[int, ...], decoded: Decoded) -> ExplainedInstruction:
        """Return an instruction, whose operands are given, as texts."""
        if decoded.problem:
            name = UNKNOWN.format(words[0] & 0xFFFF, words[0] >> 16)
            return ExplainedInstruction(decoded, "", name, tuple(map(str, words[1:])))
        assert decoded.op is not None
        result, texts = "", []
        for piece in decoded.operands:
            if piece.kind == "IdResult":
                result = id_text(piece.words[0], self.ids)
            else:
                texts.append(operand_text(piece, self.ids))
        return ExplainedInstruction(decoded, result, decoded.op.name, tuple(texts))

    def _line(self, words: tuple[int, ...]) -> str:
        """Return the line of an instruction that has no shape yet."""
        opcode = words[0] & 0xFFFF
        if opcode == Opcode.Switch:
            self._add_types()
        decoded = decode(words, self.context, self.grammar)
        found = self.explained(words, decoded)
        if decoded.problem:
            self.unexplained.add(self.done + len(self.made))
        elif opcode in DECLARING:
            self.context.add(words, decoded.result_type, decoded.result)
        else:
            self.shapes.add(words, decoded, self.context)
        pattern = self.style.pattern(bool(found.result), len(found.operands))
        result = (found.result,) if found.result else ()
        return pattern.format(*result, found.name, *found.operands)

    def _add_types(self) -> None:
        """Add the types of all results so far to the context."""
        places = self.grammar.result_places
        end = self.done + len(self.made)
        for at in range(self.typed, end):
            words = self.code[at]
            if places.get(words[0] & 0xFFFF) == 2 and at not in self.unexplained:
                self.context.types[words[2]] = words[1]
        self.typed = end
