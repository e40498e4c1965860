"""Types of calls of dx.op functions against the table of operations."""

import pytest

from unshade.programs.dxil.model.constants import UndefinedValue
from unshade.programs.dxil.model.instructions import CallInst
from unshade.programs.dxil.model.types import (
    DxilType,
    FloatType,
    FunctionType,
    IntegerType,
    PointerType,
    PrimitiveType,
    StructType,
    VectorType,
)
from unshade.programs.dxil.model.values import DxilValue, Function
from unshade.programs.dxil.operation_types import wrong_type
from unshade.programs.dxil.tables.dxil_operations import operations

VOID, HALF, FLOAT = PrimitiveType("void"), FloatType("half"), FloatType("float")
I1, I8, I32 = IntegerType(1), IntegerType(8), IntegerType(32)
HANDLE = StructType("dx.types.Handle", [PointerType(I8)])
FLOATS = StructType("dx.types.ResRet.f32", [FLOAT, FLOAT, FLOAT, FLOAT, I32])
TWO, TWO_HALVES, TWO_TRUTHS = (VectorType(2, each) for each in (FLOAT, HALF, I1))
NUMBERS = VectorType(2, I32)


def call(name: str, result: DxilType, *types: DxilType) -> CallInst:
    """Return a call of an operation with undefined operands."""
    type = FunctionType(result, [I32, *types])
    callee = Function(PointerType(type), type, "dx.op")
    values: list[DxilValue] = [UndefinedValue(each) for each in (I32, *types)]
    return CallInst(type=result, function_type=type, callee=callee, arguments=values)


@pytest.mark.parametrize(
    ("name", "types", "problem"),
    [
        ("Sin", (FLOAT, FLOAT), ""),
        ("Sin", (TWO, TWO), ""),
        ("Sin", (TWO, TWO_HALVES), "value: expected <2 x float>, got <2 x half>"),
        ("Sin", (NUMBERS, NUMBERS), "expected a vector of half or float, got <2 x i32>"),
        ("Sin", (I32, I32), "expected a value of half or float, got i32"),
        ("Dot2", (TWO, *[TWO] * 4), "expected a vector of no value, got <2 x float>"),
        ("FMax", (FLOAT, FLOAT, HALF), "b: expected float, got half"),
        ("IsNaN", (I1, FLOAT), ""),
        ("IsNaN", (TWO_TRUTHS, TWO), ""),
        ("IsNaN", (I1, TWO), "result: expected <2 x i1>, got i1"),
        ("IsNaN", (I32, FLOAT), "result: expected i1, got i32"),
        ("Countbits", (I32, I32), ""),
        ("EmitIndices", (VOID, I32, I32, I32, I32), ""),
        ("EmitIndices", (VOID, I32, I32, I1, I32), "VertexIndex1: expected i32, got i1"),
        ("BufferLoad", (FLOATS, HANDLE, I32, I32), ""),
        ("BufferLoad", (FLOAT, HANDLE, I32, I32), "result: expected a structure, got float"),
        ("CreateHandle", (HANDLE, I8, I32, I32, I1), ""),
    ],
)
def test_types(name: str, types: tuple[DxilType, ...], problem: str) -> None:
    op = next(each for each in operations() if each.name == name)
    assert wrong_type(call(name, *types), op) == problem


@pytest.mark.parametrize("name", ["TraceRay", "CreateHandleForLib"])
def test_types_that_the_table_does_not_describe(name: str) -> None:
    op = next(each for each in operations() if each.name == name)
    types = {"v": VOID, "f": FLOAT, "i32": I32}
    found = [types.get(each.type, HANDLE) for each in op.operands]
    assert wrong_type(call(name, types.get(op.result, HANDLE), *found), op) == ""


def test_other_widths() -> None:
    op = next(each for each in operations() if each.name == "Msad")
    for width in (16, 64):
        type = IntegerType(width)
        made = call("Msad", type, type, type, type)
        assert wrong_type(made, op) == f"expected a value of i32, got i{width}"
        assert wrong_type(made, op, any_width=True) == ""
    made = call("Msad", I1, I1, I1, I1)
    assert wrong_type(made, op, any_width=True) == "expected a value of i32, got i1"
