"""`unshade translate`: write compiled code as a module of SPIR-V."""

import re

from ...errors import UsageError
from .. import values
from ..commands import TranslateOptions
from ..inputs import Input
from ..inputs import run as run_on
from ..output import CommandOutput
from ..sources import use_if_asked
from ..targets import Targets

SUFFIX = ".spv"
PLACE = re.compile(r"(\d{1,9}):(\d{1,9})", re.ASCII)


def run(given: TranslateOptions) -> int:
    """Translate each file."""
    use_if_asked(given.sources, given.stage, given.entry)
    bindings = {}
    for name, text in values.named(given.bindings, "--bind", "NAME=SET:BINDING").items():
        found = PLACE.fullmatch(text)
        if found is None:
            raise UsageError(f"--bind: expected {name}=SET:BINDING, got {text!r:.40}")
        bindings[name] = int(found[1]), int(found[2])
    targets = Targets(given.output, [re.escape(SUFFIX)], given.files, one_each=True)
    options = values.options(given)

    def translate(item: Input) -> int:
        made = item.open().translate(
            given.target, bindings=bindings, program=given.program, **options
        )
        with CommandOutput(targets.place(item, SUFFIX)) as one:
            one.binary(made.to_bytes())
        return 0

    return run_on(given.files, translate, CommandOutput(fills_screen=False), targets=targets)
