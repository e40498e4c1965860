"""Spellings that the languages share: operators, and functions of the same name and meaning."""

from ..ir.ops import OPS
from .operations import SOURCE_OPS
from .spelling import CallSpelling as Call
from .spelling import Infix, Prefix, Rank, Spellings
from .tree import ScalarKind

__all__ = ["COMMON"]

BOOL = ScalarKind.BOOL
COMMON: Spellings = {
    OPS.fadd: Infix("+", Rank.ADD), OPS.fsub: Infix("-", Rank.ADD),
    OPS.fmul: Infix("*", Rank.MULTIPLY), OPS.fdiv: Infix("/", Rank.MULTIPLY),
    OPS.iadd: Infix("+", Rank.ADD), OPS.isub: Infix("-", Rank.ADD),
    OPS.imul: Infix("*", Rank.MULTIPLY),
    OPS.idiv: Infix("/", Rank.MULTIPLY), OPS.udiv: Infix("/", Rank.MULTIPLY),
    OPS.irem: Infix("%", Rank.MULTIPLY), OPS.urem: Infix("%", Rank.MULTIPLY),
    OPS.fneg: Prefix("-"), OPS.ineg: Prefix("-"),
    OPS.and_: Infix("&", Rank.BIT_AND), OPS.or_: Infix("|", Rank.BIT_OR),
    OPS.xor: Infix("^", Rank.BIT_XOR), OPS.not_: Prefix("~"),
    (OPS.and_, BOOL): Infix("&&", Rank.AND), (OPS.or_, BOOL): Infix("||", Rank.OR),
    (OPS.xor, BOOL): Infix("!=", Rank.EQUAL), (OPS.not_, BOOL): Prefix("!"),
    OPS.ishl: Infix("<<", Rank.SHIFT), OPS.ishr: Infix(">>", Rank.SHIFT),
    OPS.ushr: Infix(">>", Rank.SHIFT),
    OPS.ieq: Infix("==", Rank.EQUAL), OPS.ine: Infix("!=", Rank.EQUAL),
    OPS.feq: Infix("==", Rank.EQUAL), OPS.fne: Infix("!=", Rank.EQUAL),
    OPS.flt: Infix("<", Rank.ORDER), OPS.fle: Infix("<=", Rank.ORDER),
    OPS.ilt: Infix("<", Rank.ORDER), OPS.ile: Infix("<=", Rank.ORDER),
    OPS.ult: Infix("<", Rank.ORDER), OPS.ule: Infix("<=", Rank.ORDER),
    OPS.imin: Call("min", True), OPS.imax: Call("max", True),
    OPS.umin: Call("min", True), OPS.umax: Call("max", True),
    OPS.fmin: Call("min", True), OPS.fmax: Call("max", True),
    OPS.fsqrt: Call("sqrt"), OPS.ffloor: Call("floor"), OPS.fceil: Call("ceil"),
    OPS.ftrunc: Call("trunc"), OPS.fabs: Call("abs"), OPS.ffma: Call("fma", True),
    OPS.sin: Call("sin"), OPS.cos: Call("cos"), OPS.tan: Call("tan"), OPS.asin: Call("asin"),
    OPS.acos: Call("acos"), OPS.atan: Call("atan"), OPS.sinh: Call("sinh"),
    OPS.cosh: Call("cosh"), OPS.tanh: Call("tanh"), OPS.exp2: Call("exp2"),
    OPS.log2: Call("log2"), OPS.pow: Call("pow", True), SOURCE_OPS.dot: Call("dot"),
}  # fmt: skip
