"""Explanations of the operations of DXIL and LLVM in a text, from the tables."""

import re
from collections.abc import Iterable

from .model.instructions import BY_OPCODE
from .tables.dxil_operations import Op, operations

__all__ = ["explain", "words"]

TYPES = {
    "h": "half", "f": "float", "d": "double", "1": "i1", "8": "i8", "w": "i16", "i": "i32",
    "l": "i64", "u": "a structure", "o": "an object", "v": "void",
}  # fmt: skip
MEMORY = {
    "rn": "does not access memory",
    "ro": "only reads memory",
    "amo": "accesses memory by its arguments only",
    "nr": "does not return",
    "nd": "must not be duplicated",
}
FLAGS = {
    "g": "needs derivatives",
    "w": "communicates in a wave",
    "b": "is a barrier",
    "c": "must stay in uniform control flow",
    "u": "wants uniform arguments",
}
OVERLOAD = {"$o": "overload", "$r": "result of a resource", "$cb": "result of a constant buffer"}
# LLVM's opcodes that share a class, by the language reference of LLVM 3.7.
SHARED = {
    "add": "sum of two integers",
    "sub": "difference of two integers",
    "mul": "product of two integers",
    "udiv": "quotient of two unsigned integers",
    "sdiv": "quotient of two signed integers, rounded towards 0",
    "urem": "remainder of the division of unsigned integers",
    "srem": "remainder of the division of signed integers, with the sign of the dividend",
    "shl": "integer shifted to the left",
    "lshr": "integer shifted to the right, filled with zeros",
    "ashr": "integer shifted to the right, filled with copies of the sign bit",
    "and": "bitwise and of two integers",
    "or": "bitwise or of two integers",
    "xor": "bitwise exclusive or of two integers",
    "fadd": "sum of two floats",
    "fsub": "difference of two floats",
    "fmul": "product of two floats",
    "fdiv": "quotient of two floats",
    "frem": "remainder of the division of two floats",
    "trunc": "lowest bits of an integer as a smaller one",
    "zext": "integer extended with zeros",
    "sext": "integer extended with copies of the sign bit",
    "fptoui": "float as an unsigned integer, rounded towards 0",
    "fptosi": "float as a signed integer, rounded towards 0",
    "uitofp": "unsigned integer as a float",
    "sitofp": "signed integer as a float",
    "fptrunc": "float as a smaller one",
    "fpext": "float as a larger one",
    "ptrtoint": "pointer as an integer",
    "inttoptr": "integer as a pointer",
    "bitcast": "the same bits as another type",
    "addrspacecast": "pointer into another address space",
    "fcmp": "comparison of two floats",
    "icmp": "comparison of two integers or pointers",
}
FUNCTION = re.compile(r"@?dx\.op\.(\w+)(?:\.\w+)?", re.ASCII)
SENTENCE = re.compile(r"[.;:](?:\s|\Z)")


def words() -> Iterable[str]:
    """Return the words that `explain` knows: opcodes of LLVM, and operations of DXIL."""
    return (*BY_OPCODE, *(each.name for each in operations()))


def explain(operation: str) -> list[tuple[str, str]]:
    """Return labels and texts about an operation; empty for an unknown one.

    Of a function, `dx.op.unary.f32`, the operations that it has follow each other.
    """
    if operation in BY_OPCODE:
        doc = SENTENCE.split((BY_OPCODE[operation].__doc__ or "").replace("`", ""))[0]
        return [("", SHARED.get(operation) or doc[:1].lower() + doc[1:]), ("set", "LLVM 3.7")]
    function = FUNCTION.fullmatch(operation)
    found = (
        each
        for each in operations()
        if (each.function == function[1] if function else each.name == operation)
    )
    return [(label, text) for each in found for label, text in _pairs(each) if text]


def _pairs(op: Op) -> list[tuple[str, str]]:
    operands = [
        f"{each.name}: {OVERLOAD.get(each.type, each.type)}{' constant' * each.is_constant}"
        for each in op.operands
    ]
    scalars = op.overloads.partition(",")[0].partition("<")[0]
    effects = [text for key, text in MEMORY.items() if key == op.memory]
    effects += [text for key, text in FLAGS.items() if key in op.flags]
    major, minor = op.shader_model
    return [
        ("", op.signature),
        ("function", f"dx.op.{op.function}"),
        ("operands", "\n".join(operands)),
        ("result", "" if op.result == "v" else OVERLOAD.get(op.result, op.result)),
        ("overloads", ", ".join(TYPES[each] for each in scalars if each in TYPES and each != "v")),
        ("effects", ", ".join(effects)),
        ("since", f"shader model {major}.{minor}"),
        ("number", str(op.code)),
    ]
