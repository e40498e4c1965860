"""Checks of each executable: stage, entry point, geometry mode, masks."""

from typing import Any

from ....vocab.pica import FLOATS, INPUTS, OUTPUTS, PicaGeometryMode
from ..records import ShaderType
from .places import ShbinFindings

MERGE = 1
GEOMETRY = ("fixed_start", "variable_vertices", "fixed_vertices")
OF_MODE = {  # the fields that each mode reads
    PicaGeometryMode.POINT: (),
    PicaGeometryMode.VARIABLE: ("variable_vertices",),
    PicaGeometryMode.FIXED: ("fixed_start", "fixed_vertices"),
}


def check_executables(report: ShbinFindings) -> None:
    """Check every DVLE, or the object."""
    file = report.file
    for index, each in file.distinct():
        lead = file.prefix(index)
        _check_stage(report, each, lead)
        if file.format == "shbin":
            _check_code(report, each, lead)
            _check_geometry(report, each, lead)
        _check_masks(report, each, lead)
    if file.format == "dvoj":
        _check_object(report)


def _check_stage(report: ShbinFindings, each: Any, lead: str) -> None:
    if each.type not in (ShaderType.VERTEX, ShaderType.GEOMETRY):
        report.add("shbin.stage", f"expected stage 0 or 1, got {each.type}", f"{lead}type")
    known = MERGE if each.type == ShaderType.GEOMETRY else 0
    if each.flags & ~known:
        report.add("shbin.flags", f"bits 0x{each.flags & ~known:02x} are set", f"{lead}flags")


def _check_code(report: ShbinFindings, each: Any, lead: str) -> None:
    words = len(report.file.code_holder.code)
    if each.main >= max(words, 1):
        report.add(
            "shbin.entry",
            f"the entry point is word {each.main}; the code has {words}",
            f"{lead}main",
        )
    elif each.end and not each.main <= each.end <= words:
        message = f"the code is words {each.main} to {each.end}; the code table has {words}"
        report.add("shbin.end", message, f"{lead}end")


def _check_geometry(report: ShbinFindings, each: Any, lead: str) -> None:
    mode = each.geometry_mode
    if each.type != ShaderType.GEOMETRY:
        wanted: tuple[str, ...] = ()
        if mode:
            message = f"geometry mode {mode} in a vertex shader"
            report.add("shbin.geometry-fields", message, f"{lead}geometry_mode")
    elif mode not in OF_MODE:
        report.add(
            "shbin.geometry-mode",
            f"expected geometry mode 0 to 2, got {mode}",
            f"{lead}geometry_mode",
        )
        return
    else:
        wanted = OF_MODE[PicaGeometryMode(mode)]
    for name in GEOMETRY:
        value = getattr(each, name)
        if value and name not in wanted:
            report.add("shbin.geometry-fields", f"{name} is {value}", f"{lead}{name}")
    start, count = each.fixed_start, each.fixed_vertices
    if "fixed_start" in wanted and start + max(count, 1) > FLOATS:
        message = f"{count} vertices from c{start} on extend past c{FLOATS - 1}"
        report.add("shbin.geometry-range", message, f"{lead}fixed_start")


def _check_masks(report: ShbinFindings, each: Any, lead: str) -> None:
    named = mapped = 0
    for row in each.uniforms:
        for register in range(row.start, min(row.end, INPUTS - 1) + 1):
            named |= 1 << register
    for row in each.outputs:
        mapped |= 1 << row.register if row.register < OUTPUTS else 0
    if each.input_mask and each.input_mask != named:
        message = f"the mask has {_registers('v', each.input_mask)}, the named inputs are "
        report.add("shbin.input-mask", message + _registers("v", named), f"{lead}input_mask")
    if each.output_mask and each.output_mask != mapped:
        message = f"the mask has {_registers('o', each.output_mask)}, the output table "
        report.add("shbin.output-mask", message + _registers("o", mapped), f"{lead}output_mask")


def _registers(letter: str, mask: int) -> str:
    found = [f"{letter}{number}" for number in range(16) if mask >> number & 1]
    return ", ".join(found) or "none"


def _check_object(report: ShbinFindings) -> None:
    record = report.file.record
    words = len(record.code)
    for index, each in enumerate(record.relocations):
        if each.offset >= words:
            message = f"relocation of word {each.offset}; the code has {words}"
            report.add("shbin.relocation-offset", message, f"relocations[{index}].offset")
    if record.lines and len(record.lines) != words:
        message = f"{len(record.lines)} lines for {words} words"
        report.add("shbin.line-count", message, "line_count")
