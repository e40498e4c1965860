"""Bookkeeping of this library in kernels, which sources do not contain.

%40 = atomic_add %undefined[0, 0], %38      the count of results that Vulkan leaves undefined
"""

from ..ir.kernel import KernelIR, Value, every_region
from ..vocab.slots import Exchange

__all__ = ["without_bookkeeping"]


def without_bookkeeping(kernel: KernelIR) -> None:
    """Remove the counting of undefined results, in place.

    Operations that only compute the count stay; another pass removes them.
    """
    keys = {memory for memory in kernel.memories if memory.key is Exchange.UNDEFINED}
    if not keys:
        return
    for region in every_region(kernel.body):
        region[:] = [
            each
            for each in region
            if not (isinstance(each, Value) and each.op.atomic and each.attr in keys)
        ]
    kernel.memories[:] = [each for each in kernel.memories if each not in keys]
