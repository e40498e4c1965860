"""`unshade pack`: pack modules into a container."""

from typing import Any

from ... import api
from ... import files as system
from ...errors import FormatError, UnshadeError, UsageError
from ...formats import Format, format_named, known
from .. import exits
from ..commands import PackOptions
from ..inputs import Input, expand, is_shader, with_name, words
from ..output import CommandOutput, note


def run(given: PackOptions) -> int:
    """Pack the modules and write the container."""
    made_as = _format(given.output, given.format)
    inputs = [item for item in expand(given.files) if item.chosen(is_shader)]
    if not inputs:
        raise UsageError(f"no modules found in {', '.join(given.files)}")
    for item in inputs:
        system.protect(item.path)
    if given.reflection is not None:
        system.protect(given.reflection)
    if given.output != "-":
        system.check_output(given.output)
    described = None if given.reflection is None else _plain(Input(given.reflection))
    modules = {}
    for item in inputs:
        if item.name in modules:
            raise UsageError(f"{item.name} is given twice")
        try:
            modules[item.name] = item.open()
        except UnshadeError as error:
            note(with_name(item.name, words(error)))
            return exits.code_of(error)
    made = api.pack(modules, made_as.name, described)
    for each in made.diagnostics:
        note(f"{given.output}: {each}")
    with CommandOutput(given.output) as out:
        out.binary(made.to_bytes())
    return exits.FINE


def _plain(item: Input) -> Any:
    """Return the plain data of a YAML file."""
    from ...yaml import plain

    try:
        return plain(item.read().decode("utf-8"))
    except UnicodeDecodeError as error:
        raise FormatError("invalid YAML: not UTF-8", offset=error.start) from None


def _format(output: str, name: str | None) -> Format:
    """Return the format of that name, or the packing format with the suffix of the output."""
    if name is not None:
        return format_named(name)
    able = [each for each in known() if each.packs]
    fitting = [each for each in able if output.endswith(each.suffix)] or able
    if len(fitting) == 1:
        return fitting[0]
    names = ", ".join(each.name for each in able)
    raise UsageError(f"-o {output}: the format is unknown: give --format, one of {names}")
