"""`unshade from-yaml`: the shader that a YAML text describes."""

from collections.abc import Sequence

from ..errors import FormatError
from ..formats import format_named
from . import exits
from .inputs import Input
from .inputs import run as run_on
from .output import Output, Targets


def run(files: Sequence[str], output: str | None = None) -> int:
    """Write each YAML text as the shader it describes."""
    targets = Targets(output, "", files, one_each=True)

    def convert(item: Input) -> int:
        from ..yaml import from_yaml

        try:
            text = item.read().decode("utf-8")
        except UnicodeDecodeError as error:
            raise FormatError("not YAML: not UTF-8 either", offset=error.start) from None
        shader = from_yaml(text)
        data = shader.to_bytes()
        targets.suffix = format_named(shader.format).suffix
        with Output(targets.place(item)) as one:
            one.binary(data)
        return exits.FINE

    return run_on(files, convert, Output(fills_screen=False), wanted=_is_yaml, what="YAML file")


def _is_yaml(item: Input) -> bool:
    return item.path.endswith((".yaml", ".yml"))
