"""Modules of tests/families that are modelled on shaders of the corpus: golden results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unshade
from tests.conformance.test_execution import Environment, verdict
from tests.contract.installed import installed
from tests.families import dxil, spirv
from tests.families.handmade import Family

PUSHED = {"base": 9, "scale": 1.25, "off": [0.5, -0.75]}
BY_COLUMNS = {**PUSHED, "m": [[1, 3], [2, 4]]}
BY_ROWS = {**PUSHED, "m": [[1, 2], [3, 4]]}
CASES: list[tuple[type[Family], str, str, int, dict[str, Any]]] = [
    (spirv.SpirV, spirv.COLLATZ, "c05_divergent_loop", 1, {}),
    (spirv.SpirV, spirv.SUBGROUP, "c15_subgroup", 1, {}),
    (spirv.SpirV, spirv.CONSTANTS, "c25_specpush", 2, {"constants": {10: 64}}),
    (dxil.Dxil, dxil.COLLATZ, "c05_divergent_loop", 1, {}),
    (dxil.Dxil, dxil.WAVES, "c15_subgroup", 1, {}),
    (dxil.Dxil, dxil.CONSTANTS, "c25_specpush", 128, {}),
]


@pytest.mark.parametrize(("family", "text", "name", "groups", "options"), CASES)
def test_golden_results(
    family: type[Family],
    text: str,
    name: str,
    groups: int,
    options: dict[str, Any],
    corpus: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    golden = np.fromfile(corpus / "execution" / "golden" / f"{name}.comp.out", "<u4")
    if family is dxil.Dxil and "c25" in name:
        golden[2::4] = 1  # as README2.txt says of its thread groups
    environment = Environment()
    with installed(monkeypatch, spirv.ABOUT, dxil.ABOUT):
        shader = unshade.loads(family(text).to_bytes())
    for engine in ("lockstep", "auto"):
        kernel = unshade.kernel(shader, engine=engine, **options)
        given: dict[Any, Any] = {}
        for each in kernel.bindings:
            assert each.slot is not None
            if each.form == "constants":
                given[each.slot] = BY_COLUMNS if family is spirv.SpirV else BY_ROWS
            else:
                given[each.slot] = environment.buffers[each.slot.number].copy()
        results = kernel.dispatch(groups, given)
        (out,) = (each for each in kernel.bindings if each.writable)
        found = results[out.slot].view("<u4")[: len(golden)]
        assert verdict(name[:3], golden, found) in ("exact", "within")
