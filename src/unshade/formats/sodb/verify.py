"""Rules of State Object Databases: keys, stages, values, and the shaders inside.

pipeline_states[3].ByteCode_VS   ──  the key of a row of shader_bytecode, which is a vertex shader
"""
# ruff: noqa: E501

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ...errors import Diagnostic, Severity, UnshadeError
from ...rule import Findings, Rule, table
from ...shader import Shader
from ...vocab.d3d12 import PIPELINE_WORDS
from . import places
from .database import problem_of_indexes
from .keys import spelled
from .schema import TABLES
from .states import STAGE_WORDS

if TYPE_CHECKING:
    from .file import Sodb

__all__ = ["RULES", "verify"]

E, W, N = Severity.ERROR, Severity.WARNING, Severity.NOTE

RULES = table((
    Rule("sodb.reference", E, "a key that no row has", "A column contains the key of a row of another table; SQLite checks that only if it is asked to."),
    Rule("sodb.index", E, "an index disagrees with its table", "Rows are looked up by key through an index; a row that is missing there is not found."),
    Rule("sodb.stages", E, "the stages make no pipeline", "A compute pipeline has a compute shader alone; a mesh pipeline has a mesh shader and no vertex, hull, domain or geometry shader; every other pipeline has a vertex shader. A hull shader and a domain shader come together."),
    Rule("sodb.stage", E, "a shader of another stage", "The column ByteCode_VS refers to a vertex shader, ByteCode_PS to a pixel shader, and so on."),
    Rule("sodb.shader", W, "bytecode that is no shader", "The API takes a container with DXIL or DXBC; Bytecode may be NULL."),
    Rule("sodb.group", W, "a group of no object, or of two", "A group names a pipeline by PSOKey or a state object by SOKey."),
    Rule("sodb.parent", E, "state objects that contain themselves", "The parent and the collections of a state object must exist before it."),
    Rule("sodb.value", W, "a number that the enumeration does not have", "Formats, blend factors and the like have the numbers of d3d12.h and dxgiformat.h."),
    Rule("sodb.layout", W, "an input layout without elements", "A pipeline names its layout by a key that pairs with each element."),
    Rule("sodb.application", N, "the application is not named, or named more than once", "app_id has one row: the executable, the name and version of the application and of its engine."),
    Rule("sodb.unused", N, "a row that nothing refers to", "A shader or root signature that no pipeline or state object uses is left over from an earlier build."),
    Rule("sodb.logged", N, "the file may have a write-ahead log", "What SQLite has written last can be in a file `-wal` beside the database; it is not read."),
    Rule("sodb.trailing", N, "bytes after the last page", "The data continues after the pages; the bytes are kept."),
))  # fmt: skip
NOT_WITH_MESH = ("vertex", "hull", "domain", "geometry")
UNUSED = ("shader_bytecode", "root_signatures")


def verify(file: Sodb) -> list[Diagnostic]:
    """Return the violations in the database and in its shaders, with offsets in the file."""
    found = Findings(RULES)
    data, header = file._pages()
    problem = problem_of_indexes(data, header)
    if problem:
        found.add("sodb.index", problem, "tables")
    _references(file, found)
    _pipelines(file, found)
    _objects(file, found)
    applications = len(file.tables["app_id"])
    if applications != 1:
        found.add("sodb.application", f"expected one row, got {applications}", "app_id")
    if header.logged:
        found.add("sodb.logged", path="header.write_version", offset=18)
    if file.trailing:
        found.add("sodb.trailing", f"{len(file.trailing)} bytes", "trailing", offset=len(data))
    offsets = _Offsets(file)
    diagnostics = found.diagnostics(offsets.of)
    checked: dict[bytes, list[Diagnostic]] = {}  # copies of a shader are checked once
    for row, shader in file._shaders():
        raw = shader.to_bytes()
        if raw not in checked:
            checked[raw] = list(shader.verify())
        path = f"shader_bytecode[{row.rowid}].Bytecode"
        for each in checked[raw]:
            moved = each.within(0, path)
            moved.offset = None if each.offset is None else offsets.within(row.rowid, each.offset)
            diagnostics.append(moved)
    return sorted(diagnostics, key=lambda each: (each.offset is None, each.offset or 0))


class _Offsets:
    """Offsets of fields by path, and of bytes of shaders; computed on first use."""

    def __init__(self, file: Sodb) -> None:
        self.file = file

    @cached_property
    def fields(self) -> dict[str, int]:
        data, header = self.file._pages()
        found: dict[str, int] = {}
        for span in places.spans(data, header, lambda *_: None):
            found.setdefault(span.path, span.offset)
        return found

    @cached_property
    def shaders(self) -> dict[tuple[int, str], tuple[tuple[int, int], ...]]:
        return places.value_runs(*self.file._pages(), "shader_bytecode")

    def of(self, path: str) -> int | None:
        """Return the offset of a field, or of the first field of a row."""
        return self.fields.get(path, self.fields.get(f"{path}.head"))

    def within(self, rowid: int, offset: int) -> int | None:
        """Return where a byte of the shader in a row is in the file."""
        for start, end in self.shaders.get((rowid, "Bytecode"), ()):
            if offset < end - start:
                return start + offset
            offset -= end - start
        return None


def _references(file: Sodb, found: Findings) -> None:
    """Check that each key identifies a row, and that each row of some tables is used."""
    keys = {
        name: {row.values["Key"] for row in file.tables[name]}
        for name, each in TABLES.items()
        if each.key == "Key"
    }
    used: dict[str, set[bytes]] = {name: set() for name in keys}
    for name, each in TABLES.items():
        for column in each.columns:
            words = PIPELINE_WORDS.get(column.name) if column.kind == "int" else None
            if not column.refers and words is None:
                continue
            for row in file.tables[name]:
                value = row.values[column.name]
                if value is None:
                    continue
                path = f"{name}[{row.rowid}].{column.name}"
                if words is not None:
                    if value not in words:
                        expected = f"{min(words)} to {max(words)}"
                        found.add("sodb.value", f"expected one of {expected}, got {value}", path)
                    continue
                used[column.refers].add(value)
                if value not in keys[column.refers]:
                    message = f"expected the key of a row of {column.refers}, got {spelled(value)}"
                    found.add("sodb.reference", message, path)
    for name in UNUSED:
        for row in file.tables[name]:
            if row.values["Key"] not in used[name]:
                message = f"{spelled(row.values['Key'])}: no pipeline or state object refers to it"
                found.add("sodb.unused", message, f"{name}[{row.rowid}]")


def _pipelines(file: Sodb, found: Findings) -> None:
    codes = {row.values["Key"]: row for row in file.tables["shader_bytecode"]}
    layouts = {
        row.values["InputLayoutKey"]
        for row in file.tables["input_layout_to_input_element_associations"]
    }
    for row in file.tables["shader_bytecode"]:
        raw = row.values["Bytecode"]
        if raw is not None and file.shaders.of(row) is None:
            message = f"expected a shader, got {raw[:16].hex(' ') or 'nothing'}"
            found.add("sodb.shader", message, f"shader_bytecode[{row.rowid}].Bytecode")
    for row in file.tables["pipeline_states"]:
        path = f"pipeline_states[{row.rowid}]"
        stages = set()
        for letters, word in STAGE_WORDS.items():
            key = row.values[f"ByteCode_{letters}"]
            if key is None:
                continue
            stages.add(word)
            shader = file.shaders.of(codes[key]) if key in codes else None
            stage = None if shader is None else _stage(shader)
            if stage not in (None, word):
                message = f"expected a {word} shader, got a {stage} shader"
                found.add("sodb.stage", message, f"{path}.ByteCode_{letters}")
        problem = _problem(stages)
        if problem:
            found.add("sodb.stages", problem, path)
        layout = row.values["InputLayout"]
        if layout is not None and layout not in layouts:
            found.add("sodb.layout", f"{spelled(layout)}: no element", f"{path}.InputLayout")


def _stage(shader: Shader) -> str | None:
    try:
        return shader.identity().stage
    except UnshadeError:
        return None


def _problem(stages: set[str]) -> str:
    """Return why stages make no pipeline; empty if they make one."""
    others = sorted(stages - {"compute"})
    if "compute" in stages:
        return f"expected a compute shader alone, got {', '.join(others)}, too" if others else ""
    if "mesh" in stages:
        odd = [each for each in NOT_WITH_MESH if each in stages]
        return f"expected no {odd[0]} shader beside a mesh shader, got one" if odd else ""
    if "vertex" not in stages:
        return f"expected a vertex, mesh or compute shader, got {', '.join(others) or 'none'}"
    if ("hull" in stages) != ("domain" in stages):
        return "expected a hull shader and a domain shader, got one of them"
    return ""


def _objects(file: Sodb, found: Findings) -> None:
    """Check the groups, and that no state object contains itself."""
    for row in file.tables["groups"]:
        count = sum(row.values[name] is not None for name in ("PSOKey", "SOKey"))
        if count != 1:
            message = f"expected PSOKey or SOKey, got {'both' if count else 'neither'}"
            found.add("sodb.group", message, f"groups[{row.rowid}]")
    inside: dict[bytes, list[bytes]] = {}
    for row in file.tables["state_objects"]:
        parent = row.values["AddToStateObjectParent"]
        inside.setdefault(row.values["Key"], []).extend([] if parent is None else [parent])
    for row in file.tables["so_to_existing_so_associations"]:
        owner = row.values["StateObjectKey"]
        inside.setdefault(owner, []).append(row.values["ExistingStateObjectKey"])
    left = _without_leaves(inside)
    for row in file.tables["state_objects"]:
        if row.values["Key"] in left:
            message = f"{spelled(row.values['Key'])} contains itself, or one that does"
            found.add("sodb.parent", message, f"state_objects[{row.rowid}]")


def _without_leaves(inside: dict[bytes, list[bytes]]) -> set[bytes]:
    """Return the nodes of a graph that are on a circle or lead to one."""
    owners: dict[bytes, list[bytes]] = {}
    counts = {}
    for key, each in inside.items():
        counts[key] = len(each)
        for other in each:
            owners.setdefault(other, []).append(key)
    waiting = [key for key in {*counts, *owners} if not counts.get(key)]
    done = set(waiting)
    while waiting:
        for owner in owners.get(waiting.pop(), ()):
            counts[owner] -= 1
            if not counts[owner] and owner not in done:
                done.add(owner)
                waiting.append(owner)
    return {key for key, count in counts.items() if count}
