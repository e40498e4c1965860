"""Kinds of values that operations do not determine: float or integer, signed or unsigned.

    register r0.x of bytecode, select, an array of registers: bits of any kind

Values that move bits (`asint`, `asfloat`) disappear; what reads or writes an open place asks for a
kind. Places are the nodes of a graph, and an edge is a use whose kinds differ if its ends do. Each
such use costs a cast in the source, ten times as many in a loop. The cheapest choice is a minimum
cut between float and integer. A second cut chooses signed or unsigned among integers.
"""

from collections import deque
from collections.abc import Callable, Hashable
from itertools import pairwise

from ..dataclass import dataclass, field
from ..errors import UnsupportedError
from ..ir.kernel import KernelIR, Loop, Region, Switch, Value, regions
from ..ir.memory import Memory, Var
from ..ir.ops import OPS, Op
from ..ir.waves import Wave
from .messages import kinds_of_message
from .operations import LANE_READS, SOURCE_OPS
from .tree import ScalarKind, SourceExpression

__all__ = ["ATOMIC_SIGNS", "Kinds", "check_sign", "stripped"]

# Operations whose result has the kind of an operand, whatever that is.
OPEN = frozenset({OPS.select, OPS.quad_swap, OPS.wave_first, *LANE_READS})

MOVES = frozenset({OPS.asint, OPS.asfloat, OPS.bitcast})
LOOP_WEIGHT = 10
DEEPEST_LOOP = 3  # the weight grows no further
MOST_PATHS = 20_000  # of one cut; a larger graph is cut where it is, which costs casts only

# Integer operations with a sign; for others the sign of the operands is that of the result.
SIGNED: dict[Op, ScalarKind] = {
    **dict.fromkeys((OPS.imulh, OPS.idiv, OPS.irem, OPS.imin, OPS.imax, OPS.ilt, OPS.ile,
                     OPS.itof, OPS.iconv, OPS.ineg, OPS.ishr, SOURCE_OPS.ldexp), ScalarKind.INT),
    **dict.fromkeys((OPS.umulh, OPS.udiv, OPS.urem, OPS.umin, OPS.umax, OPS.ult, OPS.ule,
                     OPS.utof, OPS.uconv, OPS.ushr), ScalarKind.UINT),
    **dict.fromkeys((SOURCE_OPS.first_high, SOURCE_OPS.first_low, SOURCE_OPS.from_half,
                     OPS.popcount, OPS.bitrev, OPS.clz, OPS.ctz), ScalarKind.UINT),
    SOURCE_OPS.first_high_i: ScalarKind.INT,
}  # fmt: skip
# Atomic operations by which a memory should have the sign: languages choose them by its type.
ATOMIC_SIGNS: dict[Op, ScalarKind] = {
    **dict.fromkeys((OPS.atomic_imin, OPS.atomic_imax), ScalarKind.INT),
    **dict.fromkeys((OPS.atomic_umin, OPS.atomic_umax), ScalarKind.UINT),
}
ATOMIC_WEIGHT = 1 << 20  # more than all casts
RESULTS: dict[Op, ScalarKind] = {
    **SIGNED, SOURCE_OPS.first_high_i: ScalarKind.UINT,
    OPS.ftoi: ScalarKind.INT, OPS.ftou: ScalarKind.UINT, SOURCE_OPS.to_half: ScalarKind.UINT,
    OPS.count: ScalarKind.UINT, OPS.source: ScalarKind.UINT, OPS.wave_ballot: ScalarKind.UINT,
}  # fmt: skip


def sign_of(value: Value) -> ScalarKind | None:
    """Return the kind of integer that an operation takes; None if it takes either."""
    if isinstance(value.attr, Wave) and value.attr.op is not None:
        return SIGNED.get(value.attr.op)
    return SIGNED.get(value.op)


def check_sign(value: SourceExpression) -> None:
    """Refuse an atomic minimum or maximum of memory that is declared with the other sign."""
    kind = value.args[0].type.kind
    if ATOMIC_SIGNS.get(value.attr, kind) is not kind:
        raise UnsupportedError(f"{value.attr.name} of {kind} memory cannot be decompiled yet")


def stripped(value: Value) -> Value:
    """Return the value whose bits a value has."""
    while value.op in MOVES:
        value = value.args[0]
    return value


Node = Hashable
Declared = Callable[[Value], ScalarKind | None]  # of a load, an input or a part


@dataclass(slots=True)
class KindGraph:
    """A graph of places and two terminals; an edge costs if the kinds of its ends differ."""

    edges: dict[Node, dict[Node, int]] = field(default_factory=dict)

    def join(self, a: Node, b: Node, weight: int) -> None:
        """Add an edge."""
        if a == b or (isinstance(a, ScalarKind) and isinstance(b, ScalarKind)):
            return
        for one, other in ((a, b), (b, a)):
            found = self.edges.setdefault(one, {})
            found[other] = found.get(other, 0) + weight

    def cut(self, source: Node, sink: Node) -> set[Node]:
        """Return the nodes on the side of the source (Edmonds and Karp)."""
        left = {node: dict(others) for node, others in self.edges.items()}
        for _ in range(MOST_PATHS):
            before = _reached(left, source, sink)
            if sink not in before:
                return set(before)
            path = [sink]
            while path[-1] != source:
                path.append(before[path[-1]])
            path.reverse()
            flow = min(left[a][b] for a, b in pairwise(path))
            for a, b in pairwise(path):
                left[a][b] -= flow
                left[b][a] += flow
        return set(_reached(left, source, None))


def _reached(
    left: dict[Node, dict[Node, int]], source: Node, sink: Node | None
) -> dict[Node, Node]:
    before: dict[Node, Node] = {source: source}
    queue = deque([source])
    while queue:
        node = queue.popleft()
        for other, room in left.get(node, {}).items():
            if room > 0 and other not in before:
                before[other] = node
                if other == sink:
                    return before
                queue.append(other)
    return before


class Kinds:
    """The kinds of a kernel's values, variables and open memories.

    `declared` returns the kind of a value that a declaration fixes; `stored` of a store or output.
    """

    def __init__(
        self, kernel: KernelIR, declared: Declared, cells: Callable[[Memory], Node] | None = None,
        untyped: Callable[[Value], bool] = lambda access: False,
    ) -> None:  # fmt: skip
        self.declared = declared
        self.cells = cells  # of memories whose words have one kind
        self.untyped = untyped  # accesses whose kind the source states
        self.floats: set[Node] = set()
        self.unsigned: set[Node] = set()
        self._scan(kernel, self._float_edges)
        self.floats = self.graph.cut(ScalarKind.FLOAT, ScalarKind.INT)
        self._scan(kernel, self._sign_edges)
        self.unsigned = self.graph.cut(ScalarKind.UINT, ScalarKind.INT)

    def _scan(self, kernel: KernelIR, edges: Callable[[Value, int], None]) -> None:
        self.graph = KindGraph()
        stack: list[tuple[Region, int]] = [(kernel.body, 1)]
        deepest = LOOP_WEIGHT**DEEPEST_LOOP
        while stack:
            region, weight = stack.pop()
            for statement in region:
                if isinstance(statement, Value):
                    edges(statement, weight)
                    continue
                inner = (
                    min(weight * LOOP_WEIGHT, deepest) if isinstance(statement, Loop) else weight
                )
                stack += [(each, inner) for each in regions(statement)]
                if isinstance(statement, Switch):
                    self._edge(statement.value, ScalarKind.INT, weight)

    # ------------------------------------------------------------ float or integer

    def _float_edges(self, value: Value, weight: int) -> None:
        if value.op in MOVES:
            return
        for arg, wanted in zip(value.args, self.wanted(value), strict=True):
            if wanted is not None:
                self._edge(arg, wanted, weight)

    def _edge(self, arg: Value, wanted: Node, weight: int) -> None:
        arg = stripped(arg)
        if arg.op is not OPS.const:
            place = self.place(arg)
            if place is not None:
                self.graph.join(_coarse(place), _coarse(wanted), weight)

    def place(self, value: Value) -> Node | None:
        """Return a value's kind, if it is fixed, or its place; None for a bool or texel."""
        if value.type.kind not in "if":
            return None
        op = value.op
        if op is OPS.get:
            var: Var = value.attr
            return var
        if op in OPEN or (op is OPS.load and self.untyped(value)):
            return value
        found = self.declared(value)
        if found is not None:
            return found
        if op is OPS.load:
            return self.cell(value.attr)
        if value.type.kind == "f":
            return ScalarKind.FLOAT
        return RESULTS.get(op) or sign_of(value) or ScalarKind.INT

    def cell(self, memory: Memory) -> Node:
        """Return the place of the words of a memory."""
        return memory if self.cells is None else self.cells(memory)

    def wanted(self, value: Value) -> list[Node | None]:
        """Return the kind or place that each operand is used as."""
        op = value.op
        match op:
            case OPS.set:
                return [value.attr]
            case OPS.output:
                return [self.declared(value) or ScalarKind.FLOAT]
            case OPS.message:
                return [*kinds_of_message(value)]
            case OPS.select:
                return [None, self.place(value), self.place(value)]
            case SOURCE_OPS.emit | SOURCE_OPS.point:
                index = [ScalarKind.UINT] if value.attr.indexed else []
                return [*index, *value.attr.kinds]
            case OPS.quad_swap | OPS.wave_first:
                return [self.place(value)]
            case OPS.wave_read | SOURCE_OPS.quad_read:
                return [self.place(value), ScalarKind.UINT]
            case OPS.load:
                return [ScalarKind.UINT, ScalarKind.UINT]
            case OPS.store:
                kind = self.declared(value) or self.cell(value.attr)
                return [
                    ScalarKind.UINT, ScalarKind.UINT, None if self.untyped(value) else kind,
                ]  # fmt: skip
        if op.atomic:
            kind = ScalarKind.INT if op in (OPS.atomic_imin, OPS.atomic_imax) else ScalarKind.UINT
            return [ScalarKind.UINT, ScalarKind.UINT, *[kind] * (len(value.args) - 2)]
        fixed = sign_of(value)
        return [
            ScalarKind.FLOAT
            if arg.type.kind == "f"
            else None
            if arg.type.kind != "i"
            else fixed or ScalarKind.INT
            for arg in value.args
        ]

    # ------------------------------------------------------------ signs

    def _sign_edges(self, value: Value, weight: int) -> None:
        op = value.op
        if op in MOVES or op in (OPS.const, OPS.message):
            return
        sign = ATOMIC_SIGNS.get(op)
        if sign is not None and self.declared(value) is None:
            self.graph.join(self.cell(value.attr), sign, ATOMIC_WEIGHT)
        agnostic = self._is_agnostic(value)
        for at, (each, asked) in enumerate(zip(value.args, self.wanted(value), strict=True)):
            arg = stripped(each)
            wanted: Node | None = value if agnostic else asked
            if asked is None or asked == ScalarKind.FLOAT or arg.op is OPS.const:
                continue
            if op in (OPS.ishl, OPS.ishr, OPS.ushr) and at == 1:
                continue
            if not agnostic and not isinstance(asked, ScalarKind) and asked in self.floats:
                continue
            place = self.sign_place(arg)
            if place is not None:
                self.graph.join(place, wanted, weight)

    def _is_agnostic(self, value: Value) -> bool:
        return (
            value.op not in RESULTS
            and value.op not in OPEN
            and sign_of(value) is None
            and value.op not in (OPS.load, OPS.store, OPS.set, OPS.output, OPS.sample)
            and not value.op.atomic
            and any(each.type.kind == "i" for each in value.args)
            and value.type.kind in "ib"
        )

    def sign_place(self, value: Value) -> Node | None:
        """Return the sign of an integer, if it is fixed, or its place; None for other values."""
        place = self.place(value)
        if place is None or place == ScalarKind.FLOAT or place in self.floats:
            return None
        if self._is_agnostic(value):
            return value
        return place

    # ------------------------------------------------------------ answers

    def of(self, value: Value) -> ScalarKind:
        """Return the kind of a value, as the source computes it."""
        value = stripped(value)
        if value.type.kind == "b":
            return ScalarKind.BOOL
        place = self.place(value)
        if place is None:
            return ScalarKind.FLOAT
        if place == ScalarKind.FLOAT or place in self.floats:
            return ScalarKind.FLOAT
        if self._is_agnostic(value):
            place = value
        return self._integer(place)

    def of_place(self, place: Node) -> ScalarKind:
        """Return the kind of a variable or a memory."""
        return ScalarKind.FLOAT if place in self.floats else self._integer(place)

    def of_operands(self, value: Value) -> ScalarKind:
        """Return the sign of the integers of an operation that fixes no sign itself."""
        return self._integer(value)

    def _integer(self, place: Node) -> ScalarKind:
        if isinstance(place, ScalarKind):
            return place
        return ScalarKind.UINT if place in self.unsigned else ScalarKind.INT


def _coarse(place: Node) -> Node:
    return ScalarKind.INT if place is ScalarKind.UINT else place
