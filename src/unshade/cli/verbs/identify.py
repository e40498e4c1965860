"""`unshade identify`: identify each file in one line."""

from typing import Any

from ... import api, formats
from ...errors import UnshadeError
from ...model.reflection import Reflection
from ...screens.reflection import headline
from ...screens.text import visible
from .. import exits
from ..commands import IdentifyOptions
from ..guess import guess
from ..inputs import Input
from ..inputs import run as run_on
from ..output import CommandOutput

SHAPE = {
    "format": "string?", "seems": "string?", "stage?": "string?", "model?": "string?",
    "profile?": "string?", "entry_points?": [{"entry_point": "string?", "stage": "string?"}],
}  # fmt: skip


def run(given: IdentifyOptions) -> int:
    """Identify each file; return 1 if a file is not a shader, 4 if its format is unsupported."""
    out = CommandOutput(given.output, as_json=given.as_json)

    def identify(item: Input) -> int:
        data = item.read()
        found = formats.identify(data)
        if found is None:
            words, near = guess(data)
            verdict = f"{'not supported yet' if near else 'not a compiled shader'}: {words}"
            facts = {"format": None, "seems": words}
        else:
            near = False
            verdict, facts = found, {"format": found, "seems": None}
            known = _identity(data)
            if known is not None:
                facts |= _facts(known)
                verdict += f", {headline(known)}" if known.stage or known.entry_points else ""
        if given.as_json:
            out.document(item, facts)
        else:
            out.line(f"{visible(item.name)}: {verdict}")
        return exits.FINE if found else exits.UNSUPPORTED if near else exits.FINDING

    return run_on(given.files, identify, out, wanted=lambda item: True)


def _identity(data: bytes) -> Reflection | None:
    """Return stage and model; None if the file is too damaged."""
    try:
        shader = api.loads(data, strict=False)
        found = shader.identity()
    except UnshadeError:
        return None
    return found if shader.editable or found.stage or found.entry_points else None


def _facts(found: Reflection) -> dict[str, Any]:
    """Return the keys of a reflection that identify a shader."""
    whole = found.to_dict()
    facts = {name: whole.get(name) for name in ("stage", "model", "profile")}
    names = "entry_point", "stage"
    several = [{name: each.get(name) for name in names} for each in whole.get("entry_points", ())]
    return facts | ({"entry_points": several} if several else {})
