r"""Seals of the files in the cache: only who has the user's key can make one.

    <folder>/key      "unshade cache 1\n" | 32 random bytes      mode 0600
    seal              HMAC-SHA-256 of the key, over the name of a file and its contents

Object files are run as machine code. A folder's mode says who can write there now, not who could
last week, so a file is used only with a seal of the key. Others cannot read the key, whatever the
mode of the folder. One that they put in its place belongs to them; a file of the user's own that
they moved there does not begin like a key. Either is replaced, and what was sealed with it is
compiled again.
"""

import hmac
import os

from .folders import Folder, RefusedError

NAME = "key"
START = b"unshade cache 1\n"
KEY_SIZE = 32  # bytes
SIZE = 32  # of a seal, in bytes


def key_of(root: Folder, create: bool = False) -> bytes:
    """Return the key of a folder.

    Args:
        root: The folder, with which the key is kept while its file stays the same.
        create: Make a key if there is none, or one that is not used.

    Raises:
        OSError: There is none that is used.
    """
    try:
        return _key(root)
    except OSError:
        if not create:
            raise
    root.write(NAME, START + os.urandom(KEY_SIZE))
    return _key(root)  # of several processes that make one, the last prevails


def _key(root: Folder) -> bytes:
    found = root.stat(NAME)
    stamp = found.st_ino, found.st_ctime_ns, found.st_mode, found.st_uid, found.st_nlink
    if root.kept is None or root.kept[0] != stamp:
        data = root.read(NAME, len(START) + KEY_SIZE)
        if len(data) != len(START) + KEY_SIZE or not data.startswith(START):
            raise RefusedError("expected the key of a cache")
        root.kept = stamp, data[len(START) :]
    return root.kept[1]


def seal(key: bytes, name: str, contents: bytes) -> bytes:
    """Return the seal of a file: its name is part of it, so that no file stands for another."""
    return hmac.digest(key, b"%s\0%s" % (name.encode(), contents), "sha256")


def is_sealed(key: bytes, name: str, given: bytes, contents: bytes) -> bool:
    """Return whether a seal is that of a file."""
    return hmac.compare_digest(given, seal(key, name, contents))
