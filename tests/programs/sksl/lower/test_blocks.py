"""Interface blocks: uniforms with the layout std140, inputs and outputs, arrays of blocks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.programs.sksl.lower.support import kernels
from unshade import UnsupportedError, UsageError
from unshade.formats.sksl import SkslShader
from unshade.isa.source import Source
from unshade.vocab.words import BlockLayout, BufferKind, SystemValue


def fragment(text: str, kind: str = "fragment") -> SkslShader:
    return SkslShader.assemble([Source(text)], kind=kind)


def floats(values: list[Any]) -> np.ndarray[Any, Any]:
    return np.array(values, np.float32)


def results(shader: SkslShader, inputs: Any, **bound: Any) -> dict[str, Any]:
    """Return the outputs of a program, which all engines agree on."""
    found = [each.shade(inputs, **bound) for each in kernels(shader)]
    for each in found[1:]:
        for name in each:
            assert np.asarray(each[name]).tobytes() == np.asarray(found[0][name]).tobytes()
    return {name: np.asarray(found[0][name]) for name in found[0]}


UNIFORMS = """
in float i;
out float4 color;
layout(set=2, binding=3) uniform Block {
    float a;
    float3 b;
    float2 k[3];
    float3x2 m;
    half2 h;
    short on;
    int n;
} block;
void main() {
    float2 chosen = block.k[int(i)];
    float h = block.on > 0 ? float(block.h.y) : 0;
    color = float4(block.a + block.b.z, chosen.y, block.m[2].y, h);
    color.x += float(block.n);
}
"""


def test_offsets_are_those_of_std140() -> None:
    found = fragment(UNIFORMS).reflect()
    (buffer,) = found.constant_buffers
    assert (buffer.name, buffer.kind) == ("block", BufferKind.CONSTANT_BUFFER)
    assert buffer.layout is BlockLayout.STD140
    places = {each.name: (each.offset, each.size) for each in buffer.variables}
    assert places == {
        "a": (0, 4), "b": (16, 12), "k": (32, 48), "m": (80, 48), "h": (128, 8), "on": (136, 4),
        "n": (140, 4),
    }  # fmt: skip
    assert buffer.size == 144
    assert buffer.variables[2].type.strides == [16]
    assert buffer.variables[3].type.matrix_stride == 16
    (resource,) = found.resources
    assert (resource.space, resource.register, resource.count) == (2, 3, 1)


def test_values_are_read_at_their_offsets() -> None:
    data = np.zeros(36, np.float32)
    data[[0, 6]] = 1, 10  # a, b.z
    data[[9, 13, 17]] = 20, 30, 40  # k[…].y
    data[29], data[33] = 50, 60  # m[2].y, h.y
    data.view(np.int32)[[34, 35]] = 1, 5  # on, n
    found = results(fragment(UNIFORMS), {"i": floats([0, 1, 2, 7])}, block=data)
    assert found["color"].tolist() == [[16, y, 50, 60] for y in (20, 30, 40, 40)]


CHOSEN = """
in float2 i;
out float color;
layout(binding=3) uniform Block {{ float pad; {type} m; }} block;
void main() {{ color = float(block.m{index}); }}
"""
COLUMN, ROW = "[int(i.x)]", "[int(i.y)]"


@pytest.mark.parametrize(
    ("type", "index", "step", "shape"),
    [
        ("float3x3", COLUMN + ROW, (4, 1), (3, 3)),
        ("float2x2", COLUMN + ROW, (4, 1), (2, 2)),
        ("float4x4", COLUMN + ROW, (4, 1), (4, 4)),
        ("float2x3", COLUMN + ".z", (4, 0), (2, 3)),
        ("float3x2", "[2]" + ROW, (0, 1), (3, 2)),
        ("half3 a; float3", ROW, (0, 1), (1, 3)),
        ("float2x2 a[3]; float2x2", COLUMN + ROW, (4, 1), (2, 2)),
    ],
)
def test_elements_that_are_chosen_at_run_time(
    type: str, index: str, step: tuple[int, int], shape: tuple[int, int]
) -> None:
    """Columns lie 16 bytes apart, so that some steps of a number are longer than others."""
    shader = fragment(CHOSEN.format(type=type, index=index))
    (buffer,) = shader.reflect().constant_buffers
    first = buffer.variables[-1].offset // 4 + {"[2]" + ROW: 8, COLUMN + ".z": 2}.get(index, 0)
    pairs = [(column, row) for column in range(shape[0]) for row in range(shape[1])]
    data = np.arange(buffer.size // 4, dtype=np.float32)
    found = results(shader, {"i": floats(pairs)}, block=data)
    wanted = [first + column * step[0] + row * step[1] for column, row in pairs]
    assert np.ravel(found["color"]).tolist() == wanted


NAMED = "out float4 c; uniform B { float x; half2 y[2]; }; void main() { c = y[1].xyxy * x; }"


def test_values_by_name() -> None:
    found = results(fragment(NAMED), (1, 1), B={"x": 2.0, "y": [[1, 2], [3, 4]]})
    assert found["c"].ravel().tolist() == [6, 8, 6, 8]


ARRAY = """
in float i;
out float2 color;
layout(binding=3) uniform Each { float pad; float z; } each[3];
void main() { color = float2(each[1].z, each[int(i)].z); }
"""


def test_each_element_of_an_array_of_blocks_is_bound() -> None:
    found = fragment(ARRAY).reflect()
    assert [(each.register, each.count) for each in found.resources] == [(3, 3)]
    bound = {f"each[{at}]": floats([0, 10 + at, 0, 0]) for at in range(3)}
    values = results(fragment(ARRAY), {"i": floats([0, 2])}, **bound)
    assert values["color"].tolist() == [[11, 10], [11, 12]]


PORTS = """
in From { float2 a; layout(location=5) half b; } from;
out To { float2 c; float d; };
void main() { c = from.a.yx; d = float(from.b) * 2; }
"""


def test_members_of_other_blocks_are_inputs_and_outputs() -> None:
    shader = fragment(PORTS)
    found = shader.reflect()
    assert [(each.semantic, each.register) for each in found.inputs] == [
        ("from.a", 0),
        ("from.b", 5),
    ]
    assert [(each.semantic, each.register) for each in found.outputs] == [("c", 0), ("d", 1)]
    given = {"from.a": floats([[1, 2]]), "from.b": floats([3])}
    values = results(shader, given)
    assert values["c"].tolist() == [[2, 1]]
    assert values["d"].ravel().tolist() == [6]


def test_builtin_members_have_their_meaning() -> None:
    text = "out P { layout(builtin=0) float4 place; }; void main() { place = float4(1); }"
    (port,) = fragment(text, "vertex").reflect().outputs
    assert port.system_value is SystemValue.POSITION


def test_push_constants() -> None:
    text = """
    layout(push_constant) uniform Push { float a[2]; float3 b; };
    out float4 c;
    void main() { c = float4(a[1], b); }
    """
    shader = fragment(text)
    found = shader.reflect()
    assert found.resources == []
    (buffer,) = found.constant_buffers
    assert (buffer.kind, buffer.layout) == (BufferKind.PUSH_CONSTANTS, BlockLayout.STD430)
    assert [each.offset for each in buffer.variables] == [0, 16]


def test_members_are_at_the_offsets_that_are_given() -> None:
    text = """
    layout(binding=1) uniform B { layout(offset=16) float a; layout(offset=48) float3 b; float c; };
    out float4 color;
    void main() { color = float4(a, b.x, b.z, c); }
    """
    shader = fragment(text)
    (buffer,) = shader.reflect().constant_buffers
    assert [each.offset for each in buffer.variables] == [16, 48, 60]
    assert buffer.size == 64
    found = results(shader, (1, 1), B=np.arange(16, dtype=np.float32))
    assert found["color"].ravel().tolist() == [4, 12, 14, 15]


@pytest.mark.parametrize(
    ("member", "message"),
    [
        ("layout(offset=8) float3 b", "expected an offset of b that is a multiple of 16, got 8"),
        ("layout(offset=0) float b", "expected an offset of b that is at least 4, got 0"),
    ],
)
def test_offsets_that_do_not_fit_are_refused(member: str, message: str) -> None:
    text = f"uniform B {{ float a; {member}; }} named; out float c; void main() {{ c = named.a; }}"
    with pytest.raises(UnsupportedError, match=f"named: {message}"):
        fragment(text).program.lower()


TWO = """
layout({}) uniform First {{ float a; }} first;
layout({}) uniform Second {{ float a; float b; }} second;
layout(binding=1) uniform Third {{ float c; }};
out float3 color;
void main() {{ color = float3(first.a, second.a, second.b + c); }}
"""


def test_blocks_without_a_binding_have_one_that_no_other_has() -> None:
    shader = fragment(TWO.replace("layout({}) ", "").replace("{{", "{").replace("}}", "}"))
    assert [each.register for each in shader.reflect().resources] == [0, 2, 1]
    given = {"first": {"a": 1}, "second": {"a": 2, "b": 3}, "c": 10}
    assert results(shader, (1, 1), **given)["color"].ravel().tolist() == [1, 2, 13]


def test_blocks_with_one_binding_are_one_descriptor() -> None:
    shader = fragment(TWO.format("binding=5", "binding=5"))
    for name in ("first", "second", "set0_binding5"):
        found = results(shader, (1, 1), **{name: floats([7, 8, 0, 0])}, c=10)
        assert found["color"].ravel().tolist() == [7, 7, 18]
    kernel = kernels(shader)[0]
    with pytest.raises(UsageError, match=r"\(set0_binding5\) is given twice"):
        kernel.shade((1, 1), first={"a": 1}, second={"a": 2, "b": 3}, c=10)


def test_members_of_blocks_with_one_binding_and_one_name() -> None:
    text = TWO.format("binding=5", "binding=5").replace("float a; } first", "float b; } first")
    shader = fragment(text.replace("first.a", "first.b"))
    for given in (
        {"first": {"b": 7}, "b": 8}, {"first.b": 7, "b": 8}, {"second": {"a": 7, "b": 8}},
        {"first": {"b": 7, "a": 7}, "b": 8},
    ):  # fmt: skip
        assert results(shader, (1, 1), **given, c=10)["color"].ravel().tolist() == [7, 7, 18]
    kernel = kernels(shader)[0]
    words = next(each.words for each in kernel.bindings if each.label == "second")
    assert words.endswith("; one descriptor with first")
    with pytest.raises(
        UsageError, match=r"first\.b has bytes in common with another member, which is"
    ):
        kernel.shade((1, 1), first={"b": 7}, a=6, b=8, c=10)
    with pytest.raises(UsageError, match=r"float b missing"):
        kernel.shade((1, 1), first={"b": 7}, c=10)


def test_sets_have_bindings_of_their_own() -> None:
    shader = fragment(TWO.format("set=1, binding=0", "set=2, binding=0"))
    given = {"set1_binding0": {"a": 1}, "second": {"a": 2, "b": 3}, "c": 10}
    assert results(shader, (1, 1), **given)["color"].ravel().tolist() == [1, 2, 13]


def test_a_block_cannot_be_assigned() -> None:
    shader = fragment("uniform B { float x; }; out float c; void main() { c = x; }")
    data = shader.to_data()
    (statement,) = data["program"]["elements"][-1]["body"]["statements"]
    binary = statement["expression"]
    binary["left"], binary["right"] = binary["right"], binary["left"]
    with pytest.raises(UnsupportedError, match="expected a variable that can be assigned"):
        SkslShader.from_data(data).program.lower()
