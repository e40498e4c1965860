"""The longest selection of pairs that rises on both sides."""

from __future__ import annotations

from unshade.isa.rising import rising


def test_rising() -> None:
    assert rising(set()) == []
    assert rising({(0, 5), (1, 1), (2, 2), (3, 0), (4, 3)}) == [(1, 1), (2, 2), (4, 3)]
    assert len(rising({(0, 0), (0, 1), (1, 1), (1, 0)})) == 2
