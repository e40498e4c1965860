"""The execution vectors of Direct3D through `dispatch` and `draw`, on both engines.

A probe that fails is refused, unless a rule of `EXCEPTIONS` explains it. Steps that the authors'
own implementation did not pass either ("upstream_todo") are counted apart.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from math import prod
from pathlib import Path

import pytest

import unshade
from tests.conformance.direct3d import Checked, Vector, entries
from tests.conformance.test_execution import ENGINES
from tests.ratchet import Ratchet
from tests.sampling import some


def unsigned_atomics(vector: Vector, checked: Checked) -> bool:
    """An unsigned minimum or maximum of a signed buffer: the compiler chose it by the operand.

    The source calls InterlockedMax on RWBuffer<int> with a uint; the expected values are signed.
    """
    for key in vector.said["shaders"].values():
        if vector.code != "dxbc":
            return False
        text = unshade.open(vector.folder / vector.name / key["dxbc"]).disassemble()
        signed = re.findall(r"dcl_uav_typed_\w+ \(sint,.*\) (u\d+)", text)
        if any(re.search(rf"atomic_u(min|max) {name},", text) for name in signed):
            form: str = vector.resources[checked.probe["resource"]].said["format"]
            return form.endswith("sint")
    return False


def added_by_every_thread(vector: Vector, checked: Checked) -> bool:
    """An atomic addition by several threads: the vector expects one thread's.

    Three threads that add -1 to 0 make -3; the vector has -1 (and leaves out two of its probes).
    """
    steps = [each for each in vector.said["steps"] if checked.probe in each.get("probes", [])]
    for step in steps:
        if step["op"] != "dispatch":
            return False
        files = vector.said["shaders"][step["shaders"]["cs"]]
        shader = unshade.open(vector.folder / vector.name / files["dxbc"])
        group = shader.reflect().thread_group or [1]
        slot, element = checked.probe["target"][3:], checked.probe["rect"][0]
        text = rf"atomic_iadd u{slot}, l\({element}\)"
        return bool(prod(group) > 1 and re.search(text, shader.disassemble()))
    return False


def never_drawn(vector: Vector, checked: Checked) -> bool:
    """A texture copied from a target that no step of the file draws or clears.

    The section that draws it is another test; only its copy is repeated as a prologue.
    """
    steps = vector.said["steps"]
    written = {step.get("target") for step in steps if step["op"] == "clear"}
    for step in steps:
        for key, name in step.get("bind", {}).items():
            if key[:3] in ("rtv", "dsv", "uav"):
                written.add(name)
    empty = {
        step["target"]
        for step in steps
        if step["op"] == "copy"
        and step["source"] not in written
        and vector.resources[step["source"]].said["data_u32"] is None
    }
    return any(
        checked.probe in step.get("probes", []) and empty & {*step.get("bind", {}).values()}
        for step in steps
    )


def evaluated_at_centroid(vector: Vector, checked: Checked) -> bool:
    """An attribute at the centroid of a pixel that is partly covered.

    Programs evaluate at positions relative to the centre, which is the centroid of a whole pixel.
    """
    for key in vector.said["shaders"].values():
        text = (vector.folder / vector.name / key["hlsl"]).read_text()
        if "EvaluateAttributeCentroid" in text:
            return any(step.get("sample_count", 1) > 1 for step in vector.said["steps"])
    return False


EXCEPTIONS: list[Callable[[Vector, Checked], bool]] = [
    unsigned_atomics,
    added_by_every_thread,
    never_drawn,
    evaluated_at_centroid,
]


@pytest.mark.parametrize("code", ["dxbc", "dxil"])
@pytest.mark.parametrize("engine", ENGINES)
def test_direct3d_vectors(corpus: Path, ratchet: Ratchet, engine: str, code: str) -> None:
    folder = corpus / "execution" / "direct3d"
    counts: Counter[str] = Counter()
    faults = []
    for entry in some(entries(folder, code)):
        vector = Vector(folder, entry["name"], engine=engine, code=code)
        for checked in vector.run():
            if checked.todo:
                counts["todo"] += 1
                counts["todo passed"] += checked.passed
                continue
            counts["probes"] += 1
            counts["passed"] += checked.passed
            if not checked.passed and not any(rule(vector, checked) for rule in EXCEPTIONS):
                faults.append(f"{vector.name}:{checked.probe['line']} {checked.fault}")
    name = f"execution/direct3d/{engine}" if code == "dxbc" else f"execution/direct3d/dxil/{engine}"
    ratchet(f"{name}: probes", counts["passed"], counts["probes"])
    ratchet(f"{name}: probes of upstream_todo", counts["todo passed"], counts["todo"])
    assert not faults, faults
