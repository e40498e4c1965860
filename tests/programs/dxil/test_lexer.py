"""Colours of LLVM assembly."""

import pytest

from tests.programs.dxil.modules import Everything
from unshade.isa.lexer import Kind
from unshade.programs.dxil.lexer import LEXER
from unshade.programs.dxil.text import disassemble


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("  %3 = fadd fast float %1, 2.0e+00", "register operation word word register literal"),
        ("define void @main() #0 {", "declaration word name name"),
        ("  store i32 %x, i32* %y ; line:1", "access word register word register comment"),
        ("  br label %5, !dbg !7", "flow word register name name"),
        ('!4 = !{!"a b", null}', "name literal literal"),
        ("entry.1:", "name"),
        ('%"a b" = type { i32 }', "register word word"),
    ],
)
def test_kinds(text: str, kinds: str) -> None:
    assert [each.value for _, each in LEXER.tokens(text) if isinstance(each, Kind)] == kinds.split()


def test_tokens_are_the_text() -> None:
    text = disassemble(Everything().module)
    assert "".join(word for word, _ in LEXER.tokens(text)).split() == text.split()
