"""A module: types, globals, functions, constants and metadata."""

from ..bitstream import BitBlock
from .constants import DxilConstant
from .metadata import Metadata, NamedMetadata
from .typetable import TypeTable
from .values import (
    AttributeGroup,
    AttributeList,
    Comdat,
    Function,
    GlobalAlias,
    GlobalValue,
    GlobalVariable,
    UseListOrder,
)

__all__ = ["DxilModule"]


class DxilModule:
    """A module of LLVM 3.7.

    Lists are in the order of the numbers in the file: values are numbered in `globals`, then in
    `constants`; nodes, strings and values of metadata in `metadata`. `kinds` names the kinds of
    metadata that can be attached to instructions, by number. `block` is the block that the module
    was read from.
    """

    __slots__ = (
        "assembly",
        "attribute_groups",
        "attributes",
        "block",
        "comdats",
        "constants",
        "data_layout",
        "gc_names",
        "globals",
        "kinds",
        "libraries",
        "metadata",
        "named_metadata",
        "sections",
        "triple",
        "types",
        "use_lists",
        "version",
    )

    def __init__(self) -> None:
        self.version = 1
        self.triple = ""
        self.data_layout = ""
        self.assembly = ""
        self.libraries: list[str] = []
        self.sections: list[str] = []
        self.gc_names: list[str] = []
        self.types = TypeTable()
        self.attribute_groups: list[AttributeGroup] = []
        self.attributes: list[AttributeList] = []
        self.comdats: list[Comdat] = []
        self.globals: list[GlobalValue] = []
        self.constants: list[DxilConstant] = []
        self.metadata: list[Metadata] = []
        self.named_metadata: list[NamedMetadata] = []
        self.kinds: dict[int, str] = {}
        self.use_lists: list[UseListOrder] = []
        self.block: BitBlock | None = None

    def forget_records(self) -> None:
        """Forget the records that the functions were read from, which a text does not need.

        They take more memory than the instructions.
        """
        self.block = None
        for function in self.functions:
            function.block = None
            for each in function.instructions:
                each.record = each.name_record = None

    @property
    def functions(self) -> list[Function]:
        """The functions, declared and defined."""
        return [each for each in self.globals if isinstance(each, Function)]

    @property
    def variables(self) -> list[GlobalVariable]:
        """The global variables."""
        return [each for each in self.globals if isinstance(each, GlobalVariable)]

    @property
    def aliases(self) -> list[GlobalAlias]:
        """The aliases."""
        return [each for each in self.globals if isinstance(each, GlobalAlias)]

    def function(self, name: str) -> Function | None:
        """Return the function of a name, or None."""
        return next((each for each in self.functions if each.name == name), None)

    def named(self, name: str) -> NamedMetadata | None:
        """Return the named metadata of a name, or None."""
        return next((each for each in self.named_metadata if each.name == name), None)

    def kind(self, name: str) -> int | None:
        """Return the number of a kind of attached metadata, or None."""
        return next((number for number, each in self.kinds.items() if each == name), None)
