"""YAML as a thin layer over plain data, that is over `to_data` and `from_data`.

Formats may also have YAML dialects of other tools, whose documents have a tag:

    --- !dxcontainer

Texts are written and read as events, one after the other: the nodes of PyYAML take ten times the
memory of the text. Texts with aliases, tags or merged keys are read by PyYAML's loader.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from typing import Any

import yaml
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
    StreamStartEvent,
)
from yaml.nodes import ScalarNode
from yaml.representer import SafeRepresenter
from yaml.resolver import Resolver

from . import formats
from .api import from_data
from .errors import FormatError, LimitError, UsageError
from .format import YamlDialect
from .limits import DEFAULT
from .shader import Shader

try:
    from yaml import CBaseLoader as _ScalarLoader
    from yaml import CSafeDumper as _Dumper
    from yaml import CSafeLoader as _Loader
except ImportError:  # PyYAML without libyaml: slower, the same result
    from yaml import BaseLoader as _ScalarLoader  # type: ignore[assignment]
    from yaml import SafeDumper as _Dumper  # type: ignore[assignment]
    from yaml import SafeLoader as _Loader  # type: ignore[assignment]

WIDTH = 120
DEEPEST = 4 * DEFAULT.depth  # a record is a mapping, perhaps in a list
LINE = 100  # collections that fit are written on one line: an instruction, a signature element


SCALARS = frozenset(f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null"))
KEPT = 1 << 14  # scalars
_NONE: Any = object()  # no key was read, or no plain value

_TAG = re.compile(r"^---[ \t]+(!\w+)", re.MULTILINE)


def to_yaml(shader: Shader, dialect: str | None = None) -> str:
    """Return the shader as YAML, without loss; `from_yaml` is the inverse.

    Args:
        shader: The shader.
        dialect: The YAML of another tool, which may hold less: `llvm` for DirectX containers.

    Raises:
        UsageError: The format has no such dialect.
        UnsupportedError: The dialect cannot hold the shader.
    """
    if dialect is not None:
        text: str = import_module(_dialect_of(shader, dialect).home).to_text(shader)
        return text
    return dumped(shader.to_data())


def _dialect_of(shader: Shader, name: str) -> YamlDialect:
    there_are = formats.format_named(shader.format).yaml
    for each in there_are:
        if each.name == name:
            return each
    names = " or ".join(repr(each.name) for each in there_are) or "none"
    raise UsageError(f"unknown YAML dialect {name!r} of {shader.format}: expected {names}")


# ---------------------------------------------------------------- writing


def dumped(data: Any) -> str:
    """Return the YAML text of plain data."""
    events = _events_of(data)
    text: str = yaml.emit(events, Dumper=_Dumper, width=WIDTH, allow_unicode=True)
    return text


def _events_of(data: Any) -> Iterator[Event]:
    """Yield the events of a document, without anchors: equal values need not stay equal."""
    yield StreamStartEvent()
    yield DocumentStartEvent(explicit=False)
    yield from _events(data, _ScalarWriter())
    yield DocumentEndEvent(explicit=False)
    yield StreamEndEvent()


class _ScalarWriter:
    """Scalars as events; those of texts and integers are kept."""

    def __init__(self) -> None:
        self._represent: Any = SafeRepresenter().represent_data
        self._resolve: Any = Resolver().resolve
        self._kept = lru_cache(KEPT)(self._made)

    def event(self, value: object) -> ScalarEvent:
        """Return the event of a text, a number or None."""
        # Numbers of other types may be equal: 1 and True, 0.0 and -0.0.
        kept = isinstance(value, str | int) and not isinstance(value, bool)
        return self._kept(value) if kept else self._made(value)

    def _made(self, value: object) -> ScalarEvent:
        node = self._represent(value)
        plain, quoted = (
            self._resolve(ScalarNode, node.value, implicit) == node.tag
            for implicit in ((True, False), (False, True))
        )
        return ScalarEvent(None, node.tag, (plain, quoted), node.value)


def _events(data: Any, scalars: _ScalarWriter) -> Iterator[Event]:
    """Yield the events of plain data."""
    if isinstance(data, dict):
        flow = _left(data, LINE, scalars) >= 0
        yield MappingStartEvent(None, None, True, flow_style=flow)
        for key, value in data.items():
            yield scalars.event(key)
            if isinstance(value, dict | list):
                yield from _events(value, scalars)
            else:
                yield scalars.event(value)
        yield MappingEndEvent()
    elif isinstance(data, list):
        flow = _left(data, LINE, scalars) >= 0
        yield SequenceStartEvent(None, None, True, flow_style=flow)
        for value in data:
            if isinstance(value, dict | list):
                yield from _events(value, scalars)
            else:
                yield scalars.event(value)
        yield SequenceEndEvent()
    else:
        yield scalars.event(data)


def _left(data: Any, room: int, scalars: _ScalarWriter) -> int:
    """Return the room that is left beside data on one line; negative if it does not fit."""
    if isinstance(data, dict):
        room -= 2
        for key, value in data.items():
            room = _left(value, room - 4 - len(scalars.event(key).value), scalars)
            if room < 0:
                break
        return room
    if isinstance(data, list):
        room -= 2
        for value in data:
            room = _left(value, room - 2, scalars)
            if room < 0:
                break
        return room
    return room - len(scalars.event(data).value)


# ---------------------------------------------------------------- reading


def from_yaml(text: str) -> Shader:
    """Return the shader described by YAML of `to_yaml`, in any dialect.

    Raises:
        FormatError: The text is not YAML, or does not describe a shader.
        LimitError: Aliases repeat too much, or sizes exceed a limit.
        UnsupportedError: The text has contents that are not supported yet.
    """
    tag = _TAG.search(text)
    if tag is not None:
        for each in formats.known():
            for dialect in each.yaml:
                if dialect.tag == tag[1]:
                    shader: Shader = import_module(dialect.home).from_scalars(_scalars(text))
                    return shader
    return from_data(plain(text))


def plain(text: str) -> Any:
    """Return the plain data of a YAML text; raise the errors of `from_yaml`."""
    return _loaded(text, _Loader)


def _scalars(text: str) -> Any:
    """Return the plain data of a YAML text with all scalars as texts and tags ignored."""
    return _loaded(text, _ScalarLoader)


def _loaded(text: str, loader: Any) -> Any:
    try:
        reading = _EventReading(loader(text))
        reading.run()
        data = reading.data if reading.is_plain else yaml.load(text, Loader=loader)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise FormatError(f"invalid YAML: {str(error).splitlines()[0]}", path="yaml") from None
    if not reading.is_plain:
        _bound(data)
    elif reading.values > DEFAULT.nodes:
        raise LimitError("nodes", DEFAULT.nodes, reading.values)
    return data


class _EventReading:
    """The plain data of a text, made of its events.

    Attributes:
        is_plain: False if the text has more than collections and scalars without tags and anchors.
        data: The data, if the text is plain.
        values: The number of collections, and of scalars that are no keys.
    """

    def __init__(self, parser: Any) -> None:
        self.parser = parser
        self.is_plain = True
        self.data: Any = None
        self.values = 0
        self._documents = 0
        self._open: list[tuple[Any, Any]] = []  # outer collections, with their keys
        self._inner: Any = None  # the collection that is being read, and the key of its next value
        self._key: Any = _NONE
        self._known: dict[str, Any] = {}  # by the texts of scalars without quotes

    def run(self) -> None:
        """Read all events; FormatError for deep nesting, which would overflow libyaml's stack."""
        depth = 0
        too_deep = FormatError(f"nested more than {DEEPEST} deep", path="yaml")
        try:
            while self.parser.check_event():
                event = self.parser.get_event()
                if isinstance(event, CollectionStartEvent):
                    depth += 1
                    if depth > DEEPEST:
                        raise too_deep
                elif isinstance(event, CollectionEndEvent):
                    depth -= 1
                if self.is_plain and not self._take(event):
                    self.is_plain = False
                    self.data = self._inner = None
                    self._open.clear()
        except yaml.YAMLError as error:
            if "flow level" in str(error):  # libyaml reads ahead, and has a limit of its own
                raise too_deep from None
            raise
        finally:
            self.parser.dispose()
        self.is_plain = self.is_plain and self._documents == 1

    def _take(self, event: Event) -> bool:
        """Add an event to the data; return False if the text is not plain."""
        if isinstance(event, ScalarEvent):
            value = self._scalar(event)
            return value is not _NONE and self._add(value)
        if isinstance(event, CollectionEndEvent):
            self._inner, self._key = self._open.pop()
        elif isinstance(event, CollectionStartEvent):
            made: Any = {} if isinstance(event, MappingStartEvent) else []
            if event.anchor is not None or event.tag is not None or not self._add(made):
                return False
            self._open.append((self._inner, self._key))
            self._inner, self._key = made, _NONE
        elif isinstance(event, DocumentStartEvent):
            self._documents += 1
            return self._documents == 1
        return not isinstance(event, AliasEvent)

    def _add(self, value: Any) -> bool:
        """Add a value to the collection that is being read, or make it a key; False for others."""
        inner = self._inner
        if isinstance(inner, dict) and self._key is _NONE:
            self._key = value
            return not isinstance(value, dict | list)
        self.values += 1
        if inner is None:
            self.data = value
        elif isinstance(inner, list):
            inner.append(value)
        else:
            inner[self._key] = value
            self._key = _NONE
        return True

    def _scalar(self, event: ScalarEvent) -> Any:
        """Return the value of a scalar; `_NONE` if it is not plain."""
        text = event.value
        if event.anchor is not None or event.tag is not None:
            return _NONE
        if not event.implicit[0]:  # in quotes
            return text
        if text in self._known:
            return self._known[text]
        tag = self.parser.resolve(ScalarNode, text, event.implicit)
        if tag not in SCALARS:
            return _NONE
        value = self.parser.construct_object(ScalarNode(tag, text))
        self.parser.constructed_objects.clear()
        if len(self._known) >= KEPT:
            self._known.clear()
        self._known[text] = value
        return value


def _bound(data: Any) -> None:
    """Raise LimitError if aliases repeat too much, FormatError if one contains itself."""
    sizes: dict[int, int] = {}

    def size(value: Any) -> int:
        if not isinstance(value, dict | list):
            return 1
        known = sizes.get(id(value))
        if known is None:
            sizes[id(value)] = -1
            items = value.values() if isinstance(value, dict) else value
            known = sizes[id(value)] = 1 + sum(map(size, items))
        if known < 0:
            raise FormatError("an alias contains itself", path="yaml")
        return known

    try:
        total = size(data)
    except RecursionError:
        raise FormatError("nested too deep", path="yaml") from None

    if total > DEFAULT.nodes:
        raise LimitError("nodes", DEFAULT.nodes, total)
