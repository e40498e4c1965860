"""The compiler that a file names: `Microsoft (R) HLSL Shader Compiler 9.30.9200.20714`."""

import re


def version(creator: str | None) -> tuple[int, int] | None:
    """The major and minor number of the fxc that the text names, None where it names none."""
    found = re.search(r"Compiler (\d+)\.(\d+)", creator or "")
    return (int(found[1]), int(found[2])) if found else None


def modern(creator: str | None) -> bool:
    """Whether it is fxc 10 or later. 6.3, of the Windows 8.1 kit, is younger than 9.30, yet old."""
    found = version(creator)
    return found is not None and found >= (10, 0)
