"""Renaming everything at random does not change the results of shaders run by slot."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import unshade
from tests.conformance.test_corpus_runs import options, programs
from tests.conformance.test_execution import has_jit
from tests.ratchet import Ratchet
from tests.run.relabelled import compared
from tests.sampling import is_sampled

EVERY = 7  # which files of the stages that are many
JIT_EVERY = 28


def test_results_do_not_depend_on_names(corpus: Path, ratchet: Ratchet) -> None:
    counts: Counter[str] = Counter()
    stages: set[str] = set()
    for number, (_, shader) in enumerate(programs(corpus)):
        stage = shader.programs[0].entry_points[0].stage
        many = stage in ("compute", "pixel", "vertex")
        if many and number % EVERY:
            continue
        try:
            given = options(shader)
            counts["arrays"] += compared(shader, "lockstep", number, **given)
        except unshade.UnsupportedError:
            continue
        counts["programs"] += 1
        stages.add(stage)
        if has_jit() and number % (JIT_EVERY if many else 3) == 0:
            compared(shader, "jit", number, **given)
            counts["compiled"] += 1
    assert len(stages) == 8 or is_sampled()
    ratchet("execution/labels: the same by slot", counts["programs"], counts["programs"])
