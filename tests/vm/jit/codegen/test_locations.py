"""Locations and labels of values do not change the machine code."""

from tests.oracle.parsing import parse_kernel
from tests.run import sources
from unshade.ir.printing import print_kernel
from unshade.ir.simplify import simplify
from unshade.vm.jit.engine import CompiledKernel
from unshade.vm.jit.layout import layout


def test_machine_code_does_not_depend_on_locations() -> None:
    bare, full = parse_kernel(sources.KERNEL), parse_kernel(sources.KERNEL)
    for value in bare.values():
        value.location = value.label = None
    assert print_kernel(bare) != print_kernel(full)
    for kernel in (bare, full):
        simplify(kernel)
    one, other = (CompiledKernel(each, layout(each, True, True, 8)).text for each in (bare, full))
    assert one == other
