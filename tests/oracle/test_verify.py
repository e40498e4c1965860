"""Every rule of `verify`, broken once."""

from collections.abc import Callable

import pytest

from tests.ir.generate import generate
from tests.oracle.verify import check, verify
from unshade.errors import Severity, UsageError
from unshade.ir.builder import Builder, constant
from unshade.ir.kernel import DEEPEST, If, KernelIR, Loop, Region, Value
from unshade.ir.memory import Memory, Port, Space, Var
from unshade.ir.ops import OPS
from unshade.ir.textures import Action, Sample, Shape
from unshade.ir.types import BOOL, F32, I16, I32, TEXEL, VOID


def _deep(b: Builder) -> None:
    region: Region = b.kernel.body
    for _ in range(DEEPEST + 1):
        loop = Loop()
        region.append(loop)
        region = loop.body


def _used_outside(b: Builder) -> None:
    with b.when(constant(1, BOOL)):
        inner = b.source("item")
    b.ineg(inner)


def _used_before(b: Builder) -> None:
    value = b.source("item")
    b.ineg(value)
    b.kernel.body.reverse()


def _twice(b: Builder) -> None:
    b.kernel.body.append(b.source("item"))


def _labels(b: Builder) -> None:
    switch = b.switch(constant(1, I32))
    with b.case(switch, -1), b.case(switch, 0xFFFF_FFFF):
        pass


def _defaults(b: Builder) -> None:
    switch = b.switch(constant(1, I32))
    for _ in range(2):
        with b.case(switch, default=True):
            pass


def _exit_outside(b: Builder) -> None:
    with b.block() as block:
        pass
    b.exit(block)


def _block_twice(b: Builder) -> None:
    with b.block() as block:
        pass
    b.kernel.body.append(block)


def _names(b: Builder) -> None:
    b.memory("a", Space.BUFFER, 4)
    b.sampler("a")


def _raw(name: str, type: object, *args: Value, attr: object = None) -> Callable[[Builder], None]:
    def make(b: Builder) -> None:
        b.kernel.body.append(Value(OPS[name], type, args, attr))  # type: ignore[arg-type]

    return make


ONE, HALF = constant(1, I32), constant(0x3F00_0000, F32)
FOREIGN = Memory("m", Space.BUFFER, 4, writable=True)

BROKEN: dict[str, tuple[str, Callable[[Builder], object]]] = {
    "deep": ("ir-depth", _deep),
    "outside": ("ir-scope", _used_outside),
    "before": ("ir-scope", _used_before),
    "twice": ("ir-scope", _twice),
    "label": ("ir-label", _labels),
    "defaults": ("ir-label", _defaults),
    "name": ("ir-name", _names),
    "variable name": ("ir-name", lambda b: (b.var("a"), b.var("a"))),
    "break": ("ir-leave", lambda b: b.break_()),
    "continue": ("ir-leave", lambda b: b.continue_()),
    "exit": ("ir-attribute", _exit_outside),
    "no block": ("ir-attribute", _raw("exit", VOID, attr=Loop())),
    "block twice": ("ir-scope", _block_twice),
    "condition": ("ir-type", lambda b: b.kernel.body.append(If(ONE))),
    "switch": ("ir-type", lambda b: b.switch(HALF)),
    "operand": ("ir-type", _raw("fadd", F32, ONE, HALF)),
    "operands": ("ir-type", _raw("fadd", F32, HALF)),
    "result": ("ir-type", _raw("iadd", F32, ONE, ONE)),
    "conversion": ("ir-type", _raw("fconv", F32, HALF)),
    "no attribute": ("ir-attribute", _raw("iadd", I32, ONE, ONE, attr=1)),
    "number": ("ir-attribute", _raw("quad_swap", I32, ONE, attr=4)),
    "source": ("ir-attribute", _raw("source", I32, attr="here")),
    "barrier": ("ir-attribute", _raw("barrier", VOID, attr="sometimes")),
    "constant": ("ir-operation", _raw("const", I32, attr=1)),
    "too large": ("ir-constant", _raw("ineg", I32, Value(OPS["const"], I32, (), 1 << 32))),
    "foreign memory": ("ir-attribute", lambda b: b.load(FOREIGN, 0)),
    "foreign variable": ("ir-attribute", lambda b: b.get(Var("q", I32))),
    "foreign port": ("ir-attribute", lambda b: b.input(Port("v", I32))),
    "read only": (
        "ir-attribute",
        lambda b: b.store(b.memory("t", Space.BUFFER, 4), b.i32(0), b.i32(0), ONE),
    ),
    "too wide": ("ir-attribute", lambda b: b.load(b.memory("t", Space.BUFFER, 2), 0)),
    "bool in memory": (
        "ir-attribute",
        lambda b: b.load(b.memory("t", Space.BUFFER, 2), 0, 0, BOOL),
    ),
    "narrow atomic": (
        "ir-attribute",
        lambda b: b.atomic_add(0, 0, constant(1, I16), attr=b.memory("s", Space.SHARED, 4, 1)),
    ),
    "stride": ("ir-memory", lambda b: b.memory("t", Space.BUFFER, 0)),
    "count": ("ir-memory", lambda b: b.memory("x", Space.LOCAL, 4)),
    "writable": ("ir-memory", lambda b: b.memory("c", Space.CONSTANT, 4, writable=True)),
    "table": ("ir-memory", lambda b: b.memory("t", Space.TABLE, 4, 2, data=b"1234")),
    "texel variable": ("ir-type", lambda b: b.var("a", TEXEL)),
    "group": ("ir-group", lambda b: setattr(b.kernel, "group", (0, 1, 1))),
    "quads": ("ir-group", lambda b: setattr(b.kernel, "quads", True)),
    "flush": ("ir-flush", lambda b: setattr(b.kernel, "flush", frozenset({8}))),
    "sample": (
        "ir-attribute",
        lambda b: b.sample(HALF, attr=Sample(Action.SAMPLE, b.texture("t", Shape.D2))),
    ),
    "child": (
        "ir-attribute",
        lambda b: b.sample(b.i32(1), attr=Sample(Action.EVALUATE, b.texture("t", Shape.D2))),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_rule_is_found(name: str) -> None:
    code, make = BROKEN[name]
    b = Builder(KernelIR())
    make(b)
    findings = verify(b.kernel)
    assert code in [each.code for each in findings]
    with pytest.raises(UsageError, match=code):
        check(b.kernel)


def test_findings_have_a_path() -> None:
    b = Builder(KernelIR())
    b.source("item")
    with b.loop(), b.when(constant(1, BOOL)):
        b.get(Var("q", I32))
    (finding,) = verify(b.kernel)
    assert finding.path == "body[1].body[0].then[0]"


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("operand", "fadd: expected a float, got i32"),
        ("conditional", "select: expected bool, got i32"),
        ("table", "expected 8 bytes of data, got 4"),
    ],
)
def test_findings_name_the_expected_type_or_size(name: str, problem: str) -> None:
    b = Builder(KernelIR())
    (BROKEN | {"conditional": ("ir-type", _raw("select", I32, ONE, ONE, ONE))})[name][1](b)
    assert problem in [each.message for each in verify(b.kernel)]


def test_unreachable_statements_are_warnings() -> None:
    b = Builder(KernelIR())
    b.return_()
    b.source("item")
    (finding,) = verify(b.kernel)
    assert (finding.code, finding.severity) == ("ir-unreachable", Severity.WARNING)
    assert check(b.kernel) is b.kernel


@pytest.mark.slow
def test_generated_kernels_are_well_formed() -> None:
    for seed in range(15):
        found = verify(generate(seed).kernel)
        assert [each for each in found if each.code != "ir-unreachable"] == [], seed
