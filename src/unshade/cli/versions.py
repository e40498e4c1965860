"""`unshade --version`: the version, and for each extra which packages of it are installed.

unshade 0.1.0
  run      numpy 2.1.3, Pillow 11.0.0
  report   missing: Pygments
"""

import platform
import re
from collections.abc import Iterator
from importlib import metadata

from .. import __version__

__all__ = ["text"]

PACKAGE = "unshade"
OF_DEVELOPERS = ("dev", "docs", "pyright", "browser")
REQUIRED = re.compile(rf"(?!{PACKAGE}\[)([\w.-]+)[^;]*;.*extra\s*==\s*['\"]([\w-]+)['\"]")


def text() -> str:
    """Return the versions of unshade and Python, and a line for each extra."""
    try:
        of_package = metadata.metadata(PACKAGE)
    except metadata.PackageNotFoundError:  # the modules alone, on the path
        return f"{PACKAGE} {__version__}, not installed as a package\n"
    lines = [
        f"{PACKAGE} {__version__}",
        f"Python {platform.python_version()}, {platform.system()} {platform.machine()}",
    ]
    needed = _extras(of_package.get_all("Requires-Dist") or ())
    width = max(map(len, needed), default=0)
    lines += [f"  {extra:{width}}  {_state(names)}" for extra, names in needed.items()]
    return "\n".join(lines) + "\n"


def _extras(required: "list[str] | tuple[str, ...]") -> dict[str, list[str]]:
    """Return the packages that each extra of users adds to the others."""
    found: dict[str, list[str]] = {}
    for each in required:
        match = REQUIRED.match(each)
        if match is not None and match[2] not in OF_DEVELOPERS:
            found.setdefault(match[2], []).append(match[1])
    return found


def _state(names: list[str]) -> str:
    versions = dict(_installed(names))
    have = [f"{name} {version}" for name, version in versions.items() if version]
    missing = [name for name, version in versions.items() if not version]
    if not missing:
        return ", ".join(have)
    return f"{', '.join(have)}{'; ' if have else ''}missing: {', '.join(missing)}"


def _installed(names: list[str]) -> Iterator[tuple[str, str | None]]:
    for name in names:
        try:
            yield name, metadata.version(name)
        except metadata.PackageNotFoundError:
            yield name, None
