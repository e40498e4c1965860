"""The JSON Schema of what a verb prints with `--json`: that of its data, and what surrounds it.

one file          {"file": …, data}          or  {"file": …, "error": …}
several, a folder an array of such objects
"""

from typing import Any

TEXT = {"type": "string"}
FILE = {"description": "as it was named", **TEXT}
ERROR = {
    "type": "object",
    "description": "A file that could not be read.",
    "properties": {
        "file": FILE,
        "error": {
            "type": "object",
            "properties": {
                "kind": {"description": "the exception: FormatError, LimitError, …", **TEXT},
                "message": {"description": "a sentence", **TEXT},
                "offset": {"description": "FormatError: bytes from the start", "type": "integer"},
                "path": {"description": "FormatError: dotted path of the field", **TEXT},
            },
            "required": ["kind", "message"],
            "additionalProperties": False,
        },
    },
    "required": ["file", "error"],
    "additionalProperties": False,
}


def schema(verb: str) -> dict[str, Any]:
    """Of `info` or `reflect`."""
    if verb == "info":
        from ..overview import schema as described

        inner = described()
        document = inner["$defs"].pop("Info")
        document = {
            **document,
            "properties": {"file": FILE, **document["properties"]},
            "required": ["file", *document["required"]],
        }
    else:
        from ..model import schema as reflection

        inner = reflection()
        document = {
            "type": "object",
            "description": "What a shader takes, gives and uses.",
            "properties": {"file": FILE, "reflection": {"$ref": "#/$defs/Reflection"}},
            "required": ["file", "reflection"],
            "additionalProperties": False,
        }
    one = {"anyOf": [{"$ref": "#/$defs/Document"}, {"$ref": "#/$defs/Error"}]}
    return {
        "$schema": inner["$schema"],
        "$id": f"urn:unshade:{verb}-json:1",
        "anyOf": [*one["anyOf"], {"type": "array", "items": one}],
        "$defs": {"Document": document, "Error": ERROR, **inner["$defs"]},
    }
