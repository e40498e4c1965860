"""The size of a file against the limit of its format."""

from collections.abc import Callable

import pytest

from unshade.errors import LimitError
from unshade.limits import Limits

__all__ = ["check_size_is_limited"]


def check_size_is_limited(load: Callable[[bytes, Limits], object], data: bytes) -> None:
    """Check that a file of exactly the limit is read, and one of a byte more is refused."""
    load(data, Limits(file_size=len(data)))
    with pytest.raises(LimitError, match=f"file_size = {len(data) - 1} exceeded"):
        load(data, Limits(file_size=len(data) - 1))
