"""Parts that repeat the program, beside one that was edited: what verify, diff and asm say."""

from pathlib import Path

import pytest

import unshade
from tests.cli.terminal import unshade as run
from tests.examples import EXAMPLES
from tests.formats.dxcontainer.broken_files import level9
from tests.formats.dxcontainer.test_choice import DIFFERENCE, SUM, named, with_debug
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.dxcontainer.parts.level9 import ConstantMapping
from unshade.shader import outdated

WHOLE = level9(constants=[ConstantMapping(count=4, target=1, conversions=[0] * 4)])
OLD = "the code for feature level 9"


def opened() -> DxContainer:
    return DxContainer.loads(WHOLE)


def edited() -> DxContainer:
    shader = opened()
    shader.programs[0].insert(len(shader.programs[0].instructions) - 1, "mov o0.x, l(1.000000)")
    return shader


def messages(shader: DxContainer) -> list[tuple[str, str, str]]:
    found = shader.verify()
    return [(each.code, each.path, each.message) for each in found if "Aon9" in each.path]


def test_a_program_that_was_not_edited_has_no_outdated_part() -> None:
    shader = opened()
    assert messages(shader) == []
    shader["RDEF"].creator = "another compiler"
    shader.sign()
    assert messages(shader) == []
    assert outdated(opened(), shader) == {}


def test_an_edit_is_reported_even_after_signing() -> None:
    shader = edited()
    finding = ("part.outdated", "Aon9", f"{OLD} is that of the program before it was edited")
    assert messages(shader) == [finding]
    shader.sign()
    assert messages(shader) == [finding]
    assert outdated(opened(), shader) == {"Aon9": OLD}


def test_an_edited_part_is_not_outdated() -> None:
    shader = edited()
    tokens = shader["Aon9"].tokens
    shader["Aon9"].tokens = tokens[:-4] + bytes(4) + tokens[-4:]  # a `nop` before the end
    assert messages(shader) == []
    del shader["Aon9"]
    assert messages(shader) == []


def test_diff_notes_a_part_that_stayed() -> None:
    found = unshade.diff(opened(), edited())
    assert found.notes == [
        f"Aon9 is the same in both, but the programs are not: {OLD} cannot agree with both"
    ]
    renamed = opened()
    renamed["RDEF"].creator = "another compiler"
    assert unshade.diff(opened(), renamed).notes == []


def test_asm_names_the_parts_of_the_donor_that_stay(tmp_path: Path) -> None:
    donor, text, made = (tmp_path / name for name in ("donor.dxbc", "edited.asm", "made.dxbc"))
    donor.write_bytes(WHOLE)
    text.write_text(edited().disassemble())
    ended = run("asm", text, "--donor", donor, "-o", made)
    assert ended.code == 0
    assert f"{text}: Aon9 is unchanged: {OLD} is that of the donor's program\n" in ended.err
    text.write_text(opened().disassemble())
    assert "unchanged" not in run("asm", text, "--donor", donor, "-o", made).err


@pytest.mark.heavy
def test_the_program_with_debug_information_after_an_edit_of_the_other() -> None:
    """It is compared, so that the finding is that it is another program."""
    shader = with_debug(named())
    edit = shader.disassemble("exact").replace(SUM, DIFFERENCE)
    made = unshade.assemble(edit, donor=shader)
    assert isinstance(made, DxContainer)
    assert outdated(shader, made) == {"ILDB": "the program with debug information"}
    codes = [each.code for each in made.verify()]
    assert "dxil.debug-program" in codes
    assert "part.outdated" not in codes
    both = unshade.assemble(shader.disassemble().replace(SUM, DIFFERENCE), donor=shader)
    assert outdated(shader, both) == {}


def test_formats_without_copies() -> None:
    one, two = (unshade.open(EXAMPLES / name) for name in ("particles.spv", "clay.frag.spv"))
    assert outdated(one, two) == {}
    assert outdated(one, opened()) == {}
