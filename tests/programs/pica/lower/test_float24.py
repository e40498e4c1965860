"""Results rounded to the hardware's 24-bit floats, compared with exact fractions."""

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
    """Return an exact number rounded toward zero to 24 bits by counting, not by casting."""
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
    """Return 24-bit floats of all exponents, most of them near 1."""
    random = Random(seed)
    found = []
    for _ in range(count):
        exponent = random.choice([random.randrange(1, 127), random.randrange(55, 72)])
        found.append(
            to_float(random.getrandbits(1) << 23 | exponent << 16 | random.getrandbits(16))
        )
    return found


def rows(text: str, x: list[float], y: list[float]) -> list[float]:
    """Return the result for each pair of numbers; four pairs share a lane."""
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


@pytest.mark.slow
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


# ---------------------------------------------------------------- what is read

# Values of 24 bits and what they are in 32, from azahar's tests of its type f24 (pica_types.cpp).
AZAHAR = (
    (0x3F0000, 0x3F80_0000), (0xBF0000, 0xBF80_0000), (0x3E0000, 0x3F00_0000),
    (0xBE0000, 0xBF00_0000), (0x3D0000, 0x3E80_0000), (0xBD0000, 0xBE80_0000),
    (0x408000, 0x4040_0000), (0x010000, 0x2080_0000), (0x7EFFFF, 0x5F7F_FF80),
    (0x800000, 0x8000_0000), (0x7F0000, 0x7F80_0000), (0xFF0000, 0xFF80_0000),
    (0x000001, 0x1880_0000), (0x00FFFF, 0x207F_FF00), (0x7F8000, 0x7FC0_0000),
)  # fmt: skip


def single(bits: int) -> float:
    return float(np.uint32(bits).view("<f4"))


def bits_of(value: float) -> int:
    return int(np.float32(value).view("<u4"))


@pytest.mark.parametrize(("bits", "wanted"), AZAHAR)
def test_values_published_by_azahar_are_kept(bits: int, wanted: int) -> None:
    """Attributes and uniforms, also relative ones; mov, max and min copy them."""
    value = to_float(bits)
    text = "mova a0.x, c3\nnop\nmov o0.x, v0\nmov o0.y, c1\nmov o0.z, c0[a0.x]\nmov r0, c1\n"
    text += "max o0.w, r0, r0\nmin o1, r0, r0"
    found = run(text, precision="float24", v0=value, c={1: value, 3: 1.0})
    assert [bits_of(each) for each in (*found["o0"], found["o1"][0])] == [wanted] * 5


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (1 + 2.0**-17, 1.0),
        (-1 - 2.0**-17, -1.0),
        (2 - 2.0**-20, 2 - STEP),
        (2.0**64, inf),
        (-3e38, -inf),
        (2.0**64 - 2.0**40, (2 - STEP) * 2.0**63),
        (1.5 * 2.0**-78, 2.0**-78),
        (-1.5 * 2.0**-78, -(2.0**-78)),
        (2.0**-79, 0.0),
        (2.0**-62 - 2.0**-80, 0xFFFF * 2.0**-78),
        (1e-44, 0.0),
    ],
)
def test_inputs_are_rounded_toward_zero(given: float, wanted: float) -> None:
    c = {0: given, 1: given}
    found = run(
        "mov o0.x, v0\nmov o0.y, c1\nmov o0.z, c0[a0.x]", precision="float24", c=c, v0=given
    )
    assert found["o0"][:3].tolist() == [wanted] * 3
    shader = "setemit 2, prim\nmov o0, v0\nemit"
    sent = run(shader, before=".gsh point c0\n", precision="float24", v0=given)
    assert sent["o0"][2].tolist() == [wanted] * 4


# ---------------------------------------------------------------- numbers near zero

TINY = to_float(0x00FFFF)  # the greatest subnormal number


@pytest.mark.parametrize(
    ("text", "x", "y", "wanted"),
    [
        ("add o0, r0, r1", TINY, 0, 0),
        ("add o0, r0, r1", TINY, 2.0**-62, 2.0**-62),
        ("add o0, r0, r1", -0.0, -0.0, 0),
        ("mul o0, r0, r1", TINY, 2.0**40, 0),
        ("mul o0, r0, r1", -TINY, inf, 0),
        ("mad o0, r0, r1, r0", TINY, 1, 0),
        ("rcp o0, r0", TINY, 0, inf),
        ("rcp o0, r0", -TINY, 0, inf),
        ("rcp o0, r0", 2.0**63, 0, 0),
        ("rsq o0, r0", -TINY, 0, inf),
        ("lg2 o0, r0", TINY, 0, -inf),
        ("ex2 o0, r0", TINY, 0, 1),
        ("ex2 o0, r0", -63, 0, 0),
        ("ex2 o0, r0", 64, 0, inf),
        ("flr o0, r0", -TINY, 0, 0),
        ("max o0, r0, r1", 0, TINY, TINY),
        ("min o0, r0, r1", 0, -TINY, -TINY),
        ("slt o0, r1, r0", TINY, 0, 1),
        ("rcp r2, r0\nrsq o0, r2", -inf, 0, inf),  # 3dbrew: there is no negative zero
    ],
)
def test_numbers_near_zero(text: str, x: float, y: float, wanted: float) -> None:
    found = float(run(TWO + text, precision="float24", v0=x, v1=y)["o0"][0])
    assert bits_of(found) == bits_of(wanted)


@pytest.mark.slow
def test_one_halved_is_zero_after_63_steps() -> None:
    """3dbrew's test of the hardware."""
    text = "mov r0, c1\nfor i0\nmul r0, c2, r0\nnop\n.end\nmov o0, r0"
    for steps, wanted in ((62, 2.0**-62), (63, 0.0)):
        found = run(text, precision="float24", c={1: 1.0, 2: 0.5}, i={0: (steps - 1, 0, 0)})
        assert found["o0"].tolist() == [wanted] * 4


def test_comparisons_see_subnormal_numbers() -> None:
    text = "mov o0, c0\ncmp c1, ne, eq, v0\nifc cmp.x\nmov o0.x, c2\n.end\n"
    text += "ifc cmp.y\nmov o0.y, c2\n.end"
    found = run(text, precision="float24", v0=0.0, c={1: TINY, 2: 1.0})
    assert found["o0"].tolist() == [1, 0, 0, 0]


# ---------------------------------------------------------------- sums of products


def test_sums_of_products_are_rounded_at_each_step() -> None:
    """The products first, then the sums from x to w."""
    x, y, z = numbers(24, 5), numbers(24, 6), numbers(24, 7)

    def product(a: float, b: float) -> float:
        return cut(Fraction(a) * Fraction(b))

    def total(*terms: float) -> float:
        found = terms[0]
        for term in terms[1:]:
            if isfinite(found) and isfinite(term):
                found = cut(Fraction(found) + Fraction(term))
            else:
                found += term
        return found

    text = f"{TWO}mad o0, r0, r1, c1\ndp3 o1.x, r0, r1\ndp4 o1.y, r0, r1\ndph o1.z, r0, r1\n"
    text += "dst o1.w, r0, r1\ndst o2, r0, r1"
    for at in range(0, len(x), 4):
        a, b, c = x[at : at + 4], y[at : at + 4], z[at : at + 4]
        found = run(text, precision="float24", v0=a, v1=b, c={1: c})
        products = [product(*pair) for pair in zip(a, b, strict=True)]
        wanted = [total(*pair) for pair in zip(products, c, strict=True)]
        np.testing.assert_array_equal(found["o0"], wanted)
        sums = [total(*products[:3]), total(*products), total(*products[:3], b[3]), b[3]]
        np.testing.assert_array_equal(found["o1"], sums)
        np.testing.assert_array_equal(found["o2"], [1, products[1], a[2], b[3]])
