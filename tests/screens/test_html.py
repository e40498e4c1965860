"""Screens as HTML: well-formed, escaped, and nothing in them that is loaded or run."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from unshade.isa.lexer import Kind, comments
from unshade.screens import html
from unshade.screens.blocks import (
    Block,
    ByteMap,
    FactsBlock,
    Lines,
    Prose,
    TableBlock,
    Title,
    render_plain,
)

EVIL = "<script>alert('\"&')</script>"
VOID = {"br", "img", "wbr"}
ALLOWED = {
    "style", "div", "b", "p", "h4", "table", "thead", "tbody", "tr", "th", "td", "span", "pre",
    "details", "summary", "figure", "figcaption", "svg", "path", "rect", "g", "iframe", *VOID,
}  # fmt: skip

ATTRIBUTES = {
    "class", "style", "title", "width", "height", "alt", "src", "d", "x", "y", "viewbox", "role",
    "aria-label", "sandbox", "srcdoc",
}  # fmt: skip


class Checker(HTMLParser):
    """Tags that close in order and are allowed, attributes that load nothing; the text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        assert tag in ALLOWED, tag
        for name, value in attributes:
            assert name in ATTRIBUTES, name
            if name == "sandbox":
                assert value == "allow-scripts"  # no origin, forms, downloads or windows
            if name == "srcdoc":
                assert "default-src &#39;none&#39;" in (value or "")
            if name == "src":
                assert (value or "").startswith("data:image/png;base64,")
            if name == "style":
                assert re.fullmatch(
                    r"color:light-dark\(#[0-9a-f]+,#[0-9a-f]+\)|flex:\d+ 0 0;background:#[0-9a-f]+",
                    value or "",
                )
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words += data.split()


def words(text: str) -> list[str]:
    """The words that a piece of HTML shows; an assertion where it is not as it should be."""
    checker = Checker()
    checker.feed(text)
    checker.close()
    assert checker.open == []
    outside = re.sub(r' srcdoc="[^"]*"', "", text)  # a page, which its own tests look at
    for loads in ("http", "url(", "@import", "javascript", "<script"):
        assert loads not in outside
    return checker.words


BLOCKS: list[Block] = [
    Title("a.dxbc", "pixel shader"),
    Title("main", "vertex shader", inner=True),
    Prose("the same, byte for byte"),
    FactsBlock([("digest", ("right", "good")), ("", "3")]),
    TableBlock("Parts", ("name", ">bytes"), [[("RDEF", "part RDEF"), ("12", "number")]]),
    TableBlock("", ("", ""), [[("a.b[2].c", "name"), ("x", "bad")], ["", ("y", "minus word")]]),
    Lines("Code", [[("-", "minus"), ("r0", "minus word")], [" mov  r0"]]),
]


def test_the_words_are_those_of_plain_text() -> None:
    plain = [word for word in re.split(r"[\s:]+", render_plain(BLOCKS)) if word]
    assert "".join(words(html.document(html.render(BLOCKS)))) == "".join(plain)


@pytest.mark.parametrize(
    "block",
    [
        Title(EVIL, EVIL),
        Prose(EVIL),
        FactsBlock([(EVIL, (EVIL, "good"))]),
        TableBlock(EVIL, (EVIL, f">{EVIL}"), [[(EVIL, "name"), (EVIL, f"part {EVIL}")]]),
        ByteMap([(EVIL, 3), ("", 1)]),
        Lines(EVIL, [[EVIL, (EVIL, "plus word")]]),
    ],
)
def test_everything_is_escaped(block: Block) -> None:
    text = html.render([block])
    words(text)
    assert "<script" not in text
    assert "&lt;script&gt;" in text


def test_a_listing_is_coloured_escaped_and_bounded() -> None:
    text = html.listing(EVIL, "a < b ; <c>\x1b\n" * (html.LINES + 5), comments(";"))
    shown = words(html.document(text))
    assert f'<span class="u-{Kind.COMMENT}">; &lt;c&gt;\\x1b</span>' in text
    assert text.count("a &lt; b") == html.LINES
    assert "… 5 more lines" in " ".join(shown)


def test_a_byte_map_is_in_proportion_and_named() -> None:
    text = html.render([ByteMap([("RDEF", 30), ("", 10)])])
    assert re.findall(r"flex:(\d+) .*?title=\"(.*?)\"", text) == [
        ("30", "RDEF: 30 bytes"), ("10", "headers: 10 bytes"),
    ]  # fmt: skip


def test_the_style_is_for_its_own_elements_only() -> None:
    [style] = re.findall(r"<style>(.*)</style>", html.document())
    for rule in re.findall(r"([^{}]+)\{", style):
        assert all(".unshade" in selector for selector in re.split(r",(?![^(]*\))", rule)), rule
    for theme in (*html.DARK, *html.LIGHT):
        assert f"{theme} .unshade" in style
    for kind in Kind:
        assert f".u-{kind}{{color:light-dark(" in style


def test_small_pictures_are_enlarged() -> None:
    assert 'width="128" height="64"' in html.image("a", b"", 4, 2)
    assert 'width="300" height="200"' in html.image("a", b"", 300, 200)


def test_names_can_be_broken() -> None:
    text = html.render([TableBlock("", ("",), [[("a.b[2].c", "name")]])])
    assert "<b>a<wbr>.b<wbr>[2]<wbr>.c</b>" in text
