"""`unshade find`: find shaders inside larger files, archives and compressed data."""

from typing import Any

from ... import archives
from ...errors import UnshadeError
from ...files import write_atomically
from ...formats import Found
from ...screens.text import visible
from .. import exits
from ..commands import FindOptions
from ..inputs import Input, plain, words
from ..inputs import run as run_on
from ..output import CommandOutput, note
from ..targets import Targets
from .extract import safe

HASH = 12  # digits of a hash in the list
UNKNOWN = "-"


def run(given: FindOptions) -> int:
    """List the shaders inside each file.

    Returns 1 if no file contains shaders, 3 if a shader is damaged. `extract` is a folder to write
    them to, named by file and offset.
    """
    out = CommandOutput(given.output, as_json=given.as_json)
    targets = Targets(given.extract, [r"@[0-9a-f]+\..*"], given.files, always=True)

    def find(item: Input) -> int:
        listed = []
        code = exits.FINE
        problem: UnshadeError | None = None
        shaders = archives.find(item.view(), strict=False)
        while True:
            try:
                found = next(shaders, None)
            except UnshadeError as error:  # what was found before counts
                problem = error
                break
            if found is None:
                break
            out.see("shader")
            if found.damage is not None:
                code = max(code, exits.code_of(found.damage))
            if given.extract is not None:
                place = targets.place(item, _ending(found))
                assert place is not None
                write_atomically(place, found.data)
            if given.as_json:
                listed.append(_facts(found))
            else:
                out.text(f"{visible(item.name)}!{_line(found)}\n")
        document: dict[str, Any] = {"found": listed}
        if problem is not None:
            note(f"{item.name}: {words(problem)}")
            code = max(code, exits.code_of(problem))
            document["error"] = plain(problem, words(problem))
        if given.as_json:
            out.document(item, document)
        return code

    code = run_on(given.files, find, out, wanted=lambda item: True, targets=targets)
    return exits.FINDING if code == exits.FINE and not out.seen else code


def _line(found: Found) -> str:
    """Return the line of the list for a shader, without its file."""
    known = (found.stage, found.profile, found.name, found.hash[:HASH])
    fields = [visible(found.path), f"{found.size:>9,}", found.format]
    fields += [visible(each) if each else UNKNOWN for each in known]
    if found.damage is not None:
        fields.append(f"damaged: {visible(str(found.damage))}")
    return "  ".join(fields)


def _facts(found: Found) -> dict[str, Any]:
    """Return what JSON has about a shader."""
    facts: dict[str, Any] = found._asdict()
    facts |= {
        "path": found.path,
        "steps": [each._asdict() for each in found.steps],
        "stage": found.stage,
        "profile": found.profile,
        "name": found.name,
        "hash": found.hash,
    }
    if found.damage is not None:
        facts["damage"] = plain(found.damage, words(found.damage))
    return facts


def _ending(found: Found) -> str:
    """Return the end of the name of a shader's file: `@1f00.zstd@40.dxbc`."""
    outer = "".join(
        f"@{each.offset:x}.{each.name}" + (f".{safe(each.entry)}" if each.entry else "")
        for each in found.steps
    )
    mark = "" if found.damage is None else ".damaged"
    return f"{outer}@{found.offset:x}{mark}.{found.suffix}"
