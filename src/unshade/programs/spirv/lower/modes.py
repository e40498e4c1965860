"""Settings from execution modes: the size of a workgroup, and what floats are flushed.

Subnormal numbers are kept unless DenormFlushToZero names their width. Arithmetic rounds to even
whatever RoundingModeRTZ says; conversions are decorated by themselves.
"""

from math import prod

from ....errors import UnsupportedError
from ....ir.kernel import KernelIR
from ....model.facts import ProgramFacts
from ..index import EntryPoint, ModuleIndex
from ..tables.numbers import ExecutionMode

__all__ = ["apply_modes", "has_early_tests"]

LARGEST_GROUP = 1 << 16  # invocations


def apply_modes(
    kernel: KernelIR, index: ModuleIndex, entry: EntryPoint, facts: ProgramFacts
) -> None:
    """Set what the execution modes of an entry point state."""
    modes = index.modes.get(entry.function, [])
    kernel.flush = frozenset(
        each.words[0] for each in modes
        if each.number == ExecutionMode.DenormFlushToZero and each.words
    )  # fmt: skip
    if kernel.dispatched:
        group = facts.thread_group
        if group is None:
            raise UnsupportedError("the size of the workgroup is not a constant")
        if not 1 <= prod(group) <= LARGEST_GROUP:
            raise UnsupportedError(f"a workgroup of {group} cannot be run")
        x, y, z = group
        kernel.group = x, y, z


def has_early_tests(index: ModuleIndex, entry: EntryPoint) -> bool:
    """Return whether depth is tested before the fragment shader runs."""
    modes = index.modes.get(entry.function, [])
    return any(each.number == ExecutionMode.EarlyFragmentTests for each in modes)
