"""The place of a catalogue: a folder of this machine, or a folder of an object store.

    cat                     files, replaced at once; one scan at a time holds a lock
    s3://bucket/cat         objects, which are replaced at once; nothing can be locked

An object store is anything that fsspec reaches by a URL. DuckDB reads its objects through fsspec,
too, and is restricted to the folder of the catalogue in the same way.
"""

import os
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from .. import files
from ..errors import FileError, FormatError, LimitError, UnshadeError, UsageError, not_installed

if TYPE_CHECKING:
    import duckdb

__all__ = ["CatalogStorage", "filesystem", "is_remote", "storage_of", "store_errors"]

LOCK = ".lock"
MOST = 16 << 20  # bytes of a file that is read whole: a manifest
URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


def is_remote(place: str) -> bool:
    """Return True for a URL, which fsspec reads."""
    return URL.match(place) is not None


def filesystem(url: str, *, listings: bool = False) -> tuple[Any, str]:
    """Return the file system of fsspec for a URL, which may keep lists, and the path in it."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise not_installed("an object store", "fsspec", "catalog") from None
    with store_errors(url):
        system, path = url_to_fs(url, use_listings_cache=listings)
    return system, str(path).rstrip("/")


@contextmanager
def store_errors(url: str) -> Iterator[None]:
    """Turn the errors of an object store, which may be of any class, into ours."""
    try:
        yield
    except UnshadeError:
        raise
    except ImportError as error:  # of the package for the scheme
        raise UsageError(f"{url}: {error}") from None
    except OSError as error:
        raise FileError.of(error, url) from error
    except Exception as error:
        raise UsageError(f"{url}: {type(error).__name__}: {error}") from error


class CatalogStorage(Protocol):
    """The files of a catalogue, by their names below its folder."""

    def prepare(self) -> None:
        """Create the folder."""

    def locked(self) -> AbstractContextManager[bool]:
        """Hold the lock of the catalogue; yield False if another process holds it."""

    def read(self, name: str) -> bytes | None:
        """Return the bytes of a small file; None if there is none."""

    def write(self, name: str, data: bytes | memoryview) -> None:
        """Write a file, at once or not at all."""

    def written(self, name: str) -> AbstractContextManager[BinaryIO]:
        """Yield a stream: what is written to it is the file, once the block has ended."""

    def names(self, folder: str) -> list[str]:
        """Return the names of the files of a folder; none if there is no folder."""

    def remove(self, name: str) -> None:
        """Remove a file if it exists."""

    def remove_folder(self, folder: str) -> None:
        """Remove a folder with its files if it exists."""

    def scratch(self, folder: str) -> AbstractContextManager[str]:
        """Yield the path of a folder of this machine for temporary files."""

    def path(self, name: str) -> str:
        """Return the path of a file for DuckDB; an empty name is the folder itself."""

    def source(self, name: str) -> Any:
        """Return the opened file, for PyArrow; the caller closes it."""

    def check(self, name: str) -> None:
        """Raise FormatError unless a file is in the folder, and protect it."""

    def attach(self, connection: "duckdb.DuckDBPyConnection") -> None:
        """Let DuckDB read the files."""

    def refresh(self) -> None:
        """Let DuckDB see the files that were written since."""


def storage_of(place: str) -> CatalogStorage:
    """Return the storage of a catalogue, given its folder or URL."""
    return _bucket(place) if is_remote(place) else CatalogFolder(place)


class CatalogFolder:
    """A catalogue in a folder of this machine."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.real = os.path.realpath(place)

    def _at(self, name: str) -> str:
        return os.path.join(self.place, name)

    def prepare(self) -> None:
        files.check_output(self.place)
        files.make_folder(self.place)

    def locked(self) -> AbstractContextManager[bool]:
        return files.locked(self._at(LOCK))

    def read(self, name: str) -> bytes | None:
        if files.stamp(self._at(name)) is None:
            return None
        return files.read_below(self.place, name, MOST)

    def write(self, name: str, data: bytes | memoryview) -> None:
        path = self._at(name)
        files.make_folder(os.path.dirname(path))
        files.write_atomically(path, data, in_place=True)

    def written(self, name: str) -> AbstractContextManager[BinaryIO]:
        path = self._at(name)
        files.make_folder(os.path.dirname(path))
        return files.written_atomically(path)

    def names(self, folder: str) -> list[str]:
        path = self._at(folder)
        if files.stamp(path) is None:
            return []
        return [each.name for each in files.entries(path) if each.regular]

    def remove(self, name: str) -> None:
        files.remove_file(self._at(name))

    def remove_folder(self, folder: str) -> None:
        files.remove_folder(self._at(folder))

    @contextmanager
    def scratch(self, folder: str) -> Iterator[str]:
        path = self._at(folder)
        if "?" in path:  # DuckDB takes the rest of a path for options
            with TemporaryDirectory(prefix="unshade-") as other:
                yield other
            return
        files.make_folder(path)
        yield path

    def path(self, name: str) -> str:
        return os.path.join(self.real, name)

    def source(self, name: str) -> Any:
        import pyarrow as pa

        return pa.memory_map(self.path(name))  # PyArrow would look for the file system of a path

    def check(self, name: str) -> None:
        path = self.path(name)
        if files.stamp(path) is None:
            raise FormatError("expected a file that the manifest names, got none", path=name)
        if os.path.realpath(path) != path:
            raise FormatError("expected a file in the catalogue, got a link", path=name)
        files.protect(path)

    def attach(self, connection: "duckdb.DuckDBPyConnection") -> None: ...

    def refresh(self) -> None: ...


@cache
def _bucket(url: str) -> "CatalogBucket":
    return CatalogBucket(url)


class CatalogBucket:
    """A catalogue in an object store."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.system, self.root = filesystem(place)
        # DuckDB asks for the size of a file a dozen times: it gets that of the list.
        self.listed, _ = filesystem(place, listings=True)

    def _at(self, name: str) -> str:
        return f"{self.root}/{name}"

    def _errors(self, name: str) -> AbstractContextManager[None]:
        return store_errors(f"{self.place.rstrip('/')}/{name}")

    def prepare(self) -> None: ...

    @contextmanager
    def locked(self) -> Iterator[bool]:
        yield True

    def read(self, name: str) -> bytes | None:
        with self._errors(name):
            try:
                size = self.system.info(self._at(name))["size"]
                if size > MOST:
                    raise LimitError("file_size", MOST, size)
                return bytes(self.system.cat_file(self._at(name)))
            except FileNotFoundError:
                return None

    def write(self, name: str, data: bytes | memoryview) -> None:
        with self._errors(name):
            self.system.pipe_file(self._at(name), bytes(data))

    @contextmanager
    def written(self, name: str) -> Iterator[BinaryIO]:
        with self.scratch("written") as folder:
            copy = os.path.join(folder, "copy")
            with files.written_atomically(copy) as stream:
                yield stream
            with self._errors(name):
                self.system.put_file(copy, self._at(name))

    def names(self, folder: str) -> list[str]:
        with self._errors(folder):
            try:
                found = self.system.ls(self._at(folder), detail=True)
            except FileNotFoundError:
                return []
        return [each["name"].rpartition("/")[2] for each in found if each["type"] == "file"]

    def remove(self, name: str) -> None:
        with self._errors(name), suppress(FileNotFoundError):
            self.system.rm_file(self._at(name))

    def remove_folder(self, folder: str) -> None:
        with self._errors(folder), suppress(FileNotFoundError):
            self.system.rm(self._at(folder), recursive=True)

    @contextmanager
    def scratch(self, folder: str) -> Iterator[str]:
        with TemporaryDirectory(prefix=f"unshade-{folder}-") as path:
            yield path

    def path(self, name: str) -> str:
        return str(self.system.unstrip_protocol(self._at(name)))

    def source(self, name: str) -> Any:
        with self._errors(name):
            return self.listed.open(self._at(name), "rb")

    def check(self, name: str) -> None: ...

    def attach(self, connection: "duckdb.DuckDBPyConnection") -> None:
        self.refresh()
        connection.register_filesystem(self.listed)

    def refresh(self) -> None:
        with self._errors(""):
            self.listed.invalidate_cache()
            self.listed.find(self.root)
