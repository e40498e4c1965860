"""New names for ids, members and entry points.

"colour"       the id of that name, or the entry point
"Light.colour" a member of a structure; of a variable's structure, too
"%12"          the id itself, which need not have a name yet
"""

from ....errors import UsageError
from ..assembler.ids import number_of
from ..assembler.numbers import string_words
from ..context import string_of
from ..index import ModuleIndex
from ..module import Instruction, Module
from ..tables.numbers import Opcode
from ..tables.opcode_groups import ARRAYS
from .placing import add, edit

__all__ = ["rename", "rename_id", "rename_member", "structure_of"]


def rename(module: Module, path: str, name: str) -> None:
    """Set the name of the object with a path.

    Raises:
        UsageError: No object, or more than one, has that path.
    """
    index = ModuleIndex(module)
    first, dot, member = path.partition(".")
    entries = [each for each in index.entry_points if each.name == path]
    if entries:
        _rename_entries(module, path, name)
        for each in entries:
            if index.names.get(each.function) == path:
                rename_id(module, each.function, name)
        return
    found = _ids(index, first)
    if not dot:
        if len(found) != 1:
            raise _refusal(path, found)
        rename_id(module, found[0], name)
        return
    places = {
        (kind, at)
        for kind in (structure_of(index, each) for each in found)
        for at, known in index.member_names.get(kind, {}).items()
        if member == known
    }
    if len(places) != 1:
        raise _refusal(path, [kind for kind, _ in sorted(places)])
    rename_member(module, *places.pop(), name)


def rename_id(module: Module, number: int, name: str) -> None:
    """Set the OpName of an id; an empty name removes it."""
    new = Instruction.of(Opcode.Name, (number, *string_words(name)))

    def change(each: Instruction) -> Instruction | None:
        if each.opcode != Opcode.Name or each.words[1] != number:
            return each
        return new if name else None

    if not edit(module, change) and name:
        add(module, new)


def rename_member(module: Module, kind: int, member: int, name: str) -> None:
    """Set the OpMemberName of a member of a structure; an empty name removes it."""
    new = Instruction.of(Opcode.MemberName, (kind, member, *string_words(name)))

    def change(each: Instruction) -> Instruction | None:
        if each.opcode != Opcode.MemberName or each.words[1:3] != (kind, member):
            return each
        return new if name else None

    if not edit(module, change) and name:
        add(module, new)


def _rename_entries(module: Module, old: str, new: str) -> None:
    def change(each: Instruction) -> Instruction:
        if each.opcode != Opcode.EntryPoint:
            return each
        text, count = string_of(each.words[3:])
        if text != old:
            return each
        words = (*each.words[1:3], *string_words(new), *each.words[3 + count :])
        return Instruction.of(Opcode.EntryPoint, words)

    edit(module, change)


def _ids(index: ModuleIndex, name: str) -> list[int]:
    if name.startswith("%"):
        number = number_of(name[1:])
        return [number] if number is not None and number in index.definitions else []
    return [number for number, known in index.names.items() if known == name]


def structure_of(index: ModuleIndex, number: int) -> int:
    """Return an id if it is a structure type, or the structure type of a variable."""
    kind = index.pointee(number) or number
    for _ in index.definitions:
        found = index.definitions.get(kind)
        if found is None or found.opcode not in ARRAYS:
            break
        kind = found.words[2]
    return kind


def _refusal(path: str, found: list[int]) -> UsageError:
    if not found:
        return UsageError(f"nothing is called {path!r:.60}")
    ids = ", ".join(f"%{each}" for each in found[:8])
    return UsageError(f"{len(found)} ids are called {path!r:.60}: expected one of {ids}")
