"""Shaders inside archives and compressed data, and the registry of readers.

    find(data)     game.pak!zstd@0x1f00!dxbc@0x40

An archive or a compression is registered by one line in `ARCHIVES`. Other packages add readers
through the entry-point group `unshade.archives`, whose entries are of class `Archive`. They are
read at the first search; one that cannot be loaded does not affect the others.
"""

from functools import cache
from typing import TYPE_CHECKING, Any

from .archive import Archive, ArchiveEntry, Opened

if TYPE_CHECKING:
    from .inside import find
    from .putting import put_back

__all__ = ["ARCHIVES", "Archive", "ArchiveEntry", "Opened", "find", "known", "put_back"]

HERE = "unshade.archives"
STREAM = f"{HERE}.repacking:stream"
ARCHIVES = (
    Archive("zip", (b"PK\3\4",), f"{HERE}.zip:zip_archive", writer=f"{HERE}.zip_writing:put",
            last=True),
    Archive("zstd", (b"\x28\xb5\x2f\xfd",), f"{HERE}.zstd:zstd", writer=STREAM),
    Archive("lz4", (b"\x04\x22\x4d\x18",), f"{HERE}.lz4:lz4", writer=STREAM),
    Archive("gzip", (b"\x1f\x8b\x08",), f"{HERE}.streams:gzip", writer=STREAM),
    Archive("xz", (b"\xfd7zXZ\0",), f"{HERE}.streams:xz", writer=STREAM),
    Archive("bzip2", tuple(b"BZh%d1AY&SY" % level for level in range(1, 10)),
            f"{HERE}.streams:bzip2", writer=STREAM),
    # The window of 32 KiB, which all writers use, and the four levels.
    Archive("zlib", (b"x\x01", b"x\x5e", b"x\x9c", b"x\xda"), f"{HERE}.streams:zlib_stream",
            writer=STREAM),
    Archive("foz", (b"\x81FOSSILIZEDB\0\0\0",), f"{HERE}.fossilize:fossilize"),
    Archive("vkd3d-cache", tuple(b"VKS%c" % each for each in range(1, 9)), f"{HERE}.vkd3d:stream"),
    Archive("vkd3d-library", tuple(b"VKL%c" % each for each in range(1, 9)),
            f"{HERE}.vkd3d:library"),
    Archive("smolv", (b"LOMS",), f"{HERE}.smolv:smolv"),
    Archive("unity", (b"UnityFS\0",), f"{HERE}.unity:unity"),
    # Without a magic, or with one that is only at the start of a file.
    Archive("xnb", (), f"{HERE}.xnb:xnb"),
    Archive("unreal-pak", (), f"{HERE}.unreal_pak:unreal_pak"),
    Archive("unreal-shaders", (), f"{HERE}.unreal_shaders:unreal_shaders"),
    Archive("unreal-container", (), f"{HERE}.unreal_container:unreal_container",
            writer=f"{HERE}.unreal_container:put", continued=(".utoc", ".ucas")),
    Archive("rdc", (), f"{HERE}.renderdoc:renderdoc"),
    Archive("brotli", (), f"{HERE}.headerless:brotli"),
    Archive("lz4-start", (), f"{HERE}.headerless:lz4_start"),
    Archive("lz4-block", (), f"{HERE}.lz4_block:block", shows=True,
            writer=f"{HERE}.lz4_block_writing:put"),
)  # fmt: skip


@cache
def known() -> tuple[Archive, ...]:
    """Return all readers: first the registry's, then the readers of other packages."""
    from ..plugins import entry_points

    found = []
    for each in entry_points(HERE):
        try:
            loaded: object = each.load()
        except Exception:  # code of other packages may raise anything
            continue
        if isinstance(loaded, Archive):
            found.append(loaded)
    return (*ARCHIVES, *found)


if not TYPE_CHECKING:
    from ..lazy import attributes

    def __getattr__(name: str) -> Any:
        return attributes(__name__, {"find": ".inside", "put_back": ".putting"})(name)
