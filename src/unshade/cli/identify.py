"""`unshade identify`: what each file is, in a line."""

from collections.abc import Sequence

from .. import formats
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
        words, near = (None, False) if found else guess(data)
        if as_json:
            out.document(item, {"format": found, "seems": words})
        else:
            what = "not supported yet" if near else "no compiled shader"
            out.text(f"{visible(item.name)}: {found or f'{what}, seems to be {words}'}\n")
        return exits.FINE if found else exits.UNSUPPORTED if near else exits.FINDING

    return run_on(files, identify, out, wanted=lambda item: True)
