"""`unshade identify`: what each file is, in a line."""

from collections.abc import Sequence
from typing import Any

from .. import api, formats
from ..errors import UnshadeError
from ..model.reflection import Reflection
from ..screens.reflection import headline
from ..screens.text import visible
from . import exits
from .guess import guess
from .inputs import Input
from .inputs import run as run_on
from .output import Output


def run(files: Sequence[str], as_json: bool = False, output: str | None = None) -> int:
    """Say what each file starts like. Exit code 1 where one is no shader, 4 where it is to come."""
    out = Output(output, as_json=as_json)

    def identify(item: Input) -> int:
        data = item.read()
        found = formats.identify(data)
        if found is None:
            words, near = guess(data)
            what = "not supported yet" if near else "no compiled shader"
            told, facts = f"{what}, seems to be {words}", {"format": None, "seems": words}
        else:
            near = False
            told, facts = found, {"format": found, "seems": None}
            known = _identity(data)
            if known is not None:
                facts |= _facts(known)
                told += f", {headline(known)}" if known.stage or known.entry_points else ""
        if as_json:
            out.document(item, facts)
        else:
            out.text(f"{visible(item.name)}: {told}\n")
        return exits.FINE if found else exits.UNSUPPORTED if near else exits.FINDING

    return run_on(files, identify, out, wanted=lambda item: True)


def _identity(data: bytes) -> Reflection | None:
    """Stage and model; None where the file is too damaged to tell."""
    try:
        shader = api.loads(data, strict=False)
        found = shader.identity()
    except UnshadeError:
        return None
    return found if shader.editable or found.stage or found.entry_points else None


def _facts(found: Reflection) -> dict[str, Any]:
    """The facts of a reflection that an identity has, under the names that they have there."""
    whole = found.to_dict()
    told = {name: whole.get(name) for name in ("stage", "model", "profile")}
    names = "entry_point", "stage"
    several = [{name: each.get(name) for name in names} for each in whole.get("entry_points", ())]
    return told | ({"entry_points": several} if several else {})
