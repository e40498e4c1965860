"""Instructions as LLVM 3.7 prints them, without result and comment."""

from collections.abc import Callable
from typing import Any

from ..model.constants import integer_of
from ..model.instructions import (
    AllocaInst,
    AtomicRMWInst,
    BinaryInst,
    BranchInst,
    CallInst,
    CastInst,
    CompareExchangeInst,
    CompareInst,
    ExtractValueInst,
    FenceInst,
    GetElementPtrInst,
    IndirectBranchInst,
    InsertValueInst,
    Instruction,
    InvokeInst,
    LandingPadInst,
    LoadInst,
    PhiInst,
    ReturnInst,
    SelectInst,
    ShuffleVectorInst,
    StoreInst,
    SwitchInst,
    VAArgInst,
)
from ..model.types import FunctionType, IntegerType
from ..model.values import DxilValue
from ..tables.llvm_enumerations import ATOMIC_OPERATIONS, ORDERINGS, PREDICATES
from .attributes import attributes_at, function_attributes
from .constants import flags_text
from .conventions import convention_text
from .writer import TextWriter

__all__ = ["instruction_text"]

SINGLE_THREAD = 0


def instruction_text(instruction: Instruction, writer: TextWriter) -> str:
    """Return an instruction from its opcode on, without attached metadata."""
    return _PRINTERS.get(type(instruction), _plain)(instruction, writer)


def _plain(instruction: Instruction, writer: TextWriter) -> str:
    operands = _operands(instruction.operands, writer)
    return f"{instruction.opcode} {operands}" if operands else instruction.opcode


def _operands(operands: list[DxilValue], writer: TextWriter, all_types: bool = False) -> str:
    """Return operands; a type that all have in common is stated once."""
    if not operands:
        return ""
    type = operands[0].type
    if all_types or any(each.type is not type for each in operands):
        return ", ".join(map(writer.typed, operands))
    return f"{writer.type(type)} {', '.join(map(writer.operand, operands))}"


def _binary(instruction: BinaryInst, writer: TextWriter) -> str:
    opcode = instruction.opcode
    flags = flags_text(opcode, instruction.flags, exact=writer.exact)
    left, right = writer.operand(instruction.left), writer.operand(instruction.right)
    return f"{opcode}{flags} {writer.type(instruction.type)} {left}, {right}"


def _compare(instruction: CompareInst, writer: TextWriter) -> str:
    opcode = instruction.opcode
    flags = flags_text(opcode, instruction.flags, exact=writer.exact) if opcode == "fcmp" else ""
    operands = _operands(instruction.operands, writer)
    return f"{opcode}{flags} {PREDICATES[instruction.predicate]} {operands}"


def _all_typed(instruction: Instruction, writer: TextWriter) -> str:
    return f"{instruction.opcode} {_operands(instruction.operands, writer, all_types=True)}"


def _return(instruction: ReturnInst, writer: TextWriter) -> str:
    return f"ret {writer.typed(instruction.value)}" if instruction.value else "ret void"


def _cast(instruction: CastInst, writer: TextWriter) -> str:
    value = writer.typed(instruction.value)
    return f"{instruction.opcode} {value} to {writer.type(instruction.type)}"


def _pointer(instruction: GetElementPtrInst, writer: TextWriter) -> str:
    inbounds = " inbounds" if instruction.inbounds else ""
    source = writer.type(instruction.source_type)
    return f"getelementptr{inbounds} {source}, {_operands(instruction.operands, writer, True)}"


def _branch(instruction: BranchInst, writer: TextWriter) -> str:
    target = writer.typed(instruction.target)
    if instruction.condition is None or instruction.false_target is None:
        return f"br {target}"
    condition, other = writer.typed(instruction.condition), writer.typed(instruction.false_target)
    return f"br {condition}, {target}, {other}"


def _switch(instruction: SwitchInst, writer: TextWriter) -> str:
    typed = writer.typed
    cases = "".join(f"\n    {typed(value)}, {typed(block)}" for value, block in instruction.cases)
    return f"switch {typed(instruction.condition)}, {typed(instruction.default)} [{cases}\n  ]"


def _indirect(instruction: IndirectBranchInst, writer: TextWriter) -> str:
    targets = ", ".join(map(writer.typed, instruction.targets))
    return f"indirectbr {writer.typed(instruction.address)}, [{targets}]"


def _phi(instruction: PhiInst, writer: TextWriter) -> str:
    operand = writer.operand
    pairs = (f"[ {operand(value)}, {operand(block)} ]" for value, block in instruction.incoming)
    return f"phi {writer.type(instruction.type)} {', '.join(pairs)}"


def _extract(instruction: ExtractValueInst, writer: TextWriter) -> str:
    indices = "".join(f", {each}" for each in instruction.indices)
    return f"extractvalue {writer.typed(instruction.aggregate)}{indices}"


def _insert(instruction: InsertValueInst, writer: TextWriter) -> str:
    indices = "".join(f", {each}" for each in instruction.indices)
    aggregate, value = writer.typed(instruction.aggregate), writer.typed(instruction.value)
    return f"insertvalue {aggregate}, {value}{indices}"


def _callee(
    instruction: CallInst | InvokeInst, function_type: FunctionType, writer: TextWriter
) -> str:
    """Return convention, result, callee, arguments and attributes of a call."""
    attributes = instruction.attributes
    convention = convention_text(instruction.convention)
    result = writer.type(function_type if function_type.vararg else function_type.result)
    callee = writer.operand(instruction.callee)
    if attributes is None:
        arguments = ", ".join(map(writer.typed, instruction.arguments))
        return f" {convention}{result} {callee}({arguments})"
    before = writer.inline(attributes_at(attributes, 0)).lstrip()
    arguments = ", ".join(
        f"{writer.type(each.type)}{writer.inline(attributes_at(attributes, index))} "
        f"{writer.operand(each)}"
        for index, each in enumerate(instruction.arguments, 1)
    )
    group = writer.group(function_attributes(attributes))
    before += " " if before else ""
    return f" {convention}{before}{result} {callee}({arguments}){group}"


def _call(instruction: CallInst, writer: TextWriter) -> str:
    tail = ("", "tail ", "musttail ")[min(instruction.tail, 2)]
    return f"{tail}call{_callee(instruction, instruction.function_type, writer)}"


def _invoke(instruction: InvokeInst, writer: TextWriter) -> str:
    normal, unwind = writer.typed(instruction.normal), writer.typed(instruction.unwind)
    callee = _callee(instruction, instruction.function_type, writer)
    return f"invoke{callee}\n          to {normal} unwind {unwind}"


def _alloca(instruction: AllocaInst, writer: TextWriter) -> str:
    text = "alloca inalloca " if instruction.inalloca else "alloca "
    text += writer.type(instruction.allocated_type)
    count = instruction.count
    width = count.type.width if isinstance(count.type, IntegerType) else 0
    if width != 32 or integer_of(count) != 1:
        text += f", {writer.typed(count)}"
    return text + _alignment(instruction.alignment)


def _alignment(alignment: int) -> str:
    return f", align {alignment}" if alignment else ""


def _ordering(scope: int | None, *orderings: int | None) -> str:
    """Return scope and orderings of an atomic instruction, each with a blank before it."""
    if not any(orderings):
        return ""
    names = "".join(f" {ORDERINGS[each or 0]}" for each in orderings)
    return (" singlethread" if scope == SINGLE_THREAD else "") + names


def _words(instruction: LoadInst | StoreInst) -> str:
    atomic = " atomic" if instruction.ordering else ""
    return atomic + (" volatile" if instruction.volatile else "")


def _load(instruction: LoadInst, writer: TextWriter) -> str:
    type = writer.type(instruction.type)
    order = _ordering(instruction.scope, instruction.ordering)
    pointer = writer.typed(instruction.pointer)
    tail = order + _alignment(instruction.alignment)
    return f"load{_words(instruction)} {type}, {pointer}{tail}"


def _store(instruction: StoreInst, writer: TextWriter) -> str:
    order = _ordering(instruction.scope, instruction.ordering)
    operands = _operands(instruction.operands, writer, all_types=True)
    return f"store{_words(instruction)} {operands}{order}{_alignment(instruction.alignment)}"


def _compare_exchange(instruction: CompareExchangeInst, writer: TextWriter) -> str:
    words = (" weak" if instruction.weak else "") + (" volatile" if instruction.volatile else "")
    operands = _operands(instruction.operands, writer)
    order = _ordering(instruction.scope, instruction.ordering, instruction.failure_ordering)
    return f"cmpxchg{words} {operands}{order}"


def _modify(instruction: AtomicRMWInst, writer: TextWriter) -> str:
    volatile = " volatile" if instruction.volatile else ""
    operation = ATOMIC_OPERATIONS[instruction.operation]
    operands = _operands(instruction.operands, writer)
    order = _ordering(instruction.scope, instruction.ordering)
    return f"atomicrmw{volatile} {operation} {operands}{order}"


def _fence(instruction: FenceInst, writer: TextWriter) -> str:
    return f"fence{_ordering(instruction.scope, instruction.ordering)}"


def _landing_pad(instruction: LandingPadInst, writer: TextWriter) -> str:
    lines = [f"landingpad {writer.type(instruction.type)}"]
    if instruction.cleanup:
        lines.append("          cleanup")
    for kind, clause in zip(instruction.kinds, instruction.clauses, strict=False):
        lines.append(f"          {'filter' if kind else 'catch'} {writer.typed(clause)}")
    return "\n".join(lines)


def _va_arg(instruction: VAArgInst, writer: TextWriter) -> str:
    return f"va_arg {writer.typed(instruction.pointer)}, {writer.type(instruction.type)}"


_PRINTERS: dict[type[Instruction], Callable[[Any, TextWriter], str]] = {
    AllocaInst: _alloca,
    AtomicRMWInst: _modify,
    BinaryInst: _binary,
    BranchInst: _branch,
    CallInst: _call,
    CastInst: _cast,
    CompareExchangeInst: _compare_exchange,
    CompareInst: _compare,
    ExtractValueInst: _extract,
    FenceInst: _fence,
    GetElementPtrInst: _pointer,
    IndirectBranchInst: _indirect,
    InsertValueInst: _insert,
    InvokeInst: _invoke,
    LandingPadInst: _landing_pad,
    LoadInst: _load,
    PhiInst: _phi,
    ReturnInst: _return,
    SelectInst: _all_typed,
    ShuffleVectorInst: _all_typed,
    StoreInst: _store,
    SwitchInst: _switch,
    VAArgInst: _va_arg,
}
