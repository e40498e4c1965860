"""JSON Schemas of the output of verbs with `--json`.

one file          {"file": …, data}          or  {"file": …, "error": …}
several, a folder an array of such objects
two to compare    {"before": …, "after": …, data} and so on
a catalogue       one object, or an array of rows
"""

from typing import Any

from .declarations import module_of
from .shapes import shaped

TEXT = {"type": "string"}
FILE = {"description": "path as given; a file: URI if the path is not UTF-8", **TEXT}
PROBLEM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "kind": {"description": "class of the exception: FormatError, LimitError, …", **TEXT},
        "message": {"description": "error message", **TEXT},
        "offset": {"description": "FormatError: offset in bytes", "type": "integer"},
        "path": {"description": "FormatError: dotted path of the field", **TEXT},
    },
    "required": ["kind", "message"],
    "additionalProperties": False,
}
DAMAGE = {"description": "damage of the file; the other keys describe the intact parts", **PROBLEM}
ERROR: dict[str, Any] = {
    "type": "object",
    "description": "A file that could not be read.",
    "properties": {"file": FILE, "error": PROBLEM},
    "required": ["file", "error"],
    "additionalProperties": False,
}


def schema(verb: str) -> dict[str, Any]:
    """Return the schema of a verb's documents."""
    if verb == "diff":
        return _of_diff()
    if verb not in ("info", "reflect"):
        return _of_shape(verb)
    if verb == "info":
        from ..overview import schema as described

        inner = described()
        document = inner["$defs"].pop("Info")
        document = {
            **document,
            "properties": {"file": FILE, **document["properties"], "damage": DAMAGE},
            "required": ["file", *document["required"]],
        }
    else:
        from ..model import schema as reflection

        inner = reflection()
        document = {
            "type": "object",
            "description": "Inputs, outputs, resources and constants of a shader.",
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


def _of_shape(verb: str) -> dict[str, Any]:
    """Return the schema of a verb whose module declares the shape of its documents."""
    from importlib import import_module

    module = import_module(f".verbs.{module_of(verb)}", __package__)
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:unshade:{verb.replace(' ', '-')}-json:1",
    }
    if not hasattr(module, "SHAPE"):
        return {**head, **shaped(module.WHOLE), "$defs": {}}
    shapes = module.SHAPE if isinstance(module.SHAPE, tuple) else (module.SHAPE,)
    named = {f"Document{number or ''}": shaped(each) for number, each in enumerate(shapes)}
    names: dict[str, Any] = {"file": FILE}
    if verb == "prove":
        names = {name: {"anyOf": [TEXT, {"type": "null"}]} for name in ("before", "after")}
    for each in named.values():
        each["properties"] = {**names, **each["properties"], "damage": DAMAGE}
        each["required"] = [*names, *each["required"]]
    error = {**ERROR, "properties": {**names, "error": PROBLEM}, "required": [*names, "error"]}
    definitions = {**named, "Error": error}
    one = {"anyOf": [{"$ref": f"#/$defs/{name}"} for name in definitions]}
    whole = getattr(module, "WHOLE", None)
    others = [] if whole is None else [shaped(whole)]
    choices = [*one["anyOf"], {"type": "array", "items": one}, *others]
    return {**head, "anyOf": choices, "$defs": definitions}


def _of_diff() -> dict[str, Any]:
    from ..analysis.diff import schema as described

    inner = described()
    compared = inner["$defs"].pop("Diff")
    one = {
        "description": f"{FILE['description']}; null if there is no file",
        "anyOf": [TEXT, {"type": "null"}],
    }
    files = {"before": one, "after": one}

    def about(fields: dict[str, Any], **more: Any) -> dict[str, Any]:
        return {
            "type": "object", **more, "properties": {**files, **fields},
            "required": [*files, *fields], "additionalProperties": False,
        }  # fmt: skip

    facts = compared["properties"]
    alone = {name: facts[name] for name in ("verdict", "different")}
    documents = {
        "Compared": about(facts, description=compared["description"]),
        "Alone": about(alone, description="A shader that is in only one of two folders."),
        "Error": about({"error": ERROR["properties"]["error"]}, description=ERROR["description"]),
    }
    choices = {"anyOf": [{"$ref": f"#/$defs/{name}"} for name in documents]}
    return {
        "$schema": inner["$schema"],
        "$id": "urn:unshade:diff-json:1",
        "anyOf": [*choices["anyOf"], {"type": "array", "items": choices}],
        "$defs": {**documents, **inner["$defs"]},
    }
