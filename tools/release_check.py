"""Check that a tag can be released: `python tools/release_check.py v0.1.0`.

The tag is `v` and the version in pyproject.toml. CHANGELOG.md has a section of that version, with a
date and a text that is not empty.
"""

import re
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
SECTION = r"^## \[{}\] - \d{{4}}-\d{{2}}-\d{{2}}\n(.*?)(?=^## \[|\Z)"


def problems(tag: str, root: Path = ROOT) -> list[str]:
    """Return what is wrong with a tag; empty if it can be released."""
    version = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    found = []
    if tag != f"v{version}":
        found.append(f"pyproject.toml: expected the version {tag.removeprefix('v')}, got {version}")
    changes = (root / "CHANGELOG.md").read_text("utf-8")
    section = re.search(SECTION.format(re.escape(version)), changes, re.MULTILINE | re.DOTALL)
    if section is None:
        found.append(f"CHANGELOG.md: expected a section ## [{version}] - YEAR-MONTH-DAY, got none")
    elif not section[1].strip():
        found.append(f"CHANGELOG.md: expected changes in the section {version}, got none")
    return found


def main(arguments: Sequence[str]) -> int:
    """Print the problems of a tag; return 1 if there are any."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    found = problems(arguments[0])
    for each in found:
        print(each, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
