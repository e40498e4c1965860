"""`unshade find`: find shaders inside larger files, archives and compressed data."""

from collections.abc import Callable, Iterator
from typing import Any

from ... import archives
from ...errors import UnshadeError, UsageError
from ...files import write_atomically
from ...screens.text import many, visible
from ...search import Found
from .. import exits, templates
from ..commands import FindOptions
from ..found import (
    UNIQUE,
    UNKNOWN,
    default_name,
    facts_of,
    fields_of,
    limits_of,
    line_of,
    named_writer,
    searched,
)
from ..inputs import Input, plain, with_name, words
from ..inputs import run as run_on
from ..output import Collected, CommandOutput, note
from ..targets import Targets

PLACE = {"file": "string", "path": "string"}
FOUND = {
    "offset": "integer", "size": "integer", "format": "string", "path": "string", "steps": ["any"],
    "stage": "string?", "profile": "string?", "name": "string?", "hash": "string",
    "damage?": "any", "key?": "string?",
}  # fmt: skip
SHAPE = {"found": [FOUND], "error?": "any"}
_NAMED = [{"file": "string", **FOUND, "copies?": [PLACE]}]
_PROBLEMS = {"errors?": [{"file": "string", "error": "any"}]}
WHOLE = (  # of --unique and --group-by
    {"found": _NAMED, **_PROBLEMS},
    {"groups": [{"key": "string?", "found": _NAMED}], **_PROBLEMS},
)


def run(given: FindOptions) -> int:
    """List the shaders inside each file.

    Returns 1 if no file contains shaders, 3 if a shader is damaged. `extract` is a folder to write
    them to, named by file and offset, or by `template`.
    """
    limits = limits_of(given.limits)
    template = given.template or (UNIQUE if given.unique else None)
    if template is not None:
        templates.check(template, fields_of(None, None))
        if given.template and given.extract is None:
            raise UsageError("--template names files of --extract FOLDER, which is missing")
    grouped = given.unique or given.group_by is not None
    out: CommandOutput = CommandOutput(given.output, as_json=given.as_json)
    if grouped:
        out = Collected(given.output, lambda out: _show_groups(out, given))
    targets = Targets(given.extract, [r"@[0-9a-f]+\..*"], given.files, always=True)
    write = _writer(given.extract, template, targets)
    key = None if given.group_by is None else _key(given.group_by)

    def find(item: Input) -> int:
        listed = []
        seen = False
        code = exits.FINE
        data = searched(item, limits)
        shaders = archives.find(data, strict=False, limits=limits)
        for found in (problems := _Problems(shaders)):
            out.see("shader")
            seen = True
            if found.damage is not None:
                code = max(code, exits.code_of(found.damage))
            write(item, found)
            if given.as_json or grouped:
                facts = {} if key is None else {"key": key(found)}
                listed.append(facts_of(found) | facts)
            else:
                out.line(f"{visible(item.name)}!{line_of(found)}")
        document: dict[str, Any] = {"found": listed}
        if problems.error is not None:
            note(with_name(item.name, words(problems.error)))
            code = max(code, exits.code_of(problems.error))
            document["error"] = plain(problems.error, words(problems.error))
        elif not seen:
            note(f"{item.name}: no shaders found in {many(len(data), 'byte')}")
        if given.as_json or grouped:
            out.document(item, document)
        return code

    code = run_on(given.files, find, out, wanted=lambda item: True, targets=targets)
    return exits.FINDING if code == exits.FINE and not out.seen else code


class _Problems:
    """The shaders of a search, and the error that it ended with."""

    def __init__(self, shaders: Iterator[Found]) -> None:
        self.shaders = shaders
        self.error: UnshadeError | None = None

    def __iter__(self) -> Iterator[Found]:
        try:
            yield from self.shaders
        except UnshadeError as error:
            self.error = error


def _key(name: str) -> Callable[[Found], str | None]:
    """Return the function that gives the key of a group."""
    from ...analysis.identities import KEYS

    def key(found: Found) -> str | None:
        try:
            return KEYS[name](found.open())
        except UnshadeError:
            return None

    return key


def _writer(
    folder: str | None, template: str | None, targets: Targets
) -> Callable[[Input, Found], None]:
    """Return the function that writes a shader to a file, if one is to be written."""
    named = None if folder is None or template is None else named_writer(folder, template)

    def write(item: Input, found: Found) -> None:
        if folder is None:
            return
        if named is not None:
            named(item, found)
            return
        place = targets.place(item, default_name(found))
        assert place is not None
        write_atomically(place, found.data)

    return write


# ---------------------------------------------------------------- groups


def _show_groups(out: Collected, given: FindOptions) -> None:
    """Print the shaders that were found in all files, in groups."""
    found = [
        {"file": document["file"], **each}
        for document in out.documents
        for each in document.get("found", ())
    ]
    if given.unique:
        first: dict[str, dict[str, Any]] = {}
        for each in found:
            kept = first.setdefault(each["hash"], each | {"copies": []})
            if each["path"] != kept["path"] or each["file"] != kept["file"]:
                kept["copies"].append({"file": each["file"], "path": each["path"]})
        found = [*first.values()]
    groups: dict[str | None, list[dict[str, Any]]] = {}
    for each in found:
        groups.setdefault(each.pop("key", None), []).append(each)
    order = sorted(groups, key=lambda key: (key is None, -len(groups[key])))
    errors = [each for each in out.documents if "error" in each]
    if given.as_json:
        named = [{"key": key, "found": groups[key]} for key in order]
        shown: dict[str, Any] = {"groups": named} if given.group_by else {"found": found}
        problems = [{"file": each["file"], "error": each["error"]} for each in errors]
        out.json(shown | ({"errors": problems} if problems else {}))
        return
    for key in order:
        indent = ""
        if given.group_by:
            shaders = many(len(groups[key]), "shader")
            out.line(f"{given.group_by} {key or UNKNOWN}  {shaders}")
            indent = "  "
        for each in groups[key]:
            copies = len(each.get("copies", ()))
            more = f"  and {many(copies, 'copy', 'copies')}" if copies else ""
            out.line(f"{indent}{visible(each['file'])}!{line_of(each)}{more}")
