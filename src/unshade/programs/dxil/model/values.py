"""Values that a module numbers: globals, functions, arguments, constants, basic blocks.

    DxilValue ── GlobalValue ── GlobalVariable, Function, GlobalAlias
                 Argument, BasicBlock, MetadataAsValue
                 Constant… (constants.py), Instruction… (instructions.py)

Operands refer to objects, never to numbers; numbers exist only in records. `record` of a value is
the record that it was read from: the writer reuses it if it is still equal.
"""

from typing import TYPE_CHECKING

from ..bitstream import BitBlock, BitRecord
from .types import DxilType, FunctionType

if TYPE_CHECKING:
    from .constants import DxilConstant
    from .instructions import Instruction
    from .metadata import Metadata, MetadataNode, MetadataValue

__all__ = [
    "MOST_ALIGNMENT",
    "Argument",
    "AttributeGroup",
    "AttributeList",
    "BasicBlock",
    "Comdat",
    "DxilValue",
    "Function",
    "FunctionAttribute",
    "GlobalAlias",
    "GlobalValue",
    "GlobalVariable",
    "MetadataAsValue",
    "UseListOrder",
]

MOST_ALIGNMENT = 29  # LLVM's limit for the exponent


class DxilValue:
    """A value: its type, and its name, which may be empty."""

    __slots__ = ("name", "name_record", "record", "type")
    type: DxilType

    def __init__(self, type: DxilType, name: str = "") -> None:
        self.type = type
        self.name = name
        self.record: BitRecord | None = None
        self.name_record: BitRecord | None = None

    def __repr__(self) -> str:
        return f"<{self.__class__.__name__} {self.name or hex(id(self))}>"


class FunctionAttribute:
    """An attribute: a number of LLVM or a text, and a value of the same kind, or None."""

    __slots__ = ("key", "value")

    def __init__(self, key: int | str, value: int | str | None = None) -> None:
        self.key = key
        self.value = value

    def __repr__(self) -> str:
        return f"<FunctionAttribute {self.key!r}={self.value!r}>"


class AttributeGroup:
    """Attributes of one place: `index` is 0 for the result, n for parameter n, or FUNCTION."""

    __slots__ = ("attributes", "id", "index", "record")
    FUNCTION = 0xFFFF_FFFF

    def __init__(self, id: int, index: int, attributes: list[FunctionAttribute]) -> None:
        self.id = id
        self.index = index
        self.attributes = attributes
        self.record: BitRecord | None = None


class AttributeList:
    """All attributes of a function or call, as groups."""

    __slots__ = ("groups", "record")

    def __init__(self, groups: list[AttributeGroup]) -> None:
        self.groups = groups
        self.record: BitRecord | None = None

    def has(self, key: int | str, index: int = AttributeGroup.FUNCTION) -> bool:
        """Return True if an attribute is set at a place."""
        return any(
            each.key == key
            for group in self.groups
            if group.index == index
            for each in group.attributes
        )


class Comdat:
    """A group of definitions that a linker keeps or drops together."""

    __slots__ = ("name", "record", "selection")

    def __init__(self, name: str, selection: int) -> None:
        self.name = name
        self.selection = selection
        self.record: BitRecord | None = None


class GlobalValue(DxilValue):
    """A global variable, function or alias; its type is a pointer. Codes are LLVM's."""

    __slots__ = ("comdat", "dll_storage", "linkage", "unnamed_addr", "visibility")

    def __init__(self, type: DxilType, name: str = "", linkage: int = 0) -> None:
        super().__init__(type, name)
        self.linkage = linkage
        self.visibility = 0
        self.dll_storage = 0
        self.unnamed_addr = 0
        self.comdat: Comdat | None = None


class GlobalVariable(GlobalValue):
    """A global variable; `section` may be empty."""

    __slots__ = (
        "alignment",
        "constant",
        "externally_initialized",
        "initializer",
        "section",
        "thread_local",
        "value_type",
    )

    def __init__(
        self,
        type: DxilType,
        value_type: DxilType,
        name: str = "",
        *,
        constant: bool = False,
        initializer: DxilValue | None = None,
        linkage: int = 0,
        alignment: int = 0,
    ) -> None:
        super().__init__(type, name, linkage)
        self.value_type = value_type
        self.constant = constant
        self.initializer = initializer
        self.alignment = alignment
        self.section = ""
        self.thread_local = 0
        self.externally_initialized = 0


class GlobalAlias(GlobalValue):
    """An alias of a constant."""

    __slots__ = ("aliasee", "thread_local")

    def __init__(self, type: DxilType, aliasee: DxilValue, name: str = "") -> None:
        super().__init__(type, name)
        self.aliasee = aliasee
        self.thread_local = 0


class Argument(DxilValue):
    """A parameter of a function."""

    __slots__ = ("index",)

    def __init__(self, type: DxilType, index: int, name: str = "") -> None:
        super().__init__(type, name)
        self.index = index


class BasicBlock(DxilValue):
    """A sequence of instructions; only the last branches."""

    __slots__ = ("instructions",)

    def __init__(self, type: DxilType, name: str = "") -> None:
        super().__init__(type, name)
        self.instructions: list[Instruction] = []

    @property
    def successors(self) -> "list[BasicBlock]":
        """The blocks that the last instruction may branch to, with repetitions."""
        if not self.instructions:
            return []
        last = self.instructions[-1]
        return [each for each in last.operands if isinstance(each, BasicBlock)]


class MetadataAsValue(DxilValue):
    """Metadata as the argument of a call."""

    __slots__ = ("metadata",)

    def __init__(self, type: DxilType, metadata: "Metadata") -> None:
        super().__init__(type)
        self.metadata = metadata


class UseListOrder:
    """The order of the uses of a value, as a permutation of the order in which they are read."""

    __slots__ = ("indexes", "record", "value")

    def __init__(self, value: DxilValue, indexes: list[int]) -> None:
        self.value = value
        self.indexes = indexes
        self.record: BitRecord | None = None


class Function(GlobalValue):
    """A function, declared or defined.

    `blocks` is empty for a declaration. `constants` are those that only this function uses, in the
    order of their numbers; `locals` its function-local metadata; `attachments` the nodes attached
    to the function, by kind; `block` is the block that the body was read from.
    """

    __slots__ = (
        "alignment",
        "arguments",
        "attachments",
        "attributes",
        "block",
        "blocks",
        "calling_convention",
        "constants",
        "function_type",
        "gc",
        "is_declaration",
        "locals",
        "personality",
        "prefix",
        "prologue",
        "section",
        "use_lists",
    )

    def __init__(
        self,
        type: DxilType,
        function_type: FunctionType,
        name: str = "",
        *,
        is_declaration: bool = True,
        linkage: int = 0,
        attributes: AttributeList | None = None,
    ) -> None:
        super().__init__(type, name, linkage)
        self.function_type = function_type
        self.is_declaration = is_declaration
        self.attributes = attributes
        self.calling_convention = 0
        self.alignment = 0
        self.section = ""
        self.gc = ""
        self.prologue: DxilValue | None = None
        self.prefix: DxilValue | None = None
        self.personality: DxilValue | None = None
        self.arguments = [
            Argument(each, index) for index, each in enumerate(function_type.parameters)
        ]
        self.block: BitBlock | None = None
        self.blocks: list[BasicBlock] = []
        self.constants: list[DxilConstant] = []
        self.locals: list[MetadataValue] = []
        self.attachments: list[tuple[int, MetadataNode]] = []
        self.use_lists: list[UseListOrder] = []

    @property
    def instructions(self) -> "list[Instruction]":
        """The instructions of all blocks, in order."""
        return [each for block in self.blocks for each in block.instructions]
