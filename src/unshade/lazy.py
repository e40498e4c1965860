"""Attributes that are made on first use.

`attributes` imports those of a package (PEP 562); a `GeneratedInit` compiles the constructor of a
class, as most classes of a format have no object in most files.
"""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["GeneratedInit", "attributes"]


def attributes(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a `__getattr__` for a package; `homes` maps each name to its module."""

    def get(name: str) -> Any:
        home = homes.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(home, package), name)
        setattr(sys.modules[package], name, value)
        return value

    return get


class GeneratedInit:
    """An `__init__` that is generated when its class makes its first object."""

    __slots__ = ("cls", "make")

    def __init__(self, make: Callable[[], Callable[..., None]]) -> None:
        self.make = make

    def __set_name__(self, cls: type, _: str) -> None:
        self.cls = cls

    def __get__(self, made: object, _: type) -> Callable[..., None]:
        generated: Any = self.make()
        type.__setattr__(self.cls, "__init__", generated)
        bound: Callable[..., None] = generated if made is None else generated.__get__(made)
        return bound
