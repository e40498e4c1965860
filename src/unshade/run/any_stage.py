"""Any stage but compute over arrays, called through the method that suits the stage."""

from collections.abc import Mapping
from typing import Any

from ..vocab.words import Stage
from .binding.results import Results
from .runner import Runner
from .stages.patches import split


def over(kernel: Runner, inputs: Mapping[Any, Any] | int, bindings: Mapping[str, Any]) -> Results:
    """Run any stage but compute over arrays by semantic.

    Stages other than the domain shader also run over a number of rows without inputs. The points
    of a domain shader are an input under their label.
    """
    match kernel.stage:
        case Stage.PIXEL:
            return kernel.shade(inputs, **bindings)
        case Stage.DOMAIN if isinstance(inputs, Mapping):
            return kernel.evaluate(*split(kernel.execution, inputs), **bindings)
        case Stage.GEOMETRY:
            return kernel.expand(inputs, **bindings)
        case Stage.LIBRARY if isinstance(inputs, Mapping):
            return kernel.call(inputs, **bindings)
        case Stage.HULL:
            return kernel.tessellate(inputs, **bindings)
        case _:
            return kernel.transform(inputs, **bindings)
