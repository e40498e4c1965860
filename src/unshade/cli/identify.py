"""`unshade identify`: what each file is, in a line."""

from collections.abc import Sequence

from .. import formats
from . import exits
from .guess import guess
from .inputs import Input
from .inputs import run as run_on
from .output import Output, visible


def run(files: Sequence[str], as_json: bool = False, output: str | None = None) -> int:
    """Say what each file starts like. Exit code 1 where one is no shader that unshade reads."""
    out = Output(output, as_json=as_json)

    def identify(item: Input) -> int:
        data = item.read()
        found = formats.identify(data)
        words = None if found else guess(data)[0]
        if as_json:
            out.document(item, {"format": found, "seems": words})
        else:
            out.text(f"{visible(item.name)}: {found or f'no shader, seems to be {words}'}\n")
        return exits.FINE if found else exits.FINDING

    return run_on(files, identify, out, wanted=lambda item: True)
