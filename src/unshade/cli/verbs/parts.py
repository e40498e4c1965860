"""`unshade parts`: list the parts of containers."""

from collections.abc import Sequence

from ..inputs import Input, damage_data, tell_damage
from ..inputs import run as run_on
from ..output import CommandOutput


def run(files: Sequence[str], as_json: bool = False, output: str | None = None) -> int:
    """List the parts of each file: offset, size, contents."""
    out = CommandOutput(output, as_json=as_json)

    def parts(item: Input) -> int:
        from ...overview import parts_of

        shader = item.open(strict=False)
        size = len(shader.to_bytes())
        found = parts_of(shader)
        if as_json:
            listed = [part.to_dict() for part in found]
            data = {"format": shader.format, "size": size, "parts": listed}
            out.document(item, {**data, **damage_data(shader)})
        else:
            from ...screens.parts import screen

            out.blocks(screen(item.name, shader.format, found, size, len(shader.trailing)))
        return tell_damage(item, shader)

    return run_on(files, parts, out)
