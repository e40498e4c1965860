"""Names in the body of a function in LLVM assembly.

Values may be used before their definition: a placeholder takes their place until the end of the
function.
"""

from functools import partial

from ..model.instructions import Instruction, PhiInst
from ..model.metadata import MetadataValue
from ..model.types import DxilType
from ..model.values import BasicBlock, DxilValue, Function, MetadataAsValue
from .cursor import Cursor
from .pointers import interchangeable
from .scope import TextScope
from .tokens import AssemblyToken

__all__ = ["NewBody", "key_of", "name_key", "stated_number"]

LONGEST_NUMBER = 18  # digits


class _Placeholder(DxilValue):
    """A value that has not been defined yet; `token` is its first use."""

    __slots__ = ("token",)
    token: AssemblyToken


class NewBody:
    """The values and blocks of a body that is being made, by their references.

    Attributes:
        count: The number of the next unnamed value.
        stated: The numbers in the text of the body if they need not be consecutive, otherwise None.
        uses: Instructions with placeholders among their operands.
        pointers: Phis of pointers without a type.
        used: Blocks that are referred to, with their first references.
        placed: Blocks that the body contains.
    """

    def __init__(self, scope: TextScope, function: Function, stated: set[int] | None) -> None:
        self.scope = scope
        self.result_type = function.function_type.result
        self.stated = stated
        self.count = 0
        self.known: dict[str, DxilValue] = {}
        self.waiting: dict[str, _Placeholder] = {}
        self.replaced: dict[DxilValue, DxilValue] = {}
        self.has_placeholder = False  # of the instruction that is being read
        self.uses: list[Instruction] = []
        self.pointers: list[tuple[PhiInst, AssemblyToken]] = []
        self.labels: dict[str, BasicBlock] = {}
        self.used: dict[BasicBlock, AssemblyToken] = {}
        self.placed: set[BasicBlock] = set()

    def local(self, cursor: Cursor, token: AssemblyToken, type: DxilType) -> DxilValue:
        reference = key_of(token)
        found = self.known.get(reference) or self.waiting.get(reference)
        if found is None:
            found = self.waiting[reference] = _Placeholder(type)
            found.token = token
        if not interchangeable(self.scope, found.type, type):
            cursor.fail(f"expected a value of type {type!s:.60}, got {found.type!s:.60}", token)
        if isinstance(found, _Placeholder):
            self.has_placeholder = True
        return found

    def block(self, cursor: Cursor, token: AssemblyToken) -> BasicBlock:
        reference = key_of(token)
        found = self.labels.get(reference)
        if found is None:
            found = self.labels[reference] = BasicBlock(self.scope.label_type)
        self.used.setdefault(found, token)
        return found

    def reference(self, cursor: Cursor, name: str, number: int | None, token: AssemblyToken) -> str:
        """Return the reference of a value: its name or number; "" if nothing can refer to it."""
        if name:
            return name_key(name)
        if number is None:
            return "" if self.stated and self.count in self.stated else f"%{self.count}"
        if self.stated is None and number != self.count:
            cursor.fail(f"expected %{self.count}, got %{number}", token)
        return f"%{number}"

    def define(
        self,
        cursor: Cursor,
        value: DxilValue,
        name: str,
        token: AssemblyToken,
        number: int | None = None,
    ) -> None:
        """Give a value its reference: its name, the number that is stated, or the next one."""
        reference = self.reference(cursor, name, number, token)
        if not reference:
            return
        if not name:
            self.count = max(self.count, int(reference[1:]) + 1)
        is_block = reference in self.labels and not isinstance(value, BasicBlock)
        if reference in self.known or is_block:
            cursor.fail(f"expected one definition of {reference:.60}", token)
        self.known[reference] = value
        placeholder = self.waiting.pop(reference, None)
        if placeholder is None:
            return
        if not interchangeable(self.scope, placeholder.type, value.type):
            cursor.fail(
                f"expected a value of type {value.type!s:.60}, got {placeholder.type!s:.60}",
                placeholder.token,
            )
        self.replaced[placeholder] = value

    def complete(self, cursor: Cursor) -> None:
        """Put values in the place of placeholders; refuse names without a definition."""
        for name, placeholder in self.waiting.items():
            cursor.fail(f"unknown value {name:.60}", placeholder.token)
        for block, token in self.used.items():
            if block not in self.placed:
                cursor.fail(f"unknown block {token.text:.60}", token)
        for instruction in self.uses:
            instruction.substitute(partial(self._final, cursor))
        for phi, token in self.pointers:
            if any(value.type is not phi.type for value, _ in phi.incoming):
                cursor.fail("expected pointers to values of one type", token)

    def _final(self, cursor: Cursor, value: DxilValue) -> DxilValue:
        """Return the value that replaces a placeholder, or metadata of a placeholder."""
        if isinstance(value, MetadataAsValue) and isinstance(value.metadata, MetadataValue):
            old = value.metadata.value
            new = self._final(cursor, old)
            if new is old:
                return value
            pool = self.scope.pool
            return pool.argument(value.type, pool.value(new))
        seen: dict[DxilValue, None] = {}
        while value in self.replaced:  # several times for `freeze` of a value defined later
            if value in seen:
                cursor.fail("expected a value, got a freeze of itself")
            seen[value] = None
            value = self.replaced[value]
        for each in seen:
            self.replaced[each] = value
        return value


def name_key(name: str) -> str:
    """Return the key of a name, which differs from the key of a number."""
    return f"%{name}" if not name.isdigit() else f'%"{name}"'


def key_of(token: AssemblyToken) -> str:
    """Return the key of a reference: its number, or its name."""
    return token.text if token.text[1:].isdigit() else name_key(token.name)


def stated_number(token: AssemblyToken) -> int | None:
    """Return the number of a result or label; None if it is a name, or in quotes."""
    text = token.text.removeprefix("%").removesuffix(":")
    is_number = token.kind in ("local", "label") and text.isdigit()
    return int(text) if is_number and len(text) <= LONGEST_NUMBER else None
