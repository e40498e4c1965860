"""Why two builds that ought to be equal differ, and after which strip they are equal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import unshade
from tests.cli.terminal import unshade as command
from tests.examples import EXAMPLES
from tests.fixtures.pdbs import pdb
from unshade.analysis.reproducible import reproducible
from unshade.shader import Shader


def phong() -> unshade.DxContainer:
    return unshade.DxContainer.open(EXAMPLES / "phong.dxbc")


def with_compiler() -> Shader:
    made = phong()
    made["RDEF"].creator = "vkd3d-shader 2.2 (Debian 2.2+ds-1)"
    return made


def in_another_order() -> Shader:
    made = phong()
    bindings = made["RDEF"].bindings
    bindings[0], bindings[1] = bindings[1], bindings[0]
    return made


def with_private_data() -> Shader:
    made = phong()
    made.private_data = b"build 2"
    return made


def at_another_time() -> Shader:
    made = pdb()
    assert made.pdb is not None
    made.pdb.signature = 1_600_000_000
    return made


@pytest.mark.parametrize(
    ("before", "after", "reasons", "equal_after"),
    [
        (phong, with_compiler, {"hash", "compiler version"}, ("reflection",)),
        (phong, in_another_order, {"hash", "ordering"}, ("reflection",)),
        (phong, with_private_data, {"hash", "private data", "layout"}, ("private",)),
        (pdb, at_another_time, {"timestamp"}, ("private",)),
    ],
)
def test_reasons(
    before: Callable[[], Shader],
    after: Callable[[], Shader],
    reasons: set[str],
    equal_after: tuple[str, ...],
) -> None:
    found = reproducible(before(), unshade.loads(after().to_bytes()))
    assert not found.equal
    assert set(found.reasons) == reasons
    assert found.equal_after == equal_after


@pytest.mark.parametrize("size", [16, 17])
def test_bytes_are_shown_up_to_the_sixteenth(size: int) -> None:
    ones, twos = phong(), phong()
    ones.private_data, twos.private_data = b"\x01" * size, b"\x02" * size
    found = reproducible(ones, twos)
    (shown,) = [each for each in found.differences if each.reason == "private data"]
    rest = " …" if size > 16 else ""
    pair = " ".join(["01"] * min(size, 16)) + rest, " ".join(["02"] * min(size, 16)) + rest
    assert (shown.old, shown.new, shown.length) == (*pair, size)


def test_names_of_spirv() -> None:
    one, other = (unshade.open(EXAMPLES / "clay.frag.spv") for _ in range(2))
    other.rename("Camera", "Viewer")
    found = reproducible(one, other)
    assert found.reasons == {"name": 6}
    assert found.equal_after == ("debug",)


def test_equal_files_and_other_code() -> None:
    assert reproducible(phong(), phong()).equal
    found = reproducible(phong(), unshade.open(EXAMPLES / "mandel.dxbc"))
    assert found.equal_after is None
    assert "code" in found.reasons


@pytest.mark.slow
def test_command(tmp_path: Path) -> None:
    other = tmp_path / "b.dxbc"
    with_compiler().save(other)
    told = command("diff", "--reproducible", EXAMPLES / "phong.dxbc", other)
    assert told.code == 1
    assert "compiler version" in told.out
    assert told.out.endswith("Equal after strip --reflection.\n")
    same = command("diff", "--reproducible", other, other)
    assert (same.code, "reproducible: the same" in same.out) == (0, True)
