"""Values of a description's fields, checked: colours, numbers, truth values, nested structures."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...errors import UsageError
from ..binding.numbers import shown
from ..raster.states.fields import filled

Colour = tuple[int, int, int, int]
HALF = 65504  # the greatest number of 16 bits
PATH = re.compile(r"\w+(\[\d+\])?[.:]")  # of a field, at the start of an error


def set_field(state: Any, name: str, value: Any) -> None:
    """Set a field of a frozen object while it is made."""
    object.__setattr__(state, name, value)


def colour_of(given: Any, where: str, *, count: int = 4) -> Colour:
    """Return a colour of four components from 0 to 255; of three, alpha is 255."""
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) not in (count, 4):
        words = "four numbers" if count == 4 else "three or four numbers"
        raise UsageError(f"{where}: expected {words} from 0 to 255, got {shown(given)}")
    r, g, b, a = (byte_of(each, where) for each in (*given, 255)[:4])
    return r, g, b, a


def byte_of(given: Any, where: str) -> int:
    """Return an integer from 0 to 255."""
    return integer_of(given, where, 255)


def integer_of(given: Any, where: str, most: int) -> int:
    """Return an integer from 0 on."""
    if isinstance(given, bool) or not isinstance(given, int) or not 0 <= given <= most:
        raise UsageError(f"{where}: expected an integer from 0 to {most}, got {shown(given)}")
    return given


def numbers_of(given: Any, where: str, *counts: int) -> tuple[float, ...]:
    """Return finite numbers, as many as one of the counts."""
    try:
        found = () if isinstance(given, str | Mapping) else tuple(float(each) for each in given)
    except (TypeError, ValueError, OverflowError):
        found = ()
    if len(found) not in counts or not all(abs(each) < float("inf") for each in found):
        words = " or ".join(map(str, counts))
        raise UsageError(f"{where}: expected {words} numbers, got {shown(given)}")
    return found


def number_of(given: Any, where: str) -> float:
    """Return a finite number."""
    if isinstance(given, bool):
        raise UsageError(f"{where}: expected a number, got {shown(given)}")
    try:
        return numbers_of([given], where, 1)[0]
    except UsageError:
        raise UsageError(f"{where}: expected a number, got {shown(given)}") from None


def halves_of(given: Any, where: str, *counts: int) -> tuple[float, ...]:
    """Return numbers with the precision of the unit's registers of 16 bits."""
    found = numbers_of(given, where, *counts)
    if max(map(abs, found)) > HALF:
        raise UsageError(f"{where}: expected numbers up to {HALF}, got {shown(given)}")
    return tuple(np.array(found, np.float16).tolist())


def described(kind: Any, given: Any, where: str = "") -> Any:
    """Return the object of a class that plain data describe; errors begin with its dotted path."""
    if isinstance(given, kind):
        return given
    place = where or "fragment stage"
    if not isinstance(given, Mapping):
        raise UsageError(f"{place}: expected a mapping of fields, got {shown(given)}")
    try:
        return filled(kind, given, place)
    except TypeError as error:  # a field without a default is missing
        raise UsageError(f"{place}: {error}") from None
    except UsageError as error:
        text = str(error)
        if not where or text.startswith(f"{where}:"):
            raise
        joined = "." if PATH.match(text) else ": "
        raise UsageError(f"{where}{joined}{text}") from None
