"""`unshade parts`: list the parts of containers."""

from ..commands import PartsOptions
from ..inputs import Input, damage_data, tell_damage
from ..inputs import run as run_on
from ..output import CommandOutput
from ..sources import use_if_asked

PART = {
    "name": "string", "offset": "integer", "size": "integer", "extents": [["integer"]],
    "title": "string", "state": "string",
}  # fmt: skip
SHAPE = {"format": "string", "size": "integer", "parts": [PART]}


def run(given: PartsOptions) -> int:
    """List the parts of each file: offset, size, contents."""
    use_if_asked(given.sources, given.stage, given.entry)
    out = CommandOutput(given.output, as_json=given.as_json)

    def parts(item: Input) -> int:
        from ...overview import parts_of

        shader = item.open(strict=False)
        size = len(shader.to_bytes())
        found = parts_of(shader)
        if given.as_json:
            listed = [part.to_dict() for part in found]
            data = {"format": shader.format, "size": size, "parts": listed}
            out.document(item, {**data, **damage_data(shader)})
        else:
            from ...screens.parts import screen

            out.blocks(screen(item.name, shader.format, found, size, len(shader.trailing)))
        return tell_damage(item, shader)

    return run_on(given.files, parts, out)
