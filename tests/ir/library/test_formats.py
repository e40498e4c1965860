"""Texels rounded to their formats: each format, each component, inside and outside its range."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest

from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR
from unshade.ir.library.formats import stored
from unshade.ir.library.states import TexelFormat
from unshade.ir.memory import Space
from unshade.ir.transforms import flush
from unshade.ir.transforms.canonicalise import canonicalise
from unshade.ir.types import F32, I32
from unshade.vm.launch import Launch, by_label
from unshade.vm.lockstep import Lockstep

NUMBERS = (
    0.0, 0.25, 0.5, 1.0, 1.5, 0.5 / 255, 1.5 / 255, 2.5 / 255, 0.5 / 127, 1.5 / 32767, 0.5 / 1023,
    0.3, 0.7, 100.3, 65500.0, 65520.0, 64511.0, 1e30, 1e-5, 2.0**-20, math.inf,
)  # fmt: skip
FLOATS = (*NUMBERS, *(-each for each in NUMBERS), math.nan)
INTEGERS = (0, 1, 3, 4, 127, 128, 255, 256, 1023, 1024, 32767, 32768, 65535, 65536, 1 << 31,
            -1, -128, -129, -32768, -32769)  # fmt: skip


def made(format: TexelFormat, component: int, words: list[int], *, whole: bool) -> list[int]:
    """Return words as they are after a store into the format."""
    b = Builder(KernelIR("main", group=(1, 1, 1)))
    given = b.memory("given", Space.BUFFER, 4)
    out = b.memory("out", Space.BUFFER, 4, writable=True)
    lane = b.source("thread_id.x")
    value = b.load(given, lane, 0, type=I32 if whole else F32)
    b.store(out, lane, 0, stored(b, value, format, component))
    held = {"given": np.array(words, "<u4").view("u1"), "out": np.zeros(4 * len(words), "u1")}
    kernel = b.kernel
    flush.expand(kernel)
    canonicalise(kernel)
    Lockstep().run(kernel, Launch(by_label(kernel.memories, held), (len(words), 1, 1)))
    return [int(each) for each in held["out"].view("<u4")]


def bits_of(number: float) -> int:
    with np.errstate(all="ignore"):
        return int(np.float32(number).view("<u4"))


def bits_in(format: TexelFormat, component: int) -> int:
    if format in (TexelFormat.UNORM10, TexelFormat.UINT10):
        return (10, 10, 10, 2)[component]
    return 8 if format.endswith("8") else 16


@pytest.mark.fast
def test_integers_are_clamped_to_the_range() -> None:
    words = [each & 0xFFFF_FFFF for each in INTEGERS]
    for format in (TexelFormat.UINT8, TexelFormat.UINT16, TexelFormat.UINT10,
                   TexelFormat.SINT8, TexelFormat.SINT16):  # fmt: skip
        for component in (0, 2, 3):
            bits = bits_in(format, component)
            if format.startswith("uint"):
                wanted = [min(each, 2**bits - 1) for each in words]
            else:
                half = 2 ** (bits - 1)
                signed = [each - (each >> 31 << 32) for each in words]
                wanted = [min(max(each, -half), half - 1) & 0xFFFF_FFFF for each in signed]
            assert made(format, component, words, whole=True) == wanted, (format, component)


def test_normalised_numbers_are_the_nearest_fraction() -> None:
    for format in (TexelFormat.UNORM8, TexelFormat.UNORM16, TexelFormat.UNORM10,
                   TexelFormat.SNORM8, TexelFormat.SNORM16):  # fmt: skip
        for component in (0, 3):
            signed = format.startswith("snorm")
            most = 2 ** (bits_in(format, component) - signed) - 1
            found = made(format, component, [bits_of(each) for each in FLOATS], whole=False)
            for number, word in zip(FLOATS, found, strict=True):
                got = float(np.uint32(word).view("f4"))
                least = -1.0 if signed else 0.0
                exact = 0.0 if math.isnan(number) else min(max(number, least), 1.0)
                steps = math.floor(abs(float(np.float32(abs(exact)) * np.float32(most))) + 0.5)
                wanted = np.float32(math.copysign(steps, exact)) / np.float32(most)
                assert got == wanted, (format, component, number)


def test_floats_of_16_bits_are_the_nearest() -> None:
    found = made(TexelFormat.FLOAT16, 0, [bits_of(each) for each in FLOATS], whole=False)
    for number, word in zip(FLOATS, found, strict=True):
        with np.errstate(all="ignore"):
            wanted = np.float32(np.float16(np.float32(number)))
        got = np.uint32(word).view("f4")
        assert got == wanted or (math.isnan(got) and math.isnan(number)), number


def test_floats_without_a_sign_have_6_or_5_bits_of_significand() -> None:
    """The nearest, ties to even; the largest finite one above it; 0 below 0."""
    for component, digits in ((0, 6), (1, 6), (2, 5)):
        greatest = (2 - 2.0**-digits) * 2.0**15
        found = made(
            TexelFormat.UFLOAT11, component, [bits_of(each) for each in FLOATS], whole=False
        )
        for number, word in zip(FLOATS, found, strict=True):
            (got,) = struct.unpack("<f", struct.pack("<I", word))
            if math.isnan(number):
                assert math.isnan(got)
                continue
            given = float(np.float32(number)) if math.isfinite(number) else number
            if given <= 0 or math.isinf(given):
                assert got == max(given, 0.0)
                continue
            unit = 2.0 ** (max(math.frexp(given)[1] - 1, -14) - digits)
            assert got == min(round(given / unit) * unit, greatest), (component, number)
