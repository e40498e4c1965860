"""Analysis: whether a function reads and writes the variables that its pointers refer to.

    OpStore %p %v                   the value before is not read: `out`
    OpLoad %p; OpStore %p %v        `inout`
    OpFunctionCall %f %p            as %f uses its parameter

A module does not declare the direction of a parameter, so its use counts. A variable whose first
use in the first block is a store of the whole is not read. Other uses of a pointer than the listed
ones, such as a selection, may read and write.
"""

from collections.abc import Iterator

from ....tuples import NamedTuple
from ..index import FunctionBody, ModuleIndex
from ..tables.numbers import GlslStd450, Opcode, StorageClass

__all__ = ["AccessesOfFunctions", "ParameterAccess"]

CHAINS = frozenset({
    Opcode.AccessChain, Opcode.InBoundsAccessChain, Opcode.PtrAccessChain,
    Opcode.InBoundsPtrAccessChain,
})  # fmt: skip
RESULTS, RESULT = (
    (GlslStd450.Modf, GlslStd450.Frexp),
    6,
)  # instructions with a second result, and its word
QUERIES = frozenset({Opcode.ArrayLength, Opcode.ImageTexelPointer})
COMMENTS = frozenset({Opcode.Name, Opcode.Line, Opcode.NoLine, Opcode.FunctionParameter})


class ParameterAccess(NamedTuple):
    """An access to a variable; `whole` if it is a store of all of it."""

    read: bool
    written: bool
    whole: bool = False

    def with_(self, other: "ParameterAccess") -> "ParameterAccess":
        """Return both accesses, in this order."""
        read = self.read or (other.read and not self.whole)
        return ParameterAccess(
            read, self.written or other.written, self.whole or (other.whole and not read)
        )


NOTHING = ParameterAccess(False, False)
READ = ParameterAccess(True, False)
WRITE = ParameterAccess(False, True)
STORE = ParameterAccess(False, True, whole=True)
BOTH = ParameterAccess(True, True)


class AccessesOfFunctions:
    """The accesses of each function to its parameters and to global variables, by id."""

    def __init__(self, index: ModuleIndex) -> None:
        self.index = index
        self._known: dict[int, dict[int, ParameterAccess]] = {}
        self._open: set[int] = set()

    def of(self, function: int) -> dict[int, ParameterAccess]:
        """Return the accesses of a function, its callees included."""
        found = self._known.get(function)
        if found is None:
            body = self.index.functions.get(function)
            if body is None or function in self._open:
                return {}
            self._open.add(function)
            found = self._known[function] = self._made(body)
            self._open.discard(function)
        return found

    def _made(self, body: FunctionBody) -> dict[int, ParameterAccess]:
        first: dict[int, ParameterAccess] = {}
        later: dict[int, ParameterAccess] = {}
        roots: dict[int, int] = {}  # the variable of each chain
        end = body.blocks[0].end if body.blocks else body.end
        for position in range(body.start, body.end):
            for number, access in self._accesses(position, roots):
                known = first if position < end else later
                known[number] = known.get(number, NOTHING).with_(access)
        return {
            number: first.get(number, NOTHING).with_(
                later.get(number, NOTHING)._replace(whole=False)
            )
            for number in {**first, **later}
            if number in body.parameters or self._is_global(number)
        }

    def _is_global(self, number: int) -> bool:
        found = self.index.definitions.get(number)
        if found is None or found.opcode != Opcode.Variable:
            return False
        return found.words[3] != StorageClass.Function

    def _accesses(
        self, position: int, roots: dict[int, int]
    ) -> Iterator[tuple[int, ParameterAccess]]:
        """Yield the ids that an instruction accesses; ids that are not pointers do no harm."""
        words = self.index.module.instructions[position].words
        decoded = self.index.decoded[position]
        opcode = words[0] & 0xFFFF
        if decoded.problem or opcode in COMMENTS:
            return

        def root(number: int) -> int:
            return roots.get(number, number)

        def store(number: int) -> tuple[int, ParameterAccess]:
            return root(number), WRITE if number in roots else STORE

        match opcode:
            case _ if opcode in CHAINS or opcode == Opcode.CopyObject:
                roots[words[2]] = root(words[3])
            case Opcode.Load:
                yield root(words[3]), READ
            case Opcode.Store:
                yield root(words[2]), BOTH  # if a pointer is stored
                yield store(words[1])
            case Opcode.CopyMemory:
                yield root(words[2]), READ
                yield store(words[1])
            case Opcode.FunctionCall:
                callee = self.of(words[3])
                known = self.index.functions.get(words[3])
                parameters = known.parameters if known is not None else ()
                for parameter, argument in zip(parameters, words[4:], strict=False):
                    access = callee.get(parameter, NOTHING)
                    yield (
                        root(argument),
                        access._replace(whole=access.whole and argument not in roots),
                    )
                yield from ((each, x) for each, x in callee.items() if each not in parameters)
            case Opcode.ExtInst if self.index.is_debug(words):
                return
            case Opcode.ExtInst if words[4] in RESULTS and len(words) > RESULT:
                yield store(words[RESULT])
            case _ if opcode in QUERIES:
                return
            case _:
                for each in decoded.operands:
                    if each.is_id and each.kind != "IdResult":
                        yield root(each.words[0]), BOTH
