"""Names are labels: a kernel whose names are all random gives the same, run by slot."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import unshade
from tests.run.relabelled import compared
from unshade.vocab.slots import (
    Direction,
    PortSlot,
    Rate,
    ResourceClass,
    ResourceSlot,
    port_slot,
)
from unshade.vocab.words import Stage, SystemValue

EXAMPLES = Path(__file__).parents[2] / "examples"
SHADERS = {  # one of each stage
    "saxpy": Stage.COMPUTE, "phong": Stage.PIXEL, "skinning": Stage.VERTEX,
    "billboards": Stage.GEOMETRY, "sheet.h": Stage.HULL, "sheet.d": Stage.DOMAIN,
}  # fmt: skip


@pytest.mark.parametrize("engine", ["lockstep", "jit"])
@pytest.mark.parametrize(("name", "stage"), SHADERS.items(), ids=str)
def test_names_do_not_matter(name: str, stage: Stage, engine: str) -> None:
    if engine == "jit":
        pytest.importorskip("llvmlite")
    shader = unshade.open(EXAMPLES / f"{name}.dxbc")
    assert shader.programs[0].entry_points[0].stage == stage
    assert compared(shader, engine, seed=len(name)) > 0


def test_bindings_are_found_by_slot() -> None:
    kernel = unshade.kernel(unshade.open(EXAMPLES / "saxpy.dxbc"), engine="lockstep")
    x, y = (kernel.binding(name).slot for name in ("X", "Y"))
    assert (x, y) == (ResourceSlot(ResourceClass.READ, 0), ResourceSlot(ResourceClass.WRITE, 1))
    given = {x: np.ones(64, "f4"), y: np.zeros(64, "f4")}
    found = kernel.dispatch(1, given, a=2.0, n=64)
    assert found[y].tolist() == found["Y"].tolist() == [2.0] * 64
    assert kernel.binding(ResourceSlot(ResourceClass.READ, 0)) is kernel.binding("X")


def test_binding_by_slot_and_by_name_is_refused() -> None:
    kernel = unshade.kernel(unshade.open(EXAMPLES / "saxpy.dxbc"), engine="lockstep")
    slot = ResourceSlot(ResourceClass.READ, 0)
    x = np.ones(64, "f4")
    with pytest.raises(unshade.UsageError, match=r"X \(t0\) is given twice"):
        kernel.dispatch(1, {slot: x}, X=x, Y=np.zeros(64, "f4"), a=2.0, n=64)
    with pytest.raises(unshade.UsageError, match="X is given twice"):
        kernel.dispatch(1, {"X": x}, X=x, Y=np.zeros(64, "f4"), a=2.0, n=64)


def test_inputs_and_outputs_are_found_by_slot() -> None:
    kernel = unshade.kernel(unshade.open(EXAMPLES / "skinning.dxbc"), engine="lockstep")
    row = next(iter(kernel.inputs))
    assert kernel.inputs.find(row.slots[0]) is row
    with pytest.raises(unshade.UsageError, match="no input or output"):
        kernel.inputs.find(PortSlot(Direction.OUTPUT, Rate.PATCH, 31))


def test_stages_have_their_own_rates() -> None:
    at = SystemValue.PRIMITIVE_ID
    assert port_slot(Stage.HULL, Direction.INPUT, 0).rate is Rate.CONTROL_POINT
    assert port_slot(Stage.DOMAIN, Direction.OUTPUT, 0).rate is Rate.VERTEX
    assert port_slot(Stage.GEOMETRY, Direction.INPUT, at).rate is Rate.PRIMITIVE
    assert port_slot(Stage.HULL, Direction.OUTPUT, 0, rate=Rate.PATCH).rate is Rate.PATCH
