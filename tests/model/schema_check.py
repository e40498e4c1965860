"""A validator of the part of JSON Schema that our schemas use."""

from __future__ import annotations

import re
from typing import Any

TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
    "object": dict,
    "array": list,
}
KNOWN = {
    *("$schema", "$id", "$defs", "$ref", "description", "type", "properties", "required"),
    *("additionalProperties", "items", "anyOf", "enum", "pattern", "minimum", "maximum"),
}


def violations(value: Any, schema: dict[str, Any]) -> list[str]:
    """Yield the violations of a schema, each with its path."""
    return list(_check(value, schema, schema["$defs"], "$"))


def _check(value: Any, rule: dict[str, Any], definitions: dict[str, Any], path: str) -> list[str]:
    assert set(rule) <= KNOWN, set(rule) - KNOWN
    found: list[str] = []
    if "$ref" in rule:
        found += _check(
            value, definitions[rule["$ref"].removeprefix("#/$defs/")], definitions, path
        )
    if "anyOf" in rule and all(_check(value, each, definitions, path) for each in rule["anyOf"]):
        found.append(f"{path}: {value!r} is none of the choices")
    if "enum" in rule and value not in rule["enum"]:
        found.append(f"{path}: {value!r} is not in the enumeration")
    if "type" in rule:
        right = isinstance(value, TYPES[rule["type"]])
        if not right or (isinstance(value, bool) and rule["type"] != "boolean"):
            return [*found, f"{path}: {value!r} is no {rule['type']}"]
    if "minimum" in rule and not rule["minimum"] <= value <= rule["maximum"]:
        found.append(f"{path}: {value} is not from {rule['minimum']} to {rule['maximum']}")
    if "pattern" in rule and not re.search(rule["pattern"], value):
        found.append(f"{path}: {value!r} does not match {rule['pattern']}")
    if "items" in rule:
        for index, item in enumerate(value):
            found += _check(item, rule["items"], definitions, f"{path}[{index}]")
    if rule.get("type") == "object":
        found += [f"{path}: no {name}" for name in rule.get("required", ()) if name not in value]
        for name, item in value.items():
            inner = rule.get("properties", {}).get(name, rule["additionalProperties"])
            if inner is False:
                found.append(f"{path}: {name} is not allowed")
            else:
                found += _check(item, inner, definitions, f"{path}.{name}")
    return found
