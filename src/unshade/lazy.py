"""Attributes that are made on first use.

`attributes` imports those of a package (PEP 562); a `Generated` compiles a method of a class, such
as its constructor, as most classes of a format have no object in most files.
"""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["Generated", "annotations_of", "attributes"]


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


class Generated:
    """A method that is generated when it is first used; `make` returns it."""

    __slots__ = ("cls", "make", "name")

    def __init__(self, make: Callable[[], Callable[..., Any]]) -> None:
        self.make = make

    def __set_name__(self, cls: type, name: str) -> None:
        self.cls = cls
        self.name = name

    def __get__(self, made: object, _: type) -> Callable[..., Any]:
        generated: Any = self.make()
        generated.__qualname__ = f"{self.cls.__qualname__}.{self.name}"
        generated.__module__ = self.cls.__module__
        type.__setattr__(self.cls, self.name, generated)
        bound: Callable[..., Any] = generated if made is None else generated.__get__(made)
        return bound


def annotations_of(namespace: dict[str, Any]) -> dict[str, Any]:
    """Return the annotations of a class that is being made; Python 3.14 defers them."""
    if sys.version_info >= (3, 14) and "__annotations__" not in namespace:
        import annotationlib

        make = annotationlib.get_annotate_from_class_namespace(namespace)
        if make is None:
            return {}
        return annotationlib.call_annotate_function(make, annotationlib.Format.FORWARDREF)
    found: dict[str, Any] = namespace.get("__annotations__", {})
    return found
