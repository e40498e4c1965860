"""Corrections to the pages that Furo makes, so that a keyboard and a screen reader can use them.

caption of the sidebar         a heading without a level        gets its level
wide block of code, wide table scrolls, but only by a pointer    can be focused
parameters of a signature      <dl> with <dd> and no <dt>        become lines of plain elements
"""

import re
from pathlib import Path

SIGNATURE = re.compile(r'(<dt class="sig .*?</dt>)', re.DOTALL)
PLAIN = (
    ('<p class="caption" role="heading">', '<p class="caption" role="heading" aria-level="2">'),
    ("<pre>", '<pre tabindex="0">'),
    ('<div class="table-wrapper', '<div tabindex="0" class="table-wrapper'),
)
LINES = (
    ("<dl>", '<span class="sig-lines">'),
    ("</dl>", "</span>"),
    ("<dd>", '<span class="sig-line">'),
    ("</dd>", "</span>"),
)


def correct(folder: Path) -> None:
    """Correct every page that Sphinx made in a folder."""
    for path in folder.rglob("*.html"):
        text = path.read_text("utf-8")
        if 'data-content_root="' in text:
            path.write_text(corrected(text), "utf-8")


def corrected(text: str) -> str:
    """Return a page with the corrections.

    Args:
        text: The page, as Furo makes it.
    """
    for before, after in PLAIN:
        text = text.replace(before, after)
    return SIGNATURE.sub(lambda found: _signature(found[1]), text)


def _signature(text: str) -> str:
    for before, after in LINES:
        text = text.replace(before, after)
    return text
