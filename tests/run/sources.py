"""A program with sources, written by hand: named values, variables, and calls two deep.

main (lit.hlsl) calls shade in each round of a loop, shade calls square; square is written out where
it is called.
"""

from __future__ import annotations

from tests.kernels import kernel_of
from tests.oracle.parsing import parse_kernel
from unshade.ir.lowered import Form, Lowered, LoweredResource
from unshade.run.kernels import Kernel
from unshade.vm.lockstep import Lockstep

LIT = """\
#include "lib/shade.hlsl"
void main(uint i : SV_DispatchThreadID) {
  float light = in[i];
  for (uint n = 0; n < 2; n++) {
    light = shade(light);
  }
  out[i] = light;
}"""
SHADE = """\
float square(float x) { return x * x; }
float shade(float base) {
  float twice = square(base);
  return twice + 1;
}"""
LISTING = """\
%1 = load in %i
store %light %1
br %head
%2 = load %light
%3 = call shade %2
store %light %3
br %head
%4 = load %light
store out %i %4
ret
define shade
%11 = call square %base
%12 = fadd %11 1
ret %12
define square
%21 = fmul %x %x
ret %21"""
KERNEL = """
kernel main compute group 4 1 1
memory %in buffer 4
memory %out buffer 4 writable
var @light f32 gives light
var @n i32 internal
place #0 "lit.hlsl" 3 17 in main
place #1 "lit.hlsl" 5 13 in main
place #2 "lit.hlsl" 7 3 in main
call ^0 5 at #1
place #3 "lib/shade.hlsl" 3 17 in shade by ^0
place #4 "lib/shade.hlsl" 4 3 in shade by ^0
call ^1 12 at #3
place #5 "lib/shade.hlsl" 1 32 in square by ^1
%0 = source thread_id.x !1 #0
%1 = load:f32 %in[%0, i32 0] !1 #0 as "%1"
set @light, %1 !2 #0
loop { !3 #1
  %2 = get @light !4 #1 as "%2" gives base
  %3 = fmul %2, %2 !16 #5 as "%21" gives twice
  %4 = fadd %3, f32 1.0 !13 #4 as "%12"
  set @light, %4 !6 #1 gives light
  %5 = get @n
  %6 = iadd %5, i32 1
  set @n, %6
  %7 = ult %6, i32 2
  if %7 {
    continue
  }
  break
}
%8 = get @light !8 #2 as "%4"
store %out[%0, i32 0], %8 !9 #2
"""


def lowered() -> Lowered:
    """The program, lowered."""
    found = Lowered(parse_kernel(KERNEL), lines=LISTING.split("\n"))
    found.resources = [
        LoweredResource("in", Form.STRUCTURED, 4),
        LoweredResource("out", Form.STRUCTURED, 4, True),
    ]
    found.sources = {"lit.hlsl": LIT, "lib/shade.hlsl": SHADE}
    return found


def kernel() -> Kernel:
    """The program as it is called."""
    return kernel_of(lowered(), None, Lockstep())
