"""Operations of source languages are found again, in a time that grows as the program does."""

import pytest

import unshade
from unshade.decompile import operations

from .test_glsl import COMPUTE


def source(count: int) -> str:
    """Return GLSL of a program that reads and writes so many textures."""
    kind = "(float,float,float,float)"
    declared = "\n".join(f"dcl_uav_typed_texture2d {kind} u{at}" for at in range(count))
    lines = []
    for at in range(count):
        lines += [
            f"ld_uav_typed_indexable(texture2d){kind} r0.x, vThreadID.xyyy, u{at}.xyzw",
            f"store_uav_typed u{at}.xyzw, vThreadID.yxxx, r0.xxxx",
        ]
    text = COMPUTE.format(declared, "\n".join(lines))
    return unshade.assemble(text, "dxcontainer").decompile("glsl")


def test_each_texel_is_compared_with_its_own_texture(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []
    matched = operations.matched

    def counted(*given: object) -> object:
        counts[-1] += 1
        return matched(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(operations, "matched", counted)
    for count in (4, 8, 16):
        counts.append(0)
        text = source(count)
        for at in range(count):
            assert f"imageLoad(u{at}, " in text
            assert f"imageStore(u{at}, " in text
    assert counts[2] - counts[1] == 2 * (counts[1] - counts[0])
