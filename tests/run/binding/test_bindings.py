"""Arrays of registers, and what is said where a binding is given something else than it takes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import unshade
from tests.kernels import kernel_of
from tests.run.packed import packed
from tests.run.slots import lowered
from unshade import UsageError
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR as Code
from unshade.ir.lowered import Form, LoweredResource
from unshade.ir.memory import Space
from unshade.ir.textures import Shape
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
from unshade.run import Sampler
from unshade.run.kernels import Kernel
from unshade.vm.lockstep import Lockstep

FLOAT = TypeDescription(type_class=TypeClass.SCALAR, scalar="float")
PAIR = TypeDescription(type_class=TypeClass.VECTOR, scalar="float", columns=2)


def arrays() -> Kernel:
    """U[i] = T[i] for registers t2_space1, t4_space1 and u0, u1: T is declared from t2 on."""
    b = Builder(Code("main", group=(4, 1, 1)))
    lane = b.source("thread_id.x")
    resources = {}
    for source, target in (("t2_space1", "u0"), ("t4_space1", "u1")):
        read = b.memory(source, Space.BUFFER, 4)
        written = b.memory(target, Space.BUFFER, 4, writable=True)
        b.store(written, lane, 0, b.load(read, lane, 0))
        resources[source] = LoweredResource(source, Form.RAW, 4)
        resources[target] = LoweredResource(target, Form.RAW, 4, True)
    reflected = [
        Reflected(
            name="T", kind=ResourceKind.RAW_BUFFER, register_class="t", register=2, space=1, count=5
        ),
        Reflected(
            name="U", kind=ResourceKind.RAW_BUFFER, register_class="u", register=0, count=2,
            writable=True,
        ),
    ]  # fmt: skip
    reflection = Reflection(format="test", resources=reflected)
    return kernel_of(lowered(b.kernel, resources.values()), reflection, Lockstep())


def row(number: int) -> Any:
    return np.full(4, number, np.uint32)


@pytest.mark.parametrize(
    "given",
    [
        {"T": [row(1), row(9), row(2)]},  # the second one is not used
        {"T": {0: row(1), 2: row(2)}},
        {"T[0]": row(1), "T[2]": row(2)},
        {"T[0]": row(1), "t4_space1": row(2)},
        {"t2_space1": row(1), "T": {2: row(2)}},
    ],
)
def test_registers_of_an_array_bind_together(given: dict[str, Any]) -> None:
    kernel = arrays()
    result = kernel.dispatch(1, U=[row(0), row(0)], **given)
    assert [each.tolist() for each in result["U"]] == [[1] * 4, [2] * 4]
    assert result["U[1]"].tolist() == result["u1"].tolist() == [2] * 4
    assert list(result) == ["U[0]", "U[1]"]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"T": [row(1)]}, r"T\[2\] \(t4_space1\) of T=\[…\] is not bound"),
        ({}, r"T\[0\] \(t2_space1\) of T=\[…\] is not bound: expected an array of any type"),
        ({"T": row(1)}, r"T \(t2_space1, t4_space1\): expected a list, since it is an array"),
        ({"T": [row(1)] * 3, "T[2]": row(1)}, r"T\[2\] \(t4_space1\) is given twice"),
        ({"T": [row(1)] * 3, "t4_space1": row(1)}, r"T\[2\] \(t4_space1\) is given twice"),
        (
            {"T": ["a", None, row(1)]},
            r"T\[0\] \(t2_space1\): expected an array of any type, got 'a'",
        ),
        ({"S": [row(1)]}, "unknown name 'S'"),
    ],
)
def test_arrays_are_refused_by_register(given: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        arrays().dispatch(1, U=[row(0), row(0)], **given)


# ---------------------------------------------------------------- every kind of binding

MATRIX = TypeDescription(
    type_class=TypeClass.MATRIX_COLUMNS, scalar="float", rows=2, columns=3, elements=[2]
)
BONE = TypeDescription(
    name="Bone", type_class=TypeClass.STRUCT, scalar="void", elements=[2],
    members=[Member(name="m", offset=0, type=MATRIX), Member(name="w", offset=96, type=FLOAT)],
)  # fmt: skip
SKIN = TypeDescription(
    name="Skin", type_class=TypeClass.STRUCT, scalar="void", elements=[2],
    members=[Member(name="bones", offset=0, type=BONE), Member(name="n", offset=224, type=PAIR)],
)  # fmt: skip
VERTEX = TypeDescription(
    name="Vertex", type_class=TypeClass.STRUCT, scalar="void",
    members=[
        Member(name="p", offset=0, type=PAIR),
        Member(
            name="uv", offset=8,
            type=TypeDescription(
                type_class=TypeClass.VECTOR, scalar="float", columns=2, elements=[2]
            ),
        ),
    ],
)  # fmt: skip
SKIN, VERTEX = packed(SKIN, True), packed(VERTEX, False)


def everything() -> Kernel:
    """One binding of each form, under a register and a name."""
    b = Builder(Code("main"))
    forms = {
        "cb0": LoweredResource("cb0", Form.CONSTANTS, 16, size=480),
        "t0": LoweredResource("t0", Form.RAW, 4),
        "t1": LoweredResource("t1", Form.STRUCTURED, 24),
        "t2": LoweredResource("t2", Form.TYPED, 16, returns=("unorm",) * 4, shape=Shape.BUFFER),
        "t3": LoweredResource("t3", Form.TEXTURE, 16, returns=("uint",) * 4, shape=Shape.CUBE),
        "s0": LoweredResource("s0", Form.SAMPLER),
        "u0": LoweredResource("u0", Form.STRUCTURED, 4, True),
        "u0_counter": LoweredResource("u0_counter", Form.COUNTER, 4, True),
        "cb1": LoweredResource("cb1", Form.CONSTANTS, 16, size=16),
    }
    for name, resource in forms.items():
        if resource.form is Form.CONSTANTS:
            b.memory(name, Space.CONSTANT, 16)
        elif resource.form is not Form.SAMPLER:
            b.memory(name, Space.BUFFER, resource.stride, writable=resource.writable)
    kinds = {
        "b0": ("Scene", ResourceKind.CONSTANT_BUFFER), "t0": ("Bytes", ResourceKind.RAW_BUFFER),
        "t1": ("Vertices", ResourceKind.STRUCTURED_BUFFER),
        "t2": ("Colours", ResourceKind.TYPED_BUFFER), "t3": ("Sky", ResourceKind.TEXTURE),
        "s0": ("Smooth", ResourceKind.SAMPLER), "u0": ("Out", ResourceKind.STRUCTURED_BUFFER),
    }  # fmt: skip
    reflection = Reflection(
        format="test",
        resources=[
            Reflected(
                name=label, kind=kind, register_class=at[0], register=int(at[1]),
                writable=at[0] == "u",
            )
            for at, (label, kind) in kinds.items()
        ],
        constant_buffers=[
            ConstantBuffer(
                name="Scene", kind=BufferKind.CONSTANT_BUFFER, size=480, resource=0,
                variables=[Variable(name="skins", offset=0, size=472, type=SKIN, used=True),
                           Variable(name="time", offset=476, size=4, type=FLOAT, used=True)],
            ),
            ConstantBuffer(
                name="Vertices", kind=BufferKind.ELEMENT, size=24,
                variables=[Variable(name="$Element", offset=0, size=24, type=VERTEX)],
            ),
        ],
    )  # fmt: skip
    return kernel_of(lowered(b.kernel, forms.values()), reflection, Lockstep())


def skin(start: float) -> dict[str, Any]:
    first = np.arange(6).reshape(2, 3) + start
    return {"bones": [{"m": [first, first + 10], "w": start}] * 2, "n": [start, 2]}


GIVEN: dict[str, Any] = {
    "Scene": {"skins": [skin(1.0), skin(2.0)], "time": 0.5},
    "Bytes": bytes(8),
    "Vertices": [{"p": [1, 2], "uv": [[3, 4], [5, 6]]}],
    "Colours": np.zeros((4, 4), np.uint8),
    "Sky": np.zeros((6, 2, 2), np.uint8),
    "Smooth": "point",
    "Out": np.zeros(4, np.uint32),
    "u0_counter": 3,
    "cb1": np.zeros(4, np.float32),
}


def test_everything_binds_by_register_and_by_name() -> None:
    kernel = everything()
    assert kernel.dispatch(1, **GIVEN)["Out_counter"] == 3
    registers = {each.label: each.name for each in kernel.bindings}
    kernel.dispatch(1, **{registers.get(name, name): value for name, value in GIVEN.items()})


def test_structures_of_arrays_of_matrices() -> None:
    """Columns are 16 bytes apart, elements begin a row: two columns of zeros behind each."""
    from unshade.run.binding.buffers import constants

    kernel = everything()
    data = constants(kernel.binding("Scene"), GIVEN["Scene"], {}).view("<f4")
    columns = [1, 4, 0, 0, 2, 5, 0, 0, 3, 6, 0, 0, 11, 14, 0, 0, 12, 15, 0, 0, 13, 16, 0, 0]
    assert data[:25].tolist() == [*columns, 1]
    assert data[28:53].tolist() == [*columns, 1]
    assert data[56:58].tolist() == [1, 2]
    assert data[60:62].tolist() == [2, 5]
    assert data[119] == 0.5
    array = np.zeros((), kernel.dtype("Scene"))
    array["skins"]["bones"]["w"] = [[1, 1], [2, 2]]
    array["skins"]["n"] = [[1, 2], [2, 2]]
    array["time"] = 0.5
    same = data.copy()
    array["skins"]["bones"]["m"] = np.frombuffer(data.tobytes(), kernel.dtype("Scene"))[0]["skins"][
        "bones"
    ]["m"]
    assert array.tobytes() == same.tobytes()


def test_packing_transposes_column_major_matrices_as_dicts_do() -> None:
    from unshade.run.binding.buffers import constants

    kernel = everything()
    scene = kernel.pack("Scene", GIVEN["Scene"])
    assert scene.dtype == kernel.dtype("Scene")
    data = constants(kernel.binding("Scene"), GIVEN["Scene"], {})
    assert scene.tobytes() == data[: scene.nbytes].tobytes()
    assert "(column-major: skins)" in kernel.binding("Scene").words
    assert "column-major" not in kernel.binding("Vertices").words


def test_a_variable_is_given_once() -> None:
    given = {**GIVEN, "Scene": {"time": 0.5, "skins": GIVEN["Scene"]["skins"]}}
    with pytest.raises(UsageError, match=r"Scene \(cb0\).time is given twice"):
        everything().dispatch(1, given, time=1.0)


def test_packing_takes_what_a_dict_has() -> None:
    kernel = everything()
    with pytest.raises(UsageError, match=r"Scene \(cb0\): expected a dict of its variables, got 3"):
        kernel.pack("Scene", 3)
    with pytest.raises(UsageError, match=r"Scene \(cb0\): Skin skins\[2\] missing"):
        kernel.pack("Scene", {"time": 1})
    with pytest.raises(UsageError, match="has no members to pack: it takes"):
        kernel.pack("Out_counter", 3)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("Scene", {"tme": 1}, r"Scene \(cb0\) has no variable 'tme'; did you mean time\?"),
        ("Scene", {"time": 1}, r"Scene \(cb0\): Skin skins\[2\] missing"),
        ("Scene", {"skins": [skin(1)], "time": 1},
         r"Scene \(cb0\).skins: expected 2 elements, got 1"),
        ("Scene", {"skins": [skin(1), {"bones": []}], "time": 1},
         r"Scene \(cb0\).skins\[1\].bones: expected 2 elements, got 0"),
        ("Scene", {"skins": [skin(1), {"bnes": []}], "time": 1},
         r"Scene \(cb0\).skins\[1\] has no member 'bnes'; did you mean bones\?"),
        ("Scene", {"skins": [skin(1), {"n": [1, 2]}], "time": 1},
         r"Scene \(cb0\).skins\[1\]: bones missing"),
        ("Scene", {"skins": [skin(1), skin(1)], "time": [1, 2]},
         r"Scene \(cb0\).time: expected a number, got 2 numbers"),
        ("Scene", {"skins": [skin(1), skin(1)], "time": None}, r"\(cb0\).time: expected numbers"),
        ("Scene", [0.0] * 60, r"Scene \(cb0\): expected at least 120 numbers, got 60"),
        ("Scene", "abc", r"Scene \(cb0\): expected a dict of .*, got 'abc'"),
        ("cb1", {"a": 1}, "cb1: expected 16 bytes, .* got a dict; its variables have no names"),
        ("cb1", 7, "cb1: expected at least 4 numbers, got 1"),
        ("Bytes", [[1], [2, 3]], r"Bytes \(t0\): expected an array of any type: "),
        ("Vertices", 5, r"Vertices \(t1\): expected a list of dicts of p, uv, got 5"),
        ("Vertices", {"p": 1}, r"Vertices \(t1\): expected a list of dicts of p, uv, got {'p'"),
        ("Vertices", [{"p": [1, 2]}], r"Vertices \(t1\)\[0\]: uv missing"),
        ("Vertices", [{"p": [1, 2], "uv": [1, 2]}],
         r"Vertices \(t1\)\[0\].uv\[0\]: expected 2 numbers, got a number"),
        ("Vertices", [{"p": [1], "uv": [[1, 2]] * 2}],
         r"Vertices \(t1\)\[0\].p: expected 2 numbers, got 1 numbers"),
        ("Vertices", np.zeros(5, np.float32), r"Vertices \(t1\).*20 bytes is not a multiple of 24"),
        ("Colours", np.zeros(4, np.int8),
         r"Colours \(t2\): expected texels of unorm in an array of"),
        ("Colours", np.zeros((4, 5), np.uint8), r"Colours \(t2\): .* got 5 components"),
        ("Sky", np.zeros((5, 2, 2), np.uint8),
         r"Sky \(t3\): expected the 6 faces of a cube, .* got \(5, 2, 2\)"),
        ("Sky", np.zeros((6, 2, 4), np.uint8),
         r"Sky \(t3\): expected square faces of a cube, .* got \(6"),
        ("Sky", np.zeros((2, 2), np.uint8),
         r"Sky \(t3\): expected an array \(6, height, width\[, 1 to 4\]\), got \(2, 2\)"),
        ("Sky", np.zeros((6, 2, 2), np.float32),
         r"Sky \(t3\): expected texels of uint in an array of"),
        ("Sky", Sampler(), r"Sky \(t3\): expected an array \(6, height, width\[, 1 to 4\]\), got"),
        ("Smooth", np.zeros(4), r"Smooth \(s0\): expected a Sampler, got \(4,\) float64"),
        ("Smooth", "smooth", "unknown sampler filter 'smooth'"),
        ("Out", np.zeros((3, 3), np.uint8),
         r"Out \(u0\): expected an array, 4 bytes an element, got"),
        ("u0_counter", "x", r"Out_counter \(u0_counter\): expected an integer from 0 to 2\^32 - 1"),
        ("u0_counter", -1, r"Out_counter \(u0_counter\): expected an integer from 0"),
    ],
)  # fmt: skip
def test_refusals_name_register_variable_and_accepted_values(
    name: str, value: Any, words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        everything().dispatch(1, **{**GIVEN, name: value})


@pytest.mark.parametrize(
    ("name", "rank", "component"),
    [("Colours", 1, "float"), ("Sky", 3, "uint"), ("Bytes", 0, ""), ("Smooth", 0, "")],
)
def test_rank_and_component_of_texels(name: str, rank: int, component: str) -> None:
    binding = everything().binding(name)
    assert (binding.rank, binding.component) == (rank, component)


def test_only_a_child_that_is_a_shader_has_texels() -> None:
    source = """uniform shader picture; uniform colorFilter tint; uniform blender mix;
half4 main(float2 p) { return mix.eval(tint.eval(picture.eval(p)), half4(1)); }"""
    kernel = unshade.kernel(unshade.assemble(source, "sksl"))
    assert {each.name: each.rank for each in kernel.bindings} == {
        "picture": 2, "tint": 0, "mix": 0,
    }  # fmt: skip


@pytest.mark.parametrize("name", ["Scene", "Bytes", "Vertices", "Colours", "Sky", "Out", "cb1"])
def test_missing_arguments_are_named(name: str) -> None:
    given = {label: value for label, value in GIVEN.items() if label != name}
    kernel = everything()
    words = f"{kernel.binding(name).where} is not bound: expected {kernel.binding(name).words}"
    with pytest.raises(UsageError) as error:
        kernel.dispatch(1, **given)
    assert str(error.value) == words
