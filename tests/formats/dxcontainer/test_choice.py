"""Which of several DXIL programs a container lists, runs, debugs, reflects and compares."""

import hashlib
import re

import pytest

import unshade
from tests.programs.dxil.modules import SAXPY
from unshade.formats.dxcontainer import DxContainer, DxPart
from unshade.formats.dxcontainer.choice import listed_part, running_part, strangers
from unshade.formats.dxcontainer.parts.dxil import Program
from unshade.formats.dxcontainer.parts.hash import DxilShaderHash

pytestmark = pytest.mark.heavy

SUM, DIFFERENCE = "= fadd fast float", "= fsub fast float"


def changed(old: str, new: str) -> Program:
    """Return the program of saxpy after an edit of its text."""
    text = DxContainer.loads(SAXPY.read_bytes()).programs[0].disassemble()
    assert old in text
    return Program.assemble(text.replace(old, new))


def named() -> Program:
    """Return the program of saxpy with the name of a value, as ILDB has it."""
    text = DxContainer.loads(SAXPY.read_bytes()).programs[0].disassemble()
    made = Program.assemble(re.sub(r"%7\b", "%factor", text))
    assert "%factor" in made.disassemble()
    return made


def with_debug(*programs: Program) -> DxContainer:
    """Return saxpy with an ILDB of each program."""
    shader = DxContainer.loads(SAXPY.read_bytes())
    shader.parts.extend(DxPart("ILDB", each) for each in programs)
    return DxContainer.loads(shader.to_bytes())


def codes(shader: DxContainer) -> list[str]:
    return [each.code for each in shader.verify()]


def test_a_copy_is_listed_in_place_of_the_program_that_runs() -> None:
    shader = with_debug(named())
    assert "%factor" in shader.disassemble()
    assert "%factor" not in shader.disassemble("exact")
    assert shader.with_debug_information(shader.programs[0]) is shader["ILDB"]
    part = listed_part(shader.parts)
    assert part is not None
    assert part.name == "ILDB"
    part = listed_part(shader.parts, exact=True)
    assert part is not None
    assert part.name == "DXIL"
    assert not list(strangers(shader.parts))
    assert codes(shader) == codes(DxContainer.loads(SAXPY.read_bytes()))
    assert shader.reflect().notes == []


def test_another_program_is_neither_listed_nor_run_nor_debugged() -> None:
    shader = with_debug(changed(SUM, DIFFERENCE))
    assert DIFFERENCE not in shader.disassemble()
    assert SUM in shader.disassemble()
    assert shader.programs == [shader["DXIL"]]
    assert shader.with_debug_information(shader.programs[0]) is shader["DXIL"]
    assert codes(shader).count("dxil.debug-program") == 1
    (finding,) = (each for each in shader.verify() if each.code == "dxil.debug-program")
    assert finding.path == "ILDB"
    assert unshade.info(shader).notes == [
        "ILDB is left out: its program is another than that of DXIL, which runs"
    ]


def test_diff_notes_the_shader_with_another_program() -> None:
    found = unshade.diff(with_debug(named()), with_debug(changed(SUM, DIFFERENCE)))
    assert found.verdict == "the code is the same; debug information differs"
    assert found.notes == [
        "second: ILDB is left out: its program is another than that of DXIL, which runs"
    ]


def test_the_second_debug_program_may_be_the_copy() -> None:
    shader = with_debug(changed(SUM, DIFFERENCE), named())
    part = listed_part(shader.parts)
    assert part is shader.parts[-1]
    edited = shader.disassemble().replace(SUM, DIFFERENCE)
    made = unshade.assemble(edited, donor=shader)
    assert made.parts[-1].value.comparable() == changed(SUM, DIFFERENCE).comparable()
    assert made.parts[-2].data == shader.parts[-2].data
    assert made.programs[0].comparable() == changed(SUM, DIFFERENCE).comparable()


def test_a_damaged_program_is_not_chosen() -> None:
    shader = with_debug(named())
    shader["ILDB"] = b"damage"
    part = running_part(shader.parts)
    assert part is not None
    assert part is listed_part(shader.parts)
    assert part.name == "DXIL"
    shader = with_debug(named())
    shader["DXIL"] = b"damage"
    part = running_part(shader.parts)
    assert part is not None
    assert part is listed_part(shader.parts)
    assert part.name == "ILDB"
    assert SUM in shader.disassemble()
    shader["ILDB"] = b"damage"
    assert running_part(shader.parts) is None
    with pytest.raises(unshade.FormatError, match="DXIL: expected a header of 24 bytes, got 6"):
        shader.disassemble()


def test_the_program_that_runs_follows_an_edit_of_the_listing() -> None:
    """Even if DXIL is not the bytes that stripping ILDB gives."""
    shader = with_debug(named())
    edited = shader.disassemble().replace(SUM, DIFFERENCE)
    made = unshade.assemble(edited, donor=shader)
    assert isinstance(made, DxContainer)
    for name in ("DXIL", "ILDB"):
        assert made[name].comparable() == changed(SUM, DIFFERENCE).comparable()
    assert "dxil.debug-program" not in codes(made)
    assert "hash.program" not in codes(made)


def test_reflection_of_another_program_is_left_out() -> None:
    shader = DxContainer.loads(SAXPY.read_bytes())
    names = [each.name for each in shader.reflect().resources]
    shader["STAT"] = changed("i32 0, i32 1, i32 1, i32 11", "i32 0, i32 5, i32 1, i32 11")
    found = shader.reflect()
    assert [each.name for each in found.resources] != names
    assert found.notes == [
        "STAT is left out: it is of another stage or binds other registers than DXIL, which runs"
    ]
    assert "dxil.reflection-program" in codes(shader)


def test_a_hash_is_that_of_the_bitcode() -> None:
    shader = with_debug(named())
    stated = shader["HASH"].digest
    assert stated == hashlib.md5(shader["DXIL"].bitcode_bytes()).digest()
    flipped = bytes([stated[0] ^ 255]) + stated[1:]
    shader["HASH"] = DxilShaderHash(digest=flipped)
    (finding,) = (each for each in shader.verify() if each.code == "hash.program")
    assert finding.message == f"expected {stated.hex()}, got {flipped.hex()}"
    assert finding.path == "HASH.digest"


def test_a_hash_with_the_source_is_that_of_the_debug_program() -> None:
    shader = with_debug(named())
    right = hashlib.md5(shader["ILDB"].bitcode_bytes()).digest()
    shader["HASH"] = DxilShaderHash(flags=1, digest=right)
    assert not {"hash.source", "hash.program"} & {*codes(shader)}
    shader["HASH"] = DxilShaderHash(flags=1, digest=bytes(16))
    assert "hash.source" in codes(shader)
    shader["RTS0"] = unshade.assemble('"CBV(b0)"', "dxcontainer")["RTS0"]
    assert "hash.source" not in codes(shader)  # dxc hashes the module with the root signature
    del shader["DXIL"]  # a PDB: the hash is that of the container it belongs to
    del shader["RTS0"]
    assert not {"hash.source", "hash.program"} & {*codes(shader)}
