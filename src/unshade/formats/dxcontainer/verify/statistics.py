"""Checks of STAT and SFI0 against the program."""

from ....vocab.features import FEATURES
from ..fxc.counting import declared_facts, instruction_count
from ..parts.sfi0 import FeatureInfo
from ..parts.stat import ShaderStatistics
from .places import ContainerFindings

DIGITS = {each.name: bit for bit, each in enumerate(FEATURES)}
KNOWN = (1 << len(FEATURES)) - 1
# Features that a program shows it needs, and the evidence.
STATED = {
    "Doubles": "dcl_globalFlags has enable_double_precision",
    "MinimumPrecision": "dcl_globalFlags has enable_minimum_precision",
    "DX11_1_DoubleExtensions": "dcl_globalFlags has enable_double_extensions",
    "DX11_1_ShaderExtensions": "dcl_globalFlags has enable_shader_extensions",
    "ROVs": "an unordered access view is rasterizer ordered",
    "UAVsAtEveryStage": "the stage has unordered access views",
    "StencilRef": "the stencil reference is written",
    "InnerCoverage": "inner coverage is read",
}


def check_statistics(found: ContainerFindings) -> None:
    """Check STAT of a program, unless it holds only zeros and so was never filled in."""
    part = found.first("STAT")
    declared = found.declared
    stat = None if part is None else part.reading.value
    if part is None or declared is None or not isinstance(stat, ShaderStatistics):
        return
    assert found.program is not None
    program = found.program.value
    if not stat.instruction_count:
        return
    count = instruction_count(program)
    # vkd3d's compiler counts declarations too.
    total = len(program.listed)
    if stat.instruction_count not in (count, total):
        expected = f"expected {count} instructions, or {total} with declarations"
        message = f"{expected}, got {stat.instruction_count}"
        found.part("stat.instruction-count", part, message, "instruction_count")
    temps = declared.temp_registers
    if temps != stat.temp_register_count:
        message = f"expected {temps} registers, as dcl_temps has, got {stat.temp_register_count}"
        found.part("stat.temp-count", part, message, "temp_register_count")
    for name, wanted in declared_facts(program).items():
        value = getattr(stat, name)
        if not value and found.by_vkd3d:  # which leaves those of tessellation 0
            continue
        if value is not None and value != wanted:
            message = f"expected {name} {wanted}, as the program declares, got {value}"
            found.part("stat.stage", part, message, name)


def check_features(found: ContainerFindings) -> None:
    """Check SFI0 against the features that the program needs."""
    declared = found.declared
    info = found.first("SFI0")
    value = info.reading.value if info is not None else None
    flags = value.flags if isinstance(value, FeatureInfo) else 0
    if info is not None and flags & ~KNOWN:
        found.part("sfi0.unknown", info, f"bits 0x{flags & ~KNOWN:x}", "flags")
    if declared is None or found.program is None:
        return
    for name, why in STATED.items() if declared.features else ():
        if name in declared.features and not flags >> DIGITS[name] & 1:
            found.part("sfi0.missing", found.program, f"{name} is not in SFI0: {why}")
