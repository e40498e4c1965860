"""Errors in the text of a kernel: several per run, each with its position."""

import random
import re

import pytest

from tests.ir.generate import generate
from tests.oracle.parsing import parse_kernel
from tests.oracle.verify import verify
from unshade.errors import AssembleError
from unshade.ir.kernel import DEEPEST
from unshade.ir.printing import print_kernel

HEAD = "memory %u0 buffer 4 writable\nmemory %c constant 16\nvar @a i32\nvar @b f32\n"


def mistakes(text: str) -> list[str]:
    with pytest.raises(AssembleError) as caught:
        parse_kernel(text, "k.ir")
    return [f"{each.line}:{each.column} {each.problem}" for each in caught.value.errors]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("%0 = iad i32 1, i32 2", "6 unknown operation 'iad'; did you mean iadd?"),
        ("%0 = iadd i32 1", "6 iadd: expected 2 operands, got 1"),
        ("%0 = iadd i32 1, i64 2", "6 iadd: expected i32, got i64"),
        ("%0 = fadd i32 1, i32 2", "6 fadd: expected a float, got i32"),
        ("%0 = get @c", "11 unknown variable 'c'"),
        ("%0 = load:i32 %d[i32 0, i32 0]", "16 unknown memory 'd'"),
        ("%0 = load %c[i32 0, i32 0]", "6 load: expected a type"),
        ("%0 = ftoi:f32 f32 1.0", "6 ftoi: expected a type of integers"),
        ("set @b, i32 1", "1 set: expected f32, got i32"),
        ("%0 = set @a, i32 1", "1 set has no result"),
        ("%0 = ineg %7", "11 no such value: %7"),
        (
            "%0 = ineg i32 0x1ffffffff",
            "15 expected a number from -2147483648 to 4294967295, got 0x1ffffffff",
        ),
        ("%0 = ineg i32 one", "15 expected an integer, got 'one'"),
        ("%0 = not bool 1", "15 expected true or false, got '1'"),
        ("%0 = ineg", "6 ineg: expected 1 operands, got 0"),
        ("%0 = ineg i32 1 i32 2", "17 expected the end of the line, got 'i32'"),
        ("%0 = source thread_id.w", "13 unknown source 'thread_id.w'"),
        ("if i32 1 {", "4 expected a bool as condition, got i32"),
        ("switch f32 1.0 {", "8 expected an integer to switch on, got f32"),
        ("case 1 {", "1 a case outside of a switch"),
        ("}", "1 } without a region"),
        ("exit $0", "6 no such block: $0"),
        ("exit", "5 expected the number of a block"),
        ("block {", "7 expected the number of the block"),
        ("block $1 {\nblock $1 {\n}\n}", "7 $1 is already defined"),
        ("block $1 {\n}\nexit $1", "6 block has ended: $1"),
        ("memory %m buffer 4 \n}", "1 } without a region"),
        ("var @a i32", "6 @a is already declared"),
        ('message "a', "9 expected a word, got '\"'"),
        ("%0 = ineg i32 1\n%0 = ineg i32 2", "1 %0 is already defined"),
        ("%0 = ineg i32 1\nloop {\n%0 = ineg i32 2\n}", "1 %0 is already defined"),
        ("loop {\n%0 = ineg i32 1\nbreak\n}\n%0 = ineg i32 2", "1 %0 is already defined"),
    ],
)
def test_an_error_has_its_position(line: str, expected: str) -> None:
    found = mistakes(HEAD + line)
    column, _, problem = expected.partition(" ")
    assert problem in found[0]
    assert found[0].split()[0].partition(":")[2] == column


def test_several_errors_without_follow_on_errors() -> None:
    text = HEAD + "%0 = oops i32 1\n%1 = iadd %0, i32 1\nset @a, %1\nset @b, i32 1\nif %0 {\n}\n"
    assert [each.split()[0] for each in mistakes(text)] == ["5:6", "8:1"]


def test_values_are_visible_in_their_region_only() -> None:
    text = HEAD + "if bool true {\n  %0 = get @a\n}\nset @a, %0\n%0 = get @a\n"
    found = mistakes(text)
    assert found[0] == "8:9 value not visible here: %0"
    assert found[1] == "9:1 %0 is already defined"


def test_unclosed_regions() -> None:
    assert "expected } of 2 regions" in mistakes("loop {\nif bool true {\n")[0]


def test_an_else_belongs_to_an_if() -> None:
    text = "loop {\n} else {\n}\nif bool true {\n} else {\n} else {\n}\n"
    found = mistakes(text)
    assert [each.split()[0].split(":")[0] for each in found] == ["2", "6"]


def test_a_switch_contains_only_cases() -> None:
    assert "expected a case" in mistakes("switch i32 1 {\nbreak\n}\n")[0]


def test_declarations_come_first() -> None:
    assert "after the first statement" in mistakes("loop {\n}\nvar @a i32\n")[0]


def test_depth_is_bounded() -> None:
    deep = DEEPEST + 5
    found = mistakes("loop {\n" * deep + "}\n" * deep)
    assert f"more than {DEEPEST} deep" in found[0]
    parse_kernel("loop {\n" * DEEPEST + "}\n" * DEEPEST)


def test_comments_and_blank_lines() -> None:
    kernel = parse_kernel('// a kernel\n\n  %5 = ineg i32 1 !7 // so\nmessage "//", %5\n')
    first, second = kernel.body
    assert first.line == 7
    assert second.attr == "//"  # type: ignore[union-attr]


@pytest.mark.slow
def test_damaged_text_raises_our_errors() -> None:
    chance = random.Random(5)
    texts = [print_kernel(generate(seed, size=25).kernel) for seed in range(8)]
    pieces = sorted({word for text in texts for word in re.findall(r"\S+|\n", text)})
    refused = 0
    for _ in range(500):
        text = chance.choice(texts)
        at = chance.randrange(len(text))
        match chance.randrange(3):
            case 0:
                text = text[:at] + text[at + chance.randint(1, 20) :]
            case 1:
                text = text[:at] + chance.choice(pieces) + text[at:]
            case _:
                text = text[:at] + chr(chance.randrange(1, 300)) + text[at + 1 :]
        try:
            verify(parse_kernel(text))
        except AssembleError:
            refused += 1
    assert refused > 200


def test_quads_in_the_first_line() -> None:
    kernel = parse_kernel("kernel main compute group 4 2 1 quads wave 8\n")
    assert kernel.quads
    assert kernel.wave == 8
    assert print_kernel(kernel).startswith("kernel main compute group 4 2 1 quads wave 8\n")


def test_widths_of_floats_in_the_first_line() -> None:
    kernel = parse_kernel("kernel main compute group 1 1 1 wave 4 flush 64 16 written 16\n")
    assert kernel.flush == {16, 64}
    assert kernel.written == {16}
    assert not kernel.mode
    assert print_kernel(kernel).startswith(
        "kernel main compute group 1 1 1 wave 4 flush 16 64 written 16\n"
    )
    with pytest.raises(AssembleError, match="expected a width of 16, 32 or 64"):
        parse_kernel("kernel main compute group 1 1 1 flush 8\n")
