"""References to values, types and metadata in the text of a module."""

from collections.abc import Iterable

from ....limits import DEFAULT, Limits
from ..model.constants import DxilConstant
from ..model.metadata import DebugNode, Metadata, MetadataNode, MetadataString, MetadataValue
from ..model.module import DxilModule
from ..model.types import DxilType
from ..model.values import BasicBlock, DxilValue, Function, MetadataAsValue
from .attributes import AttributeKey, attributes_text
from .budget import TextBudget
from .constants import Piece, constant_pieces
from .nodes import debug_text
from .numbering import ModuleNumbers, number_values, unnamed_values
from .spelling import escaped, identifier
from .types import TypeNames, used_structures

__all__ = ["TextWriter"]

UNKNOWN = "<badref>"


class TextWriter:
    """Texts of values, types and metadata of a module.

    `references` are the texts of values without their type, for the module and for the function
    that is being printed.
    """

    def __init__(
        self,
        module: DxilModule,
        limits: Limits = DEFAULT,
        *,
        exact: bool = False,
        use_lists: bool = True,
    ) -> None:
        self.exact = exact
        self.use_lists = use_lists
        self.module = module
        self.budget = TextBudget(module, limits)
        self.numbers = ModuleNumbers(module)
        self.types = TypeNames(used_structures(module), self.budget)
        self.type = self.types.text
        self.globals: dict[DxilValue, str] = {
            each: identifier("@", each.name) if each.name else f"@{self.numbers.globals[each]}"
            for each in module.globals
        }
        self.blocks: dict[BasicBlock, str] = {}  # of all functions, once one is needed
        self.references: dict[DxilValue, str] = dict(self.globals)

    def enter(self, function: Function) -> None:
        """Set references for a function."""
        references: dict[DxilValue, str] = dict(self.globals)
        for number, value in enumerate(unnamed_values(function)):
            references[value] = f"%{number}"
        named: list[DxilValue] = [*function.arguments, *function.blocks, *function.instructions]
        for each in named:
            if each.name:
                references[each] = identifier("%", each.name)
        self.references = references

    def operand(self, value: DxilValue) -> str:
        """Return a value without its type."""
        found = self.references.get(value)
        if found is None:
            found = self._make(value)
            if len(found) < 64:
                self.references[value] = found
        return found

    def typed(self, value: DxilValue) -> str:
        """Return a value with its type."""
        return f"{self.type(value.type)} {self.operand(value)}"

    def _make(self, value: DxilValue) -> str:
        if isinstance(value, MetadataAsValue):
            return self.metadata(value.metadata)
        if isinstance(value, BasicBlock):
            return self._other_block(value)
        found: list[str] = []
        stack: list[Piece] = [value]
        while stack:
            piece = stack.pop()
            if isinstance(piece, str):
                found.append(piece)
                self.budget.spend(len(piece))
            elif isinstance(piece, DxilType):
                stack.append(self.type(piece))
            elif isinstance(piece, tuple):
                stack += (piece[0], " ", piece[0].type)
            elif piece in self.references:
                stack.append(self.references[piece])
            elif isinstance(piece, DxilConstant):
                stack += reversed(constant_pieces(piece))
            elif isinstance(piece, BasicBlock):
                stack.append(self._other_block(piece))
            else:
                stack.append(UNKNOWN)
        return "".join(found)

    def _other_block(self, block: BasicBlock) -> str:
        """Return the reference to a block of another function, as in addresses of blocks."""
        if not self.blocks:
            for function in self.module.functions:
                numbers = number_values(function)
                for each in function.blocks:
                    text = identifier("%", each.name) if each.name else f"%{numbers[each]}"
                    self.blocks[each] = text
        return self.blocks.get(block, UNKNOWN)

    def metadata(self, metadata: Metadata | None) -> str:
        """Return a reference to metadata: `!5`, `!"text"`, `i32 1`, `null`."""
        if metadata is None:
            return "null"
        if isinstance(metadata, MetadataString):
            return f'!"{escaped(metadata.text)}"'
        if isinstance(metadata, MetadataValue):
            return self.typed(metadata.value)
        assert isinstance(metadata, MetadataNode)
        number = self.numbers.nodes.get(metadata)
        return UNKNOWN if number is None else f"!{number}"

    def node(self, node: MetadataNode) -> str:
        """Return the content of a node."""
        if isinstance(node, DebugNode):
            text = debug_text(node, self.metadata)
        else:
            text = self.tuple(node.elements)
        return f"distinct {text}" if node.distinct else text

    def tuple(self, elements: Iterable[Metadata | None]) -> str:
        """Return references in braces, as in nodes without fields and in named metadata."""
        return f"!{{{', '.join(map(self.metadata, elements))}}}"

    def group(self, key: AttributeKey) -> str:
        """Return the reference to a group of attributes, with a blank before it."""
        return f" #{self.numbers.attributes[key]}" if key else ""

    def inline(self, key: AttributeKey) -> str:
        """Return attributes of a parameter or result, with a blank before them."""
        return f" {attributes_text(key)}" if key else ""
