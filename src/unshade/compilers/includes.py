"""The files that a source may include: those below its own folder and the given ones.

Links are resolved first, so that neither `..` nor a link leads elsewhere.
"""

import os
from collections.abc import Sequence

from ..files import head

LARGEST = 16 << 20  # bytes of one included file
MOST = 4096  # files of one compilation
# Headers of tools whose sources are GLSL with an include: flutter/runtime_effect.glsl.
HEADERS = os.path.join(os.path.dirname(os.path.realpath(__file__)), "headers")


class Includes:
    """The included files of one compilation."""

    def __init__(self, folders: Sequence[str]) -> None:
        self._folders = [os.path.realpath(each) for each in folders]
        self._found: dict[str, bytes] = {}
        self._absent: dict[str, None] = {}

    @property
    def read(self) -> list[str]:
        """The real paths of the files that were read, in order."""
        return list(self._found)

    @property
    def absent(self) -> list[str]:
        """The real paths, within the folders, of requested files that do not exist, in order."""
        return list(self._absent)

    def contents(self, path: str) -> bytes | None:
        """Return the contents of a file; None if it does not exist or may not be included."""
        if "\0" in path:
            return None
        real = os.path.realpath(path)
        if not any(_is_below(real, folder) for folder in self._folders):
            return None
        if real in self._found:
            return self._found[real]
        if not os.path.isfile(real):
            self._absent[real] = None
            return None
        data = head(real, LARGEST + 1)
        if len(data) > LARGEST or len(self._found) >= MOST:
            return None
        self._found[real] = data
        return data


def _is_below(path: str, folder: str) -> bool:
    try:
        return os.path.commonpath((path, folder)) == folder
    except ValueError:  # other drives
        return False
