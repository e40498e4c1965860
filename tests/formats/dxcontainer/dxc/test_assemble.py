"""LLVM assembly to containers."""

import hashlib

import pytest

from tests.programs.dxil.modules import SAXPY, part
from unshade.errors import AssembleError, UsageError
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.dxcontainer.part import DxPart
from unshade.isa.source import Source
from unshade.programs.dxil import Code


def saxpy() -> DxContainer:
    return DxContainer.loads(SAXPY.read_bytes())


def assembled(text: str, donor: DxContainer | None = None) -> DxContainer:
    return DxContainer.assemble([Source(text)], donor=donor)


def program(shader: DxContainer) -> bytes:
    return next(each.data for each in shader.parts if each.name == "DXIL")


def test_a_listing_alone_is_the_program() -> None:
    made = assembled(saxpy().disassemble())
    assert [each.name for each in made.parts] == ["DXIL"]
    text = made.disassemble()
    assert saxpy().disassemble().endswith(text[text.index("target datalayout") :])


def test_exact_text_alone_is_the_program() -> None:
    text = saxpy().disassemble("exact")
    assert text.startswith("; unshade dxcontainer exact 1\n")
    assert program(assembled(text)) == part()


@pytest.mark.parametrize("dialect", ["native", "exact"])
def test_with_the_donor_the_file_is_the_same(dialect: str) -> None:
    donor = saxpy()
    assert assembled(donor.disassemble(dialect), donor).to_bytes() == SAXPY.read_bytes()


def edited(text: str) -> str:
    changed = text.replace("i32 93, i32 0)", "i32 93, i32 1)", 1)
    assert changed != text
    return changed


@pytest.mark.parametrize("dialect", ["native", "exact"])
def test_an_edit_changes_the_program_and_what_follows_from_it(dialect: str) -> None:
    donor = saxpy()
    made = assembled(edited(donor.disassemble(dialect)), donor)
    assert "i32 93, i32 1)" in made.disassemble()
    assert made.disassemble().count("\n") == donor.disassemble().count("\n")
    assert made.digest_state == donor.digest_state
    changed = {
        one.name
        for one, other in zip(made.parts, donor.parts, strict=True)
        if one.data != other.data
    }
    assert "DXIL" in changed
    assert changed <= {"DXIL", "HASH"}


def test_the_hash_of_the_bitcode_follows() -> None:
    donor = saxpy()
    for each in ("HASH", "ILDB"):
        if each in donor:
            del donor[each]
    old = hashlib.md5(Code.decode(part()).bitcode_bytes(), usedforsecurity=False).digest()
    donor.parts.append(DxPart("HASH", bytes(4) + old))
    made = DxContainer.loads(assembled(edited(donor.disassemble()), donor).to_bytes())
    new = hashlib.md5(Code.decode(program(made)).bitcode_bytes(), usedforsecurity=False).digest()
    assert new != old
    assert made.parts["HASH"].data == bytes(4) + new


def test_mistakes() -> None:
    text = saxpy().disassemble()
    with pytest.raises(AssembleError, match="unknown instruction"):
        assembled(text.replace("  ret void", "  rot void"))
    with pytest.raises(UsageError, match="expected a donor with DXIL"):
        assembled(text, DxContainer([DxPart("SFI0", bytes(8))]))
    with pytest.raises(UsageError, match="expected one source, got 2"):
        DxContainer.assemble([Source(text), Source(text)])
