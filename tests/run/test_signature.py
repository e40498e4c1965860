"""Semantics are a name and a number: TEXCOORD1 and TEXCOORD10 have nothing in common."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import unshade
from tests.examples import EXAMPLES
from tests.kernels import kernel_of
from tests.programs.tpf.lower.test_geometry import geometry
from tests.run.stages.test_primitives import assembled
from unshade import UsageError
from unshade.cli import main
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR as Code
from unshade.ir.lowered import Lowered
from unshade.ir.memory import Port
from unshade.ir.types import F32, I32
from unshade.model import ComponentType, SignatureParameter, Stage, SystemValue
from unshade.run.binding.results import Results
from unshade.run.engines import choose
from unshade.run.raster import draw
from unshade.run.raster.screen_triangles import check_outputs
from unshade.run.signature import KernelSignature, Key, SignatureRow, signature_of
from unshade.run.stages.vertices import add_row
from unshade.vocab.slots import Direction, Place, port_slot

# Register N is TEXCOORDN where there is no table.
VERTEX = """\
vs_5_0
dcl_input v0.xyzw
dcl_input v1.x
dcl_input v10.x
dcl_output_siv o0.xyzw, position
dcl_output o1.x
dcl_output o10.x
mov o0.xyzw, v0.xyzw
mov o1.x, v1.x
mov o10.x, v10.x
ret
"""
PIXEL = """\
ps_5_0
dcl_input_ps linear v1.x
dcl_input_ps linear v10.x
dcl_output o0.xy
mov o0.x, v1.x
mov o0.y, v10.x
ret
"""
CORNERS = np.array([[-1, -1, 0.5, 1], [-1, 3, 0.5, 1], [3, -1, 0.5, 1]], np.float32)


def row(name: str, index: int, numbered: bool = False, stream: int | None = None) -> SignatureRow:
    return SignatureRow(name, index, [None], np.dtype("<f4"), numbered=numbered, stream=stream)


def test_index_10_is_not_index_1() -> None:
    inputs = {"TEXCOORD": CORNERS, "texcoord1": [1.0, 2.0, 3.0], "TEXCOORD10": [7.0, 8.0, 9.0]}
    found = assembled(VERTEX).transform(inputs)
    assert found["TEXCOORD1"].tolist() == [1, 2, 3]
    assert found["TEXCOORD10"].tolist() == [7, 8, 9]
    with pytest.raises(UsageError, match="missing input TEXCOORD1 float32"):
        assembled(VERTEX).transform({"TEXCOORD": CORNERS, "TEXCOORD10": [7.0, 8.0, 9.0]})


def test_all_missing_inputs_are_named() -> None:
    both = r"missing inputs TEXCOORD1 float32 \(n,\); TEXCOORD10 float32 \(n,\)$"
    with pytest.raises(UsageError, match=both):
        assembled(VERTEX).transform({"TEXCOORD": CORNERS})
    with pytest.raises(UsageError, match=both):
        assembled(PIXEL).shade(3)
    reverse = unshade.kernel(unshade.open(EXAMPLES / "reverse.shbin"), entry="main1")
    with pytest.raises(
        UsageError, match=r"^missing inputs v1 float32 \(n, 1, 4\); v2 float32 .*; v5"
    ):
        reverse.expand({"v0": [[0, 0, 0, 1]]}, c=bytes(1536))


def test_stages_are_linked_by_name_and_number() -> None:
    vertices = {"TEXCOORD0": CORNERS, "TEXCOORD1": [1.0] * 3, "TEXCOORD10": [10.0] * 3}
    found = draw(assembled(VERTEX), assembled(PIXEL), vertices, None, (2, 2))
    assert found.targets["SV_Target0"].tolist() == [[[1, 10]] * 2] * 2
    only = VERTEX.replace("dcl_output o1.x\n", "").replace("mov o1.x, v1.x\n", "")
    message = "reads TEXCOORD1, the stage before outputs only SV_Position, TEXCOORD10"
    with pytest.raises(UsageError, match=message):
        draw(assembled(only), assembled(PIXEL), vertices, None, (2, 2))


def test_vertices_of_primitives() -> None:
    text = geometry(
        "mov o0.x, v[0][1].x\nmov o10.x, v[0][10].x\nemit_stream m0",
        inputs="dcl_input v[1][1].x\ndcl_input v[1][10].x",
        streams="dcl_stream m0\ndcl_outputtopology pointlist\ndcl_output o0.x\ndcl_output o10.x",
    )
    found = assembled(text).expand({"TEXCOORD10": [[10.0]], "TEXCOORD1": [[1.0]]})
    assert found["TEXCOORD"].tolist() == [1]
    assert found["TEXCOORD10"].tolist() == [10]


def test_registers_without_a_signature() -> None:
    shader = assembled(VERTEX)
    bare = kernel_of(shader.lowered, None, choose("lockstep", False))
    found = bare.transform({"v0": CORNERS, "v10": [10.0] * 3, "v1": [1.0] * 3})
    assert list(found) == ["o0", "o1", "o10"]
    assert found["o1"].tolist() == [1] * 3
    assert found["o10"].tolist() == [10] * 3


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "vertex.dxbc"
    unshade.assemble(VERTEX, "dxcontainer").save(path)
    values = "--bind", "TEXCOORD0=zeros(1,4)", "--bind", "TEXCOORD10=[10]"
    assert main(["run", str(path), *values, "--bind", "TEXCOORD1=[1]"]) == 0
    out = capsys.readouterr().out
    assert "TEXCOORD1  float32 (1,)  1\nTEXCOORD10  float32 (1,)  10\n" in out
    assert main(["run", str(path), *values]) == 2
    assert "missing input TEXCOORD1 float32 (n,)" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("rows", "text", "index"),
    [
        ([row("COLOR", 0)], "color", 0),
        ([row("COLOR", 0)], "Color0", 0),
        ([row("COLOR", 0, True), row("COLOR", 1, True)], "COLOR", 0),
        ([row("COLOR", 10, True), row("COLOR", 1, True)], "COLOR10", 0),
        ([row("COLOR", 10, True), row("COLOR", 1, True)], "COLOR1", 1),
        ([row("COLOR1", 0), row("COLOR", 10)], "COLOR10", 1),  # no compiler leaves a digit
        ([row("COLOR1", 0), row("COLOR", 10)], "COLOR1:0", 0),
        ([row("COLOR1", 0), row("COLOR", 1)], "COLOR1", 1),
        ([row("COLOR1", 0)], "COLOR1", 0),
        ([row("COLOR", 0, stream=1), row("COLOR", 0, stream=2)], "m2:COLOR", 1),
    ],
)
def test_spellings(rows: Sequence[SignatureRow], text: str, index: int) -> None:
    assert KernelSignature.of(rows).find(text) is rows[index]
    results = Results()
    for number, each in enumerate(rows):
        add_row(results, each, np.array([[float(number)]]))
    assert results[text].tolist() == [index]


def test_a_semantic_that_is_not_there() -> None:
    signature = KernelSignature.of([row("COLOR", 1), row("COLOR", 10)])
    for text in ("COLOR", "COLOR0", "COLOR100", "COLO"):
        with pytest.raises(UsageError, match=f"unknown semantic '{text}'"):
            signature.find(text)


def test_keys_know_no_case() -> None:
    assert row("TexCoord", 3).key == row("TEXCOORD", 3).key == Key("texcoord", 3)
    assert row("TEXCOORD", 3).key != row("TEXCOORD", 30).key


@pytest.mark.parametrize(
    ("place", "dtype"),
    [
        (SystemValue.RENDER_TARGET_ARRAY_INDEX, "<u4"),
        (SystemValue.GS_INSTANCE_ID, "<u4"),
        (SystemValue.COVERAGE, "<u4"),
        (SystemValue.DEPTH, "<f4"),
        (3, "<f4"),
    ],
)
def test_unlisted_ports_have_the_type_of_their_slot(place: Place, dtype: str) -> None:
    slots = [port_slot(Stage.PIXEL, Direction.OUTPUT, place, component) for component in (1, 2)]
    ports = [Port(f"any {slot.component}", I32, slot=slot, row="any") for slot in slots]
    (found,) = signature_of(ports, [], Stage.PIXEL, Direction.OUTPUT)
    assert (found.label, found.dtype, found.places) == ("any", np.dtype(dtype), slots)
    assert found.location == (place if isinstance(place, int) else None)
    assert found.letters == "yz"


def test_rows_that_share_a_register_are_found_by_their_own_slots() -> None:
    parameters = [
        SignatureParameter(
            semantic=name, register=0, components=letters, used=letters, component_type="float"
        )
        for name, letters in (("FACTOR", "w"), ("CENTER", "xyz"))
    ]
    found = signature_of([], parameters, Stage.PIXEL, Direction.INPUT)
    places = [port_slot(Stage.PIXEL, Direction.INPUT, 0, component) for component in range(4)]
    assert [found.find(each).name for each in places] == ["CENTER"] * 3 + ["FACTOR"]


def built_in(direction: Direction, place: Place, component: int = 0) -> Port:
    """A port of a family without signatures: its place is all that says what it is."""
    slot = port_slot(Stage.VERTEX, direction, place, component)
    return Port(f"{place}.{component}", I32, slot=slot, row=str(place))


def test_a_built_in_needs_no_signature_to_be_one() -> None:
    code = Code("main", Stage.VERTEX)
    b = Builder(code)
    number = built_in(Direction.INPUT, SystemValue.VERTEX_ID)
    corners = [built_in(Direction.OUTPUT, SystemValue.POSITION, at) for at in range(4)]
    distance = built_in(Direction.OUTPUT, SystemValue.CLIP_DISTANCE)
    code.inputs.append(number)
    code.outputs += [*corners, distance]
    for port in code.outputs:
        b.output(port, b.asint(b.utof(b.input(number), type=F32)))
    kernel = kernel_of(Lowered(code), None, choose("lockstep", False))
    assert kernel.transform(3)["position"][:, 0].tolist() == [0.0, 1.0, 2.0]
    assert check_outputs(kernel.outputs).slots[0] == corners[0].slot
    found = kernel.outputs.by_meaning(SystemValue.CLIP_DISTANCE)
    assert found is not None
    assert found.ports == [distance]


def test_single_components_keep_their_axis_on_request() -> None:
    kernel = assembled("vs_5_0\ndcl_input v0.x\ndcl_output o0.x\nmov o0.x, v0.x\nret\n")
    found = kernel.transform({"TEXCOORD": [1.0, 2.0, 3.0]})
    assert found["TEXCOORD"].shape == (3,)
    assert found.components("TEXCOORD").shape == found.components("texcoord0").shape == (3, 1)
    wide = assembled("vs_5_0\ndcl_input v0.xy\ndcl_output o0.xy\nmov o0.xy, v0.xyxx\nret\n")
    both = wide.transform({"TEXCOORD": np.ones((3, 2))})
    assert both.components("TEXCOORD").shape == both["TEXCOORD"].shape == (3, 2)


def test_a_register_that_a_semantic_has_under_several_indices_is_one_row() -> None:
    """dxc 1.5 lists `out vertices float4 v[3] : SV_Position` three times, all in register 0."""
    rows = [
        SignatureParameter(
            semantic="SV_Position", index=at, register=0, components="xyzw", used="xyzw",
            component_type=ComponentType.FLOAT32,
        )
        for at in range(3)
    ]  # fmt: skip
    found = signature_of([], rows, Stage.VERTEX, Direction.OUTPUT)
    assert [row.index for row in found] == [0]


def test_rows_are_found_by_name_and_by_number() -> None:
    rows = [SignatureRow(name, 0, [None], np.dtype("<f4")) for name in ("POSITION", "COLOR")]
    signature = KernelSignature.of(rows)
    assert len(signature) == 2
    assert signature[1] is signature[-1] is signature["color"] is rows[1]
    for which in (2, None, slice(0, 1)):
        with pytest.raises(UsageError, match=r"expected a name or a number below 2, got .*; known"):
            signature[which]  # type: ignore[index]


@pytest.mark.parametrize(
    ("name", "index", "spellings"),
    [
        ("in.var.NORMAL", 0, ("NORMAL0", "NORMAL", "in.var.NORMAL")),
        ("in.var.TEXCOORD0", 0, ("TEXCOORD0", "TEXCOORD", "in.var.TEXCOORD0")),
        ("out.var.TEXCOORD2", 0, ("TEXCOORD2", "out.var.TEXCOORD2")),
        ("in.var.ROWS", 3, ("ROWS3", "in.var.ROWS3")),
        ("in.var.7", 0, ("in.var.7",)),
        ("in.variable", 0, ("in.variable",)),
    ],
)
def test_names_by_dxc_contain_a_semantic(name: str, index: int, spellings: tuple[str, ...]) -> None:
    row = SignatureRow(name, index, [None], np.dtype("<f4"), listed=index > 0, by_register=True)
    assert tuple(each.replace(":", "") for each in row.names) == spellings
    signature = KernelSignature.of([row])
    for each in row.names:
        assert signature.find(each.swapcase()) is row


def test_a_variable_of_that_name_comes_first() -> None:
    rows = [
        SignatureRow(name, 0, [None], np.dtype("<f4"), listed=False) for name in ("in.var.UV", "UV")
    ]
    assert KernelSignature.of(rows).find("uv") is rows[1]
