"""Numbers of root signatures' text: 32 bits, decimal or hexadecimal."""

import pytest

from unshade.formats.dxcontainer.rootsig.arguments import NumberForm, number_of

NUMBERS = {
    "0": 0, "1": 1, "10": 10, "4294967295": 0xFFFF_FFFF, "0x0": 0, "0xFFFFFFFF": 0xFFFF_FFFF,
    "0Xff": 255,
}  # fmt: skip
REFUSED = ("", "-1", "4294967296", "0x100000000", "1.0", "x", "1 2", "0x", "9" * 1000)


@pytest.mark.parametrize(("text", "number"), NUMBERS.items())
def test_numbers(text: str, number: int) -> None:
    assert number_of(text) == number


@pytest.mark.parametrize("text", REFUSED)
def test_refused_numbers(text: str) -> None:
    with pytest.raises(ValueError):
        number_of(text)


def test_a_negative_number_may_mean_a_name() -> None:
    form = NumberForm({0xFFFF_FFFF: "ALL", 0x8000_0000: "HALF", 0: "NONE"})
    meant = {text: form.meant(text) for text in ("-1", "-2147483648", "-2147483649", "-2", "1")}
    assert meant == {"-1": "ALL", "-2147483648": "HALF", "-2147483649": "", "-2": "", "1": ""}
    assert [form.meant(text) for text in ("0", "-0", "", "x", "-" + "9" * 1000)] == [""] * 5
    assert [form.read(text) for text in ("all", "ALL", "7")] == [0xFFFF_FFFF, 0xFFFF_FFFF, 7]
    assert [form.show(number) for number in (0, 7)] == ["NONE", "7"]
    assert form.wanted == "ALL or another name"
    assert NumberForm({1: "ONE"}).wanted == "a number or ONE"
    assert NumberForm().wanted == "a number"
