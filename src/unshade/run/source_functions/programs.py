"""The functions of a compiled shader, which are called directly: no compiler takes part."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...compilers.signatures import DeclaredFunction
from ...errors import UnshadeError
from .calls import FunctionKernel
from .choice import CalledOverload
from .overloads import Overload, overload_of_parameters

if TYPE_CHECKING:
    from ...shader import Shader
    from ..kernels import Kernel

__all__ = ["ProgramOrigin"]


class ProgramOrigin:
    """A shader whose functions are called."""

    def __init__(self, shader: "Shader", options: Mapping[str, Any]) -> None:
        self._shader = shader
        self._options = options
        self._named: dict[str, list[tuple[int, str]]] = {}
        self._kernels: dict[tuple[int, str], Kernel] = {}
        for number, program in enumerate(shader.programs):
            for name, functions in program.callables.items():
                self._named.setdefault(name, []).extend((number, each) for each in functions)

    @property
    def names(self) -> list[str]:
        """The names of the functions."""
        return [*self._named]

    def overloads(self, name: str) -> tuple[Overload, ...]:
        """Return the overloads of a function."""
        return tuple(self._overload(name, where) for where in self._named[name])

    def kernel(self, call: CalledOverload) -> FunctionKernel:
        """Return the kernel of a function."""
        overload = call.overload
        made = self._kernels[overload.where]
        slots = {each.name: each for each in made.program.declared.parameters}
        inputs, outputs = {}, {}
        for at, each in enumerate(overload.parameters):
            slot = slots[each.name]
            if slot.read:
                inputs[at] = slot.slot
            if slot.written:
                outputs[at] = slot.slot
        names = {each.name for each in overload.parameters}
        result = next((each.slot for name, each in slots.items() if name not in names), None)
        return FunctionKernel(made, inputs, outputs, result, None, made.bindings)

    def _overload(self, name: str, where: tuple[int, str]) -> Overload:
        from .. import kernel

        try:
            number, function = where
            made = kernel(self._shader, number, function, **self._options)
        except UnshadeError as error:
            return Overload(DeclaredFunction(name, (), None), (), None, error, where)
        made.title = name
        self._kernels[where] = made
        return overload_of_parameters(name, made.program.declared.parameters, where)
