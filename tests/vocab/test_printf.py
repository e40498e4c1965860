"""Formats of printf: the text of each conversion is C's."""

import struct

import pytest

from unshade.vocab.printf import PrintArgument, PrintFormat

FLOAT, INT, UINT = PrintArgument("float"), PrintArgument("int"), PrintArgument("uint")
DOUBLE, LONG, ULONG = (PrintArgument(kind, 64) for kind in ("float", "int", "uint"))
# What printf of the GNU C library prints, for a float as a double.
NUMBERS = [
    ("%f", FLOAT, 3.1415, "3.141500"),
    ("%1.2f", FLOAT, 3.1415, "3.14"),
    ("%.f", FLOAT, 2.5, "2"),
    ("%08.2f", FLOAT, -1.5, "-0001.50"),
    ("%-8.1f|", FLOAT, 1.25, "1.2     |"),
    ("%e", FLOAT, 1e30, "1.000000e+30"),
    ("%G", FLOAT, 1e-10, "1E-10"),
    ("%g", FLOAT, float("inf"), "inf"),
    ("%F", FLOAT, float("-inf"), "-INF"),
    ("%05f", FLOAT, float("nan"), "  nan"),
    ("%f", FLOAT, -0.0, "-0.000000"),
    ("%a", FLOAT, 1.5, "0x1.8p+0"),
    ("%A", FLOAT, 255.0, "0X1.FEP+7"),
    ("%.1a", FLOAT, 1.96875, "0x2.0p+0"),
    ("%.2a", FLOAT, 0.0, "0x0.00p+0"),
    ("%#a", FLOAT, 0.0, "0x0.p+0"),
    ("%d", INT, -7, "-7"),
    ("%i", UINT, 0xFFFFFFFF, "-1"),
    ("%+d", INT, 7, "+7"),
    ("% .3d", INT, 7, " 007"),
    ("%.0d", INT, 0, ""),
    ("%u", INT, -1, "4294967295"),
    ("%x", UINT, 0xBEEF, "beef"),
    ("%#010X", UINT, 0xBEEF, "0X0000BEEF"),
    ("%o", UINT, 8, "10"),
    ("%#o", UINT, 8, "010"),
    ("%lu", ULONG, 0x2000000000000001, "2305843009213693953"),
    ("0x%lx", ULONG, 0x2000000000000001, "0x2000000000000001"),
    ("%ul", ULONG, 0x2000000000000001, "2000000000000001"),
    ("%ld", LONG, -5, "-5"),
    ("%.3f", DOUBLE, 0.1, "0.100"),
]


def words(argument: PrintArgument, value: float) -> list[int]:
    if argument.kind == "float":
        data = struct.pack("<d" if argument.bits == 64 else "<f", value)
    else:
        size = argument.bits // 8
        data = (int(value) % (1 << argument.bits)).to_bytes(size, "little")
    return [*struct.unpack(f"<{len(data) // 4}I", data)]


@pytest.mark.fast
@pytest.mark.parametrize(("text", "argument", "value", "expected"), NUMBERS)
def test_numbers(text: str, argument: PrintArgument, value: float, expected: str) -> None:
    format = PrintFormat(text, (argument,))
    assert format.problem == ""
    assert format.formatted(words(argument, value)) == expected


def test_components_are_separated_by_commas() -> None:
    format = PrintFormat("at %1.2v3f, %v2d%%", (FLOAT._replace(components=3), UINT._replace(
        components=2)))  # fmt: skip
    given = [*words(FLOAT, 1.2), *words(FLOAT, 2.25), *words(FLOAT, -3.0), 4, 5]
    assert format.words == 5
    assert format.formatted(given) == "at 1.20, 2.25, -3.00, 4, 5%"


def test_arguments_without_a_conversion_are_ignored() -> None:
    format = PrintFormat("%d", (INT, PrintArgument("")))
    assert (format.problem, format.words, format.formatted([3])) == ("", 1, "3")


@pytest.mark.parametrize(
    ("text", "arguments", "problem"),
    [
        ("%s", [INT], "%s: unknown conversion"),
        ("100%", [], "%: conversion without a letter"),
        ("%v5f", [FLOAT], "%v5f: expected 2 to 4 components, got 5"),
        ("%v4s", [FLOAT], "%v4s: unknown conversion"),
        ("%d", [FLOAT], "%d: expected an integer of up to 32 bits, got float32"),
        ("%f", [INT], "%f: expected a float, got int32"),
        ("%u", [ULONG], "%u: expected an integer of up to 32 bits, got uint64"),
        ("%lu", [UINT], "%lu: expected an integer of 64 bits, got uint32"),
        ("%v2f", [FLOAT], "%v2f: expected 2 components, each a float, got float32"),
        ("%f", [PrintArgument("float", 32, 3)], "%f: expected a float, got 3 x float32"),
        ("%d", [PrintArgument("")], "%d: expected an integer of up to 32 bits, got another type"),
        ("%d %d", [INT], "expected an argument for each of 2 conversions, got 1"),
    ],
)
def test_a_format_that_cannot_be_printed(
    text: str, arguments: list[PrintArgument], problem: str
) -> None:
    assert PrintFormat(text, tuple(arguments)).problem == problem
