"""`unshade translate`: write compiled code as a module of SPIR-V, or as WGSL."""

import re

from ...errors import UsageError
from ...screens.text import visible
from ...vocab.made import VULKAN_MODULE, WEBGPU_SOURCE
from .. import values
from ..commands import TranslateOptions
from ..inputs import Input
from ..inputs import run as run_on
from ..output import CommandOutput
from ..sources import use_if_asked
from ..targets import Targets, language_of

SUFFIXES = {VULKAN_MODULE: ".spv", WEBGPU_SOURCE: ".wgsl"}
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
    to = language_of(given.to, given.output, SUFFIXES, VULKAN_MODULE)
    suffix = SUFFIXES[to]
    endings = [re.escape(suffix)]
    is_text = to == WEBGPU_SOURCE
    targets = Targets(given.output, endings, given.files, one_each=not is_text)
    options = {
        "bindings": bindings, "program": given.program, "lines": given.lines,
        **values.options(given),
    }  # fmt: skip
    out = CommandOutput(fills_screen=is_text)

    def translate(item: Input) -> int:
        shader = item.open()
        if is_text:
            text = shader.translate(WEBGPU_SOURCE, **options)
            place = targets.place(item, suffix if targets.folder else "")
            out.text_of_file(text, place, f"// {visible(item.name)}")
            return 0
        made = shader.translate(target=given.target, **options)
        with CommandOutput(targets.place(item, suffix)) as one:
            one.binary(made.to_bytes())
        return 0

    return run_on(given.files, translate, out, targets=targets)
