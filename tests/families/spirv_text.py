"""SPIR-V assembly as the modules of `spirv` and `spirv_graphics` use it: syntax and arithmetic."""

import re
from collections.abc import Sequence

from unshade.ir.builder import constant
from unshade.ir.fold import from_float
from unshade.ir.kernel import Value
from unshade.ir.ops import OPS
from unshade.ir.types import BOOL, F32, I32, Type

from .ssa import Branch, Instruction, Rule, Syntax, operations, phis

TYPES: dict[str, Type] = {"%uint": I32, "%bool": BOOL, "%float": F32}


def _instruction(line: str) -> tuple[str, str, Sequence[str]]:
    result, equals, rest = line.strip().rpartition(" = ")
    name, *words = rest.split()
    return result if equals else "", name, words


def _label(line: str) -> str | None:
    found = re.fullmatch(r"(%\w+) = SpvOpLabel", line)
    return found and found[1]


def _branch(each: Instruction) -> Branch | None:
    match each.name:
        case "SpvOpBranch":
            return Branch(each.words)
        case "SpvOpBranchConditional":
            return Branch(each.words[1:], each.words[0])
        case "SpvOpReturn":
            return Branch()
    return None


def _merge(each: Instruction) -> str | None:
    return each.words[0] if each.name == "SpvOpLoopMerge" else None


def _literal(word: str, type: Type | None) -> Value:
    """Return the value of `%uint_400` or `%float_0_5`."""
    kind, _, number = word.partition("_")
    if kind == "%float":
        return constant(from_float(float(number.replace("_", ".")), F32), F32)
    return constant(int(number), I32)


SYNTAX = Syntax(_label, _instruction, phis("SpvOpPhi", TYPES), _branch, _merge, _literal)


ARITHMETIC: dict[str, Rule] = {
    **operations(
        TYPES,
        {
            "SpvOpIAdd": "iadd", "SpvOpIMul": "imul", "SpvOpUMod": "urem",
            "SpvOpBitwiseAnd": "and", "SpvOpBitwiseXor": "xor", "SpvOpLogicalAnd": "and",
            "SpvOpShiftRightLogical": "ushr", "SpvOpIEqual": "ieq", "SpvOpINotEqual": "ine",
            "SpvOpULessThan": "ult", "SpvOpFAdd": "fadd", "SpvOpFMul": "fmul",
            "SpvOpFOrdLessThan": "flt", "SpvOpFSub": "fsub", "SpvOpSelect": "select",
            "UMax": "umax",
        },
        {"SpvOpUGreaterThanEqual": "ule"},
    ),
    "SpvOpBitcast": lambda graph, each: graph.b.make(
        OPS.asint if each.words[0] == "%uint" else OPS.asfloat, graph.value(each.words[1])
    ),
}  # fmt: skip
