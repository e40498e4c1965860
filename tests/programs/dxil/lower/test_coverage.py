"""Operations that run, and those that are refused by name."""

import pytest

from unshade.errors import UnsupportedError
from unshade.programs.dxil.lower.coverage import REASONS, reason, runs
from unshade.programs.dxil.tables.dxops import operations

from .support import compute, lowered


def test_every_operation_runs_or_has_a_reason() -> None:
    for op in operations():
        assert runs(op) == (reason(op) is None), op.name


def test_reasons_are_of_operations() -> None:
    assert {*REASONS} <= {op.name for op in operations()}


def test_refused_by_name() -> None:
    body = "\n  %y = call i32 @dx.op.hitKind.i32(i32 143)"
    with pytest.raises(UnsupportedError, match=r"line \d+: HitKind cannot be run: ray tracing"):
        lowered(compute(body))


def test_another_stage() -> None:
    body = "\n  %y = call i32 @dx.op.outputControlPointID.i32(i32 107)"
    with pytest.raises(UnsupportedError, match="OutputControlPointID cannot be run in this stage"):
        lowered(compute(body))
