"""`unshade to-yaml`: a shader as YAML that can be edited and turned back."""

from collections.abc import Sequence

from . import exits
from .inputs import Input
from .inputs import run as run_on
from .output import Output
from .targets import Targets


def run(files: Sequence[str], output: str | None = None) -> int:
    """Write each file as YAML; several as a file each, since `from-yaml` reads one shader."""
    targets = Targets(output, [r"\.yaml"], files, one_each=True)
    out = Output()

    def convert(item: Input) -> int:
        from ..yaml import to_yaml

        text = to_yaml(item.open())
        place = targets.place(item, ".yaml")
        if place is not None:
            with Output(place) as one:
                one.text(text)
        else:
            out.text(text)
        return exits.FINE

    return run_on(files, convert, out, targets=targets)
