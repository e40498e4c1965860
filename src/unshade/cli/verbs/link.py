"""`unshade link`: link objects into a shader."""

from ... import api
from ... import files as system
from ...errors import UnshadeError, UsageError
from .. import exits
from ..commands import LinkOptions
from ..inputs import expand, is_shader, with_name, words
from ..output import CommandOutput, note


def run(given: LinkOptions) -> int:
    """Link the objects in the given order and write the shader."""
    inputs = [item for item in expand(given.files) if item.chosen(is_shader)]
    if not inputs:
        raise UsageError(f"no objects found in {', '.join(given.files)}")
    for item in inputs:
        system.protect(item.path)
    if given.output != "-":
        system.check_output(given.output)
    objects = []
    for item in inputs:
        try:
            objects.append(item.open())
        except UnshadeError as error:
            note(with_name(item.name, words(error)))
            return exits.code_of(error)
    made = api.link(objects)
    with CommandOutput(given.output) as out:
        out.binary(made.to_bytes())
    for each in made.diagnostics:
        note(str(each))
    return exits.FINE
