"""Labelled blocks: lanes that leave several constructs at once reconverge at the block's end."""

import pytest

from tests.oracle.parsing import parse_kernel
from tests.vm.engines import JITS, parsed, run, same, words
from unshade.errors import UnsupportedError
from unshade.ir.simplify import simplify

pytestmark = pytest.mark.heavy

HEAD = """
kernel main {stage} group {size} 1 1
memory %t0 buffer 4
memory %u0 buffer 8 writable
{shared}
var @n i32
var @s i32
%0 = source item
%1 = load:i32 %t0[%0, i32 0]
"""
TAIL = "\n%90 = get @n\nstore %u0[%0, i32 0], %90\n%91 = get @s\nstore %u0[%0, i32 4], %91\n"

# Lanes leave two loops at once, at iterations of their own; others by the end of the inner loop.
OUT_OF_LOOPS = """
block $0 {
  loop {
    %2 = get @n
    %3 = iadd %2, i32 1
    set @n, %3
    loop {
      %4 = get @s
      %5 = iadd %4, %2
      set @s, %5
      %6 = ult %1, %5
      if %6 {
        exit $0
      }
      %7 = and %5, i32 4
      %8 = ieq %7, i32 0
      if %8 {
        break
      }
      %20 = iadd %5, i32 3
      set @s, %20
      continue
    }
    %9 = ult i32 20, %2
    if %9 {
      exit $0
    }
    %10 = quad_swap 1, %3
    set @s, %10
  }
  set @n, i32 777
}
%11 = get @n
%12 = quad_swap 1, %11
set @s, %12
"""
# The block is the body of a loop: its exit continues that from an inner loop and a switch.
CONTINUES = """
loop {
  %2 = get @n
  %3 = iadd %2, i32 1
  set @n, %3
  %4 = ult i32 9, %2
  if %4 {
    break
  }
  block $1 {
    loop {
      %5 = and %1, i32 3
      switch %5 {
        case 0 {
          exit $1
        }
        case 1 {
          break
        }
        case 2 {
          %6 = iadd %2, %1
          %7 = and %6, i32 4
          %8 = ieq %7, i32 0
          if %8 {
            exit $1
          }
        }
        case default {
          %9 = get @s
          %10 = iadd %9, i32 100
          set @s, %10
        }
      }
      %11 = get @s
      %12 = quad_swap 1, %11
      %13 = iadd %12, i32 1
      set @s, %13
      break
    }
    %14 = get @s
    %15 = iadd %14, i32 1000
    set @s, %15
  }
  %16 = get @s
  %17 = quad_swap 2, %16
  set @s, %17
}
"""
# In the second iteration all that are left take the first exit; others wait behind the loop.
LATER = """
block $0 {
  loop {
    %2 = get @n
    %3 = ieq %2, i32 1
    if %3 {
      exit $0
    }
    set @n, i32 1
    %4 = ult %1, i32 30
    if %4 {
      break
    }
  }
  set @s, i32 5
}
"""
# What runs in a case of its own must spare lanes that left the switch in another one.
CASES = """
loop {
  %2 = get @n
  %3 = iadd %2, i32 1
  set @n, %3
  %4 = ult i32 3, %2
  if %4 {
    break
  }
  block $0 {
    %5 = and %1, i32 1
    switch %5 {
      case default {
        set @s, i32 7
        %6 = and %1, i32 2
        %7 = ieq %6, i32 0
        if %7 {
          exit $0
        }
      }
      case 1 {
        set @s, i32 9
        exit $0
      }
    }
    set @s, i32 11
  }
  %8 = get @s
  %9 = iadd %8, %3
  set @s, %9
}
"""
BODIES = {"loops": OUT_OF_LOOPS, "continues": CONTINUES, "later": LATER, "cases": CASES}


@pytest.mark.parametrize("lanes", [1, 7, 16, 70])
@pytest.mark.parametrize("name", BODIES)
def test_lanes_that_leave_several_constructs(name: str, lanes: int) -> None:
    head = HEAD.format(stage="pixel", size=1, shared="")
    memories = {"t0": words(*(at * 37 % 61 for at in range(lanes))), "u0": bytes(8 * lanes)}
    text = head + BODIES[name] + TAIL
    found = same(text, memories, items=lanes)
    kernel = simplify(parse_kernel(text))
    assert run(JITS[0], kernel, memories, items=lanes)[0] == found


BARRIERS = """
block $0 {
  loop {
    %2 = get @n
    %3 = iadd %2, i32 1
    set @n, %3
    block $1 {
      store %g0[%20, i32 0], %3
      barrier group
      %4 = load:i32 %g0[i32 0, i32 0]
      %5 = and %4, i32 1
      %6 = ieq %5, i32 0
      if %6 {
        exit $1
      }
      %7 = ult i32 6, %4
      if %7 {
        exit $0
      }
      block $2 {
        %8 = ult %1, i32 9
        if %8 {
          exit $2
        }
        %9 = get @s
        %10 = iadd %9, %4
        set @s, %10
      }
      barrier group
    }
    barrier group
  }
  set @s, i32 12345
}
barrier group
%11 = load:i32 %g0[i32 0, i32 0]
%12 = get @s
%13 = iadd %12, %11
set @s, %13
"""
SHARED = "memory %g0 shared 4 count 128 writable"


@pytest.mark.parametrize("size", [4, 70])
def test_blocks_of_the_group(size: int) -> None:
    head = (
        HEAD.format(stage="compute", size=size, shared=SHARED)
        + "%20 = source thread_id_in_group_flattened\n"
    )
    memories = {"t0": words(*range(3 * size)), "u0": bytes(8 * 3 * size)}
    same(head + BARRIERS + TAIL, memories, groups=(3, 1, 1))
    parting = BARRIERS.replace("%6 = ieq %5, i32 0", "%6 = ieq %1, i32 1")
    with pytest.raises(UnsupportedError, match="lockstep"):
        run(JITS[0], parsed(head + parting + TAIL), memories, groups=(3, 1, 1))
