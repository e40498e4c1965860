"""Rules about the rows of an executable's tables, alone and against each other."""

from collections import Counter
from typing import Any

from ..records import ConstantType, OutputType, ShaderType
from ..spelling import FILES, letters
from ..usage import Usages
from .places import Report

LIMITS = {ConstantType.BOOL: 16, ConstantType.INT: 4, ConstantType.FLOAT: 96}
FILE_OF = {ConstantType.BOOL: "b", ConstantType.INT: "i", ConstantType.FLOAT: "c"}
TYPES = frozenset(OutputType)
PIPELINE = 7  # output registers that have a place in the output map
INTEGERS = 0x74  # behind i3: the numbers for i4 to i7 stand for nothing


def check_rows(report: Report, usages: Usages) -> None:
    """Every executable's tables."""
    file = report.file
    entries = file.program.entries
    before_geometry = any(each.type == ShaderType.GEOMETRY for each in file.executables)
    for index, each in file.distinct():
        lead = file.prefix(index)
        usage = usages.of(entries[index])
        _check_constants(report, each, lead)
        _check_use(report, each, lead, usage.reads if usage.whole else {}, usage.indexed)
        geometry = each.type == ShaderType.GEOMETRY
        _check_outputs(report, each, lead, position=geometry or not before_geometry)
        _check_uniforms(report, each, lead)
        _check_labels(report, each, lead)


# -- constants -----------------------------------------------------------------------------------


def _check_constants(report: Report, each: Any, lead: str) -> None:
    seen: Counter[tuple[int, int]] = Counter()
    for number, row in enumerate(each.constants):
        path = f"{lead}constants[{number}]"
        if row.type not in LIMITS:
            report.add("shbin.constant-type", f"type {row.type}", f"{path}.type")
            continue
        kind = ConstantType(row.type)
        name = f"{FILE_OF[kind]}{row.id}"
        if row.id >= LIMITS[kind]:
            report.add("shbin.constant-register", name, f"{path}.id")
        seen[row.type, row.id] += 1
        if seen[row.type, row.id] > 1:
            report.add("shbin.constant-twice", f"{name} is set again", f"{path}.id")
        if kind is ConstantType.BOOL and row.data.value > 1:
            report.add("shbin.constant-value", f"{name} = {row.data.value}", f"{path}.data.value")
        if kind is ConstantType.FLOAT:
            for i, word in enumerate(row.data.value):
                if word >> 24:
                    message = f"{name}.{'xyzw'[i]} = 0x{word:08x}"
                    report.add("shbin.constant-value", message, f"{path}.data.value[{i}]")
        elif any(row.data.unused):
            report.add("shbin.padding", f"behind the value of {name}", f"{path}.data.unused")
        if kind is ConstantType.BOOL and row.id == 15 and each.type == ShaderType.GEOMETRY:
            report.add("shbin.constant-b15", path=path)


def _check_use(
    report: Report, each: Any, lead: str, reads: dict[str, dict[int, str]], indexed: Counter[int]
) -> None:
    """Constants without effect; a relative address may reach what stands behind."""
    if not reads:
        return
    named: set[int] = set()
    for row in each.uniforms:
        named.update(range(row.start, min(row.end, 0x87) + 1))
    first = min(indexed, default=1 << 16)
    starts = {letter: start for letter, start, _ in FILES}
    for number, row in enumerate(each.constants):
        if row.type not in LIMITS:
            continue
        letter = FILE_OF[ConstantType(row.type)]
        reached = letter == "c" and row.id >= first
        told = starts[letter] + row.id in named
        if row.id not in reads.get(letter, {}) and not reached and not told:
            message = f"{letter}{row.id} is not read"
            report.add("shbin.constant-unused", message, f"{lead}constants[{number}]")


# -- outputs -------------------------------------------------------------------------------------


def _check_outputs(report: Report, each: Any, lead: str, position: bool) -> None:
    meanings: dict[tuple[int, int], int] = {}
    given: Counter[int] = Counter()
    for number, row in enumerate(each.outputs):
        path = f"{lead}outputs[{number}]"
        generic = row.type == OutputType.DUMMY
        if row.type not in TYPES:
            report.add("shbin.output-type", f"type {row.type}", f"{path}.type")
        if row.register > 15 or (row.register >= PIPELINE and not generic):
            report.add("shbin.output-register", f"o{row.register}", f"{path}.register")
        if row.mask > 15:
            report.add("shbin.output-components", f"0x{row.mask:x}", f"{path}.mask")
        elif not row.mask:
            report.add("shbin.output-empty", path=f"{path}.mask")
        for i in range(4):
            if row.mask >> i & 1:
                known = meanings.setdefault((row.register, i), row.type)
                if known != row.type and not generic and known != OutputType.DUMMY:
                    message = f"o{row.register}.{letters(1 << i)} is also {_type(known)}"
                    report.add("shbin.output-shared", message, f"{path}.mask")
        given[row.type] += 1
        if given[row.type] > 1 and not generic and row.type in TYPES:
            report.add("shbin.output-repeated", f"{_type(row.type)} again", f"{path}.type")
    if position and each.outputs and not given.keys() & {OutputType.POSITION, OutputType.DUMMY}:
        report.add("shbin.no-position", path=f"{lead}outputs")


def _type(number: int) -> str:
    return OutputType(number).name.lower() if number in TYPES else f"type {number}"


# -- uniforms and labels -------------------------------------------------------------------------


def _check_uniforms(report: Report, each: Any, lead: str) -> None:
    names: set[str] = set()
    owners: dict[int, str] = {}
    for number, row in enumerate(each.uniforms):
        path = f"{lead}uniforms[{number}]"
        file = _file(row.start)
        if file is None or file != _file(row.end) or row.end < row.start:
            message = f"0x{row.start:x} to 0x{row.end:x}"
            report.add("shbin.uniform-range", message, f"{path}.start")
        else:
            for register in range(row.start, row.end + 1):
                other = owners.setdefault(register, row.symbol)
                if other != row.symbol:
                    message = f"{row.symbol} and {other}"
                    report.add("shbin.uniform-shared", message, f"{path}.start")
                    break
        if not row.symbol or row.symbol in names:
            report.add("shbin.uniform-name", repr(row.symbol), f"{path}.symbol")
        names.add(row.symbol)


def _file(register: int) -> str | None:
    """The letter of a register in the uniform table's numbering."""
    if INTEGERS <= register < INTEGERS + 4:
        return None
    found = (letter for letter, first, count in FILES if first <= register < first + count)
    return next(found, None)


def _check_labels(report: Report, each: Any, lead: str) -> None:
    words = len(report.file.code_holder.code)
    ids = Counter(row.id for row in each.labels)
    for number, row in enumerate(each.labels):
        path = f"{lead}labels[{number}]"
        if row.offset > words and report.file.format == "shbin":
            report.add("shbin.label-offset", f"word {row.offset} of {words}", f"{path}.offset")
    twice = [number for number, count in ids.items() if count > 1]
    if twice:
        report.add("shbin.label-id", f"{ids[twice[0]]} have {twice[0]}", f"{lead}labels")
