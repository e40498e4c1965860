"""Null bindings, of which reads give 0, and constant buffers that are too short."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.run.stages.test_primitives import assembled
from unshade import UsageError

TEXT = """\
cs_5_0
dcl_constantbuffer CB0[4], immediateIndexed
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_buffer (float,float,float,float) t1
dcl_resource_raw t2
dcl_resource_structured t3, 16
dcl_uav_raw u0
dcl_uav_typed_texture2d (float,float,float,float) u1
dcl_uav_structured_opc u2, 4
dcl_temps 3
dcl_thread_group 1, 1, 1
{body}
ret
"""
READS = {
    "constants": "mov r0.xyzw, cb0[3].xyzw",
    "sampled": "sample_l r0.xyzw, l(0.5, 0.5, 0, 0), t0.xyzw, s0, l(0)",
    "loaded": "ld r0.xyzw, l(0, 0, 0, 0), t0.xyzw",
    "size": "resinfo_uint r0.xyzw, l(0), t0.xyzw",
    "typed": "ld r0.xyzw, l(1, 0, 0, 0), t1.xyzw",
    "raw": "ld_raw r0.xyzw, l(0), t2.xyzw",
    "structured": "ld_structured r0.xyzw, l(0), l(0), t3.xyzw",
    "writable": "store_uav_typed u1.xyzw, l(0, 0, 0, 0), l(1.0, 1.0, 1.0, 1.0)\n"
    "ld_uav_typed r0.xyzw, l(0, 0, 0, 0), u1.xyzw",
    "counted": "store_structured u2.x, l(0), l(0), l(5)\n"
    "ld_structured r0.xyzw, l(0), l(0), u2.xxxx",
}


@pytest.mark.parametrize("engine", ["lockstep", "jit"])
@pytest.mark.parametrize("body", READS.values(), ids=READS)
def test_reads_of_nothing_give_0(body: str, engine: str) -> None:
    if engine == "jit":
        pytest.importorskip("llvmlite")
    kernel = assembled(TEXT.format(body=f"{body}\nstore_raw u0.xyzw, l(0), r0.xyzw"), engine)
    given: dict[str, Any] = dict.fromkeys(binding.name for binding in kernel.bindings)
    given["u0"] = np.full(4, 9, np.uint32)
    assert kernel.dispatch(1, **given)["u0"].tolist() == [0] * 4


def test_a_short_constant_buffer_ends_in_zeros() -> None:
    kernel = assembled(TEXT.format(body="store_raw u0.xyzw, l(0), cb0[0].xyzw"))
    given: dict[str, Any] = dict.fromkeys(binding.name for binding in kernel.bindings)
    for short in (np.array([1, 2], "<f4"), np.array([1, 2], "<f4").tobytes()):
        given["u0"] = np.zeros(4, np.float32)
        given["cb0"] = short
        assert kernel.dispatch(1, **given)["u0"].tolist() == [1, 2, 0, 0]
    with pytest.raises(UsageError, match="expected at least 16 numbers, got 2"):
        kernel.dispatch(1, **{**given, "cb0": [1.0, 2.0]})
