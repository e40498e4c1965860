"""Pure operations: LLVM's instructions and functions dx.op."""

import struct

import pytest

from .support import compute, load, run, store


def bits(number: float) -> int:
    return int(struct.unpack("<I", struct.pack("<f", number))[0])


NAN, INFINITY, TINY = 0x7FC0_0000, 0x7F80_0000, 1
F = "float"

# The text of an operation on %x and %y, its operands, and its result.
INTEGERS: list[tuple[str, tuple[int, ...], int]] = [
    ("udiv i32 %x, %y", (7, 0), 0xFFFF_FFFF),
    ("urem i32 %x, %y", (7, 0), 0xFFFF_FFFF),
    ("sdiv i32 %x, %y", (-7 & 0xFFFF_FFFF, 2), -3 & 0xFFFF_FFFF),
    ("srem i32 %x, %y", (-7 & 0xFFFF_FFFF, 2), -1 & 0xFFFF_FFFF),
    ("shl i32 %x, %y", (1, 33), 2),
    ("ashr i32 %x, %y", (0x8000_0000, 31), 0xFFFF_FFFF),
    ("call i32 @dx.op.unaryBits.i32(i32 33, i32 %x)", (1, 0), 31),
    ("call i32 @dx.op.unaryBits.i32(i32 32, i32 %x)", (0, 0), 0xFFFF_FFFF),
    ("call i32 @dx.op.unaryBits.i32(i32 34, i32 %x)", (0xFFFF_0000, 0), 16),
    ("call i32 @dx.op.binary.i32(i32 37, i32 %x, i32 %y)", (0xFFFF_FFFF, 1), 1),
    ("call i32 @dx.op.binary.i32(i32 39, i32 %x, i32 %y)", (0xFFFF_FFFF, 1), 0xFFFF_FFFF),
    ("call i32 @dx.op.tertiary.i32(i32 51, i32 4, i32 4, i32 %x)", (0x80, 0), 0xFFFF_FFF8),
    ("call i32 @dx.op.tertiary.i32(i32 52, i32 4, i32 4, i32 %x)", (0x80, 0), 8),
    ("call i32 @dx.op.quaternary.i32(i32 53, i32 4, i32 8, i32 %x, i32 %y)", (0xF, 0), 0xF00),
    ("call i32 @dx.op.dot4AddPacked.i32(i32 163, i32 %y, i32 %x, i32 %x)", (0xFF02, 1), 6),
    ("call i32 @dx.op.dot4AddPacked.i32(i32 164, i32 %y, i32 %x, i32 %x)", (0xFF02, 1), 65030),
]
FLOATS: list[tuple[str, tuple[int, ...], int]] = [
    ("fadd float %x, %y", (bits(1.5), bits(2.0)), bits(3.5)),
    ("fadd float %x, %y", (TINY, TINY), 0),
    ("frem float %x, %y", (bits(7.5), bits(2.0)), bits(1.5)),
    ("frem float %x, %y", (bits(-3e38), bits(0.75)), bits(-0.5)),
    ("frem fast float %x, %y", (bits(-1.0), INFINITY), bits(-1.0)),
    ("call float @dx.op.unary.f32(i32 7, float %x)", (NAN, 0), 0),
    ("call float @dx.op.unary.f32(i32 7, float %x)", (bits(3.0), 0), bits(1.0)),
    ("call float @dx.op.unary.f32(i32 22, float %x)", (bits(-0.25), 0), bits(0.75)),
    ("call float @dx.op.unary.f32(i32 26, float %x)", (bits(2.5), 0), bits(2.0)),
    ("call float @dx.op.binary.f32(i32 36, float %x, float %y)", (NAN, bits(2.0)), bits(2.0)),
    ("call float @dx.op.binary.f32(i32 35, float %x, float %y)", (bits(2.0), NAN), bits(2.0)),
    (
        "call float @dx.op.dot2.f32(i32 54, float %x, float %y, float %x, float %y)",
        (bits(3.0), bits(4.0)),
        bits(25.0),
    ),
]
# Comparisons by LLVM's predicates, with and without NaN.
COMPARISONS = [
    ("oeq", 1.0, 1.0, 1), ("one", 1.0, None, 0), ("une", 1.0, None, 1), ("ord", 1.0, None, 0),
    ("uno", 1.0, None, 1), ("ueq", 1.0, None, 1), ("ueq", 1.0, 2.0, 0), ("ult", 1.0, None, 1),
    ("olt", 1.0, None, 0), ("ugt", 2.0, 1.0, 1), ("oge", 2.0, 2.0, 1), ("ule", 3.0, 2.0, 0),
]  # fmt: skip
CONVERSIONS = [
    ("fptosi", bits(-1.9), -1 & 0xFFFF_FFFF), ("fptosi", NAN, 0), ("fptosi", INFINITY, 0x7FFF_FFFF),
    ("fptoui", bits(-3.0), 0), ("fptoui", bits(3e10), 0xFFFF_FFFF),
]  # fmt: skip


@pytest.mark.parametrize(("text", "given", "expected"), INTEGERS)
def test_integers(text: str, given: tuple[int, ...], expected: int) -> None:
    body = load("x", 0) + load("y", 4) + f"\n  %z = {text}" + store("%z", 0)
    assert run(compute(body), given)[0] == expected


@pytest.mark.parametrize(("text", "given", "expected"), FLOATS)
def test_floats(text: str, given: tuple[int, ...], expected: int) -> None:
    body = load("x", 0, F) + load("y", 4, F) + f"\n  %z = {text}" + store("%z", 0, F)
    assert run(compute(body), given)[0] == expected


def test_comparisons() -> None:
    body, words = "", []
    for at, (name, one, other, _) in enumerate(COMPARISONS):
        words += [bits(one), NAN if other is None else bits(other)]
        body += load(f"x{at}", 8 * at, F) + load(f"y{at}", 8 * at + 4, F)
        body += f"\n  %c{at} = fcmp {name} float %x{at}, %y{at}"
        body += f"\n  %z{at} = zext i1 %c{at} to i32" + store(f"%z{at}", 4 * at)
    found = run(compute(body), words, size=len(COMPARISONS))
    assert [*found] == [expected for *_, expected in COMPARISONS]


def test_conversions_clamp() -> None:
    body = ""
    for at, (name, _, _) in enumerate(CONVERSIONS):
        body += load(f"x{at}", 4 * at, F)
        body += f"\n  %z{at} = {name} float %x{at} to i32" + store(f"%z{at}", 4 * at)
    found = run(compute(body), [given for _, given, _ in CONVERSIONS], size=len(CONVERSIONS))
    assert [*found] == [expected for *_, expected in CONVERSIONS]


def test_numbers_of_other_widths() -> None:
    body = (
        load("x", 0)
        + """
  %h = trunc i32 %x to i16
  %f = bitcast i16 %h to half
  %g = fadd half %f, 0xH3C00
  %w = fpext half %g to float"""
        + store("%w", 0, F)
        + """
  %l = zext i32 %x to i64
  %m = mul i64 %l, 65536
  %n = lshr i64 %m, 32
  %o = trunc i64 %n to i32"""
        + store("%o", 4)
        + """
  %d = fpext float %w to double
  %p = call %dx.types.splitdouble @dx.op.splitDouble.f64(i32 102, double %d)
  %q = extractvalue %dx.types.splitdouble %p, 1"""
        + store("%q", 8)
    )
    found = run(compute(body), [0x12_3C00])
    assert [*found[:3]] == [bits(2.0), 0x12, 0x4000_0000]


def test_parts_of_results() -> None:
    body = (
        load("x", 0)
        + load("y", 4)
        + """
  %p = call %dx.types.twoi32 @dx.op.binaryWithTwoOuts.i32(i32 42, i32 %x, i32 %y)
  %h = extractvalue %dx.types.twoi32 %p, 0
  %c = call %dx.types.i32c @dx.op.binaryWithCarryOrBorrow.i32(i32 44, i32 %x, i32 %x)
  %b = extractvalue %dx.types.i32c %c, 1
  %z = zext i1 %b to i32"""
        + store("%h", 0)
        + store("%z", 4)
    )
    assert [*run(compute(body), [0x8000_0000, 6])[:2]] == [3, 1]


def test_subnormal_numbers_are_kept_on_request() -> None:
    body = load("x", 0, F) + "\n  %z = fadd float %x, %x" + store("%z", 0, F)
    code = compute(body)
    assert run(code, [TINY])[0] == 0
    kept = compute(body, attributes='"fp32-denorm-mode"="preserve"')
    assert run(kept, [TINY])[0] == 2


def test_minimum_precision_takes_32_bits_in_buffers() -> None:
    """Without native 16-bit types, min16int and min16float are stored as 32 bits."""
    body = """
  %r = call %dx.types.ResRet.i16 @dx.op.rawBufferLoad.i16(i32 139, %dx.types.Handle %in, i32 4,\
 i32 undef, i8 1, i32 4)
  %x = extractvalue %dx.types.ResRet.i16 %r, 0
  %z = sext i16 %x to i32""" + store("%z", 0)
    types = "%dx.types.ResRet.i16 = type { i16, i16, i16, i16, i32 }\n"
    words = [0x0002_0001, 0xFFFF_FFFE]
    assert run(compute(body, before=types), words)[0] == 0xFFFF_FFFE
    native = compute(body, before=types, more=", i32 0, i64 8388608")
    assert run(native, words)[0] == 0xFFFF_FFFE
    assert (
        run(
            compute(body.replace("i32 4,", "i32 2,", 1), before=types, more=", i32 0, i64 8388608"),
            words,
        )[0]
        == 2
    )
