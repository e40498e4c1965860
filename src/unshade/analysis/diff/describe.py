"""Short descriptions of values in a reflection."""

from typing import Any

from ...model import (
    ConstantBuffer,
    Member,
    Resource,
    SignatureParameter,
    TypeDescription,
    Variable,
)
from ...model.plain import Facts


def described(value: Any) -> str:
    """Return a short description: `t3: texture 2d, float4`, `float4 color at 16`."""
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case bytes():
            return value.hex()
        case Resource():
            return _resource(value)
        case SignatureParameter():
            place = "" if value.register is None else f", register {value.register}"
            return f"{value.semantic}{value.index or ''}.{value.components}{place}"
        case Variable() | Member():
            return f"{value.type.declaration(value.name)} at {value.offset}"
        case ConstantBuffer():
            count = len(value.variables)
            members = f", {count} variable{'s' * (count != 1)}" if count else ""
            return f"{str(value.kind).replace('_', ' ')}, {value.size} bytes{members}"
        case TypeDescription():
            return value.declaration("").strip().replace(" [", "[")
        case Facts():
            return _facts(value)
        case list() | tuple():
            return ", ".join(map(described, value)) or "none"
        case dict():
            return ", ".join(f"{key} {described(each)}" for key, each in value.items())
    return str(value)


def _resource(value: Resource) -> str:
    shape = f" {value.dimension}" if value.kind == "texture" and value.dimension else ""
    access = "read-write " if value.writable else ""
    count = "" if value.count == 1 else f", {value.count} of them" if value.count else ", unbounded"
    returned = f", {value.return_type}{value.components or ''}" if value.return_type else ""
    return f"{value.where}: {access}{str(value.kind).replace('_', ' ')}{shape}{returned}{count}"


def _facts(value: Facts) -> str:
    """Return the fields that differ from their defaults."""
    texts = []
    for name, field in value.FIELDS.items():
        each = getattr(value, name)
        if each is not None and each not in (field.default, []):
            texts.append(f"{name.replace('_', ' ')} {described(each)}")
    return ", ".join(texts)
