"""Data classes whose slots, constructor, plain data and JSON Schema derive from their fields.

    class Resource(Facts):
        '''A resource that is bound to the shader.'''

        name: str = fact("name in the source")
        register: int | None = fact("first register", default=None)

    Resource(name="tex").to_dict()          {"name": "tex", "register": None}

dataclasses would take more time at start-up than the whole model, and have neither plain data nor a
schema.
"""

from collections.abc import Callable
from enum import Enum
from math import isfinite
from types import UnionType
from typing import Any, ClassVar, Union, dataclass_transform, get_args, get_origin, get_type_hints

from ..errors import LimitError
from ..limits import DEFAULT, Limits

_REQUIRED = object()


class Fact:
    """A field: its description, and its default value or a function that returns one."""

    __slots__ = ("default", "doc", "factory")

    def __init__(self, doc: str, default: object, factory: Callable[[], object] | None) -> None:
        self.doc = doc
        self.default = default
        self.factory = factory


def fact(doc: str, *, default: Any = _REQUIRED, factory: Any = None) -> Any:
    """Return a field; it is a required argument unless it has a `default` or a `factory`."""
    return Fact(doc, default, factory)


@dataclass_transform(kw_only_default=True, field_specifiers=(fact,))
class FactsType(type):
    """Metaclass that turns the fields of a class body into slots."""

    def __new__(mcls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> "FactsType":
        fields = {key: value for key, value in namespace.items() if isinstance(value, Fact)}
        for key in fields:
            del namespace[key]
        namespace.setdefault("__slots__", tuple(fields))
        namespace["FIELDS"] = fields
        return super().__new__(mcls, name, bases, namespace)


class Facts(metaclass=FactsType):
    """Base class of all objects in a reflection. Equality is by value."""

    __slots__ = ()
    FIELDS: ClassVar[dict[str, Fact]]

    def __init__(self, **given: Any) -> None:
        for name, field in self.FIELDS.items():
            if name in given:
                value = given.pop(name)
            elif field.factory is not None:
                value = field.factory()
            elif field.default is _REQUIRED:
                raise TypeError(f"{type(self).__name__} needs {name}")
            else:
                value = field.default
            setattr(self, name, value)
        if given:
            raise TypeError(f"{type(self).__name__} has no {', '.join(given)}")

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
                shown.append(f"{name}=[{len(value)}]")
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
            LimitError: The result has more values and characters than `limits.nodes`.
        """
        found: dict[str, Any] = _Plain(limits).of(self)
        return found


PLAIN = frozenset({int, bool, type(None)})  # types whose values stay as they are


class _Plain:
    """A walk over an object for `to_dict`."""

    __slots__ = ("left", "limits")

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.left = limits.nodes

    def of(self, value: Any) -> Any:
        """Return a value as plain data; the caller has counted it as one."""
        if isinstance(value, Facts):
            return self._mapping({name: getattr(value, name) for name in value.FIELDS})
        if isinstance(value, tuple) and hasattr(value, "_asdict"):  # a slot
            return self._mapping(value._asdict())
        if isinstance(value, list | tuple):
            self._count(len(value))
            return [item if type(item) in PLAIN else self.of(item) for item in value]
        if isinstance(value, dict):
            return self._mapping(value)
        if isinstance(value, Enum):
            return value._value_  # .value is three calls
        if isinstance(value, str | bytes):
            self._count(len(value))
            return value if isinstance(value, str) else value.hex()
        if isinstance(value, float) and not isfinite(value):
            return str(value)
        return value

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
