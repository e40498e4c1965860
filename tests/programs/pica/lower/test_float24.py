"""Results that are rounded to the hardware's format, against exact fractions."""

from fractions import Fraction
from math import inf, isfinite, isnan, nan
from random import Random

import numpy as np
import pytest

from tests.programs.pica.lower.support import run
from unshade.vocab.float24 import from_float, to_float

pytestmark = pytest.mark.heavy

TWO = "mov r0, v0\nmov r1, v1\n"
STEP = 2.0**-16


def cut(exact: Fraction) -> float:
    """An exact number rounded toward zero to 24 bits: by counting halves, not by casting."""
    size = abs(exact)
    if size < Fraction(2) ** -62:
        return 0.0
    if size >= Fraction(2) ** 64:
        return inf if exact > 0 else -inf
    exponent = 0
    while size >= 2:
        size /= 2
        exponent += 1
    while size < 1:
        size *= 2
        exponent -= 1
    whole = int(size * 65536)
    return float(whole) / 65536 * 2.0**exponent * (1 if exact > 0 else -1)


def numbers(count: int, seed: int) -> list[float]:
    """Floats of 24 bits of all exponents, most of them near 1."""
    random = Random(seed)
    found = []
    for _ in range(count):
        exponent = random.choice([random.randrange(1, 127), random.randrange(55, 72)])
        found.append(
            to_float(random.getrandbits(1) << 23 | exponent << 16 | random.getrandbits(16))
        )
    return found


def rows(text: str, x: list[float], y: list[float]) -> list[float]:
    """o0.x of as many lanes; four at once in the components."""
    found: list[float] = []
    for at in range(0, len(x), 4):
        made = run(text, precision="float24", v0=x[at : at + 4], v1=y[at : at + 4])
        found += made["o0"].tolist()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", ["add", "mul"])
def test_sums_and_products(name: str) -> None:
    x, y = numbers(16, 1), numbers(16, 2)
    x += [1.0, 1.0, -1.0, 1 + STEP]
    y += [-(2.0**-60), 2.0**-60, 2.0**-60, -(2.0**-17)]
    found = rows(f"{TWO}{name} o0, r0, r1", x, y)
    for a, b, got in zip(x, y, found, strict=True):
        exact = Fraction(a) + Fraction(b) if name == "add" else Fraction(a) * Fraction(b)
        assert got == cut(exact), (a, b)


def test_reciprocals() -> None:
    for x in [3.0, -7.0, 1 + STEP, 2.0**-61, *numbers(4, 3)]:
        made = run("rcp o0.x, v0\nrsq o0.y, v0", precision="float24", v0=x)["o0"]
        assert made[0] == cut(1 / Fraction(x))
        if x > 0:
            root = float(made[1])
            after = Fraction(to_float(from_float(root) + 1))
            assert Fraction(root) ** 2 <= 1 / Fraction(x) < after**2


@pytest.mark.parametrize(
    ("text", "x", "y", "wanted"),
    [
        ("mov o0, r0", 1 + 2.0**-20, 0, 1),  # inputs have 24 bits, too
        ("mul o0, r0, r1", 2.0**-40, 2.0**-40, 0),
        ("mul o0, r0, r1", -(2.0**-40), 2.0**-40, 0),
        ("mul o0, r0, r1", 2.0**40, -(2.0**40), -inf),
        ("mul o0, r0, r1", 0, inf, 0),
        ("mul o0, r0, r1", nan, 0, nan),
        ("add o0, r0, r1", inf, -inf, nan),
        ("add o0, r0, -r0", 5, 0, 0),
        ("rcp o0, r0", 0, 0, inf),
        ("rsq o0, r0", -1, 0, nan),
        ("ex2 o0, r0", 3, 0, 8),
        ("lg2 o0, r0", 8, 0, 3),
        ("flr o0, r0", -1.5, 0, -2),
    ],
)
def test_special_numbers(text: str, x: float, y: float, wanted: float) -> None:
    found = float(run(TWO + text, precision="float24", v0=x, v1=y)["o0"][0])
    assert isnan(found) if isnan(wanted) else found == wanted
    assert not (found == 0 and np.signbit(found))


def test_every_result_fits() -> None:
    """A third has more bits than 24 hold."""
    text = "rcp r0, v0.x\nmad r1, r0, v0, r0\ndp4 r2, r1, r0\nex2 r3, r0.x\nlg2 r4, r1.x\n"
    text += "mov o0, r0\nmov o1, r1\nmov o2, r2\nmov o3, r3\nmov o4, r4"
    found = run(text, precision="float24", v0=3.0)
    for value in np.concatenate([found[f"o{n}"] for n in range(5)]):
        assert isfinite(value)
        assert to_float(from_float(float(value))) == float(value)
