"""`NamedTuple` of the standard library, whose classes take a seventh of the time to make.

    class Span(NamedTuple):                 # from ..tuples import NamedTuple
        offset: int
        length: int = 0

The standard library compiles the constructor of each class anew. Here constructors of as many
fields share one code, in which the names of the parameters are replaced. The classes have all that
those of `typing` have; one with anything unusual (`Generic`, more fields than `MAKERS` has) is made
by `typing` itself.
"""

import sys
from collections import _tuplegetter  # type: ignore[attr-defined]
from types import FunctionType, new_class
from typing import TYPE_CHECKING, Any

from .lazy import annotations_of

__all__ = ["NamedTuple"]

_new = tuple.__new__

# Constructors by the number of fields.
MAKERS = (
    lambda _cls: _new(_cls, ()),
    lambda _cls, a: _new(_cls, (a,)),
    lambda _cls, a, b: _new(_cls, (a, b)),
    lambda _cls, a, b, c: _new(_cls, (a, b, c)),
    lambda _cls, a, b, c, d: _new(_cls, (a, b, c, d)),
    lambda _cls, a, b, c, d, e: _new(_cls, (a, b, c, d, e)),
    lambda _cls, a, b, c, d, e, f: _new(_cls, (a, b, c, d, e, f)),
    lambda _cls, a, b, c, d, e, f, g: _new(_cls, (a, b, c, d, e, f, g)),
    lambda _cls, a, b, c, d, e, f, g, h: _new(_cls, (a, b, c, d, e, f, g, h)),
    lambda _cls, a, b, c, d, e, f, g, h, i: _new(_cls, (a, b, c, d, e, f, g, h, i)),
    lambda _cls, a, b, c, d, e, f, g, h, i, j: _new(_cls, (a, b, c, d, e, f, g, h, i, j)),
    lambda _cls, a, b, c, d, e, f, g, h, i, j, k: _new(_cls, (a, b, c, d, e, f, g, h, i, j, k)),
)
_GETTERS = [_tuplegetter(at, f"Alias for field number {at}") for at in range(len(MAKERS))]


def _make(cls: Any, iterable: Any) -> Any:
    """Make a new object from a sequence or iterable."""
    made = _new(cls, iterable)
    if len(made) != len(cls._fields):
        raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
    return made


def _replace(self: Any, /, **changes: Any) -> Any:
    """Return a new object with fields replaced by other values."""
    made = self._make(map(changes.pop, self._fields, self))
    if changes:
        kind = TypeError if sys.version_info >= (3, 13) else ValueError
        raise kind(f"Got unexpected field names: {list(changes)!r}")
    return made


def _asdict(self: Any) -> dict[str, Any]:
    """Return a new dict that maps the names of the fields to their values."""
    return dict(zip(self._fields, self, strict=True))


def _repr(self: Any) -> str:
    """Return the name of the class and the fields with their values."""
    shown = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
    return f"{type(self).__name__}({shown})"


def _getnewargs(self: Any) -> tuple[Any, ...]:
    """Return the fields as a plain tuple, for `copy` and `pickle`."""
    return tuple(self)


_SHARED = {
    "__getnewargs__": _getnewargs,
    "__replace__": _replace,
    "__repr__": _repr,
    "__slots__": (),
    "_asdict": _asdict,
    "_make": classmethod(_make),
    "_replace": _replace,
}
# Names that a class may not give another meaning, and those that need the whole of `typing`.
_OTHERS = {"__init__", "__new__", *_SHARED} - {"__repr__"}


class NamedTupleType(type):
    """Metaclass that makes classes of named tuples, whose metaclass is `type`."""

    def __new__(
        metacls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **options: Any
    ) -> Any:
        if not bases:  # NamedTuple itself
            return type.__new__(metacls, name, bases, namespace)
        types = annotations_of(namespace)
        defaults = {key: namespace[key] for key in types if key in namespace}
        fields = (*types,)
        if (
            len(bases) > 1
            or options
            or len(fields) >= len(MAKERS)
            or fields[len(fields) - len(defaults) :] != (*defaults,)
            or any(key[0] == "_" for key in fields)
            or not _OTHERS.isdisjoint(namespace)
        ):
            return _by_typing(name, bases, namespace, options)
        code = MAKERS[len(fields)].__code__.replace(
            co_varnames=("_cls", *fields), co_name="__new__", co_qualname=f"{name}.__new__"
        )
        members = _SHARED | namespace
        members.update(zip(fields, _GETTERS, strict=False))
        made = FunctionType(code, globals(), "__new__", (*defaults.values(),) or None)
        made.__annotations__ = types
        members["__new__"] = made
        members["__match_args__"] = members["_fields"] = fields
        members["_field_defaults"] = defaults
        members.setdefault("__doc__", f"{name}({', '.join(fields)})")
        return type.__new__(type, name, (tuple,), members)


def _by_typing(
    name: str, bases: tuple[type, ...], namespace: dict[str, Any], options: dict[str, Any]
) -> Any:
    """Return the class that `typing` makes."""
    from typing import NamedTuple as Slow

    given: Any = namespace.pop("__orig_bases__", bases)
    replaced = [Slow if each is NamedTuple else each for each in given]
    return new_class(name, replaced, options, lambda made: made.update(namespace))


if TYPE_CHECKING:
    from typing import NamedTuple
else:

    class NamedTuple(metaclass=NamedTupleType):
        """Base class of tuples whose fields have names."""
