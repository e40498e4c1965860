"""Separation of the values of `--bind`: inputs by semantic, bindings, and unknown names.

--bind SV_Position=…     an input, as run, render and debug take it
--bind X=…               a binding
--bind Z=…               unknown name 'Z'; known: X, TEXCOORD1
"""

from typing import TYPE_CHECKING, Any

from ..errors import UsageError

if TYPE_CHECKING:
    from ..run.runner import Runner


def split_inputs(kernel: "Runner", given: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split arguments into inputs by semantic and others; UsageError for an unknown name."""
    from ..run.binding.arguments import variables
    from ..run.binding.bindings import arrays_of
    from ..run.binding.suggestions import suggestion

    names = [name for each in kernel.bindings for name in each.names]
    known = {*names, *variables(kernel.bindings), *arrays_of(kernel.bindings)}
    inputs = {}
    for name in list(given):
        if name in names:
            continue
        if is_input(kernel, name):
            inputs[name] = given.pop(name)
        elif name not in known:
            usual = [each.names[-1] for each in kernel.bindings]
            listed = [*input_names(kernel), *usual, *variables(kernel.bindings)]
            raise UsageError(f"unknown name {name!r}{suggestion(name, listed)}")
    return inputs, given


def is_input(kernel: "Runner", name: str) -> bool:
    """Return whether a name names an input, in any spelling."""
    parameters = {each.name for each in kernel.lowered.parameters}
    return (
        name in parameters
        or kernel.input(name) is not None
        or (kernel.stage == "domain" and name == kernel.program.domain_label)
    )


def input_names(kernel: "Runner") -> list[str]:
    """Return the usual names of the inputs of a vertex, pixel, primitive, patch or function."""
    rows = [*kernel.inputs, *(kernel.patch_constants if kernel.stage == "domain" else ())]
    found = [row.label for row in rows if row.needed]
    found += [each.name for each in kernel.lowered.parameters if each.read]
    return [*found, kernel.program.domain_label] if kernel.stage == "domain" else found
