"""Links of a built site: each file and anchor exists, and no page loads anything from elsewhere."""

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Elements that load what they name when a page is opened; <a> does not.
LOADED = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src"}
QUIET_LINKS = {"canonical", "index", "search", "next", "prev", "author", "copyright"}


class _Page(HTMLParser):
    """The anchors of a page, its links, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.anchors.update(name for key in ("id", "name") if (name := given.get(key)))
        if tag == "a" and (link := given.get("href")):
            self.links.append(link)
        if tag == "link" and QUIET_LINKS & set((given.get("rel") or "").split()):
            return
        if tag in LOADED and (link := given.get(LOADED[tag])):
            self.loaded.append(link)


def broken(folder: Path) -> list[str]:
    """Return what is wrong with the links of the pages in a folder, a sentence each."""
    paths = sorted(folder.rglob("*.html"))
    pages = {path.resolve(): _Page(path.read_text("utf-8")) for path in paths}
    return [
        f"{path.relative_to(folder.resolve())}: {problem}"
        for path, page in pages.items()
        for problem in _problems(path, page, pages)
    ]


def _problems(path: Path, page: _Page, pages: dict[Path, _Page]) -> Iterator[str]:
    for link in page.loaded:
        if urlsplit(link).scheme not in ("", "data"):
            yield f"loads {link}"
    for link in dict.fromkeys([*page.links, *page.loaded]):
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if not target.exists():
            yield f"{link} leads nowhere"
        elif parts.fragment and target in pages:
            # The script of a report page makes its places from the fragment.
            if "reports" in target.parts:
                continue
            if unquote(parts.fragment) not in pages[target].anchors:
                yield f"{link}: no such anchor"
