"""Kernels built from graphs, by lists and by functions."""

import random

import numpy as np
import pytest

from tests.ir.cfg.compare import results
from tests.ir.cfg.graphs import LANES, random_graph, run_graph, translated
from tests.oracle.interpret import interpret
from tests.oracle.verify import check
from unshade.errors import UsageError
from unshade.ir.builder import Builder, constant
from unshade.ir.cfg import ExitGraph, Fork, Jump, Multiway, Node, Phi, build
from unshade.ir.kernel import Block, KernelIR, Region, Value
from unshade.ir.memory import Space
from unshade.ir.printing import print_kernel
from unshade.ir.simplify import simplify
from unshade.ir.transforms.canonicalise import canonicalise
from unshade.ir.types import I32
from unshade.vm.jit import Jit
from unshade.vm.jit.segments import check_convergence
from unshade.vm.launch import Launch


def statements(kernel: KernelIR) -> list[str]:
    check(kernel)
    return print_kernel(kernel).partition("\n\n")[2].splitlines()


def spoken(word: str) -> Node:
    """Return a block with a message."""
    return Node(lambda b: b.message(attr=word))


def test_short_circuits_and_their_continuation() -> None:
    b = Builder(KernelIR())
    item = b.source("item")
    one, other = b.ieq(item, 1), b.ieq(item, 2)
    nodes = [spoken(word) for word in ("first", "second", "either", "end")]
    nodes[0].end = Fork(one, 2, 1)
    nodes[1].end = Fork(other, 2, 3)
    nodes[2].end = Jump(3)
    build(b, nodes)
    assert [line.strip() for line in statements(b.kernel)[3:]] == [
        *('message "first"', "block $0 {", "%3 = not %1", "if %3 {", 'message "second"'),
        *("%4 = not %2", "if %4 {", "exit $0", "}", "}"),
        *('message "either"', "}", 'message "end"', "return"),
    ]


def test_a_barrier_before_a_case_that_falls_through_is_reached_by_all() -> None:
    """The region that lanes leave separately begins after it."""
    b = Builder(KernelIR(group=(64, 1, 1)))
    item = b.source("item")
    nodes = [spoken(word) for word in ("first", "one", "two", "end")]
    nodes[0] = Node(lambda b: b.barrier(attr="group"))
    nodes[0].end = Multiway(item, [((1,), 1), ((2,), 2)], 3)
    nodes[1].end = Jump(2)
    nodes[2].end = Jump(3)
    build(b, nodes)
    check_convergence(check(b.kernel))
    assert any(isinstance(each, Block) for each in b.kernel.body)


def test_an_if_and_a_loop_need_no_blocks() -> None:
    b = Builder(KernelIR())
    item = b.source("item")
    count = Phi(I32, {})
    nodes = [spoken(word) for word in ("first", "then", "else", "joined", "round", "end")]
    nodes[0].end = Fork(b.ieq(item, 1), 1, 2)
    nodes[1].end = nodes[2].end = Jump(3)
    nodes[3].end = Jump(4)
    count.incoming = {3: item, 4: lambda b: b.iadd(count.value, 1)}
    nodes[4].phis = [count]
    nodes[4].end = Fork(lambda b: b.ult(count.value, 9), 4, 5)
    build(b, nodes)
    assert [line.strip() for line in statements(b.kernel)[2:]] == [
        *('message "first"', "if %1 {", 'message "then"', "} else {", 'message "else"', "}"),
        *('message "joined"', "set @phi, %0", "loop {", "%2 = get @phi", 'message "round"'),
        *("%3 = ult %2, i32 9", "if %3 {", "%4 = iadd %2, i32 1", "set @phi, %4"),
        *("} else {", "break", "}", "}", 'message "end"', "return"),
    ]


def run(kernel: KernelIR, size: int = 8) -> list[int]:
    memories = {"u0": bytearray(4 * size)}
    interpret(check(kernel), memories, groups=(1, 1, 1))
    found: list[int] = np.frombuffer(memories["u0"], "<u4").tolist()
    return found


def test_phis_change_simultaneously() -> None:
    b = Builder(KernelIR(group=(8, 1, 1)))
    out = b.memory("u0", Space.BUFFER, 4, writable=True)
    own = b.source("thread_id_in_group_flattened")
    x, y, n = (Phi(I32, {}, name) for name in "xyn")
    x.incoming = {0: own, 1: y.value}
    y.incoming = {0: b.iadd(own, 100), 1: x.value}
    n.incoming = {0: b.i32(0), 1: lambda b: b.iadd(n.value, 1)}
    nodes = [
        Node(end=Jump(1)),
        Node((), Fork(lambda b: b.ult(n.value, own), 1, 2), [x, y, n]),
        Node(lambda b: b.store(out, own, 0, x.value)),
    ]
    build(b, nodes)
    assert run(b.kernel) == [at if at % 2 == 0 else 100 + at for at in range(8)]


@pytest.mark.parametrize(
    ("targets", "default"), [((1, 2, 1), 3), ((1, 2, 2), 1), ((1, 1, 2), 2), ((2, 2, 2), 2)]
)
def test_a_multiway_case_has_several_values(targets: tuple[int, int, int], default: int) -> None:
    b = Builder(KernelIR(group=(8, 1, 1)))
    out = b.memory("u0", Space.BUFFER, 4, writable=True)
    own = b.source("thread_id_in_group_flattened")

    def stores(number: int) -> Region:
        with b.within([]):
            b.store(out, own, 0, b.i32(number))
            return b.region

    cases = [((0, 5), targets[0]), ((1,), targets[1]), ((2,), targets[2])]
    nodes = [
        Node((), Multiway(own, cases, default)),
        *(Node(stores(number)) for number in (1, 2, 3)),
    ]
    build(b, nodes)
    ways = {0: targets[0], 5: targets[0], 1: targets[1], 2: targets[2]}
    assert run(b.kernel) == [ways.get(at, default) for at in range(8)]


@pytest.mark.parametrize("deepest", [13, 64])
def test_values_are_made_before_their_uses_where_loops_are_merged(deepest: int) -> None:
    """With regions 13 deep the loops of blocks 3 and 5 become part of the one of block 1."""
    b = Builder(KernelIR(group=(8, 1, 1)))
    out = b.memory("u0", Space.BUFFER, 4, writable=True)
    item = b.source("item")
    made: dict[str, Value] = {}
    turn, total, outer, middle, inner, part = (Phi(I32, {}) for _ in range(6))
    zero = constant(0, I32)

    def weigh(b: Builder) -> None:
        made["weight"] = b.imul(outer.value, 10)

    def add(b: Builder) -> None:
        made["sum"] = b.iadd(part.value, b.iadd(made["weight"], inner.value))

    nodes = [Node(), Node(phis=[turn, total]), Node(), Node(phis=[outer, middle]), Node(weigh)]
    nodes += [Node(phis=[inner, part]), Node(add), Node(), Node(), Node()]
    nodes[9].code = lambda b: b.store(out, item, 0, total.value)
    for block, to in ((0, 1), (2, 3), (4, 5), (6, 5), (7, 3), (8, 1)):
        nodes[block].end = Jump(to)
    nodes[1].end = Fork(lambda b: b.ult(turn.value, 2), 2, 9)
    nodes[3].end = Fork(lambda b: b.ult(outer.value, item), 4, 8)
    nodes[5].end = Fork(lambda b: b.ult(inner.value, 2), 6, 7)
    turn.incoming = {0: zero, 8: lambda b: b.iadd(turn.value, 1)}
    total.incoming = {0: zero, 8: lambda b: middle.value}
    outer.incoming = {2: zero, 7: lambda b: b.iadd(outer.value, 1)}
    middle.incoming = {2: lambda b: total.value, 7: lambda b: part.value}
    inner.incoming = {4: zero, 6: lambda b: b.iadd(inner.value, 1)}
    part.incoming = {4: lambda b: middle.value, 6: lambda b: made["sum"]}
    build(b, nodes, deepest=deepest)
    assert run(b.kernel) == [2 * sum(20 * at + 1 for at in range(lane)) for lane in range(8)]


def test_an_exit_may_leave_an_enclosing_block() -> None:
    b = Builder(KernelIR())
    condition = b.ieq(b.source("item"), 1)
    with b.block() as around:
        nodes = [spoken("first"), spoken("one"), spoken("other")]
        nodes[0].end = Fork(condition, 1, 2)
        nodes[1].end = nodes[2].end = ExitGraph(around)
        build(b, nodes)
    b.message(attr="after")
    text = "\n".join(statements(simplify(b.kernel)))
    assert "return" not in text
    assert text.endswith('message "after"')


def test_variables_get_unique_names() -> None:
    b = Builder(KernelIR())
    b.var("phi")
    b.var("phi.1")
    nodes = [Node(end=Jump(1)), Node(phis=[Phi(I32, {0: b.i32(1)}), Phi(I32, {0: b.i32(2)})])]
    build(b, nodes)
    check(b.kernel)
    assert [var.name for var in b.kernel.variables] == ["phi", "phi.1", "phi.2", "phi.3"]


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ([], "expected a graph with an entry"),
        ([Node(end=Jump(1))], "block 0: expected a successor from 0 to 0, got 1"),
        (
            [Node(end=Jump(1)), Node(phis=[Phi(I32, {})])],
            "block 1: a phi has no operand for predecessor",
        ),
        ([Node(end=Jump(0), phis=[Phi(I32, {})])], "block 0: phis of the entry"),
    ],
)
def test_invalid_graphs(nodes: list[Node], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        build(Builder(KernelIR()), nodes)


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(12))
def test_the_jit_runs_them(seed: int) -> None:
    graph = random_graph(seed, random.Random(seed).choice((5, 12, 25)))
    kernel, _ = translated(graph, (20, 128)[seed // 3 % 2])
    if seed % 2:
        simplify(kernel)
    canonicalise(kernel)
    data = np.zeros(8 * LANES, np.uint8)
    Jit(threads=1, width=(8, 32)[seed // 2 % 2]).run(kernel, Launch({"u0": data}))
    assert results(data.tobytes()) == run_graph(graph).results
