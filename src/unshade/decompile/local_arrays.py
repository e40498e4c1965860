"""Arrays of a lane that the program reads and writes at known places only: variables.

    store %a[0, 4], %x          set @a_1, %x
    load %a[0, 4]               get @a_1

Compilers keep a structure as an array where its address is taken, as that of a payload is, and a
PICA200 keeps the vertices of a triangle.
"""

from collections.abc import Sequence

from ..ir.kernel import KernelIR, Region, Value, every_region
from ..ir.memory import Memory, Space, Var
from ..ir.ops import OPS
from ..ir.types import F32, I32, VOID

__all__ = ["without_local_arrays"]

WORD = 4
REGISTER = 16
COMPONENTS = "xyzw"
WORDS = frozenset({F32, I32})


def without_local_arrays(kernel: KernelIR) -> bool:
    """Make variables of the words of arrays whose places are all known, in place.

    Return True if there are such arrays.
    """
    arrays = (each for each in kernel.memories if each.space is Space.LOCAL)
    accesses: dict[Memory, list[Value]] = {each: [] for each in arrays}
    for value in kernel.values():
        if isinstance(value.attr, Memory) and value.attr in accesses:
            accesses[value.attr].append(value)
    variables: dict[Memory, dict[int, Var]] = {}
    for memory, found in accesses.items():
        places = [_word(each) for each in found]
        if None in places:
            continue
        words = sorted({each for each in places if each is not None})
        gives = memory.gives[0] if memory.gives else None
        names = _names(memory, words)
        variables[memory] = {word: Var(names[word], I32, gives=gives) for word in words}
    if not variables:
        return False
    kernel.memories[:] = [each for each in kernel.memories if each not in variables]
    kernel.variables += [each for found in variables.values() for each in found.values()]
    for region in every_region(kernel.body):
        region[:] = _changed(region, variables)
    return True


def _names(memory: Memory, words: Sequence[int]) -> dict[int, str]:
    """Return the names of words; those of a register are its components."""
    if len(words) == 1:
        return {words[0]: memory.name}
    if memory.stride % REGISTER:
        return {word: f"{memory.name}_{word}" for word in words}
    return {word: f"{memory.name}_{word // 4}.{COMPONENTS[word % 4]}" for word in words}


def _word(access: Value) -> int | None:
    """Return the number of the word that an access reads or writes; None if it is not one."""
    if access.op not in (OPS.load, OPS.store):
        return None
    element, byte = access.args[:2]
    type = access.type if access.op is OPS.load else access.args[2].type
    if element.op is not OPS.const or byte.op is not OPS.const or type not in WORDS:
        return None
    memory: Memory = access.attr
    if byte.attr % WORD or byte.attr >= memory.stride or element.attr >= (memory.count or 1):
        return None  # reads 0 outside
    return int((element.attr * memory.stride + byte.attr) // WORD)


def _changed(region: Region, variables: dict[Memory, dict[int, Var]]) -> Region:
    found: Region = []
    for statement in region:
        found.append(statement)
        if not isinstance(statement, Value) or not isinstance(statement.attr, Memory):
            continue
        known = variables.get(statement.attr)
        word = _word(statement) if known is not None else None
        if known is None or word is None:
            continue
        variable = known[word]
        where = statement.line, statement.location
        if statement.op is OPS.store:
            value = statement.args[2]
            if value.type is not I32:
                value = Value(OPS.asint, I32, (value,), None, *where)
                found.insert(-1, value)
            found[-1] = Value(OPS.set, VOID, (value,), variable, *where)
            continue
        if statement.type is I32:
            statement.op, statement.args, statement.attr = OPS.get, (), variable
            continue
        bits = Value(OPS.get, I32, (), variable, *where)
        found.insert(-1, bits)
        statement.op, statement.args, statement.attr = OPS.asfloat, (bits,), None
    return found
