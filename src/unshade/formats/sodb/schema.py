"""The schema of State Object Databases, version 2: 44 tables and three partial indexes.

    table                     a key, and columns; keys of other tables stand in columns of BLOBs
    table … _associations     pairs of keys: a list, in the order of the rows

`TABLES` declares the tables, `statements` are the SQL that creates them. A column is declared as
`Name:kind?>table`: the kind is int if it is omitted, `?` allows NULL, `>` names the table whose key
the column contains.

Source: DirectX-Specs, d3d/StateObjectDatabase.md, "SQL Database Schema".
"""

import re
from collections.abc import Iterator, Mapping

from ...tuples import NamedTuple

__all__ = [
    "KINDS",
    "TABLES",
    "USER_VERSION",
    "SchemaColumn",
    "SchemaTable",
    "normalised",
    "statements",
]

USER_VERSION = 2
KINDS: Mapping[str, tuple[str, type]] = {
    "int": ("INTEGER", int),
    "real": ("REAL", float),
    "text": ("TEXT", str),
    "blob": ("BLOB", bytes),
}  # the type in SQL, and of values in Python
DECLARED = re.compile(r"(\w+)(?::(\w+))?(\?)?(?:>(\w+))?\Z")
STAGES = "VS PS HS DS GS AS MS CS"

# Columns of the state of a pipeline that follow its shaders; generic programs have them, too.
STATE = """
    DepthStencilDesc:blob?>depth_stencil_descs RenderTargetFormats:blob?>render_target_formats
    BlendDesc:blob?>blend_descs RasterizerDesc:blob?>rasterizer_descs
    ViewInstancingDesc:blob?>view_instancing_descs StreamOutDesc:blob?>stream_out_descs
    SampleDesc_Count? SampleDesc_Quality? SampleMask? IBStripCutValue? PrimitiveTopology?
    DSVFormat? NodeMask? Flags?
"""

# Tables whose rows have a key, without that column.
KEYED: Mapping[str, str] = {
    "root_signatures": "value:blob",
    "input_element_descs": """
        SemanticName:text SemanticIndex Format InputSlot AlignedByteOffset InputSlotClass
        InstanceDataStepRate
    """,
    "state_objects": "Type? NodeMask? Flags? AddToStateObjectParent:blob?>state_objects",
    "shader_bytecode": "Type:text? Bytecode:blob?",
    "exports": "Name:text ExportToRename:text? Flags",
    "depth_stencil_op_descs": """
        StencilFailOp StencilDepthFailOp StencilPassOp StencilFunc StencilReadMask StencilWriteMask
    """,
    "depth_stencil_descs": """
        DepthEnable DepthWriteMask DepthFunc StencilEnable FrontFace:blob>depth_stencil_op_descs
        BackFace:blob>depth_stencil_op_descs DepthBoundsTestEnable
    """,
    "render_target_formats": " ".join(f"RTFormat{i}" for i in range(8)) + " NumRenderTargets",
    "render_target_blend_descs": """
        BlendEnable LogicOpEnable SrcBlend DestBlend BlendOp SrcBlendAlpha DestBlendAlpha
        BlendOpAlpha LogicOp RenderTargetWriteMask
    """,
    "blend_descs": "AlphaToCoverageEnable IndependentBlendEnable "
    + " ".join(f"RenderTarget{i}:blob?>render_target_blend_descs" for i in range(8)),
    "rasterizer_descs": """
        FillMode CullMode FrontCounterClockwise DepthBias:real DepthBiasClamp:real
        SlopeScaledDepthBias:real DepthClipEnable LineRasterizationMode ForcedSampleCount
        ConservativeRaster
    """,
    "view_instancing_descs": "ViewInstanceCount RenderFlags "
    + " ".join(f"ViewportArrayIndex{i}? RenderTargetArrayIndex{i}?" for i in range(4)),
    "so_declarations": """
        Stream SemanticName:text SemanticIndex StartComponent ComponentCount OutputSlot
    """,
    "stream_out_descs": " ".join(f"BufferStride{i}" for i in range(4))
    + " NumStrides RasterizedStream",
    "rt_hit_groups": """
        HitGroupExport:text Type AnyHitShaderImport:text? ClosestHitShaderImport:text?
        IntersectionShaderImport:text?
    """,
    "rt_shader_config": "MaxPayloadSizeInBytes MaxAttributeSizeInBytes",
    "rt_pipeline_config": "MaxTraceRecursionDepth Flags",
    "dxil_subobject_to_exports_associations": "SubobjectToAssociate:text",
    "subobject_to_exports_associations": "SubobjectType SubobjectKey:blob",
    "generic_programs": "ProgramName:text? InputLayout:blob? " + STATE,
    "pipeline_states": "RootSignature:blob?>root_signatures InputLayout:blob? "
    + " ".join(f"ByteCode_{stage}:blob?>shader_bytecode" for stage in STAGES.split())
    + STATE,
    "work_graphs": "ProgramName:text Flags",
    "node_ids": "Name:text ArrayIndex",
    "node_output_overrides": """
        OutputIndex NewName:blob?>node_ids AllowSparseNodes? MaxRecords?
        MaxRecordsSharedWithOutputIndex?
    """,
    "shader_nodes": """
        ShaderOrProgram:text NodeType OverridesType LocalRootArgumentsTableIndex? ProgramEntry?
        NewName:blob?>node_ids ShareInputOf:blob?>node_ids
        DispatchGridX? DispatchGridY? DispatchGridZ?
        MaxDispatchGridX? MaxDispatchGridY? MaxDispatchGridZ?
        MaxInputRecordsPerGraphEntryRecord_RecordCount?
        MaxInputRecordsPerGraphEntryRecord_bCountSharedAcrossNodeArray?
    """,
}
OBJECT = "StateObjectKey:blob>state_objects "

# Tables of pairs, without keys: no two rows are equal, also not in what may be NULL.
PAIRS: Mapping[str, str] = {
    "input_layout_to_input_element_associations": (
        "InputLayoutKey:blob InputElementKey:blob>input_element_descs"
    ),
    "stream_output_desc_to_stream_output_decl_associations": (
        "StreamOutDescKey:blob>stream_out_descs StreamOutDeclKey:blob>so_declarations"
    ),
    "so_to_global_rs_associations": OBJECT + "RootSignatureKey:blob>root_signatures",
    "so_to_local_rs_associations": OBJECT + "RootSignatureKey:blob>root_signatures",
    "so_to_dxil_lib_associations": (
        OBJECT + "DxilLibKey:blob>shader_bytecode ExportKey:blob?>exports"
    ),
    "so_to_existing_so_associations": (
        OBJECT + "ExistingStateObjectKey:blob>state_objects ExportKey:blob?>exports"
    ),
    "so_to_hit_group_associations": OBJECT + "HitGroupKey:blob>rt_hit_groups",
    "so_to_rt_shader_config_associations": OBJECT + "ShaderConfigKey:blob>rt_shader_config",
    "so_to_rt_pipeline_config_associations": OBJECT + "PipelineConfigKey:blob>rt_pipeline_config",
    "so_to_dxil_subobject_to_exports_associations": (
        OBJECT + "DxilSubobjectToExportsAssociationKey:blob>dxil_subobject_to_exports_associations"
    ),
    "so_to_subobject_to_exports_associations": (
        OBJECT + "SubobjectToExportsAssociationKey:blob>subobject_to_exports_associations"
    ),
    "so_to_generic_program_associations": OBJECT + "GenericProgramKey:blob>generic_programs",
    "so_to_work_graph_associations": OBJECT + "WorkGraphKey:blob>work_graphs",
    "work_graph_to_entrypoint_node_id_associations": (
        "WorkGraphKey:blob>work_graphs NodeIDKey:blob>node_ids"
    ),
    "workgraph_node_to_node_output_overrides_associations": (
        "WorkGraphNodeKey:blob>shader_nodes NodeOutputOverridesKey:blob>node_output_overrides"
    ),
    "work_graph_to_work_graph_node_associations": (
        "WorkGraphKey:blob>work_graphs WorkGraphNodeKey:blob>shader_nodes"
    ),
    "string_associations": "OwningTableKey:blob? Value:text",
}
DIRECTORY = "Version PSOKey:blob?>pipeline_states SOKey:blob?>state_objects"
IDENTITY = "exe:text app_name:text engine_name:text? app_version engine_version"


class SchemaColumn(NamedTuple):
    """A column: its name and kind, whether NULL is allowed, the table whose keys it contains."""

    name: str
    kind: str  # one of KINDS
    nullable: bool = False
    refers: str = ""

    @property
    def sql(self) -> str:
        """The declaration in SQL."""
        return f"{self.name} {KINDS[self.kind][0]} {'' if self.nullable else 'NOT NULL'} "


class SchemaTable(NamedTuple):
    """A table: its columns, the first of which is its primary key unless `pairs` is True."""

    name: str
    columns: tuple[SchemaColumn, ...]
    pairs: bool = False

    @property
    def key(self) -> str:
        """The name of the column that identifies a row; empty in a table of pairs."""
        return "" if self.pairs else self.columns[0].name

    def statements(self) -> Iterator[tuple[str, str]]:
        """Yield the name and the SQL of the table, then of its partial index if it has one."""
        names = [each.name for each in self.columns]
        words = [each.sql for each in self.columns]
        if not self.pairs:
            first = self.columns[0]
            words = [f"{first.name} {KINDS[first.kind][0]} NOT NULL PRIMARY KEY , " + words[1]]
            words += [each.sql for each in self.columns[2:]]
        for each in self.columns:
            if each.refers:
                words.append(f"FOREIGN KEY({each.name}) REFERENCES {each.refers}(Key)")
        if self.pairs:
            words.append(f"UNIQUE({', '.join(names)})")
        yield self.name, f"CREATE TABLE {self.name} ({','.join(words)})"
        null = [each.name for each in self.columns if each.nullable]
        if self.pairs and null:
            others = ",".join(name for name in names if name not in null)
            index = f"{self.name}_partial_index"
            made = f"CREATE UNIQUE INDEX {index} ON {self.name}({others}) WHERE {null[0]} IS NULL"
            yield index, made


def _columns(declared: str) -> tuple[SchemaColumn, ...]:
    found = []
    for each in declared.split():
        match = DECLARED.match(each)
        assert match is not None, each
        name, kind, null, refers = match.groups()
        found.append(SchemaColumn(name, kind or "int", bool(null), refers or ""))
    return tuple(found)


def _tables() -> Iterator[SchemaTable]:
    key = (SchemaColumn("Key", "blob"),)
    for name, declared in KEYED.items():
        yield SchemaTable(name, key + _columns(declared))
    for name, declared in PAIRS.items():
        yield SchemaTable(name, _columns(declared), pairs=True)
    yield SchemaTable("groups", key + _columns(DIRECTORY))
    yield SchemaTable("app_id", (SchemaColumn("id", "int"), *_columns(IDENTITY)))


TABLES: Mapping[str, SchemaTable] = {each.name: each for each in _tables()}


def statements() -> dict[str, str]:
    """Return the SQL that creates each table and index, by its name, as published."""
    return {name: sql for table in TABLES.values() for name, sql in table.statements()}


def normalised(sql: str) -> str:
    """Return a statement without white space, and with the names outside of quotes as they are."""
    return re.sub(r"\s+", "", sql).rstrip(";")
