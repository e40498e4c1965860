"""`unshade to-yaml`: convert shaders to YAML that can be edited and converted back."""

from collections.abc import Sequence

from ..inputs import Input, tell_damage
from ..inputs import run as run_on
from ..output import CommandOutput
from ..targets import Targets


def run(files: Sequence[str], dialect: str | None = None, output: str | None = None) -> int:
    """Convert each file to a YAML file of its own, by default without loss."""
    targets = Targets(output, [r"\.yaml"], files, one_each=True)
    out = CommandOutput()

    def convert(item: Input) -> int:
        from ...yaml import to_yaml

        shader = item.open(strict=False)
        text = to_yaml(shader, dialect)
        place = targets.place(item, ".yaml")
        if place is not None:
            with CommandOutput(place) as one:
                one.text(text)
        else:
            out.text(text)
        return tell_damage(item, shader)

    return run_on(files, convert, out, targets=targets)
