"""The stages of a draw: their order, their API, the samples of a pixel."""

from collections.abc import Sequence
from typing import Any

from ....errors import UsageError
from ....vocab.words import Stage
from ...binding.numbers import shown as described
from ...execution import Execution
from ...runner import Runner

ORDERS = (
    (), (Stage.VERTEX,), (Stage.VERTEX, Stage.GEOMETRY), (Stage.VERTEX, Stage.HULL, Stage.DOMAIN),
    (Stage.VERTEX, Stage.HULL, Stage.DOMAIN, Stage.GEOMETRY), (Stage.MESH,),
    (Stage.AMPLIFICATION, Stage.MESH),
)  # fmt: skip


def stages_of(given: Runner | Sequence[Runner] | None) -> list[Execution]:
    """Return the stages before the rasteriser; UsageError if they cannot follow one another."""
    if given is None:
        return []
    stages = [given] if isinstance(given, Runner) else list(given)
    if not all(isinstance(each, Runner) for each in stages):
        raise UsageError(
            f"expected kernels, or None for vertices that are ready, got {given!r:.60}"
        )
    found = tuple(each.stage for each in stages)
    if found not in ORDERS:
        listed = ", ".join(found)
        raise UsageError(
            "expected a vertex shader, alone or followed by hull and domain shader, geometry"
            " shader, or both; or a mesh shader, alone or after an amplification shader,"
            f" got {listed}"
        )
    return [each.execution for each in stages]


def is_vulkan(executions: Sequence[Execution]) -> bool:
    """Return True if stages are joined by locations, as in Vulkan."""
    programs = [each.program for each in executions]
    return any(row.by_register for each in programs for row in (*each.inputs, *each.outputs))


def samples_of(executions: Sequence[Execution], given: int | None) -> int:
    """Return the samples of a pixel."""
    if given is not None:
        for each in executions[-1:]:
            with each.with_samples(given):
                return each.samples
        return 1 if given == 1 else _refused(given)
    return executions[-1].samples if executions else 1


def _refused(given: Any) -> int:
    raise UsageError(f"samples: expected 1 without a shader, got {described(given)}")
