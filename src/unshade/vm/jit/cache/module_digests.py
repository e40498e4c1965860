"""Digests of the modules of unshade that are loaded, so that no code of other versions is run.

What a process stores depends on the modules that it has loaded by then, and on no others: a module
that is imported later cannot have had a part in it. So an entry of the cache names the files of
those modules and the digest of their contents. The entry is valid as long as those files are
unchanged: the same code, on the same input, loads the same modules and gives the same result. No
list of imports has to be kept, and imports inside functions count as well. Tables in data files
beside modules count as well.

Digests are of contents, so that an entry stays valid if the files are installed again. Reading all
files in each process would take 15 ms; so a table in the cache lists the digest of each file with
its size and times. A file is read again if its size or times differ. Except on Windows, the time of
the last change of the inode (ctime) is among them, which no program can set back. To ask for the
times of all files takes half a millisecond, which is spent when this module is imported.

A file that changed after this process began to import, or within `SETTLED` before, may differ from
the code in memory. Then the process neither reads nor writes entries. The same applies if a module
does not have a file, as in an archive.
"""

import hashlib
import os
import struct
import sys
from collections.abc import Iterable
from contextlib import suppress

import unshade

from . import disk

LAYOUT = "3"  # of the table, and of the head of entries: versions share the folder
SETTLED = 2 * 10**9  # ns: file systems store times as multiples of up to 2 s
# Layers that no kernel depends on.
ABOVE = ("__main__", "catalog", "cli", "report", "screens", "testing")
DATA = (".json", ".txt")  # suffixes of files that modules beside them read
ROOT = os.path.dirname(os.path.abspath(unshade.__file__)) if unshade.__file__ else ""

Row = tuple[int, int, int, str]  # size, time of modification, of change, digest


class ModuleDigests:
    """The files of unshade, as this process has seen them."""

    def __init__(self, root: str = ROOT, started: int = 0) -> None:
        self.root = root
        self.started = started or unshade._STARTED
        self._table: dict[str, Row] | None = None  # None: not read yet
        self._digests: dict[str, str] = {}  # by name; "" of a file that cannot be used
        self._sets: dict[str, str] = {}
        self._changed = False
        self._last = ""  # the set that was stored last
        # The number of all modules and the newest of them, and what `loaded` found then.
        self._loaded: tuple[tuple[int, str], tuple[str, ...]] = (0, ""), ()

    def prefetch(self) -> None:
        """Compute the digests of the set that was stored last."""
        self._read_table()
        if self._last:
            self.digest_of_set(self._last)

    def loaded(self) -> tuple[str, ...]:
        """Return the names of the files of all modules that are loaded; empty if any lacks a file.

        The names of data files beside modules are included.
        """
        modules = [*sys.modules.items()]  # at once: other threads may import
        newest = len(modules), modules[-1][0]
        if newest == self._loaded[0]:
            return self._loaded[1]
        self._loaded = newest, ()
        found = set()
        inside = self.root + os.sep
        for name, module in modules:
            package, _, rest = name.partition(".")
            if package != unshade.__name__ or rest.partition(".")[0] in ABOVE:
                continue
            file = getattr(module, "__file__", None)
            if file is None and getattr(module, "__path__", None):
                continue  # a folder without __init__.py has no code
            if not file or not file.startswith(inside):
                return ()
            found.add(file.removeprefix(inside))
        try:
            for folder in {os.path.dirname(name) for name in found}:
                for name in os.listdir(os.path.join(self.root, folder)):
                    if name.endswith(DATA):
                        found.add(os.path.join(folder, name))
        except OSError:  # the package was removed
            return ()
        self._loaded = newest, tuple(sorted(found))
        return self._loaded[1]

    def digest(self, names: Iterable[str]) -> str:
        """Return the digest of files; "" if a file may differ from the loaded module."""
        found = [self._digests.get(name) or self._digest(name) for name in names]
        return disk.key(*found) if all(found) else ""

    def digest_of_set(self, name: str) -> str:
        """Return the digest of the files of a set (`store_set`); "" if it is unknown."""
        found = self._sets.get(name)
        if found is None:
            data = disk.read(name, disk.ENTRY)
            if data is None:
                return ""
            found = self._sets[name] = self.digest(data.decode().split("\n"))
            if self._changed:
                self._write_table(name)
        return found

    def store_set(self, names: tuple[str, ...]) -> str:
        """Store names of files; return the name of the set."""
        name = disk.key("set", self.root, *names)
        if disk.read(name, disk.ENTRY) is None:
            disk.write(name, "\n".join(names).encode(), disk.ENTRY)
        if self._changed or self._last != name:
            self._write_table(name)
        return name

    @property
    def _place(self) -> str:
        return disk.key("digests", LAYOUT, self.root)

    def _read_table(self) -> dict[str, Row]:
        if self._table is None:
            self._last, self._table = "", {}
            data = disk.read(self._place, disk.ENTRY)
            if data is not None:
                with suppress(ValueError):
                    self._last, self._table = _unpacked(data)
        return self._table

    def _write_table(self, last: str) -> None:
        self._last, self._changed = last, False
        disk.write(self._place, _packed(last, self._read_table()), disk.ENTRY)

    def _digest(self, name: str) -> str:
        """Return the digest of a file; "" if it may differ from the loaded module."""
        table = self._read_table()
        path = os.path.join(self.root, name)
        try:
            found = os.stat(path)
            known = found.st_size, found.st_mtime_ns, found.st_ctime_ns
            row = table.get(name)
            if max(known[1:]) > self.started - SETTLED:
                digest = ""
            elif row is not None and row[:3] == known:
                digest = row[3]
            else:
                with open(path, "rb") as file:
                    digest = hashlib.sha256(file.read()).hexdigest()
                table[name] = *known, digest
                self._changed = True
        except (OSError, ValueError):
            digest = ""
        self._digests[name] = digest
        return digest


def _packed(last: str, table: dict[str, Row]) -> bytes:
    """Return a table as bytes: a line of names, a line of digests, and the numbers."""
    rows = table.values()
    numbers = (each for row in rows for each in row[:3])
    names, digests = "\t".join(table), "\t".join(row[3] for row in rows)
    head = f"{last}\n{names}\n{digests}\n".encode()
    return head + struct.pack(f"<{3 * len(table)}q", *numbers)


def _unpacked(data: bytes) -> tuple[str, dict[str, Row]]:
    """Return the table of `_packed`.

    Raises:
        ValueError: The bytes are not a table.
    """
    last, names, digests, rest = data.split(b"\n", 3)
    of_numbers = iter(struct.unpack(f"<{len(rest) // 8}q", rest[: len(rest) // 8 * 8]))
    rows = zip(of_numbers, of_numbers, of_numbers, digests.decode().split("\t"), strict=True)
    return last.decode(), dict(zip(names.decode().split("\t"), rows, strict=True))


HERE = ModuleDigests()
HERE.prefetch()
