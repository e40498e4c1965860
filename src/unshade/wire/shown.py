"""Lists in the `repr` of records: the values if they are few and plain, else their number.

elements=[8]    masks=[1, 0, 15, 0]    variables=<2 of Variable>    words=<400 values>
"""

from collections.abc import Sequence
from typing import Any

__all__ = ["shown_list"]

MOST = 8  # values that are shown
LONGEST = 80  # letters of them
PLAIN = (int, float, str, bytes, type(None))


def shown_list(values: Sequence[Any]) -> str:
    """Return a list as a `repr` shows it."""
    if len(values) <= MOST and all(isinstance(each, PLAIN) for each in values):
        text = f"[{', '.join(map(_plain, values))}]"
        if len(text) <= LONGEST:
            return text
    kinds = {type(each) for each in values}
    if len(kinds) == 1 and not issubclass(kind := kinds.pop(), PLAIN):
        return f"<{len(values)} of {kind.__name__}>"
    return f"<{len(values)} values>"


def _plain(value: object) -> str:
    """Return a value; for an enumeration of texts, the text."""
    return repr(str(value)) if isinstance(value, str) else repr(value)
