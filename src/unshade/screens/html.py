"""Screens as HTML: the same blocks as on a terminal, for notebooks.

A piece of HTML is self-contained: it includes its style, loads nothing, and runs nothing. Without
the style, which some sites remove, tables and listings still can be read. Colours come in pairs,
`light-dark(…)`: the system's setting selects the colour, or the theme of Jupyter, VS Code, Colab or
Sphinx where it is exposed.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape

from ..isa.lexer import Lexer
from .blocks import Block, ByteMap, Cell, FactsBlock, Lines, Prose, TableBlock, Title, text_of
from .colours import KINDS
from .hexdump import colour_of
from .text import many, visible

__all__ = ["document", "folded", "heading", "image", "listing", "render", "style"]

BREAKS = re.compile(r"(?<=.)(?=[.\[])")
LINES = 500  # of code; a notebook keeps all that it was ever shown
DARK = (
    '[data-jp-theme-light="false"]', "body.vscode-dark", 'html[theme="dark"]',
    '[data-theme="dark"]',
)  # fmt: skip
LIGHT = (
    '[data-jp-theme-light="true"]', "body.vscode-light", 'html[theme="light"]',
    '[data-theme="light"]',
)  # fmt: skip
TONES = {  # class: on light, on dark
    "good": ("#1a7f37", "#4ac26b"),
    "warn": ("#9a6700", "#d4a72c"),
    "bad": ("#cf222e", "#ff7b72"),
    "dim": ("#656d76", "#8b949e"),
    "number": ("#0550ae", "#79c0ff"),
    "key": ("#8250df", "#d2a8ff"),
    "minus": ("#cf222e", "#ff7b72"),
    "plus": ("#1a7f37", "#4ac26b"),
    **{str(kind): (each.light, each.dark) for kind, each in KINDS.items()},
}

# Of the lines of a plot: they differ in brightness, too.
LINE_COLOURS = (
    ("#0550ae", "#79c0ff"),
    ("#bc4c00", "#ffa657"),
    ("#1a7f37", "#56d364"),
    ("#6e7781", "#8b949e"),
)


def _light_dark(colours: tuple[str, str]) -> str:
    """Return the colour that the style of the page selects."""
    return f"light-dark({','.join(colours)})"


def style() -> str:
    """Return the style sheet, which affects only elements below `.unshade`."""
    dark = ",".join(f"{each} .unshade" for each in DARK)
    light = ",".join(f"{each} .unshade" for each in LIGHT)
    tones = "".join(
        f".unshade .u-{name}{{color:{_light_dark(each)}}}" for name, each in TONES.items()
    )
    lines = "".join(
        f".unshade svg .u-line{at}{{stroke:{_light_dark(each)}}}"
        for at, each in enumerate(LINE_COLOURS)
    )
    return (
        ".unshade{color-scheme:light dark;font-size:13px;line-height:1.45;overflow-x:auto}"
        f"{dark}{{color-scheme:dark}}{light}{{color-scheme:light}}"
        ".unshade h4{margin:.9em 0 .2em;font-size:13px;font-weight:600}"
        ".unshade table{border-collapse:collapse;margin:.2em 0;border:0}"
        ".unshade table :is(tr,th,td){background:none!important;border:0;padding:0 1.2em 0 0;"
        "text-align:left;vertical-align:top;white-space:normal;max-width:none}"
        ".unshade th{font-weight:400;opacity:.65}"
        ".unshade table :is(th,td).u-r{text-align:right;white-space:nowrap}"
        ".unshade :is(td,pre){font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}"
        ".unshade td{font-size:12px}"
        ".unshade pre{margin:.3em 0;font-size:12px;line-height:1.4;white-space:pre;background:none}"
        ".unshade p{margin:.3em 0}.unshade summary{cursor:pointer;margin-top:.9em}"
        ".unshade .u-mark{font-weight:700;text-decoration:underline}"
        ".unshade .u-map{display:flex;width:100%;max-width:52em;height:1.7em;margin:.5em 0}"
        ".unshade .u-map span{overflow:hidden;min-width:2px;box-sizing:border-box;font-size:11px;"
        "line-height:1.9;text-align:center;color:#000;border-right:1px solid Canvas;height:100%}"
        # A name that does not fit beside this wraps to a line that is cut off.
        ".unshade .u-map span::before{content:'';display:inline-block;width:1px;height:100%;"
        "vertical-align:top}"
        ".unshade figure{display:inline-block;margin:.4em 1.2em .4em 0;vertical-align:top}"
        ".unshade img{image-rendering:pixelated;max-width:100%;margin:0;"
        "background:repeating-conic-gradient(#8884 0 25%,#0000 0 50%) 0 0/16px 16px}"
        ".unshade iframe{box-sizing:border-box;border:1px solid #8886;border-radius:6px}"
        ".unshade figcaption{font-size:12px}.unshade svg path{fill:none;stroke-width:1.2;"
        "stroke-linecap:round;stroke-linejoin:round;vector-effect:non-scaling-stroke}"
        ".unshade svg .u-zero{stroke:#8886}"
        f".unshade svg .u-bars{{fill:{_light_dark(LINE_COLOURS[0])}}}"
        f"{lines}"
        f"{tones}"
    )


def document(*pieces: str) -> str:
    """Return pieces of HTML as a self-contained document."""
    return f'<style>{style()}</style><div class="unshade">{"".join(pieces)}</div>'


def folded(title: str, *pieces: str) -> str:
    """Return pieces of HTML that are opened by their title."""
    return f"<details><summary>{escape(title)}</summary>{''.join(pieces)}</details>"


def render(blocks: Iterable[Block]) -> str:
    """Return the blocks as HTML, without the style."""
    return "".join(map(_block, blocks))


def _block(block: Block) -> str:
    match block:
        case Title(name, phrase, inner):
            gap = "<br>" if inner else ""
            return f"{gap}<div><b>{escape(name)}</b>&emsp;{escape(phrase)}</div>"
        case Prose(text):
            return f"<p>{escape(text)}</p>"
        case FactsBlock(rows):
            return _table(("", ""), [[(label, "dim"), value] for label, value in rows])
        case TableBlock(title, headings, rows):
            return heading(title) + _table(headings, rows)
        case ByteMap(regions):
            return _map(regions)
        case Lines(title, rows):
            return heading(title) + (_pre(["".join(map(_cell, row)) for row in rows]))


def heading(title: str) -> str:
    """Return the title of a table or of other pieces; nothing for an empty one."""
    return f"<h4>{escape(title)}</h4>" if title else ""


def _table(headings: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    if not rows:
        return ""
    right = [' class="u-r"' if heading.startswith(">") else "" for heading in headings]
    head = ""
    if any(heading.strip(">") for heading in headings):
        cells = zip(right, headings, strict=True)
        head = "".join(f"<th{side}>{escape(name.lstrip('>'))}</th>" for side, name in cells)
        head = f"<thead><tr>{head}</tr></thead>"
    body = "".join(
        f"<tr>{''.join(f'<td{right[at]}>{_cell(cell)}</td>' for at, cell in enumerate(row))}</tr>"
        for row in rows
    )
    return f"<table>{head}<tbody>{body}</tbody></table>"


def _cell(cell: Cell) -> str:
    text = escape(text_of(cell))
    if isinstance(cell, str) or not text:
        return text.replace("  ", "&nbsp; ")
    tone = cell[1]
    if tone == "name":  # a dotted path may be broken before a point or bracket
        return f"<b>{BREAKS.sub('<wbr>', text)}</b>"
    kind, _, word = tone.partition(" ")
    if kind not in TONES:  # the colour of a part
        colour = _rgb(colour_of(tone))
        return f'<span style="color:{_light_dark((_on_white(colour), colour))}">{text}</span>'
    return f'<span class="u-{kind}{" u-mark" if word else ""}">{text}</span>'


def _map(regions: Sequence[tuple[str, int]]) -> str:
    pieces = []
    for name, size in regions:
        colour = _rgb(colour_of(f"part {name}")) if name else "#8886"
        title = escape(f"{name or 'headers'}: {size:,} bytes")
        pieces.append(
            f'<span style="flex:{size} 0 0;background:{colour}" title="{title}">'
            f"{escape(name)}</span>"
        )
    return f'<div class="u-map">{"".join(pieces)}</div>'


def _pre(lines: Sequence[str], left: int = 0, more: str = "") -> str:
    """Return the first lines as HTML.

    `left` is the number of omitted lines, `more` tells how to get them.
    """
    if not lines:
        return ""
    left += max(len(lines) - LINES, 0)
    rest = f"<p>… {many(left, 'more line')}{escape(more)}</p>" if left else ""
    return "<pre>{}</pre>{}".format("\n".join(lines[:LINES]), rest)


def listing(title: str, text: str, lexer: Lexer, whole: str = "print(shader.disassemble())") -> str:
    """Return a listing in colours that its title opens; `whole` is code that prints all of it."""
    given = text.removesuffix("\n").split("\n")
    lines = [
        "".join(
            f'<span class="u-{kind}">{escape(shown)}</span>' if kind else escape(shown)
            for shown, kind in ((visible(word, keep="\t"), kind) for word, kind in tokens)
        )
        for tokens in lexer.lines("\n".join(given[:LINES]))
    ]
    code = _pre(lines, max(len(given) - LINES, 0), f": {whole}")
    return folded(title, code)


def image(caption: str, png: bytes, width: int, height: int) -> str:
    """Return a picture, enlarged if it is small, so that pixels can be seen."""
    scale = max(1, 128 // max(width, height, 1))
    data = b64encode(png).decode()
    size = f'width="{width * scale}" height="{height * scale}"'
    return (
        f'<figure><img {size} alt="{escape(caption)}" src="data:image/png;base64,{data}">'
        f"<figcaption>{escape(caption)}</figcaption></figure>"
    )


def _rgb(colour: int) -> str:
    """Return the RGB of a terminal's colour: a 6 x 6 x 6 cube from 16 on, greys from 232 on."""
    if colour >= 232:
        grey = 8 + 10 * (colour - 232)
        return f"#{grey:02x}{grey:02x}{grey:02x}"
    steps = (0, 95, 135, 175, 215, 255)
    red, rest = divmod(colour - 16, 36)
    return "#" + "".join(f"{steps[each]:02x}" for each in (red, *divmod(rest, 6)))


def _on_white(colour: str) -> str:
    """Return a colour, darkened until its contrast with white is 4.5, WCAG's minimum for text."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    while _luminance(parts) > 1.05 / 4.5 - 0.05:
        parts = [each * 0.95 for each in parts]
    return "#" + "".join(f"{int(each * 255):02x}" for each in parts)


def _luminance(parts: Sequence[float]) -> float:
    linear = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return sum(a * b for a, b in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))
