"""Check that a tag can be released: `python tools/release_check.py [--changes] v0.1.0`.

The tag is `v` and the version in src/unshade/__init__.py. CHANGELOG.md has a section of that
version, with a date and a text that is not empty, which `--changes` prints.
"""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
DECLARING = "src/unshade/__init__.py"
VERSION = re.compile(r'^__version__ = "([^"]+)"', re.MULTILINE)
SECTION = r"^## \[{}\] - \d{{4}}-\d{{2}}-\d{{2}}\n(.*?)(?=^## \[|\Z)"


def problems(tag: str, root: Path = ROOT) -> list[str]:
    """Return what is wrong with a tag; empty if it can be released."""
    version = declared_version(root)
    found = []
    if tag != f"v{version}":
        found.append(f"{DECLARING}: expected the version {tag.removeprefix('v')}, got {version}")
    section = changes(version, root)
    if section is None:
        found.append(f"CHANGELOG.md: expected a section ## [{version}] - YEAR-MONTH-DAY, got none")
    elif not section:
        found.append(f"CHANGELOG.md: expected changes in the section {version}, got none")
    return found


def declared_version(root: Path = ROOT) -> str:
    """Return the version that the package declares.

    Raises:
        ValueError: The package declares none.
    """
    match = VERSION.search((root / DECLARING).read_text("utf-8"))
    if match is None:
        raise ValueError(f'{DECLARING}: expected a line __version__ = "...", got none')
    return match[1]


def changes(version: str, root: Path = ROOT) -> str | None:
    """Return the text of a version in the changelog; None if it has no section."""
    text = (root / "CHANGELOG.md").read_text("utf-8")
    section = re.search(SECTION.format(re.escape(version)), text, re.MULTILINE | re.DOTALL)
    return section and section[1].strip()


def main(arguments: Sequence[str]) -> int:
    """Print the problems of a tag, or its changes; return 1 if there are problems."""
    printing = arguments[:1] == ["--changes"]
    if len(arguments) != 1 + printing:
        print(__doc__, file=sys.stderr)
        return 2
    tag = arguments[-1]
    found = problems(tag)
    for each in found:
        print(each, file=sys.stderr)
    if printing and not found:
        print(changes(tag.removeprefix("v")))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
