"""Suggestions for a name that does not exist."""

from collections.abc import Collection

from ...errors import did_you_mean

__all__ = ["full_name", "suggestion"]

MOST = 8  # names that are listed
# Names that other graphics interfaces have for comparisons.
ABBREVIATIONS = {"lequal": "less_equal", "gequal": "greater_equal"}


def full_name(name: str) -> str:
    """Return the full name for a possible abbreviation."""
    return ABBREVIATIONS.get(name.lower(), name)


def suggestion(name: str, names: Collection[str], most: int | None = MOST) -> str:
    """Return "; did you mean X?", or the first of the names if none is close to `name`.

    `most` is how many are listed; None for all.
    """
    in_other_case = {each.lower(): each for each in names}
    meant = full_name(name)
    listed = ", ".join([*names][:most])
    return (
        did_you_mean(in_other_case.get(meant.lower(), meant), names)
        or (f"; known: {listed}" if listed else "; there are none")
    )  # fmt: skip
