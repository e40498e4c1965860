"""Bodies of functions in LLVM assembly.

Values may be used before their definition: a placeholder takes their place until the end of the
function.

    %5 = add i32 %3, %4        the number of a value that has no name is the next one, as in LLVM
    ; <label>:6                a comment, in which dxc prints the number of a block

A body whose numbers are not consecutive, since its text was edited, is read a second time: numbers
are then names like others, also those in comments before blocks. A value whose number is not
stated gets the number after the greatest so far, unless another value states that one. `strict`
refuses such bodies.
"""

import re

from ....errors import AssembleError
from ....isa.source import Source
from ....limits import DEFAULT, Limits
from ..model.constants import DxilConstant
from ..model.instructions import CallInst, Instruction, PhiInst, UnreachableInst
from ..model.metadata import (
    DebugLocation,
    DebugNode,
    Metadata,
    MetadataNode,
    MetadataValue,
)
from ..model.types import DxilType, PointerType
from ..model.values import (
    AttributeGroup,
    BasicBlock,
    DxilValue,
    Function,
    FunctionAttribute,
    GlobalValue,
    MetadataAsValue,
)
from .attributes import NUMBERS
from .calls import DBG_OPERANDS, DBG_VALUE
from .instructions import InstructionParser
from .tokens import AssemblyToken

__all__ = ["FunctionParser", "name_key", "stated_number"]

DBG, DBG_KIND = "dbg", 0
PLACE = re.compile(r";[ \t]*<label>:(\d{1,9})\b", re.ASCII)
RECORDS = {"#dbg_value": DBG_VALUE, "#dbg_declare": "llvm.dbg.declare"}
LONGEST_NUMBER = 18  # digits


class _Placeholder(DxilValue):
    """A value that has not been defined yet; `token` is its first use."""

    __slots__ = ("token",)
    token: AssemblyToken


class FunctionParser(InstructionParser):
    """A reader of bodies."""

    def __init__(self, source: Source, limits: Limits = DEFAULT) -> None:
        super().__init__(source, limits)
        self.label_type = self.types.primitive("label")
        self.function: Function | None = None  # the one that is being read
        self.blocks: dict[Function, dict[str, BasicBlock]] = {}
        self.replaced: dict[DxilValue, DxilValue] = {}
        self.has_placeholder = False
        self.strict = False
        self.gaps = False  # numbers need not be consecutive
        self.stated: set[int] = set()  # numbers that the body states, if they need not be
        self.numbers: dict[Function, list[int | None]] = {}  # of arguments that state them

    @property
    def result_type(self) -> DxilType:
        return self.void if self.function is None else self.function.function_type.result

    def body(self, function: Function, start: int) -> None:
        """Read the body of a function, from `{` on."""
        addresses = len(self.addresses)
        try:
            self._body(function, start)
        except AssembleError:
            if self.strict:
                raise
            del self.addresses[addresses:]
            function.blocks.clear()
            self.gaps, self.stated = True, self._stated(start)
            self._body(function, start)
            self.gaps = False

    def _stated(self, start: int) -> set[int]:
        """Return the numbers of values and blocks that a body states."""
        found: set[int] = set()
        depth = 0
        for at in range(start, len(self.tokens)):
            token = self.tokens[at]
            depth += token.text in ("{", "!{")
            depth -= token.text == "}"
            if not depth:
                break
            if token.is_first:
                for number in (stated_number(token), self._place(at)):
                    if number is not None:
                        found.add(number)
        return found

    def _place(self, at: int) -> int | None:
        """Return the number of a block that the comment before a token states."""
        before, token = self.tokens[at - 1], self.tokens[at]
        found = PLACE.findall(self.source.text, before.offset + len(before.text), token.offset)
        return int(found[-1]) if found else None

    def _body(self, function: Function, start: int) -> None:
        self.at = start
        self.expect("{")
        self.function = function
        self.count = 0
        self.known: dict[str, DxilValue] = {}
        self.waiting: dict[str, _Placeholder] = {}
        self.uses: list[Instruction] = []
        self.pointers: list[tuple[PhiInst, AssemblyToken]] = []  # phis of pointers without a type
        self.before = []
        self.labels: dict[str, BasicBlock] = {}
        self.used: dict[BasicBlock, AssemblyToken] = {}
        self.placed: set[BasicBlock] = set()
        numbers = self.numbers.get(function) or [None] * len(function.arguments)
        for argument, number in zip(function.arguments, numbers, strict=True):
            self._define(argument, argument.name, self.token, number)
        while not self.accept("}"):
            function.blocks.append(self._block())
        for name, placeholder in self.waiting.items():
            self.fail(f"unknown value {name:.60}", placeholder.token)
        for block, token in self.used.items():
            if block not in self.placed:
                self.fail(f"unknown block {token.text:.60}", token)
        for instruction in self.uses:
            self._substitute(instruction)
        for phi, token in self.pointers:
            if any(value.type is not phi.type for value, _ in phi.incoming):
                self.fail("expected pointers to values of one type", token)
        if not function.blocks:
            self.fail("expected a block")
        function.locals = _locals(function)
        self.blocks[function] = self.labels
        self.function = None

    def _reference(self, name: str, number: int | None, token: AssemblyToken) -> str:
        """Return the reference of a value: its name or number; "" if nothing can refer to it."""
        if name:
            return name_key(name)
        if number is None:
            return "" if self.count in self.stated and self.gaps else f"%{self.count}"
        if not self.gaps and number != self.count:
            self.fail(f"expected %{self.count}, got %{number}", token)
        return f"%{number}"

    def _define(
        self, value: DxilValue, name: str, token: AssemblyToken, number: int | None = None
    ) -> None:
        """Give a value its reference: its name, the number that is stated, or the next one."""
        reference = self._reference(name, number, token)
        if not reference:
            return
        if not name:
            self.count = max(self.count, int(reference[1:]) + 1)
        is_block = reference in self.labels and not isinstance(value, BasicBlock)
        if reference in self.known or is_block:
            self.fail(f"expected one definition of {reference:.60}", token)
        self.known[reference] = value
        placeholder = self.waiting.pop(reference, None)
        if placeholder is not None and not self.interchangeable(placeholder.type, value.type):
            self.fail(
                f"expected a value of type {value.type!s:.60}, got {placeholder.type!s:.60}",
                placeholder.token,
            )
        if placeholder is not None:
            self.replaced[placeholder] = value

    def _substitute(self, instruction: Instruction) -> None:
        """Replace placeholders among the operands of an instruction."""
        for name in instruction.OPERANDS:
            value = getattr(instruction, name)
            if isinstance(value, DxilValue):
                setattr(instruction, name, self._final(value))
            elif isinstance(value, list):
                for at, each in enumerate(value):
                    if isinstance(each, tuple):
                        value[at] = tuple(map(self._final, each))
                    else:
                        value[at] = self._final(each)

    def _final(self, value: DxilValue) -> DxilValue:
        """Return the value that a placeholder, or metadata of one, stands for."""
        if isinstance(value, MetadataAsValue) and isinstance(value.metadata, MetadataValue):
            old = value.metadata.value
            new = self._final(old)
            return value if new is old else self.pool.argument(value.type, self.pool.value(new))
        seen: dict[DxilValue, None] = {}
        while value in self.replaced:  # several times for `freeze` of a value defined later
            if value in seen:
                self.fail("expected a value, got a freeze of itself")
            seen[value] = None
            value = self.replaced[value]
        for each in seen:
            self.replaced[each] = value
        return value

    def local(self, token: AssemblyToken, type: DxilType) -> DxilValue:
        if self.function is None:
            return super().local(token, type)
        reference = name_key(token.name) if not token.text[1:].isdigit() else token.text
        found = self.known.get(reference) or self.waiting.get(reference)
        if found is None:
            found = self.waiting[reference] = _Placeholder(type)
            found.token = token
        if not self.interchangeable(found.type, type):
            self.fail(f"expected a value of type {type!s:.60}, got {found.type!s:.60}", token)
        if isinstance(found, _Placeholder):
            self.has_placeholder = True
        return found

    def block(self, token: AssemblyToken) -> BasicBlock:
        reference = name_key(token.name) if not token.text[1:].isdigit() else token.text
        found = self.labels.get(reference)
        if found is None:
            found = self.labels[reference] = BasicBlock(self.label_type)
        self.used.setdefault(found, token)
        return found

    def _block(self) -> BasicBlock:
        token = self.token
        name = ""
        number = self._place(self.at) if self.gaps else None
        if token.kind == "label":
            self.next()
            stated = stated_number(token)
            name = token.name if stated is None else ""
            number = number if stated is None else stated
        reference = self._reference(name, number, token)
        block = self.labels.get(reference) if reference else None
        if block is None:
            block = BasicBlock(self.label_type)
            if reference:
                self.labels[reference] = block
        block.name = name
        self._define(block, name, token, number)
        self.placed.add(block)
        while True:
            if self.token.text == "}":
                self.expected("an instruction that ends the block, such as ret")
            instruction = self._line()
            block.instructions += self.before
            self.before = []
            if instruction is None:
                continue
            block.instructions.append(instruction)
            if instruction.is_terminator:
                return block

    def _line(self) -> Instruction | None:
        """Read an instruction with its result and attached metadata; None if it is only a name."""
        token = self.token
        has_result = token.kind == "local"
        number = stated_number(token)
        if has_result:
            self.next()
            self.expect("=")
        self.has_placeholder = False
        if has_result and self.accept("freeze"):
            name = "" if number is not None else token.name
            self._define(self.typed(), name, token, number)
            self._attachments(UnreachableInst(type=self.void))  # of an instruction that goes
            return None
        made = self._record() if token.kind == "record" else self.instruction()
        if self.has_placeholder:
            self.uses += [*self.before, made]
        if self.opaque and isinstance(made, PhiInst) and isinstance(made.type, PointerType):
            self.pointers.append((made, token))
        self._attachments(made)
        if has_result and made.type.is_void:
            self.fail("expected no result", token)
        if not made.type.is_void:
            made.name = token.name if has_result and number is None else ""
            self._define(made, made.name, token, number)
        return made

    def _record(self) -> Instruction:
        """Read `#dbg_value(float %1, !2, !DIExpression(), !3)` as the call that LLVM 3.7 has."""
        token = self.next()
        name = RECORDS.get(token.text)
        if name is None:
            self.fail(f"unknown record {token.text!r:.40}", token)
        self.expect("(")
        operands: list[Metadata] = []
        for _ in range(3):
            operands.append(self.metadata_operand())
            self.expect(",")
        location = self.node(self.take("node", "a location"))
        self.expect(")")
        arguments: list[DxilValue] = [
            self.pool.argument(self.metadata_type, each) for each in operands
        ]
        callee = self._debug_function(name)
        made = CallInst(
            type=self.void, function_type=callee.function_type, callee=callee, arguments=arguments
        )
        if name == DBG_VALUE:
            made.arguments.insert(1, self.pool.null(self.types.integer(64)))
        made.location = _location(location)
        return made

    def _debug_function(self, name: str) -> Function:
        """Return a function that connects values with variables, declared if it is not yet."""
        known = self.globals.get(f"@{name}")
        if isinstance(known, Function):
            return known
        operands = [self.metadata_type] * DBG_OPERANDS
        if name == DBG_VALUE:
            operands.insert(1, self.types.integer(64))
        type = self.types.function(self.void, operands)
        made = Function(self.types.pointer(type), type, name)
        attributes = [FunctionAttribute(NUMBERS[each]) for each in ("nounwind", "readnone")]
        group = self.pool.group(AttributeGroup.FUNCTION, attributes)
        made.attributes = self.pool.attributes([group])
        self.globals[f"@{name}"] = made
        self.module.globals.append(made)
        return made

    def _attachments(self, made: Instruction) -> None:
        attached: list[tuple[int, MetadataNode]] = []
        while self.token.text == "," and self.tokens[self.at + 1].kind == "node":
            self.at += 1
            kind = self.kind(self.next().name)
            node = self.node(self.take("node", "a node"))
            location = _location(node) if kind == DBG_KIND and not node.distinct else None
            if location is not None:
                made.location = location
            else:
                attached.append((kind, node))
        if attached:
            made.attachments = attached

    def kind(self, name: str) -> int:
        """Return the number of a kind of attached metadata; a new name becomes a kind."""
        kinds = self.module.kinds
        for number, known in kinds.items():
            if known == name:
                return number
        number = max(kinds, default=-1) + 1
        kinds[number] = name
        return number


def _location(node: MetadataNode) -> DebugLocation | None:
    """Return the location that a node is; None if it is another node."""
    if not isinstance(node, DebugNode) or node.row.name != "DILocation":
        return None
    line, column, scope, inlined_at = node.values
    return DebugLocation(line, column, scope, inlined_at)  # type: ignore[arg-type]


def _locals(function: Function) -> list[MetadataValue]:
    """Return the values of a function that calls have as metadata, in order."""
    found: dict[MetadataValue, None] = {}
    for instruction in function.instructions:
        for operand in instruction.operands:
            metadata = operand.metadata if isinstance(operand, MetadataAsValue) else None
            if isinstance(metadata, MetadataValue) and not isinstance(
                metadata.value, DxilConstant | GlobalValue
            ):
                found[metadata] = None
    return list(found)


def name_key(name: str) -> str:
    """Return the key of a name, which differs from that of a number."""
    return f"%{name}" if not name.isdigit() else f'%"{name}"'


def stated_number(token: AssemblyToken) -> int | None:
    """Return the number that a result or label is, without quotes; None if it is a name."""
    text = token.text.removeprefix("%").removesuffix(":")
    is_number = token.kind in ("local", "label") and text.isdigit()
    return int(text) if is_number and len(text) <= LONGEST_NUMBER else None
