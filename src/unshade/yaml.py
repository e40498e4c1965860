"""YAML, as a thin layer over plain data: `to_data` and `from_data` decide what stands in it."""

from typing import Any

import yaml
from yaml.events import CollectionEndEvent, CollectionStartEvent
from yaml.nodes import MappingNode, Node, SequenceNode
from yaml.representer import SafeRepresenter

from .api import from_data
from .errors import FormatError, LimitError
from .limits import DEFAULT
from .shader import Shader

try:
    from yaml import CSafeDumper as _Dumper
    from yaml import CSafeLoader as _Loader
except ImportError:  # PyYAML without libyaml: slower, the same result
    from yaml import SafeDumper as _Dumper  # type: ignore[assignment]
    from yaml import SafeLoader as _Loader  # type: ignore[assignment]

WIDTH = 120
DEEPEST = 4 * DEFAULT.depth  # a record is a mapping, and may stand in a list
LINE = 100  # a collection that fits stands on one line: an instruction, a signature's row


class _Plain(SafeRepresenter):
    """Writes every value out; an anchor would tie two values that only look alike."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def to_yaml(shader: Shader) -> str:
    """The shader as YAML; `from_yaml` gives the same bytes back."""
    root = _Plain(sort_keys=False).represent_data(shader.to_data())
    _fold(root)
    text: str = yaml.serialize(root, Dumper=_Dumper, width=WIDTH, allow_unicode=True)
    return text


def _fold(node: Node) -> int:
    """Put what is short on one line; returns how long the node would be on one."""
    if isinstance(node, SequenceNode):
        size = 2 + sum(2 + _fold(item) for item in node.value)
    elif isinstance(node, MappingNode):
        size = 2 + sum(4 + _fold(key) + _fold(value) for key, value in node.value)
    else:
        return len(node.value)
    node.flow_style = size <= LINE
    return size


def from_yaml(text: str) -> Shader:
    """The shader that YAML describes. FormatError for text that is not YAML, or not a shader."""
    try:
        _bound_nesting(text)
        data = yaml.load(text, Loader=_Loader)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise FormatError(f"not YAML: {str(error).splitlines()[0]}", path="yaml") from None
    _bound(data)
    return from_data(data)


def _bound_nesting(text: str) -> None:
    """FormatError for what nests too deep: libyaml would overflow the stack of the process."""
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        if isinstance(event, CollectionStartEvent):
            depth += 1
            if depth > DEEPEST:
                raise FormatError(f"nested more than {DEEPEST} deep", path="yaml")
        elif isinstance(event, CollectionEndEvent):
            depth -= 1


def _bound(data: Any) -> None:
    """LimitError where aliases repeat too much, FormatError where one holds itself."""
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
            raise FormatError("an alias inside what it stands for: it holds itself", path="yaml")
        return known

    try:
        total = size(data)
    except RecursionError:
        raise FormatError("nested deeper than any shader is", path="yaml") from None
    if total > DEFAULT.nodes:
        raise LimitError("nodes", DEFAULT.nodes, total)
