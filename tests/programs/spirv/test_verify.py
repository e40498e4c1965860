"""`verify` of a program: the validator with its defaults."""

from tests.programs.spirv.modules import CAPABILITY, SAXPY, VOID, module, op
from unshade.isa.source import Source
from unshade.programs.spirv.assembler import assemble
from unshade.programs.spirv.module import Module
from unshade.programs.spirv.validate import verify


def test_a_valid_module() -> None:
    assert verify(assemble(Source(SAXPY.read_text(encoding="utf-8")))) == []


def test_a_finding_has_an_offset() -> None:
    data = module(*CAPABILITY, *op(17, 5), *op(14, 0, 1), *VOID, *op(4000))
    found = verify(Module.loads(data))
    assert [(each.code, each.offset) for each in found] == [("spirv.unknown-opcode", 56)]
