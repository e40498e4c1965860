"""Writes docs/formats/*.md from the declarations in the code: `python tools/format_pages.py`.

Each format names its pages and what makes them (about.py in its folder).
tests/docs/test_format_pages.py fails while a page is older than what it is made from.
"""

from collections.abc import Mapping
from pathlib import Path

from unshade.damaged import RULES as FILE_RULES
from unshade.format import load
from unshade.formats import own
from unshade.rule import Rule

DOCS = Path(__file__).resolve().parent.parent / "docs" / "formats"
MADE = "<!-- made by tools/format_pages.py; edit the declarations instead -->\n\n"


def pages() -> dict[str, str]:
    """The text of every page, by file name."""
    made = {name: load(page)() for each in own() for name, page in each.pages}
    made["findings.md"] = findings()
    return {name: MADE + text for name, text in made.items()}


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
