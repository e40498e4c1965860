"""State objects as the rows describe them: keys resolved, numbers spelled.

    state_objects           so_to_hit_group_associations      rt_hit_groups
    Key "scene"        <--  StateObjectKey  HitGroupKey  -->  HitGroupExport "glass"

Exports of an association or a generic program are strings whose OwningTableKey is its key. Lists
are in the order of their rows.
"""

from collections.abc import Mapping
from typing import Any

from ...model.stateobjects import (
    ExportedName,
    StoredAssociation,
    StoredHitGroup,
    StoredLibrary,
    StoredNode,
    StoredNodeId,
    StoredNodeOutput,
    StoredProgramDescription,
    StoredRayConfig,
    StoredStateObject,
    StoredWorkGraph,
)
from ...vocab.d3d12 import (
    HitGroupKind,
    NodeOverrides,
    StateObjectType,
    StateSubobjectType,
    WorkGraphFlag,
    WorkNodeKind,
)
from ...vocab.numbers import named
from .database import DatabaseRow, Rows
from .keys import spelled
from .schema import TABLES
from .states import StateResolver

__all__ = ["state_objects"]

GRID = "XYZ"
Pairs = dict[bytes, list[dict[str, Any]]]


def state_objects(tables: Rows) -> list[StoredStateObject]:
    """Return every state object, in the order of the rows."""
    rows = _ObjectRows(tables)
    groups = {row.values["SOKey"]: row for row in tables.get("groups", ())}
    return [rows.state_object(row, groups) for row in tables.get("state_objects", ())]


class _ObjectRows:
    """Rows by key, and pairs by the key of their owner."""

    def __init__(self, tables: Rows) -> None:
        self.resolve = StateResolver(tables)
        self.strings: dict[bytes | None, list[str]] = {}
        for row in tables.get("string_associations", ()):
            self.strings.setdefault(row.values["OwningTableKey"], []).append(row.values["Value"])
        self.pairs: dict[str, Pairs] = {}
        for name, table in TABLES.items():
            if table.pairs:
                found: Pairs = self.pairs.setdefault(name, {})
                for row in tables.get(name, ()):
                    found.setdefault(row.values[table.columns[0].name], []).append(row.values)

    def row(self, table: str, key: bytes | None) -> Mapping[str, Any] | None:
        """Return the values of the row with a key, or None."""
        row = None if key is None else self.resolve.rows[table].get(key)
        return None if row is None else row.values

    def of(self, table: str, owner: bytes) -> list[dict[str, Any]]:
        """Return the pairs of an owner."""
        return self.pairs[table].get(owner, [])

    def joined(self, table: str, owner: bytes, column: str, target: str) -> list[Mapping[str, Any]]:
        """Return the rows that the pairs of an owner name; keys that no row has are left out."""
        found = (self.row(target, each[column]) for each in self.of(table, owner))
        return [each for each in found if each is not None]

    def state_object(
        self, row: DatabaseRow, groups: Mapping[bytes, DatabaseRow]
    ) -> StoredStateObject:
        values = row.values
        key, parent = values["Key"], values["AddToStateObjectParent"]
        group = groups.get(key)

        def keys(table: str, column: str) -> list[str]:
            return [spelled(each[column]) for each in self.of(table, key)]

        def each_row(what: str, column: str, target: str) -> list[Mapping[str, Any]]:
            return self.joined(f"so_to_{what}_associations", key, column, target)

        return StoredStateObject(
            key=spelled(key),
            group="" if group is None else spelled(group.values["Key"]),
            version=None if group is None else group.values["Version"],
            type=named(values["Type"] or 0, StateObjectType),
            flags=values["Flags"] or 0,
            parent=None if parent is None else spelled(parent),
            libraries=self._libraries("so_to_dxil_lib_associations", key, "DxilLibKey"),
            collections=self._libraries(
                "so_to_existing_so_associations", key, "ExistingStateObjectKey"
            ),
            global_root_signatures=keys("so_to_global_rs_associations", "RootSignatureKey"),
            local_root_signatures=keys("so_to_local_rs_associations", "RootSignatureKey"),
            hit_groups=[
                _hit_group(each) for each in each_row("hit_group", "HitGroupKey", "rt_hit_groups")
            ],
            shader_configs=[
                StoredRayConfig(
                    key=spelled(each["Key"]),
                    max_payload_size=each["MaxPayloadSizeInBytes"],
                    max_attribute_size=each["MaxAttributeSizeInBytes"],
                )
                for each in each_row("rt_shader_config", "ShaderConfigKey", "rt_shader_config")
            ],
            pipeline_configs=[
                StoredRayConfig(
                    key=spelled(each["Key"]),
                    max_recursion=each["MaxTraceRecursionDepth"],
                    flags=each["Flags"],
                )
                for each in each_row(
                    "rt_pipeline_config", "PipelineConfigKey", "rt_pipeline_config"
                )
            ],
            associations=[
                StoredAssociation(
                    subobject=spelled(each["SubobjectKey"]),
                    type=named(each["SubobjectType"], StateSubobjectType),
                    exports=list(self.strings.get(each["Key"], ())),
                )
                for each in each_row(
                    "subobject_to_exports", "SubobjectToExportsAssociationKey",
                    "subobject_to_exports_associations",
                )
            ]
            + [
                StoredAssociation(
                    subobject=each["SubobjectToAssociate"],
                    exports=list(self.strings.get(each["Key"], ())),
                )
                for each in each_row(
                    "dxil_subobject_to_exports", "DxilSubobjectToExportsAssociationKey",
                    "dxil_subobject_to_exports_associations",
                )
            ],
            programs=[
                self._program(each)
                for each in each_row("generic_program", "GenericProgramKey", "generic_programs")
            ],
            work_graphs=[
                self._graph(each) for each in each_row("work_graph", "WorkGraphKey", "work_graphs")
            ],
        )  # fmt: skip

    def _libraries(self, table: str, owner: bytes, column: str) -> list[StoredLibrary]:
        """Return the libraries of pairs, each with all of its exports."""
        found: dict[bytes, StoredLibrary] = {}
        for each in self.of(table, owner):
            key = each[column]
            library = found.setdefault(key, StoredLibrary(key=spelled(key), exports=[]))
            export = self.row("exports", each["ExportKey"])
            if export is not None:
                library.exports.append(
                    ExportedName(name=export["Name"], renamed_from=export["ExportToRename"])
                )
        return list(found.values())

    def _program(self, values: Mapping[str, Any]) -> StoredProgramDescription:
        state = {name: each for name, each in values.items() if name not in ("Key", "ProgramName")}
        return StoredProgramDescription(
            name=values["ProgramName"] or "",
            exports=list(self.strings.get(values["Key"], ())),
            state=self.resolve.state("generic_programs", state),
        )

    def _graph(self, values: Mapping[str, Any]) -> StoredWorkGraph:
        entries = "work_graph_to_entrypoint_node_id_associations"
        nodes = "work_graph_to_work_graph_node_associations"
        key, flags = values["Key"], values["Flags"]
        return StoredWorkGraph(
            name=values["ProgramName"],
            flags=[each.name.lower() for each in WorkGraphFlag if flags & each],
            entry_points=[_id(each) for each in self.joined(entries, key, "NodeIDKey", "node_ids")],
            nodes=[
                self._node(each)
                for each in self.joined(nodes, key, "WorkGraphNodeKey", "shader_nodes")
            ],
        )

    def _node(self, values: Mapping[str, Any]) -> StoredNode:
        def node_id(key: bytes | None) -> StoredNodeId | None:
            row = self.row("node_ids", key)
            return None if row is None else _id(row)

        def grid(prefix: str) -> list[int] | None:
            found = [values[f"{prefix}{axis}"] for axis in GRID]
            return None if None in found else found

        pairs = "workgraph_node_to_node_output_overrides_associations"
        outputs = self.joined(
            pairs, values["Key"], "NodeOutputOverridesKey", "node_output_overrides"
        )
        return StoredNode(
            shader=values["ShaderOrProgram"],
            is_program=values["NodeType"] == WorkNodeKind.PROGRAM,
            overrides=named(values["OverridesType"], NodeOverrides),
            id=node_id(values["NewName"]),
            shares_input_of=node_id(values["ShareInputOf"]),
            is_entry=_boolean(values["ProgramEntry"]),
            root_arguments=values["LocalRootArgumentsTableIndex"],
            dispatch_grid=grid("DispatchGrid"),
            max_dispatch_grid=grid("MaxDispatchGrid"),
            outputs=[
                StoredNodeOutput(
                    output=each["OutputIndex"],
                    target=node_id(each["NewName"]),
                    sparse=_boolean(each["AllowSparseNodes"]),
                    max_records=each["MaxRecords"],
                    shares_with=each["MaxRecordsSharedWithOutputIndex"],
                )
                for each in outputs
            ],
        )


def _hit_group(values: Mapping[str, Any]) -> StoredHitGroup:
    return StoredHitGroup(
        name=values["HitGroupExport"],
        type=named(values["Type"], HitGroupKind),
        any_hit=values["AnyHitShaderImport"],
        closest_hit=values["ClosestHitShaderImport"],
        intersection=values["IntersectionShaderImport"],
    )


def _id(values: Mapping[str, Any]) -> StoredNodeId:
    return StoredNodeId(name=values["Name"], index=values["ArrayIndex"])


def _boolean(value: int | None) -> bool | None:
    return None if value is None else bool(value)
