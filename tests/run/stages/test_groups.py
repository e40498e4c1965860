"""Mesh shaders: a dispatch whose groups give vertices and primitives, on both engines."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unshade
from tests.kernels import kernel_of
from tests.oracle.verify import check
from unshade.errors import LimitError, UsageError
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR as Code
from unshade.ir.lowered import Form, Lowered, LoweredResource, Points
from unshade.ir.memory import Port, Space
from unshade.ir.types import F32, I32
from unshade.run.engines import choose
from unshade.run.kernels import Kernel
from unshade.run.stages import groups
from unshade.vocab.slots import Direction, PointsSlot, PortSlot, Rate
from unshade.vocab.words import Stage, SystemValue

ENGINES = ["lockstep", "auto"]
VERTICES, PRIMITIVES = 4, 2


def ports(rate: Rate, place: Any, name: str, count: int) -> list[Port]:
    """The components of an output."""
    type = I32 if place == SystemValue.PRIMITIVE_INDICES else F32
    return [
        Port(
            f"{name}.{'xyzw'[at]}", type, slot=PortSlot(Direction.OUTPUT, rate, place, at), row=name
        )
        for at in range(count)
    ]


def given(name: str, rate: Rate, count: int, *several: list[Port]) -> Points:
    """Registers of four components one behind the other."""
    places = {
        port: 16 * register + 4 * at
        for register, row in enumerate(several)
        for at, port in enumerate(row)
    }
    return Points(name, count, 16 * len(several), PointsSlot(Direction.OUTPUT, rate), places)


def strips(stage: Stage = Stage.MESH) -> Lowered:
    """Each group makes a strip of as many vertices as the payload says, at (thread, group).

    The first thread counts vertices in shared memory, as programs with groups may; a triangle has
    its number and its group for a colour.
    """
    b = Builder(Code("mesh", stage, (4, 1, 1)))
    vertices = given(
        "vertices", Rate.VERTEX, VERTICES,
        ports(Rate.VERTEX, SystemValue.POSITION, "position", 4),
        ports(Rate.VERTEX, 0, "uv", 2),
    )  # fmt: skip
    triangles = given(
        "primitives", Rate.PRIMITIVE, PRIMITIVES,
        ports(Rate.PRIMITIVE, SystemValue.PRIMITIVE_INDICES, "indices", 3),
        ports(Rate.PRIMITIVE, 1, "colour", 2),
    )  # fmt: skip
    payload = b.memory("payload", Space.BUFFER, 4)
    made = b.memory("vertices", Space.BUFFER, 32, writable=True, slot=vertices.slot)
    indices = b.memory("triangles", Space.BUFFER, 32, writable=True, slot=triangles.slot)
    counts = [
        b.memory(f"{each.name}.count", Space.BUFFER, 4, writable=True, slot=each.counts)
        for each in (vertices, triangles)
    ]
    shared = b.memory("shared", Space.SHARED, 4, 1, writable=True)
    local, group = b.source("thread_id_in_group_flattened"), b.source("thread_group_id.x")
    wanted = b.load(payload, group, 0)
    with b.when(b.ult(local, wanted)):
        b.atomic_add(0, 0, b.i32(1), attr=shared)
    b.barrier(attr="group")
    count = b.load(shared, 0, 0)
    with b.when(b.ieq(local, 0)):
        b.store(counts[0], group, 0, b.umax(count, wanted))
        b.store(counts[1], group, 0, b.imax(b.isub(count, 2), 0))
    own = b.iadd(b.imul(group, VERTICES), local)
    x, y = b.utof(local, type=F32), b.utof(group, type=F32)
    for at, value in enumerate((x, y, b.f32(0.5), b.f32(1.0), b.fmul(x, 0.25), y)):
        b.store(made, own, 4 * at, value)
    with b.when(b.ult(b.iadd(local, 2), count)):
        odd = b.and_(local, 1)
        own = b.iadd(b.imul(group, PRIMITIVES), local)
        corners = local, b.iadd(b.iadd(local, 1), odd), b.isub(b.iadd(local, 2), odd)
        for at, value in enumerate((*corners, b.i32(9), x, y)):
            b.store(indices, own, 4 * at, value)
    return Lowered(
        check(b.kernel), [LoweredResource("payload", Form.RAW)], ["mesh"], [vertices, triangles]
    )


def kernel(engine: str = "lockstep", stage: Stage = Stage.MESH) -> Kernel:
    return kernel_of(strips(stage), None, choose(engine, False))


@pytest.mark.parametrize("engine", ENGINES)
def test_groups_give_vertices_and_primitives(engine: str) -> None:
    found = kernel(engine).dispatch(3, payload=np.array([3, 0, 4], np.uint32))
    assert found["position"].tolist() == [
        [x, y, 0.5, 1] for x, y in ((0, 0), (1, 0), (2, 0), (0, 2), (1, 2), (2, 2), (3, 2))
    ]
    assert found["uv"].tolist() == [[0.25 * x, y] for x, y, *_ in found["position"].tolist()]
    assert found["primitives"].tolist() == [[0, 1, 2], [3, 4, 5], [4, 6, 5]]
    assert found["colour"].tolist() == [[0, 0], [0, 2], [1, 2]]
    assert found["sources"].tolist() == [0, 0, 0, 2, 2, 2, 2]


def test_other_stages_with_groups_are_dispatched_alike() -> None:
    """An amplification shader is a dispatch as well, and gives what its lowering says."""
    found = kernel(stage=Stage.AMPLIFICATION).dispatch(1, payload=np.array([3], np.uint32))
    assert found["position"].shape == (3, 4)


@pytest.mark.parametrize("engine", ENGINES)
def test_outputs_beyond_those_declared_are_dropped_and_counted(engine: str) -> None:
    mesh = kernel(engine)
    found = mesh.dispatch(2, payload=np.array([3, 6], np.uint32))
    assert found["position"][:, 0].tolist() == [0, 1, 2, 0, 1, 2, 3]
    assert found["primitives"].shape == (3, 3)
    assert mesh.report.out_of_bounds == {"vertices": 2}


def test_inputs_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups, "ROOM", 600)
    with pytest.raises(LimitError):
        kernel().dispatch(4, payload=np.zeros(4, np.uint32))


def test_a_mesh_shader_is_dispatched() -> None:
    with pytest.raises(UsageError, match=re.escape("use dispatch()")):
        kernel().transform(3)


@pytest.mark.slow
def test_nothing_in_ir_and_vm_asks_for_the_stage() -> None:
    """Two properties of the kernel say what a stage means to them."""
    source = Path(unshade.__file__).parent
    asking = {
        path.name
        for folder in ("ir", "vm")
        for path in (source / folder).rglob("*.py")
        if re.search(r"\bStage\.|stage\s+(is|in|==|!=)\b", path.read_text(encoding="utf-8"))
    }
    assert asking == {"kernel.py"}


@pytest.mark.parametrize("engine", ENGINES)
def test_a_blend_program_is_pixels_with_two_colours(engine: str) -> None:
    """As SkSL has them: source over destination, each given as an input by its name."""
    b = Builder(Code("blend", Stage.PIXEL))

    def colour(direction: Direction, name: str) -> list[Port]:
        return [
            Port(f"{name}.{letter}", F32, slot=PortSlot(direction, Rate.PIXEL, name, at), row=name)
            for at, letter in enumerate("xyzw")
        ]

    source, under = (colour(Direction.INPUT, name) for name in ("src", "dst"))
    out = colour(Direction.OUTPUT, "color")
    b.kernel.inputs += source + under
    b.kernel.outputs += out
    rest = b.fsub(1.0, b.input(source[3]))
    for one, other, port in zip(source, under, out, strict=True):
        b.output(port, b.fadd(b.input(one), b.fmul(b.input(other), rest)))
    blend = kernel_of(Lowered(check(b.kernel), lines=["blend"]), None, choose(engine, False))
    found = blend.shade({"src": [[0.5, 0, 0, 0.5], [0, 0, 0, 0]], "dst": [[0, 1, 0, 1]] * 2})
    assert found["color"].tolist() == [[0.5, 0.5, 0, 1], [0, 1, 0, 1]]
