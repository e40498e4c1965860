"""An engine with loose NaNs returns the same results after `canonicalise`."""

import pytest

from tests.ir.generate import Program, generate
from tests.oracle import interpret as interpreter
from tests.oracle.interpret import FLOATS, combine, interpret
from tests.oracle.parsing import parse_kernel
from tests.oracle.verify import verify
from unshade.ir.fold import fold, from_float, to_float
from unshade.ir.library.maths import expand
from unshade.ir.ops import OPS, Op
from unshade.ir.simplify import simplify
from unshade.ir.transforms import flush
from unshade.ir.transforms.canonicalise import canonicalise
from unshade.ir.types import F32, FLUSH_32, Type, Widths

SLOPPY = {16: 0xFE01, 32: 0xFFC0_0001, 64: 0xFFF8_0000_0000_0001}  # a NaN, as x86 might give it


def sloppy(
    op: Op, type: Type, args: tuple[tuple[int, Type], ...], widths: Widths = FLUSH_32
) -> int | None:
    """Fold like an engine: with any NaN, and subnormals passed through."""
    found = fold(op, type, args, widths)
    if found is None or not op.arithmetic:
        return found
    if op is OPS.fcanonicalise:
        bits = args[0][0]
        return from_float(to_float(bits, type), type)
    if type.kind == "f" and to_float(found, type) != to_float(found, type):
        return SLOPPY[type.bits]
    if op in (OPS.fmin, OPS.fmax) and type == F32 and not found & 0x7FFF_FFFF:
        for bits, _ in args:  # the operand that was taken for zero
            if fold(OPS.fcanonicalise, type, ((bits, type),), widths) == found:
                return bits
    return found


def atomic(op: Op, type: Type, old: int, given: list[int], widths: Widths) -> int:
    """Return the result of an atomic, whose operands engines canonicalise."""
    if op not in FLOATS:
        return combine(op, type, old, given, widths)
    found = fold(FLOATS[op], type, ((old, type), (given[0], type)), widths)
    assert found is not None
    return found


def results(program: Program) -> tuple[object, ...]:
    memories = program.memories()
    found = interpret(
        program.kernel,
        memories,
        groups=program.groups,
        items=program.items,
        inputs=program.inputs,
        helpers=program.helpers,
    )
    return memories, found.outputs


@pytest.mark.slow
@pytest.mark.parametrize("library", [False, True])
@pytest.mark.parametrize("simplified", [False, True])
def test_engines_with_loose_nans_agree(
    monkeypatch: pytest.MonkeyPatch, simplified: bool, library: bool
) -> None:
    differ = 0
    for seed in range(30):
        program = generate(seed, library=library)
        expand(program.kernel)
        expected = results(program)
        if simplified:
            simplify(program.kernel)
        with monkeypatch.context() as patch:
            patch.setattr(interpreter, "fold", sloppy)
            patch.setattr(interpreter, "combine", atomic)
            differ += results(program) != expected
            flush.expand(program.kernel)
            canonicalise(program.kernel)
            assert results(program) == expected, seed
        assert [each for each in verify(program.kernel) if each.code != "ir-unreachable"] == []
        assert results(program) == expected, seed
    assert differ > 0  # without it they do not


def test_only_observed_bits_are_canonicalised() -> None:
    text = """
memory %u buffer 4 writable
%0 = load:f32 %u[i32 0, i32 0]
%1 = fadd %0, f32 1.0
%2 = fmul %1, %1
%3 = flt %2, f32 4.0
if %3 {
  store %u[i32 0, i32 0], %0
  store %u[i32 1, i32 0], %2
}
"""
    kernel = parse_kernel(text)
    canonicalise(kernel)
    assert sum(value.op is OPS.fcanonicalise for value in kernel.values()) == 1


def test_quad_swaps_are_canonicalised() -> None:
    text = """
memory %u buffer 4 writable
%0 = load:f32 %u[i32 0, i32 0]
%1 = fadd %0, f32 1.0
%2 = quad_swap 1, %1
%3 = source item
%4 = ult %3, i32 2
if %4 {
  %5 = asint %2
  store %u[%3, i32 0], %5
}
"""
    kernel = parse_kernel(text)
    canonicalise(kernel)
    names = [value.op.name for value in kernel.values()]
    assert names.count("quad_swap") == 1
    assert names.index("fcanonicalise") < names.index("quad_swap")
