"""Pipelines that are known to work have no finding: those of the execution vectors.

The only findings are warnings of `state.target-type` about tests that draw to targets of another
type than their outputs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import unshade
from tests.ratchet import Ratchet
from tests.sampling import some
from unshade.analysis.pipelines import object_of, stages_of
from unshade.rule import is_finding

OTHER_TARGETS = ("rt-format-mismatch", "srv-buffers")  # integers to floats, or the other way round
CONFLICT = "embedded_root_signature_subobject_rt_conflict"  # two global root signatures
KINDS = {
    "storage": "storage_buffer", "storage_dynamic": "storage_buffer_dynamic",
    "uniform": "uniform_buffer", "uniform_dynamic": "uniform_buffer_dynamic",
}  # fmt: skip


@cache
def opened(path: Path) -> unshade.Shader:
    return unshade.open(path)


def draws(folder: Path) -> Iterator[tuple[str, list[Path], dict[str, Any]]]:
    """Yield the name, files and state of each draw of Direct3D's vectors, in each encoding."""
    for path in some(sorted(folder.glob("*/test*.json"))):
        test = json.loads(path.read_text())
        formats = {each["id"]: each["format"] for each in test["resources"]}
        for kind in ("dxbc", "dxbc_5_0", "dxil"):
            for step in test["steps"]:
                if step["op"] == "draw":
                    files = [_file(path, test, key, kind) for key in step["shaders"].values()]
                    known = [each for each in files if each is not None]
                    if len(known) == len(files):
                        yield path.parent.name, known, _state(step, formats)


def _file(path: Path, test: dict[str, Any], key: str, kind: str) -> Path | None:
    if key == "default_vs":
        return path.parent.parent / "_default" / ("vs.dxil" if kind == "dxil" else "vs.dxbc")
    name = test["shaders"][key].get(kind)
    return None if name is None else path.parent / name


def _state(step: dict[str, Any], formats: dict[str, str]) -> dict[str, Any]:
    targets = {
        int(key[3:]): formats[name] for key, name in step["bind"].items() if key[:3] == "rtv"
    }
    topology: str = step["topology"]
    return {
        "topology": "patch" if "patch" in topology else topology.split(maxsplit=1)[0],
        "input_layout": [
            {name: each[name] for name in ("semantic", "index", "format")}
            for each in step["input_layout"]
        ],
        "targets": [targets.get(at) for at in range(max(targets, default=-1) + 1)],
    }


def test_draws_of_direct3d(corpus: Path, ratchet: Ratchet) -> None:
    wrong: list[str] = []
    fine = total = 0
    for name, files, state in draws(corpus / "execution" / "direct3d"):
        total += 1
        stages = [each for path in files for each in stages_of(opened(path), path.name)]
        found = filter(is_finding, unshade.Pipeline(*stages, state=state).check())
        if name.rpartition("_")[0] in OTHER_TARGETS:
            found = filter(lambda each: each.code != "state.target-type", found)
        others = list(found)
        fine += not others
        wrong += [f"{name}: {each}" for each in others]
    assert not wrong
    ratchet("pipelines: draws of Direct3D without findings", fine, total)


def test_pipelines_of_vulkan_with_their_layouts(corpus: Path, ratchet: Ratchet) -> None:
    folder = corpus / "execution" / "vulkan"
    wrong: list[str] = []
    fine = total = 0
    for path in some(sorted(folder.glob("*/*.json"))):
        vector = json.loads(path.read_text())
        for each in vector["pipelines"]:
            stages = []
            for one in each["stages"]:
                module = vector["modules"][one["module"]]
                if "spv" in module:  # else it passes on a position
                    stages += stages_of(opened(folder / module["spv"]), entry=one["entry"])
            if not stages:
                continue
            total += 1
            made = unshade.Pipeline(*stages, layout=_layout(each), state=_targets(each))
            found = list(filter(is_finding, made.check()))
            fine += not found
            wrong += [f"{path.name}: {one}" for one in found]
    assert not wrong
    ratchet("pipelines: pipelines of Vulkan without findings", fine, total)


def _layout(pipeline: dict[str, Any]) -> dict[str, Any]:
    sets: dict[int, list[dict[str, Any]]] = {}
    for each in pipeline["bindings"]:
        sets.setdefault(each["set"], []).append(
            {
                "binding": each["binding"],
                "type": KINDS.get(each["kind"], each["kind"]),
                "count": len(each["items"]),
            }
        )
    push = pipeline.get("push_constant")
    return {
        "sets": [sets.get(at) for at in range(max(sets, default=-1) + 1)],
        "push_constants": [{"offset": push["offset"], "size": push["size"]}] if push else [],
    }


def _targets(pipeline: dict[str, Any]) -> dict[str, Any]:
    formats = {each["location"]: each["format"] for each in pipeline.get("color", ())}
    return {"targets": [formats.get(at) for at in range(max(formats) + 1)]} if formats else {}


def test_files_alone(corpus: Path, ratchet: Ratchet) -> None:
    """A stage alone has no finding but those that `verify` has."""
    paths = [
        *sorted((corpus / "dxcontainer").glob("*/*.dx*")), *sorted((corpus / "vbc").rglob("*.vbc")),
        *sorted((corpus / "shbin").rglob("*.shbin")), *sorted((corpus / "sksl").rglob("*.skslb")),
    ]  # fmt: skip
    fine = total = 0
    wrong: list[str] = []
    for path in some(paths):
        known = (".dxbc", ".dxil", ".vbc", ".shbin", ".skslb")
        if path.suffix not in known or "malformed" in path.parts:
            continue
        try:
            pipeline = unshade.Pipeline(unshade.open(path))
        except unshade.UnshadeError:
            continue  # without code, a library, stages of rays
        total += 1
        found = [each for each in pipeline.check() if is_finding(each)]
        fine += not found
        wrong += [f"{path.name}: {each}" for each in found]
    assert not wrong
    ratchet("pipelines: files alone without findings", fine, total)


def test_libraries(corpus: Path, ratchet: Ratchet) -> None:
    """Libraries of ray tracing and of work graphs, with their subobjects, have no finding.

    One is refused by the runtime, too: the test that it is from expects that.
    """
    fine = total = 0
    wrong: list[str] = []
    for path in sorted((corpus / "dxcontainer").glob("*/*.dxil")):
        try:
            shader = unshade.open(path)
            if shader.identity().stage != "library":
                continue
            found = [each for each in object_of([(shader, path.name)]).check() if is_finding(each)]
        except unshade.UnshadeError:
            continue
        total += 1
        fine += not found
        wrong += [f"{path.name}: {each}" for each in found if CONFLICT not in path.name]
    assert not wrong
    ratchet("pipelines: libraries without findings", fine, total)
