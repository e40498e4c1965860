"""The functions of a source that Slang has checked, by its reflection of declarations.

    module ─ function, namespace ─ function, …       each overload is a declaration

Source: slang.h and slang-deprecated.h of Slang 2026.12: SlangDeclKind, SlangTypeKind,
SlangScalarType; IModule::getModuleReflection is slot 28.
"""

import ctypes
import re
from collections.abc import Iterator
from ctypes import POINTER, c_bool, c_char_p, c_int, c_size_t, c_uint32, c_void_p

from ..signatures import DeclaredFunction, DeclaredParameter, DeclaredType
from .objects import called, taken

MODULE_REFLECTION = 28
FUNCTION, NAMESPACE = 2, 6  # SlangDeclKind
MATRIX_NAME = re.compile(r"\bmatrix<(float|double),(\d),(\d)>")
MATRICES = {"float": "mat", "double": "dmat"}  # of GLSL
STRUCT, ARRAY, MATRIX, VECTOR, SCALAR = 1, 2, 3, 4, 5  # SlangTypeKind
IN, OUT, INOUT = 8, 9, 10  # SlangModifierID
VOID = 1  # SlangScalarType
SCALARS = {
    2: "bool", 3: "int32", 4: "uint32", 5: "int64", 6: "uint64", 7: "float16", 8: "float32",
    9: "float64", 10: "int8", 11: "uint8", 12: "int16", 13: "uint16",
}  # fmt: skip
DEPTH = 32  # of types in types
MOST = 1 << 16  # elements of an array of a parameter

CALLS = (
    ("spCompileRequest_getModule", c_int, [c_void_p, c_int, POINTER(c_void_p)]),
    ("spReflectionDecl_getChildrenCount", c_uint32, [c_void_p]),
    ("spReflectionDecl_getChild", c_void_p, [c_void_p, c_uint32]),
    ("spReflectionDecl_getKind", c_uint32, [c_void_p]),
    ("spReflectionDecl_getName", c_char_p, [c_void_p]),
    ("spReflectionDecl_castToFunction", c_void_p, [c_void_p]),
    ("spReflectionFunction_GetParameterCount", c_uint32, [c_void_p]),
    ("spReflectionFunction_GetParameter", c_void_p, [c_void_p, c_uint32]),
    ("spReflectionFunction_GetResultType", c_void_p, [c_void_p]),
    ("spReflectionVariable_GetName", c_char_p, [c_void_p]),
    ("spReflectionVariable_GetType", c_void_p, [c_void_p]),
    ("spReflectionVariable_FindModifier", c_void_p, [c_void_p, c_uint32]),
    ("spReflectionVariable_HasDefaultValue", c_bool, [c_void_p]),
    ("spReflectionType_GetKind", c_uint32, [c_void_p]),
    ("spReflectionType_GetFullName", c_int, [c_void_p, POINTER(c_void_p)]),
    ("spReflectionType_GetScalarType", c_uint32, [c_void_p]),
    ("spReflectionType_GetElementCount", c_size_t, [c_void_p]),
    ("spReflectionType_GetElementType", c_void_p, [c_void_p]),
    ("spReflectionType_GetRowCount", c_uint32, [c_void_p]),
    ("spReflectionType_GetColumnCount", c_uint32, [c_void_p]),
    ("spReflectionType_GetFieldCount", c_uint32, [c_void_p]),
    ("spReflectionType_GetFieldByIndex", c_void_p, [c_void_p, c_uint32]),
)


def functions_of(
    library: ctypes.CDLL, request: c_void_p, unit: int, is_glsl: bool = False
) -> list[DeclaredFunction]:
    """Return the functions of a compiled translation unit, in the order of the source."""
    module = c_void_p()
    if library.spCompileRequest_getModule(request, unit, ctypes.byref(module)) < 0:
        return []
    root = called(module, MODULE_REFLECTION, c_void_p)
    found = list(_below(library, root, "")) if isinstance(root, int) else []
    return [_function_of_glsl(each) for each in found] if is_glsl else found


def _below(library: ctypes.CDLL, parent: int, prefix: str) -> Iterator[DeclaredFunction]:
    for at in range(library.spReflectionDecl_getChildrenCount(parent)):
        each = library.spReflectionDecl_getChild(parent, at)
        kind = library.spReflectionDecl_getKind(each)
        name = prefix + _text(library.spReflectionDecl_getName(each))
        if kind == NAMESPACE:
            yield from _below(library, each, f"{name}::")
        elif kind == FUNCTION:
            yield _function(library, library.spReflectionDecl_castToFunction(each), name)


def _function(library: ctypes.CDLL, function: int, name: str) -> DeclaredFunction:
    parameters = []
    for at in range(library.spReflectionFunction_GetParameterCount(function)):
        each = library.spReflectionFunction_GetParameter(function, at)
        found = {
            kind
            for kind in (IN, OUT, INOUT)
            if library.spReflectionVariable_FindModifier(each, kind)
        }
        parameters.append(
            DeclaredParameter(
                _text(library.spReflectionVariable_GetName(each)),
                _type(library, library.spReflectionVariable_GetType(each)),
                OUT not in found or INOUT in found,
                bool(found & {OUT, INOUT}),
                bool(library.spReflectionVariable_HasDefaultValue(each)),
            )
        )
    result = library.spReflectionFunction_GetResultType(function)
    is_void = not result or (
        library.spReflectionType_GetKind(result) == SCALAR
        and library.spReflectionType_GetScalarType(result) == VOID
    )
    return DeclaredFunction(name, tuple(parameters), None if is_void else _type(library, result))


def _type(library: ctypes.CDLL, type: int, depth: int = 0) -> DeclaredType:
    kind = library.spReflectionType_GetKind(type)
    blob = c_void_p()
    named = library.spReflectionType_GetFullName(type, ctypes.byref(blob)) >= 0
    name = taken(blob).decode("utf-8", "replace").rstrip("\0") if named and blob.value else "?"
    if depth > DEPTH:
        return DeclaredType(name)
    if kind == SCALAR:
        return DeclaredType(name, SCALARS.get(library.spReflectionType_GetScalarType(type), ""))
    if kind == STRUCT:
        members = []
        for at in range(library.spReflectionType_GetFieldCount(type)):
            each = library.spReflectionType_GetFieldByIndex(type, at)
            inner = _type(library, library.spReflectionVariable_GetType(each), depth + 1)
            members.append((_text(library.spReflectionVariable_GetName(each)), inner))
        return DeclaredType(name, members=tuple(members))
    if kind == MATRIX:
        rows = library.spReflectionType_GetRowCount(type)
        columns = library.spReflectionType_GetColumnCount(type)
        scalar = SCALARS.get(library.spReflectionType_GetScalarType(type), "")
        return DeclaredType(name, scalar, (rows, columns), True)
    if kind in (ARRAY, VECTOR):
        count = library.spReflectionType_GetElementCount(type)
        inner = _type(library, library.spReflectionType_GetElementType(type), depth + 1)
        if not 0 < count <= MOST:  # of no size that is known
            return DeclaredType(name)
        return inner._replace(name=name, shape=(count, *inner.shape))
    return DeclaredType(name)


def _function_of_glsl(found: DeclaredFunction) -> DeclaredFunction:
    """Return a function whose matrices have the rows and columns of GLSL.

    What Slang calls rows of a matrix are GLSL's columns: its matrix<float,3,2> is mat3x2, with two
    rows.
    """
    result = None if found.result is None else _type_of_glsl(found.result)
    parameters = (each._replace(type=_type_of_glsl(each.type)) for each in found.parameters)
    return found._replace(parameters=tuple(parameters), result=result)


def _type_of_glsl(type: DeclaredType) -> DeclaredType:
    members = tuple((name, _type_of_glsl(each)) for name, each in type.members)
    shape = type.shape
    if type.matrix:
        shape = (*shape[:-2], shape[-1], shape[-2])
    name = MATRIX_NAME.sub(lambda each: f"{MATRICES[each[1]]}{each[2]}x{each[3]}", type.name)
    return type._replace(name=name, shape=shape, members=members)


def _text(name: bytes | None) -> str:
    return (name or b"").decode("utf-8", "replace")
