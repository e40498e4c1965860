"""The meanings of inputs without names: position, normal or texture coordinates, by their use.

    v0 changes the position               position
    v1 changes texcoord0, not more        uv
    v2 changes normalquat, not more       normal

The shader runs on random numbers, with random constants, once as it is and once with another number
in each input. Only outputs of the PICA200 tell what they are for without a name of their own.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...errors import UnshadeError
from ...model import SystemValue
from ...vm.launch import Array
from ..runner import Runner
from ..signature import SignatureRow
from ..stages.vertices import transform

COORDINATES = frozenset({SystemValue.TEXCOORD0, SystemValue.TEXCOORD1, SystemValue.TEXCOORD2})
NORMALS = frozenset({SystemValue.NORMALQUAT})
VERTICES = 8
CONSTANTS = "c", (96, 4)  # the bank of float constants


def uses_of_inputs(kernel: Runner, rows: Sequence[SignatureRow]) -> dict[str, str]:
    """Return the meaning of some inputs by their labels: those whose use is plain."""
    if not {row.meaning for row in kernel.outputs} & (COORDINATES | NORMALS):
        return {}
    chance = np.random.default_rng(1)

    def numbers(*shape: int) -> Array:
        return chance.uniform(0.25, 1.0, shape).astype("<f4")

    name, shape = CONSTANTS
    bank = {name: numbers(*shape)} if any(name in each.names for each in kernel.bindings) else {}
    given = {row.label: numbers(VERTICES, len(row.ports)) for row in kernel.inputs if row.asked}
    found = {}
    try:
        before = _outputs(kernel, given, bank)
        for row in rows:
            moved = {**given, row.label: numbers(VERTICES, len(row.ports))}
            after = _outputs(kernel, moved, bank)
            changed = {
                meaning for meaning, array in after.items()
                if not np.array_equal(array, before[meaning], equal_nan=True)
            }  # fmt: skip
            if SystemValue.POSITION in changed:
                found[row.label] = "position"
            elif changed and changed <= COORDINATES:
                found[row.label] = "uv"
            elif changed & NORMALS:
                found[row.label] = "normal"
    except UnshadeError:  # the shader cannot be run on such numbers
        return {}
    return found


def _outputs(kernel: Runner, given: dict[str, Array], bank: dict[str, Array]) -> dict[Any, Array]:
    """Return the outputs of vertices, by what they are for."""
    with np.errstate(all="ignore"):
        results = transform(kernel.execution, given, bank)
    return {row.meaning: np.asarray(results[row.label]) for row in kernel.outputs}
