"""The code that an entry point reaches, and the ids that the code refers to.

    entry point ── OpFunctionCall ──► functions          the call graph, recursion included
    functions   ── operands ────────► variables          with constant indices of access chains:
                                                         block.light[2]: (1, 2)

A variable that is passed on, copied or selected as a pointer counts as referred to in whole.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from ....errors import LimitError
from ....limits import DEFAULT
from ..constants import ConstantValues
from ..index import FunctionBody, ModuleIndex, SpirvEntryPoint
from ..module import positions_of
from ..tables.numbers import Decoration, Opcode, StorageClass
from ..tables.opcode_groups import ARRAYS, VARIABLES

__all__ = ["ANY", "BIAS", "GRAD", "Path", "Usage", "UsageOfFunctions"]

Path = tuple[int, ...]  # indices; empty for a whole variable
ANY = -1  # an index that is not constant

MOST = 4096  # paths of one variable
WHOLE: Path = ()
INITIALISER = 4  # the word of OpVariable
IMAGE_OPERANDS = "ImageOperands"
BIAS, GRAD = 0x1, 0x4  # bits of it
CHAINS = (Opcode.AccessChain, Opcode.InBoundsAccessChain)
# Instructions of a function that are declarations or notes.
DECLARATIONS = frozenset({
    Opcode.Function, Opcode.FunctionParameter, Opcode.FunctionEnd, Opcode.Label, Opcode.Line,
    Opcode.NoLine, Opcode.Variable, Opcode.LoopMerge, Opcode.SelectionMerge, Opcode.Undef,
})  # fmt: skip

ON_STREAMS = frozenset({Opcode.EmitStreamVertex, Opcode.EndStreamPrimitive})


class Usage:
    """Things that some functions refer to.

    Attributes:
        paths: By id of a global variable, the indices with which it is accessed.
        ids: Ids of other things outside of functions: constants, types, imports.
        operations: Executed instructions by opcode.
        sets: Instructions of extended sets, by (name of the set, number).
        loads: Number of loads from storage buffers.
        stores: Number of stores to them.
        given: Samples with a bias or with gradients, by opcode and bit of the image operands.
        streams: Ids of the streams of a geometry shader that vertices are emitted to, or cut.
    """

    def __init__(self) -> None:
        self.paths: dict[int, set[Path]] = {}
        self.ids: set[int] = set()
        self.operations: Counter[int] = Counter()
        self.sets: Counter[tuple[str, int]] = Counter()
        self.loads = 0
        self.stores = 0
        self.given: Counter[tuple[int, int]] = Counter()
        self.streams: set[int] = set()

    def add(self, other: "Usage") -> None:
        """Add the references of other code."""
        for number, paths in other.paths.items():
            for path in paths:
                self.note(number, path)
        self.ids |= other.ids
        self.operations += other.operations
        self.sets += other.sets
        self.loads += other.loads
        self.stores += other.stores
        self.given += other.given
        self.streams |= other.streams

    def note(self, number: int, path: Path) -> None:
        """Take note of an access to a variable."""
        known = self.paths.setdefault(number, set())
        if WHOLE in known:
            return
        if path == WHOLE or len(known) >= MOST:
            known.clear()
            path = WHOLE
        known.add(path)

    def uses(self, number: int, path: Path) -> bool:
        """Return True if a part of a variable, or something in it, is referred to."""
        return any(
            all(ANY in (x, y) or x == y for x, y in zip(each, path, strict=False))
            for each in self.paths.get(number, ())
        )


class UsageOfFunctions:
    """Things that each function refers to; entry points add up the functions that they reach."""

    def __init__(self, index: ModuleIndex, constants: ConstantValues) -> None:
        self.index = index
        self.constants = constants
        self.calls: dict[int, set[int]] = {}
        self._known: dict[int, Usage] = {}
        self._totals: dict[int, Usage] = {}
        self._steps = 0  # of walks over the call graph

    @cached_property
    def globals(self) -> dict[int, int]:
        """Global variables by id, with the position of the declaration."""
        inside = [(each.start, each.end) for each in self.index.functions.values()]
        first = min((start for start, _ in inside), default=len(self.index.decoded))
        found: dict[int, int] = {}
        definitions = self.index.definitions
        for position in positions_of(self.index.code, VARIABLES, first):
            number = self.index.decoded[position].result
            known = None if number is None else definitions.get(number)
            if number is not None and known is not None and known.position == position:
                found[number] = position
        return found

    def reached(self, function: int) -> list[int]:
        """Return a function and its direct and indirect callees."""
        found: dict[int, None] = {}
        stack = [function]
        while stack:
            each = stack.pop()
            if each not in found and each in self.index.functions:
                found[each] = None
                self._step(1)
                self.of(each)
                stack += sorted(self.calls[each], reverse=True)
        return list(found)

    def from_entry(self, entry: SpirvEntryPoint) -> Usage:
        """Return the references of an entry point: of code, and of initial values of outputs."""
        total = self._totals.get(entry.function)
        if total is None:
            total = self._totals[entry.function] = Usage()
            for each in self.reached(entry.function):
                total.add(self.of(each))
        written = [each for each in entry.interface if self._is_initialised(each)]
        if not written:
            return total
        self._step(1 + len(total.paths))
        found = Usage()
        found.add(total)
        for each in written:
            found.note(each, WHOLE)
        return found

    def _is_initialised(self, number: int) -> bool:
        """Return True for an output that has a value before the code runs."""
        if number not in self.globals:
            return False
        variable = self.index.definitions[number]
        return (
            variable.opcode == Opcode.Variable
            and variable.words[3] == StorageClass.Output
            and len(variable.words) > INITIALISER
        )

    def _step(self, steps: int) -> None:
        self._steps += steps
        if self._steps > DEFAULT.nodes:
            raise LimitError("nodes", DEFAULT.nodes, "more")

    def of(self, function: int) -> Usage:
        """Return the references of a function, without the references of its callees."""
        found = self._known.get(function)
        if found is None:
            found = self._known[function] = self._made(self.index.functions[function])
        return found

    def _made(self, body: FunctionBody) -> Usage:
        used = Usage()
        calls = self.calls.setdefault(body.id, set())
        chains: dict[int, tuple[int, Path]] = {}
        for position in range(body.start, body.end):
            decoded = self.index.decoded[position]
            if decoded.problem or decoded.op is None:
                continue
            code = decoded.op.code
            is_semantic = self.index.is_semantic(self.index.code[position])
            if code not in DECLARATIONS and is_semantic:
                used.operations[code] += 1
            ids = [p.words[0] for p in decoded.operands if p.is_id and p.kind != "IdResult"]
            if code == Opcode.ExtInst and len(decoded.operands) > 3 and is_semantic:
                name = self.index.imports.get(ids[1], "")
                used.sets[name, decoded.operands[3].words[0]] += 1
            if code in ON_STREAMS:
                used.streams.update(ids)
            if code in CHAINS and decoded.result is not None and len(ids) > 1:
                base, path = chains.get(ids[1], (ids[1], WHOLE))
                if base in self.globals:
                    chains[decoded.result] = base, path + tuple(self._indices(ids[2:]))
                    used.ids.update(ids)
                    continue
            if code == Opcode.Store and ids:
                base, _ = chains.get(ids[0], (ids[0], WHOLE))
                used.stores += self._is_stored(base)
            elif code == Opcode.Load and len(ids) > 1:
                base, _ = chains.get(ids[1], (ids[1], WHOLE))
                used.loads += self._is_stored(base)
            for operand in decoded.operands:
                if operand.kind == IMAGE_OPERANDS:
                    bits = operand.words[0]
                    used.given.update((code, bit) for bit in (BIAS, GRAD) if bits & bit)
            for each in ids:
                if each in chains:
                    used.note(*chains[each])
                elif each in self.globals:
                    used.note(each, WHOLE)
                elif each in self.index.functions and each != body.id:
                    calls.add(each)
                else:
                    used.ids.add(each)
        return used

    def _is_stored(self, number: int) -> bool:
        """Return True for a global variable that is one or several storage buffers."""
        if number not in self.globals:
            return False
        variable = self.index.definitions[number]
        if variable.words[3] != StorageClass.Uniform:
            return variable.words[3] == StorageClass.StorageBuffer
        kind = self.index.pointee(number) or 0
        for _ in range(DEFAULT.depth):
            found = self.index.definitions.get(kind)
            if found is None or found.opcode not in ARRAYS or len(found.words) < 3:
                break
            kind = found.words[2]
        return self.index.decoration(Decoration.BufferBlock, kind) is not None

    def _indices(self, ids: list[int]) -> Iterator[int]:
        """Iterate over the indices of a chain."""
        for each in ids:
            found = self.constants.integer(each)
            fixed = found is not None and self.index.specialisation(each) is None
            yield found if fixed and found is not None else ANY
