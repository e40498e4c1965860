"""The longest increasing subsequence of pairs."""

from __future__ import annotations

from unshade.isa.subsequence import longest_increasing


def test_longest_increasing() -> None:
    assert longest_increasing(set()) == []
    assert longest_increasing({(0, 5), (1, 1), (2, 2), (3, 0), (4, 3)}) == [(1, 1), (2, 2), (4, 3)]
    assert len(longest_increasing({(0, 0), (0, 1), (1, 1), (1, 0)})) == 2
