"""Metrics: counts of the reflection and costs, by entry point."""

from __future__ import annotations

import pytest

import unshade
from tests.examples import EXAMPLES
from unshade.analysis.budgets import Budget, check
from unshade.analysis.cost import CostUnit
from unshade.analysis.metrics import COST_METRICS, METRICS, MeasuredEntry, measured_entries
from unshade.model import Reflection, Statistics
from unshade.model.reflection import SharedMemory

PHONG = unshade.open(EXAMPLES / "phong.dxbc")
REVERSE = unshade.open(EXAMPLES / "reverse.shbin")


def test_costs_are_those_of_cost() -> None:
    shader = unshade.open(EXAMPLES / "gyroid.dxbc")
    counted = unshade.cost(shader)
    [entry] = measured_entries(shader)
    values = {name: metric.of(entry) for name, metric in COST_METRICS.items()}
    assert values["longest-chain"] == counted.chain.length
    assert values["live-registers"] == counted.peak.registers
    left_out = {CostUnit.MOVE, CostUnit.INTERFACE}
    for unit in {*CostUnit} - left_out:
        expected = counted.units[unit].most if unit in counted.units else 0
        assert values[f"{unit}-operations"] == expected, unit
    several = [each.most or 0 for unit, each in counted.units.items() if unit not in left_out]
    assert values["operations"] == sum(several) > 0


def test_operations_of_a_loop_without_a_bound_are_unknown() -> None:
    [entry] = measured_entries(PHONG)  # its loop counts to a constant of a buffer
    assert METRICS["operations"].of(entry) is None
    assert METRICS["texture-operations"].of(entry) == 2  # those are outside of the loop
    [row] = check(PHONG, "phong.dxbc", [Budget({"operations": 10**9})])
    assert row.unknown
    assert not row.over


def test_costs_of_each_entry_point() -> None:
    whole, vertex, geometry = measured_entries(REVERSE)
    assert list(whole.metrics) == ["bytes"]
    assert whole.name is None
    for entry in (vertex, geometry):
        expected = unshade.cost(REVERSE, entry=entry.name).peak.registers
        assert METRICS["live-registers"].of(entry) == expected
        assert METRICS["bytes"].of(entry) is None


def test_costs_of_modules_with_one_name() -> None:
    shader = unshade.open(EXAMPLES / "everything.vbc")
    _, *entries = measured_entries(shader)
    found = [METRICS["operations"].of(each) for each in entries]
    assert [each.name for each in entries] == ["main", "main"]
    expected = [
        sum(count.most or 0 for unit, count in unshade.cost(shader, number).units.items()
            if unit not in (CostUnit.MOVE, CostUnit.INTERFACE))
        for number in range(2)
    ]  # fmt: skip
    assert found == expected
    assert found[0] != found[1]


def test_samples_are_reads_of_every_kind() -> None:
    names = [name for name in Statistics.FIELDS if name.startswith("texture_")]
    counted = Statistics(computed=False, **{name: 1 << n for n, name in enumerate(names)})
    found = Reflection(format="x", statistics=counted)
    assert METRICS["samples"].of(MeasuredEntry(found)) == (1 << len(names)) - 1
    counted.texture_gathers = None  # one that is not known makes the sum unknown
    assert METRICS["samples"].of(MeasuredEntry(found)) is None
    assert METRICS["instructions"].of(MeasuredEntry(Reflection(format="x"))) is None


def test_shared_memory_is_summed_up() -> None:
    memory = [SharedMemory(register=n, size=64) for n in range(2)]
    found = Reflection(format="x", shared_memory=memory)
    assert METRICS["shared-bytes"].of(MeasuredEntry(found)) == 128


@pytest.mark.parametrize(
    "name",
    [
        "phong.dxbc",
        "saxpy6.dxil",
        "reverse.shbin",
        "julia.skslb",
        "clay.frag.spv",
        "everything.vbc",
    ],
)
def test_what_reflection_counts_can_be_limited(name: str) -> None:
    shader = unshade.open(EXAMPLES / name)
    found = shader.reflect()
    for each in (found, *found.entry_points):
        known = each.statistics.to_dict() if each.statistics is not None else {}
        names = [name.replace("_", "-") for name, value in known.items() if value is not None]
        limited = [name for name in names if name in METRICS]
        assert [name for name in limited if not METRICS[name].counted_for(shader.format)] == []
