"""The pages of tests that fail: their names in a folder, and which files they may replace.

    tests/test_fog.py::test_fog[a/b]     tests-test_fog.py-test_fog-a-b-1f0c9d3a5e77.html

The name of a test may be anything: its file is in the folder, whatever the name is, and two tests
have two files, in any number of processes. Only a page of an earlier run is replaced.
"""

import re
from hashlib import sha256
from pathlib import Path

from ..errors import UsageError
from ..files import make_folder, write_atomically

__all__ = ["prepare", "write"]

MARK = b"<!-- page of a failing test, by unshade's plugin for pytest -->\n"
LONGEST = 80  # characters of a name before the digits


def prepare(folder: Path) -> None:
    """Make the folder; raise UnshadeError if that fails, or if pages cannot be made."""
    from ..report.assembly import need_jinja

    need_jinja()
    make_folder(folder)


def write(folder: Path, test: str, number: int, page: str) -> Path:
    """Write the page of a kernel of a test, and return its path.

    Args:
        folder: The folder of the pages.
        test: The name of the test.
        number: The number of the kernel in the test.
        page: The page.

    Raises:
        UsageError: There is something else than a page of an earlier run, or it cannot be written.
    """
    path = folder / file_name(test, number)
    if path.is_symlink() or (path.exists() and not _is_page(path)):
        raise UsageError(f"{path}: expected a page of an earlier run, got another file")
    write_atomically(path, page.encode() + MARK)
    return path


def file_name(test: str, number: int) -> str:
    """Return the name of the page of a kernel of a test: letters, digits, points and hyphens."""
    words = re.sub(r"[^0-9A-Za-z_.]+", "-", test)[-LONGEST:].strip("-.")
    digits = sha256(f"{number} {test}".encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{words or 'test'}-{digits}.html"


def _is_page(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            file.seek(-len(MARK), 2)
            return file.read() == MARK
    except OSError:  # a folder, an empty file, or one that may not be read
        return False
