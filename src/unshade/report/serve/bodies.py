"""The requests: the fields of each, with their types and bounds.

{"client": "…"}                                                    page
{"client": "…", "constants": {"time": [0.5]}, "size": [64, 48]}    picture
{…, "thread": [40, 30]}                                            trace
{…, "checks": true, "lenses": ["r0.xyz@17"]}                       of all lanes, too
{"version": 3}                                                     changes

Bodies are JSON objects. No field is a path: only files named on the command line are opened.
"""

import json
import math
from collections.abc import Callable
from typing import Any

from ...dataclass import dataclass, field
from ...errors import UsageError

__all__ = ["KINDS", "LARGEST", "LiveRequest", "parsed"]

LARGEST = 2048  # pixels along an axis
CONSTANTS = 256  # in one request
NAME = 256  # characters of a name
FARTHEST = 1 << 31  # of a thread along an axis
LENSES = 8  # of a trace


@dataclass(frozen=True, slots=True)
class LiveRequest:
    """A request; `kind` is one of `KINDS`, `client` a name that a tab of a browser chose.

    `constants` are the numbers of variables of constant buffers that differ from the command
    line's, `size` is the picture's, `thread` a pixel or thread, and `version` the number of changes
    of files that were seen. With `checks` all lanes run, for findings and counts of lines; so they
    do with `lenses`: places at lines of the page, `r0.xyz@17`.
    """

    kind: str
    client: str = ""
    constants: dict[str, list[float]] = field(default_factory=dict)
    size: tuple[int, int] | None = None
    thread: tuple[int, ...] = ()
    checks: bool = False
    lenses: tuple[str, ...] = ()
    version: int = 0


def _client(value: Any) -> str:
    if not isinstance(value, str) or len(value) > NAME:
        raise UsageError(f"client: expected a string of up to {NAME} characters")
    return value


def _constants(value: Any) -> dict[str, list[float]]:
    if not isinstance(value, dict) or len(value) > CONSTANTS:
        raise UsageError(f"constants: expected an object of up to {CONSTANTS} names")
    for name, numbers in value.items():
        if len(name) > NAME:
            raise UsageError(f"constants: expected names of up to {NAME} characters")
        if not isinstance(numbers, list) or not 1 <= len(numbers) <= 4:
            raise UsageError("constants: expected a list of 1 to 4 numbers for each name")
        if not all(_is_number(each) for each in numbers):
            raise UsageError("constants: expected finite numbers of up to 32 bits")
    return value


def _is_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) < 1 << 32 if isinstance(value, int) else math.isfinite(value)


def _size(value: Any) -> tuple[int, int]:
    width, height = _integers(value, "size", 2, 2, 1, LARGEST)
    return width, height


def _thread(value: Any) -> tuple[int, ...]:
    return _integers(value, "thread", 1, 3, 0, FARTHEST)


def _checks(value: Any) -> bool:
    if not isinstance(value, bool):
        raise UsageError("checks: expected true or false")
    return value


def _lenses(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > LENSES:
        raise UsageError(f"lenses: expected a list of up to {LENSES} strings")
    if not all(isinstance(each, str) and len(each) <= NAME for each in value):
        raise UsageError(f"lenses: expected strings of up to {NAME} characters")
    return tuple(value)


def _version(value: Any) -> int:
    (number,) = _integers([value], "version", 1, 1, 0, FARTHEST)
    return number


def _integers(
    value: Any, name: str, fewest: int, most: int, least: int, largest: int
) -> tuple[int, ...]:
    fits = isinstance(value, list) and fewest <= len(value) <= most
    if not fits or not all(type(each) is int and least <= each <= largest for each in value):
        count = str(most) if fewest == most else f"{fewest} to {most}"
        raise UsageError(f"{name}: expected {count} integers from {least} to {largest:,}")
    return tuple(value)


RUN: dict[str, Callable[[Any], Any]] = {
    "client": _client, "constants": _constants, "size": _size
}  # fmt: skip
KINDS: dict[str, dict[str, Callable[[Any], Any]]] = {
    "page": {"client": _client},
    "picture": RUN,
    "trace": {**RUN, "thread": _thread, "checks": _checks, "lenses": _lenses},
    "changes": {"version": _version},
}


def parsed(kind: str, data: bytes) -> LiveRequest:
    """Return the request that a body contains; raise UsageError for anything unexpected."""
    try:
        found = json.loads(data.decode(), parse_constant=_refused, object_pairs_hook=_object)
    except (ValueError, RecursionError):  # UnicodeDecodeError, numbers of thousands of digits, too
        raise UsageError("the body: expected a JSON object") from None
    if not isinstance(found, dict):
        raise UsageError("the body: expected a JSON object")
    fields = KINDS[kind]
    if found.keys() - fields.keys():
        raise UsageError(f"the body: expected some of {', '.join(fields)}")
    return LiveRequest(kind, **{name: fields[name](value) for name, value in found.items()})


def _refused(word: str) -> None:
    raise ValueError(word)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name is given twice")
    return found
