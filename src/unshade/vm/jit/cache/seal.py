r"""Seals of the files in the cache, which only the owner of the user's key can make.

    <folder>/key      "unshade cache 1\n" | 32 random bytes      mode 0600
    seal              HMAC-SHA-256 of the key, over the name of a file and its contents

Object files are run as machine code. A folder's mode shows who can write there now, not who could
write earlier, so a file is used only if it is sealed with the key. Others cannot read the key,
whatever the mode of the folder. A key file that others put in place belongs to them; a file of the
user that others moved there does not begin like a key. Either is replaced, and files sealed with it
are compiled again.
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
        create: Make a key if none exists, or the existing key must not be used.

    Raises:
        OSError: No usable key exists.
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
    """Return the seal of a file, which includes the name, so that no file can replace another."""
    return hmac.digest(key, b"%s\0%s" % (name.encode(), contents), "sha256")


def is_sealed(key: bytes, name: str, given: bytes, contents: bytes) -> bool:
    """Return whether a seal belongs to a file."""
    return hmac.compare_digest(given, seal(key, name, contents))
