"""Every pure operation on edge values in machine code, against its definition in `ir.fold`."""

from __future__ import annotations

import pytest

from tests.vm.operations import MODES, check, signatures
from unshade.ir.types import Type
from unshade.vm.jit import Jit

pytestmark = pytest.mark.heavy


@pytest.mark.parametrize("quick", [True, False], ids=["quick", "optimised"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("types", signatures(), ids=lambda types: "-".join(map(str, types)))
def test_operations(types: tuple[Type, ...], mode: str, quick: bool) -> None:
    check(types, mode, Jit(threads=1, quick=quick))
