"""Packing of modules into a VBC file, with a reflection that is given, derived, or both.

    modules        a module for each stage, by its entry point
    reflection     plain data of a file, of which any section may be left out

Sections that the reflection lacks are derived from the modules. Optimised modules contain no names
of members: such members are called `member0`, `member1`, … Modules do not contain unused
declarations either.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import FormatError, UsageError
from ...program import Program as BaseProgram
from ...wire.data import to_data
from .data import FORM, from_fields
from .program import Program, stage_of
from .records import DescriptorTableSizes, UniformMember, VbcFile
from .spelling import NAMES
from .vslc import Derived, derive

__all__ = ["pack"]

SECTIONS = ("version", "type", "tables", "inputs", "outputs", "bindings", "uniform", "subpasses")


def pack(
    modules: Sequence[BaseProgram],
    reflection: Mapping[str, Any] | None,
    names: Sequence[str] | None = None,
) -> VbcFile:
    """Return the record of a new file.

    Args:
        modules: The modules, in any order; each has an entry point of a graphics stage.
        reflection: Sections of the file as plain data; those that are missing are derived.
        names: Names of the modules for errors.

    Raises:
        UsageError: Two modules are for the same stage, a module is for an unsupported stage, or the
            reflection contains an unknown section.
        FormatError: A section does not describe records.
    """
    stages: dict[str, Program] = {}
    labels: dict[str, str] = {}
    for at, each in enumerate(modules):
        label = names[at] if names is not None else f"module {at}"
        if not isinstance(each, Program):
            raise UsageError(f"{label}: expected a SPIR-V program, got {type(each).__name__}")
        name = stage_of(each)
        if name is None:
            there = ", ".join(stage for _, stage in each.entry_points) or "none"
            raise UsageError(f"{label}: expected an entry point of a graphics stage, got {there}")
        if name in stages:
            raise UsageError(f"two modules of stage {name}: {labels[name]} and {label}")
        stages[name], labels[name] = each, label
    given = {key: value for key, value in (reflection or {}).items() if key != "format"}
    unknown = given.keys() - set(SECTIONS) - set(NAMES) - {FORM}
    if unknown:
        known = ", ".join(SECTIONS)
        raise UsageError(f"unknown section {min(map(str, unknown))!r}: expected one of {known}")
    made = _derived(derive(stages)) | {key: given[key] for key in SECTIONS if key in given}
    made |= {name: program.encode().hex() for name, program in stages.items()}
    try:
        return from_fields(made)[0]
    except FormatError as error:
        raise FormatError(error.problem, path=error.path.replace("VBC", "reflection", 1)) from None


def _derived(found: Derived) -> dict[str, Any]:
    """Return the sections of the reflection that the modules have."""
    tables = DescriptorTableSizes()
    for (_, name), size in found.tables.items():
        setattr(tables, name, size)
    mask = sum(1 << NAMES.index(each.stage) for each in found.uniforms if each.used)
    uniform: dict[str, Any] = {"size": 0}
    if found.uniforms:
        # Of several blocks the one with names counts, else the largest.
        block = max(found.uniforms, key=lambda each: (_names(each.members), each.size))
        members = [
            UniformMember(
                name=each.name or f"member{at}",
                offset=each.offset,
                base=each.base,
                rows=each.rows,
                columns=each.columns,
                count=each.count,
            )
            for at, each in enumerate(block.members)
        ]
        uniform = {"size": block.size, "stages": mask, "members": [to_data(m) for m in members]}
    indices = {index: each for (_, index), each in found.subpasses.items()}
    if sorted(indices) != list(range(len(indices))):
        there = ", ".join(f"{at} ({found.subpass_names[at]})" for at in sorted(indices))
        wanted = (
            "subpass input 0" if len(indices) == 1 else f"subpass inputs 0 to {len(indices) - 1}"
        )
        raise UsageError(f"expected {wanted} at set 2, got binding {there}")
    return {
        "version": 1,
        "type": 1,
        "tables": to_data(tables),
        "inputs": [to_data(each) for each in found.inputs],
        "outputs": [to_data(each) for each in found.outputs],
        "bindings": [to_data(each) for each in found.merged()],
        "uniform": uniform,
        "subpasses": [to_data(indices[at]) for at in sorted(indices)],
    }


def _names(members: Sequence[UniformMember]) -> int:
    return sum(bool(each.name) for each in members)
