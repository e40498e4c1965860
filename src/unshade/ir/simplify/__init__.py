"""A kernel with less in it that does the same: before an engine runs it.

    forward      variables become values; constants, identities, what was worked out before
    dead         what nobody needs goes
    hoist        what is the same in every round of a loop is worked out before it
    flatten      small ifs become selects
    webs         a variable that is used for several things becomes several
    retype       a variable of bits that are always floats becomes one of floats

Results stay the same bit for bit, for kernels whose lanes do not race. What is read and not used
goes, too, so a report of accesses out of bounds may be shorter.
"""

from ..kernel import Kernel
from .dead import dead
from .flatten import flatten
from .forward import forward
from .hoist import hoist
from .webs import retype, webs

__all__ = ["simplify"]

ROUNDS = 6  # at most; what one finds lets another find more


def simplify(kernel: Kernel) -> Kernel:
    """The kernel itself, simplified in place; `observe` comes behind it."""
    left = -1
    for _ in range(ROUNDS):
        forward(kernel)
        dead(kernel)
        other = flatten(kernel) | hoist(kernel) | webs(kernel) | retype(kernel)
        before, left = left, sum(1 for _ in kernel.values())
        if left == before and not other:
            break
    return kernel
