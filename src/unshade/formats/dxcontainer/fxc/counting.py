"""STAT as fxc writes it: the counts of `programs.tpf.facts` under STAT's names.

    statistics   instructions, float_instructions, …       the model's names
    STAT         instruction_count, float_instruction_count, …
                 and the values of declarations: dcl_maxout, dcl_tessellator_domain, …

vkd3d's compiler counts differently: instruction_count includes declarations, `and`, `or` and `xor`
are bitwise operations, accesses of shared memory are loads and stores, and control flow and
declarations are not counted.
"""

from typing import TYPE_CHECKING, Any

from ....errors import UnsupportedError, UsageError
from ....programs.tpf import Program
from ....programs.tpf.facts.statistics import FXC, instruction_count
from ....programs.tpf.tables.ops import OPS
from ....programs.tpf.tables.tokens import (
    ControlPoints,
    GsPrimitive,
    GsTopology,
    TessDomain,
    TessOutputPrimitive,
    TessPartitioning,
)
from ....vocab import fxc
from ....vocab.d3d import ShaderKind
from ..parts.program import NAMES as PROGRAMS
from ..parts.stat import IN_MODEL, ShaderStatistics

if TYPE_CHECKING:
    from ..container import Container

__all__ = ["FXC", "count", "counted", "declared_facts", "instruction_count", "recount"]

Version = tuple[int, int]
# By the opcode of a declaration: the field that repeats it, and its control bits, or None for the
# first dword.
DECLARED = {
    OPS[name].code: values
    for name, values in {
        "dcl_inputprimitive": ("input_primitive", GsPrimitive.primitive),
        "dcl_outputtopology": ("gs_output_topology", GsTopology.topology),
        "dcl_maxout": ("gs_max_output_vertex_count", None),
        "dcl_gsinstances": ("gs_instance_count", None),
        "dcl_input_control_point_count": ("input_primitive", ControlPoints.count),
        "dcl_output_control_point_count": ("control_points", ControlPoints.count),
        "dcl_tessellator_domain": ("tessellator_domain", TessDomain.domain),
        "dcl_tessellator_partitioning": ("hs_partitioning", TessPartitioning.partitioning),
        "dcl_tessellator_output_primitive": (
            "hs_output_primitive",
            TessOutputPrimitive.output_primitive,
        ),
    }.items()
}
INPUT_POINTS = OPS["dcl_input_control_point_count"].code
PATCH = 7  # primitive 7 + n is a patch of n control points


def counted(version: Version = FXC) -> tuple[str, ...]:
    """Return the fields of STAT that `count` computes; of fxc 9, the number of mov is left out."""
    names = (field.name for field in ShaderStatistics.layout.fields)
    return tuple(name for name in names if version >= (10, 0) or name != IN_MODEL["moves"])


def declared_facts(program: Program) -> dict[str, int]:
    """Return the fields of STAT that repeat declarations, with the declared values."""
    found: dict[str, int] = {}
    listed = program.listed
    for at, code in enumerate(program.opcodes()):
        if code not in DECLARED:
            continue
        each = listed[at]
        name, bits = DECLARED[code]
        if code != INPUT_POINTS:
            if bits is not None:
                found[name] = bits.of(each.token)
            elif each.words:
                found[name] = each.words[0]
        elif program.kind == ShaderKind.DOMAIN:
            found["control_points"] = ControlPoints.count.of(each.token)
        else:
            found[name] = PATCH + ControlPoints.count.of(each.token)
    return found


def count(
    program: Program, *, version: Version = FXC, extended: bool | None = None
) -> ShaderStatistics:
    """Return the counters of a program as fxc of that version writes them.

    With `extended`, the record includes the fields that Shader Model 5 added; by default they are
    included if the program's model is 5.0 or later.
    """
    found = program.statistics(version=version)
    values: dict[str, Any] = {field.name: 0 for field in ShaderStatistics.layout.fields}
    values |= {theirs: getattr(found, ours) for ours, theirs in IN_MODEL.items()}
    values |= declared_facts(program)
    values["is_sample_frequency"] = int(program.facts().sample_frequency)
    if extended is None:
        extended = program.model >= (5, 0)
    if not extended:
        values |= {field.name: None for field in ShaderStatistics.layout.fields if field.when}
    return ShaderStatistics(**values)


# ---------------------------------------------------------------- STAT


def recount(container: "Container") -> dict[str, tuple[int, int]]:
    """Recompute STAT and return (before, after) of each counter that changed."""
    part = container.parts.get("STAT")
    if part is None:
        raise UsageError(
            "no part STAT to recount; shader['STAT'] = counting.count(program) adds one"
        )
    stated = part.value
    if part.error is not None:
        raise UsageError(f"STAT cannot be read: {part.error}")
    if not isinstance(stated, ShaderStatistics):
        raise UnsupportedError("expected STAT with counters, got a DXIL program for reflection")
    programs = (each.value for each in container.parts.all(*PROGRAMS))
    program = next((each for each in programs if isinstance(each, Program)), None)
    if program is None:
        raise UsageError("no part SHDR or SHEX with a readable program to count")
    definition = container.parts.get("RDEF")
    creator = getattr(definition.value, "creator", None) if definition is not None else None
    version = fxc.version(creator) or FXC
    found = count(program, version=version, extended=stated.control_points is not None)
    changed = {}
    for name in counted(version):
        before, now = getattr(stated, name), getattr(found, name)
        if before != now and now is not None:
            changed[name] = before, now
            setattr(stated, name, now)
    return changed
