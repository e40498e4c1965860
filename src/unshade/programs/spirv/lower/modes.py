"""Settings from execution modes: the size of a workgroup, and flushing of floats.

Subnormal numbers are kept unless DenormFlushToZero names their width. Arithmetic rounds to even
unless RoundingModeRTZ does (see `rounding`).
"""

from math import prod

from ....errors import UnsupportedError
from ....ir.kernel import KernelIR
from ....ir.sources import has_quads
from ....ir.types import FLOATS
from ....model.facts import ProgramFacts
from ..index import ModuleIndex, SpirvEntryPoint
from ..tables.numbers import ExecutionMode

__all__ = ["apply_modes", "has_early_tests", "loose_widths", "widths_of"]

LARGEST_GROUP = 1 << 16  # invocations


def apply_modes(
    kernel: KernelIR,
    index: ModuleIndex,
    entry: SpirvEntryPoint,
    facts: ProgramFacts,
    flush: frozenset[int],
) -> None:
    """Apply the execution modes of an entry point; `flush` holds where they leave it open."""
    kernel.flush = widths_of(index, entry, ExecutionMode.DenormFlushToZero)
    kernel.flush |= flush & loose_widths(index, entry)
    if kernel.dispatched:
        group = facts.thread_group
        if group is None:
            raise UnsupportedError("the size of the workgroup is not a constant")
        if not 1 <= prod(group) <= LARGEST_GROUP:
            raise UnsupportedError(f"a workgroup of {group} cannot be run")
        x, y, z = group
        kernel.group = x, y, z
        kernel.quads = any(
            each.number == ExecutionMode.DerivativeGroupQuadsKHR
            for each in index.modes.get(entry.function, [])
        )
        if kernel.quads and not has_quads(kernel.group):
            raise UnsupportedError(
                f"expected an even width and height of a workgroup of quads, got {x} x {y}"
            )


def has_early_tests(index: ModuleIndex, entry: SpirvEntryPoint) -> bool:
    """Return whether depth is tested before the fragment shader runs."""
    modes = index.modes.get(entry.function, [])
    return any(each.number == ExecutionMode.EarlyFragmentTests for each in modes)


def loose_widths(index: ModuleIndex, entry: SpirvEntryPoint) -> frozenset[int]:
    """Return the widths of floats whose subnormal numbers no execution mode is about."""
    modes = ExecutionMode.DenormFlushToZero, ExecutionMode.DenormPreserve
    return frozenset(FLOATS).difference(*(widths_of(index, entry, each) for each in modes))


def widths_of(index: ModuleIndex, entry: SpirvEntryPoint, mode: int) -> frozenset[int]:
    """Return the widths of floats that an execution mode names."""
    modes = index.modes.get(entry.function, [])
    return frozenset(each.words[0] for each in modes if each.number == mode and each.words)
