"""Scans of functions before they are lowered.

parts of results    those that extractvalue takes: others need not be loaded
plain variables     allocas that are only loaded and stored as a whole
wide ranges         resources with atomic operations of 64 bits
constructors        what a library runs before its functions
attributes          fp32-denorm-mode, waveops-include-helper-lanes
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..model.constants import ConstantAggregate, integer_of
from ..model.instructions import (
    AllocaInst,
    CallInst,
    CastInst,
    ExtractValueInst,
    GetElementPtrInst,
    Instruction,
    LoadInst,
    StoreInst,
)
from ..model.module import DxilModule
from ..model.types import ArrayType, DxilType, IntegerType
from ..model.values import AttributeGroup, DxilValue, Function
from ..operation_calls import arguments_of, operation_of
from .values import scalar_type

__all__ = [
    "IGNORED", "RESERVED", "array_of", "attribute", "constructors", "is_plain", "used_parts",
    "users_in", "wide_handles",
]  # fmt: skip

# Functions without effect: the starts of their names.
# A trap is followed by `unreachable`, where the lane ends.
IGNORED = (
    "llvm.assume", "llvm.dbg.", "llvm.debugtrap", "llvm.donothing",
    "llvm.experimental.noalias.scope.decl", "llvm.invariant.", "llvm.lifetime.", "llvm.prefetch",
    "llvm.pseudoprobe", "llvm.sideeffect", "llvm.trap", "llvm.ubsantrap", "llvm.var.annotation",
)  # fmt: skip
RESERVED = "llvm."  # names of variables that describe the module
CONSTRUCTORS = "llvm.global_ctors"
MOST_VARIABLES = 64  # scalars of an array that can be variables
MOST_CHOSEN = 8  # of those, if an index chooses one
ATOMICS = frozenset({"AtomicBinOp", "AtomicCompareExchange"})


def used_parts(function: Function) -> dict[DxilValue, set[int]]:
    """Return the parts that a function extracts, of each result with no other use."""
    found: dict[DxilValue, set[int]] = {}
    whole: set[DxilValue] = set()
    for each in function.instructions:
        if isinstance(each, ExtractValueInst) and each.indices:
            found.setdefault(each.aggregate, set()).add(each.indices[0])
        else:
            whole.update(each.operands)
    return {value: parts for value, parts in found.items() if value not in whole}


def array_of(type: DxilType) -> tuple[DxilType, int]:
    """Return the type that arrays consist of, and the number of its values."""
    count = 1
    while isinstance(type, ArrayType):
        count *= type.count
        type = type.element
    return type, count


Users = Mapping[DxilValue, Sequence[Instruction]]


def users_in(function: Function) -> Users:
    """Return the instructions of a function that use each value, in order."""
    found: dict[DxilValue, list[Instruction]] = {}
    for each in function.instructions:
        for value in dict.fromkeys(each.operands):
            found.setdefault(value, []).append(each)
    return found


def is_plain(alloca: AllocaInst, users: Users) -> bool:
    """Return True if the scalars of memory can be variables.

    The elements are few, are only loaded and stored as a whole, and each is accessed by a constant
    index.
    """
    type, count = array_of(alloca.allocated_type)
    if scalar_type(type) is None or not 0 < count <= MOST_VARIABLES:
        return False
    places = _places(alloca, users)
    if count > MOST_CHOSEN and not all(places.values()):
        return False
    uses = dict.fromkeys(user for place in places for user in users.get(place, ()))
    casts = [each for each in uses if isinstance(each, CastInst) and each.value in places]
    uses |= dict.fromkeys(user for cast in casts for user in users.get(cast, ()))
    for each in uses:
        match each:
            case GetElementPtrInst() if each in places:
                pass
            case CastInst() if each.value in places:
                pass
            case LoadInst() if each.pointer in places:
                if each.type is not type:
                    return False
            case StoreInst() if each.pointer in places:
                if each.value.type is not type or not places[each.pointer]:
                    return False
            case CallInst() if each.callee.name.startswith(IGNORED):
                pass
            case _:
                return False
    return True


def _places(alloca: AllocaInst, users: Users) -> dict[DxilValue, bool]:
    """Return the pointers into memory, and for each whether its indices are constants."""
    found: dict[DxilValue, bool] = {alloca: True}
    waiting: list[DxilValue] = [alloca]
    while waiting:
        place = waiting.pop()
        for each in users.get(place, ()):
            if isinstance(each, GetElementPtrInst) and each.pointer is place and each not in found:
                known = all(integer_of(index) is not None for index in each.indices)
                found[each] = known and found[place]
                waiting.append(each)
    return found


def wide_handles(functions: Iterable[Function]) -> Iterator[CallInst]:
    """Yield the calls that create the handles of atomic operations of 64 bits."""
    for function in functions:
        for each in function.instructions:
            op = operation_of(each)
            if op is None or op.name not in ATOMICS or not isinstance(each, CallInst):
                continue
            if isinstance(each.type, IntegerType) and each.type.width == 64:
                handle = arguments_of(each, op)["handle"]
                for _ in range(2):
                    made = operation_of(handle) if isinstance(handle, Instruction) else None
                    if made is None or made.name != "AnnotateHandle":
                        break
                    assert isinstance(handle, CallInst)
                    handle = arguments_of(handle, made)["res"]
                if isinstance(handle, CallInst):
                    yield handle


def constructors(module: DxilModule) -> list[Function]:
    """Return the functions that set the static variables of a library, in the order of their runs.

    dxc calls them in entry points; for functions that are exported, the linker does.
    """
    found: list[tuple[int, Function]] = []
    for variable in module.variables:
        listed = variable.initializer if variable.name == CONSTRUCTORS else None
        for row in listed.elements if isinstance(listed, ConstantAggregate) else ():
            if isinstance(row, ConstantAggregate) and len(row.elements) > 1:
                priority, function = row.elements[:2]
                if isinstance(function, Function):
                    found.append((integer_of(priority) or 0, function))
    return [function for _, function in sorted(found, key=lambda each: each[0])]


def attribute(function: Function, key: str) -> str | None:
    """Return the text of a function's attribute; None if the function lacks the attribute."""
    for group in function.attributes.groups if function.attributes is not None else ():
        if group.index == AttributeGroup.FUNCTION:
            for each in group.attributes:
                if each.key == key:
                    return str(each.value or "")
    return None
