"""`dataclass(slots=True)` of the standard library, whose methods are generated when first used.

    @dataclass(slots=True)                  # from ..dataclass import dataclass
    class Load:
        pointer: Value
        align: int = 0

Importing `dataclasses` takes as long as listing a shader, and making one of its classes a tenth of
that, although most classes have no object in most files. The classes have the same methods, and the
functions of `dataclasses` accept them. Options other than those of `dataclass` below, `InitVar`
and `KW_ONLY` need `dataclasses` itself.
"""

from collections.abc import Callable, Iterator, Mapping
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, ClassVar, get_origin

from .lazy import Generated, annotations_of

__all__ = ["dataclass", "field", "replace"]

_MISSING: Any = object()  # no default value
_FACTORY = object()  # the value of a parameter that is not given: its factory is called


class QuickField:
    """A field; its attributes are those of `dataclasses.field`."""

    __slots__ = ("compare", "default", "default_factory", "init", "kw_only", "name", "repr", "type")

    def __init__(
        self,
        default: Any = _MISSING,
        default_factory: Any = _MISSING,
        init: bool = True,
        repr: bool = True,
        compare: bool = True,
        kw_only: bool = False,
    ) -> None:
        self.compare = compare
        self.default = default
        self.default_factory = default_factory
        self.init = init
        self.kw_only = kw_only
        self.name = ""
        self.repr = repr
        self.type: object = None


class _ForDataclasses:
    """An attribute that the functions of `dataclasses` look for; made when it is asked for."""

    __slots__ = ("cls", "name", "options")

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.options = options

    def __set_name__(self, cls: type, name: str) -> None:
        self.cls: Any = cls
        self.name = name

    def __get__(self, made: object, _: type) -> Any:
        import dataclasses

        fields = []
        for each in self.cls.__quick_fields__.values():
            given = {name: getattr(each, name) for name in QuickField.__slots__}
            name, annotation = given.pop("name"), given.pop("type")
            known = {key: value for key, value in given.items() if value is not _MISSING}
            fields.append((name, annotation, dataclasses.field(**known)))
        like = dataclasses.make_dataclass(self.cls.__name__, fields, **self.options)
        found = getattr(like, self.name)
        type.__setattr__(self.cls, self.name, found)
        return found


def _made(cls: type, eq: bool, frozen: bool, kw_only: bool, repr: bool, weakref_slot: bool) -> Any:
    """Return the class anew, with slots and methods."""
    namespace = dict(vars(cls))
    own = dict(_fields(cls, namespace, kw_only))
    fields: dict[str, QuickField] = {}
    slots: set[str] = set()
    for base in reversed(cls.__mro__[1:]):
        fields.update(vars(base).get("__quick_fields__", {}))
        named = vars(base).get("__slots__", ())
        slots.update([named] if isinstance(named, str) else named)
    fields |= own
    given = {key for key in namespace if key not in own}
    if namespace.get("__hash__", 0) is None and "__eq__" in namespace:
        given.discard("__hash__")  # made by the class statement
    for name in (*own, "__dict__", "__weakref__"):
        namespace.pop(name, None)
    methods: dict[str, Any] = {"__init__": Generated(lambda: _constructor(fields, frozen, made))}
    methods["__replace__"] = _replaced
    if repr:
        methods["__repr__"] = _repr
    if eq:
        methods["__eq__"] = Generated(lambda: _equality(fields))
        methods["__hash__"] = Generated(lambda: _hash(fields)) if frozen else None
    if frozen:
        methods["__setattr__"], methods["__delattr__"] = _refusing(lambda: made, fields)
        methods["__getstate__"] = _getstate
        methods["__setstate__"] = _setstate
    methods["__match_args__"] = tuple(
        each.name for each in fields.values() if each.init and not each.kw_only
    )
    namespace.update((key, each) for key, each in methods.items() if key not in given)
    asked = (*own, "__weakref__") if weakref_slot else own
    namespace["__slots__"] = tuple(name for name in asked if name not in slots)
    namespace["__quick_fields__"] = fields
    options = {"eq": eq, "frozen": frozen, "repr": repr}
    namespace["__dataclass_fields__"] = _ForDataclasses(options)
    namespace["__dataclass_params__"] = _ForDataclasses(options)
    qualname = cls.__qualname__
    made: Any = type(cls)(cls.__name__, cls.__bases__, namespace)
    made.__qualname__ = qualname
    return made


def _fields(
    cls: type, namespace: dict[str, Any], kw_only: bool
) -> Iterator[tuple[str, QuickField]]:
    """Yield the fields that the body of a class declares."""
    for name, annotation in annotations_of(namespace).items():
        if annotation is ClassVar or get_origin(annotation) is ClassVar:
            continue
        if isinstance(annotation, str) and annotation.startswith("ClassVar"):
            continue
        found = namespace.get(name, _MISSING)
        each = found if isinstance(found, QuickField) else QuickField(default=found)
        each.name = name
        each.type = annotation
        each.kw_only = each.kw_only or kw_only
        if type(each.default) in (list, dict, set):
            raise ValueError(f"{cls.__name__}.{name} needs a default_factory")
        yield name, each


def _constructor(fields: dict[str, QuickField], frozen: bool, cls: Any) -> Callable[..., None]:
    """Return the `__init__` of a class."""
    names: dict[str, Any] = {"_FACTORY": _FACTORY, "_set": object.__setattr__}
    heads: dict[bool, list[str]] = {False: [], True: []}
    lines = []
    for name, each in fields.items():
        value = name
        head = name
        if each.default is not _MISSING:
            names[f"_d_{name}"] = each.default
            head = f"{name}=_d_{name}"
            value = name if each.init else f"_d_{name}"
        elif each.default_factory is not _MISSING:
            names[f"_f_{name}"] = each.default_factory
            head = f"{name}=_FACTORY"
            value = f"_f_{name}()"
            value = f"{value} if {name} is _FACTORY else {name}" if each.init else value
        elif not each.init:
            continue
        if each.init:
            heads[each.kw_only].append(head)
        lines.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    named = ["*", *heads[True]] if heads[True] else []
    return _function("__init__", ["self", *heads[False], *named], lines or ["pass"], names)


def _compared(fields: dict[str, QuickField], of: str) -> str:
    """Return code for the tuple of the values that are compared."""
    return f"({''.join(f'{of}.{each.name}, ' for each in fields.values() if each.compare)})"


def _equality(fields: dict[str, QuickField]) -> Callable[..., Any]:
    """Return the `__eq__` of a class."""
    lines = [
        "if other.__class__ is self.__class__:",
        f" return {_compared(fields, 'self')} == {_compared(fields, 'other')}",
        "return NotImplemented",
    ]
    return _function("__eq__", ["self", "other"], lines, {})


def _hash(fields: dict[str, QuickField]) -> Callable[..., Any]:
    """Return the `__hash__` of a class."""
    return _function("__hash__", ["self"], [f"return hash({_compared(fields, 'self')})"], {})


def _function(
    name: str, parameters: list[str], lines: list[str], names: dict[str, Any]
) -> Callable[..., Any]:
    """Return a function of our own source."""
    body = "".join(f" {line}\n" for line in lines)
    exec(f"def {name}({', '.join(parameters)}):\n{body}", names)
    made: Callable[..., Any] = names[name]
    return made


def _refusing(cls: Callable[[], Any], fields: dict[str, QuickField]) -> tuple[Any, Any]:
    """Return the `__setattr__` and `__delattr__` of a frozen class."""

    def __setattr__(self: Any, name: str, value: object) -> None:
        if type(self) is cls() or name in fields:
            from dataclasses import FrozenInstanceError

            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls(), self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:
        if type(self) is cls() or name in fields:
            from dataclasses import FrozenInstanceError

            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls(), self).__delattr__(name)

    return __setattr__, __delattr__


@recursive_repr("...")
def _repr(self: Any) -> str:
    """Return the name of the class and the fields with their values."""
    fields = type(self).__quick_fields__.values()
    shown = [f"{each.name}={getattr(self, each.name)!r}" for each in fields if each.repr]
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _getstate(self: Any) -> list[Any]:
    """Return the values of the fields, for `copy` and `pickle`."""
    return [getattr(self, name) for name in type(self).__quick_fields__]


def _setstate(self: Any, state: list[Any]) -> None:
    """Set the fields to the values that `_getstate` returned."""
    for name, value in zip(type(self).__quick_fields__, state, strict=True):
        object.__setattr__(self, name, value)


def _replaced(self: Any, /, **changes: Any) -> Any:
    """Return a new object with fields replaced by other values."""
    fields = getattr(type(self), "__quick_fields__", None)
    if fields is None:
        from dataclasses import replace as of_others

        return of_others(self, **changes)
    for name, each in fields.items():
        if not each.init:
            if name in changes:
                raise ValueError(f"field {name} is declared with init=False")
        elif name not in changes:
            changes[name] = getattr(self, name)
    return type(self)(**changes)


if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace
else:
    field = QuickField
    replace = _replaced

    def dataclass(
        *,
        slots: bool,
        eq: bool = True,
        frozen: bool = False,
        kw_only: bool = False,
        repr: bool = True,
        weakref_slot: bool = False,
    ) -> Callable[[type], type]:
        """Return a decorator that gives a class slots and methods for its annotated fields."""
        if not slots:
            raise TypeError("a class without slots needs dataclasses.dataclass")
        return lambda cls: _made(cls, eq, frozen, kw_only, repr, weakref_slot)
