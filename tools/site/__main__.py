"""Build the site of the documentation: `python -m tools.site [-o FOLDER] [--versions]`.

With `--versions`, FOLDER keeps the versions that were built before, and this one is added.

Exit with 1 if Sphinx has a warning, or if a link or anchor of the pages leads nowhere.
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from tools.playground.__main__ import build as build_playground
from tools.site import accessible, conf, gallery, links, navigation, staging, versions

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(staging.ROOT / "src"))  # the gallery is drawn by this version
PLAYGROUND = (
    '<a href="playground/index.html">Try it in the browser</a>: nothing leaves your machine.'
)
INSTALL = "python -m pip install -e '.[docs]'"


def build(folder: Path, repository: str = "", playground: bool = False) -> list[str]:
    """Build the site into a folder; return the warnings of the build and what leads nowhere.

    Args:
        folder: The folder of the site. It is emptied first if it contains a site.
        repository: The address of the files of this version, for links to sources.
        playground: Whether the site has the playground, for which npm fetches Pyodide.
    """
    from sphinx.cmd.build import build_main

    if (folder / "objects.inv").exists():
        shutil.rmtree(folder)
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        sources, extra = work / "sources", work / "extra"
        staging.stage(sources, repository)
        gallery.make(sources / "made", extra)
        (sources / "index.md").write_text(front_page(playground), "utf-8")
        log = work / "warnings"
        code = build_main([
            "-q", "-b", "html", "-c", str(HERE), "-d", str(work / "doctrees"), "-w", str(log),
            "-D", f"html_extra_path={extra}", str(sources), str(folder),
        ])  # fmt: skip
        if playground and not code:
            build_playground(folder / "playground", cache=folder.parent)
        warnings = log.read_text("utf-8").replace(f"{sources}/", "").splitlines()
    if code:
        return warnings or [f"sphinx: exit code {code}"]
    accessible.correct(folder)
    return [*warnings, *links.broken(folder)]


def front_page(playground: bool) -> str:
    """Return the front page: what unshade is, and where each task is described.

    Args:
        playground: Whether the page links to the playground.
    """
    text = (HERE / "front.md").read_text("utf-8")
    cards = "\n".join(navigation.card(each) for each in navigation.SECTIONS)
    contents = "\n\n".join(navigation.toctree(each) for each in navigation.SECTIONS)
    text = text.replace("PLAYGROUND", PLAYGROUND if playground else "")
    return f"{text.replace('CARDS', cards)}\n{contents}\n"


def main() -> int:
    """Build the site; print what is wrong, and return the exit code."""
    parser = argparse.ArgumentParser(description="Build the site of the documentation.")
    parser.add_argument("-o", "--output", type=Path, default=Path("build/site"))
    parser.add_argument("--repository", default="", help="address of the files of this version")
    parser.add_argument("--playground", action="store_true", help="with the playground (npm)")
    parser.add_argument(
        "--versions", metavar="NAME", nargs="?", const=conf.version,
        help="beside the versions in FOLDER; the default name is the version",
    )  # fmt: skip
    given = parser.parse_args()
    folder = given.output / given.versions if given.versions else given.output
    try:
        problems = build(folder, given.repository, given.playground)
    except ModuleNotFoundError as error:
        print(f"{error.name} is not installed: {INSTALL}", file=sys.stderr)
        return 2
    if given.versions and not problems:
        versions.connect(given.output)
        problems = links.broken(given.output)
    for problem in problems:
        print(problem, file=sys.stderr)
    if not problems:
        print(given.output / "index.html")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
