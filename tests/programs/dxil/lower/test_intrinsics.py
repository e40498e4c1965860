"""Calls of LLVM's own functions."""

import re
import struct

import pytest

from unshade.errors import UnsupportedError

from .support import compute, load, lowered, run, store


def bits(number: float) -> int:
    return int(struct.unpack("<I", struct.pack("<f", number))[0])


NAN = 0x7FC0_0000
ONES, LEAST, MOST = 0xFFFF_FFFF, 0x8000_0000, 0x7FFF_FFFF
# The function, its operands as words, and the result.
INTEGERS: list[tuple[str, tuple[int, ...], int]] = [
    ("bswap.i32", (0x1122_3344,), 0x4433_2211),
    ("bitreverse.i32", (0x8000_0001 + 0x10,), 0x8800_0001),
    ("ctpop.i32", (0xF0F0_0001,), 9),
    ("umax.i32", (ONES, 1), ONES),
    ("smax.i32", (ONES, 1), 1),
    ("umin.i32", (ONES, 1), 1),
    ("smin.i32", (ONES, 1), ONES),
    ("fshl.i32", (0x1234_5678, 0x9ABC_DEF0, 8), 0x3456_789A),
    ("fshl.i32", (0x1234_5678, 0x9ABC_DEF0, 32), 0x1234_5678),
    ("fshr.i32", (0x1234_5678, 0x9ABC_DEF0, 8), 0x789A_BCDE),
    ("fshr.i32", (0x1234_5678, 0x9ABC_DEF0, 0), 0x9ABC_DEF0),
    ("uadd.sat.i32", (ONES, 2), ONES),
    ("uadd.sat.i32", (3, 2), 5),
    ("usub.sat.i32", (3, 5), 0),
    ("usub.sat.i32", (5, 3), 2),
    ("sadd.sat.i32", (MOST, 1), MOST),
    ("sadd.sat.i32", (LEAST, ONES), LEAST),
    ("ssub.sat.i32", (LEAST, 1), LEAST),
    ("ssub.sat.i32", (MOST, ONES), MOST),
    ("ssub.sat.i32", (3, 5), -2 & ONES),
    ("sshl.sat.i32", (3, 4), 48),
    ("sshl.sat.i32", (0x4000_0000, 1), MOST),
    ("sshl.sat.i32", (0xA000_0000, 1), LEAST),
    ("sshl.sat.i32", (0xC000_0000, 1), LEAST),
    ("ushl.sat.i32", (0x4000_0000, 1), LEAST),
    ("ushl.sat.i32", (0x4000_0000, 2), ONES),
    ("scmp.i32.i32", (ONES, 1), ONES),
    ("scmp.i32.i32", (5, 5), 0),
    ("ucmp.i32.i32", (ONES, 1), 1),
]
# With a last operand of i1.
HINTED = [
    ("ctlz.i32", 0x0000_8000, 16), ("ctlz.i32", 0, 32), ("cttz.i32", 0x0000_8000, 15),
    ("cttz.i32", 0, 32), ("abs.i32", -5 & ONES, 5), ("abs.i32", LEAST, LEAST),
]  # fmt: skip
FLOATS: list[tuple[str, tuple[int, ...], int]] = [
    ("fabs.f32", (bits(-1.5),), bits(1.5)),
    ("fabs.f32", (bits(-0.0),), 0),
    ("sqrt.f32", (bits(2.25),), bits(1.5)),
    ("floor.f32", (bits(-0.5),), bits(-1.0)),
    ("ceil.f32", (bits(-0.5),), bits(-0.0)),
    ("trunc.f32", (bits(-1.5),), bits(-1.0)),
    ("rint.f32", (bits(2.5),), bits(2.0)),
    ("nearbyint.f32", (bits(3.5),), bits(4.0)),
    ("roundeven.f32", (bits(-2.5),), bits(-2.0)),
    ("round.f32", (bits(2.5),), bits(3.0)),
    ("round.f32", (bits(-2.5),), bits(-3.0)),
    ("round.f32", (bits(0.49999997),), 0),
    ("round.f32", (bits(8388609.0),), bits(8388609.0)),
    ("copysign.f32", (bits(1.5), bits(-0.0)), bits(-1.5)),
    ("minnum.f32", (NAN, bits(2.0)), bits(2.0)),
    ("maxnum.f32", (bits(2.0), NAN), bits(2.0)),
    ("minimum.f32", (bits(1.0), bits(-2.0)), bits(-2.0)),
    ("minimum.f32", (0, bits(-0.0)), bits(-0.0)),
    ("minimum.f32", (bits(-0.0), 0), bits(-0.0)),
    ("minimum.f32", (bits(1.0), NAN), NAN),
    ("minimum.f32", (NAN, bits(1.0)), NAN),
    ("maximum.f32", (bits(1.0), bits(-2.0)), bits(1.0)),
    ("maximum.f32", (0, bits(-0.0)), 0),
    ("maximum.f32", (bits(-0.0), 0), 0),
    ("maximum.f32", (bits(-0.0), bits(-0.0)), bits(-0.0)),
    ("maximum.f32", (NAN, NAN), NAN),
    ("minimumnum.f32", (bits(-0.0), 0), bits(-0.0)),
    ("minimumnum.f32", (NAN, bits(3.0)), bits(3.0)),
    ("maximumnum.f32", (bits(3.0), NAN), bits(3.0)),
    ("maximumnum.f32", (NAN, NAN), NAN),
    ("exp.f32", (0,), bits(1.0)),
    ("exp10.f32", (0,), bits(1.0)),
    ("log.f32", (bits(1.0),), 0),
    ("log10.f32", (bits(1.0),), 0),
    ("tan.f32", (0,), 0),
    ("atan.f32", (0,), 0),
    ("exp2.f32", (bits(3.0),), bits(8.0)),
    ("log2.f32", (bits(8.0),), bits(3.0)),
    ("fma.f32", (bits(1 + 2.0**-12), bits(1 + 2.0**-12), bits(-1 - 2.0**-11)), bits(2.0**-24)),
    ("fmuladd.f32", (bits(1 + 2.0**-12), bits(1 + 2.0**-12), bits(-1 - 2.0**-11)), 0),
]
OVERFLOWS = [
    ("umul", 0x1_0001, 0xFFFF, ONES, 0), ("umul", 0x1_0000, 0x1_0000, 0, 1),
    ("uadd", ONES, 1, 0, 1), ("uadd", 1, 2, 3, 0), ("usub", 1, 2, ONES, 1), ("usub", 2, 1, 1, 0),
    ("sadd", MOST, 1, LEAST, 1), ("sadd", ONES, 1, 0, 0), ("ssub", LEAST, 1, MOST, 1),
    ("ssub", 1, 2, ONES, 0), ("smul", 0x1_0000, 0x8000, LEAST, 1),
    ("smul", 0x1_0000, -0x8000 & ONES, LEAST, 0), ("smul", ONES, ONES, 1, 0),
]  # fmt: skip


def body_of(rows: list[tuple[str, tuple[int, ...], int]], type: str) -> tuple[str, list[int]]:
    """Return the code that calls each function, and the words that it reads."""
    body, given = "", list[int]()
    for at, (name, operands, _) in enumerate(rows):
        names = [f"x{at}.{n}" for n in range(len(operands))]
        for each, word in zip(names, operands, strict=True):
            body += load(each, 4 * len(given), type)
            given.append(word)
        arguments = ", ".join(f"{type} %{each}" for each in names)
        body += f"\n  %y{at} = call {type} @llvm.{name}({arguments})"
        body += store(f"%y{at}", 4 * at, type)
    return body, given


@pytest.mark.parametrize(("rows", "type"), [(INTEGERS, "i32"), (FLOATS, "float")], ids=["i", "f"])
def test_numbers(rows: list[tuple[str, tuple[int, ...], int]], type: str) -> None:
    body, given = body_of(rows, type)
    found = run(compute(body), given, len(rows))
    for (name, operands, wanted), got in zip(rows, found, strict=True):
        assert hex(got) == hex(wanted), (name, operands)


def test_what_the_last_operand_hints_at() -> None:
    body, given = "", list[int]()
    for at, (name, operand, _) in enumerate(HINTED):
        given.append(operand)
        body += load(f"x{at}", 4 * at)
        body += f"\n  %y{at} = call i32 @llvm.{name}(i32 %x{at}, i1 false)" + store(
            f"%y{at}", 4 * at
        )
    found = run(compute(body), given, len(HINTED))
    assert [int(each) for each in found] == [wanted for *_, wanted in HINTED]


def test_results_with_overflow() -> None:
    body, given = "", list[int]()
    for at, (name, x, y, *_) in enumerate(OVERFLOWS):
        given += [x, y]
        body += load(f"x{at}", 8 * at) + load(f"y{at}", 8 * at + 4)
        body += (
            f"""
  %z{at} = call {{ i32, i1 }} @llvm.{name}.with.overflow.i32(i32 %x{at}, i32 %y{at})
  %v{at} = extractvalue {{ i32, i1 }} %z{at}, 0
  %o{at} = extractvalue {{ i32, i1 }} %z{at}, 1
  %w{at} = zext i1 %o{at} to i32"""
            + store(f"%v{at}", 8 * at)
            + store(f"%w{at}", 8 * at + 4)
        )
    found = run(compute(body), given, 2 * len(OVERFLOWS))
    assert [int(each) for each in found] == [
        word for _, _, _, value, over in OVERFLOWS for word in (value, over)
    ]


def test_other_widths() -> None:
    body = (
        load("x", 0)
        + """
  %h = trunc i32 %x to i16
  %r = call i16 @llvm.bswap.i16(i16 %h)
  %a = zext i16 %r to i32
  %w = zext i32 %x to i64
  %s = call i64 @llvm.bswap.i64(i64 %w)
  %t = lshr i64 %s, 32
  %b = trunc i64 %t to i32"""
        + store("%a", 0)
        + store("%b", 4)
    )
    assert list(run(compute(body), [0x1122_3344], 2)) == [0x4433, 0x4433_2211]


def test_functions_without_effect() -> None:
    body = (
        load("x", 0)
        + """
  %c = icmp ult i32 %x, 100
  call void @llvm.assume(i1 %c)
  call void @llvm.donothing()
  call void @llvm.debugtrap()
  %e = call i1 @llvm.expect.i1(i1 %c, i1 true)
  %y = zext i1 %e to i32"""
        + store("%y", 0)
    )
    assert run(compute(body), [5])[0] == 1
    assert run(compute(body), [500])[0] == 0


def test_lanes_end_at_a_trap() -> None:
    body = (
        load("x", 0)
        + """
  %c = icmp ult i32 %x, 100
  br i1 %c, label %on, label %off
off:
  call void @llvm.trap()
  unreachable
on:"""
        + store("%x", 0)
    )
    assert [run(compute(body), [each], 1)[0] for each in (5, 500)] == [5, 0]


def test_classes_of_floats() -> None:
    """Bit n of a mask is the class of number n of the list, from signalling NaN up."""
    words = [
        0x7F80_0001, NAN, 0xFF80_0000, bits(-1.0), 0x8000_0001, bits(-0.0), 0, 1, bits(1.0),
        0x7F80_0000,
    ]  # fmt: skip
    body, classes = "", len(words)
    for at in range(classes):
        body += load(f"w{at}", 4 * at) + f"\n  %x{at} = bitcast i32 %w{at} to float"
        for bit in range(classes):
            body += f"\n  %c{at}.{bit} = call i1 @llvm.is.fpclass.f32(float %x{at}, i32 {1 << bit})"
            body += f"\n  %b{at}.{bit} = select i1 %c{at}.{bit}, i32 {1 << bit}, i32 0"
            if bit:
                before = f"%b{at}.0" if bit == 1 else f"%o{at}.{bit - 1}"
                body += f"\n  %o{at}.{bit} = or i32 {before}, %b{at}.{bit}"
        body += store(f"%o{at}.{classes - 1}", 4 * at)
    found = run(compute(body), words, classes)
    assert [int(each) for each in found] == [1 << at for at in range(classes)]


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("add", 12), ("mul", 2 * 3 * 7 & ONES), ("and", 2 & 3 & 7), ("or", 7), ("xor", 6),
        ("smax", 7), ("umin", 2),
    ],
)  # fmt: skip
def test_reductions_of_vectors(name: str, wanted: int) -> None:
    body = "".join(load(f"x{at}", 4 * at) for at in range(3))
    vector = "undef"
    for at in range(3):
        body += f"\n  %v{at} = insertelement <3 x i32> {vector}, i32 %x{at}, i32 {at}"
        vector = f"%v{at}"
    body += f"\n  %y = call i32 @llvm.vector.reduce.{name}.v3i32(<3 x i32> %v2)" + store("%y", 0)
    assert run(compute(body), [2, 3, 7], 1)[0] == wanted


def test_reductions_begin_with_a_number() -> None:
    body = load("x", 0, "float") + load("y", 4, "float") + """
  %v0 = insertelement <2 x float> undef, float %x, i32 0
  %v1 = insertelement <2 x float> %v0, float %y, i32 1
  %s = call float @llvm.vector.reduce.fadd.v2f32(float 8.0, <2 x float> %v1)
  %m = call float @llvm.vector.reduce.fmaximum.v2f32(<2 x float> %v1)""" + store(
        "%s", 0, "float"
    ) + store("%m", 4, "float")  # fmt: skip
    found = run(compute(body), [bits(1.0), bits(2.0)], 2)
    assert [int(each) for each in found] == [bits(11.0), bits(2.0)]


def test_conversions_that_saturate() -> None:
    body = load("x", 0, "float") + """
  %s = call i32 @llvm.fptosi.sat.i32.f32(float %x)
  %u = call i32 @llvm.fptoui.sat.i32.f32(float %x)""" + store("%s", 0) + store("%u", 4)  # fmt: skip
    wanted = {-1.5: (ONES, 0), 3e9: (MOST, 3_000_000_000), 1e10: (MOST, ONES)}
    for given, words in wanted.items():
        assert tuple(int(each) for each in run(compute(body), [bits(given)], 2)) == words
    assert [int(each) for each in run(compute(body), [NAN], 2)] == [0, 0]


def test_copies_and_fills_of_memory() -> None:
    body = load("x", 0) + load("y", 4) + """
  %a = alloca [4 x i32]
  %b = alloca [4 x i32]
  %pa = bitcast [4 x i32]* %a to i8*
  %pb = bitcast [4 x i32]* %b to i8*
  call void @llvm.memset.p0i8.i32(i8* %pa, i8 7, i32 16, i32 4, i1 false)
  %a1 = getelementptr [4 x i32], [4 x i32]* %a, i32 0, i32 1
  store i32 %x, i32* %a1
  call void @llvm.memcpy.p0i8.p0i8.i32(i8* %pb, i8* %pa, i32 16, i32 4, i1 false)
  %b1 = getelementptr [4 x i32], [4 x i32]* %b, i32 0, i32 1
  %q = bitcast i32* %b1 to i8*
  call void @llvm.memmove.p0i8.p0i8.i32(i8* %q, i8* %pb, i32 12, i32 4, i1 false)
  %p = getelementptr [4 x i32], [4 x i32]* %b, i32 0, i32 %y
  %z = load i32, i32* %p""" + store("%z", 0)  # fmt: skip
    assert [run(compute(body), [99, at])[0] for at in range(4)] == [
        0x0707_0707, 0x0707_0707, 99, 0x0707_0707,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("%z = call float @llvm.powi.f32(float 1.0)", "a call of llvm.powi.f32 cannot be run yet"),
        (
            "%z = call float @llvm.atan2.f32(float 1.0, float 1.0)",
            "a call of llvm.atan2.f32 cannot be run yet",
        ),
        ("%z = call i32 @llvm.bswap.i32()", "llvm.bswap.i32: expected some arguments"),
    ],
)
def test_refused_by_name(call: str, message: str) -> None:
    with pytest.raises(UnsupportedError, match=rf"line \d+: {re.escape(message)}"):
        lowered(compute(f"\n  {call}"))
