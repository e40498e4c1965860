"""`unshade.diff` on containers: each edit is reported in its own category and no other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest

import unshade
from tests.cli.terminal import PHONG
from tests.examples import each_container
from tests.fixtures import shbin
from tests.model.schema_check import violations
from unshade.analysis.diff import Category, ChangeKind, Differs, schema, selected
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.dxcontainer.part import DxPart
from unshade.model import Reflection
from unshade.programs.tpf import Instruction, Program, immediate, temp
from unshade.shader import Shader


def phong() -> DxContainer:
    shader = unshade.open(PHONG)
    assert isinstance(shader, DxContainer)
    return shader


def again(shader: DxContainer) -> DxContainer:
    return DxContainer.loads(shader.to_bytes())


def edited(edit: Callable[[DxContainer], object]) -> DxContainer:
    shader = phong()
    edit(shader)
    return again(shader)


def program(shader: DxContainer) -> Program:
    (found,) = shader.programs
    assert isinstance(found, Program)
    return found


def insert(shader: DxContainer) -> None:
    program(shader).instructions.insert(20, Instruction.make("mov", temp(3, mask="x"),
                                                             immediate(1.0)))  # fmt: skip


def last_bit(shader: DxContainer) -> None:
    """Change 0.05 to its neighbour, which has the same first six digits."""
    operand = program(shader).instructions[14].operands[1]
    assert operand.literal == (0x3D4CCCCD,)
    operand.literal = (0x3D4CCCCE,)


def unprinted(shader: DxContainer) -> None:
    program(shader).trailing = b"1234"


def saturate(shader: DxContainer) -> None:
    program(shader).instructions[13].saturate = 1


def renumber(shader: DxContainer) -> None:
    swap = {1: 2, 2: 1}
    for instruction in program(shader).instructions:
        for operand in instruction.operands:
            for place in (operand, *(each.relative for each in operand.indices)):
                if place is not None and place.type == 0:
                    index = place.indices[0]
                    index.immediate = swap.get(index.immediate, index.immediate)


def creator(shader: DxContainer) -> None:
    shader["RDEF"].creator = "Somebody's compiler 3.1"


def flags(shader: DxContainer) -> None:
    shader["RDEF"].flags |= 4


def rename(shader: DxContainer) -> None:
    shader["RDEF"].bindings[2].name = "albedo"


def count(shader: DxContainer) -> None:
    shader["STAT"].instruction_count += 1


def semantic(shader: DxContainer) -> None:
    shader["ISGN"].elements[0].name = "NORMAL"


def part(name: str, data: bytes = b"12345678") -> Callable[[DxContainer], None]:
    def add(shader: DxContainer) -> None:
        shader[name] = data

    return add


def swap(shader: DxContainer) -> None:
    shader.parts[0], shader.parts[1] = shader.parts[1], shader.parts[0]


def tail(shader: DxContainer) -> None:
    shader.tail = b"more"


def trailing(shader: DxContainer) -> None:
    shader.trailing = b"more"


def gap(shader: DxContainer) -> None:
    shader.parts[2].gap = b"gap."


def unsign(shader: DxContainer) -> None:
    shader.digest = bytes(16)


def shex(shader: DxContainer) -> None:
    shader.parts["SHDR"].name = "SHEX"


def layout(shader: DxContainer) -> None:
    """Change the layout of a part, but none of its fields."""
    record = shader["RDEF"]
    shader.parts["RDEF"].value = record


EDITS: dict[Callable[[DxContainer], None], set[str]] = {
    insert: {"code"},
    saturate: {"code"},
    last_bit: {"code"},
    unprinted: {"code"},
    renumber: {"code"},
    creator: {"compiler"},
    flags: {"compiler"},
    rename: {"reflection"},
    count: {"statistics"},
    semantic: {"interface"},
    part("PRIV"): {"private"},
    part("SPDB"): {"debug"},
    part("ILDN"): {"debug"},
    part("HASH", bytes(20)): {"digest"},
    part("SFI0", b"\1" + bytes(7)): {"interface"},
    part("VERS"): {"compiler"},
    part("XYZW"): {"container"},
    swap: {"container"},
    tail: {"container"},
    trailing: {"container"},
    gap: {"container"},
    shex: {"container"},
    layout: {"container"},
    unsign: {"digest"},
}


@each_container
def test_a_file_equals_itself(path: Any) -> None:
    found = unshade.diff(unshade.open(path), unshade.open(path))
    assert not found
    assert found.verdict == "the same, byte for byte"
    assert found.categories == found.ignored == found.parts == found.programs == []


@pytest.mark.heavy
@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__qualname__)
def test_an_edit_has_its_category_and_no_other(edit: Callable[[DxContainer], None]) -> None:
    before, after = phong(), edited(edit)
    there, back = unshade.diff(before, after), unshade.diff(after, before)
    assert there
    assert set(there.categories) == set(back.categories) == EDITS[edit]
    for found in (there, back):
        assert violations(found.to_dict(), schema()) == []
        assert not found.notes
    (category,) = EDITS[edit]
    silent = unshade.diff(before, after, ignore=[category])
    assert not silent
    assert silent.ignored == [category]
    assert silent.verdict.startswith("the same except for ignored differences: ")
    assert unshade.diff(before, after, only=category)
    others = [each for each in Category if each != category]
    assert not unshade.diff(before, after, only=others)


def test_every_category_has_an_edit() -> None:
    assert {category for found in EDITS.values() for category in found} == set(Category)


def test_several_edits_are_all_reported() -> None:
    def edit(shader: DxContainer) -> None:
        for each in (insert, creator, count, tail):
            each(shader)

    found = unshade.diff(phong(), edited(edit), ignore=["compiler"])
    assert found.categories == ["code", "statistics", "container"]
    assert found.ignored == ["compiler"]
    assert found.verdict == (
        "the code differs: 1 of 79 lines added; statistics and the container's layout also differ;"
        " the interface is the same (ignored: the compiler)"
    )
    assert [each.name for each in found.parts] == ["SHDR", "STAT"]


def test_parts() -> None:
    def edit(shader: DxContainer) -> None:
        del shader["STAT"]
        shader["PRIV"] = b"1234"
        insert(shader)
        swap(shader)

    found = unshade.diff(phong(), edited(edit))
    rows = [(e.name, e.change, e.size_before, e.size_after, e.moved) for e in found.parts]
    assert rows == [
        ("ISGN", ChangeKind.MOVED, 116, 116, True),
        ("SHDR", ChangeKind.CHANGED, 1724, 1744, False),
        ("STAT", ChangeKind.REMOVED, 148, None, False),
        ("PRIV", ChangeKind.ADDED, None, 4, False),
    ]
    (renamed,) = unshade.diff(phong(), edited(shex)).parts
    assert (renamed.change, renamed.name, renamed.new_name) == (ChangeKind.RENAMED, "SHDR", "SHEX")


def test_parts_of_one_name_are_paired_in_order() -> None:
    def two(first: bytes, second: bytes) -> DxContainer:
        shader = phong()
        shader.parts += [DxPart("XXXX", first), DxPart("XXXX", second)]
        return again(shader)

    (found,) = unshade.diff(two(b"1111", b"2222"), two(b"1111", b"3333")).parts
    assert (found.name, found.change) == ("XXXX", ChangeKind.CHANGED)


def test_fields_of_a_part_are_named() -> None:
    def edit(shader: DxContainer) -> None:
        shader["RDEF"].bindings[2].flags |= 2
        creator(shader)

    (found,) = unshade.diff(phong(), edited(edit)).parts
    assert [each.path for each in found.fields] == ["RDEF.bindings[2].flags", "RDEF.creator"]
    assert found.categories == ["reflection", "compiler"]


def test_changes_of_code() -> None:
    (found,) = unshade.diff(phong(), edited(insert)).programs
    assert (found.name, found.equal, found.added, found.changed) == ("main (pixel)", 78, 1, 0)
    assert [(each.name, each.before, each.after) for each in found.operations] == [("mov", 20, 21)]
    (line,) = found.lines
    assert (line.line_before, line.line_after, line.after) == (None, 22, "mov r3.x, l(1.000000)")
    (found,) = unshade.diff(phong(), edited(renumber)).programs
    assert found.only_registers
    assert [(each.before, each.after) for each in found.renamed] == [("r1", "r2"), ("r2", "r1")]
    (found,) = unshade.diff(phong(), edited(last_bit)).programs
    (line,) = found.lines
    assert line.differs is Differs.BITS
    assert (line.before, line.after) == ("mov r1.x, l(0.050000)", "mov r1.x, l(0.050000004)")
    verdict = unshade.diff(phong(), edited(renumber)).verdict
    assert verdict.startswith("the code differs in the numbers of registers only")


def test_a_release_without_names_has_the_same_code_and_interface() -> None:
    def strip(shader: DxContainer) -> None:
        del shader["RDEF"], shader["STAT"]

    stripped = edited(strip)
    found = unshade.diff(phong(), stripped)
    assert found.categories == ["reflection", "statistics", "compiler"]
    assert [each.path for each in found.reflection] == ["creator", "names"]
    assert found.statistics == []  # stated by one, counted for the other
    assert not unshade.diff(phong(), stripped, only=["code", "interface"])


def test_undecodable_parts_are_compared_as_bytes() -> None:
    def damage(shader: DxContainer) -> None:
        shader.parts["RDEF"].value = b"\xff" * 8

    found = unshade.diff(phong(), edited(damage))
    assert "reflection" in found.categories
    assert "code" not in found.categories
    assert any("RDEF could not be read" in note for note in found.notes)


class Other(Shader):
    """A format that has a reflection and nothing else, under the name of a known one."""

    format = "dvoj"

    def __init__(self, reflection: Reflection | None, data: bytes = b"x") -> None:
        self.reflection = reflection
        self.data = data

    def to_bytes(self) -> bytes:
        return self.data

    def reflect(self) -> Reflection:
        return self.reflection if self.reflection is not None else super().reflect()


def test_two_formats_are_compared_by_their_reflection() -> None:
    shader = phong()
    same = shader.reflect()
    same.format = "dvoj"
    found = unshade.diff(shader, Other(same))
    assert found
    assert [(each.path, each.after_text) for each in found.container] == [("format", "dvoj")]
    assert found.reflection == found.parts == found.programs == []
    assert "dxcontainer and dvoj are compared by their reflection alone" in found.notes[0]
    same.thread_group = [8, 8, 1]
    assert "interface" in unshade.diff(shader, Other(same)).categories


def test_a_format_without_parts() -> None:
    one, two = Other(Reflection(format="dvoj")), Other(Reflection(format="dvoj"), b"y")
    assert not unshade.diff(one, Other(None))  # the same bytes
    found = unshade.diff(one, two)
    assert [each.path for each in found.container] == ["bytes"]
    found = unshade.diff(one, Other(None, b"y"))
    assert found.notes == ["no reflection: dvoj files cannot be reflected yet"]


def test_added_and_removed_code() -> None:
    before, after = phong(), phong()
    after["Aon9"] = bytes(32)
    message = "the code differs: Aon9 {}, the other code is the same; the interface is the same"
    assert unshade.diff(before, after).verdict == message.format("added")
    assert unshade.diff(after, before).verdict == message.format("removed")
    before["Aon9"] = b"\1" * 32
    assert unshade.diff(before, after).verdict == (
        "the code differs in what its text does not show: Aon9 changed; the interface is the same"
    )


def test_invalid_arguments() -> None:
    shader: Any = phong()
    wrong: Any
    for wrong in (str(PHONG), shader.to_bytes(), None):
        with pytest.raises(unshade.UsageError, match="expected a Shader, got "):
            unshade.diff(shader, wrong)
    for option in ("only", "ignore"):
        message = f"{option}: unknown category 'cod'; did you mean code?"
        with pytest.raises(unshade.UsageError, match=message):
            unshade.diff(shader, shader, **{option: ["cod"]})  # type: ignore[arg-type]
        with pytest.raises(
            unshade.UsageError, match=f"{option}: expected names of categories, got "
        ):
            unshade.diff(shader, shader, **cast("Any", {option: 3}))
    assert selected("code") == {Category.CODE}
    assert selected(ignore=["code"]) == set(Category) - {Category.CODE}


def test_comparison_does_not_change_the_shaders() -> None:
    before, after = phong(), edited(insert)
    data = before.to_bytes(), after.to_bytes()
    unshade.diff(before, after)
    assert (before.to_bytes(), after.to_bytes()) == data
    kept = DxContainer.loads(data[0])
    insert(kept)  # an edited object, not written yet
    assert not unshade.diff(kept, after)


def test_code_of_a_record_is_described_by_its_text() -> None:
    """DVLP has the code and the descriptors: neither is described by numbers."""
    before, after = shbin.simple(), shbin.simple()
    after.dvlp.code[0] = before.dvlp.code[1]
    after.dvlp.descriptors[0] ^= 0x10
    found = unshade.diff(before, after)
    (part,) = [each for each in found.parts if each.name == "DVLP"]
    rows = [(each.path, each.before_text, each.after_text) for each in part.fields]
    assert rows == [("DVLP.descriptors[0]", "xyzw, xyzw, xyzw, xyzw", "xyzw, -xyzw, xyzw, xyzw")]
    assert Category.CODE in part.categories


def test_programs_of_two_kinds() -> None:
    found = unshade.diff(phong(), shbin.simple())
    assert "the programs are of different kinds" in found.verdict
