"""Checks of STAT and SFI0 against the program that they were made with."""

from ....programs.tpf import Program
from ....programs.tpf.enumerations import OperandType
from ....programs.tpf.tokens import GlobalFlags, UavDcl
from ....programs.tpf.verify import Scope
from ....vocab.d3d import ShaderKind
from ..fxc.counting import declared_facts, instruction_count
from ..parts.sfi0 import FEATURES, FeatureInfo
from ..parts.stat import Statistics
from .places import Report

DIGITS = {name: bit for bit, name, _ in FEATURES}
KNOWN = sum(1 << bit for bit, _, _ in FEATURES)
# Bits of dcl_globalFlags that hardware has to know of.
FLAGS = (
    (GlobalFlags.enable_double_precision, "Doubles"),
    (GlobalFlags.enable_minimum_precision, "MinimumPrecision"),
    (GlobalFlags.enable_double_extensions, "DX11_1_DoubleExtensions"),
    (GlobalFlags.enable_shader_extensions, "DX11_1_ShaderExtensions"),
)


def check_statistics(found: Report, program: Program) -> None:
    """STAT of a program; one that holds only zeros was never filled in."""
    part = found.container.parts.get("STAT")
    declared = found.declared
    if part is None or declared is None or not isinstance(part.value, Statistics):
        return
    stat = part.value
    if not stat.instruction_count:
        return
    count = instruction_count(program)
    # vkd3d's compiler counts declarations too.
    total = len(program.instructions)
    if stat.instruction_count not in (count, total):
        has = f"the program has {count}, {total} with its declarations"
        message = f"{stat.instruction_count} instructions, {has}"
        found.part("stat.instruction-count", part, message, "instruction_count")
    temps = max(phase.temps or 0 for phase in declared.phases)
    if temps != stat.temp_register_count:
        message = f"{stat.temp_register_count} registers, dcl_temps says {temps}"
        found.part("stat.temp-count", part, message, "temp_register_count")
    for name, wanted in declared_facts(program).items():
        value = getattr(stat, name)
        if value is not None and value != wanted:
            message = f"{name} is {value}, the program declares {wanted}"
            found.part("stat.stage", part, message, name)


def check_features(found: Report) -> None:
    """SFI0 against what the program needs."""
    declared = found.declared
    info = found.container.parts.get("SFI0")
    value = info.value if info is not None else None
    flags = value.flags if isinstance(value, FeatureInfo) else 0
    if info is not None and flags & ~KNOWN:
        found.part("sfi0.unknown", info, f"bits 0x{flags & ~KNOWN:x}", "flags")
    if declared is None or found.program is None:
        return
    for name, why in _needed(declared).items():
        if not flags >> DIGITS[name] & 1:
            found.part("sfi0.missing", found.program, f"{name} is not in SFI0: {why}")


def _needed(declared: Scope) -> dict[str, str]:
    """The features that the declarations show, each with the reason."""
    needed = {
        name: f"dcl_globalFlags has {bit.name}"
        for bit, name in FLAGS
        if bit.of(declared.flags or 0)
    }
    views = declared.bound.get(OperandType.UNORDERED_ACCESS_VIEW, {})
    if any(UavDcl.rasterizer_ordered.of(view.token) for view in views.values()):
        needed["ROVs"] = "a view is rasterizer ordered"
    if views and declared.kind not in (ShaderKind.PIXEL, ShaderKind.COMPUTE):
        needed["UAVsAtEveryStage"] = "the stage has views"
    masks = declared.phase.masks
    if OperandType.OUTPUT_STENCIL_REF in masks:
        needed["StencilRef"] = "the stencil reference is written"
    if OperandType.INNER_COVERAGE in masks:
        needed["InnerCoverage"] = "inner coverage is read"
    return needed
