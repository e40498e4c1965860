"""SPIR-V as the modules by hand have it: its lines, its arithmetic, its types."""

import re
from collections.abc import Sequence

from unshade.ir.builder import constant
from unshade.ir.fold import from_float
from unshade.ir.kernel import Value
from unshade.ir.ops import OPS
from unshade.ir.types import BOOL, F32, I32, Type
from unshade.model import TypeClass, TypeDescription, Variable

from .ssa import Branch, Incoming, Instruction, Rule, Syntax

TYPES: dict[str, Type] = {"%uint": I32, "%bool": BOOL, "%float": F32}


def _instruction(line: str) -> tuple[str, str, Sequence[str]]:
    result, equals, rest = line.strip().rpartition(" = ")
    name, *words = rest.split()
    return result if equals else "", name, words


def _label(line: str) -> str | None:
    found = re.fullmatch(r"(%\w+) = OpLabel", line)
    return found and found[1]


def _phi(each: Instruction) -> Incoming | None:
    if each.name != "OpPhi":
        return None
    kind, *pairs = each.words
    return Incoming(TYPES[kind], dict(zip(pairs[1::2], pairs[::2], strict=True)))


def _branch(each: Instruction) -> Branch | None:
    match each.name:
        case "OpBranch":
            return Branch(each.words)
        case "OpBranchConditional":
            return Branch(each.words[1:], each.words[0])
        case "OpReturn":
            return Branch()
    return None


def _merge(each: Instruction) -> str | None:
    return each.words[0] if each.name == "OpLoopMerge" else None


def _literal(word: str, type: Type | None) -> Value:
    """`%uint_400`, `%float_0_5`."""
    kind, _, number = word.partition("_")
    if kind == "%float":
        return constant(from_float(float(number.replace("_", ".")), F32), F32)
    return constant(int(number), I32)


SYNTAX = Syntax(_label, _instruction, _phi, _branch, _merge, _literal)


def same(op: str) -> Rule:
    """An instruction that is an operation of `ir`: a type and operands."""
    return lambda graph, each: graph.b.make(OPS[op], *graph.values(each.words[1:]))


def turned(op: str) -> Rule:
    """The same of the operands in opposite order."""
    return lambda graph, each: graph.b.make(OPS[op], *graph.values(each.words[:0:-1]))


ARITHMETIC: dict[str, Rule] = {
    "OpIAdd": same("iadd"), "OpIMul": same("imul"), "OpUMod": same("urem"),
    "OpBitwiseAnd": same("and"), "OpBitwiseXor": same("xor"), "OpLogicalAnd": same("and"),
    "OpShiftRightLogical": same("ushr"), "OpIEqual": same("ieq"), "OpINotEqual": same("ine"),
    "OpULessThan": same("ult"), "OpUGreaterThanEqual": turned("ule"), "OpFAdd": same("fadd"),
    "OpFMul": same("fmul"), "OpFOrdLessThan": same("flt"), "OpFSub": same("fsub"),
    "OpSelect": same("select"), "OpBitcast": lambda graph, each: graph.b.make(
        OPS.asint if each.words[0] == "%uint" else OPS.asfloat, graph.value(each.words[1])
    ),
    "UMax": same("umax"),
}  # fmt: skip

# ---------------------------------------------------------------- types

UINT = TypeDescription(type_class=TypeClass.SCALAR, scalar="uint", size=4)
FLOAT = TypeDescription(type_class=TypeClass.SCALAR, scalar="float", size=4)


def vector(count: int) -> TypeDescription:
    return TypeDescription(
        type_class=TypeClass.VECTOR, scalar="float", columns=count, size=4 * count
    )


def columns(rows: int, count: int, stride: int) -> TypeDescription:
    """A matrix of columns, so many bytes apart."""
    return TypeDescription(
        type_class=TypeClass.MATRIX_COLUMNS, scalar="float", rows=rows, columns=count,
        size=stride * (count - 1) + 4 * rows, matrix_stride=stride,
    )  # fmt: skip


def variable(name: str, offset: int, kind: TypeDescription) -> Variable:
    return Variable(name=name, offset=offset, size=kind.size, type=kind)
