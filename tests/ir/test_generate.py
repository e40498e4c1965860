"""The generator of kernels: deterministic, and covering all operations."""

from collections import Counter

import pytest

from tests.ir.generate import generate
from unshade.ir.ops import OPS
from unshade.ir.printing import print_kernel


def test_a_seed_determines_the_program() -> None:
    one, two = generate(7), generate(7)
    assert print_kernel(one.kernel) == print_kernel(two.kernel)
    assert (one.data, one.inputs, one.groups) == (two.data, two.inputs, two.groups)
    assert print_kernel(generate(8).kernel) != print_kernel(one.kernel)


@pytest.mark.slow
def test_every_operation_occurs() -> None:
    apart = {"const", "sample", "part", "bitcast"}
    seen: Counter[str] = Counter()
    for seed in range(300):
        seen.update(value.op.name for value in generate(seed).kernel.values())
    missing = {op.name for op in OPS if not op.library} - apart - set(seen)
    assert missing == set()


@pytest.mark.slow
def test_maths_only_on_request() -> None:
    seen = {v.op.name for seed in range(60) for v in generate(seed, library=True).kernel.values()}
    assert {op.name for op in OPS if op.library} <= seen
