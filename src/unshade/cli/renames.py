"""A file with the user's names for what a decompiled source declares.

t_1: brightness        YAML, or JSON with the same contents
stream: particles
"""

from ..errors import UnshadeError, UsageError
from .inputs import Input

__all__ = ["read_names"]

MOST = 1 << 20  # bytes of the file


def read_names(path: str | None) -> dict[str, str]:
    """Return the names of a file by those that they replace; none without a path.

    Raises:
        UsageError: The file cannot be read, or does not map names to names.
    """
    if path is None:
        return {}
    from ..yaml import plain

    data = Input(path).read()
    if len(data) > MOST:
        raise UsageError(f"{path}: expected at most {MOST:,} bytes of names, got {len(data):,}")
    try:
        found = plain(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise UsageError(f"{path}: expected YAML or JSON in UTF-8") from None
    except UnshadeError as error:
        raise UsageError(f"{path}: {error}") from None
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise UsageError(f"{path}: expected names and their replacements, got {found!r:.60}")
    for old, new in found.items():
        if not isinstance(old, str) or not isinstance(new, str):
            raise UsageError(f"{path}: expected a name for {old!r:.60}, got {new!r:.60}")
    return found
