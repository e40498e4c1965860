"""Packages with formats of their own, as if they were installed."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import pytest

from unshade import formats, plugins


class Entry(NamedTuple):
    """The entry point of an installed package that provides a format."""

    format: formats.Format

    @property
    def name(self) -> str:
        return self.format.name

    @property
    def value(self) -> str:
        return self.format.home

    def load(self) -> formats.Format:
        return self.format


@contextmanager
def installed(monkeypatch: pytest.MonkeyPatch, *given: formats.Format) -> Iterator[None]:
    """Replace all installed packages with formats by packages of these."""
    entries = [Entry(each) for each in given]
    with monkeypatch.context() as patch:
        patch.setattr(plugins, "entry_points", lambda group: entries)
        formats._plugins.cache_clear()
        yield
    formats._plugins.cache_clear()
