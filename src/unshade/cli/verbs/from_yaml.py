"""`unshade from-yaml`: convert YAML back to a shader."""

import re

from ...errors import FormatError
from ...formats import format_named, identify, suffixes
from .. import exits
from ..commands import FromYamlOptions
from ..inputs import Input
from ..inputs import run as run_on
from ..output import CommandOutput
from ..targets import Targets


def run(given: FromYamlOptions) -> int:
    """Convert each YAML file to a shader."""
    endings = [re.escape(each) for each in suffixes()]
    targets = Targets(given.output, endings, given.files, one_each=True)

    def convert(item: Input) -> int:
        from ...yaml import from_yaml

        data = item.read()
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            format = identify(data)
            if format is not None:
                raise FormatError(
                    f"expected YAML, got a compiled shader ({format}): see `unshade to-yaml`"
                ) from None
            raise FormatError("invalid YAML: not UTF-8", offset=error.start) from None
        shader = from_yaml(text)
        data = shader.to_bytes()
        suffix = format_named(shader.format).suffix
        with CommandOutput(targets.place(item, suffix)) as one:
            one.binary(data)
        return exits.FINE

    out = CommandOutput(fills_screen=False)
    return run_on(given.files, convert, out, wanted=_is_yaml, what="YAML file", targets=targets)


def _is_yaml(item: Input) -> bool:
    return item.path.endswith((".yaml", ".yml"))
