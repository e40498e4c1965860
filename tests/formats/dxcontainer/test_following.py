"""PSV0 follows an edit of the program; what was set by hand, or was different before, stays."""

from __future__ import annotations

from typing import Any

import unshade
from tests.formats.dxcontainer.broken_validation import put, shader
from tests.programs.dxil.dependence.support import program, read, write
from tests.programs.dxil.modules import SAXPY
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.dxcontainer.dxc.psv0 import psv0_of
from unshade.formats.dxcontainer.parts.psv0 import PipelineStateValidation
from unshade.parts import Category
from unshade.programs.dxil import Program
from unshade.programs.dxil.model.constants import ConstantInt, integer_of
from unshade.programs.dxil.model.metadata import MetadataNode, MetadataValue


def load(data: bytes) -> DxContainer:
    found = unshade.loads(data)
    assert isinstance(found, DxContainer)
    return found


def vertex(*edits: Any) -> DxContainer:
    """Return a vertex shader that copies components of A to C, with its PSV0."""
    made = DxContainer()
    made["PSV0"] = PipelineStateValidation(info_size=52, entry_point="main")
    made["DXIL"] = copying(0)
    state = psv0_of(made["DXIL"], 52)
    assert state is not None
    made["PSV0"] = state
    for edit in edits:
        edit(made)
    made.sign()
    return load(made.to_bytes())


def copying(component: int) -> Any:
    """Return a program in which output 0.x is a component of input 0."""
    return program(f"%a = {read(0, 0, component)}", write("%a"), "ret void")


def set_threads(made: DxContainer, x: int) -> None:
    """Change the size of a thread group in the metadata."""
    module: Any = made["DXIL"].module
    entry = module.named("dx.entryPoints").nodes[0]
    tags = entry.elements[4].elements
    at = next(i for i in range(0, len(tags), 2) if integer_of(tags[i].value) == 4)
    threads = tags[at + 1]
    number = threads.elements[0].value
    new = MetadataNode([MetadataValue(ConstantInt(number.type, x)), *threads.elements[1:]])
    tags[at + 1] = new
    module.metadata.append(new)
    made["DXIL"].rewrite()


def test_threads_follow_the_metadata() -> None:
    made = load(SAXPY.read_bytes())
    before = made["PSV0"].threads_x
    set_threads(made, before * 2)
    again = load(made.to_bytes())
    assert again["PSV0"].threads_x == made["PSV0"].threads_x == before * 2
    assert again.digest_state == "retail"
    assert not [each for each in again.verify() if each.code.startswith("psv.")]
    assert again["HASH"].digest != load(SAXPY.read_bytes())["HASH"].digest


def test_plain_data_and_verify_see_the_edit_before_it_is_written() -> None:
    made = load(SAXPY.read_bytes())
    set_threads(made, 7)
    assert not [each for each in made.verify() if each.code.startswith("psv.")]
    made = load(SAXPY.read_bytes())
    set_threads(made, 7)
    fields = {part["name"]: part.get("fields") for part in made.to_data()["parts"]}
    assert fields["PSV0"]["threads_x"] == 7


def test_masks_follow_the_code() -> None:
    made = vertex()
    assert made["PSV0"].dependencies_0[:4] == [1, 0, 0, 0]
    for component in (2, 3):
        made["DXIL"] = copying(component)
        again = load(made.to_bytes())
        expected = [int(each == component) for each in range(4)]
        assert again["PSV0"].dependencies_0[:4] == expected
    assert not [each for each in again.verify() if each.code.startswith("psv.")]


def test_an_edit_that_changes_nothing_keeps_the_bytes() -> None:
    made = load(SAXPY.read_bytes())
    before = made.parts["PSV0"].data
    made["DXIL"].bitcode = made["DXIL"].bitcode_bytes() + bytes(4)
    assert load(made.to_bytes()).parts["PSV0"].data == before


def test_a_field_that_was_set_by_hand_is_kept() -> None:
    made = vertex()
    made["PSV0"].dependencies_0 = [0] * len(made["PSV0"].dependencies_0)
    made["PSV0"].entry_point = "other"
    made["DXIL"] = copying(1)
    again = load(made.to_bytes())
    assert not any(again["PSV0"].dependencies_0)
    assert again["PSV0"].entry_point == "other"


def test_a_field_that_was_different_before_is_kept() -> None:
    made = vertex(_set_mask)
    made["DXIL"] = copying(1)
    assert load(made.to_bytes())["PSV0"].dependencies_0[:4] == [1, 0, 1, 0]


def _set_mask(made: DxContainer) -> None:
    made["PSV0"].dependencies_0[2] = 1


def test_masks_that_would_not_fit_follow_the_number_of_registers() -> None:
    made = vertex(_set_mask)
    text = copying(1).disassemble()
    moved = text.replace("i32 2, i8 2, i32 1, i8 0, null", "i32 2, i8 2, i32 2, i8 0, null")
    assert moved != text
    made["DXIL"] = Program.assemble(moved)
    state = load(made.to_bytes())["PSV0"]
    assert state.input_vectors == 4
    assert len(state.dependencies_0) == 16
    assert state.inputs[1].start_row == 2


def test_a_program_that_cannot_be_read_keeps_psv0() -> None:
    made = vertex()
    before = made.parts["PSV0"].data
    made["DXIL"].bitcode = b"no bitcode  "
    assert load(made.to_bytes()).parts["PSV0"].data == before


def test_verify_names_the_field() -> None:
    found = load(shader(put("PSV0.stage_info.output_position_present", 0))).verify()
    texts = [str(each) for each in found if each.code == "psv.state"]
    assert texts == [
        "warning psv.state at 0xcc: PSV0.stage_info.output_position_present: "
        "expected 1, as in the program, got 0"
    ]


def test_verify_names_numbers() -> None:
    """Numbers of enumerations have the names that they have there."""
    for path, value, code, message in (
        (
            "PSV0.resources.0.kind",
            1,
            "psv.state",
            "expected texture_2d, as in the program, got texture_1d",
        ),
        (
            "PSV0.inputs.0.component_type",
            1,
            "psv.signature",
            "ISG1 has no POSITION 0 of type uint32 in register 0.xyzw",
        ),
    ):
        found = load(shader(put(path, value))).verify()
        assert next(each.message for each in found if each.code == code) == message


def test_verify_names_the_stage() -> None:
    found = load(shader(stage=5)).verify()
    (message,) = [each.message for each in found if each.code == "psv.stage"]
    assert message == "expected compute, as in the program, got vertex"


def test_verify_names_the_mask() -> None:
    found = vertex(_set_mask).verify()
    texts = [str(each).partition(": ")[2] for each in found if each.code.startswith("psv.")]
    assert texts == [
        "PSV0.dependencies_0[2]: input 0.z: expected outputs none, as in the program, got 0.x"
    ]
    lacking = vertex(
        lambda made: made["PSV0"].dependencies_0.__setitem__(slice(2), [0, 1])
    ).verify()
    texts = [str(each).partition(": ")[2] for each in lacking if each.code == "psv.dependence"]
    assert texts == [
        "PSV0.dependencies_0[0]: input 0.x: expected outputs 0.x, as in the program, got none"
    ]


def test_a_table_that_was_not_computed_is_a_note() -> None:
    """Mesa writes zeros and no dx.viewIdState, and dxc's validator accepts both together."""
    found = vertex(lambda made: made["PSV0"].dependencies_0.__setitem__(0, 0)).verify()
    assert [(str(each.severity), each.code) for each in found if each.code.startswith("psv.")] == [
        ("note", "psv.no-dependence")
    ]
    computed = vertex().verify()
    assert not [each for each in computed if each.code.startswith("psv.")]


def test_a_hash_that_follows_is_no_difference() -> None:
    before, after = load(SAXPY.read_bytes()), load(SAXPY.read_bytes())
    names = [each.name for each in after.programs[0].instructions]
    at = names.index("fmul")
    line = str(after.programs[0].instructions[at])
    after.programs[0].replace(at, line.replace("fmul", "fadd"))
    assert before["HASH"].digest != load(after.to_bytes())["HASH"].digest
    found = unshade.diff(before, after)
    assert Category.CODE in found.categories
    assert Category.DIGEST not in found.categories
    assert "HASH" not in [part.name for part in found.parts]
    after["HASH"].digest = bytes(16)
    wrong = unshade.diff(before, after)
    assert Category.DIGEST in wrong.categories
    assert "HASH" in [part.name for part in wrong.parts]


def test_programs_are_read_within_the_limits_of_the_container() -> None:
    """A program is replaced by the bytes of another; both exceed a limit of the first file."""
    edited = load(SAXPY.read_bytes())
    set_threads(edited, 32)
    made = unshade.loads(SAXPY.read_bytes(), limits=unshade.Limits(instructions=0))
    assert isinstance(made, DxContainer)
    before = made.parts["PSV0"].data
    made["DXIL"] = edited.parts["DXIL"].data
    assert load(made.to_bytes()).parts["PSV0"].data == before
