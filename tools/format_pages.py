"""Write docs/formats/*.md from the declarations in the code: `python tools/format_pages.py`.

Each `pages/NAME.py` has a function `page`, which fills in `pages/NAME.md`. In a page,

    {{dump examples/saxpy.dxbc RDEF.sizes 0x00-0x34}}

becomes a dump of those fields or bytes of the file, as `unshade hexdump` prints it; with `plain`
before the fields, bit fields are left out.
tests/docs/test_format_pages.py fails if a page is stale.
"""

import re
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import unshade  # noqa: E402
from tools.pages.markdown import anchor, block  # noqa: E402
from unshade.damaged import RULES as FILE_RULES  # noqa: E402
from unshade.formats import own  # noqa: E402
from unshade.rule import Rule  # noqa: E402
from unshade.screens.hexdump import lines  # noqa: E402
from unshade.wire.spans import Span, is_below  # noqa: E402

NAMES = sorted(each.stem for each in (ROOT / "tools" / "pages").glob("*.md"))
DOCS = ROOT / "docs" / "formats"
DUMP = re.compile(r"\{\{dump (\S+) ([^}]+)\}\}")
PLAIN = "plain"
MADE = "<!-- made by tools/format_pages.py; edit the declarations instead -->\n\n"


def pages() -> dict[str, str]:
    """Return the text of every page by file name."""
    made = {f"{name}.md": import_module(f"tools.pages.{name}").page() for name in NAMES}
    made["findings.md"] = findings()
    return {name: MADE + DUMP.sub(dumped, text) for name, text in made.items()}


def dumped(found: re.Match[str]) -> str:
    """Return the dump for one `{{dump ...}}`."""
    shader = unshade.open(ROOT / found[1])
    wanted = found[2].split()
    spans = [each for each in shader.spans() if any(_asked(each, word) for word in wanted)]
    if wanted[0] == PLAIN:
        spans = [_whole(each) for each in spans if not (each.bits and each.bits[0])]
    text = ("".join(piece for piece, _ in line) for line in lines(lambda: spans, shader.to_bytes()))
    return block("\n".join(line.rstrip() for line in text).strip("\n"))


def _whole(span: Span) -> Span:
    """Return the whole word of a span of its lowest bits."""
    if span.bits is None:
        return span
    return span._replace(bits=None, value=None, doc="", path=span.path.rpartition(".")[0])


def _asked(span: Span, wanted: str) -> bool:
    """Return True if a span is below the path, or within the bytes `0x00-0x34`."""
    first, dash, end = wanted.partition("-")
    if dash and first.startswith("0x"):
        return int(first, 0) <= span.offset < int(end, 0)
    return is_below(span.path, wanted)


def findings() -> str:
    """Return the page of all rules of `verify`."""
    found = ["# Rules of `verify`", ""]
    found += [
        "With an error, the runtime or a driver may refuse the file. A warning means that no",
        "compiler writes this. A note is for information.",
        "",
    ]
    tables: dict[str, Mapping[str, Rule]] = {"Files of every format": FILE_RULES}
    for each in own():
        tables |= each.shader().rule_tables()
    links = (f"[{title}](#{anchor(title)})" for title in tables)
    found += [f"Contents: {' · '.join(links)}", ""]
    for title, rules in tables.items():
        found += [f"## {title}", "", "| code | severity | finding | reason |"]
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
