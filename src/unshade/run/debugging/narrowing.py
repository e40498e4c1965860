"""The lanes of a call that a traced pixel, or another item, can depend on.

    items    0 1 2 3   4 5 6 7   8 9 10 11        quads of a pixel shader
    traced             5
    run                4 5 6 7                    with operations on waves, its whole wave

Lanes of other quads and waves matter only through memories, so a kernel that writes one runs whole.
"""

import numpy as np

from ...dataclass import replace
from ...ir.kernel import KernelIR
from ...ir.memory import Space
from ...vm.launch import Array, Launch
from ...vocab.slots import Exchange

QUAD = 4

__all__ = ["can_narrow", "narrowed", "restore"]


def can_narrow(kernel: KernelIR) -> bool:
    """Return whether lanes of a kernel interact only within quads and waves."""
    return not kernel.dispatched and not any(
        memory.writable and memory.space is Space.BUFFER and memory.key is not Exchange.UNDEFINED
        for memory in kernel.memories
    )


def narrowed(kernel: KernelIR, launch: Launch, wanted: list[int]) -> tuple[Launch, Array]:
    """Return a launch of the quads or waves of some lanes, and the number that each lane had."""
    waves = any(value.op.attribute == "wave" for value in kernel.values())
    size = max(QUAD, kernel.wave) if waves else QUAD
    parts = np.unique(np.array(wanted, np.int64) // size)
    places = (parts[:, np.newaxis] * size + np.arange(size)).reshape(-1)
    places = places[places < launch.items]
    made = replace(
        launch,
        items=len(places),
        inputs={key: array[places] for key, array in launch.inputs.items()},
        outputs={key: array[places] for key, array in launch.outputs.items()},
        helpers=None if launch.helpers is None else launch.helpers[places],
    )
    return made, places


def restore(launch: Launch, part: Launch, places: Array) -> None:
    """Copy the outputs of a launch of some lanes to the outputs of the whole call."""
    for key, array in launch.outputs.items():
        array[places] = part.outputs[key]
