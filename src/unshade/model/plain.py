"""Data classes whose constructor, plain data and JSON Schema derive from their fields.

    class Resource(Facts):
        '''A resource that is bound to the shader.'''

        name: str = fact("name in the source")
        register: int | None = fact("first register", default=None)

    Resource(name="tex").to_dict()          {"name": "tex", "register": None}

dataclasses would take more time at start-up than the whole model, and have neither plain data nor a
schema. An object stores only the values that it was given; defaults are stored in the class, so
that a large object with few values takes as little time as a small one.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from math import isfinite
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Self,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from ..errors import LimitError
from ..limits import DEFAULT, Limits
from ..wire.shown import shown_list

if TYPE_CHECKING:
    from .templates import FactsTemplate

_REQUIRED = object()
NOTHING: Mapping[str, Sequence["FactsTemplate[Any]"]] = {}  # is deferred


class Fact:
    """A field: its description, and its default value or a function that returns one.

    `before` is the inherited field that it precedes in plain data, or None.
    """

    __slots__ = ("before", "default", "doc", "factory")

    def __init__(
        self,
        doc: str,
        default: object,
        factory: Callable[[], object] | None,
        before: str | None,
    ) -> None:
        self.doc = doc
        self.default = default
        self.factory = factory
        self.before = before


def fact(
    doc: str, *, default: Any = _REQUIRED, factory: Any = None, before: str | None = None
) -> Any:
    """Return a field; it is a required argument unless it has a `default` or a `factory`.

    Fields of a class follow the fields of its base class; `before` names a field that this one
    precedes.
    """
    return Fact(doc, default, factory, before)


class _Fresh:
    """A default that each object creates for itself on first access, such as an empty list."""

    __slots__ = ("factory", "name")

    def __init__(self, name: str, factory: Callable[[], object]) -> None:
        self.name = name
        self.factory = factory

    def __get__(self, holder: object, _: type) -> object:
        if holder is None:
            return self
        later = getattr(holder, "_deferred", NOTHING).get(self.name)
        value = self.factory() if later is None else [each.made() for each in later]
        return vars(holder).setdefault(self.name, value)


@dataclass_transform(kw_only_default=True, field_specifiers=(fact,))
class FactsType(type):
    """Metaclass that turns the fields of a class body into defaults."""

    def __new__(mcls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> "FactsType":
        own = {key: value for key, value in namespace.items() if isinstance(value, Fact)}
        for key, each in own.items():
            if each.factory is not None:
                namespace[key] = _Fresh(key, each.factory)
            elif each.default is _REQUIRED:
                del namespace[key]
            else:
                namespace[key] = each.default
        fields = own
        for base in bases:
            if inherited := getattr(base, "FIELDS", None):
                fields = _joined(inherited, own)
        made = {key: each.factory for key, each in fields.items() if each.factory is not None}
        required = (key for key, each in fields.items() if each.default is _REQUIRED)
        namespace["FIELDS"] = fields
        namespace["CHECKED"] = set()
        namespace["REQUIRED"] = frozenset(required) - made.keys()
        namespace["MADE"] = made
        namespace["DEFAULTS"] = {
            key: None if each.default is _REQUIRED else scalar_of(each.default)
            for key, each in fields.items()
        }
        return super().__new__(mcls, name, bases, namespace)


def _joined(inherited: dict[str, Fact], own: dict[str, Fact]) -> dict[str, Fact]:
    """Return the fields of a base and of a class in order."""
    found: dict[str, Fact] = {}
    for name, field in inherited.items():
        found.update((key, each) for key, each in own.items() if each.before == name)
        found[name] = field
    return found | own


class Facts(metaclass=FactsType):
    """Base class of all objects in a reflection. Equality is by value.

    FIELDS are the fields, REQUIRED those without a default, MADE the functions that return the
    default of others, DEFAULTS the plain data of an object without values. CHECKED are the names
    that calls of the constructor gave so far, and that were found to be right.
    """

    __slots__ = ("_deferred",)
    FIELDS: ClassVar[dict[str, Fact]]
    REQUIRED: ClassVar[frozenset[str]]
    MADE: ClassVar[dict[str, Callable[[], Any]]]
    DEFAULTS: ClassVar[dict[str, Any]]
    CHECKED: ClassVar[set[tuple[str, ...]]]

    def __init__(self, **given: Any) -> None:
        names = tuple(given)
        if names not in self.CHECKED:
            if not self.REQUIRED <= given.keys() <= self.FIELDS.keys():
                self._refuse(given)
            self.CHECKED.add(names)
        self.__dict__.update(given)

    @classmethod
    def of_values(cls, values: Mapping[str, Any] | Iterable[tuple[str, Any]], **more: Any) -> Self:
        """Return an object with these values, whose names are not checked: in half the time."""
        self = cls.__new__(cls)
        self.__dict__.update(values, **more)
        return self

    def assign(self, **given: Any) -> None:
        """Set several fields, in less time than one by one."""
        if not given.keys() <= self.FIELDS.keys():
            self._refuse(vars(self) | given)
        self.__dict__.update(given)

    def defer(self, **lists: "Sequence[FactsTemplate[Any]]") -> None:
        """Set lists whose objects are created on first access."""
        object.__setattr__(self, "_deferred", lists)

    def _refuse(self, given: dict[str, Any]) -> None:
        for name in self.FIELDS:
            if name in self.REQUIRED and name not in given:
                raise TypeError(f"{type(self).__name__} needs {name}")
        odd = ", ".join(name for name in given if name not in self.FIELDS)
        raise TypeError(f"{type(self).__name__} has no {odd}")

    if not TYPE_CHECKING:  # a type checker would take every name for a field

        def __setattr__(self, name: str, value: object) -> None:
            if name in self.FIELDS:
                self.__dict__[name] = value
            elif hasattr(type(self), name):  # a slot of a subclass
                super().__setattr__(name, value)
            else:
                raise AttributeError(f"{type(self).__name__} has no {name}")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.FIELDS)

    __hash__ = None  # type: ignore[assignment]  # it can change

    def __repr__(self) -> str:
        shown = []
        for name, field in self.FIELDS.items():
            value = getattr(self, name)
            if isinstance(value, list) and value:
                shown.append(f"{name}={shown_list(value)}")
            elif value and value != field.default:
                shown.append(
                    f"{name}={str(value)!r}" if isinstance(value, str) else f"{name}={value!r}"
                )
        return f"{type(self).__name__}({', '.join(shown)})"

    def to_dict(self, limits: Limits = DEFAULT) -> dict[str, Any]:
        """Return plain data with every field: dicts, lists, numbers, str, bool and None.

        Bytes become hex; a float that JSON cannot represent becomes "nan", "inf" or "-inf". Shared
        objects, such as the type of a structure, are repeated.

        Raises:
            LimitError: The result's values and characters exceed `limits.nodes`.
        """
        return plain_of(self, limits)[0]


MANY = 24  # fields of an object that may have only numbers, which is found out first
PLAIN = frozenset({int, bool, type(None)})  # types whose values stay as they are
ENUMS: set[type] = set()  # those met so far: finding a type in a set is quicker than `isinstance`


def plain_of(facts: Facts, limits: Limits) -> tuple[dict[str, Any], int]:
    """Return an object as plain data, and the number of its values and characters."""
    walk = _Plain(limits)
    return walk.of(facts), limits.nodes - walk.left


def scalar_of(value: Any) -> Any:
    """Return a number or text as plain data."""
    if isinstance(value, Enum):
        return value._value_  # .value is three calls
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    return value


class _Plain:
    """A walk over an object for `to_dict`."""

    __slots__ = ("left", "limits")

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.left = limits.nodes

    def of(self, value: Any) -> Any:
        """Return a value as plain data; the caller has counted the value itself."""
        if isinstance(value, Facts):
            return self._facts(value)
        if isinstance(value, Enum):
            ENUMS.add(type(value))
            return value._value_
        if isinstance(value, str | bytes):
            self._count(len(value))
            return scalar_of(value)
        if isinstance(value, tuple) and hasattr(value, "_asdict"):  # a slot
            return self._mapping(value._asdict())
        if isinstance(value, list | tuple):
            return self._list(value) if value else []
        if isinstance(value, dict):
            return self._mapping(value)
        return scalar_of(value)

    def _facts(self, facts: Facts) -> dict[str, Any]:
        given = facts.__dict__
        found = {**facts.DEFAULTS, **given}
        spent = len(found)
        numbers = len(given) > MANY and PLAIN.issuperset(map(type, given.values()))
        for name, item in given.items() if not numbers else ():
            kind = type(item)
            if kind in PLAIN:
                continue
            if kind is str:
                spent += len(item)
            elif kind in ENUMS:
                found[name] = item._value_
            elif kind is list:
                found[name] = self._list(item) if item else []
            else:
                found[name] = self.of(item)
        made = facts.MADE
        if made:
            deferred = getattr(facts, "_deferred", NOTHING)
            for name, factory in made.items():
                if name in given:
                    continue
                later = deferred.get(name)
                if later is None:
                    found[name] = factory()
                else:
                    found[name] = [each.plain.copy() for each in later]
                    spent += sum([1 + each.cost for each in later])
        self._count(spent)
        return found

    def _list(self, items: list[Any] | tuple[Any, ...]) -> list[Any]:
        self._count(len(items))
        kind = type(items[0])
        if type(kind) is FactsType:
            facts = self._facts
            return [facts(item) if type(item) is kind else self.of(item) for item in items]
        return [item if type(item) in PLAIN else self.of(item) for item in items]

    def _mapping(self, items: dict[Any, Any]) -> dict[str, Any]:
        self._count(len(items))
        return {
            str(key): item if type(item) in PLAIN else self.of(item) for key, item in items.items()
        }

    def _count(self, more: int) -> None:
        self.left -= more
        if self.left < 0:
            raise LimitError("nodes", self.limits.nodes, "more")


# ---------------------------------------------------------------- JSON Schema

SIMPLE: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    float: {"anyOf": [{"type": "number"}, {"enum": ["nan", "inf", "-inf"]}]},
    bytes: {"type": "string", "pattern": "^([0-9a-f]{2})*$"},
    type(None): {"type": "null"},
    Any: {},
}


def schema_of(cls: type[Facts], url: str) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of the result of a class's `to_dict`."""
    definitions: dict[str, Any] = {}
    root = _schema(cls, definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": url,
        **root,
        "$defs": {name: definitions[name] for name in sorted(definitions)},
    }


def _schema(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    if hint in SIMPLE:
        return SIMPLE[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return {"anyOf": [_choice(each, arguments, definitions) for each in arguments]}
    if origin is list:
        return {"type": "array", "items": _schema(arguments[0], definitions)}
    if origin is dict:  # JSON keys are strings, those of numbers too
        return {"type": "object", "additionalProperties": _schema(arguments[1], definitions)}
    if issubclass(hint, Facts):
        return _class_schema(hint, definitions)
    if issubclass(hint, tuple):
        return _tuple_schema(hint, definitions)
    definitions[hint.__name__] = {
        "description": (hint.__doc__ or "").partition("\n")[0],
        "enum": [member.value for member in hint],
    }
    return {"$ref": f"#/$defs/{hint.__name__}"}


def _choice(hint: Any, among: tuple[Any, ...], definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a union member; `str` next to an enumeration means `unknown_N`."""
    if hint is str and any(isinstance(each, type) and issubclass(each, Enum) for each in among):
        return {"type": "string", "pattern": "^unknown_[0-9]+$"}
    return _schema(hint, definitions)


def _class_schema(cls: type[Facts], definitions: dict[str, Any]) -> dict[str, Any]:
    reference = {"$ref": f"#/$defs/{cls.__name__}"}
    if cls.__name__ not in definitions:
        definitions[cls.__name__] = {}  # the class may be recursive
        hints = get_type_hints(cls)
        definitions[cls.__name__] = {
            "type": "object",
            "description": (cls.__doc__ or "").partition("\n")[0],
            "properties": {
                name: {"description": field.doc, **_schema(hints[name], definitions)}
                for name, field in cls.FIELDS.items()
            },
            "required": list(cls.FIELDS),
            "additionalProperties": False,
        }
    return reference


def _tuple_schema(cls: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a named tuple, such as a slot."""
    hints = get_type_hints(cls)
    definitions[cls.__name__] = {
        "type": "object",
        "description": (cls.__doc__ or "").partition("\n")[0],
        "properties": {name: _schema(hints[name], definitions) for name in cls._fields},
        "required": list(cls._fields),
        "additionalProperties": False,
    }
    return {"$ref": f"#/$defs/{cls.__name__}"}
