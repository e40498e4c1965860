"""YAML as a thin layer over plain data, that is over `to_data` and `from_data`.

Formats may also have YAML dialects of other tools, whose documents have a tag:

    --- !dxcontainer
"""

import re
from importlib import import_module
from typing import Any

import yaml
from yaml.events import CollectionEndEvent, CollectionStartEvent
from yaml.nodes import MappingNode, Node, SequenceNode
from yaml.representer import SafeRepresenter

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


class _Representer(SafeRepresenter):
    """A representer without anchors, which would tie values that only happen to be equal."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


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
    root = _Representer(sort_keys=False).represent_data(shader.to_data())
    _fold(root)
    made: str = yaml.serialize(root, Dumper=_Dumper, width=WIDTH, allow_unicode=True)
    return made


def _dialect_of(shader: Shader, name: str) -> YamlDialect:
    there_are = formats.format_named(shader.format).yaml
    for each in there_are:
        if each.name == name:
            return each
    names = " or ".join(repr(each.name) for each in there_are) or "none"
    raise UsageError(f"unknown YAML dialect {name!r} of {shader.format}: expected {names}")


def _fold(node: Node) -> int:
    """Set the flow style of short nodes; return the length of the node on one line."""
    if isinstance(node, SequenceNode):
        size = 2 + sum(2 + _fold(item) for item in node.value)
    elif isinstance(node, MappingNode):
        size = 2 + sum(4 + _fold(key) + _fold(value) for key, value in node.value)
    else:
        return len(node.value)
    node.flow_style = size <= LINE
    return size


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
        _bound_nesting(text)
        data = yaml.load(text, Loader=loader)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise FormatError(f"invalid YAML: {str(error).splitlines()[0]}", path="yaml") from None
    _bound(data)
    return data


def _bound_nesting(text: str) -> None:
    """Raise FormatError for deep nesting, which would overflow libyaml's stack."""
    depth = 0
    too_deep = FormatError(f"nested more than {DEEPEST} deep", path="yaml")
    try:
        for event in yaml.parse(text, Loader=_Loader):
            if isinstance(event, CollectionStartEvent):
                depth += 1
                if depth > DEEPEST:
                    raise too_deep
            elif isinstance(event, CollectionEndEvent):
                depth -= 1
    except yaml.YAMLError as error:
        if "flow level" in str(error):  # libyaml reads ahead, and has a limit of its own
            raise too_deep from None
        raise


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
