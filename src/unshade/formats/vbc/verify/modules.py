"""Checks of the reflection against the modules, through `vslc.derive`.

A declaration that no module uses is valid: compilers remove unused declarations from modules but
keep them in the file.
"""

from collections.abc import Mapping
from itertools import pairwise

from ....rule import Findings
from ....wire.data import to_data
from ..program import STAGE_WORDS, Program, stage_of
from ..records import (
    BaseType,
    StageVariable,
    SubpassForm,
    SubpassInput,
    UniformMember,
    VbcFile,
)
from ..spelling import NAMES
from ..vslc import Derived, DerivedUniform, derive

__all__ = ["check_modules"]

ENTRY = "main"
BLOCK_ALIGNMENT = 16  # a block may be padded up to a multiple of this (std140)


def check_modules(
    record: VbcFile, form: SubpassForm, modules: Mapping[str, Program], found: Findings
) -> None:
    """Check the reflection of a file against its modules, by the names of their stages."""
    right: dict[str, Program] = {}
    for name, program in modules.items():
        if program.module.order != "little":
            found.add("vbc.byte-order", "", name)
        if (ENTRY, STAGE_WORDS[name]) in program.entry_points:
            right[name] = program
            continue
        there = ", ".join(f"{stage} {entry}" for entry, stage in program.entry_points) or "none"
        message = f"expected an entry point {STAGE_WORDS[name]} {ENTRY}, got {there}"
        found.add("vbc.stage", message, name)
        if stage_of(program) == name:
            right[name] = program
    derived = derive(right)
    for stage, rule, message in derived.foreign:
        found.add(rule, message, stage)
    for stage in sorted(derived.unknown):
        message = "expected the index of a table from a slot of the push constants, got another"
        found.add("vbc.index", message, stage)
    _interface(record.inputs, derived.inputs, "inputs", "vbc.input-mismatch", found)
    _interface(record.outputs, derived.outputs, "outputs", "vbc.output-mismatch", found)
    _bindings(record, derived, found)
    for (stage, table), size in derived.tables.items():
        stated = getattr(record.tables, table)
        if size > stated:
            message = f"expected at most {stated} in the module of {stage}, got {size}"
            found.add("vbc.table-mismatch", message, f"VBC.tables.{table}")
    for each in derived.uniforms:
        _uniform(record, each, found)
    _subpasses(record, form, derived, found)
    _locals(derived, found)


def _interface(
    rows: list[StageVariable],
    derived: list[StageVariable],
    name: str,
    rule: str,
    found: Findings,
) -> None:
    places = {each.location: at for at, each in enumerate(rows)}
    for each in derived:
        at = places.get(each.location)
        if at is None:
            message = f"the module has location {each.location}, the file does not"
            found.add(rule, message, f"VBC.{name}")
        elif _type(rows[at]) != _type(each):
            message = f"expected {_type(each)} as in the module, got {_type(rows[at])}"
            found.add(rule, message, f"VBC.{name}[{at}]")


def _type(each: StageVariable | UniformMember) -> str:
    """Return a type as VSL spells it; an unknown base as its number."""
    words: dict[int, str] = {
        BaseType.BOOLEAN: "bool",
        BaseType.SIGNED: "int",
        BaseType.UNSIGNED: "uint",
        BaseType.FLOAT: "float",
    }
    base = words.get(each.base)
    text = base or f"type {each.base} "
    if each.columns != 1:  # VSL names the columns first
        text += f"{each.columns}x{each.rows}"
    elif each.rows != 1:
        text += str(each.rows)
    return text if each.count == 1 else f"{text}[{each.count}]"


def _bindings(record: VbcFile, derived: Derived, found: Findings) -> None:
    places = {each.slot: at for at, each in enumerate(record.bindings)}
    for stage, used in derived.bindings:
        at = places.get(used.slot)
        if at is None:
            message = f"the module of {stage} uses slot {used.slot}, the file does not have it"
            found.add("vbc.binding-mismatch", message, "VBC.bindings")
            continue
        each = record.bindings[at]
        stated, wanted = to_data(each), to_data(used)
        if (stated["base"], stated["data"]) != (wanted["base"], wanted["data"]):
            message = f"expected {_binding(wanted)} as in the module of {stage}"
            message += f", got {_binding(stated)}"
            found.add("vbc.binding-mismatch", message, f"VBC.bindings[{at}]")
        if used.stages & ~each.stages:
            message = f"{stage} uses slot {used.slot}, but the mask is {stated['stages']}"
            found.add("vbc.mask-mismatch", message, f"VBC.bindings[{at}].stages")


def _binding(data: dict[str, object]) -> str:
    values = data["data"]
    assert isinstance(values, dict)
    return " ".join([str(data["base"]), *(f"{key}={value}" for key, value in values.items())])


def _uniform(record: VbcFile, derived: DerivedUniform, found: Findings) -> None:
    rule, block, stage = "vbc.uniform-mismatch", record.uniform, derived.stage
    if not block.size:
        message = f"the module of {stage} has a uniform block, the file does not"
        found.add(rule, message, "VBC.uniform")
        return
    if derived.used and not block.stages >> NAMES.index(stage) & 1:
        message = f"{stage} uses the block, but is not in its mask"
        found.add(rule, message, "VBC.uniform.stages")
    end = derived.size + -derived.size % BLOCK_ALIGNMENT
    if not derived.size <= block.size <= end:
        message = f"expected {derived.size} bytes as in the module of {stage}, got {block.size}"
        found.add(rule, message, "VBC.uniform.size")
    places = {each.offset: at for at, each in enumerate(block.members)}
    for each in derived.members:
        at = places.get(each.offset)
        if at is None:
            message = f"the module of {stage} has a member at {each.offset}, the file does not"
            found.add(rule, message, "VBC.uniform.members")
            continue
        stated, path = block.members[at], f"VBC.uniform.members[{at}]"
        if _type(stated).replace("bool", "uint") != _type(each):
            message = f"expected {_type(each)} as in the module of {stage}, got {_type(stated)}"
            found.add(rule, message, path)
        if each.name and each.name != stated.name:
            message = f"expected {each.name!r:.40} as in the module of {stage}, got"
            found.add(rule, f"{message} {stated.name!r:.40}", f"{path}.name")


def _subpasses(record: VbcFile, form: SubpassForm, derived: Derived, found: Findings) -> None:
    rule = "vbc.subpass-mismatch"
    for (stage, index), each in derived.subpasses.items():
        if index >= len(record.subpasses):
            message = f"the module of {stage} has subpass input {index}, the file does not"
            found.add(rule, message, "VBC.subpasses")
            continue
        stated = record.subpasses[index]
        if isinstance(stated, SubpassInput) and stated.type != each.type:
            message = f"expected type {each.type} as in the module of {stage}, got {stated.type}"
            found.add(rule, message, f"VBC.subpasses[{index}].type")


def _locals(derived: Derived, found: Findings) -> None:
    """Check that each stage writes the inputs of the next stage."""
    stages = [name for name in NAMES if name in derived.written]
    for before, after in pairwise(stages):
        for location, kind in sorted(derived.read[after].items()):
            written = derived.written[before].get(location)
            if written != kind:
                got = "nothing" if written is None else written
                message = f"{after} reads location {location} as {kind}, {before} writes {got}"
                found.add("vbc.local-mismatch", message, after)
