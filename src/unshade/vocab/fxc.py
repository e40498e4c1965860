"""The compiler that a file names: `Microsoft (R) HLSL Shader Compiler 9.30.9200.20714`."""

import re
from functools import lru_cache

VKD3D = "vkd3d-shader"  # the beginning of what vkd3d's compiler calls itself


@lru_cache(maxsize=64)
def version(creator: str | None) -> tuple[int, int] | None:
    """Return (major, minor) of the fxc version in a creator text, or None if there is none."""
    found = re.search(r"Compiler (\d+)\.(\d+)", creator or "")
    return (int(found[1]), int(found[2])) if found else None


def modern(creator: str | None) -> bool:
    """Return True for fxc 10 or later; 6.3, of the Windows 8.1 kit, is newer than 9.30."""
    found = version(creator)
    return found is not None and found >= (10, 0)


def by_vkd3d(creator: str | None) -> bool:
    """Return True for vkd3d's compiler, which fills in less than fxc."""
    return (creator or "").startswith(VKD3D)
