"""`unshade link`: one shader of several objects."""

from collections.abc import Sequence

from .. import api
from ..errors import UsageError
from . import exits
from .inputs import expand, is_shader
from .output import Output, note


def run(files: Sequence[str], output: str) -> int:
    """Link the objects in the order in which they are named, and write the shader."""
    inputs = [item for item in expand(files) if not item.found or is_shader(item)]
    if not inputs:
        raise UsageError(f"no objects in {', '.join(files)}")
    made = api.link([item.open() for item in inputs])
    with Output(output) as out:
        out.binary(made.to_bytes())
    for each in made.diagnostics:
        note(str(each))
    return exits.FINE
