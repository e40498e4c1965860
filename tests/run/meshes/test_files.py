"""Meshes from glTF, PLY and STL, and files that would do harm."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path
from struct import pack
from typing import Any

import numpy as np
import pytest

from unshade.errors import FormatError, LimitError, UnsupportedError, UsageError
from unshade.limits import Limits
from unshade.run.meshes.files import mesh_of
from unshade.run.raster import open_mesh

pytest.importorskip("trimesh")

POSITIONS = np.array([[0, 0, 0], [2, 0, 0], [0, 2, 0]], "<f4")
NORMALS = np.array([[0, 0, 1]] * 3, "<f4")
COORDINATES = np.array([[0, 1], [1, 1], [0, 0.25]], "<f4")
TANGENTS = np.array([[1, 0, 0, -1]] * 3, "<f4")
COLOURS = np.array([[255, 0, 51, 255], [0, 255, 0, 102], [0, 0, 255, 0]], np.uint8)
INDICES = np.array([0, 1, 2], "<u2")
ATTRIBUTES = {
    "POSITION": (POSITIONS, 5126, "VEC3"), "NORMAL": (NORMALS, 5126, "VEC3"),
    "TEXCOORD_0": (COORDINATES, 5126, "VEC2"), "TANGENT": (TANGENTS, 5126, "VEC4"),
    "COLOR_0": (COLOURS, 5121, "VEC4"),
}  # fmt: skip


def tree(uri: str | None = None) -> tuple[dict[str, Any], bytes]:
    """A glTF document of one triangle, and its buffer."""
    data = b""
    views: list[dict[str, Any]] = []
    accessors: list[dict[str, Any]] = []
    for array, kind, shape in (*ATTRIBUTES.values(), (INDICES, 5123, "SCALAR")):
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": array.nbytes})
        accessors.append({
            "bufferView": len(views) - 1, "componentType": kind, "type": shape, "count": 3,
            "normalized": kind == 5121,
        })  # fmt: skip
        data += array.tobytes() + bytes(-array.nbytes % 4)
    if uri is None:
        uri = "data:application/octet-stream;base64," + b64encode(data).decode()
    primitive = {"attributes": {name: at for at, name in enumerate(ATTRIBUTES)}, "indices": 5}
    return {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}], "meshes": [{"primitives": [primitive]}],
        "buffers": [{"uri": uri, "byteLength": len(data)}], "bufferViews": views,
        "accessors": accessors,
    }, data  # fmt: skip


def read(document: dict[str, Any], limits: Limits | None = None) -> Any:
    return mesh_of(json.dumps(document).encode(), "a.gltf", limits or Limits())


def glb(document: dict[str, Any], data: bytes) -> bytes:
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    body = pack("<2I", len(text), 0x4E4F534A) + text + pack("<2I", len(data), 0x4E4942) + data
    return b"glTF" + pack("<2I", 2, 12 + len(body)) + body


def test_attributes() -> None:
    found = read(tree()[0])
    assert found.position.tolist() == POSITIONS.tolist()
    assert found.normal.tolist() == NORMALS.tolist()
    assert found.uv.tolist() == [[0, 0], [1, 0], [0, 0.75]]  # v runs up
    assert found.tangent.tolist() == TANGENTS.tolist()
    assert found.colour == pytest.approx(COLOURS / 255)
    assert found.triangles.tolist() == [[0, 1, 2]]


def test_a_buffer_in_a_file_and_in_a_chunk(tmp_path: Path) -> None:
    wanted = read(tree()[0])
    document, data = tree("sub/my%20mesh.bin")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "my mesh.bin").write_bytes(data)
    (tmp_path / "a.gltf").write_text(json.dumps(document))
    del document["buffers"][0]["uri"]
    (tmp_path / "a.glb").write_bytes(glb(document, data))
    for name in ("a.gltf", "a.glb"):
        found = open_mesh(tmp_path / name)
        assert found.position.tolist() == wanted.position.tolist()
        assert found.uv.tolist() == wanted.uv.tolist()


def test_nodes_move_and_mirror_what_they_show() -> None:
    """The second is half as wide, mirrored in x, and moved: its normal and winding stay."""
    document, _ = tree()
    document["nodes"] = [{"mesh": 0, "children": [1]},
                         {"mesh": 0, "scale": [-0.5, 1, 1], "translation": [5, 0, 0]}]  # fmt: skip
    found = read(document)
    assert found.position[3:].tolist() == [[5, 0, 0], [4, 0, 0], [5, 2, 0]]
    assert found.normal.tolist() == [[0, 0, 1]] * 6
    assert found.tangent[3:].tolist() == [[-1, 0, 0, 1]] * 3
    a, b, c = found.position[found.triangles[1]]
    assert np.cross(b - a, c - a)[2] > 0
    assert sorted(found.triangles[1].tolist()) == [3, 4, 5]


def test_missing_normals_and_tangents() -> None:
    document, _ = tree()
    attributes = document["meshes"][0]["primitives"][0]["attributes"]
    for name in ("NORMAL", "TANGENT", "COLOR_0", "TEXCOORD_0"):
        del attributes[name]
    found = read(document)
    assert found.normal.tolist() == [[0, 0, 1]] * 3
    assert (found.tangent, found.colour) == (None, None)
    assert found.uv.tolist() == [[0, 0]] * 3


@pytest.mark.parametrize(
    "uri",
    [
        "../secret.bin", "sub/../../secret.bin", "%2e%2e/secret.bin", "/etc/passwd", "link.bin",
        "folder/secret.bin", "http://127.0.0.1:9/a.bin", "https://example.com/a.bin",
        "file:///etc/passwd", "FILE:/etc/passwd", "ftp://a/b", "..\\secret.bin", "C:/secret.bin",
        "C:secret.bin", "\\\\server\\share", "a\0b", "", ".", "sub/..",
    ],
)  # fmt: skip
def test_references_stay_below_the_folder(tmp_path: Path, uri: str) -> None:
    """No traversal, no absolute path, no link that leads out, no network."""
    document, data = tree(uri)
    inside = tmp_path / "inside"
    (inside / "sub").mkdir(parents=True)
    (tmp_path / "secret.bin").write_bytes(data)
    (inside / "link.bin").symlink_to(tmp_path / "secret.bin")
    (inside / "folder").symlink_to(tmp_path)
    (inside / "a.gltf").write_text(json.dumps(document))
    with pytest.raises(UsageError, match=r"buffers\[0\]\.uri: expected a file below the folder"):
        open_mesh(inside / "a.gltf")


def test_pipes_and_large_files_are_not_read(tmp_path: Path) -> None:
    document, data = tree("big.bin")
    (tmp_path / "big.bin").write_bytes(data)
    (tmp_path / "a.gltf").write_text(json.dumps(document))
    size = (tmp_path / "a.gltf").stat().st_size
    big = tmp_path / "big.bin"
    big.write_bytes(bytes(size + 1))
    with pytest.raises(LimitError, match="file_size"):
        open_mesh(tmp_path / "a.gltf", Limits(file_size=size))
    big.unlink()
    with pytest.raises(FileNotFoundError, match=r"big\.bin: No such file"):
        open_mesh(tmp_path / "a.gltf")


def test_images_are_not_opened(tmp_path: Path) -> None:
    document, _ = tree()
    document["images"] = [{"uri": "../a.png"}, {"uri": "http://127.0.0.1:9/a.png"}]
    document["textures"] = [{"source": 0}]
    document["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
    document["meshes"][0]["primitives"][0]["material"] = 0
    assert len(read(document).triangles) == 1


def changed(*path: Any, to: Any) -> dict[str, Any]:
    """The document with a value changed."""
    document, _ = tree()
    at: Any = document
    for each in path[:-1]:
        at = at[each]
    at[path[-1]] = to
    return document


@pytest.mark.parametrize(
    ("document", "error", "words"),
    [
        (changed("accessors", 0, "count", to=4_000_000_000), FormatError,
         r"accessors\[0\]: expected 1 or more elements in 36 bytes, got 4,000,000,000"),
        (changed("accessors", 0, "count", to=10**30), FormatError, r"accessors\[0\]"),
        (changed("accessors", 0, "count", to=-1), FormatError, r"accessors\[0\]\.count"),
        (changed("accessors", 0, "count", to=1.5), FormatError, "expected an integer"),
        (changed("accessors", 0, "count", to=0), FormatError, "expected 1 or more"),
        (changed("accessors", 0, "byteOffset", to=4), FormatError, r"accessors\[0\]"),
        (changed("accessors", 0, "bufferView", to=9), FormatError, "one of 6 bufferViews, got 9"),
        (changed("accessors", 0, "componentType", to=5), FormatError, "known componentType"),
        (changed("accessors", 0, "type", to="VEC9"), FormatError, "known componentType and type"),
        (changed("accessors", 0, "sparse", to={}), UnsupportedError, "sparse accessors"),
        (changed("accessors", 0, to={"count": 4_000_000_000, "componentType": 5126,
                                     "type": "VEC3"}), UnsupportedError, "without a bufferView"),
        (changed("bufferViews", 0, "byteLength", to=10**12), FormatError, r"bufferViews\[0\]"),
        (changed("bufferViews", 0, "buffer", to=3), FormatError, "one of 1 buffers, got 3"),
        (changed("bufferViews", 0, "byteStride", to=1), FormatError, "expected at least 12, got 1"),
        (changed("buffers", 0, "byteLength", to=10**12), FormatError, r"buffers\[0\]"),
        (changed("buffers", 0, "uri", to="data:,x"), UnsupportedError, "expected base64"),
        (changed("buffers", 0, "uri", to="data:;base64,?"), FormatError, "expected base64"),
        (changed("meshes", 0, "primitives", 0, "indices", to=99), FormatError, "of 6 accessors"),
        (changed("meshes", 0, "primitives", 0, "attributes", to={}), FormatError, "a POSITION"),
        (changed("nodes", 0, "mesh", to=7), FormatError, "expected one of 1 meshes, got 7"),
        (changed("nodes", 0, "mesh", to=1), FormatError, "expected one of 1 meshes, got 1"),
        (changed("nodes", 0, "children", to=[0]), FormatError, "a node without a parent"),
        (changed("nodes", to=[{"mesh": 0}, {"children": [2]}, {"children": [1]}]), UsageError, ""),
        (changed("extensionsRequired", to=["KHR_draco_mesh_compression"]), UnsupportedError,
         "needs KHR_draco_mesh_compression cannot"),
        (changed("meshes", 0, "primitives", 0, "mode", to=1), UsageError, "with triangles"),
        (changed("meshes", to=[]), FormatError, "expected one of 0 meshes"),
    ],
)  # fmt: skip
def test_hostile_documents(document: dict[str, Any], error: type[Exception], words: str) -> None:
    if not words:  # a circle apart from the scene is passed over, or refused
        assert len(read(document).triangles) == 1
        return
    with pytest.raises(error, match=words):
        read(document)


def test_indices_of_no_vertex() -> None:
    document, _ = tree()
    document["accessors"][5] = {**document["accessors"][4], "type": "SCALAR"}  # 255, 0, 51
    with pytest.raises(UsageError, match="one of 3 vertices, got 255"):
        read(document)


def test_overlapping_views_have_a_limit() -> None:
    document, _ = tree()
    document["accessors"] += [document["accessors"][0]] * 1000
    size = len(json.dumps(document))
    with pytest.raises(LimitError, match="file_size"):
        read(document, Limits(file_size=size if size < 36_000 else 36_000))


def test_texts_that_are_no_document() -> None:
    for data, words in (
        (b"[1]", "expected a JSON object"), (b"{", "expected JSON"), (b"[" * 100_000, "JSON"),
        (b"glTF" + pack("<2I", 2, 12), "expected a chunk of JSON"),
        (b"glTF" + pack("<4I", 2, 20, 0xFFFFFFF0, 0x4E4F534A), "at 0x14, chunk.contents"),
    ):  # fmt: skip
        with pytest.raises(FormatError, match=words):
            mesh_of(data, "a.gltf")
    with pytest.raises(UnsupportedError, match="version 1"):
        mesh_of(b"glTF" + pack("<2I", 1, 12), "a.glb")


# ---------------------------------------------------------------- PLY and STL

PLY = """ply
format ascii 1.0
comment TextureFile ../../secret.png
element vertex 4
property float x
property float y
property float z
property float nx
property float ny
property float nz
property float s
property float t
property uchar red
property uchar green
property uchar blue
element face 1
property list uchar int vertex_indices
end_header
0 0 0 0 0 -1 0 0 255 0 51
1 0 0 0 0 -1 1 0 0 255 0
1 1 0 0 0 -1 1 0.5 0 0 255
0 1 0 0 0 -1 0 1 255 255 255
4 0 1 2 3
"""


def test_ply_with_normals_coordinates_and_colours() -> None:
    found = mesh_of(PLY.encode(), "a.ply")
    assert len(found.triangles) == 2
    assert found.normal.tolist() == [[0, 0, -1]] * 4
    assert found.uv.tolist() == [[0, 0], [1, 0], [1, 0.5], [0, 1]]
    assert found.colour is not None
    assert found.colour[0].tolist() == pytest.approx([1, 0, 0.2, 1])


def binary_ply(vertices: str = "3", faces: str = "1", body: bytes | None = None) -> bytes:
    head = (
        "ply\nformat binary_little_endian 1.0\n"
        f"element vertex {vertices}\nproperty float x\nproperty float y\nproperty float z\n"
        f"element face {faces}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    if body is None:
        body = POSITIONS.tobytes() + pack("<B3i", 3, 0, 1, 2)
    return head.encode() + body


def test_binary_ply() -> None:
    found = mesh_of(binary_ply(), "a.ply")
    assert found.position.tolist() == POSITIONS.tolist()
    assert found.normal.tolist() == [[0, 0, 1]] * 3


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (binary_ply(vertices="4294967295"), "expected 4,294,967,295 of b'vertex'"),
        (binary_ply(faces="999999999999999999"), "of b'face'"),
        (binary_ply(vertices="-5"), "expected a name and a count"),
        (binary_ply(vertices="9" * 30), "expected a name and a count"),
        (binary_ply(body=b""), "got too few bytes"),
        (PLY.replace("vertex 4", "vertex 400").encode(), "got too few bytes"),
        (b"ply\nformat ascii 1.0\n", "a header from ply to end_header"),
        (binary_ply().replace(b"float z", b"vec9 z"), "a type as float, got 'vec9'"),
    ],
)
def test_hostile_ply(data: bytes, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        mesh_of(data, "a.ply")


def test_ply_with_numbers_of_no_vertex_and_faces_of_several_sizes() -> None:
    with pytest.raises(UsageError, match="one of 3 vertices, got 7"):
        mesh_of(binary_ply(body=POSITIONS.tobytes() + pack("<B3i", 3, 0, 1, 7)), "a.ply")
    body = POSITIONS.tobytes() + pack("<B3i", 3, 0, 1, 2) + pack("<B4i", 4, 0, 1, 2, 0)
    with pytest.raises(UsageError, match=r"\.ply"):
        mesh_of(binary_ply(faces="2", body=body), "a.ply")


def test_stl() -> None:
    triangle = np.concatenate([NORMALS[:1], POSITIONS]).astype("<f4").tobytes() + bytes(2)
    data = bytes(80) + pack("<I", 2) + triangle * 2
    text = "solid a\n" + (
        "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 2 0 0\nvertex 0 2 0\nendloop\n"
        "endfacet\n"
    ) * 2 + "endsolid a\n"  # fmt: skip
    for each in (data, text.encode()):
        found = mesh_of(each, "a.stl")
        assert found.position.tolist() == [*POSITIONS.tolist(), *POSITIONS.tolist()]
        assert found.normal.tolist() == [[0, 0, 1]] * 6
    huge = bytes(80) + pack("<I", 0xFFFFFFFF) + triangle
    with pytest.raises(FormatError, match="at 0x50, count: expected 214,748,364,834 bytes"):
        mesh_of(huge, "a.stl")


def test_truncated_meshes_have_documented_errors() -> None:
    document, data = tree()
    del document["buffers"][0]["uri"]
    whole = glb(document, data)
    triangle = np.concatenate([NORMALS[:1], POSITIONS]).astype("<f4").tobytes() + bytes(2)
    for name, given in (
        ("a.glb", whole), ("a.ply", binary_ply()), ("a.stl", bytes(80) + pack("<I", 1) + triangle),
    ):  # fmt: skip
        for size in range(0, len(given), 7):
            with pytest.raises((FormatError, UsageError)):
                mesh_of(given[:size], name)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "trimesh", None)
    with pytest.raises(UnsupportedError, match=r"a \.stl mesh needs trimesh: .*\[scene\]"):
        mesh_of(bytes(84), "a.stl")


def test_positions_that_are_no_numbers_have_normals() -> None:
    """Nothing is drawn of them, and nothing warns."""
    for number in ("nan", "inf", "3e38", "-3e38"):
        text = PLY.replace("1 1 0 0 0 -1", f"{number} 1 0 0 0 -1").replace("nx", "a")
        found = mesh_of(text.encode(), "a.ply")
        assert np.isfinite(found.normal).all()


def test_ply_whose_colours_are_lists() -> None:
    text = PLY.replace("property uchar red", "property list uchar uchar red")
    with pytest.raises(UsageError):
        mesh_of(text.encode(), "a.ply")
