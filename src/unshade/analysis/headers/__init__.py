"""`unshade.headers`: declarations of a shader's buffers and resources for another language.

    print(unshade.headers(shader, "cpp"))

Structures of constant buffers, elements of structured buffers, push constants and uniforms have the
offsets and sizes of the reflection, with explicit padding and assertions of both. Resources and
the uniforms of register files are enumerations of their registers or bindings. `json` holds the
same as data.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from ...errors import UsageError
from ...model import Reflection
from ...model.resources import ConstantBuffer, Resource
from ...shader import Shader
from ...vocab.words import BufferKind
from .c import c_header
from .hlsl import hlsl_header
from .layout import HostField, HostScalar, HostStructure, LayoutBuilder
from .names import LANGUAGES
from .rust import rust_header
from .tables import ResourceTable, tables, uniform_tables

__all__ = ["LANGUAGES", "SUFFIXES", "headers"]

SUFFIXES = {"c": ".h", "cpp": ".hpp", "rust": ".rs", "hlsl": ".hlsli", "json": ".json"}


def headers(shader: Shader, to: str = "cpp") -> str:
    """Return declarations of the buffers and resources of a shader.

    Args:
        shader: A shader of a format with reflection.
        to: The language: c, cpp, hlsl, rust or json.

    Raises:
        UsageError: The language is unknown.
        UnsupportedError: The format has no reflection.
    """
    if to not in LANGUAGES:
        raise UsageError(f"unknown language {to!r:.40}: expected one of {', '.join(LANGUAGES)}")
    reflection = shader.reflect()
    buffers = [*_buffers(reflection)]
    resources = [*_resources(reflection)]
    about = f"Buffers and resources of a {shader.format} shader, by unshade headers --to {to}"
    if to == "hlsl":
        return _text(hlsl_header(buffers, reflection.resources, about))
    structures = _structures(buffers)
    table = [*tables(resources), *uniform_tables(buffers)]
    if to == "json":
        from json import dumps

        return dumps(_data(structures, table), indent=2) + "\n"
    if to == "rust":
        return _text(rust_header(structures, table, about))
    return _text(c_header(structures, table, about, to))


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _buffers(reflection: Reflection) -> Iterator[ConstantBuffer]:
    """Yield each buffer that has a layout once, buffers of entry points included."""
    seen: list[ConstantBuffer] = []
    for one in (reflection, *reflection.entry_points):
        for each in one.constant_buffers:
            if each.kind == BufferKind.INTERFACE_POINTERS or not each.variables:
                continue
            if not any(each.name == x.name and each.variables == x.variables for x in seen):
                seen.append(each)
                yield each


def _resources(reflection: Reflection) -> Iterator[Resource]:
    for one in (reflection, *reflection.entry_points):
        yield from one.resources


def _structures(buffers: Iterable[ConstantBuffer]) -> list[HostStructure]:
    builder = LayoutBuilder()
    for each in buffers:
        builder.buffer(each)
    return builder.structures


def _data(structures: Iterable[HostStructure], found: Iterable[ResourceTable]) -> dict[str, Any]:
    return {
        "structures": [
            {
                "name": each.name,
                "origin": each.origin,
                "size": each.size,
                "packed": each.packed,
                "notes": each.notes,
                "members": [_field(field) for field in each.members],
            }
            for each in structures
        ],
        "resources": [
            {
                "table": table.name,
                "entries": [row._asdict() for row in table.rows],
            }
            for table in found
        ],
    }


def _field(field: HostField) -> dict[str, Any]:
    scalar = field.type if isinstance(field.type, HostScalar) else None
    made = f"{scalar.kind}{8 * scalar.size}" if scalar else field.type.name  # type: ignore[union-attr]
    return {
        "name": field.name,
        "offset": field.offset,
        "size": field.size,
        "type": made,
        "dims": field.dims,
        "declared": field.declared,
    }
