"""The operands of all instructions of a module, read in its order.

A large module is read twice: once in whole, for the results and the ids that instructions declare,
and then each instruction when it is asked for. Its operands would take fifty times the memory of
its words.
"""

from array import array
from collections.abc import Iterator, Sequence
from typing import overload

from ...unchanged import once
from .context import Context, IdTable
from .module import FEW, Module, opcodes_of
from .operands import Decoded, decode, result_of
from .tables.grammar import Grammar, grammar

__all__ = ["OperandsOnDemand", "bad_positions", "read_operands"]

NEAR = 4  # ids for each instruction that a table has room for


class OperandsOnDemand(Sequence[Decoded]):
    """The instructions of a large module, each taken apart when it is asked for.

    Attributes:
        codes: The opcode of each instruction.
        context: The ids that instructions declare.
        near: The number of ids for which tables by id have room.
        results: The result of each instruction; 0 without one, and for those in `kept`.
        kept: By position, the instructions that have a problem or the result 0.
    """

    __slots__ = ("code", "codes", "context", "grammar", "kept", "near", "results")

    def __init__(self, code: Sequence[tuple[int, ...]], bound: int, grammar: Grammar) -> None:
        self.code = code
        self.near = min(bound, NEAR * len(code))
        self.context = context = Context(IdTable(self.near))
        self.grammar = grammar
        self.codes = array("H", opcodes_of(code))
        self.results = array("I")
        self.kept: dict[int, Decoded] = {}
        for position, words in enumerate(code):
            found = result_of(words, context, grammar)
            if found is None or found[1] == 0:
                self.kept[position] = decode(words, context, grammar)
            kind, result = found or (None, None)
            context.add(words, kind, result)
            self.results.append(result or 0)

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[Decoded]:
        kept, context, grammar = self.kept, self.context, self.grammar
        for position, words in enumerate(self.code):
            yield kept[position] if position in kept else decode(words, context, grammar)

    @overload
    def __getitem__(self, at: int) -> Decoded: ...
    @overload
    def __getitem__(self, at: slice) -> list[Decoded]: ...
    def __getitem__(self, at: int | slice) -> Decoded | list[Decoded]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        at = range(len(self))[at]
        known = self.kept.get(at)
        return known if known is not None else decode(self.code[at], self.context, self.grammar)


def bad_positions(decoded: Sequence[Decoded]) -> frozenset[int]:
    """Return the positions of the instructions that do not fit the grammar."""
    if isinstance(decoded, OperandsOnDemand):
        return frozenset(at for at, each in decoded.kept.items() if each.problem)
    return frozenset(at for at, each in enumerate(decoded) if each.problem)


@once
def read_operands(module: Module) -> tuple[Sequence[Decoded], Context]:
    """Return each instruction with its operands, and the ids that instructions declare."""
    code, table = module.words(), grammar()
    if len(code) > FEW:
        large = OperandsOnDemand(code, module.bound, table)
        if not large.context.unsettled:
            return large, large.context
    context, found = Context(), []
    for words in code:
        decoded = decode(words, context, table)
        if decoded.result is not None and not decoded.problem:
            context.add(words, decoded.result_type, decoded.result)
        found.append(decoded)
    return found, context
