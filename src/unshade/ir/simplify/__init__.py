"""Simplification of kernels, before an engine runs them.

    value_numbering   forward variables, fold constants, apply identities, reuse known values
    dead_code         remove unused values, sets and constructs
    hoist             move loop-invariant values out of loops
    flatten           replace small ifs by selects
    variables         split variables by use, and retype those that hold the bits of floats
    copies            merge variables that always hold the same value
    coalesce          merge variables between which values are copied

Results stay the same bit for bit, for kernels whose lanes do not race. Unused reads are removed
too, so a report of accesses out of bounds may be shorter.
"""

from ..kernel import KernelIR
from .coalesce import coalesce
from .copies import merge_copies
from .dead_code import remove_dead_code
from .flatten import flatten
from .hoist import hoist
from .value_numbering import number_values
from .variables import retype_variables, split_variables

__all__ = ["simplify"]

ROUNDS = 6  # at most: one pass opens opportunities for another


def simplify(kernel: KernelIR) -> KernelIR:
    """Simplify a kernel in place, and return it; `canonicalise` runs after it."""
    left = -1
    for _ in range(ROUNDS):
        number_values(kernel)
        remove_dead_code(kernel)
        other = flatten(kernel) | hoist(kernel) | split_variables(kernel) | retype_variables(kernel)
        other |= merge_copies(kernel) | coalesce(kernel)
        before, left = left, sum(1 for _ in kernel.values())
        if left == before and not other:
            break
    return kernel
