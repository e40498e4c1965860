"""Reflection of a DirectX container in the terms of the model.

    stage, model      SHDR/SHEX, DXIL, ILDB: the version token; else RDEF
    resources         RDEF joined with the program's declarations
    signatures        ISGN/ISG1, OSGN/OSG5/OSG1, PCSG/PSG1 joined with those
    the rest          the program; STAT, SFI0, IFCE, RTS0, HASH

A part that cannot be read is left out and noted. For DXIL, the facts that other containers have in
RDEF and the program are in the metadata of the bitcode (`bitcode.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from ....model import Reflection, ShaderHash, Stage, Statistics
from ....model.facts import ProgramFacts, take_shared
from ....model.templates import FactsTemplate
from ....vocab.numbers import flag_names
from ....vocab.slots import Direction, Rate
from ..container import Container
from ..parts.program import NAMES as PROGRAMS
from ..parts.signature import INPUTS, OUTPUTS, PATCH_CONSTANTS, ProgramSignature
from ..parts.stat import IN_MODEL, ShaderStatistics
from . import signatures
from .identity import identity
from .resources import constant_buffers, resources

if TYPE_CHECKING:
    from ....program import Program
    from ..part import DxPart
    from ..parts import hash as hashes
    from ..parts import ifce, rdef, rts0, sfi0
    from ..readings import PartReading

DOMAIN, MESH, PIXEL = Stage.DOMAIN, Stage.MESH, Stage.PIXEL
INPUT, OUTPUT = Direction.INPUT, Direction.OUTPUT
PATCH, PRIMITIVE = Rate.PATCH, Rate.PRIMITIVE

# D3DCOMPILE_*, from d3dcompiler.h.
COMPILE_FLAGS = (
    (0x00_0001, "debug"),
    (0x00_0002, "skip_validation"),
    (0x00_0004, "skip_optimization"),
    (0x00_0008, "pack_matrix_row_major"),
    (0x00_0010, "pack_matrix_column_major"),
    (0x00_0020, "partial_precision"),
    (0x00_0040, "force_vs_software_no_opt"),
    (0x00_0080, "force_ps_software_no_opt"),
    (0x00_0100, "no_preshader"),
    (0x00_0200, "avoid_flow_control"),
    (0x00_0400, "prefer_flow_control"),
    (0x00_0800, "enable_strictness"),
    (0x00_1000, "enable_backwards_compatibility"),
    (0x00_2000, "ieee_strictness"),
    (0x00_4000, "optimization_level0"),
    (0x00_8000, "optimization_level3"),
    (0x04_0000, "warnings_are_errors"),
    (0x08_0000, "resources_may_alias"),
    (0x10_0000, "enable_unbounded_descriptor_tables"),
    (0x20_0000, "all_resources_bound"),
)
_STATED = attrgetter(*IN_MODEL.values())

PartsByName = Mapping[str, Sequence["DxPart"]]


def reflect(container: Container) -> Reflection:
    """Return the reflection of the shader in a container."""
    found = identity(container)
    parts = container.parts.by_name()
    defined = _reading(found, parts.get("RDEF", ()))
    definition: rdef.ResourceDefinition | None = None if defined is None else defined.value
    program: Program | None = _value(found, container.parts.all(*PROGRAMS))
    declared = None if program is None else program.facts()
    if found.code == "dxil":
        from .bitcode import bitcode_facts

        declared = bitcode_facts(found, container)
    elif found.code is None and container.parts.get("LIBF") is not None:
        found.notes.append("the functions of a library (LIBF) are not read yet")
    if definition is not None:
        flags = flag_names(COMPILE_FLAGS, definition.flags)
        found.assign(creator=definition.creator, compile_flags=flags)
    bound = resources(defined, declared)
    buffers = constant_buffers(definition, bound, declared)
    found.assign(resources=bound, constant_buffers=buffers)
    _signatures(found, parts, declared)
    if declared is not None:
        _declared(found, declared)
    counted = _value(found, parts.get("STAT", ()))
    is_fxc = found.code != "dxil"  # beside DXIL the part has a program
    stated = counted if is_fxc and isinstance(counted, ShaderStatistics) else None
    found.statistics = _statistics(stated, program)
    if found.statistics is None and declared is not None:
        found.statistics = declared.statistics
    if found.stage == PIXEL and (stated is not None or declared is not None):
        sampled = declared is not None and declared.sample_frequency
        found.sample_frequency = sampled or (
            stated is not None and bool(stated.is_sample_frequency)
        )
    _features(found, parts, declared)
    linkage: ifce.ClassLinkage | None = _value(found, container.parts.all("IFCE", "ICFE"))
    if linkage is not None or (declared is not None and declared.interfaces):
        from .interfaces import interfaces

        found.interfaces = interfaces(linkage, declared)
    roots: rts0.SerializedRootSignature | None = _value(found, parts.get("RTS0", ()))
    if roots is not None:
        from .rootsignature import root_signature

        found.root_signature = root_signature(roots)
    hashed: hashes.DxilShaderHash | None = _value(found, parts.get("HASH", ()))
    if hashed is not None:
        found.hash = ShaderHash(digest=hashed.digest, includes_source=bool(hashed.flags & 1))
    found.complete = not found.notes
    return found


def _value(found: Reflection, parts: Sequence[DxPart]) -> Any:
    """Return the first of some parts that is typed, or None; note each that is damaged.

    The value must not be changed.
    """
    reading = _reading(found, parts)
    return None if reading is None else reading.value


def _reading(found: Reflection, parts: Sequence[DxPart]) -> PartReading | None:
    for part in parts:
        reading = part.reading
        if not isinstance(reading.value, bytes):
            return reading
        if part.error is not None:
            found.notes.append(f"{part.name} could not be read: {part.error}")
    return None


# ---------------------------------------------------------------- the rest


def _signatures(found: Reflection, parts: PartsByName, declared: ProgramFacts | None) -> None:
    stage = found.stage
    of_patch = INPUT if stage == DOMAIN else OUTPUT, PRIMITIVE if stage == MESH else PATCH
    groups = (
        ("inputs", INPUTS, INPUT, None),
        ("outputs", OUTPUTS, OUTPUT, None),
        ("patch_constants", PATCH_CONSTANTS, *of_patch),
    )
    rows = {}
    for field, kinds, direction, rate in groups:
        ports = getattr(declared, field) if declared is not None else ()
        first = None
        for kind in kinds:
            for part in parts.get(kind, ()):
                reading = part.reading
                if isinstance(reading.value, ProgramSignature):
                    first = first or reading
                elif part.error is not None:
                    found.notes.append(f"{part.name} could not be read: {part.error}")
        if first is not None:
            rows[field] = signatures.parameters(first, direction, rate, stage, ports)
        if found.code == "dxil" and not rows.get(field):  # of a PDB, which has no signature parts
            rows[field] = list(map(FactsTemplate, signatures.of_ports(ports)))
    found.defer(**rows)


def _declared(found: Reflection, declared: ProgramFacts) -> None:
    found.creator = found.creator or declared.creator
    places = (each.slot.place for each in declared.builtins)
    found.builtins = [each for each in places if isinstance(each, str)]
    take_shared(found, declared)


def _statistics(stated: ShaderStatistics | None, program: Program | None) -> Statistics | None:
    """Return the counts of STAT, else counts of the program as fxc 10 would have written them.

    fxc 9 counts some operations differently, but without STAT and RDEF the compiler is unknown.
    """
    if stated is not None:
        return Statistics.of_values(zip(IN_MODEL, _STATED(stated), strict=True), computed=False)
    return None if program is None else program.statistics()


def _features(found: Reflection, parts: PartsByName, declared: ProgramFacts | None) -> None:
    info: sfi0.FeatureInfo | None = _value(found, parts.get("SFI0", ()))
    if info is not None:
        from ..parts.sfi0 import feature_names

        found.features = feature_names(info.flags)
    elif declared is not None and declared.features:
        from ....vocab.features import FEATURES

        found.features = [each.name for each in FEATURES if each.name in declared.features]
