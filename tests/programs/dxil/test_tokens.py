"""Tokens of LLVM assembly."""

import pytest

from unshade.errors import AssembleError
from unshade.isa.source import Source
from unshade.programs.dxil.assembler.cursor import Cursor
from unshade.programs.dxil.assembler.tokens import BITS, END, AssemblyTokens


def tokens(text: str) -> AssemblyTokens:
    return AssemblyTokens(Source(text))


def test_blanks_and_comments_are_no_tokens() -> None:
    found = tokens("; one\n\n  %a = add i32 1,\t2 ; three %b\n;four\n\r\n!0 ; five")
    assert [each.text for each in found] == ["%a", "=", "add", "i32", "1", ",", "2", "!0", ""]
    assert [each.text for each in found if each.is_first] == ["%a", "!0", ""]
    assert found[-1].kind == END
    assert all(found.source.text[each.offset :].startswith(each.text) for each in found)


@pytest.mark.parametrize(
    ("text", "line", "column"), [("a\n b ?c", 2, 4), ("?", 1, 1), ("x 'y", 1, 3)]
)
def test_another_character_is_an_error_at_its_place(text: str, line: int, column: int) -> None:
    with pytest.raises(AssembleError, match="expected a token") as caught:
        tokens(text)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_closing_braces() -> None:
    found = tokens('{ !{ i32 1 } c"}" } } {')
    texts = [each.text for each in found]
    assert texts[found.closing(0) or 0 :] == ["}", "}", "{", ""]
    assert found.closing(1) == texts.index("}")
    assert found.closing(len(texts) - 2) is None


def test_a_cursor_goes_through_all_pieces_and_stays_at_the_end() -> None:
    count = (2 << BITS) + 3
    cursor = Cursor(Source("x " * count))
    assert [cursor.next().kind for _ in range(count)] == ["word"] * count
    assert cursor.next().kind == cursor.next().kind == END
    assert cursor.at == count
    cursor.at = (1 << BITS) - 1
    for at in range(1 << BITS, (1 << BITS) + 2):
        assert cursor.accept("x")
        assert cursor.at == at
        assert cursor.token is cursor.tokens[at]
