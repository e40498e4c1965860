"""Insertion, replacement and removal of instructions, given as objects or as text.

    %5 = fadd float %3, %4     replace(2, "%5 = fmul float %3, %4")   uses of %5 are of the new one
    %6 = fmul float %5, %5     remove(2)                              invalid: %5 is used
    ret void                   insert(4, "…")                         invalid: after the return

New instructions are inserted before the instruction with the given index, in its block. An edit is
applied as a whole or not at all: it is undone if it adds a violation of the rules in STRUCTURE.
Other rules are not enforced, since an edit may be one of several steps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from copy import copy

from ....errors import Diagnostic, UsageError
from ....limits import Limits
from ....rule import Findings
from ..listed_instructions import ListedInstruction, name_of_operation
from ..model.instructions import BinaryInst, CompareInst, Instruction
from ..model.module import DxilModule
from ..model.values import BasicBlock, DxilValue, Function
from ..text.functions import instruction_line
from ..text.writer import TextWriter
from ..verify.flow import check_flow
from ..verify.reports import Reports
from ..verify.rules import RULES
from ..verify.types import check_types
from .adoption import adopt
from .parsing import EditParser
from .uses import replace_uses, users

__all__ = ["keep_flags", "replace"]

STRUCTURE = ("dxil.type", "dxil.layout", "dxil.dominance")
FAST = 1
LONGEST = 80


def keep_flags(old: Instruction, new: Instruction) -> None:
    """Keep fast-math flags that the text of an operation cannot express."""
    if (
        isinstance(old, BinaryInst | CompareInst)
        and isinstance(new, BinaryInst | CompareInst)
        and old.opcode == new.opcode
        and old.opcode.startswith("f")
        and (old.flags or 0) & (new.flags or 0) & FAST
    ):
        new.flags = old.flags


def replace(
    module: DxilModule, start: int, out: Sequence[int], given: Sequence[object], limits: Limits
) -> int:
    """Replace the instructions numbered `out` by others at `start`.

    Return the number of new instructions.

    Args:
        module: The module to edit.
        start: The index, over all functions, of the first new instruction.
        out: The indices of the instructions to remove.
        given: Instructions, or their text.
        limits: Bounds on texts.

    Raises:
        UsageError: The edit would break the structure of the module; nothing is changed.
        AssembleError: A text is invalid.
    """
    if given and out and [*out] != list(range(start, start + len(out))):
        raise UsageError("expected consecutive instructions, got a slice with a step")
    places = [
        (function, block, each)
        for function in module.functions
        for block in function.blocks
        for each in block.instructions
    ]
    if not places:
        raise UsageError("expected a module with instructions, got none")
    at_end = start >= len(places)
    function, block, before = places[min(start, len(places) - 1)]
    gone = {places[each][2]: places[each] for each in out}
    if given and any(each[1] is not block for each in gone.values()):
        raise UsageError("expected instructions of one block, got several blocks")
    parser = EditParser(module, function, gone, limits)
    new = [each for one in given for each in _instructions(one, parser)]
    index = len(block.instructions) if at_end else block.instructions.index(before)
    taken = dict(parser.taken)
    olds = [each for each in gone if not each.type.is_void]
    made = [each for each in new if not each.type.is_void]
    if len(olds) == len(made) == 1 and not taken and olds[0].type is made[0].type:
        taken[olds[0]] = made[0]
    _Edit(module, [each[0] for each in gone.values()] or [function]).apply(
        block, index, new, gone, taken, parser
    )
    return len(new)


def _instructions(given: object, parser: EditParser) -> list[Instruction]:
    """Return new instructions that are given as an object or as text."""
    if isinstance(given, str):
        return parser.read(given)
    if isinstance(given, ListedInstruction):
        return [_copied(given.instruction)]
    if isinstance(given, Instruction):
        return [given]
    raise UsageError(f"expected an instruction or its text, got {given!r:.40}")


def _copied(instruction: Instruction) -> Instruction:
    made = copy(instruction)
    made.record = made.name_record = None
    for name in made.OPERANDS:
        value = getattr(made, name)
        if isinstance(value, list):
            setattr(made, name, list(value))
    return made


class _StillUsedError(UsageError):
    """An instruction that was removed is an operand of another, or of metadata."""

    def __init__(self, old: Instruction, used: Instruction | None) -> None:
        super().__init__("the result of an instruction is still used")
        self.old = old
        self.used = used


class _Edit:
    """An edit of functions that can be undone."""

    def __init__(self, module: DxilModule, functions: Sequence[Function]) -> None:
        self.module = module
        self.functions = list(dict.fromkeys(functions))

    def apply(
        self,
        block: BasicBlock,
        index: int,
        new: list[Instruction],
        gone: dict[Instruction, tuple[Function, BasicBlock, Instruction]],
        taken: dict[DxilValue, Instruction],
        parser: EditParser,
    ) -> None:
        module = self.module
        known = {each for function in module.functions for each in function.instructions}
        if any(each in known for each in new) or len(set(new)) < len(new):
            raise UsageError("expected a new instruction, got an instruction of the module")
        faults = self._faults()
        lists = {each: each.instructions for each in self._blocks()}
        instructions = list(block.instructions)
        instructions[index:index] = new
        block.instructions = instructions
        for each in self._blocks():
            each.instructions = [one for one in each.instructions if one not in gone]
        for old, other in taken.items():
            if isinstance(old, Instruction):
                keep_flags(old, other)
            for function in self.functions:
                replace_uses(function, old, other)
        try:
            self._check(gone, faults)
        except UsageError as error:
            for old, other in taken.items():
                for function in self.functions:
                    replace_uses(function, other, old)
            for each, before in lists.items():
                each.instructions = before
            if isinstance(error, _StillUsedError):
                raise self._named(error) from None
            raise
        self._keep_orders(gone, new, taken)
        module.globals += parser.declared
        number = max((each.id for each in module.attribute_groups), default=0)
        for added in parser.lists:
            module.attributes.append(added)
            for group in added.groups:
                if group not in module.attribute_groups:
                    group.id = number = number + 1
                    module.attribute_groups.append(group)
        adopt(module)

    def _keep_orders(
        self,
        gone: Iterable[Instruction],
        new: list[Instruction],
        taken: dict[DxilValue, Instruction],
    ) -> None:
        """Drop the orders of uses of values that are used more or less often now."""
        before = Counter(value for each in gone for value in each.operands)
        after = Counter(value for each in new for value in each.operands)
        changed = {value for value in before | after if before[value] != after[value]}
        changed |= {each for each in gone if each not in taken}
        owners: list[DxilModule | Function] = [self.module, *self.functions]
        for owner in owners:
            for order in owner.use_lists:
                order.value = taken.get(order.value, order.value)
            owner.use_lists = [each for each in owner.use_lists if each.value not in changed]

    def _blocks(self) -> list[BasicBlock]:
        return [block for function in self.functions for block in function.blocks]

    def _check(
        self, gone: dict[Instruction, tuple[Function, BasicBlock, Instruction]], faults: list[str]
    ) -> None:
        for function in self.functions:
            for old in gone:
                used = next(users(function, old), None)
                if used is not None or any(each.value is old for each in function.locals):
                    raise _StillUsedError(old, used)
            if not all(block.instructions for block in function.blocks):
                raise UsageError("expected instructions in every block")
        codes = list(faults)
        for each in self._diagnostics():
            if each.code in codes:
                codes.remove(each.code)
            elif each.code in STRUCTURE:
                raise UsageError(f"{each.path}: {each.message}")

    def _named(self, error: _StillUsedError) -> UsageError:
        """Return the error with names and text as in the listing before the edit."""
        old, used = error.old, error.used
        writer = TextWriter(self.module)
        user = "metadata"
        for function in self.functions:
            instructions = {*function.instructions}
            if old in instructions:
                writer.enter(function)
                if used in instructions:
                    user = instruction_line(used, writer)
                elif used is not None:
                    user = f"the new {name_of_operation(used)}"
                break
        name = f"{writer.operand(old)} of {name_of_operation(old)}"
        return UsageError(f"the result {name} is still used by {user:.{LONGEST}}")

    def _faults(self) -> list[str]:
        return [each.code for each in self._diagnostics()]

    def _diagnostics(self) -> list[Diagnostic]:
        reports = Reports(Findings(RULES))
        for function in self.functions:
            check_types(function, reports)
            check_flow(function, reports)
        return reports.findings.diagnostics(lambda path: None)
