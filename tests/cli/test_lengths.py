"""`--length`: the number of resources in an unbounded array."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import unshade as library
from tests.cli.terminal import unshade

THREADS = """cs_5_1
dcl_uav_raw U0[0:0], space=0
dcl_resource_raw T0[0:*], space=0
dcl_input vThreadID.x
dcl_temps 2
dcl_thread_group 3, 1, 1
mov r0.x, vThreadID.x
ld_raw r1.x, l(0), T0[r0.x + 0].xxxx
ishl r0.y, vThreadID.x, l(2)
store_raw U0[0].x, r0.y, r1.x
ret
"""
PIXELS = """ps_5_1
dcl_constantbuffer CB0[0:*][1], dynamicIndexed, space=0
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_output o0.xyzw
dcl_temps 1
ftou r0.x, v0.x
mov o0.xyzw, CB0[r0.x + 0][0].xyzw
ret
"""
BOUND = ("--bind", "u0=zeros(3)", "--bind", "t0=iota(1)", "--bind", "t1=ones(1)")


@pytest.fixture
def threads(tmp_path: Path) -> Path:
    path = tmp_path / "cs.cso"
    library.assemble(THREADS, "dxcontainer").save(path)
    return path


def test_run(threads: Path) -> None:
    line = ("run", threads, "--groups", "1", "--engine", "lockstep", *BOUND)
    ended = unshade(*line)
    assert ended.code == 4
    assert "use --length t0=… (in Python lengths={'t0': …})" in ended.err
    ended = unshade(*line, "--length", "t0=2")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("u0  ")
    assert "t2" in unshade(*line, "--length", "t0=3").err, "which is not bound"


def test_debug(threads: Path) -> None:
    line = ("debug", threads, "--groups", "1", "--thread", "1,0,0", *BOUND)
    assert unshade(*line).code == 4
    ended = unshade(*line, "--length", "t0=2", "--watch", "r1.x", "--findings", "none")
    assert (ended.code, ended.err) == (0, "")


@pytest.mark.parametrize("stage", ["", "ps:"])
def test_render(stage: str, tmp_path: Path) -> None:
    pixels, out = tmp_path / "ps.cso", tmp_path / "out.json"
    library.assemble(PIXELS, "dxcontainer").save(pixels)
    line = ("render", pixels, "--size", "2x1", "-o", out, "--engine", "lockstep")
    assert unshade(*line).code == 4
    assert unshade(*line, "--length", "vs:cb0=2").code == 4, "of another shader"
    ended = unshade(*line, "--length", f"{stage}cb0=2")
    assert ended.code == 0, ended.err
    assert len(json.loads(out.read_text())[0]) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("t0", "--length: expected FIRST=N, got 't0'"),
        ("t0=", "--length: expected FIRST=N, got 't0='"),
        ("t0=x", "--length t0: expected a positive integer, got 'x'"),
        ("t0=0", "--length t0: expected a positive integer, got '0'"),
    ],
)
def test_wrong_usage(text: str, message: str, threads: Path) -> None:
    ended = unshade("run", threads, "--groups", "1", *BOUND, "--length", text)
    assert ended.code == 2
    assert message in ended.err
