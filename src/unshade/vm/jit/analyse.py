"""What the emitter wants to know of a kernel before it writes."""

from ...ir.kernel import Kernel
from .function import Facts
from .layout import Layout


def facts_of(kernel: Kernel, layout: Layout) -> Facts:
    """Shared variables, and sets that need no mask."""
    return Facts()
