"""The compiler that a file names."""

import pytest

from unshade.vocab.fxc import by_vkd3d, modern, version

FXC = "Microsoft (R) HLSL Shader Compiler "


@pytest.mark.parametrize(
    ("creator", "expected", "is_modern"),
    [
        (FXC + "9.30.9200.20714", (9, 30), False), (FXC + "10.1", (10, 1), True),
        (FXC + "10.0.10011.16384", (10, 0), True), (FXC + "6.3.9600.16384", (6, 3), False),
        (FXC + "9.99", (9, 99), False), ("Compiler 11.0", (11, 0), True), ("dxc 1.7", None, False),
        ("", None, False), (None, None, False),
    ],
)  # fmt: skip
def test_versions(creator: str | None, expected: tuple[int, int] | None, is_modern: bool) -> None:
    assert version(creator) == expected
    assert modern(creator) is is_modern


def test_the_compiler_of_vkd3d() -> None:
    assert by_vkd3d("vkd3d-shader 1.13")
    assert not by_vkd3d(FXC + "10.1 (not vkd3d-shader)")
    assert not by_vkd3d(None)
