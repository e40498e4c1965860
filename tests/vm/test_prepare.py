"""Kernels that are rejected before an engine runs them."""

from contextlib import ExitStack

import pytest

from unshade.errors import UnsupportedError
from unshade.ir.builder import Builder
from unshade.ir.kernel import DEEPEST, KernelIR
from unshade.ir.lowered import Lowered
from unshade.vm.prepare import prepare


@pytest.mark.parametrize("deep", [DEEPEST, DEEPEST + 1])
def test_regions_nested_too_deeply(deep: int) -> None:
    b = Builder(KernelIR())
    with ExitStack() as stack:
        for _ in range(deep):
            stack.enter_context(b.loop())
        b.return_()
    if deep <= DEEPEST:
        prepare(Lowered(b.kernel), {}, {})
    else:
        with pytest.raises(UnsupportedError, match="regions are nested 129 deep; at most 128"):
            prepare(Lowered(b.kernel), {}, {})
