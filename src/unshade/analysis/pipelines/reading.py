"""Plain data of pipelines: objects with known keys, lists and words, with the path of an error.

    record(data, "state", {"topology": word, "targets": items(word)})

Source of errors: `UsageError`, with the path of the value: state.targets[2]: expected …
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ...errors import UsageError, did_you_mean

__all__ = ["Reader", "items", "natural", "one_of", "optional", "parsed", "record", "text"]

T = TypeVar("T")
Reader = Callable[[Any, str], T]  # a value and its path


def parsed(source: bytes | str, name: str) -> Any:
    """Return the data of a JSON text; `name` is the name of its file."""
    from json import loads

    try:
        return loads(source)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{name}: invalid JSON: {error}") from None


def record(data: Any, path: str, fields: Mapping[str, Reader[Any]]) -> dict[str, Any]:
    """Return the values of an object's keys; missing keys are left out."""
    if not isinstance(data, Mapping):
        raise UsageError(f"{path}: expected an object, got {data!r:.40}")
    for name in data:
        if name not in fields:
            hint = did_you_mean(str(name), fields) or f": expected {', '.join(fields)}"
            raise UsageError(f"{path}: unknown key {name!r:.40}{hint}")
    return {name: fields[name](value, f"{path}.{name}") for name, value in data.items()}


def items(reader: Reader[T]) -> Reader[list[T]]:
    """Return a reader of lists."""

    def read(data: Any, path: str) -> list[T]:
        if not isinstance(data, list | tuple):
            raise UsageError(f"{path}: expected a list, got {data!r:.40}")
        return [reader(each, f"{path}[{at}]") for at, each in enumerate(data)]

    return read


def optional(reader: Reader[T]) -> Reader[T | None]:
    """Return a reader that accepts null."""
    return lambda data, path: None if data is None else reader(data, path)


def text(data: Any, path: str) -> str:
    """Read a string."""
    if not isinstance(data, str) or not data:
        raise UsageError(f"{path}: expected a string, got {data!r:.40}")
    return data


def natural(data: Any, path: str) -> int:
    """Read an integer of at least 0."""
    if not isinstance(data, int) or isinstance(data, bool) or data < 0:
        raise UsageError(f"{path}: expected an integer of at least 0, got {data!r:.40}")
    return data


def one_of(words: Mapping[str, T]) -> Reader[T]:
    """Return a reader of words."""

    def read(data: Any, path: str) -> T:
        word = text(data, path)
        if word not in words:
            hint = did_you_mean(word, words) or f": expected {', '.join(words)}"
            raise UsageError(f"{path}: unknown word {word!r:.40}{hint}")
        return words[word]

    return read
