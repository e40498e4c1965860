"""Write docs/formats/*.md from the declarations in the code: `python tools/format_pages.py`.

Each format names its pages and what makes them (about.py in its folder). In the text of a page

    {{dump examples/saxpy.dxbc RDEF.sizes 0x00-0x34}}

becomes a dump of those fields, or bytes, of that file, as `unshade hexdump` shows them; `plain` in
front of the fields leaves the bits of words out.
tests/docs/test_format_pages.py fails while a page is older than what it is made from.
"""

import re
from collections.abc import Mapping
from pathlib import Path

import unshade
from unshade.damaged import RULES as FILE_RULES
from unshade.format import load
from unshade.formats import own
from unshade.isa.markdown import block
from unshade.rule import Rule
from unshade.screens.hexdump import below, lines
from unshade.wire import Span

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs" / "formats"
DUMP = re.compile(r"\{\{dump (\S+) ([^}]+)\}\}")
PLAIN = "plain"
MADE = "<!-- made by tools/format_pages.py; edit the declarations instead -->\n\n"


def pages() -> dict[str, str]:
    """The text of every page, by file name."""
    made = {name: load(page)() for each in own() for name, page in each.pages}
    made["findings.md"] = findings()
    return {name: MADE + DUMP.sub(dumped, text) for name, text in made.items()}


def dumped(found: re.Match[str]) -> str:
    """Return the dump that a page asks for."""
    shader = unshade.open(ROOT / found[1])
    wanted = found[2].split()
    spans = [each for each in shader.spans() if any(_asked(each, word) for word in wanted)]
    if wanted[0] == PLAIN:
        spans = [_whole(each) for each in spans if not (each.bits and each.bits[0])]
    text = ("".join(piece for piece, _ in line) for line in lines(spans, shader.to_bytes()))
    return block("\n".join(line.rstrip() for line in text).strip("\n"))


def _whole(span: Span) -> Span:
    """Return the word that a span is the lowest bits of."""
    if span.bits is None:
        return span
    return span._replace(bits=None, value=None, doc="", path=span.path.rpartition(".")[0])


def _asked(span: Span, wanted: str) -> bool:
    """Whether a span is below the path, or within the bytes `0x00-0x34`."""
    first, dash, end = wanted.partition("-")
    if dash and first.startswith("0x"):
        return int(first, 0) <= span.offset < int(end, 0)
    return below(span.path, wanted)


def findings() -> str:
    """Every rule of `verify`."""
    found = ["# What `verify` finds", ""]
    found += [
        "An error may make the runtime or a driver refuse the file, a warning is what no compiler",
        "writes, a note is worth knowing.",
        "",
    ]
    tables: dict[str, Mapping[str, Rule]] = {"Files of every format": FILE_RULES}
    for each in own():
        tables |= each.shader().rule_tables()
    for title, rules in tables.items():
        found += [f"## {title}", "", "| code | severity | what was found | why it matters |"]
        found += ["|---|---|---|---|"]
        for rule in rules.values():
            row = f"| `{rule.code}` | {rule.severity} | {rule.summary} | {rule.explanation} |"
            found.append(row)
        found.append("")
    return "\n".join(found)


def main() -> None:
    DOCS.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (DOCS / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
