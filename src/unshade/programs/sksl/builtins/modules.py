"""Builtin modules as symbol tables, each with its enclosing module.

    root ── private ── gpu ──┬── frag ── graphite_frag        fragment programs
      │                      └── vert ── graphite_vert        vertex programs
      └── public ── rt_shader                                 runtime effects, mesh programs

`root` contains the types, `private` the symbols that only Skia's own programs may use. In version
11, gpu and public do not share a module: both declare the common functions.

Source: SkSLCompiler.cpp of Skia's milestone 104, and its modules in the binary format.
"""

import re
from collections.abc import Iterator
from functools import cache

from ....errors import UsageError
from ..tables.enumerations import (
    Builtin,
    LayoutFlag,
    ModifierFlag,
    SkslProgramKind,
    VariableStorage,
)
from ..tree.modifiers import ABSENT, LayoutQualifier, Modifiers
from ..tree.named_types import ALIASES, PRIVATE_TYPES, ROOT_TYPES, unknown_type
from ..tree.symbols import (
    FieldSymbol,
    FunctionDeclaration,
    NamedSymbol,
    OverloadSet,
    SymbolTable,
    VariableSymbol,
)
from ..tree.types import ArrayDataType, DataType, StructDataType, StructField
from .signatures import SIGNATURES

__all__ = ["module", "parent_of"]

PARENTS = {
    "private": "root",
    "gpu": "private",
    "frag": "gpu",
    "graphite_frag": "frag",
    "vert": "gpu",
    "graphite_vert": "vert",
    "public": "root",
    "rt_shader": "public",
}
OF_KIND = {
    SkslProgramKind.FRAGMENT: "frag",
    SkslProgramKind.VERTEX: "vert",
    SkslProgramKind.GRAPHITE_FRAGMENT: "graphite_frag",
    SkslProgramKind.GRAPHITE_VERTEX: "graphite_vert",
    SkslProgramKind.PRIVATE_RUNTIME_SHADER: "rt_shader",
}
SHORT = {
    "G": "$genType",
    "H": "$genHType",
    "I": "$genIType",
    "U": "$genUType",
    "B": "$genBType",
}
IN, OUT = ModifierFlag.IN, ModifierFlag.OUT
VARIABLES: dict[str, tuple[tuple[str, str, int, int | None], ...]] = {
    "frag": (
        ("sk_FragCoord",          "float4", IN,  Builtin.FRAG_COORD),
        ("sk_Clockwise",          "bool",   IN,  Builtin.CLOCKWISE),
        ("sk_FragColor",          "half4",  OUT, Builtin.FRAG_COLOR),
        ("sk_LastFragColor",      "half4",  0,   Builtin.LAST_FRAG_COLOR),
        ("sk_SecondaryFragColor", "half4",  OUT, Builtin.SECONDARY_FRAG_COLOR),
    ),
    "vert": (
        ("sk_VertexID",           "int",    IN,  Builtin.VERTEX_ID),
        ("sk_InstanceID",         "int",    IN,  Builtin.INSTANCE_ID),
    ),
    "rt_shader": (
        ("sk_FragCoord",          "float4", 0,   Builtin.FRAG_COORD),
    ),
    "graphite_vert": tuple(
        (name, "float", ModifierFlag.CONST, None)
        for name in ("$PI", "$Degree", "$Precision", "$LengthTerm", "$LengthTermPow2")
    ),
}  # fmt: skip
PER_VERTEX = (
    ("sk_Position", "float4", Builtin.POSITION),
    ("sk_PointSize", "float", Builtin.POINT_SIZE),
)
OVERLOAD = re.compile(r"([+!=]*)([^(\s]+)\(([^)]*)\)")
FLAGS = {"+": ModifierFlag.ES3, "!": ModifierFlag.HAS_SIDE_EFFECTS, "=": 0}


def parent_of(kind: SkslProgramKind) -> SymbolTable:
    """Return the scope around the global scope of a program."""
    return module(OF_KIND.get(kind, "public"))


@cache
def module(name: str) -> SymbolTable:
    """Return a module's scope; do not change it.

    Raises:
        UsageError: The module does not exist.
    """
    if name != "root" and name not in PARENTS:
        known = ", ".join(("root", *PARENTS))
        raise UsageError(f"unknown module {name!r}: expected one of {known}")
    outer = module(PARENTS[name]) if name in PARENTS else None
    made = SymbolTable(builtin=True, parent=outer)
    if name == "root":
        made.names |= ROOT_TYPES
    elif name == "private":
        made.names |= PRIVATE_TYPES
        made.names["sk_Caps"] = NamedSymbol(name="sk_Caps", builtin=True)
    elif name == "public":
        made.names |= ALIASES
        made.names |= {each: unknown_type(each) for each in PRIVATE_TYPES}
    elif name == "vert":
        _add_per_vertex(made)
    for variable in VARIABLES.get(name, ()):
        made.add(_variable(made, *variable))
    for function in _functions(made, SIGNATURES.get(name, "")):
        _overload(made, function)
    made.owned = list(made.names.values())
    return made


def _functions(table: SymbolTable, rows: str) -> Iterator[FunctionDeclaration]:
    for row in re.split(r"\n(?! )", rows.strip()):
        names, _, overloads = row.partition(":")
        for name in names.split():
            for flags, returns, parameters in OVERLOAD.findall(overloads):
                yield FunctionDeclaration(
                    modifiers=Modifiers(
                        layout=LayoutQualifier(), flags=sum(FLAGS[each] for each in flags)
                    ),
                    name=name,
                    parameters=[_parameter(table, each) for each in parameters.split(",") if each],
                    returns=_type(table, returns),
                    builtin=True,
                    has_body="=" in flags,
                )


def _parameter(table: SymbolTable, given: str) -> VariableSymbol:
    flags = OUT if given.startswith(">") else 0
    return VariableSymbol(
        modifiers=Modifiers(layout=LayoutQualifier(), flags=flags),
        name="",
        type=_type(table, given.removeprefix(">")),
        storage=VariableStorage.PARAMETER,
        builtin=True,
    )


def _type(table: SymbolTable, name: str) -> DataType:
    name, _, size = SHORT.get(name, name).partition("[")
    found = table.find(name)
    assert isinstance(found, DataType)
    return ArrayDataType(component=found, columns=int(size[:-1]), builtin=True) if size else found


def _overload(table: SymbolTable, function: FunctionDeclaration) -> None:
    """Add a function to a module; several of one name are a set.

    A function of an enclosing module is hidden, as it was when Skia compiled the module.
    """
    known = table.names.get(function.name)
    if isinstance(known, OverloadSet):
        known.functions.append(function)
    elif isinstance(known, FunctionDeclaration):
        table.names[function.name] = OverloadSet(functions=[known, function], builtin=True)
    else:
        table.names[function.name] = function


def _variable(
    table: SymbolTable, name: str, type_: str, flags: int, meaning: int | None
) -> VariableSymbol:
    layout = _layout(meaning)
    if meaning == Builtin.FRAG_COLOR:
        layout.flags |= LayoutFlag.LOCATION | LayoutFlag.INDEX
        layout.location = layout.index = 0
    return VariableSymbol(
        modifiers=Modifiers(layout=layout, flags=flags),
        name=name,
        type=_type(table, type_),
        storage=VariableStorage.GLOBAL,
        builtin=True,
    )


def _layout(meaning: int | None) -> LayoutQualifier:
    flags = 0 if meaning is None else LayoutFlag.BUILTIN
    return LayoutQualifier(flags=flags, builtin=ABSENT if meaning is None else meaning)


def _add_per_vertex(table: SymbolTable) -> None:
    """Add the block of a vertex program's outputs, whose members are used like variables."""
    members = [
        StructField(
            modifiers=Modifiers(layout=_layout(meaning), flags=0),
            name=name,
            type=_type(table, type_),
        )
        for name, type_, meaning in PER_VERTEX
    ]
    block = StructDataType(name="sk_PerVertex", members=members, interface_block=True, builtin=True)
    table.add(block)
    owner = VariableSymbol(
        modifiers=Modifiers(layout=LayoutQualifier(), flags=OUT),
        name="sk_PerVertex",
        type=block,
        storage=VariableStorage.GLOBAL,
        builtin=True,
    )
    table.owned.append(owner)
    for index in range(len(members)):
        table.add(FieldSymbol(owner=owner, index=index, builtin=True))
