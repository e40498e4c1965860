"""Files of Shader Model 6 that break a rule about PSV0, RDAT, or the root signature beside them.

Their programs do nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.fixtures.one_of_each import library as runtime_data
from tests.programs.dxil.dependence.support import program, read, write
from tests.programs.dxil.modules import minimal
from unshade.formats.dxcontainer import DxContainer, DxPart
from unshade.formats.dxcontainer.parts.dxil import Program as DxilProgram
from unshade.formats.dxcontainer.parts.hash import DxilShaderHash
from unshade.formats.dxcontainer.parts.psv0 import (
    NoStageInfo,
    PipelineStateValidation,
    PsvElement,
    PsvResource,
    VertexInfo,
)
from unshade.formats.dxcontainer.parts.rdat import RECORDS, RdatTable, RdatTableType, RuntimeData
from unshade.formats.dxcontainer.parts.rts0 import (
    DescriptorRange,
    DescriptorTable,
    Parameter,
    SerializedRootSignature,
)
from unshade.formats.dxcontainer.parts.runtime.subobjects import (
    RdatSubobject,
    RootSignatureBytes,
    SubobjectKind,
)
from unshade.formats.dxcontainer.parts.sfi0 import FeatureInfo
from unshade.formats.dxcontainer.parts.signature import ProgramSignature, SignatureElement
from unshade.formats.dxcontainer.rootsig import from_text
from unshade.wire import write as write_record

VERTEX, LIBRARY = 1, 6
Edit = Callable[[DxContainer], object]


def shader(*edits: Edit, stage: int = VERTEX) -> bytes:
    """Return a vertex shader with a texture after an edit of its parts."""
    whole: dict[str, Any] = {"component_type": 3, "mask": 15, "register": 0, "rw_mask": 0}
    element: dict[str, Any] = {"columns": 0x44, "component_type": 3, "indices": [0]}
    table = DescriptorTable(ranges=[DescriptorRange(count=2, table_offset=0xFFFFFFFF)])
    made = DxContainer()
    made["ISG1"] = ProgramSignature(elements=[SignatureElement(name="POSITION", **whole)])
    made["OSG1"] = ProgramSignature(
        elements=[SignatureElement(name="SV_Position", system_value=1, **whole)]
    )
    made["SFI0"] = FeatureInfo()
    made["PSV0"] = PipelineStateValidation(
        info_size=52,
        stage_info=VertexInfo(output_position_present=1),
        stage=VERTEX,
        entry_point="main",
        input_vectors=1,
        output_vectors_0=1,
        max_wave_lanes=0xFFFFFFFF,
        inputs=[PsvElement(name="POSITION", **element)],
        outputs=[PsvElement(semantic=3, interpolation=4, **element)],
        resources=[PsvResource(type=3, kind=2, upper_bound=1)],
        dependencies_0=[0, 0, 0, 0],
    )
    made["RTS0"] = SerializedRootSignature(
        version=2, parameters=[Parameter(visibility=0, payload=table)]
    )
    made["DXIL"] = DxilProgram.decode(
        minimal({VERTEX: "vs", LIBRARY: "lib"}.get(stage, "cs"), interface=stage == VERTEX)
    )
    for edit in edits:
        edit(made)
    made.sign()
    return made.to_bytes()


def library(*edits: Edit) -> bytes:
    """Return a library after an edit of its parts."""
    made = DxContainer()
    made["DXIL"] = DxilProgram.decode(minimal("lib", 3))
    made["RDAT"] = runtime_data()
    for edit in edits:
        edit(made)
    made.sign()
    return made.to_bytes()


def put(path: str, value: object) -> Edit:
    """Set a field by its path: `PSV0.inputs.0.name`."""

    def edit(made: DxContainer) -> None:
        name, *outer, last = path.split(".")
        at: Any = made[name]
        for each in outer:
            at = at[int(each)] if each.isdecimal() else getattr(at, each)
        setattr(at, last, value)

    return edit


def records(type: RdatTableType, **values: object) -> Edit:
    """Add a table with one record, whose other fields have the values of a new one."""

    def edit(made: DxContainer) -> None:
        record = RECORDS[type]()
        for name, value in values.items():
            setattr(record, name, value)
        tables = made["RDAT"].tables
        tables[:] = [each for each in tables if each.type != type]
        tables.append(RdatTable(type=type, records=[record]))

    return edit


def drop(name: str) -> Edit:
    return lambda made: made.parts.remove(name)


def add(name: str, value: object) -> Edit:
    return lambda made: made.parts.append(DxPart(name, value))


def copy_input(made: DxContainer) -> None:
    """Let the program copy a component of its input."""
    made["DXIL"] = program(f"%a = {read(0, 0, 0)}", write("%a"), "ret void")


def add_inputs(made: DxContainer) -> None:
    """Let the program add two components of its input, of which PSV0 has the first."""
    parts = [f"%a = {read(0, 0, 0)}", f"%b = {read(0, 0, 1)}", "%c = fadd fast float %a, %b"]
    made["DXIL"] = program(*parts, write("%c"), "ret void")
    made["PSV0"].dependencies_0 = [1, 0, 0, 0]


def record_dependence(made: DxContainer) -> None:
    """Let the metadata say that output 0.x depends on input 0.x."""
    text = made["DXIL"].disassemble()
    state = "!dx.viewIdState = !{{!99}}\n!99 = !{{[6 x i32] [i32 4, i32 4, i32 {}, {}]}}\n"
    made["DXIL"] = DxilProgram.assemble(text + state.format(1, "i32 0, i32 0, i32 0"))


GLOBAL, LOCAL = SubobjectKind.GLOBAL_ROOT_SIGNATURE, SubobjectKind.LOCAL_ROOT_SIGNATURE


def serialized(text: str) -> bytes:
    """Return the bytes of a root signature."""
    return write_record(from_text(text))


def subobject(kind: SubobjectKind, data: bytes) -> Edit:
    """Add a root signature to the subobjects of a library."""

    def edit(made: DxContainer) -> None:
        content = RootSignatureBytes(data=data)
        (table,) = (each for each in made["RDAT"].tables if each.type == RdatTableType.SUBOBJECTS)
        table.records.append(RdatSubobject(kind=kind, name="signature", content=content))

    return edit


def other(name: str) -> Edit:
    """Add a part with another program than DXIL."""
    return add(name, DxilProgram.decode(minimal("ps")))


def hashed(flags: int) -> Edit:
    """Add a wrong hash, beside the program with debug information."""

    def edit(made: DxContainer) -> None:
        made.parts.remove("RTS0")
        made["ILDB"] = DxilProgram.decode(made["DXIL"].encode())
        made["HASH"] = DxilShaderHash(flags=flags, digest=bytes(16))

    return edit


def open_heap(made: DxContainer) -> None:
    """Let the program index the heap of resources."""
    flags = "!98 = !{i32 0, i64 1073741824}\n"
    text = made["DXIL"].disassemble()
    entry = next(line for line in text.splitlines() if '@main, !"main"' in line)
    changed = entry.rsplit(",", 1)[0] + ", !98}"
    made["DXIL"] = DxilProgram.assemble(text.replace(entry, changed) + flags)


BROKEN: dict[str, list[Callable[[], bytes]]] = {
    "dxil.parts": [
        lambda: shader(drop("PSV0")),
        lambda: shader(drop("SFI0")),
        lambda: shader(drop("ISG1")),
        lambda: shader(drop("OSG1")),
        lambda: library(drop("RDAT")),
        lambda: shader(add("RDAT", RuntimeData())),
        lambda: shader(stage=LIBRARY),
    ],
    "dxil.debug-program": [lambda: shader(other("ILDB"))],
    "dxil.reflection-program": [lambda: shader(other("STAT"))],
    "hash.program": [lambda: shader(hashed(0))],
    "hash.source": [lambda: shader(hashed(1))],
    "psv.stage": [lambda: shader(stage=5)],
    "psv.value": [
        lambda: shader(put("PSV0.stage", 99), put("PSV0.stage_info", NoStageInfo())),
        lambda: shader(put("PSV0.resources.0.type", 77)),
        lambda: shader(put("PSV0.resources.0.kind", 77)),
        lambda: shader(put("PSV0.inputs.0.semantic", 77)),
        lambda: shader(put("PSV0.inputs.0.component_type", 77)),
        lambda: shader(put("PSV0.inputs.0.interpolation", 77)),
    ],
    "psv.range": [lambda: shader(put("PSV0.resources.0.lower_bound", 2))],
    "psv.vectors": [lambda: shader(put("PSV0.inputs.0.start_row", 1))],
    "psv.program": [
        lambda: shader(put("PSV0.resources.0.upper_bound", 2)),
        lambda: shader(put("PSV0.resources.0.type", 6)),
        lambda: shader(lambda made: made["PSV0"].resources.clear()),
    ],
    "psv.state": [
        lambda: shader(put("PSV0.stage_info.output_position_present", 0)),
        lambda: shader(put("PSV0.max_wave_lanes", 64)),
        lambda: shader(put("PSV0.entry_point", "other")),
        lambda: shader(put("PSV0.resources.0.kind", 1)),
        lambda: shader(put("PSV0.outputs.0.interpolation", 2)),
    ],
    "psv.dependence": [lambda: shader(add_inputs)],
    "psv.no-dependence": [lambda: shader(copy_input)],
    "psv.recorded": [lambda: shader(record_dependence)],
    "psv.excess-dependence": [lambda: shader(put("PSV0.dependencies_0", [1, 0, 0, 0]))],
    "signature.program": [
        lambda: shader(put("ISG1.elements.0.name", "NORMAL")),
        lambda: shader(put("ISG1.elements.0.register", 1)),
        lambda: shader(put("OSG1.elements.0.mask", 7)),
        lambda: shader(lambda made: made["OSG1"].elements.clear()),
    ],
    "psv.signature": [
        lambda: shader(put("PSV0.inputs.0.name", "NORMAL")),
        lambda: shader(put("PSV0.inputs.0.indices", [1])),
        lambda: shader(put("PSV0.inputs.0.columns", 0x43)),
        lambda: shader(put("PSV0.outputs.0.component_type", 1)),
        lambda: shader(put("OSG1.elements", [])),
    ],
    "rdat.value": [
        lambda: library(put("RDAT.tables.1.records.0.kind", 99)),
        lambda: library(put("RDAT.tables.2.records.0.shader_kind", 99)),
        lambda: library(put("RDAT.tables.3.records.0.kind", 99)),
        lambda: library(records(RdatTableType.SIGNATURE_ELEMENTS, semantic=99)),
        lambda: library(records(RdatTableType.SIGNATURE_ELEMENTS, component_type=99)),
        lambda: library(records(RdatTableType.HULL_SHADERS, tessellator_domain=9)),
        lambda: library(records(RdatTableType.HULL_SHADERS, tessellator_output_primitive=9)),
        lambda: library(records(RdatTableType.DOMAIN_SHADERS, tessellator_domain=9)),
        lambda: library(records(RdatTableType.GEOMETRY_SHADERS, input_primitive=5)),
        lambda: library(records(RdatTableType.GEOMETRY_SHADERS, output_topology=9)),
        lambda: library(records(RdatTableType.MESH_SHADERS, mesh_topology=9)),
        lambda: library(records(RdatTableType.NODE_SHADERS, launch=9)),
    ],
    "rdat.range": [lambda: library(put("RDAT.tables.1.records.0.lower_bound", 1))],
    "rdat.index": [lambda: library(put("RDAT.tables.2.records.0.resources", [0, 1]))],
    "rdat.root-signature": [lambda: library(subobject(GLOBAL, b"\1\0\0\0"))],
    "rts0.local": [
        lambda: library(subobject(GLOBAL, serialized("RootFlags(LOCAL_ROOT_SIGNATURE)"))),
        lambda: library(subobject(LOCAL, serialized("CBV(b0)"))),
    ],
    "rts0.unbound": [
        lambda: shader(put("PSV0.resources.0.upper_bound", 2)),
        lambda: shader(put("PSV0.resources.0.space", 1)),
        lambda: shader(put("PSV0.resources.0.type", 6)),
        lambda: shader(put("RTS0.parameters.0.visibility", 5)),
        lambda: shader(put("RTS0.parameters.0.payload.ranges.0.count", 1)),
    ],
    "rts0.heap": [lambda: shader(open_heap)],
    "rdat.duplicate": [
        lambda: library(lambda made: made["RDAT"].tables.append(RdatTable(type=3))),
    ],
}
