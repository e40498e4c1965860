"""Reading of metadata nodes whose elements have fixed meanings.

!{i32 0, %buffer* undef, !"name", i32 0, i32 3, i32 1, i32 13, null}
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn

from ....errors import FormatError
from ..model.constants import ConstantData, ConstantFloat, ConstantNull, ConstantString, integer_of
from ..model.metadata import DebugNode, Metadata, MetadataNode, MetadataString, MetadataValue
from ..model.module import DxilModule
from ..model.types import ArrayType, DxilType
from ..model.values import DxilValue, Function

__all__ = ["Fields", "Reader", "named_nodes", "tagged"]

MOST_ZEROS = 1 << 20  # elements of an array of zeros, which takes no space in a file


class Fields:
    """The elements of a node, by index; `path` is the path of the node.

    The methods raise FormatError if an element is missing or of another kind.
    """

    __slots__ = ("elements", "metadata", "path")

    def __init__(self, metadata: Metadata | None, path: str) -> None:
        self.path = path
        if not isinstance(metadata, MetadataNode) or isinstance(metadata, DebugNode):
            self.fail("expected a node")
        self.metadata = metadata
        self.elements = metadata.elements

    def __len__(self) -> int:
        return len(self.elements)

    def fail(self, problem: str, index: int | None = None) -> NoReturn:
        path = self.path if index is None else f"{self.path}[{index}]"
        raise FormatError(problem, path=path)

    def get(self, index: int) -> Metadata | None:
        """Return an element, or None for null."""
        if index >= len(self.elements):
            self.fail(f"expected more than {index} elements, got {len(self.elements)}")
        return self.elements[index]

    def node(self, index: int) -> "Fields":
        """Return an element that is a node."""
        return Fields(self.get(index), f"{self.path}[{index}]")

    def node_or_none(self, index: int) -> "Fields | None":
        """Return an element that is a node or null."""
        return None if self.get(index) is None else self.node(index)

    def text(self, index: int) -> str:
        """Return an element that is a string."""
        found = self.get(index)
        if not isinstance(found, MetadataString):
            self.fail(f"expected a string, got {found!r:.40}", index)
        return found.text

    def value(self, index: int) -> DxilValue:
        """Return an element that is a value."""
        found = self.get(index)
        if not isinstance(found, MetadataValue):
            self.fail(f"expected a value, got {found!r:.40}", index)
        return found.value

    def signed(self, index: int) -> int:
        """Return an element that is an integer, with its sign."""
        value = self.value(index)
        number = integer_of(value)
        if number is None:
            self.fail(f"expected an integer, got {value!r:.40}", index)
        return number

    def number(self, index: int) -> int:
        """Return an element that is an integer, without sign."""
        number = self.signed(index)
        width = getattr(self.value(index).type, "width", 64)
        return number & ((1 << min(width, 64)) - 1)

    def boolean(self, index: int) -> bool:
        """Return an element that is true or false."""
        return bool(self.signed(index))

    def float_bits(self, index: int) -> int:
        """Return the bits of an element that is a floating-point number."""
        value = self.value(index)
        if isinstance(value, ConstantNull):
            return 0
        if not isinstance(value, ConstantFloat):
            self.fail(f"expected a floating-point number, got {value!r:.40}", index)
        return value.bits

    def type(self, index: int) -> DxilType:
        """Return the type of an element that is a value."""
        return self.value(index).type

    def function(self, index: int) -> Function | None:
        """Return an element that is a function or null."""
        if self.get(index) is None:
            return None
        value = self.value(index)
        if isinstance(value, ConstantNull):
            return None
        if not isinstance(value, Function):
            self.fail(f"expected a function, got {value!r:.40}", index)
        return value

    def numbers(self) -> tuple[int, ...]:
        """Return all elements, which are integers."""
        return tuple(self.number(index) for index in range(len(self.elements)))

    def nodes(self) -> "Iterator[Fields]":
        """Return all elements, which are nodes."""
        return (self.node(index) for index in range(len(self.elements)))

    def tags(self) -> Iterator[tuple[int, int]]:
        """Return the tags of pairs of a tag and an element, each with the element's index."""
        if len(self.elements) % 2:
            self.fail(f"expected pairs, got {len(self.elements)} elements")
        return ((self.number(at), at + 1) for at in range(0, len(self.elements), 2))

    def words(self, index: int) -> list[int]:
        """Return the elements of an element that is an array of integers."""
        value = self.value(index)
        if isinstance(value, ConstantData):
            return list(value.elements)
        if isinstance(value, ConstantString):
            return [*value.data, *([0] if value.terminated else [])]
        if isinstance(value, ConstantNull) and isinstance(value.type, ArrayType):
            if value.type.count > MOST_ZEROS:
                self.fail(f"expected at most {MOST_ZEROS} numbers, got {value.type.count}", index)
            return [0] * value.type.count
        self.fail(f"expected an array, got {value!r:.40}", index)


Reader = Callable[[Fields, int], Any]  # returns what an element means, by its index


def tagged(fields: Fields, readers: Mapping[int, tuple[str, Reader]]) -> dict[str, Any]:
    """Return the attributes from pairs of a tag and an element; unknown tags are left out.

    `readers` maps each tag to an attribute and a reader. A reader without an attribute returns
    several attributes as a dictionary.
    """
    found: dict[str, Any] = {}
    for tag, at in fields.tags():
        if tag in readers:
            name, read = readers[tag]
            found |= {name: read(fields, at)} if name else read(fields, at)
    return found


def named_nodes(module: DxilModule, name: str) -> list[Fields]:
    """Return the nodes of named metadata; none if the name does not exist."""
    found = module.named(name)
    if found is None:
        return []
    return [Fields(node, f"{name}[{at}]") for at, node in enumerate(found.nodes)]
