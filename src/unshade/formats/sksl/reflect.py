"""Reflection of SkSL files, from the facts of the program."""

from typing import TYPE_CHECKING

from ...model import ComponentType, Reflection, SignatureParameter
from ...model.facts import ProgramPort, take_shared

if TYPE_CHECKING:
    from .shader import SkslShader

__all__ = ["identity", "reflect"]


def identity(shader: "SkslShader") -> Reflection:
    """Return a reflection with only the kind and the entry point."""
    found = Reflection(format=shader.format, code="sksl")
    purpose = shader.program.purpose()
    if purpose is not None:
        found.stage, found.model, found.profile = purpose
    for name, _ in shader.program.entry_points:
        found.entry_point = name
    return found


def reflect(shader: "SkslShader") -> Reflection:
    """Return the reflection of a program, or of a module: its functions."""
    found = identity(shader)
    found.functions = shader.program.functions()
    if not shader.program.is_program:
        return found
    facts = shader.program.interface()
    inputs, outputs = shader.program.component_types()
    found.inputs = [*map(_parameter, facts.inputs, inputs)]
    found.outputs = [*map(_parameter, facts.outputs, outputs)]
    found.resources = [each.resource for each in facts.resources]
    take_shared(found, facts)
    return found


def _parameter(port: ProgramPort, type_: ComponentType) -> SignatureParameter:
    return SignatureParameter(
        semantic=port.label,
        register=port.slot.location,
        components=port.components,
        used=port.components,
        component_type=type_,
        system_value=port.system_value,
        blend_source=port.slot.index,
    )
