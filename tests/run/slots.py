"""Slots for kernels that tests write by hand, by the usual labels of Direct3D."""

import re
from collections.abc import Iterable
from typing import Any

from unshade.ir.kernel import KernelIR
from unshade.ir.lowered import Lowered, LoweredResource
from unshade.vocab.slots import MemoryPart, ResourceClass, ResourceSlot

LABEL = re.compile(r"(cb|t|u|s)(\d+)(?:_space(\d+))?(_counter)?")
CLASSES = {
    "cb": ResourceClass.CONSTANTS, "t": ResourceClass.READ, "u": ResourceClass.WRITE,
    "s": ResourceClass.SAMPLER,
}  # fmt: skip


def slot_of(label: str) -> ResourceSlot | None:
    """The slot of `t3_space1`; None for what is called otherwise."""
    found = LABEL.fullmatch(label)
    if found is None:
        return None
    part = MemoryPart.COUNTER if found[4] else MemoryPart.DATA
    return ResourceSlot(CLASSES[found[1]], int(found[2]), int(found[3] or 0), part=part)


def lowered(kernel: KernelIR, resources: Iterable[LoweredResource]) -> Lowered:
    """The kernel, everything in it at the place that its label says."""
    made = list(resources)
    bound: list[Any] = [*kernel.memories, *kernel.textures, *kernel.samplers, *made]
    for each in bound:
        each.slot = slot_of(each.name)
    return Lowered(kernel, made)
