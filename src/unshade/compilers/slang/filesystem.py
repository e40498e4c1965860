"""The files that the Slang compiler may read: the source, and those below the allowed folders.

Slang calls an object of ours, an ISlangFileSystem, in place of the system:

    slot 0  queryInterface   1  addRef   2  release   3  castAs   4  loadFile(path, blob*)

Source: slang.h of Slang 2026.12.
"""

import ctypes
from collections.abc import Callable, Sequence
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_uint32, c_void_p

from ..includes import Includes

OK = 0
NO_INTERFACE = 0x80004002 - (1 << 32)
NOT_FOUND = 0x82000005 - (1 << 32)
# UUIDs, as in memory: ISlangUnknown, ISlangCastable, ISlangFileSystem.
KNOWN = (
    bytes.fromhex("0000000000000000c000000000000046"),
    bytes.fromhex("e1e0ed875248b0448bf2cb31874de239"),
    bytes.fromhex("fc093a004d3aa04bad601fd863a915ab"),
)

QUERY = CFUNCTYPE(c_int, c_void_p, c_void_p, POINTER(c_void_p))
COUNT = CFUNCTYPE(c_uint32, c_void_p)
CAST = CFUNCTYPE(c_void_p, c_void_p, c_void_p)
LOAD = CFUNCTYPE(c_int, c_void_p, c_char_p, POINTER(c_void_p))


class FileSystem:
    """An ISlangFileSystem; it has to live as long as the request that it is given to."""

    def __init__(
        self,
        name: str,
        text: str,
        folders: Sequence[str],
        blob_of: Callable[[bytes, int], int],
    ) -> None:
        self._name = name
        self._text = text.encode("utf-8", "surrogateescape")
        self._includes = Includes(folders)
        self._blob_of = blob_of
        self._methods = (
            QUERY(self._query), COUNT(lambda _: 1), COUNT(lambda _: 1), CAST(lambda *_: None),
            LOAD(self._load),
        )  # fmt: skip
        addresses = [ctypes.cast(each, c_void_p).value for each in self._methods]
        self._table = (c_void_p * len(addresses))(*addresses)
        self._object = c_void_p(ctypes.addressof(self._table))

    @property
    def pointer(self) -> c_void_p:
        """The object, as the library takes it."""
        return c_void_p(ctypes.addressof(self._object))

    @property
    def read(self) -> list[str]:
        """The paths of the files that were read, in order."""
        return self._includes.read

    @property
    def absent(self) -> list[str]:
        """The requested paths that do not exist, in order."""
        return self._includes.absent

    def _query(self, this: int, uuid: int, result: "ctypes._Pointer[c_void_p]") -> int:
        if ctypes.string_at(uuid, 16) not in KNOWN:
            return NO_INTERFACE
        result[0] = this
        return OK

    def _load(self, _this: int, path: bytes, result: "ctypes._Pointer[c_void_p]") -> int:
        name = path.decode("utf-8", "surrogateescape")
        data = self._text if name == self._name else self._includes.contents(name)
        if data is None:
            return NOT_FOUND
        result[0] = self._blob_of(data, len(data))
        return OK
