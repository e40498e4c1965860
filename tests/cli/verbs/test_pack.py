"""`unshade pack`: modules that do not fit the container are packed, and reported."""

from pathlib import Path

from tests.cli.terminal import unshade
from tests.fixtures.vbc import FRAG, VERT, module


def test_findings_are_printed(tmp_path: Path) -> None:
    names = [str(tmp_path / name) for name in ("a.spv", "b.spv", "packed.vbc")]
    for vert, message in ((VERT, ""), (VERT.replace("Set 1", "Set 0"), "got a uniform buffer")):
        Path(names[0]).write_bytes(module(vert))
        Path(names[1]).write_bytes(module(FRAG))
        done = unshade("pack", *names[:2], "-o", names[2])
        assert done.code == 0
        assert bool(done.err) == bool(message)
        assert message in done.err
        assert Path(names[2]).exists()
        assert (unshade("verify", names[2]).code == 0) == (not message)


def test_files_of_one_stage_are_named(tmp_path: Path) -> None:
    first, second = (str(tmp_path / name) for name in ("a.spv", "b.spv"))
    for name in (first, second):
        Path(name).write_bytes(module(VERT))
    ran = unshade("pack", first, second, "-o", tmp_path / "out.vbc")
    assert ran.code == 2
    assert f"two modules of stage vert: {first} and {second}" in ran.err
    assert f"{first} is given twice" in unshade("pack", first, first, "-o", tmp_path / "o.vbc").err
