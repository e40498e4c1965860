"""Checks of PSV0 and RDAT, alone and against program, signatures and root signature.

    ISG1  TEXCOORD 1 xy, register 2        PSV0  "TEXCOORD", indices 1, start row 2, columns xy
    RTS0  descriptor table: t0..t3         PSV0  SRV, space 0, registers 0 to 3

An element of PSV0 with several rows is as many rows of a signature. System values have no name in
PSV0; they are compared by number.
"""

from collections import Counter
from collections.abc import Iterator

from ....tuples import NamedTuple
from ....vocab.d3d import RegisterComponentType, ShaderKind
from ....vocab.numbers import components, named
from ....wire import Record
from ..part import DxPart
from ..parts.psv0 import SIZES, PipelineStateValidation, PsvElement
from ..parts.rdat import RdatTableType, RuntimeData
from ..parts.signature import ProgramSignature, SignatureElement
from .places import ContainerFindings, stage_of, undefined

OUTSIDE = 0xFFFF_FFFF
SYSTEM = "sv_"
SIGNATURES = (("ISG1", "inputs"), ("OSG1", "outputs"), ("PSG1", "patch"))
WANTED = ("PSV0", "SFI0", "ISG1", "OSG1")
STAGES_WITHOUT_PSV0 = (ShaderKind.LIBRARY,)


def check_validation(found: ContainerFindings) -> None:
    """Check PSV0 and RDAT of a container."""
    _check_combination(found)
    for part in found.all("PSV0"):
        state = part.reading.value
        if isinstance(state, PipelineStateValidation):
            _check_state(found, part, state)
            _check_signatures(found, part, state)
    for part in found.all("RDAT"):
        data = part.reading.value
        if isinstance(data, RuntimeData):
            _check_library(found, part, data)


def _check_combination(found: ContainerFindings) -> None:
    parts = found.container.parts
    program = found.first("DXIL")
    if program is None:
        return
    stage = stage_of(program)
    wanted, unwanted = (WANTED, "RDAT") if stage not in STAGES_WITHOUT_PSV0 else (("RDAT",), "PSV0")
    missing = [name for name in wanted if parts.get(name) is None]
    if missing:
        found.part("dxil.parts", program, f"no part {', '.join(missing)}")
    if (part := parts.get(unwanted)) is not None:
        found.part("dxil.parts", part, f"{unwanted} is not for this stage")


def _check_values(
    found: ContainerFindings, code: str, part: DxPart, path: str, record: Record, *names: str
) -> None:
    """Check the enumerations among the fields of a record, or those named."""
    for name, message in undefined(record, *names):
        found.part(code, part, message, f"{path}{name}")


def _check_state(found: ContainerFindings, part: DxPart, state: PipelineStateValidation) -> None:
    if state.info_size >= SIZES[1]:
        _check_values(found, "psv.value", part, "", state, "stage")
        stage = stage_of(found.container.parts.get("DXIL"))
        if stage is not None and stage != state.stage:
            stages = [named(each, ShaderKind) for each in (stage, state.stage)]
            message = f"expected {stages[0]}, as in the program, got {stages[1]}"
            found.part("psv.stage", part, message, "stage")
    for i, each in enumerate(state.resources):
        path = f"resources[{i}]."
        _check_values(found, "psv.value", part, path, each)
        if each.upper_bound < each.lower_bound:
            message = f"expected a last register from {each.lower_bound} on, got {each.upper_bound}"
            found.part("psv.range", part, message, f"{path}upper_bound")
    vectors: Counter[tuple[str, int]] = Counter()
    for name in ("inputs", "outputs", "patch"):
        element: PsvElement
        for i, element in enumerate(getattr(state, name)):
            _check_values(found, "psv.value", part, f"{name}[{i}].", element)
            if element.allocated:
                key = name, element.stream if name == "outputs" else 0
                end = element.start_row + len(element.indices)
                vectors[key] = max(vectors[key], end)
    stated = {("inputs", 0): state.input_vectors, ("patch", 0): state.patch_vectors}
    fields = {("inputs", 0): "input_vectors", ("patch", 0): "patch_vectors"}
    for stream in range(4):
        fields["outputs", stream] = f"output_vectors_{stream}"
        stated["outputs", stream] = getattr(state, fields["outputs", stream])
    for key, end in vectors.items():
        if end > stated[key]:
            message = f"expected at least {end} registers of {key[0]}, got {stated[key]}"
            found.part("psv.vectors", part, message, fields[key])


class Row(NamedTuple):
    """A row of a signature, in the form common to both parts; PSV0 does not name system values."""

    name: str
    semantic_index: int
    register: int
    mask: int  # 0 without a register
    component_type: int
    stream: int

    def described(self) -> str:
        where = f"register {self.register}.{components(self.mask)}" if self.mask else "no register"
        name = f"{self.name or 'system value'} {self.semantic_index}"
        return f"{name} of type {named(self.component_type, RegisterComponentType)} in {where}"


def _check_signatures(
    found: ContainerFindings, part: DxPart, state: PipelineStateValidation
) -> None:
    """Compare the rows of each signature, in any order: compilers sort them differently."""
    if state.info_size < SIZES[1]:
        return
    for name, field in SIGNATURES:
        signature = found.first(name)
        rows = None if signature is None else signature.reading.value
        if not isinstance(rows, ProgramSignature):
            continue
        stated = Counter(map(_row_of, rows.elements))
        unnamed: dict[Row, list[Row]] = {}  # PSV0 has no names of system values
        for given in stated.elements():
            if given.name.lower().startswith(SYSTEM):
                unnamed.setdefault(given._replace(name=""), []).append(given)
        for i, element in enumerate(getattr(state, field)):
            for row in _rows_of(element):
                known = row
                if not row.name and unnamed.get(row):
                    known = unnamed[row].pop()
                if not stated[known]:
                    message = f"{name} has no {row.described()}"
                    found.part("psv.signature", part, message, f"{field}[{i}]")
                stated[known] -= 1
        if state.stage == ShaderKind.MESH:
            continue  # dxc repeats the rows of outputs that are parameters
        for row in (+stated).elements():
            found.part("psv.signature", part, f"{row.described()} is only in {name}", field)


def _row_of(given: SignatureElement) -> Row:
    mask = 0 if given.register == OUTSIDE else given.mask
    return Row(given.name, given.index, given.register, mask, given.component_type, given.stream)


def _rows_of(element: PsvElement) -> Iterator[Row]:
    mask = element.mask() if element.allocated else 0
    for row, index in enumerate(element.indices):
        register = element.start_row + row if element.allocated else OUTSIDE
        kind = element.component_type
        yield Row(element.name, index, register, mask, kind, element.stream)


def _check_library(found: ContainerFindings, part: DxPart, library: RuntimeData) -> None:
    types = Counter(each.type for each in library.tables)
    count = len(library.records(RdatTableType.RESOURCES))
    for i, table in enumerate(library.tables):
        if types[table.type] > 1:
            message = f"{types[table.type]} tables of type {table.type}"
            found.part("rdat.duplicate", part, message, f"tables[{i}].type")
            types[table.type] = 1  # reported once
        for j, each in enumerate(table.records):
            path = f"tables[{i}].records[{j}]."
            _check_values(found, "rdat.value", part, path, each)
            if table.type == RdatTableType.RESOURCES:
                is_bound = each.lower_bound != OUTSIDE
                if is_bound and each.upper_bound < each.lower_bound:
                    message = f"registers {each.lower_bound} to {each.upper_bound}"
                    found.part("rdat.range", part, message, f"{path}upper_bound")
            elif table.type == RdatTableType.FUNCTIONS and max(each.resources, default=-1) >= count:
                message = f"expected indices below {count}, got {max(each.resources)}"
                found.part("rdat.index", part, message, f"{path}resources")
