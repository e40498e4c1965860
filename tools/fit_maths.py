"""Fit the polynomials of `unshade/ir/library/maths.py` and print their table.

    python tools/fit_maths.py > src/unshade/ir/library/coefficients.py

For each function, find the polynomial P with the smallest maximum error in the result, in decimals
of 45 digits. Then round its coefficients to 32-bit floats one by one, beginning with the one that
matters most, and fit the remaining ones again each time.
"""

import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, getcontext

getcontext().prec = 45
D = Decimal
Function = Callable[[Decimal], Decimal]
Point = tuple[Decimal, Decimal, Decimal]  # t, goal, weight
GRID = 120  # points of the interval where the error is looked at
ROUNDS = 15
NOTHING = D(10) ** -12  # instead of 0, where a function is a quotient


# ---------------------------------------------------------------- functions, as series


def sin(x: Decimal) -> Decimal:
    return series(x, lambda n: -x * x / ((2 * n) * (2 * n + 1)))


def cos(x: Decimal) -> Decimal:
    return series(D(1), lambda n: -x * x / ((2 * n - 1) * (2 * n)))


def series(term: Decimal, ratio: "Callable[[int], Decimal]") -> Decimal:
    """Return the sum of terms, each of which is `ratio(n)` times the one before."""
    total, number = term, 0
    while abs(term) > D(10) ** -44:
        number += 1
        term *= ratio(number)
        total += term
    return total


def atan(x: Decimal) -> Decimal:
    total, power, number = D(0), x, 1
    while abs(power) > D(10) ** -44:
        total += power / number
        power *= -x * x
        number += 2
    return total


def asin(x: Decimal) -> Decimal:
    return atan(x / (1 + (1 - x * x).sqrt())) * 2 if x else x


def sinh(x: Decimal) -> Decimal:
    return series(x, lambda n: x * x / ((2 * n) * (2 * n + 1)))


def tanh(x: Decimal) -> Decimal:
    return sinh(x) / (1 + sinh(x) ** 2).sqrt()


LN2 = D(2).ln()
PI = 16 * atan(D(1) / 5) - 4 * atan(D(1) / 239)  # Machin


# ---------------------------------------------------------------- what is fitted


@dataclass(frozen=True)
class Fit:
    """Return P(t) that minimises max |weight(t) * (P(t) - goal(t))| for `low <= t <= high`."""

    name: str
    doc: str
    low: Decimal
    high: Decimal
    count: int  # of coefficients
    goal: Function
    weight: Function


def odd(name: str, doc: str, high: Decimal, count: int, function: Function) -> Fit:
    """Return the polynomial of f(x) = x + x * z * P(z), z = x * x; the error is relative to f."""

    def goal(z: Decimal) -> Decimal:
        x = max(z, NOTHING).sqrt()
        return (function(x) / x - 1) / max(z, NOTHING)

    def weight(z: Decimal) -> Decimal:
        x = max(z, NOTHING).sqrt()
        return x * z / function(x)

    return Fit(name, doc, D(0), high * high, count, goal, weight)


def _cos(z: Decimal) -> Decimal:
    z = max(z, NOTHING)
    return (cos(z.sqrt()) - 1 + z / 2) / (z * z)


def _exp2(f: Decimal) -> Decimal:
    f = f or NOTHING
    return ((f * LN2).exp() - 1) / f


def _exp(r: Decimal) -> Decimal:
    r = r if abs(r) > NOTHING else NOTHING
    return (r.exp() - 1 - r) / (r * r)


def _log2(f: Decimal) -> Decimal:
    f = f if abs(f) > NOTHING else NOTHING
    return (1 + f).ln() / LN2 / f - 1


FITS = (
    odd("SIN", "sin(r) = r + r * z * P(z), z = r * r, |r| <= pi / 4", PI / 4, 3, sin),
    Fit(
        "COS", "cos(r) = 1 - z / 2 + z * z * P(z), z = r * r, |r| <= pi / 4",
        D(0), (PI / 4) ** 2, 3, _cos, lambda z: z * z / cos(max(z, NOTHING).sqrt()),
    ),
    Fit(
        "EXP2", "2 ** f = 1 + f * P(f), |f| <= 1 / 2",
        D("-0.5"), D("0.5"), 6, _exp2, lambda f: f / (f * LN2).exp(),
    ),
    Fit(
        "EXP", "e ** r = 1 + r + r * r * P(r), |r| <= ln(2) / 2",
        -LN2 / 2, LN2 / 2, 5, _exp, lambda r: r * r / r.exp(),
    ),
    Fit(
        "LOG2", "log2(1 + f) = f + f * P(f), sqrt(1 / 2) <= 1 + f <= sqrt(2)",
        D("0.5").sqrt() - 1, D(2).sqrt() - 1, 10, _log2,
        lambda f: 1 / (1 + _log2(f)),
    ),
    odd("ATAN", "atan(t) = t + t * z * P(z), z = t * t, |t| <= 1 / 2",
        D("0.5"), 6, atan),
    odd("ASIN", "asin(s) = s + s * z * P(z), z = s * s, |s| <= 0.55", D("0.55"), 6, asin),
    odd("SINH", "sinh(x) = x + x * z * P(z), z = x * x, |x| <= 1", D(1), 4, sinh),
    odd("TANH", "tanh(x) = x + x * z * P(z), z = x * x, |x| <= 5 / 8", D("0.625"), 5, tanh),
)  # fmt: skip


# ---------------------------------------------------------------- fitting


def solve(rows: list[list[Decimal]]) -> list[Decimal]:
    """Return the solution of linear equations, each a row of coefficients and the right side."""
    count = len(rows)
    for at in range(count):
        best = max(range(at, count), key=lambda row: abs(rows[row][at]))
        rows[at], rows[best] = rows[best], rows[at]
        for row in range(at + 1, count):
            factor = rows[row][at] / rows[at][at]
            for column in range(at, count + 1):
                rows[row][column] -= factor * rows[at][column]
    found = [D(0)] * count
    for at in reversed(range(count)):
        rest = sum((rows[at][k] * found[k] for k in range(at + 1, count)), D(0))
        found[at] = (rows[at][count] - rest) / rows[at][at]
    return found


def lawson(fit: Fit, points: "list[Point]", fixed: "list[Decimal]") -> list[Decimal]:
    """Return the coefficients after those that are already fixed.

    Least squares again and again, with more importance each time for the points that are off most
    (Lawson, 1961). Unlike exchange algorithms it does not mind that t may be 0 in between.
    """
    powers = range(len(fixed), fit.count)
    importance = [D(1) / len(points)] * len(points)
    rows = [[w * (t**k if k else D(1)) for k in powers] for t, _, w in points]
    wanted = [w * (g - polynomial(fixed, t)) for t, g, w in points]
    best: tuple[Decimal, list[Decimal]] = D("inf"), []
    for _ in range(ROUNDS):
        normal = [[D(0)] * (len(powers) + 1) for _ in powers]
        for row, goal, matters in zip(rows, wanted, importance, strict=True):
            for i, a in enumerate(row):
                a_matters = a * matters
                for k, b in enumerate(row):
                    normal[i][k] += a_matters * b
                normal[i][-1] += a_matters * goal
        found = solve(normal)
        errors = [
            abs(sum((a * c for a, c in zip(row, found, strict=True)), -goal))
            for row, goal in zip(rows, wanted, strict=True)
        ]
        best = min(best, (max(errors), found))
        total = sum(m * e for m, e in zip(importance, errors, strict=True))
        importance = [m * e / total for m, e in zip(importance, errors, strict=True)]
    return best[1]


def polynomial(coefficients: "list[Decimal]", t: Decimal) -> Decimal:
    total = D(0)
    for each in reversed(coefficients):
        total = total * t + each
    return total


def single(value: Decimal) -> Decimal:
    """Return the nearest 32-bit float."""
    return D(struct.unpack("<f", struct.pack("<f", float(value)))[0])


def shortest(value: Decimal) -> str:
    """Return the fewest digits that identify a 32-bit float."""
    for digits in range(1, 10):
        text = f"{float(value):.{digits}g}"
        if single(D(text)) == value:
            return repr(float(text))
    raise ValueError(value)


def fitted(fit: Fit) -> "tuple[list[Decimal], Decimal]":
    """Return the coefficients as 32-bit floats, and the greatest remaining error."""
    ts = [fit.low + (fit.high - fit.low) * (1 - cos(PI * k / GRID)) / 2 for k in range(GRID + 1)]
    points = [(t, fit.goal(t), abs(fit.weight(t))) for t in ts]
    fixed: list[Decimal] = []
    while len(fixed) < fit.count:
        fixed.append(single(lawson(fit, points, fixed)[0]))
    return fixed, max(abs(w * (polynomial(fixed, t) - g)) for t, g, w in points)


def split(value: Decimal, bits: int) -> "tuple[Decimal, Decimal]":
    """Return the first bits of a number, and the rest."""
    unit = D(2) ** (value.adjusted() * 10 // 3 - 70)
    while value / unit >= 2**bits:
        unit *= 2
    high = (value / unit).to_integral_value() * unit
    return high, value - high


HEAD = '''"""Polynomials and constants of `maths`, generated by tools/fit_maths.py."""

'''


def main() -> None:
    out = [HEAD + "# fmt: off\n"]
    for fit in FITS:
        coefficients, error = fitted(fit)
        power = error.ln() / LN2
        out.append(f"# {fit.doc}: 2^{power:.1f}\n")
        out.append(f"{fit.name} = (\n")
        out += [f"    {shortest(each)},\n" for each in coefficients]
        out.append(")\n")
    out.append("\n# Of 64 bits: 2 / pi; pi / 2 as 33 bits, and the rest; 2 * pi.\n")
    high, low = split(PI / 2, 33)
    out.append(f"TWO_PI = {float(2 / PI)!r}\nHALF_PI = ({float(high)!r}, {float(low)!r})\n")
    out.append(f"WHOLE_TURN = {float(2 * PI)!r}\n")
    out.append("\n# Of 32 bits: a constant as a float, and the rest; ln(2) with 12 bits first.\n")
    for name, value in (("PI", PI), ("PI_2", PI / 2), ("PI_4", PI / 4)):
        high = single(value)
        out.append(f"{name} = ({shortest(high)}, {shortest(single(value - high))})\n")
    first = single(PI / 2)
    second = single(PI / 2 - first)
    parts = (first, second, single(PI / 2 - first - second))
    out.append(f"HALF_PI_32 = ({', '.join(shortest(each) for each in parts)})\n")
    out.append(f"TWO_PI_32 = {shortest(single(2 / PI))}\n")
    high, low = split(LN2, 12)
    out.append(f"LN2 = ({shortest(high)}, {shortest(single(low))})\n")
    out.append(f"LOG2_E = {shortest(single(1 / LN2))}\n# fmt: on\n")
    sys.stdout.write("".join(out))


if __name__ == "__main__":
    main()
