"""A program as data, text, spans and facts; edits; what is stripped."""

from __future__ import annotations

import struct

import pytest

from tests.fixtures.direct3d9 import TEXTS, one_of_each
from tests.programs.d3d9.programs import packed
from unshade.errors import AssembleError, FormatError, UnsupportedError, UsageError
from unshade.limits import Limits
from unshade.programs.d3d9 import Program
from unshade.programs.d3d9.code import Code, Comment
from unshade.programs.d3d9.constants import constant_table
from unshade.programs.d3d9.debug import DebugComment, DebugCommentFile, debug_info
from unshade.wire import write

ALL = one_of_each()


@pytest.mark.parametrize("name", ALL)
def test_data_and_texts_return(name: str) -> None:
    program = Program.decode(ALL[name])
    assert Program.from_data(program.to_data()).encode() == ALL[name]
    assert Program.assemble(program.disassemble("exact")).encode() == ALL[name]
    assert program.disassemble() == TEXTS[name]
    spans = program.spans()
    covered = {at for each in spans for at in range(each.offset, each.offset + each.length)}
    assert covered == set(range(len(ALL[name])))
    raw = sum(each.length for each in spans if each.kind == "raw")
    assert raw == (4 if name == "vs_3_0" else 0)  # a comment of no known kind


def test_odd_tokens_are_kept() -> None:
    words = (
        0xFFFE02FF,  # vs_2_sw
        0x0361_0061, 0x800F0000, 0x00000007, 0x80E40001,  # an unknown opcode
        0x0200_0001 | 1 << 29, 0x800FC000, 0x8EE40000,  # unused bits, an unknown modifier
        0x0100_0001, 0x800F2000,  # relative without a register
        0x0000FFFF,
    )  # fmt: skip
    program = Program.decode(packed(*words))
    assert program.version.profile == "vs_2_sw"
    assert Program.from_data(program.to_data()).encode() == packed(*words)
    exact = program.disassemble("exact")
    assert exact.splitlines()[2] == (
        "    opcode_61 0x800f0000, 0x00000007, 0x80e40001 {3610061 800f0000 7 80e40001}"
    )
    assert Program.assemble(exact).encode() == packed(*words)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "expected a mapping, got list"),
        ({"version": "ps_9_0"}, "version: expected a number, got 'ps_9_0'"),
        ({"version": "ps_2_0"}, "instructions: expected a list, got NoneType"),
        ({"version": "ps_2_0", "instructions": [{"op": "mvo"}]}, r"\[0\].op: unknown instruction"),
        ({"version": "ps_2_0", "instructions": [{"tokens": []}]}, "expected one token or more"),
        ({"version": "ps_2_0", "instructions": [{"op": "mov", "operands": [{"source": "q0"}]}]},
         r"operands\[0\].source: expected a register of ps_2_0, got 'q0'"),
        ({"version": "ps_2_0", "instructions": [{"op": "nop", "more": 1}]}, "unknown field 'more'"),
        ({"version": "ps_2_0", "instructions": [], "comments": [{"data": "zz"}]},
         r"comments\[0\].data"),
    ],
)  # fmt: skip
def test_data_that_describes_no_program(data: object, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        Program.from_data(data)


def test_edits() -> None:
    program = Program.assemble("ps_2_0\nmov r0, c0\nmov oC0, r0")
    program.comments = [Comment(b"DBUGabcd"), Comment(b"tail", 2)]
    made = program.replace(0, "add r0, c0, c1", program.instructions[0])
    assert [str(each) for each in made] == ["add r0, c0, c1", "mov r0, c0"]
    assert [str(each) for each in program.instructions][2] == "mov oC0, r0"
    assert program.comments == [Comment(b"tail", 3)]
    program.insert(-1, "nop")
    assert program.instructions[2].name == "nop"
    assert [str(each) for each in program.remove(slice(1, 3))] == ["mov r0, c0", "nop"]
    with pytest.raises(UsageError, match="consecutive"):
        Program.assemble("ps_2_0\nnop\nnop\nnop").replace(slice(0, 3, 2), "nop")
    with pytest.raises(UsageError, match="expected an Instruction or its text"):
        program.replace(0, 7)  # type: ignore[arg-type]
    with pytest.raises(AssembleError, match="unknown instruction"):
        program.replace(0, "mvo r0, c0")


def test_stripping() -> None:
    program = Program.decode(ALL["vs_3_0"])
    bare = program.stripped("debug")
    assert bare is not None
    assert [each.tag for each in bare.comments] == ["CTAB"]
    assert bare.stripped("debug") is None
    nameless = bare.stripped("reflection")
    assert nameless is not None
    assert nameless.comments == []
    assert len(program.comments) == 2


def test_facts() -> None:
    facts = Program.decode(ALL["vs_3_0"]).facts()
    assert (facts.stage, facts.model, facts.profile) == ("vertex", "3.0", "vs_3_0")
    assert facts.creator == "Compiler"
    ports = [
        (each.label, each.name, each.index, each.components, each.used) for each in facts.inputs
    ]
    assert ports == [
        ("v0", "POSITION", 0, "xyzw", "xyzw"), ("v1", "TEXCOORD", 0, "xy", "xy"),
        ("v2", "NORMAL", 1, "xyz", "xyz"),
    ]  # fmt: skip
    outputs = [(each.label, each.name, each.system_value) for each in facts.outputs]
    assert outputs == [
        ("o0", "POSITION", "position"),
        ("o1", "TEXCOORD", None),
        ("o2", "COLOR", None),
    ]
    constants, integers, booleans = facts.banks
    assert constants.reads == dict.fromkeys(range(4), "xyzw") | {4: "xyzw"}
    assert constants.relative_from == 4
    assert (integers.reads, booleans.reads) == ({}, {})  # both are defined in the code
    counts = facts.statistics
    assert counts is not None
    assert (counts.instructions, counts.declarations, counts.defines) == (20, 6, 3)
    assert (counts.static_flow_control, counts.dynamic_flow_control) == (2, 2)


def test_facts_of_old_pixel_shaders() -> None:
    facts = Program.decode(ALL["ps_2_x"]).facts()
    slots = [(each.label, each.name, each.slot.location) for each in facts.inputs]
    assert slots == [("t0", "TEXCOORD", 0), ("t1", "TEXCOORD", 1), ("v0", "COLOR", 16)]
    kinds = [(each.label, each.resource.dimension) for each in facts.resources]
    assert kinds == [("s0", "2d"), ("s1", "cube"), ("s15", "3d")]
    assert [each.label for each in facts.outputs] == ["oDepth", "oC0"]
    first = Program.decode(ALL["ps_1_1"]).facts()
    assert [each.label for each in first.outputs] == ["r0"]
    assert [each.label for each in first.resources] == ["s0", "s2"]
    assert [each.label for each in first.inputs] == ["t0", "t1", "t2", "v0"]


def test_control_flow() -> None:
    program = Program.decode(ALL["vs_3_0"])
    flow = program.control_flow()
    names = [program.instructions[int(each.path[13:-1])].mnemonic for each in flow.steps]
    ways = {
        name: [(names[to], kind) for to, kind in step.ways if to < len(names)]
        for name, step in zip(names, flow.steps, strict=True)
    }
    assert ways["if_gt"] == [("break_ne", "true"), ("sincos", "false")]
    assert ways["break_ne"] == [("else", "next"), ("if", "break")]
    assert ways["else"] == [("endif", "jump")]
    assert ways["endrep"] == [("rep", "back"), ("if", "next")]
    assert ways["ret"] == []
    folded = [(names[first], names[last]) for first, last in flow.regions]
    assert folded == [("rep", "endif"), ("if_gt", "break_ne"), ("else", "sincos"), ("if", "nrm")]


def test_explanations_and_tokens() -> None:
    program = Program.decode(ALL["vs_3_0"])
    labels = dict(program.explain("mad_sat_pp"))
    assert labels["operands"] == "destination\nsource\nsource\nsource"
    assert program.explain("nothing") == []
    step = program.step("    (!p0.x) mad_sat r1.w, -r2_abs.x, c4[a0.x], r0  // note")
    assert (step.operation, [each.text for each in step.results]) == ("mad_sat", ["r1.w"])


def test_stages_share_locations_of_usages() -> None:
    vertex = Program.assemble(
        "vs_3_0\ndcl_position v0\ndcl_color1 o5\ndcl_texcoord2 o1\ndcl_position o3\n"
        "dcl_normal o4\nmov o5, v0\nmov o1, v0\nmov o3, v0\nmov o4, v0"
    )
    pixel = Program.assemble(
        "ps_3_0\ndcl_texcoord2 v7\ndcl_color1 v0\ndcl_normal v1\nadd r0, v7, v0\nadd oC0, r0, v1"
    )
    outputs = {each.name: each.slot.place for each in vertex.facts().outputs}
    inputs = {each.name: each.slot.place for each in pixel.facts().inputs}
    assert outputs == inputs | {"POSITION": "position"}
    assert len(set(inputs.values())) == 3
    old = Program.assemble("vs_2_0\ndcl_position v0\nmov oPos, v0\nmov oD1, v0\nmov oT2, v0")
    assert [each.slot.place for each in old.facts().outputs][1:] == [inputs["COLOR"], 2]


@pytest.mark.parametrize("depth", [40, 3000])
def test_nested_blocks(depth: int) -> None:
    """What is nested too deeply to be run is refused, and listed with an indentation that ends."""
    words = [0xFFFE0300, *[0x01000028, 0xE0E40800] * depth, *[0x0000002B] * depth, 0x0000FFFF]
    program = Program.decode(packed(*words))
    steps = program.control_flow().steps
    assert [each.ways for each in steps[:2]] == [
        ((1, "true"), (2 * depth - 1, "false")), ((2, "true"), (2 * depth - 2, "false")),
    ]  # fmt: skip
    longest = max(map(len, program.disassemble().split("\n")))
    assert longest == len("    if b0") + 2 * min(depth - 1, 64)
    if depth > 128:
        with pytest.raises(UnsupportedError, match="nested too deeply"):
            program.lower()
    else:
        program.lower()


def test_constants_with_more_registers_than_there_are() -> None:
    """Rows of a few bytes that claim all registers, or default values of all, name nothing."""
    row = struct.pack("<IHHHHII", 28, 2, 0, 0x7FFF, 0, 48 + 20 * 2, 28)
    scalar = struct.pack("<HHHHHHI", 0, 3, 1, 1, 1, 0, 0)
    for count, named in ((2, True), (3, False)):
        table = struct.pack("<7I", 28, 0, 0xFFFE0300, count, 28, 0, 0) + row * 3 + scalar
        code = Code(0xFFFE0300, [], [Comment(b"CTAB" + table)])
        assert (constant_table(code) is not None) is named


def test_debug_information_beyond_a_limit_is_left_out() -> None:
    files = [DebugCommentFile(name="shaders/toon.fx")]
    data = write(DebugComment(creator="fxc", files=files, entry="main"))
    code = Code(0xFFFF0200, [], [Comment(b"DBUG" + data)])
    found = debug_info(code)
    assert found is not None
    assert found.files[0].name == "shaders/toon.fx"
    assert debug_info(code, Limits(string_size=8)) is None
