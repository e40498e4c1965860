"""Shapes of JSON documents, which verbs declare beside the code that makes the documents.

    "integer"  "string"  "number"  "boolean"  "any"      a value;  "integer?" may also be null
    [shape]                                              an array
    {"name": shape, "more?": shape}                      an object; `more` may be missing
    {"*": shape}                                         an object whose names are data
    (shape, shape)                                       one of several

`SHAPE` of a module in verbs/ is the document of one file, without its `file`; `WHOLE`, if there is
one, a document that describes no single file. A module that has only `WHOLE` prints no other.
"""

from typing import Any

Shape = str | list[Any] | dict[str, Any] | tuple[Any, ...]

__all__ = ["AMPLIFIES", "PRINTED", "STEP_THAT_DIFFERS", "Shape", "shaped"]

# Of shaders that print, as cli/kernels.printed_document writes it.
PRINTED: dict[str, Shape] = {
    "printed?": [{"thread": ["integer"], "text": "string", "line": "any"}],
    "unprinted?": "integer?",
}

# Of two traces, as run/debugging/compare.py and rounding.py write them.
STEP_THAT_DIFFERS: dict[str, Shape] = {
    "kind": "string", "before": "integer?", "after": "integer?"
}  # fmt: skip
AMPLIFIES: dict[str, Shape] = {
    "line": "integer", "factor": "any", "read": "any", "written": "any", "name": "string",
    "before": "integer", "after": "integer", "visits": "integer",
}  # fmt: skip


def shaped(shape: Shape) -> dict[str, Any]:
    """Return the JSON Schema of a shape."""
    if isinstance(shape, str):
        kind = shape.removesuffix("?")
        found: dict[str, Any] = {} if kind == "any" else {"type": kind}
        return {"anyOf": [found, {"type": "null"}]} if shape != kind else found
    if isinstance(shape, list):
        return {"type": "array", "items": shaped(shape[0])}
    if isinstance(shape, tuple):
        return {"anyOf": [shaped(each) for each in shape]}
    if "*" in shape:
        return {"type": "object", "additionalProperties": shaped(shape["*"])}
    return {
        "type": "object",
        "properties": {name.removesuffix("?"): shaped(each) for name, each in shape.items()},
        "required": [name for name in shape if not name.endswith("?")],
        "additionalProperties": False,
    }
