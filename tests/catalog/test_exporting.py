"""Each shader once, read from a file that still has it."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from tests.catalog.places import state
from tests.cli.terminal import PHONG, SAXPY, unshade
from unshade import catalog
from unshade.limits import Limits


def test_each_shader_once(made: Path, tmp_path: Path) -> None:
    ended = unshade("catalog", "export", made, "-o", tmp_path / "out")
    assert (ended.code, ended.err) == (0, "unshade: 4 shaders written\n")
    found = state(tmp_path / "out")
    assert len(found) == 4
    for name, data in found.items():
        assert name.startswith(sha256(data).hexdigest())
    assert PHONG.read_bytes() in found.values()


def test_a_condition_and_a_template(made: Path, tmp_path: Path) -> None:
    line = ["catalog", "export", str(made), "-o", str(tmp_path / "out")]
    unshade(*line, "--where", "stage = 'compute'", "--template", "{profile}/{hash:6}.{format}")
    assert state(tmp_path / "out") == {"cs_5_0/adb128.dxbc": SAXPY.read_bytes()}
    assert unshade(*line, "--where", "nonsense").code == 2
    assert unshade(*line, "--where", "true) UNION SELECT (content").code == 2
    assert unshade(*line, "--template", "../{hash}").code == 2
    assert unshade(*line, "--where", "false").code == 1


def test_files_that_are_not_read_are_told_with_the_reason(build: Path, made: Path) -> None:
    told: list[str] = []
    (build / "saxpy.dxbc").unlink()
    with catalog.Catalog(str(made)) as opened:
        found = [*catalog.shaders_of(opened, limits=Limits(layers=0), tell=told.append)]
    assert len(found) == 3
    assert told[0].startswith(f"{(build / 'pack.bin').as_posix()}: ")
    assert "limit layers" in told[0]
    assert told[1].startswith(f"{(build / 'saxpy.dxbc').as_posix()}: ")
    assert told[2].startswith("1 shader left out")


def test_changed_files_are_left_out(build: Path, made: Path, tmp_path: Path) -> None:
    (build / "phong.dxbc").unlink()
    (build / "cut.dxbc").write_bytes(b"other")
    ended = unshade("catalog", "export", made, "-o", tmp_path / "out")
    assert ended.code == 1
    assert "1 shader left out" in ended.err
    assert PHONG.read_bytes() in state(tmp_path / "out").values()  # from its copy
