"""`unshade to-yaml`: convert shaders to YAML or JSON that can be edited and converted back."""

import json
import re

from ...errors import UsageError
from ..commands import ToYamlOptions
from ..inputs import Input, tell_damage
from ..inputs import run as run_on
from ..output import CommandOutput
from ..sources import use_if_asked
from ..targets import Targets


def run(given: ToYamlOptions) -> int:
    """Convert each file to a separate YAML or JSON file, by default without loss."""
    use_if_asked(given.sources, given.stage, given.entry)
    if given.dialect is not None and given.format != "yaml":
        raise UsageError(f"--dialect cannot be combined with --format {given.format}")
    suffix = f".{given.format}"
    targets = Targets(given.output, [re.escape(suffix)], given.files, one_each=True)
    out = CommandOutput()

    def convert(item: Input) -> int:
        from ...yaml import to_yaml

        shader = item.open(strict=False)
        if given.format == "json":
            text = json.dumps(shader.to_data(), indent=2, ensure_ascii=False) + "\n"
        else:
            text = to_yaml(shader, given.dialect)
        out.text_of_file(text, targets.place(item, suffix))
        return tell_damage(item, shader)

    return run_on(given.files, convert, out, targets=targets)
