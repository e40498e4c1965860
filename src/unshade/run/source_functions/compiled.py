"""The functions of a source, each called by a compute shader that is compiled for the call."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...compilers import compiled_shader, declared_functions
from ...compilers.jobs import Job
from ...compilers.signatures import DeclaredFunction, DeclaredParameter
from ...errors import UsageError
from ...vocab.words import Stage
from . import wrapper
from .calls import FunctionKernel
from .choice import CalledOverload
from .overloads import Overload, OverloadParameter

if TYPE_CHECKING:
    from ..binding.bindings import Binding

__all__ = ["SourceOrigin"]


class SourceOrigin:
    """A source whose functions are called."""

    def __init__(self, job: Job, compiler: str | None, options: Mapping[str, Any]) -> None:
        self._job = job
        self._compiler = compiler
        self._options = options
        self._named: dict[str, list[DeclaredFunction]] = {}
        for each in declared_functions(job, compiler):
            self._named.setdefault(each.name, []).append(each)

    @property
    def names(self) -> list[str]:
        """The names of the functions."""
        return [*self._named]

    def overloads(self, name: str) -> tuple[Overload, ...]:
        """Return the overloads of a function."""
        return tuple(map(_overload, self._named[name]))

    def kernel(self, call: CalledOverload) -> FunctionKernel:
        """Return the kernel that calls a function with these of its parameters."""
        from .. import kernel

        declared = call.overload.function
        text = self._job.text + wrapper.wrapper(declared, call.given, call.overload.resources)
        job = self._job._replace(
            text=text,
            entries=((wrapper.ENTRY, Stage.COMPUTE),),
            options=(*self._job.options, *wrapper.OPTIONS),
        )
        shader = compiled_shader(job, self._compiler)
        made = kernel(shader, entry=wrapper.ENTRY, **self._options)
        made.title = declared.name
        keys = {name: each for each in made.bindings for name in each.called}
        ours: list[Binding] = []

        def key(name: str) -> Any:
            """Return the key of a buffer; None if the function does not need it."""
            found = keys.get(name)
            if found is None:
                return None
            ours.append(found)
            return found.resource.key

        for at, each in call.overload.resources:
            _name(made.bindings, wrapper.resource_name(at), each.name)
        written = [at for at, each in enumerate(declared.parameters) if each.written]
        inputs = {at: key(wrapper.input_name(at)) for at in call.values}
        outputs = {at: key(wrapper.output_name(at)) for at in written}
        result, count = key(wrapper.RESULT), key(wrapper.CONSTANTS)
        others = [each for each in made.bindings if each not in ours]
        return FunctionKernel(made, inputs, outputs, result, count, others, words=True)


def _name(bindings: "Sequence[Binding]", name: str, parameter: str) -> None:
    """Call a resource by the name of its parameter."""
    found = next((each for each in bindings if name in each.called), None)
    if found is None:  # the function does not use it
        return
    if any(parameter in each.called for each in bindings):
        raise UsageError(f"the parameter {parameter} has the name of a resource of the source")
    found.label = parameter


def _overload(declared: DeclaredFunction) -> Overload:
    resources = tuple(
        (at, each) for at, each in enumerate(declared.parameters) if wrapper.is_resource(each.type)
    )
    values = declared._replace(
        parameters=tuple(each for each in declared.parameters if not wrapper.is_resource(each.type))
    )
    result = declared.result
    of_result = [] if result is None else [DeclaredParameter("result", result)]
    for each in (*values.parameters, *of_result):
        why = wrapper.refusal(each.type)
        if why:
            refusal = UsageError(f"{declared.name}: {each.name}: {why}")
            return Overload(declared, (), None, refusal)
    parameters = tuple(
        OverloadParameter(each, wrapper.layout_of(each.type)) for each in values.parameters
    )
    layout = None if result is None else wrapper.layout_of(result)
    whole = declared if resources else None
    return Overload(values, parameters, layout, resources=resources, whole=whole)
