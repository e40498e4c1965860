"""Expressions.

Source: the classes of Skia's milestone 104 in src/sksl/ir; what version 11 stores of each is
checked against the files of its compiler.
"""

from ....wire.types import U8
from ..tables.enumerations import OwnerKind, ReferenceKind, SwizzleComponent
from ..tables.operators import Operator
from .expression import Expression, result_type
from .named_types import BOOL, INVALID, compound
from .node import (
    LiteralField,
    NamedField,
    NumbersField,
    child,
    children,
    extra,
    flag,
    number,
    slot,
    text,
)
from .symbols import FunctionDeclaration, NamedSymbol, OverloadSet, VariableSymbol
from .types import DataType, StructDataType, TypeKind

__all__ = [
    "CONSTRUCTORS",
    "BinaryExpression",
    "BoolLiteral",
    "ChildCall",
    "ConstructorArray",
    "ConstructorArrayCast",
    "ConstructorCompound",
    "ConstructorCompoundCast",
    "ConstructorDiagonalMatrix",
    "ConstructorExpression",
    "ConstructorMatrixResize",
    "ConstructorScalarCast",
    "ConstructorSplat",
    "ConstructorStruct",
    "FieldAccess",
    "FloatLiteral",
    "FunctionCall",
    "IndexExpression",
    "IntLiteral",
    "PostfixExpression",
    "PrefixExpression",
    "SettingReference",
    "SwizzleExpression",
    "TernaryExpression",
    "VariableReference",
]


class BinaryExpression(Expression, command=1):
    """An operator with two operands, assignments and the comma included."""

    left: Expression = child("Expression", "left operand")
    operator: Operator = number(U8, "operator", enum=Operator)
    right: Expression = child("Expression", "right operand")

    def determine_type(self) -> DataType:
        return result_type(self.operator, self.left.type, self.right.type)


class PrefixExpression(Expression, command=42):
    """An operator before its operand."""

    operator: Operator = number(U8, "operator: - ! ~ ++ or --", enum=Operator)
    operand: Expression = child("Expression", "operand")

    def determine_type(self) -> DataType:
        return self.operand.type


class PostfixExpression(Expression, command=41):
    """`++` or `--` after its operand."""

    operator: Operator = number(U8, "operator: ++ or --", enum=Operator)
    operand: Expression = child("Expression", "operand")

    def determine_type(self) -> DataType:
        return self.operand.type


class TernaryExpression(Expression, command=53):
    """A choice: `test ? if_true : if_false`."""

    test: Expression = child("Expression", "the condition, a bool")
    if_true: Expression = child("Expression", "value if the condition is true")
    if_false: Expression = child("Expression", "value if it is false")

    def determine_type(self) -> DataType:
        return self.if_true.type


class IndexExpression(Expression, command=33):
    """An element of an array, column of a matrix, or component of a vector."""

    base: Expression = child("Expression", "the array, matrix or vector")
    index: Expression = child("Expression", "number of the element")

    def determine_type(self) -> DataType:
        base = self.base.type.resolved
        if base.kind is TypeKind.ARRAY or base.is_vector:
            return base.component
        return compound(base.component, base.rows) if base.is_matrix else INVALID


class SwizzleExpression(Expression, command=50):
    """Components of a vector or scalar, in any order."""

    base: Expression = child("Expression", "the vector or scalar")
    components: list[SwizzleComponent] = slot(NumbersField(SwizzleComponent), "components")

    def determine_type(self) -> DataType:
        base = self.base.type.resolved
        if not base.is_vector and not base.is_scalar:
            return INVALID
        return compound(base.component, len(self.components))


class FieldAccess(Expression, command=24):
    """A member of a struct."""

    base: Expression = child("Expression", "the struct")
    index: int = number(U8, "number of the member")
    owner: OwnerKind = number(U8, "where it is", enum=OwnerKind, default=OwnerKind.DEFAULT)

    def determine_type(self) -> DataType:
        base = self.base.type.resolved
        if isinstance(base, StructDataType) and self.index < len(base.members):
            return base.members[self.index].type
        return INVALID


class FunctionCall(Expression, command=27):
    """A call of a function.

    A file names a builtin function without saying which of its overloads is meant. `function` is
    the overload that fits best, the whole set if none fits, or the bare name if no function is
    known.
    """

    type: DataType = child("DataType", "type of the result")
    function: FunctionDeclaration | OverloadSet | NamedSymbol = slot(
        NamedField("FunctionDeclaration"), "the function"
    )
    arguments: list[Expression] = children("Expression", "arguments")


class ChildCall(Expression):
    """A call of a child: `child.eval(coords)`. Version 11 cannot hold it."""

    inner = ("arguments",)
    type: DataType = extra("type of the result", default=INVALID)
    child: VariableSymbol = extra("the uniform", default=None)
    arguments: list[Expression] = extra("arguments", default=[])


class VariableReference(Expression, command=57):
    """The use of a variable."""

    variable: VariableSymbol | NamedSymbol = slot(NamedField("VariableSymbol"), "the variable")
    reference: ReferenceKind = number(
        U8, "how it is used", enum=ReferenceKind, default=ReferenceKind.READ
    )

    def determine_type(self) -> DataType:
        variable = self.variable
        return variable.type if isinstance(variable, VariableSymbol) else INVALID


class SettingReference(Expression, command=45):
    """A property of the device: `sk_Caps.name`."""

    name: str = text("name of the property")

    def determine_type(self) -> DataType:
        return BOOL


class BoolLiteral(Expression, command=3):
    """`true` or `false`."""

    value: bool = flag("value")

    def determine_type(self) -> DataType:
        return BOOL


class IntLiteral(Expression, command=36):
    """An integer."""

    type: DataType = child("DataType", "type")
    value: int = slot(LiteralField(is_float=False), "value, unsigned if the type is")


class FloatLiteral(Expression, command=25):
    """A floating-point number."""

    type: DataType = child("DataType", "type")
    value: float = slot(LiteralField(is_float=True), "value, of 32 bits")


class ConstructorExpression(Expression):
    """Base class of constructors, which source writes alike: `type(arguments)`."""

    type: DataType = child("DataType", "type of the result")
    arguments: list[Expression] = children("Expression", "arguments")


class ConstructorArray(ConstructorExpression, command=6):
    """An array, from its elements."""


class ConstructorArrayCast(ConstructorExpression, command=7):
    """A conversion of an array to another component type."""


class ConstructorCompound(ConstructorExpression, command=8):
    """A vector or matrix, from scalars and vectors."""


class ConstructorCompoundCast(ConstructorExpression, command=9):
    """A vector or matrix, from one with other components."""


class ConstructorDiagonalMatrix(ConstructorExpression, command=10):
    """A matrix with a scalar on its diagonal."""


class ConstructorMatrixResize(ConstructorExpression, command=11):
    """A matrix, from a matrix of another size."""


class ConstructorScalarCast(ConstructorExpression, command=12):
    """A scalar, from a scalar of another type."""


class ConstructorSplat(ConstructorExpression, command=13):
    """A vector with one scalar in all components."""


class ConstructorStruct(ConstructorExpression, command=14):
    """A struct, from its members."""


CONSTRUCTORS: tuple[type[ConstructorExpression], ...] = (
    ConstructorArray,
    ConstructorArrayCast,
    ConstructorCompound,
    ConstructorCompoundCast,
    ConstructorDiagonalMatrix,
    ConstructorMatrixResize,
    ConstructorScalarCast,
    ConstructorSplat,
    ConstructorStruct,
)
