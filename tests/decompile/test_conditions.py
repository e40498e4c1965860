"""Conditions that are computed as words."""

import unshade
from tests.examples import EXAMPLES
from unshade.decompile.conditions import DEEPEST, bools
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR, Value
from unshade.ir.ops import OPS


def word(b: Builder, condition: Value) -> Value:
    return b.select(condition, b.i32(-1), b.i32(0))


def test_a_word_that_is_read_often_is_one_condition() -> None:
    """Each word has the one before it as both operands: 2^15 paths, 15 values."""
    b = Builder(KernelIR())
    first, second = (word(b, b.ilt(b.i32(at), b.source("thread_id.x"))) for at in range(2))
    shared = b.xor(first, second)
    depth = DEEPEST - 2
    for _ in range(depth - 1):
        shared = b.xor(shared, shared)
    test = b.ine(shared, b.i32(0))
    count = sum(1 for _ in b.kernel.values())
    assert bools(b, test) is not None
    assert sum(1 for _ in b.kernel.values()) <= count + depth


def test_a_word_of_other_bits_is_no_condition() -> None:
    b = Builder(KernelIR())
    mask = word(b, b.ilt(b.i32(0), b.source("thread_id.x")))
    assert bools(b, b.ine(b.and_(mask, b.source("thread_id.x")), b.i32(0))) is None
    found = bools(b, b.ieq(b.not_(mask), b.i32(0)))
    assert found is not None
    assert found.op is OPS.not_


def test_a_bool_of_a_buffer_is_tested_as_such() -> None:
    shader = unshade.open(EXAMPLES / "lit.shbin")
    assert "    if (showNormals) {\n" in shader.decompile("hlsl")
    assert "    if (showNormals != 0u) {\n" in shader.decompile("glsl")  # GLSL's is a word there
