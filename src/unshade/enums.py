"""`IntEnum` and `StrEnum` of the standard library, whose classes take a tenth of the time to make.

    class Stage(StrEnum):                   # from ..enums import StrEnum
        VERTEX = auto()

The vocabularies of formats have thousands of members, and a command makes those of its modules
anew each time it starts. The classes behave like those of `enum`, from which they derive; a class
with anything but plain numbers, plain texts, `auto()` of a text, methods and properties is made by
`enum` itself.
"""

from enum import Enum, EnumType, auto
from enum import IntEnum as _SlowIntEnum
from enum import StrEnum as _SlowStrEnum
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeVar, cast

__all__ = ["IntEnum", "StrEnum", "member_of"]

E = TypeVar("E", bound=Enum)

_KINDS: dict[tuple[type, ...], type] = {}  # the type of the members, by the bases of a class
_USUAL: set[str] = set()  # names that every enumeration inherits: `enum` treats them in another way
_OTHER = (FunctionType, property, classmethod, staticmethod)  # are no members


def member_of(enum: type[E], value: object) -> E | None:
    """Return the member with a value, None if no member has it."""
    return cast("E | None", enum._value2member_map_.get(value))


class QuickEnumType(EnumType):
    """Metaclass that makes the members of a plain enumeration directly."""

    @classmethod
    def __prepare__(  # type: ignore[override]
        metacls, name: str, bases: tuple[type, ...], **options: Any
    ) -> dict[str, Any]:
        return {}

    def __new__(
        metacls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **options: Any
    ) -> Any:
        kind = _KINDS.get(bases)
        values = None if kind is None or options else _values(kind, namespace)
        if kind is None or values is None:
            slow = EnumType.__prepare__(name, bases, **options)
            for key, value in namespace.items():
                slow[key] = value
            return super().__new__(metacls, name, bases, slow, **options)
        rest = {key: value for key, value in namespace.items() if key not in values}
        for key, value in vars(bases[0]).items():  # names and maps of members, as enum has them
            if type(value) in (dict, list):
                rest[key] = value.copy()
        made = type.__new__(metacls, name, bases, rest)
        _add(made, kind, values)
        return made


def _values(kind: type, namespace: dict[str, Any]) -> dict[str, Any] | None:
    """Return the value of each member, or None if the namespace has anything unusual."""
    values: dict[str, Any] = {}
    for key, value in namespace.items():
        if key[0] == "_":
            if not (key.startswith("__") and key.endswith("__")) or key in ("__new__", "__init__"):
                return None
        elif type(value) is kind:
            values[key] = value
        elif type(value) is auto and kind is str:
            values[key] = key.lower()
        elif type(value) not in _OTHER:
            return None
    return values if _USUAL.isdisjoint(values) else None


def _add(cls: Any, kind: type, values: dict[str, Any]) -> None:
    """Add the members to a class; a value that occurs again is another name of its member."""
    names, by_name, by_value = cls._member_names_, cls._member_map_, cls._value2member_map_
    new, give = kind.__new__, type.__setattr__
    for name, value in values.items():
        member: Any = by_value.get(value)
        if member is None:
            member = new(cls, value)
            member._value_ = value
            member._name_ = name
            member.__objclass__ = cls
            member._sort_order_ = len(names)
            by_value[value] = member
            names.append(name)
        by_name[name] = member
    for name, member in by_name.items():  # last, as each makes the interpreter forget the class
        give(cls, name, member)
    if (hashable := cls.__dict__.get("_hashable_values_")) is not None:  # since Python 3.13
        hashable.extend(by_value)


if TYPE_CHECKING:
    from enum import IntEnum, StrEnum
else:

    class IntEnum(_SlowIntEnum, metaclass=QuickEnumType):
        """Base class of enumerations of numbers."""

    class StrEnum(_SlowStrEnum, metaclass=QuickEnumType):
        """Base class of enumerations of texts."""

    _KINDS |= {(IntEnum,): int, (StrEnum,): str}
    _USUAL |= {"name", "value", *dir(IntEnum), *dir(StrEnum), *dir(EnumType)}
