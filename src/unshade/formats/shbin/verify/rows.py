"""Checks of the rows of an executable's tables, alone and against each other."""

from collections import Counter
from typing import Any

from ....model.facts import ProgramFacts
from ....vocab.pica import (
    BOOLS,
    COMPONENTS,
    FLOATS,
    INTEGERS,
    OUTPUTS,
    PIPELINE_OUTPUTS,
    OutputType,
)
from ..records import ConstantType, ShaderType
from ..spelling import FILES, letters
from .places import ShbinFindings

LIMITS = {ConstantType.BOOL: BOOLS, ConstantType.INT: INTEGERS, ConstantType.FLOAT: FLOATS}
FILE_OF = {ConstantType.BOOL: "b", ConstantType.INT: "i", ConstantType.FLOAT: "c"}
TYPES = frozenset(OutputType)


def check_rows(report: ShbinFindings) -> None:
    """Check the tables of every executable."""
    file = report.file
    facts = file.program.all_facts()
    before_geometry = any(each.type == ShaderType.GEOMETRY for each in file.executables)
    for index, each in file.distinct():
        lead = file.prefix(index)
        _check_constants(report, each, lead)
        _check_use(report, each, lead, facts[index])
        geometry = each.type == ShaderType.GEOMETRY
        _check_outputs(report, each, lead, position=geometry or not before_geometry)
        _check_uniforms(report, each, lead)
        _check_labels(report, each, lead)


# -- constants -----------------------------------------------------------------------------------


def _check_constants(report: ShbinFindings, each: Any, lead: str) -> None:
    seen: Counter[tuple[int, int]] = Counter()
    for number, row in enumerate(each.constants):
        path = f"{lead}constants[{number}]"
        if row.type not in LIMITS:
            report.add("shbin.constant-type", f"unknown type {row.type}", f"{path}.type")
            continue
        kind = ConstantType(row.type)
        name = f"{FILE_OF[kind]}{row.id}"
        if row.id >= LIMITS[kind]:
            report.add("shbin.constant-register", f"no such register: {name}", f"{path}.id")
        seen[row.type, row.id] += 1
        if seen[row.type, row.id] > 1:
            report.add("shbin.constant-twice", f"second constant for {name}", f"{path}.id")
        if kind is ConstantType.BOOL and row.data.value > 1:
            report.add(
                "shbin.constant-value",
                f"expected 0 or 1 for {name}, got {row.data.value}",
                f"{path}.data.value",
            )
        if kind is ConstantType.FLOAT:
            for i, word in enumerate(row.data.value):
                if word >> 24:
                    message = f"expected 24 bits for {name}.{COMPONENTS[i]}, got 0x{word:08x}"
                    report.add("shbin.constant-value", message, f"{path}.data.value[{i}]")
        elif any(row.data.unused):
            report.add(
                "shbin.padding", f"nonzero bytes after the value of {name}", f"{path}.data.unused"
            )
        if kind is ConstantType.BOOL and row.id == 15 and each.type == ShaderType.GEOMETRY:
            report.add("shbin.constant-b15", path=path)


def _check_use(report: ShbinFindings, each: Any, lead: str, facts: ProgramFacts) -> None:
    """Check for constants that nothing reads."""
    banks = {bank.label: bank for bank in facts.banks}
    reads = facts.inputs or facts.temp_registers or any(bank.reads for bank in facts.banks)
    if facts.notes or not reads:
        return
    named: set[int] = set()
    for row in each.uniforms:
        named.update(range(row.start, min(row.end, 0x87) + 1))
    starts = {letter: start for letter, start, _ in FILES}
    for number, row in enumerate(each.constants):
        if row.type not in LIMITS:
            continue
        letter = FILE_OF[ConstantType(row.type)]
        has_name = starts[letter] + row.id in named
        if not has_name and not banks[letter].may_read([row.id]):
            message = f"the code does not read {letter}{row.id}"
            report.add("shbin.constant-unused", message, f"{lead}constants[{number}]")


# -- outputs -------------------------------------------------------------------------------------


def _check_outputs(report: ShbinFindings, each: Any, lead: str, position: bool) -> None:
    meanings: dict[tuple[int, int], int] = {}
    given: Counter[int] = Counter()
    for number, row in enumerate(each.outputs):
        path = f"{lead}outputs[{number}]"
        generic = row.type == OutputType.DUMMY
        if row.type not in TYPES:
            report.add("shbin.output-type", f"unknown type {row.type}", f"{path}.type")
        if row.register >= OUTPUTS or (row.register >= PIPELINE_OUTPUTS and not generic):
            known = row.register < OUTPUTS
            problem = "does not reach the rasteriser" if known else "does not exist"
            message = f"o{row.register} {problem}"
            report.add("shbin.output-register", message, f"{path}.register")
        if row.mask > 15:
            report.add(
                "shbin.output-components", f"expected four bits, got 0x{row.mask:x}", f"{path}.mask"
            )
        elif not row.mask:
            report.add("shbin.output-empty", path=f"{path}.mask")
        for i in range(4):
            if row.mask >> i & 1:
                known = meanings.setdefault((row.register, i), row.type)
                if known != row.type and not generic and known != OutputType.DUMMY:
                    message = f"o{row.register}.{letters(1 << i)} is already {_type(known)}"
                    report.add("shbin.output-shared", message, f"{path}.mask")
        given[row.type] += 1
        if given[row.type] > 1 and not generic and row.type in TYPES:
            report.add(
                "shbin.output-repeated", f"second output of type {_type(row.type)}", f"{path}.type"
            )
    if position and each.outputs and not given.keys() & {OutputType.POSITION, OutputType.DUMMY}:
        report.add("shbin.no-position", path=f"{lead}outputs")


def _type(number: int) -> str:
    return OutputType(number).name.lower() if number in TYPES else f"type {number}"


# -- uniforms and labels -------------------------------------------------------------------------


def _check_uniforms(report: ShbinFindings, each: Any, lead: str) -> None:
    names: set[str] = set()
    owners: dict[int, str] = {}
    for number, row in enumerate(each.uniforms):
        path = f"{lead}uniforms[{number}]"
        file = _file(row.start)
        if file is None or file != _file(row.end) or row.end < row.start:
            message = f"0x{row.start:x} to 0x{row.end:x} is not a range of one register file"
            report.add("shbin.uniform-range", message, f"{path}.start")
        else:
            for register in range(row.start, row.end + 1):
                other = owners.setdefault(register, row.symbol)
                if other != row.symbol:
                    message = f"{row.symbol} and {other} share a register"
                    report.add("shbin.uniform-shared", message, f"{path}.start")
                    break
        if not row.symbol or row.symbol in names:
            what = f"duplicate name {row.symbol!r}" if row.symbol else "the name is empty"
            report.add("shbin.uniform-name", what, f"{path}.symbol")
        names.add(row.symbol)


def _file(register: int) -> str | None:
    """Return the letter of a register in the numbering of the uniform table."""
    for letter, first, count in FILES:
        if first <= register < first + count:
            # the numbers of i4 to i7 are not used
            return None if letter == "i" and register >= first + INTEGERS else letter
    return None


def _check_labels(report: ShbinFindings, each: Any, lead: str) -> None:
    words = len(report.file.code_holder.code)
    ids = Counter(row.id for row in each.labels)
    for number, row in enumerate(each.labels):
        path = f"{lead}labels[{number}]"
        if row.offset > words and report.file.format == "shbin":
            report.add(
                "shbin.label-offset",
                f"the label is at word {row.offset}; the code has {words}",
                f"{path}.offset",
            )
    twice = [number for number, count in ids.items() if count > 1]
    if twice:
        report.add(
            "shbin.label-id", f"{ids[twice[0]]} labels have the number {twice[0]}", f"{lead}labels"
        )
