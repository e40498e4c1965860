"""Names of the counters of loops."""

import pytest

import unshade
from tests.decompile.recompiled import translated_outcome

PIXEL = """ps_5_0
dcl_input_ps linear v0.xyzw
dcl_output o0.xyzw
dcl_temps 8
{}
ret"""
NESTED = (
    "mov r0.x, v0.x",
    "mov r1.x, l(0)", "loop", "ige r1.y, r1.x, l(4)", "breakc_nz r1.y",
    "mov r2.x, l(0)", "loop", "uge r2.y, r2.x, l(3)", "breakc_nz r2.y",
    "mad r0.x, r0.x, v0.y, v0.z",
    "iadd r2.x, r2.x, l(1)", "endloop",
    "iadd r1.x, r1.x, l(2)", "endloop",
    "mov r3.x, l(9)", "loop", "uge r3.y, l(2), r3.x", "breakc_nz r3.y",
    "add r0.x, r0.x, v0.w",
    "iadd r3.x, r3.x, l(-1)", "endloop",
    "mov o0.xyzw, r0.xxxx",
)  # fmt: skip


def nested() -> unshade.Shader:
    return unshade.assemble(PIXEL.format("\n".join(NESTED)), "dxcontainer")


def heads(text: str) -> list[str]:
    return [each.strip() for each in text.splitlines() if each.strip().startswith("for (")]


def test_counters_are_named_by_the_depth_of_the_loop() -> None:
    assert heads(nested().decompile()) == [
        "for (int i = 0; i < 4; i += 2) {",
        "for (uint j = 0u; j < 3u; j++) {",
        "for (uint i_1 = 9u; i_1 > 2u; i_1--) {",
    ]


def test_loops_of_different_blocks_share_names() -> None:
    lines = list(NESTED)
    at = lines.index("mov r3.x, l(9)")
    lines.insert(at, "if_nz r0.x")
    lines.insert(-1, "endif")
    shader = unshade.assemble(PIXEL.format("\n".join(lines)), "dxcontainer")
    assert [each.split()[2] for each in heads(shader.decompile())] == ["i", "j", "i"]


def test_a_counter_has_another_name_if_something_is_called_i() -> None:
    text = nested().decompile(names={"texcoord0": "i"})
    assert "float4 i : " in text
    assert heads(text)[0] == "for (int i_1 = 0; i_1 < 4; i_1 += 2) {"
    assert heads(text)[1] == "for (uint j = 0u; j < 3u; j++) {"


def test_counters_can_be_renamed() -> None:
    text = nested().decompile(names={"i": "row", "j": "column"})
    assert [each.split()[2] for each in heads(text)] == ["row", "column", "i_1"]
    assert " i " not in text


def test_a_name_of_the_user_stays() -> None:
    text = nested().decompile(names={"r1": "row"})
    assert heads(text)[0] == "for (int row = 0; row < 4; row += 2) {"
    assert heads(text)[1].startswith("for (uint i = ")


@pytest.mark.parametrize("to", ["glsl", "hlsl"])
def test_nested_counters_differ(to: str) -> None:
    text = nested().decompile(to)
    assert [text.count(f" {each} = ") for each in ("i", "j", "i_1")] == [1, 1, 1]


def test_counters_of_two_types_are_two_variables_in_spirv() -> None:
    lines = list(NESTED)
    at = lines.index("mov r3.x, l(9)")
    lines[at:at] = ["lt r4.x, l(0), v0.x", "if_nz r4.x"]
    lines.insert(-1, "endif")
    shader = unshade.assemble(PIXEL.format("\n".join(lines)), "dxcontainer")
    made = shader.translate()
    assert not [each for each in made.verify() if each.severity == "error"]
    assert translated_outcome(shader, made, lanes=8, seeds=1, engines=("lockstep",)) == "equal"
