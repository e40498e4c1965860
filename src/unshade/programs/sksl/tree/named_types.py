"""The types that programs know by name: scalars, vectors, matrices, generics, children, aliases.

    float  half4  half3x3      $genType: float, float2, float3 or float4      vec4: float4

Source: SkSLBuiltinTypes.cpp and the modules of Skia's milestone 104.
"""

from .types import BuiltinType, DataType, NumberKind, TypeKind

__all__ = [
    "ALIASES",
    "BOOL",
    "FLOAT",
    "FLOAT_LITERAL",
    "HALF",
    "INT",
    "INT_LITERAL",
    "INVALID",
    "PRIVATE_TYPES",
    "ROOT_TYPES",
    "UINT",
    "VOID",
    "compound",
    "unknown_type",
]


def _type(
    name: str,
    kind: TypeKind,
    number: NumberKind = NumberKind.NONE,
    priority: int = 0,
    bits: int = 0,
    columns: int = 1,
    rows: int = 1,
    component: DataType | None = None,
    choices: tuple[DataType, ...] = (),
) -> BuiltinType:
    made = BuiltinType(
        name=name, kind=kind, columns=columns, rows=rows, number=number, priority=priority,
        bits=bits, choices=choices, builtin=True,
    )  # fmt: skip
    made.component = component or made
    return made


SCALARS = (  # name, kind of number, priority, bits
    ("float",  NumberKind.FLOAT,    10, 32),
    ("half",   NumberKind.FLOAT,    9,  16),
    ("int",    NumberKind.SIGNED,   7,  32),
    ("uint",   NumberKind.UNSIGNED, 6,  32),
    ("short",  NumberKind.SIGNED,   4,  16),
    ("ushort", NumberKind.UNSIGNED, 3,  16),
    ("bool",   NumberKind.BOOL,     0,  1),
)  # fmt: skip


def _roots() -> dict[str, BuiltinType]:
    found: dict[str, BuiltinType] = {}

    def add(made: BuiltinType) -> BuiltinType:
        found[made.name] = made
        return made

    add(_type("void", TypeKind.VOID))
    for name, kind, priority, bits in SCALARS:
        scalar = add(_type(name, TypeKind.SCALAR, kind, priority, bits))
        for size in (2, 3, 4):
            args = (TypeKind.VECTOR, kind, priority, bits, size, 1, scalar)
            add(_type(f"{name}{size}", *args))
    for name in ("float", "half"):
        scalar = found[name]
        for columns in (2, 3, 4):
            for rows in (2, 3, 4):
                kind_, priority, bits = scalar.number, scalar.priority, scalar.bits
                args = (TypeKind.MATRIX, kind_, priority, bits, columns, rows, scalar)
                add(_type(f"{name}{columns}x{rows}", *args))
    add(_type("$floatLiteral", TypeKind.LITERAL, NumberKind.FLOAT, 8, 32))
    add(_type("$intLiteral", TypeKind.LITERAL, NumberKind.SIGNED, 5, 32))
    invalid = _type("<INVALID>", TypeKind.INVALID)
    for name, scalar_name in GENERICS:
        sizes = tuple(found[f"{scalar_name}{size}"] for size in ("", 2, 3, 4))
        if name.startswith("$gen"):
            add(_type(name, TypeKind.GENERIC, choices=sizes))
        else:
            add(_type(name, TypeKind.GENERIC, choices=(invalid, *sizes[1:])))
    for short, name in (("", "float"), ("h", "half")):
        each = [found[f"{name}{c}x{r}"] for c in (2, 3, 4) for r in (2, 3, 4)]
        square = (invalid, *(found[f"{name}{size}x{size}"] for size in (2, 3, 4)))
        add(_type(f"${short}mat", TypeKind.GENERIC, choices=tuple(each)))
        add(_type(f"$square{short.upper()}Mat", TypeKind.GENERIC, choices=square))
    for name in ("shader", "colorFilter", "blender"):
        add(_type(name, TypeKind.CHILD))
    found["<INVALID>"] = invalid
    return found


GENERICS = (
    ("$genType",  "float"),
    ("$genHType", "half"),
    ("$genIType", "int"),
    ("$genUType", "uint"),
    ("$genBType", "bool"),
    ("$vec",      "float"),
    ("$hvec",     "half"),
    ("$ivec",     "int"),
    ("$uvec",     "uint"),
    ("$svec",     "short"),
    ("$usvec",    "ushort"),
    ("$bvec",     "bool"),
)  # fmt: skip

ROOT_TYPES: dict[str, BuiltinType] = _roots()
INVALID = ROOT_TYPES.pop("<INVALID>")

BOOL = ROOT_TYPES["bool"]
FLOAT = ROOT_TYPES["float"]
HALF = ROOT_TYPES["half"]
INT = ROOT_TYPES["int"]
UINT = ROOT_TYPES["uint"]
VOID = ROOT_TYPES["void"]
FLOAT_LITERAL = ROOT_TYPES["$floatLiteral"]
INT_LITERAL = ROOT_TYPES["$intLiteral"]

# Types of the private modules: no runtime effect may use them.
PRIVATE_TYPES: dict[str, BuiltinType] = {
    name: _type(name, kind)
    for kind, names in (
        (
            TypeKind.SAMPLER,
            "sampler1D sampler2D sampler3D samplerExternalOES sampler2DRect isampler2D sampler",
        ),
        (TypeKind.OTHER, "subpassInput subpassInputMS texture2D"),
    )
    for name in names.split()
}


def _aliases() -> dict[str, BuiltinType]:
    pairs = []
    for short, name in (("", "float"), ("i", "int"), ("b", "bool")):
        pairs += [(f"{short}vec{size}", f"{name}{size}") for size in (2, 3, 4)]
    pairs += [(f"mat{size}", f"float{size}x{size}") for size in (2, 3, 4)]
    pairs += [(f"mat{c}x{r}", f"float{c}x{r}") for c in (2, 3, 4) for r in (2, 3, 4)]
    return {name: _alias(name, ROOT_TYPES[target]) for name, target in pairs}


def _alias(name: str, target: BuiltinType) -> BuiltinType:
    made = _type(
        name, target.kind, target.number, target.priority, target.bits,
        target.columns, target.rows, target.component,
    )  # fmt: skip
    made.target = target
    return made


# GLSL's names, which the public module has. A file keeps the name that the source used.
ALIASES: dict[str, BuiltinType] = _aliases()


def compound(component: DataType, columns: int, rows: int = 1) -> DataType:
    """Return the scalar, vector or matrix of a component type; INVALID if there is none."""
    name = component.resolved.name
    if rows > 1:
        name = f"{name}{columns}x{rows}"
    elif columns > 1:
        name = f"{name}{columns}"
    return component if columns == rows == 1 else ROOT_TYPES.get(name, INVALID)


def unknown_type(name: str) -> BuiltinType:
    """Return a type with only a name."""
    return _type(name, TypeKind.INVALID)
