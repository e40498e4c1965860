"""Versions of the site side by side: a folder for each, and links between their pages.

    build/site/index.html    leads to the newest version
    build/site/0.2.0/…       each page has links to the same page of the other versions, or to the
    build/site/0.1.0/…       front page of a version that does not have it

The links are part of the pages, between two comments in the sidebar: they need no script, work in
files, and are checked as all others are. A version that is added changes the pages of the others.
"""

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from posixpath import relpath

BEGIN, END = "<!-- versions -->", "<!-- /versions -->"
ENTRY = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>unshade</title>
<meta http-equiv="refresh" content="0; url={0}/index.html">
<p><a href="{0}/index.html">unshade {0}</a></p>
</html>
"""


def found(root: Path) -> list[str]:
    """Return the names of the versions in a folder, the newest first, names without a number last.

    Args:
        root: The folder.
    """
    names = [path.parent.name for path in root.glob("*/objects.inv")]
    return sorted(names, key=_order, reverse=True)


def _order(name: str) -> tuple[list[int], bool, str]:
    """Return the place of a version: 1.10 is after 1.9, 1.0rc1 before 1.0."""
    number = re.match(r"\d+(?:\.\d+)*", name)
    if number is None:
        return [-1], True, name
    return [int(each) for each in number[0].split(".")], number[0] == name, name


def connect(root: Path) -> None:
    """Write the links between the versions in a folder, and its first page.

    Args:
        root: The folder.
    """
    names = found(root)
    pages = {name: {path.relative_to(root / name).as_posix() for path in _pages(root / name)}
             for name in names}  # fmt: skip
    for name in names:
        for page in sorted(pages[name]):
            path = root / name / page
            before, mark, rest = path.read_text("utf-8").partition(BEGIN)
            if mark:
                other = [(each, page if page in pages[each] else "index.html") for each in names]
                after = END + rest.partition(END)[2]
                path.write_text(f"{before}{BEGIN}{_links(name, page, other)}{after}", "utf-8")
    (root / "index.html").write_text(ENTRY.format(names[0]), "utf-8")


def _pages(folder: Path) -> list[Path]:
    return [*folder.rglob("*.html")]


def _links(version: str, page: str, others: Sequence[tuple[str, str]]) -> str:
    """Return the list of versions of a page."""
    here = f"{version}/{page}".rpartition("/")[0]
    newest = others[0][0]
    note = "" if version == newest else f", newest {escape(newest)}"
    rows = "".join(
        f"<li>{escape(name)}</li>"
        if name == version
        else f'<li><a href="{escape(relpath(f"{name}/{target}", here))}">{escape(name)}</a></li>'
        for name, target in others
    )
    return (
        f'<details class="versions"><summary>Version {escape(version)}{note}</summary>'
        f"<ul>{rows}</ul></details>"
    )
