"""Vectors of Shader Model 6.9: elements by an index, loads and stores, and operations on them."""

import struct

import numpy as np
import pytest

from unshade.errors import UnsupportedError
from unshade.programs.dxil.code import Code

from .support import compute, load, lowered, run, store

TYPES = """
%v2 = type { <2 x i32>, i32 }
%v5 = type { <5 x i32>, i32 }
%d2 = type { <2 x double>, i32 }
%f4 = type { <4 x float>, i32 }
"""


def vectors(body: str, threads: int = 1) -> Code:
    return compute(body, model=9, before=TYPES, threads=threads)


def read(name: str, kind: str, type: str, byte: int | str = 0) -> str:
    """Return the text of a load of a vector."""
    short = f"v{kind[1:]}{'f32' if kind[0] == 'f' else 'i32'}"
    return f"""
  %{name}.r = call %{kind} @dx.op.rawBufferVectorLoad.{short}(i32 303, %dx.types.Handle %in, \
i32 {byte}, i32 undef, i32 4)
  %{name} = extractvalue %{kind} %{name}.r, 0"""


def write(value: str, short: str, type: str, byte: int | str = 0) -> str:
    """Return the text of a store of a vector."""
    return f"""
  call void @dx.op.rawBufferVectorStore.{short}(i32 304, %dx.types.Handle %out, i32 {byte}, \
i32 undef, {type} {value}, i32 4)"""


def floats(*numbers: float) -> list[int]:
    return [int(each) for each in np.array(numbers, "<f4").view("<u4")]


def test_loads_and_stores() -> None:
    body = (
        read("v", "v5", "<5 x i32>", 4)
        + "\n  %w = add <5 x i32> %v, <i32 1, i32 2, i32 3, \
i32 4, i32 5>"
        + write("%w", "v5i32", "<5 x i32>", 8)
    )
    found = run(vectors(body), [9, 10, 20, 30, 40, 50], 8)
    assert list(found) == [0, 0, 11, 22, 33, 44, 55, 0]


def test_components_out_of_bounds_are_0() -> None:
    body = read("v", "v5", "<5 x i32>", 4) + write("%v", "v5i32", "<5 x i32>", 4)
    assert list(run(vectors(body), [1, 2, 3], 4)) == [0, 2, 3, 0]


def test_an_element_by_an_index() -> None:
    body = (
        read("v", "v5", "<5 x i32>")
        + """
  %e = extractelement <5 x i32> %v, i32 %lane
  %w = insertelement <5 x i32> %v, i32 100, i32 %lane
  %next = add i32 %lane, 1
  %f = extractelement <5 x i32> %w, i32 %lane
  %g = extractelement <5 x i32> %w, i32 %next
  %at3 = mul i32 %lane, 12
  %at4 = add i32 %at3, 4
  %at5 = add i32 %at3, 8"""
        + store("%e", "%at3")
        + store("%f", "%at4")
        + store("%g", "%at5")
    )
    found = run(vectors(body, threads=6), [1, 2, 3, 4, 5], 18)
    assert found.reshape(6, 3).tolist() == [
        [1, 100, 2], [2, 100, 3], [3, 100, 4], [4, 100, 5], [5, 100, 0], [0, 0, 0],
    ]  # fmt: skip


def test_arithmetic_and_comparisons() -> None:
    body = (
        read("x", "f4", "<4 x float>")
        + read("y", "f4", "<4 x float>", 16)
        + """
  %s = fadd fast <4 x float> %x, %y
  %n = call <4 x float> @dx.op.binary.v4f32(i32 36, <4 x float> %x, <4 x float> %y)
  %a = call <4 x float> @dx.op.unary.v4f32(i32 6, <4 x float> %n)
  %c = fcmp fast olt <4 x float> %x, %y
  %z = select <4 x i1> %c, <4 x float> %s, <4 x float> %a
  %d = call float @dx.op.dot.v4f32(i32 311, <4 x float> %x, <4 x float> %y)
  %all = call i1 @dx.op.vectorReduce.v4i1(i32 309, <4 x i1> %c)
  %any = call i1 @dx.op.vectorReduce.v4i1(i32 310, <4 x i1> %c)
  %all1 = zext i1 %all to i32
  %any1 = zext i1 %any to i32"""
        + write("%z", "v4f32", "<4 x float>")
    )
    body += store("%d", 16, "float") + store("%all1", 20) + store("%any1", 24)
    x, y = np.array([1, -2, 3, 4.5], "<f4"), np.array([2, -3, 3, 8], "<f4")
    found = run(vectors(body), floats(*x, *y), 7)
    expected = np.where(x < y, x + y, np.abs(np.minimum(x, y)))
    assert found[:4].view("<f4").tolist() == expected.tolist()
    assert found[4:5].view("<f4")[0] == x @ y
    assert list(found[5:]) == [0, 1]


def test_bits_of_other_sizes() -> None:
    body = (
        read("v", "v2", "<2 x i32>")
        + """
  %h = bitcast <2 x i32> %v to <4 x i16>
  %h1 = extractelement <4 x i16> %h, i32 1
  %h1w = zext i16 %h1 to i32
  %l = bitcast <2 x i32> %v to i64
  %l1 = lshr i64 %l, 32
  %l1w = trunc i64 %l1 to i32
  %f = bitcast <4 x i16> %h to <2 x float>
  %f1 = extractelement <2 x float> %f, i32 1"""
        + store("%h1w", 0)
        + store("%l1w", 4)
    )
    body += store("%f1", 8, "float")
    given = [0x1234_5678, 0x3F80_0000]
    assert list(run(vectors(body), given, 3)) == [0x1234, 0x3F80_0000, 0x3F80_0000]


@pytest.mark.slow
def test_bits_go_from_each_size_to_each_other() -> None:
    """The first element has the lowest bits; a scalar is a vector of one."""
    forms = {
        "<2 x i32>": ("%v", "i32", 2), "<4 x i16>": ("%h", "i16", 4), "i64": ("%l", "i64", 1),
        "double": ("%d", "double", 1), "<2 x float>": ("%f", "float", 2),
    }  # fmt: skip
    body = read("v", "v2", "<2 x i32>")
    for type_, (name, _, _) in list(forms.items())[1:]:
        body += f"\n  {name} = bitcast <2 x i32> %v to {type_}"
    at = 0
    for one, (name, _, _) in forms.items():
        for other in forms:
            if other == one:
                continue
            at += 8
            body += f"\n  %x{at} = bitcast {one} {name} to {other}"
            if other == "<2 x i32>":
                body += f"\n  %y{at} = add <2 x i32> %x{at}, zeroinitializer"
            else:
                body += f"\n  %y{at} = bitcast {other} %x{at} to <2 x i32>"
            body += write(f"%y{at}", "v2i32", "<2 x i32>", at - 8)
    given = [0x4048_5678, 0x3F80_1234]
    assert run(vectors(body), given, at // 4).tolist() == given * (at // 8)


def test_waves() -> None:
    """Each element is reduced on its own; lanes match if all elements are equal."""
    body = """
  %half = lshr i32 %lane, 1
  %v0 = insertelement <2 x i32> undef, i32 %lane, i32 0
  %v = insertelement <2 x i32> %v0, i32 %half, i32 1
  %s = call <2 x i32> @dx.op.waveActiveOp.v2i32(i32 119, <2 x i32> %v, i8 0, i8 1)
  %p = call <2 x i32> @dx.op.wavePrefixOp.v2i32(i32 121, <2 x i32> %v, i8 0, i8 1)
  %r = call <2 x i32> @dx.op.waveReadLaneAt.v2i32(i32 117, <2 x i32> %v, i32 2)
  %q0 = insertelement <2 x i32> undef, i32 7, i32 0
  %q = insertelement <2 x i32> %q0, i32 %half, i32 1
  %m = call %dx.types.fouri32 @dx.op.waveMatch.v2i32(i32 165, <2 x i32> %q)
  %m0 = extractvalue %dx.types.fouri32 %m, 0
  %e = call <2 x i1> @dx.op.waveActiveAllEqual.v2i32(i32 115, <2 x i32> %q)
  %e0 = zext <2 x i1> %e to <2 x i32>
  %at0 = mul i32 %lane, 36
  %at1 = add i32 %at0, 8
  %at2 = add i32 %at0, 16
  %at3 = add i32 %at0, 24
  %at4 = add i32 %at0, 32""" + write("%s", "v2i32", "<2 x i32>", "%at0")
    body += write("%p", "v2i32", "<2 x i32>", "%at1") + write("%r", "v2i32", "<2 x i32>", "%at2")
    body += write("%e0", "v2i32", "<2 x i32>", "%at3") + store("%m0", "%at4")
    found = run(vectors(body, threads=4), [0], 36).reshape(4, 9)
    for lane in range(4):
        before = range(lane)
        assert found[lane].tolist() == [
            6, 2, sum(before), sum(each >> 1 for each in before), 2, 1, 1, 0,
            0b11 << (lane & 2),
        ]  # fmt: skip


def test_remainders_of_vectors() -> None:
    body = (
        read("x", "f4", "<4 x float>")
        + read("y", "f4", "<4 x float>", 16)
        + """
  %z = frem <4 x float> %x, %y"""
        + write("%z", "v4f32", "<4 x float>")
    )
    x, y = np.array([3e38, -7.5, 1, 1e10], "<f4"), np.array([0.75, 2, np.inf, 3], "<f4")
    found = run(vectors(body), floats(*x, *y))
    assert found.view("<f4").tolist() == np.fmod(x, y).tolist()


def test_vectors_of_64_bits() -> None:
    body = """
  %v.r = call %d2 @dx.op.rawBufferVectorLoad.v2f64(i32 303, %dx.types.Handle %in, i32 8, \
i32 undef, i32 8)
  %v = extractvalue %d2 %v.r, 0
  %w = fmul <2 x double> %v, <double 2.0, double -4.0>
  call void @dx.op.rawBufferVectorStore.v2f64(i32 304, %dx.types.Handle %out, i32 0, i32 undef, \
<2 x double> %w, i32 8)"""
    given = np.array([0, 1.5, 0.3], "<f8").view("<u4")
    found = run(vectors(body), [int(each) for each in given], 4)
    assert found.view("<f8").tolist() == [3.0, 0.3 * -4]


def test_bools_of_other_sizes_are_refused() -> None:
    body = (
        load("x", 0)
        + """
  %c = icmp ult i32 %x, 5
  %v = insertelement <8 x i1> undef, i1 %c, i32 0
  %b = bitcast <8 x i1> %v to i8"""
    )
    with pytest.raises(UnsupportedError, match="a bitcast of bools"):
        lowered(vectors(body))


def test_work_on_vectors_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unshade.programs.dxil.lower.MOST_ELEMENTS", 14)
    body = "".join(
        f"\n  %v{at} = insertelement <5 x i32> undef, i32 %lane, i32 {at}" for at in range(3)
    )
    with pytest.raises(UnsupportedError, match=r"line \d+: more than 14 elements of vectors"):
        lowered(vectors(body))


def test_registers_by_number() -> None:
    """Bits are kept: a float may be read as an integer; a half takes the low bits."""
    body = (
        load("x", 0, "float")
        + """
  call void @dx.op.tempRegStore.f32(i32 1, i32 5, float %x)
  %y = call i32 @dx.op.tempRegLoad.i32(i32 0, i32 5)
  %n = call i32 @dx.op.tempRegLoad.i32(i32 0, i32 6)
  %h = fptrunc float %x to half
  call void @dx.op.tempRegStore.f16(i32 1, i32 7, half %h)
  %i = call i16 @dx.op.tempRegLoad.i16(i32 0, i32 7)
  %z = zext i16 %i to i32"""
        + store("%y", 0)
        + store("%n", 4)
        + store("%z", 8)
    )
    half = struct.unpack("<H", struct.pack("<e", 1.5))[0]
    assert list(run(compute(body), floats(1.5), 3)) == [0x3FC0_0000, 0, half]


def test_a_register_has_32_bits_of_which_smaller_types_are_the_lowest() -> None:
    body = (
        load("x")
        + """
  call void @dx.op.tempRegStore.i32(i32 1, i32 2, i32 %x)
  %i = call i16 @dx.op.tempRegLoad.i16(i32 0, i32 2)
  %z = zext i16 %i to i32
  %s = sext i16 %i to i32
  %h = call half @dx.op.tempRegLoad.f16(i32 0, i32 2)
  %f = fpext half %h to float"""
        + store("%z", 0)
        + store("%s", 4)
        + store("%f", 8, "float")
    )
    assert list(run(compute(body), [0x1234_C100], 3)) == [0xC100, 0xFFFF_C100, *floats(-2.5)]


def test_registers_by_a_number_that_is_computed() -> None:
    body = (
        load("x", 0)
        + load("n", 4)
        + """
  call void @dx.op.tempRegStore.i32(i32 1, i32 8, i32 7)
  call void @dx.op.tempRegStore.i32(i32 1, i32 %n, i32 %x)
  %m = add i32 %n, 1
  %f = bitcast i32 %x to float
  call void @dx.op.tempRegStore.f32(i32 1, i32 %m, float %f)
  %y = call i32 @dx.op.tempRegLoad.i32(i32 0, i32 8)
  %z = call i32 @dx.op.tempRegLoad.i32(i32 0, i32 %m)
  %o = add i32 %n, 2
  %w = call i32 @dx.op.tempRegLoad.i32(i32 0, i32 %o)"""
        + store("%y", 0)
        + store("%z", 4)
        + store("%w", 8)
    )
    assert list(run(compute(body), [99, 8], 3)) == [99, 99, 0]
    assert list(run(compute(body), [99, 16380], 3)) == [7, 99, 0]
    shader = lowered(compute(body))
    assert [each.name for each in shader.kernel.memories if each.count == 16384] == ["temp"]


def test_registers_in_a_loop() -> None:
    body = (
        load("x", 0)
        + """
  br label %head
head:
  %n = phi i32 [ 0, %0 ], [ %m, %head ]
  %old = call i32 @dx.op.tempRegLoad.i32(i32 0, i32 1)
  %new = add i32 %old, %n
  call void @dx.op.tempRegStore.i32(i32 1, i32 1, i32 %new)
  %m = add i32 %n, 1
  %more = icmp ult i32 %m, %x
  br i1 %more, label %head, label %done
done:
  %y = call i32 @dx.op.tempRegLoad.i32(i32 0, i32 1)"""
        + store("%y", 0)
    )
    assert run(compute(body), [10])[0] == sum(range(10))
