"""Readers of other packages, and what a reader may do."""

from collections.abc import Iterator
from typing import Any

import pytest

import unshade
from tests.examples import EXAMPLES
from unshade import archives, plugins
from unshade.archives import ARCHIVES, Archive, ArchiveEntry, Opened
from unshade.format import load

SAXPY = (EXAMPLES / "saxpy.dxbc").read_bytes()


def reversed_bytes(data: Any, at: int, budget: object) -> Opened | None:
    """Read a toy: "REV!", a size in one byte, and as many bytes backwards."""
    size = int.from_bytes(data[at + 4 : at + 6], "little")
    contents = bytes(data[at + 6 : at + 6 + size])[::-1]
    return Opened(6 + size, iter([ArchiveEntry("one", contents)])) if contents else None


class Entry:
    """The entry point of an installed package."""

    def __init__(self, found: object) -> None:
        self.found = found

    def load(self) -> object:
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    groups: list[str] = []
    inside = plugins.entry_points

    def entry_points(group: str) -> Any:
        if group != "unshade.archives":
            return inside(group)
        groups.append(group)
        toy = Archive("toy", (b"REV!",), f"{__name__}:reversed_bytes")
        return [Entry(ImportError("gone")), Entry(toy), Entry("no reader")]

    monkeypatch.setattr(plugins, "entry_points", entry_points)
    archives.known.cache_clear()
    yield groups
    archives.known.cache_clear()


def test_a_reader_of_another_package(installed: list[str]) -> None:
    data = b"x" + b"REV!" + len(SAXPY).to_bytes(2, "little") + SAXPY[::-1] + SAXPY
    found = [*unshade.find(data)]
    assert [each.data for each in found] == [SAXPY, SAXPY]
    assert [each.path for each in found] == ["toy@0x1/one!dxbc@0x0", f"dxbc@0x{7 + len(SAXPY):x}"]
    assert installed == ["unshade.archives"]
    with pytest.raises(unshade.UnsupportedError, match="toy: what is inside cannot be put back"):
        unshade.put_back(data, {found[0].path: SAXPY})


def test_names_and_readers() -> None:
    assert len({each.name for each in ARCHIVES}) == len(ARCHIVES)
    for each in ARCHIVES:
        assert callable(load(each.home))
        assert not each.writer or callable(load(each.writer))
