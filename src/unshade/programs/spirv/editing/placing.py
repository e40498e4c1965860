"""Places of new instructions, by the logical layout of a module; removal of ids.

    OpName, OpMemberName            after the sources, before OpModuleProcessed
    OpDecorate, OpMemberDecorate    before the types
    OpExecutionMode                 after the entry points

Source: SPIR-V specification, section 2.4 (Logical Layout of a Module).
"""

from collections.abc import Callable, Collection

from ..index import ModuleIndex
from ..module import Instruction, Module
from ..tables.numbers import Opcode

__all__ = ["ANNOTATIONS", "add", "edit", "expand_groups", "remove_ids"]

# The sections before the types, with the instructions of each.
SECTIONS: tuple[frozenset[int], ...] = (
    frozenset({Opcode.Capability}),
    frozenset({Opcode.Extension}),
    frozenset({Opcode.ExtInstImport}),
    frozenset({Opcode.MemoryModel}),
    frozenset({Opcode.EntryPoint}),
    frozenset({Opcode.ExecutionMode, Opcode.ExecutionModeId}),
    frozenset({Opcode.String, Opcode.SourceExtension, Opcode.Source, Opcode.SourceContinued}),
    frozenset({Opcode.Name, Opcode.MemberName}),
    frozenset({Opcode.ModuleProcessed}),
    frozenset({
        Opcode.Decorate, Opcode.MemberDecorate, Opcode.DecorationGroup, Opcode.GroupDecorate,
        Opcode.GroupMemberDecorate, Opcode.DecorateId, Opcode.DecorateString,
        Opcode.MemberDecorateString,
    }),
)  # fmt: skip
# Instructions that say something about the id that is their first operand.
ANNOTATIONS = frozenset({
    Opcode.Name, Opcode.MemberName, Opcode.Decorate, Opcode.MemberDecorate, Opcode.DecorateId,
    Opcode.DecorateString, Opcode.MemberDecorateString, Opcode.ExecutionMode,
    Opcode.ExecutionModeId, Opcode.TypeForwardPointer,
})  # fmt: skip


def add(module: Module, instruction: Instruction) -> None:
    """Insert an instruction at the end of its section, which must precede the types."""
    code = instruction.opcode
    rank = next(at for at, each in enumerate(SECTIONS) if code in each)
    earlier = frozenset().union(*SECTIONS[: rank + 1])
    place = 0
    for at, each in enumerate(module.instructions):
        if each.opcode in earlier:
            place = at + 1
        elif each.opcode == Opcode.Function:
            break
    module.instructions.insert(place, instruction)


def edit(module: Module, change: Callable[[Instruction], Instruction | None]) -> int:
    """Replace each instruction by the result of `change`, or remove it; return how many changed."""
    made = []
    count = 0
    for each in module.instructions:
        new = change(each)
        count += new is not each
        if new is not None:
            made.append(new)
    module.instructions = made
    return count


def expand_groups(module: Module) -> None:
    """Give each target of a decoration group the decorations themselves."""
    index = ModuleIndex(module)
    groups = {
        number
        for number, each in index.definitions.items()
        if each.opcode == Opcode.DecorationGroup
    }
    if not groups:
        return
    made: list[Instruction] = []
    for each in module.instructions:
        words = each.words
        if each.opcode == Opcode.DecorationGroup or (
            each.opcode in ANNOTATIONS and words[1] in groups
        ):
            continue
        if each.opcode == Opcode.GroupDecorate:
            found = index.decorations.get(words[1], [])
            made += [
                Instruction.of(Opcode.Decorate, (target, one.number, *one.words))
                for target in words[2:]
                for one in found
            ]
        elif each.opcode == Opcode.GroupMemberDecorate:
            found = index.decorations.get(words[1], [])
            made += [
                Instruction.of(Opcode.MemberDecorate, (target, member, one.number, *one.words))
                for target, member in zip(words[2::2], words[3::2], strict=False)
                for one in found
            ]
        else:
            made.append(each)
    module.instructions = made


def remove_ids(module: Module, gone: Collection[int]) -> None:
    """Remove the definitions of ids (functions with their bodies), and instructions about them."""
    expand_groups(module)
    index = ModuleIndex(module)
    out = {
        at
        for each in index.functions.values()
        if each.id in gone
        for at in range(each.start, each.end)
    }
    made = []
    for at, (each, decoded) in enumerate(zip(module.instructions, index.decoded, strict=True)):
        if at in out or (decoded.result is not None and decoded.result in gone):
            continue
        if each.opcode in ANNOTATIONS and each.words[1] in gone:
            continue
        made.append(each)
    module.instructions = made
