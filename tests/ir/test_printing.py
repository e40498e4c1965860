"""Kernels as text, and back."""

import pytest

from tests.ir.generate import generate
from tests.oracle.parsing import parse_kernel
from tests.oracle.verify import verify
from unshade.ir.builder import Builder, constant
from unshade.ir.kernel import KernelIR
from unshade.ir.memory import Bounds, Memory, Port, Space, Var
from unshade.ir.printing import number, print_kernel, word
from unshade.ir.textures import Action, Level, Sample, Shape
from unshade.ir.types import BOOL, F16, F32, F64, I16, I32, I64, KEEP, Type
from unshade.vocab.words import Interpolation, Stage, SystemValue

pytestmark = pytest.mark.heavy

SCALE = """\
kernel scale compute group 64 1 1 flush 32
memory %t0 buffer 4
memory %u0 buffer 4 writable

%0 = source thread_id.x !3
%1 = count %u0
%2 = ult %0, %1
if %2 { !4
  %3 = load:f32 %t0[%0, i32 0]
  %4 = fmul %3, f32 2.0
  store %u0[%0, i32 0], %4
}
"""


def scale() -> KernelIR:
    b = Builder(KernelIR("scale", group=(64, 1, 1)))
    x, y = b.memory("t0", Space.BUFFER, 4), b.memory("u0", Space.BUFFER, 4, writable=True)
    b.line = 3
    i = b.source("thread_id.x")
    b.line = 0
    inside = b.ult(i, b.count(y))
    b.line = 4
    with b.when(inside):
        b.line = 0
        b.store(y, i, 0, b.fmul(b.load(x, i, 0, F32), 2.0))
    return b.kernel


def test_a_kernel_as_text() -> None:
    assert print_kernel(scale()) == SCALE
    assert print_kernel(parse_kernel(SCALE)) == SCALE


@pytest.mark.parametrize("first", range(0, 150, 5))
def test_printed_text_is_parsed_back(first: int) -> None:
    for seed in range(first, first + 5):
        text = print_kernel(generate(seed).kernel)
        read = parse_kernel(text)
        assert print_kernel(read) == text
        assert [each for each in verify(read) if each.code != "ir-unreachable"] == []


def test_declarations_are_parsed_back() -> None:
    kernel = KernelIR("a kernel", Stage.PIXEL, flush=KEEP)
    b = Builder(kernel)
    b.memory("icb", Space.TABLE, 16, 1, data=bytes(range(16)))
    b.memory("x 0", Space.LOCAL, 16, 4, bounds=Bounds.CLAMP)
    port = Port("v0.x", F32, SystemValue.POSITION, Interpolation.LINEAR_CENTROID)
    kernel.inputs.append(port)
    kernel.outputs.append(Port('o"0', I32))
    texture = b.texture("t0", Shape.D2, F32, layered=True, samples=4)
    sampler = b.sampler("s0")
    b.memory("u0", Space.BUFFER, 4, writable=True, internal=True).raw = True
    b.var("probe", F32, internal=True)
    var = b.var("r0.x", F16)
    b.set(var, constant(0x3C00, F16))
    b.message(b.input(port), attr="100 % \\ // of\n")
    sample = Sample(
        Action.SAMPLE, texture, sampler, Level.BIAS, offset=(1, -2, 0), compare=True, component=2
    )
    texel = b.sample(*(b.input(port) for _ in range(5)), attr=sample)
    b.part(texel, attr=3, type=F32)
    switch = b.switch(constant(1, I16))
    with b.case(switch, 1, 0xFFFF), b.loop():
        b.break_()
    with b.case(switch, default=True):
        b.discard(constant(1, BOOL))
    with b.when(constant(0, BOOL)) as chosen, b.within(chosen.otherwise):
        b.return_()
    with b.block() as outer, b.loop(), b.block():
        b.exit(outer)
    text = print_kernel(kernel)
    assert print_kernel(parse_kernel(text)) == text
    assert 'memory %"x 0" local 16 count 4 writable clamp' in text
    assert "in %v0.x f32 meaning position interpolation linear_centroid" in text
    assert "memory %u0 buffer 4 writable raw internal" in text
    assert "var @probe f32 internal" in text
    assert "sample sample %t0 %s0 bias offset 1 -2 0 component 2 compare, %1" in text
    assert "case 1 -1 {" in text
    assert "block $0 {\n  loop {\n    block $1 {\n      exit $0\n" in text


@pytest.mark.parametrize(
    ("bits", "type", "text"),
    [
        (0x3FC0_0000, F32, "1.5"),
        (0x3DCC_CCCD, F32, "0.1"),
        (0x8000_0000, F32, "-0.0"),
        (0x7F80_0000, F32, "inf"),
        (0x7FC0_0000, F32, "nan"),
        (0xFFC0_0000, F32, "0xffc00000"),
        (1, F32, "1e-45"),
        (0x3C01, F16, "1.001"),
        (0x3FB9_9999_9999_999A, F64, "0.1"),
        (0xFFFF_FFFF, I32, "-1"),
        (0x8000_0000, I32, "0x80000000"),
        (5, I64, "5"),
        (1, BOOL, "true"),
    ],
)
def test_numbers_are_the_shortest_that_round_trip(bits: int, type: Type, text: str) -> None:
    assert number(bits, type) == text
    kernel = parse_kernel(f"var @a {type.name}\nset @a, {type.name} {text}")
    value = kernel.body[0]
    assert value.args[0].attr == bits  # type: ignore[union-attr]


def test_plain_names_are_not_quoted() -> None:
    assert word("r0.x") == "r0.x"
    assert word("cb0[1]") == '"cb0[1]"'


def test_invalid_kernels_can_be_printed() -> None:
    b = Builder(KernelIR())
    elsewhere = Builder(KernelIR()).source("item")
    b.iadd(elsewhere, 1)
    b.set(Var("q", I32), elsewhere)
    b.load(Memory("m", Space.BUFFER, 4), 0)
    assert "%0 = iadd %?, i32 1" in print_kernel(b.kernel)
