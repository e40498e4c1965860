"""Interfaces are bound to classes: by number, by the names of the source, on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import unshade
from tests.programs.tpf.lower.test_flow import BODIES
from unshade import UsageError
from unshade.cli import main
from unshade.model import Interfaces, InterfaceSlot, Reflection
from unshade.run.binding.interfaces import linked

# Two interface variables, the second an array of two; classes with 0, 2 and 1 rows of data.
HEAD = """\
// Buffer Definitions:
//
// interfaces $ThisPointer
// {
//
//   interface iA one;                  // Offset:    0 Size:     1
//   interface iA many[2];              // Offset:    1 Size:     2
//
// }
//
// cbuffer C
// {
//   float4 rows[8];                    // Offset:    0 Size:   128
// }
//
// Resource Bindings:
//
// Name                                 Type  Format         Dim      HLSL Bind  Count
// ------------------------------ ---------- ------- ----------- -------------- ------
// C                                 cbuffer      NA          NA            cb0      1
//
// Available Class Types:
//
// Name                             ID CB Stride Texture Sampler
// ------------------------------ ---- --------- ------- -------
// Ten                               0         0       0       0
// Twenty                            1         0       0       0
// Row                               2         2       1       1
//
// Available Class Instances:
//
// Name                        Type CB CB Offset Texture Sampler
// --------------------------- ---- -- --------- ------- -------
// ten                            0  -         -       -       -
// row                            2  0         3       5       6
//
// Interface slots, 3 total:
//
//             Slots
// +----------+---------+---------------------------------------
// | Type ID  |   0     |0    1    2
// | Table ID |         |0    1    2
// +----------+---------+---------------------------------------
// | Type ID  |   1-2   |1    2
// | Table ID |         |3    4
// +----------+---------+---------------------------------------
"""
CODE = """\
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[8], dynamicIndexed
dcl_uav_raw u0
dcl_function_body fb0
dcl_function_body fb1
dcl_function_body fb2
dcl_function_table ft0 = {fb0}
dcl_function_table ft1 = {fb1}
dcl_function_table ft2 = {fb2}
dcl_function_table ft3 = {fb1}
dcl_function_table ft4 = {fb2}
dcl_interface fp0[1][1] = {ft0, ft1, ft2}
dcl_interface fp1[2][1] = {ft3, ft4}
dcl_temps 3
dcl_thread_group 1, 1, 1
mov r0.x, l(500)
mov r1.xyz, l(0, 0, 0, 0)
fcall fp0[0][0]
mov r1.y, r1.x
fcall fp1[0][0]
fcall fp1[1][0]
DATA
store_raw u0.xyz, l(0), r1.xyzx
ret
"""
DATA = "mov r2.x, this[0].y\nmov r1.z, cb0[r2.x + 0].x"
PLAIN = HEAD + CODE.replace("DATA\n", "")
WITH_DATA = HEAD + CODE.replace("DATA", DATA)


def ran(text: str, **options: Any) -> list[float]:
    """The sums of the first interface and of all, and the first object's data."""
    kernel = unshade.kernel(unshade.assemble(text + BODIES, "dxcontainer"), **options)
    rows = [[row * 1.0, 0, 0, 0] for row in range(8)]
    found = kernel.dispatch(1, cb0={"rows": rows}, u0=[0, 0, 0])["u0"]
    everything, first, data = found.view("<u4")
    return [int(first), int(everything), float(found.view("<f4")[2]) if data else 0.0]


@pytest.mark.parametrize(
    ("interfaces", "wanted"),
    [
        ({0: 1, 1: 3, 2: 4}, [20, 540]),
        ({"one": "Twenty", "many[0]": "Twenty", "many[1]": "Row"}, [20, 540]),
        ({"fp0": "ft2", "many": "Row"}, [500, 1500]),
        ({"one": "ten", "1": "3", "fp2": "Twenty"}, [10, 50]),
    ],
)
def test_classes_by_number_and_by_name(
    interfaces: Mapping[int | str, int | str], wanted: list[int]
) -> None:
    assert ran(PLAIN, interfaces=interfaces, engine="lockstep")[:2] == wanted


@pytest.mark.parametrize(
    ("options", "row"),
    [
        ({"interfaces": {0: 2, 1: 3, 2: 3}, "instances": {0: (0, 5, 0, 0)}}, 5),
        ({"interfaces": {"one": "row", "many": "Twenty"}}, 3),
        ({"interfaces": {"one": "Row@0,7", "many": "Twenty"}}, 7),
        ({"interfaces": {"one": "row@0,4", "many": "Twenty"}}, 4),
        ({"interfaces": {"one": "row", "many": 3}, "instances": {"one": [0, 6]}}, 6),
    ],
)
def test_an_object_has_data(options: dict[str, Any], row: int) -> None:
    assert ran(WITH_DATA, engine="lockstep", **options)[2] == row


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"interfaces": {"two": "Ten"}},
            "unknown interface 'two'; known: one, many, many[0], many[1]",
        ),
        (
            {"interfaces": {"many[2]": "Row"}},
            "unknown interface 'many[2]'; did you mean many[1]?",
        ),
        ({"interfaces": {3: 0}}, "no such interface slot: 3; expected 0 to 2"),
        ({"interfaces": {1: 0}}, "slot 1: expected one of Twenty (ft3), Row (ft4), row, got 0"),
        (
            {"interfaces": {"many": "Ten"}},
            "slot 1: expected one of Twenty (ft3), Row (ft4), row, got 'Ten'",
        ),
        ({"interfaces": {"one": "Row@x"}}, "one to four numbers (constant buffer, row, texture"),
        ({"instances": {0: (1, 2, 3, 4, 5)}}, "one to four numbers (constant buffer, row, texture"),
        ({"instances": {0: (-1,)}}, "one to four numbers (constant buffer, row, texture"),
        ({"interfaces": "one=Ten"}, "interfaces: expected a dict by slot, got 'one=Ten'"),
    ],
)
def test_a_refusal_lists_what_can_be_bound(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as raised:
        ran(PLAIN, engine="lockstep", **options)
    assert message in str(raised.value)


def test_an_array_of_instances() -> None:
    text = WITH_DATA.replace("// row     ", "// row[3]  ")
    shader = unshade.assemble(text + BODIES, "dxcontainer")
    facts = shader.reflect()
    assert facts.interfaces is not None
    facts.interfaces.instances[1].name, facts.interfaces.instances[1].elements = "row", 3
    found = linked({"interfaces": {"one": "row[2]"}}, facts)
    assert found == {"interfaces": {0: 2}, "instances": {0: (0, 3 + 2 * 2, 5 + 2, 6 + 2)}}
    with pytest.raises(UsageError, match=r"got 'row\[3\]'"):
        linked({"interfaces": {"one": "row[3]"}}, facts)


def test_without_names_numbers_do() -> None:
    assert linked({"interfaces": {"1": "7"}, "lengths": {"t0": 3}}, None) == {
        "interfaces": {1: 7}, "lengths": {"t0": 3},
    }  # fmt: skip
    with pytest.raises(UsageError, match="interface slot 0: expected the number of a table"):
        linked({"interfaces": {0: "Ten"}}, None)
    with pytest.raises(UsageError, match="unknown interface 'fp0'"):
        linked({"interfaces": {"fp0": 1}}, None)


def test_labels_come_from_the_program() -> None:
    row = InterfaceSlot(
        start=4, span=2, class_ids=[], tables=[7, 8], labels=["x.", "7"], table_labels=["@1", "é"]
    )
    found = Reflection(format="x", interfaces=Interfaces(slot_count=6, slots=[row]))
    assert linked({"interfaces": {"x.": "é", 5: 7}}, found) == {"interfaces": {4: 8, 5: 7}}
    with pytest.raises(UsageError, match="interface slot 4: expected one of @1, é, got 3"):
        linked({"interfaces": {"x.": 3}}, found)


CHOSEN = ("--interface", "one=Twenty", "--interface", "many[0]=Twenty", "--interface", "fp2=ft4")


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cs.cso"
    unshade.assemble(PLAIN + BODIES, "dxcontainer").save(path)
    line = [str(path), "--groups", "1", "--bind", "u0=zeros(3)", "--bind", "cb0=zeros(32)"]
    assert main(["run", *line, "--engine", "lockstep", *CHOSEN]) == 0
    assert capsys.readouterr().out == "u0  uint32 (3,)  540 20 0\n"
    assert main(["debug", *line, "--watch", "r1.y", *CHOSEN]) == 0
    assert " 20 " in capsys.readouterr().out
    assert main(["run", *line, *CHOSEN[:4]]) == 4
    message = (
        "expected a choice of one of the tables ft3, ft4 for interface fp2: use --interface fp2=…"
    )
    assert message in capsys.readouterr().err
    assert main(["run", *line, "--interface", "one"]) == 2
    assert "--interface: expected SLOT=CLASS, got 'one'" in capsys.readouterr().err


def test_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = PLAIN[PLAIN.index("cs_5_0") :].replace("cs_5_0", "ps_5_0")
    for gone in ("dcl_uav_raw u0\n", "dcl_thread_group 1, 1, 1\n"):
        text = text.replace(gone, "")
    text = text.replace("dcl_temps", "dcl_output o0.xyzw\ndcl_temps")
    text = text.replace("store_raw u0.xyz, l(0), r1.xyzx", "utof o0.xyzw, r1.xyxy")
    pixel, out = tmp_path / "ps.cso", tmp_path / "out.json"
    unshade.assemble(text + BODIES, "dxcontainer").save(pixel)
    line = ["render", str(pixel), "--size", "1", "-o", str(out)]
    numbers = ("--interface", "fp0=ft1", "--interface", "ps:fp1=ft3", "--interface", "fp2=4")
    assert main([*line, *numbers]) == 0, capsys.readouterr().err
    assert out.read_text() == "[[[540.0, 20.0, 540.0, 20.0]]]\n"
    vertex = ("--interface", "vs:fp0=ft1", *numbers[2:])  # of another shader: this one has none
    assert main([*line, *vertex]) == 4
    assert "expected a choice of one of the tables" in capsys.readouterr().err
