"""Programs assembled from the edited listing of another program: what comes from the old one."""

from __future__ import annotations

import pytest

from tests.programs.dxil.modules import MINIMAL, minimal, saxpy
from unshade.isa.source import Source
from unshade.programs.dxil import Code, Program
from unshade.programs.dxil.model.instructions import BinaryInst
from unshade.programs.dxil.reassembly import reassembled


def listing(code: Code, dialect: str | None = None) -> str:
    return Program.decode(code.encode()).disassemble(dialect)


@pytest.mark.parametrize("dialect", [None, "exact"])
def test_an_unchanged_text_is_the_old_program(dialect: str | None) -> None:
    text = listing(saxpy(), dialect)
    source = Source(text)
    assert reassembled(saxpy(), source, exact=dialect is not None, strict=True) is None


def test_what_surrounds_the_bitcode_is_kept() -> None:
    old = Code.decode(minimal("vs", 5))
    old.version, old.dxil_version = 1 << 16 | 0x6F, 0x107
    old.gap, old.trailing = b"gap!", b"tail"
    text = listing(old).replace("ret void", "%1 = add i32 1, 2\n  ret void")
    made = reassembled(old, Source(text), exact=False, strict=True)
    assert made is not None
    assert (made.version, made.dxil_version) == (1 << 16 | 0x6F, 0x107)
    assert (made.gap, made.trailing) == (b"gap!", b"tail")
    again = Code.decode(made.encode())
    assert (again.gap, again.trailing) == (b"gap!", b"tail")
    assert "add i32 1, 2" in listing(again)
    assert "add" not in listing(old)


def flags_of(code: Code) -> list[int | None]:
    main = code.module.function("main")
    assert main is not None
    return [each.flags for each in main.instructions if isinstance(each, BinaryInst)]


MATHS = MINIMAL.format(
    stage="ps", minor=0, entry='void ()* @main, !"main"', interface="null, null"
).replace(
    "  ret void",
    "  %1 = fadd fast float 1.0, 2.0\n  %2 = fmul float %1, 2.0\n  ret void",
)


def test_flags_that_text_cannot_express_are_kept() -> None:
    """`fast` stands for all flags: the text of 0x1f and of 1 is the same."""
    old = Code.decode(Program.assemble(MATHS).encode())
    main = old.module.function("main")
    assert main is not None
    first = main.instructions[0]
    assert isinstance(first, BinaryInst)
    before = first.flags
    first.flags = 0x1F if before != 0x1F else 1
    changed = first.flags
    old = Code.decode(old.encode())
    assert flags_of(old)[0] == changed
    text = listing(old)
    assert "fadd fast float" in text
    edited = text.replace("fmul float", "fsub float")
    made = reassembled(old, Source(edited), exact=False, strict=True)
    assert made is not None
    assert flags_of(made) == [changed, None]
    longer = text.replace("ret void", "%3 = fadd float %2, %2\n  ret void")
    made = reassembled(old, Source(longer), exact=False, strict=True)
    assert made is not None
    assert flags_of(made) == [before, None, None]  # the number of instructions is another
