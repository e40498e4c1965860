"""Suggestions for a name that does not exist."""

from collections.abc import Collection

from ...errors import did_you_mean

__all__ = ["suggestion"]

MOST = 8  # names that are listed


def suggestion(name: str, names: Collection[str]) -> str:
    """Return "; did you mean X?", or the first of the names if none is close to `name`."""
    in_other_case = {each.lower(): each for each in names}
    listed = ", ".join([*names][:MOST])
    return (
        did_you_mean(in_other_case.get(name.lower(), name), names)
        or (f"; known: {listed}" if listed else "; there are none")
    )  # fmt: skip
