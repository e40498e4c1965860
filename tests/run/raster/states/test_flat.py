"""Fields of the states of a draw in one mapping."""

from __future__ import annotations

from typing import Any

import pytest

from unshade import UsageError
from unshade.run.raster.states.blend import blend_state
from unshade.run.raster.states.depth_stencil import depth_stencil_state
from unshade.run.raster.states.flat import states_of


def test_fields_go_to_their_states() -> None:
    given = {
        "depthBiasConstantFactor": 4, "DepthFunc": "always", "minDepthBounds": 0.25,
        "pass_op": "incr", "back.reference": 3, "SrcBlend": "one", "write_mask": "rgb",
        "targets.1.BlendOp": "max", "blendConstants": [1, 0, 0, 1],
    }  # fmt: skip
    found = states_of(given)
    assert found["rasterizer"] == {"depth_bias": 4}
    assert found["depth_stencil"] == {
        "depth_func": "always", "min_depth_bounds": 0.25, "front_face": {"pass_op": "incr"},
        "back_face": {"ref": 3},
    }  # fmt: skip
    every = {"src_blend": "one", "write_mask": "rgb"}
    assert found["blend"] == {
        "targets": [every, {**every, "blend_op": "max"}], "blend_factor": [1, 0, 0, 1],
    }  # fmt: skip
    assert depth_stencil_state(found["depth_stencil"]).function == "always"
    assert blend_state(found["blend"]).of(1).blend_op == "max"


def test_fields_change_a_preset() -> None:
    assert states_of({}) == {}
    assert blend_state(states_of({}, "alpha")["blend"]) == blend_state("alpha")
    state = blend_state(states_of({"write_mask": 7}, "alpha")["blend"]).of(0)
    assert (state.src_blend, state.write_mask) == ("src_alpha", 7)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("depth_fnc", "unknown field of a state 'depth_fnc'; did you mean depth_func"),
        ("front_face.up", "unknown field of a state 'front_face.up'"),
        ("targets.8.src_blend", "targets.8.src_blend: expected targets.0 to targets.7"),
        ("depth_func.x", "unknown field of a state 'depth_func.x'"),
    ],
)
def test_refusals(name: str, message: str) -> None:
    given: dict[str, Any] = {name: 1}
    with pytest.raises(UsageError, match=message):
        states_of(given)
