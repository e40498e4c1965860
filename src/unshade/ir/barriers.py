"""Attributes of barriers: whether lanes wait for their thread group, and the accesses in order.

    group                   wait; all accesses are in order, for all threads
    memory                  do not wait
    group.shared            wait; accesses to shared memory are in order
    memory.buffers.device   do not wait; accesses to buffers are in order, for all threads
    group.nothing           wait only

Engines order every access as it is written, so that only the first word matters to them.
"""

from ..tuples import NamedTuple

__all__ = ["ALL_MEMORY", "BarrierOrder", "barrier_words", "order_of", "waits_for_group"]


class BarrierOrder(NamedTuple):
    """The accesses that a barrier orders; with `device` threads of other groups see the order."""

    shared: bool = False
    buffers: bool = False
    images: bool = False
    device: bool = False


ALL_MEMORY = BarrierOrder(True, True, True, True)
FIRST = {True: "group", False: "memory"}
NOTHING = "nothing"


def barrier_words(waits: bool, order: BarrierOrder = ALL_MEMORY) -> str:
    """Return the attribute of a barrier."""
    if order == ALL_MEMORY:
        return FIRST[waits]
    words = [word for word, given in order._asdict().items() if given]
    return ".".join([FIRST[waits], *(words or [NOTHING])])


def waits_for_group(attr: str) -> bool:
    """Return True if lanes wait for their thread group."""
    return attr.partition(".")[0] == FIRST[True]


def order_of(attr: str) -> BarrierOrder:
    """Return the accesses that a barrier orders."""
    words = attr.split(".")[1:]
    return BarrierOrder(*(word in words for word in BarrierOrder._fields)) if words else ALL_MEMORY
