"""`unshade to-yaml`: a shader as YAML that can be edited and turned back."""

from collections.abc import Sequence

from .inputs import Input, tell_damage
from .inputs import run as run_on
from .output import Output
from .targets import Targets


def run(files: Sequence[str], output: str | None = None) -> int:
    """Write each file as YAML; several as a file each, since `from-yaml` reads one shader."""
    targets = Targets(output, [r"\.yaml"], files, one_each=True)
    out = Output()

    def convert(item: Input) -> int:
        from ..yaml import to_yaml

        shader = item.open(strict=False)
        text = to_yaml(shader)
        place = targets.place(item, ".yaml")
        if place is not None:
            with Output(place) as one:
                one.text(text)
        else:
            out.text(text)
        return tell_damage(item, shader)

    return run_on(files, convert, out, targets=targets)
