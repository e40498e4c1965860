"""Pipelines of a database, with the rows that they refer to in place of the keys.

    pipeline_states[…]   ByteCode_VS ─► stages["vertex"]     BlendDesc ─► state["BlendDesc"]
                         InputLayout ─► the rows of input_element_descs, in the order of the pairs

Numbers of enumerations are spelled. A key without a row is left unchanged.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from ...model.pipelines import StoredPipeline
from ...vocab.d3d12 import PIPELINE_WORDS
from .database import DatabaseRow, Rows
from .keys import spelled
from .schema import STAGES, TABLES

__all__ = ["STAGE_WORDS", "StateResolver", "pipeline_states", "shader_keys"]

# The words of `model` for the stages whose columns are ByteCode_VS, ByteCode_PS, …
STAGE_WORDS = dict(
    zip(
        STAGES.split(),
        ["vertex", "pixel", "hull", "domain", "geometry", "amplification", "mesh", "compute"],
        strict=True,
    )
)
LAYOUTS = "input_layout_to_input_element_associations"
DECLARATIONS = "stream_output_desc_to_stream_output_decl_associations"
DEPTH = 4  # of rows that refer to rows: pipeline, depth-stencil, its faces


def _by_key(tables: Rows, name: str) -> dict[bytes, DatabaseRow]:
    return {row.values["Key"]: row for row in tables.get(name, ())}


def pipeline_states(tables: Rows) -> list[StoredPipeline]:
    """Return every pipeline, in the order of the rows."""
    resolve = StateResolver(tables)
    groups = {row.values["PSOKey"]: row for row in tables.get("groups", ())}
    found = []
    for row in tables.get("pipeline_states", ()):
        values = dict(row.values)
        key = values.pop("Key")
        stages = {
            word: spelled(code)
            for letters, word in STAGE_WORDS.items()
            if (code := values.pop(f"ByteCode_{letters}")) is not None
        }
        signature = values.pop("RootSignature")
        group = groups.get(key)
        found.append(
            StoredPipeline(
                key=spelled(key),
                group="" if group is None else spelled(group.values["Key"]),
                version=None if group is None else group.values["Version"],
                type=_type(stages),
                stages=stages,
                root_signature=None if signature is None else spelled(signature),
                state=resolve.state("pipeline_states", values),
            )
        )
    return found


def _type(stages: Mapping[str, str]) -> str:
    for stage, kind in (("compute", "compute"), ("mesh", "mesh"), ("vertex", "graphics")):
        if stage in stages:
            return kind
    return "unknown"


class StateResolver:
    """Rows by key, and the lists that pairs make of them."""

    def __init__(self, tables: Rows) -> None:
        self.rows = {
            name: _by_key(tables, name) for name, table in TABLES.items() if table.key == "Key"
        }
        self.lists = {
            "InputLayout": _lists(tables, LAYOUTS, "InputLayoutKey", "InputElementKey"),
            "StreamOutDesc": _lists(tables, DECLARATIONS, "StreamOutDescKey", "StreamOutDeclKey"),
        }

    def state(self, table: str, values: Mapping[str, Any], depth: int = DEPTH) -> dict[str, Any]:
        """Return the values of a row that are present, with rows in place of their keys."""
        refers = {each.name: each.refers for each in TABLES[table].columns}
        found: dict[str, Any] = {}
        for name, value in values.items():
            if value is None:
                continue
            listed = self.lists.get(name)
            if name == "InputLayout":
                found[name] = [*self._elements("input_element_descs", listed, value)]
            elif isinstance(value, bytes):
                row = self.rows.get(refers[name], {}).get(value)
                if row is None or not depth:
                    found[name] = spelled(value)
                    continue
                inner = {key: each for key, each in row.values.items() if key != "Key"}
                found[name] = self.state(refers[name], inner, depth - 1)
                if listed is not None:
                    found[name]["Declarations"] = [
                        *self._elements("so_declarations", listed, value)
                    ]
            else:
                words = PIPELINE_WORDS.get(name, {})
                found[name] = words.get(value, value) if isinstance(value, int) else value
        return found

    def _elements(
        self, table: str, listed: Mapping[bytes, list[bytes]] | None, key: bytes
    ) -> Iterator[dict[str, Any] | str]:
        for each in (listed or {}).get(key, ()):
            row = self.rows[table].get(each)
            if row is None:
                yield spelled(each)
            else:
                inner = {name: value for name, value in row.values.items() if name != "Key"}
                yield self.state(table, inner, 0)


def _lists(tables: Rows, table: str, owner: str, element: str) -> dict[bytes, list[bytes]]:
    found: dict[bytes, list[bytes]] = {}
    for row in tables.get(table, ()):
        found.setdefault(row.values[owner], []).append(row.values[element])
    return found


def shader_keys(tables: Rows) -> dict[bytes, set[bytes]]:
    """Return, for each shader, the groups whose pipeline or state object contains it.

    State objects contain the libraries of the collections that they name, and of their parents.
    """
    uses: dict[bytes, set[bytes]] = {}
    for row in tables.get("pipeline_states", ()):
        codes = {value for name, value in row.values.items() if name.startswith("ByteCode_")}
        uses[row.values["Key"]] = codes - {None}
    objects: dict[bytes, set[bytes]] = {}
    for row in tables.get("so_to_dxil_lib_associations", ()):
        objects.setdefault(row.values["StateObjectKey"], set()).add(row.values["DxilLibKey"])
    inside: dict[bytes, set[bytes]] = {}
    for row in tables.get("so_to_existing_so_associations", ()):
        owner, other = row.values["StateObjectKey"], row.values["ExistingStateObjectKey"]
        inside.setdefault(owner, set()).add(other)
    for row in tables.get("state_objects", ()):
        if row.values["AddToStateObjectParent"] is not None:
            inside.setdefault(row.values["Key"], set()).add(row.values["AddToStateObjectParent"])
    found: dict[bytes, set[bytes]] = {}
    for row in tables.get("groups", ()):
        codes = set(uses.get(row.values["PSOKey"], ()))
        for each in _reached(inside, row.values["SOKey"]):
            codes |= objects.get(each, set())
        for code in codes:
            found.setdefault(code, set()).add(row.values["Key"])
    return found


def _reached(inside: Mapping[bytes, set[bytes]], start: bytes | None) -> set[bytes]:
    """Return a state object and those that it contains, directly or not."""
    seen: set[bytes] = set()
    waiting = [start] if start is not None else []
    while waiting:
        key = waiting.pop()
        if key not in seen:
            seen.add(key)
            waiting += inside.get(key, ())
    return seen
