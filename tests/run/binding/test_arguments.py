"""Arguments as memories and back: typed views, counters, structures, texels."""

from __future__ import annotations

import numpy as np
import pytest

from tests.kernels import kernel_of
from tests.run.slots import lowered
from unshade import UsageError
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR as Code
from unshade.ir.lowered import Form, Lowered, LoweredResource
from unshade.ir.memory import Space
from unshade.ir.textures import Shape
from unshade.ir.types import F32
from unshade.model import (
    BufferKind,
    ConstantBuffer,
    Member,
    Reflection,
    ResourceKind,
    TypeClass,
    TypeDescription,
    Variable,
)
from unshade.model import Resource as Reflected
from unshade.run.kernels import Kernel
from unshade.vm.lockstep import Lockstep


def doubling(returns: str, shape: Shape = Shape.BUFFER) -> Kernel:
    """u0[thread] = 2 * u0[thread], the first component; a texture's texels in one row."""
    b = Builder(Code("main", group=(4, 1, 1)))
    u0 = b.memory("u0", Space.BUFFER, 16, writable=True)
    lane = b.source("thread_id.x")
    if returns in ("uint", "sint"):
        b.store(u0, lane, 0, b.imul(b.load(u0, lane, 0), 2))
    else:
        b.store(u0, lane, 0, b.fmul(b.load(u0, lane, 0, F32), 2.0))
    form = Form.TYPED if shape is Shape.BUFFER else Form.TEXTURE
    resource = LoweredResource("u0", form, 16, True, (returns,) * 4, shape)
    return kernel_of(Lowered(b.kernel, [resource]), None, Lockstep())


@pytest.mark.parametrize(
    ("returns", "given", "expected"),
    [
        ("unorm", np.array([0, 1, 100, 200], np.uint8), [0, 2, 200, 255]),
        ("snorm", np.array([-100, -1, 50, 100], np.int8), [-127, -2, 100, 127]),
        ("uint", np.array([1, 200, 3, 4], np.uint8), [2, 255, 6, 8]),
        ("sint", np.array([-100, 1, 2, 3], np.int8), [-128, 2, 4, 6]),
        ("float", np.array([0.25, 1, 2, 40000], np.float16), [0.5, 2, 4, np.inf]),
        ("float", np.array([[1, 7], [2, 7], [3, 7], [4, 7]], np.float32),
         [[2, 7], [4, 7], [6, 7], [8, 7]]),
    ],
)  # fmt: skip
def test_typed_buffers_keep_their_format(
    returns: str, given: np.ndarray[tuple[int, ...], np.dtype[np.float32]], expected: list[float]
) -> None:
    result = doubling(returns).dispatch(1, u0=given)
    assert result["u0"] is given
    assert given.tolist() == expected


def test_textures_that_are_written_come_back() -> None:
    image = np.arange(8, dtype=np.uint8).reshape(2, 4)
    result = doubling("unorm", Shape.D2).dispatch(2, u0=image)
    assert result["u0"] is image
    assert image.tolist() == (2 * np.arange(8)).reshape(2, 4).tolist()
    levels = [np.zeros((2, 2), np.float32), np.zeros((1, 1), np.float32)]
    with pytest.raises(
        UsageError, match="u0: expected one mip level, since the shader writes to it"
    ):
        doubling("unorm", Shape.D2).dispatch(1, u0=levels)


def test_counters_start_at_their_argument_and_are_returned() -> None:
    b = Builder(Code("main", group=(4, 1, 1)))
    u0 = b.memory("u0", Space.BUFFER, 4, writable=True)
    counter = b.memory("u0_counter", Space.BUFFER, 4, writable=True)
    place = b.atomic_add(b.i32(0), b.i32(0), b.i32(1), attr=counter)
    b.store(u0, place, 0, b.source("thread_id.x"))
    resources = {
        "u0": LoweredResource("u0", Form.STRUCTURED, 4, True),
        "u0_counter": LoweredResource("u0_counter", Form.COUNTER, 4, True),
    }
    kernel = kernel_of(lowered(b.kernel, resources.values()), None, Lockstep())
    assert [each.name for each in kernel.bindings] == ["u0", "u0_counter"]
    result = kernel.dispatch(1, u0=np.zeros(8, np.uint32))
    assert (result["u0_counter"], result["u0"].tolist()) == (4, [0, 1, 2, 3, 0, 0, 0, 0])
    result = kernel.dispatch(1, u0=np.zeros(8, np.uint32), u0_counter=3)
    assert (result["u0_counter"], result["u0"].tolist()) == (7, [0, 0, 0, 0, 1, 2, 3, 0])


def particles() -> Kernel:
    """y[i].v += y[i].p, of structures with names."""
    b = Builder(Code("main", group=(2, 1, 1)))
    u0 = b.memory("u0", Space.BUFFER, 20, writable=True)
    lane = b.source("thread_id.x")
    for at in range(2):
        v = b.load(u0, lane, 8 + 4 * at, F32)
        b.store(u0, lane, 8 + 4 * at, b.fadd(v, b.load(u0, lane, 4 * at, F32)))
    pair = TypeDescription(type_class=TypeClass.VECTOR, scalar="float", columns=2)
    number = TypeDescription(type_class=TypeClass.SCALAR, scalar="uint")
    particle = TypeDescription(
        name="Particle", type_class=TypeClass.STRUCT, scalar="void",
        members=[Member(name="p", offset=0, type=pair), Member(name="v", offset=8, type=pair),
                 Member(name="id", offset=16, type=number)],
    )  # fmt: skip
    reflection = Reflection(
        format="test",
        resources=[
            Reflected(
                name="Y", kind=ResourceKind.STRUCTURED_BUFFER, register_class="u", register=0,
                stride=20, writable=True,
            )
        ],
        constant_buffers=[
            ConstantBuffer(
                name="Y", kind=BufferKind.ELEMENT, size=20,
                variables=[Variable(name="$Element", offset=0, size=20, type=particle)],
            )
        ],
    )  # fmt: skip
    resources = {"u0": LoweredResource("u0", Form.STRUCTURED, 20, True)}
    return kernel_of(lowered(b.kernel, resources.values()), reflection, Lockstep())


def test_structures_bind_as_dicts_and_as_structured_arrays() -> None:
    kernel = particles()
    assert kernel.dtype("Y").names == ("p", "v", "id")
    assert kernel.dtype("Y").itemsize == 20
    array = np.zeros(2, kernel.dtype("Y"))
    array["p"] = [[1, 2], [3, 4]]
    array["v"] = 10
    result = kernel.dispatch(1, Y=array)
    assert result["Y"] is array
    assert array["v"].tolist() == [[11, 12], [13, 14]]
    given = [{"p": [1, 2], "v": [0, 0], "id": 7}, {"p": [3, 4], "v": [1, 1], "id": 8}]
    found = kernel.dispatch(1, Y=given)["Y"]
    assert found["v"].tolist() == [[1, 2], [4, 5]]
    assert found["id"].tolist() == [7, 8]


def test_a_register_comes_before_a_name_that_looks_like_one() -> None:
    b = Builder(Code("main"))
    resources = {}
    reflected = []
    for number in range(2):
        b.memory(f"cb{number}", Space.CONSTANT, 16)
        resources[f"cb{number}"] = LoweredResource(f"cb{number}", Form.CONSTANTS, 16, size=16)
        reflected.append(
            Reflected(
                name=f"cb{1 - number}", kind=ResourceKind.CONSTANT_BUFFER, register_class="b",
                register=number,
            )
        )  # fmt: skip
    reflection = Reflection(format="test", resources=reflected)
    kernel = kernel_of(lowered(b.kernel, resources.values()), reflection, Lockstep())
    assert [each.names for each in kernel.bindings] == [("cb0",), ("cb1",)]
    kernel.dispatch(1, cb0=bytes(16), cb1=bytes(16))


def test_names_are_found_in_their_register_space() -> None:
    b = Builder(Code("main"))
    resources = {}
    for name in ("t1", "t1_space2"):
        b.memory(name, Space.BUFFER, 4)
        resources[name] = LoweredResource(name, Form.RAW, 4)
    reflected = [
        Reflected(
            name=f"space{space}", kind=ResourceKind.RAW_BUFFER, register_class="t", register=0,
            space=space, count=None,
        )
        for space in (2, 0)
    ]  # fmt: skip
    kernel = kernel_of(
        lowered(b.kernel, resources.values()),
        Reflection(format="test", resources=reflected),
        Lockstep(),
    )
    assert [each.label for each in kernel.bindings] == ["space0[1]", "space2[1]"]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([{"p": [1, 2], "v": [0, 0]}], r"Y \(u0\)\[0\]: id missing"),
        ([{"p": [1, 2], "w": [0, 0], "id": 1}], r"Y \(u0\)\[0\] has no member 'w'"),
        ([3], r"Y \(u0\)\[0\]: expected a dict of p, v, id"),
        (np.zeros(3, np.float32), r"12 bytes is not a multiple of"),
        (np.zeros(5, [("a", "<f4", 2)]), "an element has 20 bytes"),
    ],
)
def test_structures_are_refused_by_member(given: object, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        particles().dispatch(1, Y=given)
