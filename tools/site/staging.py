"""The sources of the site: the Markdown files of the repository, with links that the site has.

    docs/how-to/run.md        how-to/run.md
    docs/index.md             all.md              the front page is the site's own
    README.md                 project/readme.md
    examples/README.md        project/examples.md
    examples/phong.dxbc       files/examples/phong.dxbc, a download
    src/…, tests/…            a link into the repository, if its address is given, else plain text

A signature of docs/api, which is a block of code in the repository, becomes a directive of Sphinx's
Python domain, whose types are links.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from posixpath import normpath, relpath
from urllib.parse import quote

ROOT = Path(__file__).resolve().parent.parent.parent
PROJECT = {
    "README.md": "project/readme.md",
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "SECURITY.md": "project/security.md",
    "examples/README.md": "project/examples.md",
    "benchmarks/README.md": "project/benchmarks.md",
    "fuzz/README.md": "project/fuzz.md",
}
LINK = re.compile(r"(?<!!)\[((?:[^][`]|`[^`]*`|!\[[^]]*\]\([^)]*\))*)\]\(([^)\s#]+)(#[^)\s]*)?\)")
IMAGE = re.compile(r"(!\[[^]]*\]\()([^)\s]+)\)")
FENCE = re.compile(r"(^(`{3,}).*?^\2\s*$)", re.MULTILINE | re.DOTALL)
CALL = re.compile(r"^(#{2,3}) (\S+)\n\n```py\n(.*?)\n```\n", re.MULTILINE | re.DOTALL)
CLASS = re.compile(r"^## ([A-Z]\w+)\n\n(?!```)", re.MULTILINE)


def pages() -> dict[str, str]:
    """Return the place in the site of each page, by its path in the repository."""
    found = {
        path.relative_to(ROOT).as_posix(): path.relative_to(ROOT / "docs").as_posix()
        for path in sorted((ROOT / "docs").rglob("*.md"))
    }
    return {**found, "docs/index.md": "all.md", **PROJECT}


def stage(folder: Path, repository: str = "") -> None:
    """Write the sources of the site to a folder.

    Args:
        folder: The folder, which is new or empty.
        repository: The address of the files of this version, such as `https://…/blob/v1.0.0/`.
    """
    places = pages()
    wanted: set[str] = set()
    for source, place in places.items():
        text = (ROOT / source).read_text("utf-8")
        text = relinked(text, source, places, repository, wanted)
        if source.startswith("docs/api/") and source != "docs/api/index.md":
            text = with_directives(text)
        if source == "docs/api/index.md":
            text += "\n" + _contents(place for place in places.values() if "api/" in place)
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    for source in sorted(wanted):
        path = folder / _file(source)
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / source, path)


def relinked(
    text: str, source: str, places: dict[str, str], repository: str, wanted: set[str]
) -> str:
    """Return a page with the links of the site; the files that it needs are added to `wanted`."""
    here = places[source].rpartition("/")[0] or "."

    def path_of(link: str) -> str:
        return normpath(f"{source.rpartition('/')[0] or '.'}/{link}")

    def link(found: re.Match[str]) -> str:
        words, target, anchor = found[1], found[2], found[3] or ""
        if re.match(r"[a-z]+:", target):
            return found[0]
        path = path_of(target)
        if path == "docs":
            path = "docs/index.md"
        if path in places:
            return f"[{words}]({relpath(places[path], here)}{anchor})"
        if path.startswith("examples/") and (ROOT / path).is_file():
            wanted.add(path)
            return f"[{words}]({relpath(_file(path), here)})"
        return f"[{words}]({repository}{quote(path)}{anchor})" if repository else words

    def image(found: re.Match[str]) -> str:
        path = path_of(found[2])
        if re.match(r"[a-z]+:", found[2]):
            return found[0]
        wanted.add(path)
        return f"{found[1]}{relpath(_file(path), here)})"

    pieces = FENCE.split(text)
    # split() gives text, fence, its backquotes, text, …
    return "".join(
        IMAGE.sub(image, LINK.sub(link, piece)) if at % 3 == 0 else piece
        for at, piece in enumerate(pieces)
        if at % 3 != 2
    )


def with_directives(text: str) -> str:
    """Return a page of the reference whose signatures are directives of the Python domain."""

    def call(found: re.Match[str]) -> str:
        level, name, code = found.groups()
        marks, _, code = code.rpartition("@classmethod\n")
        words = " ".join(line.strip() for line in code.splitlines())
        words = words.replace("( ", "(").replace(", )", ")")
        kind = "function" if level == "##" else "method"
        option = ":classmethod:\n" if marks or "@classmethod" in found[3] else ""
        if level == "##" and name.rpartition(".")[2][0].isupper():
            kind = "class"
        _, bracket, rest = words.partition("(")
        return f"{level} {name}\n\n```{{py:{kind}}} {name}{bracket}{rest}\n{option}```\n"

    text = CALL.sub(call, text)
    return CLASS.sub(lambda found: f"## {found[1]}\n\n```{{py:class}} {found[1]}\n```\n\n", text)


def _file(path: str) -> str:
    return path.removeprefix("docs/") if path.startswith("docs/") else f"files/{path}"


def _contents(places: Iterator[str]) -> str:
    names = [place.removeprefix("api/").removesuffix(".md") for place in places]
    listed = [name for name in names if name != "index"]
    return "\n".join(["```{toctree}", ":hidden:", ":titlesonly:", "", *listed, "```", ""])
