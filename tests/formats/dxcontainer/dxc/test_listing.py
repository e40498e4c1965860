"""The listing of containers with DXIL."""

import pytest

from tests.programs.dxil.modules import SAXPY, part
from unshade.errors import FormatError, UnsupportedError, UsageError
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.dxcontainer.part import DxPart
from unshade.isa.lexer import Kind
from unshade.programs.dxil import Code


def saxpy() -> DxContainer:
    return DxContainer.loads(SAXPY.read_bytes())


def test_tables_and_module() -> None:
    text = saxpy().disassemble()
    order = [
        "; shader hash: ",
        ";PSVRuntimeInfo:\n; Compute Shader\n",
        "; Buffer Definitions:",
        "; Resource Bindings:",
        "target datalayout",
        "define void @main()",
        "!dx.version = ",
    ]
    places = [text.index(each) for each in order]
    assert places == sorted(places)
    assert text.endswith("}\n\n")


def test_malformed_programs_and_parts() -> None:
    with pytest.raises(FormatError, match=r"DXIL\.magic: expected b'DXIL'"):
        DxContainer([DxPart("DXIL", bytes(64))]).disassemble()
    with pytest.raises(FormatError, match=r"DXIL: expected a header of 24 bytes"):
        DxContainer([DxPart("DXIL", b"")]).disassemble()
    names = ("SFI0", "ISG1", "ILDN", "HASH", "PSV0", "RDAT", "STAT")
    damaged = DxContainer([*(DxPart(name, b"\1\2\3") for name in names), DxPart("DXIL", part())])
    assert "define void @main()" in damaged.disassemble()


def test_malformed_metadata() -> None:
    shader = saxpy()
    code = Code.decode(part())
    entry = code.module.named("dx.entryPoints")
    assert entry is not None
    entry.nodes[0].elements.clear()
    shader.parts["DXIL"].value = code.encode()
    for each in ("ILDB", "STAT"):
        if each in shader:
            del shader[each]
    with pytest.raises(FormatError, match=r"dx\.entryPoints\[0\]"):
        shader.disassemble()
    text = shader.disassemble(strict=False)
    assert "; the tables end here: " in text
    assert "define void @main()" in text


def test_dialects_and_options() -> None:
    shader = saxpy()
    assert shader.disassemble("native") == shader.disassemble()
    assert shader.disassemble("exact").startswith("; unshade dxcontainer exact 1\n")
    with pytest.raises(UsageError, match="unknown dialect 'other'"):
        shader.disassemble("other")
    with pytest.raises(UnsupportedError, match="generation: expected a listing of fxc"):
        shader.disassemble(generation="10.1")
    with pytest.raises(UsageError, match="no option 'colour'"):
        shader.disassemble(colour=True)


def test_colours() -> None:
    kinds = {kind for _, kind in saxpy().lexer().tokens("  %1 = add i32 %0, 1 ; x")}
    assert {Kind.REGISTER, Kind.OPERATION, Kind.COMMENT} <= kinds
