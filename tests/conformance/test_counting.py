"""Our counts of every program equal those of its compiler in STAT, field by field."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.corpus import containers
from tests.ratchet import Ratchet
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.dxcontainer.fxc.counting import count, counted
from unshade.formats.dxcontainer.parts.stat import ShaderStatistics
from unshade.vocab import fxc


def test_counters_match_stat(corpus: Path, ratchet: Ratchet) -> None:
    """Parts that hold only zeros were never filled in. What fxc 9 says of mov is not counted."""
    passed: Counter[str] = Counter()
    total: Counter[str] = Counter()
    wrong = []
    files = 0
    for path in containers(corpus):
        shader = DxContainer.loads(path.read_bytes())
        part = shader.parts.get("STAT")
        stated = None if part is None else part.value
        if not isinstance(stated, ShaderStatistics) or not stated.instruction_count:
            continue
        version = fxc.version(shader["RDEF"].creator)
        assert version is not None
        files += 1
        extended = stated.control_points is not None
        found = count(shader.programs[0], version=version, extended=extended)
        for name in counted(version):
            ours, theirs = getattr(found, name), getattr(stated, name)
            if theirs is not None:
                total[name] += 1
                passed[name] += ours == theirs
                if ours != theirs:
                    wrong.append(f"{path.name}: {name} {ours}, not {theirs}")
    if not files:
        pytest.skip("no STAT parts")
    for name, number in total.items():
        ratchet(f"dxcontainer/counting: {name}", passed[name], number)
    assert not wrong


def test_recounting_changes_nothing(corpus: Path, ratchet: Ratchet) -> None:
    passed = total = 0
    for path in containers(corpus):
        shader = DxContainer.loads(path.read_bytes())
        part = shader.parts.get("STAT")
        if part is None or not isinstance(part.value, ShaderStatistics):
            continue
        if part.value.instruction_count:
            total += 1
            data = shader.to_bytes()
            passed += shader.recount() == {} and shader.to_bytes() == data
    ratchet("dxcontainer/counting: files the same after recount", passed, total)
    assert passed == total
