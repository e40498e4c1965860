"""The files of each format that the contract is checked on, found without naming a format.

Files of examples/, and what the modules of tests/fixtures return from `one_of_each`: a format gets
its samples by putting some there.
"""

from functools import cache
from importlib import import_module
from typing import NamedTuple

from tests.corpus import REPOSITORY
from unshade import formats
from unshade.formats import Format


class Sample(NamedTuple):
    """A well-formed file of a format."""

    format: Format
    name: str
    data: bytes


@cache
def samples() -> tuple[Sample, ...]:
    """Return every sample of every registered format."""
    found = [
        (path.name, path.read_bytes())
        for path in sorted((REPOSITORY / "examples").iterdir())
        if path.suffix in formats.suffixes()
    ]
    for path in sorted((REPOSITORY / "tests" / "fixtures").glob("[!t_]*.py")):
        module = import_module(f"tests.fixtures.{path.stem}")
        of_each: dict[str, bytes] = getattr(module, "one_of_each", dict)()
        found += [(f"{path.stem} {name}", data) for name, data in of_each.items()]
    return tuple(Sample(_format(data), name, data) for name, data in found)


def _format(data: bytes) -> Format:
    name = formats.identify(data)
    assert name is not None
    return formats.format_named(name)


def ending(data: bytes) -> int:
    """Return the size of the shader at the start of the data, as its structure states it."""
    name = formats.identify(data)
    assert name is not None
    return formats.format_named(name).shader().measure(data)
