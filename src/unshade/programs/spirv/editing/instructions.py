"""Insertion, replacement and removal of instructions, as objects or as text.

    program.insert(40, "%two = OpConstant %int 2") %int is the id with that name in the listing
    program.replace(41, "%7 = OpIAdd %int %5 %two")     %two is a new id, the bound rises

An id in a text refers to the id of that name in the listing, or of that number; any other id is
new.
"""

from collections.abc import Sequence

from ....errors import UsageError
from ....isa.source import ErrorList, Source
from ..assembler.ids import Ids, number_of
from ..assembler.reader import Assembler
from ..index import ModuleIndex
from ..module import Instruction, Module
from ..text.printer import names_of

__all__ = ["replace"]


class KnownIds(Ids):
    """Ids of a module by their names in the listing; others are numbered from the bound on."""

    def __init__(self, module: Module) -> None:
        super().__init__(True, frozenset())
        self.by_name.update({name: number for number, name in names_of(module).items()})
        self.bound = self.next = max(module.bound, 1)

    def of(self, name: str) -> int:
        """Return the number of a name."""
        number = number_of(name)
        if name not in self.by_name and number is not None and number < self.bound:
            return number
        return super().of(name)


def replace(module: Module, at: int, out: Sequence[int], given: Sequence[object]) -> int:
    """Replace the instructions numbered `out`, which begin at `at`.

    Return the number of new instructions.

    Raises:
        UsageError: `out` has gaps, or an item is neither an instruction nor a string.
        AssembleError: A string is not a valid instruction.
    """
    if [*out] != list(range(at, at + len(out))):
        raise UsageError("expected consecutive instructions, got a slice with a step")
    new: list[Instruction] = []
    reader: Assembler | None = None
    for each in given:
        if isinstance(each, Instruction):
            new.append(each)
            continue
        if not isinstance(each, str) and not hasattr(each, "operands"):
            raise UsageError(f"expected an instruction or its text, got {each!r:.40}")
        if reader is None:
            reader = _reader(module)
        new += _read(reader, str(each))
    index = ModuleIndex(module)
    gone = {index.decoded[each].result for each in out}
    module.instructions[at : at + len(out)] = new
    if reader is not None:
        module.bound = max(module.bound, reader.ids.bound)
    elif not new:
        while module.bound - 1 in gone:  # as before the last one was inserted
            module.bound -= 1
    return len(new)


def _reader(module: Module) -> Assembler:
    """Return an assembler that is initialised with the ids and types of a module."""
    index = ModuleIndex(module)
    made = Assembler(Source(""), preserve=True)
    made.ids = KnownIds(module)
    made.context.types.update(index.types)
    made.context.numbers.update(index.numbers)
    made.context.imports.update(index.imports)
    return made


def _read(reader: Assembler, text: str) -> list[Instruction]:
    errors = ErrorList()
    reader.restart(Source(text))
    reader.run(errors)
    errors.check()
    return [*reader.instructions]
