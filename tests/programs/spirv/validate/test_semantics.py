"""Barriers in two halves: arriving only releases memory, waiting only acquires it.

Source: SPV_EXT_split_barrier; VUID-StandaloneSpirv-MemorySemantics-13556 and 13557.
"""

from __future__ import annotations

import pytest

from tests.programs.spirv.validate.lines import Rows, differing_modules

RELAXED, ACQUIRE, RELEASE, BOTH = 0, 2, 4, 8
WORKGROUP = 0x100  # the class of memory, which an order needs
HEAD = """OpCapability Shader
    OpCapability SplitBarrierEXT
    OpExtension "SPV_EXT_split_barrier"
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionMode %main LocalSize 1 1 1
    {types} %s = OpConstant %uint {}
    {main} Op"""
ARRIVE, WAIT = "ControlBarrierArriveEXT", "ControlBarrierWaitEXT"
ONLY = {ARRIVE: "arriving at a barrier only releases", WAIT: "waiting at a barrier only acquires"}


@pytest.mark.parametrize(("name", "allowed"), [(ARRIVE, RELEASE), (WAIT, ACQUIRE)])
def test_orders(name: str, allowed: int) -> None:
    texts = []
    for order in (RELAXED, ACQUIRE, RELEASE, BOTH):
        wrong = [f"Op{name}: {ONLY[name]}"] if order not in (RELAXED, allowed) else []
        texts.append((str(order and order | WORKGROUP), wrong))
    rows: Rows = (f"{HEAD}{name} %two %two %s {{end}}", "vulkan1.3", texts)
    assert differing_modules(rows) == []
