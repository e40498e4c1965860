"""Quotients of doubles, correctly rounded, without a division for each of them.

A division of four doubles takes the time of 16 products on common processors. The quotients of one
divisor share its inverse here, and have the bits of divisions:

    inverse_of(b)                   1 / b, rounded, and 1 / b minus that
    times_inverse(a, inverse)       a / b of whole numbers up to 2^49
    divided(a, b, inverse)          a / b of numbers far from the least and the greatest

Zeros must be positive. `times_inverse`: the exact quotient is at least 2^-103 of itself away from
the middle of two doubles, as a - b m is whole in units of m's last bit, of which b m has less than
2^103; the inverse in two parts and the product with the second differ by 1.5 * 2^-105 together.
`divided`: the product with the inverse is off by less than two units in the last place, its first
correction by less than one, and the second correction is correctly rounded by Markstein's theorem.

Source: Markstein, Computation of elementary functions on the IBM RISC System/6000 processor, 1990,
theorem 7; Muller et al., Handbook of Floating-Point Arithmetic, section 4.7.
"""

from ....vm.jit.written import Num

LARGEST = 1 << 49  # the greatest whole number of times_inverse


def inverse_of(divisor: Num) -> tuple[Num, Num]:
    """Return the inverse of a number in two parts, the second what the first lacks."""
    inverse = 1.0 / divisor
    return inverse, (0.0 - divisor).times_plus(inverse, 1.0) * inverse


def times_inverse(number: Num, inverse: tuple[Num, Num]) -> Num:
    """Return the quotient of whole numbers up to 2^49, given the inverse of the divisor."""
    return number.times_plus(inverse[0], number * inverse[1])


def divided(number: Num, divisor: Num, inverse: Num) -> Num:
    """Return a quotient, given the inverse of the divisor, rounded."""
    negative = 0.0 - divisor
    found = number * inverse
    for _ in range(2):
        found = negative.times_plus(found, number).times_plus(inverse, found)
    return found
