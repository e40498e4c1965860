"""The types of calls of `dx.op` functions, compared with the table of operations.

    call float @dx.op.waveActiveBit.f32(i32 120, float %7, i8 0)
    expected a value of i8, i16, i32 or i64, got float

All operands of type `$o` have the type of the overload; vectors have elements of that type.
"""

from .model.instructions import CallInst
from .model.types import DxilType, FloatType, IntegerType, StructType, VectorType
from .tables.dxil_operations import Op

__all__ = ["OVERLOAD", "wrong_type"]

LETTERS = {
    "h": "half", "f": "float", "d": "double",
    "1": "i1", "8": "i8", "w": "i16", "i": "i32", "l": "i64",
}  # fmt: skip
# The letters of the table that are types of scalars.
SCALARS = {
    "h": "half", "f": "float", "d": "double", "i1": "i1", "i8": "i8", "u8": "i8",
    "i16": "i16", "i32": "i32", "u32": "i32", "i64": "i64", "v": "void",
}  # fmt: skip
FLOATS = ("half", "float", "double")
OVERLOAD, PARTS, ROWS = "$o", "$r", "$cb"
OF_LANES = {"$o_i1": "i1", "$o_i32": "i32"}  # as many as the overload has


def wrong_type(call: CallInst, op: Op, *, any_width: bool = False) -> str:
    """Return the error in the types of a call; "" if there is none.

    Types that the table does not describe are not compared: handles, structures, `$x0` and others.
    With `any_width`, the width of the overload may differ from the table.
    """
    pairs = [("result", op.result, call.type)]
    pairs += [
        (each.name, each.type, argument.type)
        for each, argument in zip(op.operands, call.arguments[1:], strict=False)
    ]
    overload: DxilType | None = None
    for name, wanted, type in pairs:
        if wanted in SCALARS:
            if _name(type) != SCALARS[wanted]:
                return f"{name}: expected {SCALARS[wanted]}, got {type!s:.40}"
            continue
        found = _overload(wanted, type)
        if found is None:
            if wanted in (PARTS, ROWS):
                return f"{name}: expected a structure, got {type!s:.40}"
            continue
        if overload is not None and found is not overload:
            return f"{name}: expected {overload!s:.40}, got {found!s:.40}"
        overload = found
    for name, wanted, type in pairs:
        expected = _like(overload, OF_LANES[wanted]) if wanted in OF_LANES else str(type)
        if str(type) != expected:
            return f"{name}: expected {expected}, got {type!s:.40}"
    return "" if overload is None else _outside(op, overload, any_width=any_width)


def _name(type: DxilType) -> str:
    """Return the name of a scalar type or void; "" for other types."""
    is_plain = isinstance(type, FloatType | IntegerType) or type.is_void
    return str(type) if is_plain else ""


def _overload(wanted: str, type: DxilType) -> DxilType | None:
    """Return the overload that an operand or result of a type of the table shows."""
    if wanted == OVERLOAD:
        return type
    if wanted in (PARTS, ROWS) and isinstance(type, StructType) and type.elements:
        return type.elements[0]
    return None


def _like(overload: DxilType | None, name: str) -> str:
    """Return a scalar type, or its vector with as many elements as the overload."""
    return f"<{overload.count} x {name}>" if isinstance(overload, VectorType) else name


def _kind(name: str) -> str:
    """Return the name of a type without its width, which a truth value does not have."""
    return "i" if name[:1] == "i" and name != "i1" else "f" if name in FLOATS else name


def _outside(op: Op, overload: DxilType, *, any_width: bool) -> str:
    """Return a problem if an operation does not have an overload."""
    scalars, _, elements = op.overloads.partition("<")
    is_vector = isinstance(overload, VectorType)
    letters = elements if is_vector else scalars
    if not {*letters} <= LETTERS.keys():  # structures, objects, several overloads
        return ""
    element = overload.element if isinstance(overload, VectorType) else overload
    allowed = [LETTERS[each] for each in letters]
    name = _name(element)
    if name in allowed or (any_width and _kind(name) in map(_kind, allowed)):
        return ""
    *others, last = allowed or ["no value"]
    known = f"{', '.join(others)} or {last}" if others else last
    return f"expected {'a vector' if is_vector else 'a value'} of {known}, got {overload!s:.40}"
