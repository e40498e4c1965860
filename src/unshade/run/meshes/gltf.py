"""glTF 2.0 files, checked before trimesh reads them: buffers, views, accessors, extensions.

    model.gltf    JSON; a buffer is a `data:` URI, or a file below the folder of the model
    model.glb     "glTF", version, size; chunks: size, "JSON" or "BIN\\0", bytes

Nothing is loaded from a network, or from outside of the folder. The counts of accessors are
compared with the bytes of their views, since trimesh allocates what an accessor declares. trimesh
keeps unknown attributes only if their names begin with an underscore: attributes that it would
drop, convert or flip are given such names.

Source: Khronos glTF 2.0 specification.
"""

import json
from base64 import b64decode
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from ...errors import FileError, FormatError, LimitError, UnsupportedError, UsageError
from ...limits import Limits
from ...wire import Record, blob, field, magic, read_prefix, u32

MAGIC = b"glTF"
JSON_CHUNK, BINARY_CHUNK = 0x4E4F534A, 0x004E4942
BYTES = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}  # of a component, by its type
COMPONENTS = {
    "SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16,
}  # fmt: skip
KEPT = ("NORMAL", "TANGENT", "TEXCOORD_0", "COLOR_0")
# Extensions that change nothing in the arrays of a primitive.
HARMLESS = ("KHR_materials_", "KHR_texture_", "KHR_lights_", "EXT_texture_", "MSFT_texture_")

External = Callable[[str, int], bytes]  # the bytes of a file below the folder, and their limit


class GlbChunk(Record, source="Khronos glTF 2.0 specification"):
    """A chunk of a binary glTF file."""

    size: u32 = field("bytes of the contents")
    kind: u32 = field("JSON, or BIN and a zero")
    contents: bytes = blob("the contents", "size", opaque=False)


class GlbHeader(Record, source="Khronos glTF 2.0 specification"):
    """The header of a binary glTF file."""

    magic: bytes = magic("identifies the format", MAGIC)
    version: u32 = field("2", default=2)
    size: u32 = field("bytes of the file")


def checked(data: bytes, external: External, limits: Limits) -> tuple[bytes, dict[str, bytes]]:
    """Return the JSON of a glTF file for trimesh, and its buffers by name.

    Raises:
        FormatError: The file is malformed.
        LimitError: Its buffers, or what accessors read, exceed the limit `file_size`.
        UnsupportedError: It needs an extension, or has sparse accessors.
        UsageError: It refers to a file that is not below its folder.
    """
    text, binary = _chunks(data, limits) if data.startswith(MAGIC) else (data, None)
    try:
        tree = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"expected JSON: {error}") from None
    if not isinstance(tree, dict):
        raise FormatError("expected a JSON object")
    for name in _list(tree, "extensionsRequired"):
        if not str(name).startswith(HARMLESS):
            raise UnsupportedError(f"a glTF file that needs {name!s:.60} cannot be read")
    buffers = _buffers(tree, binary, external, limits)
    _check_views(tree, [len(each) for each in buffers])
    _check_accessors(tree, limits)
    _check_numbers(tree)
    _keep_attributes(tree)
    names = [f"{number}.bin" for number in range(len(buffers))]
    tree["buffers"] = [
        {"uri": name, "byteLength": len(each)} for name, each in zip(names, buffers, strict=True)
    ]
    for key in ("images", "textures", "samplers", "materials", "animations", "skins",
                "extensionsUsed", "extensionsRequired", "extensions", "cameras"):  # fmt: skip
        tree.pop(key, None)
    return json.dumps(tree).encode(), dict(zip(names, buffers, strict=True))


def _chunks(data: bytes, limits: Limits) -> tuple[bytes, bytes | None]:
    """Return the JSON and the binary buffer of a binary file."""
    header, at = read_prefix(GlbHeader, data, limits=limits)
    if header.version != 2:
        raise UnsupportedError(f"glTF of version {header.version} cannot be read")
    text: bytes | None = None
    binary: bytes | None = None
    while at + 8 <= len(data):
        try:
            chunk, size = read_prefix(GlbChunk, data[at:], limits=limits)
        except FormatError as error:
            raise error.within(at, "chunk") from None
        if chunk.kind == JSON_CHUNK and text is None:
            text = chunk.contents
        elif chunk.kind == BINARY_CHUNK and binary is None:
            binary = chunk.contents
        at += size
    if text is None:
        raise FormatError("expected a chunk of JSON", offset=12)
    return text, binary


def _list(tree: dict[str, Any], key: str) -> list[Any]:
    found = tree.get(key, [])
    if not isinstance(found, list):
        raise FormatError("expected a list", path=key)
    return found


def _number(holder: Any, key: str, path: str, default: int | None = None) -> int:
    """Return a number of at least 0."""
    if not isinstance(holder, dict):
        raise FormatError("expected an object", path=path)
    found = holder.get(key, default)
    if not isinstance(found, int) or isinstance(found, bool) or found < 0:
        raise FormatError(f"expected an integer of at least 0, got {found!r:.40}",
                          path=f"{path}.{key}")  # fmt: skip
    return found


def _buffers(
    tree: dict[str, Any], binary: bytes | None, external: External, limits: Limits
) -> list[bytes]:
    found = []
    left = limits.file_size
    for number, each in enumerate(_list(tree, "buffers")):
        path = f"buffers[{number}]"
        size = _number(each, "byteLength", path)
        uri = each.get("uri")
        if uri is None:
            if number or binary is None:
                raise FormatError("expected a uri, or the binary chunk", path=path)
            data = binary
        else:
            data = _resource(uri, path, external, left)
        if size > len(data):
            raise FormatError(f"expected {size:,} bytes, got {len(data):,}", path=path)
        left -= len(data)
        found.append(data[:size])
    return found


def _resource(uri: Any, path: str, external: External, most: int) -> bytes:
    """Return the bytes of a URI."""
    if not isinstance(uri, str):
        raise FormatError(f"expected text, got {uri!r:.40}", path=f"{path}.uri")
    if uri.startswith("data:"):
        head, comma, text = uri.partition(",")
        if not comma or not head.endswith(";base64"):
            raise UnsupportedError(f"{path}.uri: expected base64, got {head!r:.40}")
        try:
            return b64decode(text, validate=True)
        except ValueError as error:
            raise FormatError(f"expected base64: {error}", path=f"{path}.uri") from None
    try:
        return external(unquote(uri), most)
    except FileError:  # which names the file
        raise
    except UsageError as error:
        raise UsageError(f"{path}.uri: {error}") from None


def _check_views(tree: dict[str, Any], sizes: list[int]) -> None:
    for number, view in enumerate(_list(tree, "bufferViews")):
        path = f"bufferViews[{number}]"
        buffer = _number(view, "buffer", path)
        if buffer >= len(sizes):
            raise FormatError(f"expected one of {len(sizes)} buffers, got {buffer}", path=path)
        end = _number(view, "byteOffset", path, 0) + _number(view, "byteLength", path)
        if end > sizes[buffer]:
            raise FormatError(f"expected up to {sizes[buffer]:,} bytes, got {end:,}", path=path)


def _check_accessors(tree: dict[str, Any], limits: Limits) -> None:
    """Raise an error for an accessor that reads more than its view has.

    Views may overlap, so that a small file could cause much work: what all accessors read together
    has a limit, too.
    """
    views = _list(tree, "bufferViews")
    total = 0
    for number, each in enumerate(_list(tree, "accessors")):
        path = f"accessors[{number}]"
        count = _number(each, "count", path)
        if "sparse" in each or "bufferView" not in each:
            what = "sparse accessors" if "sparse" in each else "accessors without a bufferView"
            raise UnsupportedError(f"{path}: {what} cannot be read")
        size = BYTES.get(_number(each, "componentType", path), 0)
        size *= COMPONENTS.get(str(each.get("type")), 0)
        if not size:
            raise FormatError("expected a known componentType and type", path=path)
        at = _number(each, "bufferView", path)
        if at >= len(views):
            raise FormatError(f"expected one of {len(views)} bufferViews, got {at}", path=path)
        stride = _number(views[at], "byteStride", f"bufferViews[{at}]", size)
        if stride < size:
            raise FormatError(f"expected at least {size}, got {stride}",
                              path=f"bufferViews[{at}].byteStride")  # fmt: skip
        end = _number(each, "byteOffset", path, 0) + max(0, count - 1) * stride + size
        if not count or end > views[at]["byteLength"]:
            raise FormatError(
                f"expected 1 or more elements in {views[at]['byteLength']:,} bytes, got {count:,}",
                path=path,
            )  # fmt: skip
        total += count * size
        if total > limits.file_size:
            raise LimitError("file_size", limits.file_size, total)


def _check_numbers(tree: dict[str, Any]) -> None:
    """Raise FormatError for a node, or an attribute, whose number refers to nothing."""
    accessors, meshes, nodes = (
        len(_list(tree, key)) for key in ("accessors", "meshes", "nodes")
    )  # fmt: skip
    for number, mesh in enumerate(_list(tree, "meshes")):
        path = f"meshes[{number}]"
        if not isinstance(mesh, dict):
            raise FormatError("expected an object", path=path)
        for at, each in enumerate(_list(mesh, "primitives")):
            where = f"{path}.primitives[{at}]"
            given = each.get("attributes") if isinstance(each, dict) else None
            if not isinstance(given, dict) or "POSITION" not in given:
                raise FormatError("expected attributes with a POSITION", path=where)
            mesh_extensions = each.get("extensions") or {}
            if "KHR_draco_mesh_compression" in mesh_extensions:
                raise UnsupportedError(f"{where}: KHR_draco_mesh_compression cannot be read")
            used = {**given, **({"indices": each["indices"]} if "indices" in each else {})}
            for name, which in used.items():
                if _number(used, name, where) >= accessors:
                    raise FormatError(f"expected one of {accessors} accessors, got {which}",
                                      path=f"{where}.{name}")  # fmt: skip
    parents: set[int] = set()
    for number, node in enumerate(_list(tree, "nodes")):
        path = f"nodes[{number}]"
        if not isinstance(node, dict):
            raise FormatError("expected an object", path=path)
        if "mesh" in node and _number(node, "mesh", path) >= meshes:
            raise FormatError(f"expected one of {meshes} meshes, got {node['mesh']}", path=path)
        for child in _list(node, "children"):
            if not isinstance(child, int) or not 0 <= child < nodes or child in parents:
                raise FormatError(f"expected nodes with one parent each, got {child!r:.20}",
                                  path=f"{path}.children")  # fmt: skip
            parents.add(child)
    if nodes and len(parents) == nodes:
        raise FormatError("expected a node without a parent", path="nodes")


def _keep_attributes(tree: dict[str, Any]) -> None:
    """Add the attributes that trimesh drops, converts or flips under names that it keeps."""
    for mesh in _list(tree, "meshes"):
        for each in mesh.get("primitives", []):
            given = each["attributes"]
            kept = {f"_{name}": given[name] for name in KEPT if name in given}
            each["attributes"] = {"POSITION": given["POSITION"], **kept}
            each.pop("extensions", None)
