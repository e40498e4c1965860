"""Mesh shaders: thread groups that make primitives, alone or launched by an amplification shader.

    amplification   group 0: payload, 2 1 1      group 1: payload, 0 0 0      …
    mesh            groups of the first launch, groups of the second launch, …

Launches are drawn in the order of the groups that they come from.

Source: the public specification of mesh shaders for Direct3D 12.
"""

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from ....model import SystemValue
from ....vm.launch import Array
from ....vocab.slots import LAUNCHED_GROUPS, LAUNCHED_PAYLOAD, ResourceClass
from ....vocab.words import Stage
from ...execution import Execution
from ...lanes import group_counts
from ...stages.groups import (
    NO_VERTEX,
    dispatch,
)
from ..blame import blamed
from ..statistics import PipelineStatistics
from ..vertices import Primitives, Vertices

Bindings = Mapping[Stage, Mapping[Any, Any] | None]
Launched = tuple[Any, dict[Any, Any]]  # groups along x, y and z, and the payload
NOWHERE = -1  # number of a vertex that its group does not output: the primitive is not drawn


def mesh_primitives(
    stages: Sequence[Execution],
    groups: Any,
    bindings: Bindings,
    statistics: PipelineStatistics | None = None,
) -> Primitives:
    """Run a mesh shader over thread groups; return its primitives, `culled` ones marked.

    With an amplification shader before it, `groups` are its own.
    """
    *before, mesh = stages
    launches: list[Launched] = [(groups, {})]
    if before:
        with blamed(before[0]):
            launches = _launches(before[0], mesh, groups, bindings.get(Stage.AMPLIFICATION) or {})
    given = bindings.get(Stage.MESH) or {}
    with blamed(mesh):
        parts = [_dispatched(mesh, count, {**given, **more}) for count, more in launches]
    scene = _joined(parts)
    if statistics is not None:
        threads = [prod(each.program.group) for each in stages]
        launched = sum(prod(group_counts(count)) for count, _ in launches)
        statistics.add(ms_invocations=launched * threads[-1], ms_primitives=len(scene.corners))
        if before:
            statistics.add(as_invocations=prod(group_counts(groups)) * threads[0])
    shown = np.all(scene.corners >= 0, axis=1)
    if not shown.all():
        kept = np.flatnonzero(shown)
        scene.corners, scene.number = scene.corners[kept], scene.number[kept]
        for key, array in scene.attributes.arrays.items():
            scene.attributes.arrays[key] = array[kept]
    culled = scene.attributes.meaning(SystemValue.CULLPRIMITIVE)
    scene.culled = None if culled is None else culled[:, 0] != 0
    return scene


def _launches(
    amplification: Execution, mesh: Execution, groups: Any, bindings: Mapping[Any, Any]
) -> list[Launched]:
    """Return the launches of an amplification shader's groups; at least one, which may be empty."""
    found = dispatch(amplification, group_counts(groups), bindings)
    payloads = np.ascontiguousarray(np.asarray(found[LAUNCHED_PAYLOAD]))
    counts = np.asarray(found[LAUNCHED_GROUPS]).reshape(-1, 3)
    taken = [
        each
        for each in mesh.program.bindings
        if each.slot is not None and each.slot.kind is ResourceClass.PAYLOAD
    ]
    size = taken[0].resource.stride if taken else 0

    def given(words: Array) -> dict[Any, Any]:
        if not taken:
            return {}
        made = np.zeros(max(size, words.nbytes), np.uint8)
        made[: words.nbytes] = words.view(np.uint8)
        return {taken[0].slot: made[:size].view("<u4").reshape(1, -1)}

    launches: list[Launched] = [
        (tuple(int(each) for each in count), given(payload.reshape(-1)))
        for count, payload in zip(counts, payloads, strict=True)
        if count.all()
    ]
    return launches or [((0, 0, 0), given(np.zeros(0, "<u4")))]


def _dispatched(mesh: Execution, groups: Any, bindings: Mapping[Any, Any]) -> Primitives:
    """Run a mesh shader over thread groups."""
    found = dispatch(mesh, group_counts(groups), bindings)
    corners = np.asarray(found["primitives"]).astype(np.int64)
    corners[corners == NO_VERTEX] = NOWHERE
    vertices = Vertices.of(mesh.program.outputs, found, len(found["sources"]))
    attributes = Vertices.of(mesh.program.primitives, found, len(corners))
    return Primitives(vertices, corners, np.arange(len(corners)), attributes, expanded=True)


def _joined(parts: Sequence[Primitives]) -> Primitives:
    """Return the primitives of several launches in one."""
    if len(parts) == 1:
        return parts[0]
    firsts = np.cumsum([0, *(each.vertices.count for each in parts)])
    corners = np.concatenate(
        [
            np.where(each.corners < 0, NOWHERE, each.corners + first)
            for each, first in zip(parts, firsts, strict=False)
        ]
    )
    return Primitives(
        _concatenated([each.vertices for each in parts]), corners, np.arange(len(corners)),
        _concatenated([each.attributes for each in parts]), expanded=True,
    )  # fmt: skip


def _concatenated(parts: Sequence[Vertices]) -> Vertices:
    """Return the vertices, or attributes of primitives, of several launches."""
    arrays = {key: np.concatenate([each.arrays[key] for each in parts]) for key in parts[0].arrays}
    return Vertices(parts[0].rows, arrays, sum(each.count for each in parts))
