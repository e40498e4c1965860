"""Plain data with one value replaced by another that has no business there."""

import copy
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

import unshade
from tests.fixtures import blog_vs_4_0 as blog
from tests.fixtures.one_of_each import one_of_each
from tests.sampling import fewer
from unshade import UnshadeError

FILES = one_of_each() | {"a whole shader": blog.build()}
STRANGE: list[Any] = [
    *(None, True, -1, 7, 1 << 32, 1 << 200, 1.5, float("nan"), float("inf")),
    *("", "x", "0xzz", "ff", "nan:", "\0", "\udc00", "日本", "x" * 100_000, [], [None], {}),
    *({"a": 1}, {1: 2}, b"bytes", {"name": "PRIV"}, {"bytes": "zz"}),
]


def places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Return every (collection, key) of plain data."""
    items = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in list(items):
        yield data, key
        if isinstance(value, dict | list):
            yield from places(value)


def attempt(data: Any) -> None:
    with suppress(UnshadeError):
        shader = unshade.from_data(data)
        shader.to_bytes()
        shader.to_data()


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_every_value_replaced(name: str) -> None:
    data = unshade.loads(FILES[name]).to_data()
    count = sum(1 for _ in places(data))
    # A whole shader repeats itself: a sample, each with all values.
    every = max(1, count // fewer(150))
    for number, (holder, key) in enumerate(places(data)):
        if number % every:
            continue
        before = holder[key]
        for value in STRANGE:
            holder[key] = copy.copy(value)
            try:
                attempt(data)
            except Exception as error:
                error.add_note(f"{key!r} = {value!r:.60}, it was {before!r:.60}")
                raise
        del holder[key]
        attempt(data)
        if isinstance(holder, dict):
            holder[key] = before
        else:
            holder.insert(key, before)


def test_unchanged_plain_data_is_read() -> None:
    for data in FILES.values():
        assert unshade.from_data(unshade.loads(data).to_data()).to_bytes() == data
