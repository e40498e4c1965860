"""Every pure operation on edge values, lock-step, against its definition in `ir.fold`."""

from __future__ import annotations

import pytest

from tests.vm.operations import MODES, check, signatures
from unshade.ir.types import Type
from unshade.vm.lockstep import Lockstep

pytestmark = pytest.mark.heavy


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("types", signatures(), ids=lambda types: "-".join(map(str, types)))
def test_operations(types: tuple[Type, ...], mode: str) -> None:
    check(types, mode, Lockstep())
