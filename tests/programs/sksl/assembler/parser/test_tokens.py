"""Tokens of SkSL source."""

import pytest

from unshade.programs.sksl.assembler.parser.tokens import END, TokenKind, TokenLexer


def read(text: str) -> list[tuple[str, str]]:
    lexer = TokenLexer(text)
    found = []
    while (token := lexer.next()).kind != END:
        if token.kind != TokenKind.SPACE:
            found.append((token.kind, token.text))
    return found


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("$genType", TokenKind.WORD),
        ("gl_Position", TokenKind.RESERVED),
        ("dvec3", TokenKind.RESERVED),
        ("dvec5", TokenKind.WORD),
        ("sampler2DShadow", TokenKind.RESERVED),
        ("$es3", "$es3"),
        ("inout", "inout"),
        ("0x7Fu", TokenKind.INT),
        ("0777", TokenKind.INT),
        ("0789", TokenKind.BAD_OCTAL),
        ("0789.5", TokenKind.FLOAT),
        ("1e5", TokenKind.FLOAT),
        ("1.", TokenKind.FLOAT),
        (".5e-3", TokenKind.FLOAT),
        ("#version", TokenKind.DIRECTIVE),
        ("@if", "@if"),
        (">>=", ">>="),
        ("^^", "^^"),
        ("^=", "^="),
        ("&&", "&&"),
        ("\\", TokenKind.INVALID),
        ("é", TokenKind.INVALID),
    ],
)
def test_one_token(text: str, kind: str) -> None:
    assert read(text) == [(kind, text)]


def test_swizzles_with_numbers_are_split() -> None:
    assert read("a.01rg") == [("identifier", "a"), ("float literal", ".01"), ("identifier", "rg")]


def test_the_longest_operator_is_taken() -> None:
    assert [text for _, text in read("a+++b--->>=c")] == [
        "a", "++", "+", "b", "--", "-", ">>=", "c",
    ]  # fmt: skip


def test_comments_are_space() -> None:
    assert read("a // b\n/* c\n ** d */ e") == [("identifier", "a"), ("identifier", "e")]
    assert read("/* a **/ b */ c") == [("identifier", "c")]  # as upstream's expression has it
    assert read("/* a")[:2] == [("/", "/"), ("*", "*")]
