"""Lexers: the tokens of any text join to that text."""

from __future__ import annotations

import pytest

from unshade.isa.lexer import Kind, Lexer, Token, comments


def word(text: str) -> Kind | None:
    return Kind.REGISTER if text.startswith("r") else None


LEXER = Lexer(
    (Kind.COMMENT, r"//.*|/\*(?:.|\n)*?\*/"),
    (Kind.LITERAL, r"[0-9]+"),
    (word, r"\w+"),
    first=(Kind.OPERATION, r"[a-z]+"),
)


def kinds(text: str) -> list[Token]:
    return [(word, kind) for word, kind in LEXER.tokens(text) if word.strip()]


def test_the_first_word_of_a_line_is_special() -> None:
    assert kinds("  rcp r0, rcp 3") == [
        ("rcp", Kind.OPERATION), ("r0", Kind.REGISTER), (", ", None), ("rcp", Kind.REGISTER),
        ("3", Kind.LITERAL),
    ]  # fmt: skip
    assert kinds("a\nb") == [("a", Kind.OPERATION), ("b", Kind.OPERATION)]
    assert kinds("0 b") == [("0", Kind.LITERAL), ("b", None)]


def test_a_comment_may_take_several_lines() -> None:
    text = "a /* 1\nb 2 */ r1 // 3\nc\n"
    assert kinds(text) == [
        ("a", Kind.OPERATION), ("/* 1\nb 2 */", Kind.COMMENT), ("r1", Kind.REGISTER),
        ("// 3", Kind.COMMENT), ("c", Kind.OPERATION),
    ]  # fmt: skip
    lines = list(LEXER.lines(text))
    assert [[token for token in line if token[0].strip()] for line in lines] == [
        [("a", Kind.OPERATION), ("/* 1", Kind.COMMENT)],
        [("b 2 */", Kind.COMMENT), ("r1", Kind.REGISTER), ("// 3", Kind.COMMENT)],
        [("c", Kind.OPERATION)],
    ]


@pytest.mark.parametrize(
    "text",
    ["", "\n", "\n\n a", " ", "a", "a\n", "\t\tb // c", "/* never closed", "é ∑ r0\r\n", "\0"],
)
@pytest.mark.parametrize("lexer", [LEXER, comments(";")])
def test_nothing_is_lost(lexer: Lexer, text: str) -> None:
    assert "".join(word for word, _ in lexer.tokens(text)) == text
    lines = ["".join(word for word, _ in line) for line in lexer.lines(text)]
    assert lines == text.split("\n")[: -1 if text.endswith("\n") or not text else None]


def test_comments_alone() -> None:
    assert list(comments(";").tokens("a 1 ; b\n")) == [
        ("a 1 ", None), ("; b", Kind.COMMENT), ("\n", None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text", ["", " ", "mov", " mov  r0 , r1\n\n; c\n", "\n\n", "a;b", "\tr1\t"]
)
def test_tokens_are_the_text(text: str) -> None:
    """None is empty; a line has its tokens without the end."""
    lexer = Lexer((Kind.COMMENT, ";.*"), (Kind.REGISTER, r"\br[0-9]+\b"))
    words = [word for word, _ in lexer.tokens(text)]
    assert "".join(words) == text
    assert "" not in words
    lines = ["".join(word for word, _ in line) for line in lexer.lines(text)]
    assert lines == text.removesuffix("\n").split("\n") if text else not lines
