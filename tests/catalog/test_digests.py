"""Digests that are remembered within a fixed amount of memory."""

from __future__ import annotations

from hashlib import sha256

from unshade.catalog.digests import DigestCache


def digest(number: int) -> str:
    return sha256(b"%d" % number).hexdigest()


def test_what_was_added_last_is_known() -> None:
    cache = DigestCache(16)
    for number in range(1000):
        assert digest(number) not in cache
        cache.add(digest(number))
        assert digest(number) in cache
    known = [number for number in range(1000) if digest(number) in cache]
    assert len(known) == 16  # one in each slot
    cache.clear()
    assert digest(known[0]) not in cache


def test_a_digest_that_shares_a_slot_is_another_one() -> None:
    cache = DigestCache(16)
    one, other = "00" * 32, "00" * 31 + "01"
    cache.add(other)
    assert other in cache
    assert one not in cache
    cache.add(one)
    assert one in cache
    assert other not in cache
