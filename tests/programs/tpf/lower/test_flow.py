"""Branches, loops, switches, functions, interfaces in threads that diverge.

Thread n starts with n in r0.x and 0 in r1.x, and leaves r1.x in u0[n]. Source: Direct3D
11.3 functional specification, sections 22.7 and 7.19.
"""

import gc
import weakref
from collections.abc import Mapping
from typing import Any

import pytest

from tests.programs.tpf.lower.cases import Case
from tests.programs.tpf.lower.support import program, words
from unshade.errors import UnsupportedError

ALL = 0xFFFF_FFFF


def flow(
    name: str,
    covers: str,
    body: str,
    wanted: list[int],
    *,
    functions: str = "",
    declarations: str = "",
    options: Mapping[str, Any] | None = None,
) -> Case:
    """Return the case of a compute shader with a thread for each expected number."""
    count = len(wanted)
    lines = [
        "cs_5_0", "dcl_globalFlags refactoringAllowed", *declarations.splitlines(),
        "dcl_constantbuffer CB0[2], immediateIndexed", "dcl_uav_raw u0", "dcl_input vThreadID.x",
        "dcl_temps 5", f"dcl_thread_group {count}, 1, 1", "mov r0.x, vThreadID.x",
        "mov r1.xyzw, l(0, 0, 0, 0)", *body.splitlines(), "ishl r4.x, vThreadID.x, l(2)",
        "store_raw u0.x, r4.x, r1.x", "ret", *functions.splitlines(), "",
    ]  # fmt: skip
    return Case(
        name, frozenset(covers.split()), "\n".join(line.strip() for line in lines),
        {"u0": words(*[99] * count), "cb0": words(1, 2, 3, 4, 5, 6, 7, 8)},
        {"u0": words(*wanted)}, options=options or {},
    )  # fmt: skip


TABLES = """dcl_function_body fb0
dcl_function_body fb1
dcl_function_body fb2
dcl_function_table ft0 = {fb0}
dcl_function_table ft1 = {fb1}
dcl_function_table ft2 = {fb2}
"""
BODIES = """label fb0
iadd r1.x, r1.x, l(10)
ret
label fb1
iadd r1.x, r1.x, l(20)
ret
label fb2
iadd r1.x, r1.x, r0.x
ret"""

CASES = [
    flow("if", "if else endif", """
        ult r2.x, r0.x, l(2)
        if_nz r2.x
          iadd r1.x, r1.x, l(1)
        else
          iadd r1.x, r1.x, l(2)
          if_z r0.x
            mov r1.x, l(50)
          endif
        endif
        if_z r0.x
          iadd r1.x, r1.x, l(100)
        endif""", [101, 1, 2, 2]),
    flow("if of any bit", "if", """
        mov r2.x, l(-0.0)
        if_nz r2.x
          mov r1.x, l(1)
        endif""", [1]),
    flow("loop with breakc", "loop endloop breakc", """
        loop
          uge r2.x, r1.y, r0.x
          breakc_nz r2.x
          iadd r1.y, r1.y, l(1)
          iadd r1.x, r1.x, r1.y
        endloop""", [0, 1, 3, 6, 10]),
    flow("break and continue", "loop break continue", """
        loop
          iadd r1.y, r1.y, l(1)
          uge r2.x, r1.y, l(10)
          if_nz r2.x
            break
          endif
          and r2.x, r1.y, l(1)
          if_z r2.x
            continue
          endif
          iadd r1.x, r1.x, r0.x
        endloop""", [0, 5, 10]),
    flow("continuec", "continuec breakc", """
        loop
          iadd r1.y, r1.y, l(1)
          ult r2.x, l(6), r1.y
          breakc_nz r2.x
          ieq r2.x, r1.y, r0.x
          continuec_nz r2.x
          iadd r1.x, r1.x, r1.y
          and r2.y, r1.y, l(1)
          continuec_z r2.y
          iadd r1.x, r1.x, l(100)
        endloop""", [321, 220, 319]),
    flow("loops in loops", "loop break", """
        loop
          uge r2.x, r1.y, r0.x
          breakc_nz r2.x
          mov r1.z, l(0)
          loop
            if_nz r1.z
              break
            endif
            iadd r1.x, r1.x, l(1)
            iadd r1.z, r1.z, l(1)
          endloop
          iadd r1.y, r1.y, l(1)
        endloop""", [0, 1, 2, 3]),
    flow("switch", "switch case default endswitch break", """
        switch r0.x
          case l(0)
            mov r1.x, l(10)
            break
          case l(1)
          case l(3)
            mov r1.x, l(11)
            break
          default
            mov r1.x, l(12)
            break
        endswitch""", [10, 11, 12, 11, 12]),
    flow("switch with the default in front", "switch case default", """
        switch r0.x
          default
          case l(7)
            mov r1.x, l(5)
            break
          case l(-1)
            mov r1.x, l(6)
            break
          case l(1)
            break
        endswitch
        iadd r1.x, r1.x, l(1)""", [6, 1, 6]),
    flow("switch without default", "switch case", """
        switch r0.x
          case l(1)
            mov r1.x, l(5)
            if_nz r0.x
              break
            endif
            mov r1.x, l(6)
            break
        endswitch""", [0, 5, 0]),
    flow("switch with breakc", "switch breakc", """
        switch l(2)
          case l(2)
            breakc_z r0.x
            mov r1.x, l(5)
            break
        endswitch""", [0, 5]),
    flow("switch in a loop", "switch continue break loop", """
        loop
          switch r0.x
            case l(0)
              iadd r1.x, r1.x, l(1)
              break
            case l(1)
              iadd r1.x, r1.x, l(2)
              iadd r0.x, r0.x, l(1)
              continue
            default
              iadd r1.x, r1.x, l(4)
              break
          endswitch
          iadd r1.x, r1.x, l(100)
          break
        endloop""", [101, 106, 104]),
    flow("a case that runs into the next", "switch case default", """
        switch r0.x
          case l(0)
            iadd r1.x, r1.x, l(1)
          case l(1)
            iadd r1.x, r1.x, l(10)
            ieq r2.x, r0.x, l(0)
            breakc_nz r2.x
          default
            iadd r1.x, r1.x, l(100)
          case l(9)
            iadd r1.x, r1.x, l(1000)
            break
          case l(8)
            mov r1.x, l(7)
        endswitch""", [11, 1110, 1100]),
    flow("ret", "ret if", """
        if_z r0.x
          mov r4.x, l(0)
          store_raw u0.x, r4.x, l(42)
          ret
        endif
        mov r1.x, l(1)""", [42, 1]),
    flow("retc", "retc", """
        ishl r4.x, r0.x, l(2)
        store_raw u0.x, r4.x, l(5)
        retc_z r0.x
        loop
          ieq r2.x, r0.x, l(1)
          retc_nz r2.x
          break
        endloop
        mov r1.x, l(7)""", [5, 5, 7]),
    flow("functions", "call label ret", """
        call l0
        call l1
        call l0""", [21, 22, 25],
        functions="""label l0
        iadd r1.x, r1.x, r0.x
        ret
        label l1
        iadd r1.x, r1.x, l(1)
        call l2
        ret
        label l2
        iadd r1.x, r1.x, l(20)
        ieq r2.x, r0.x, l(1)
        retc_z r2.x
        iadd r1.x, r1.x, l(-1)
        ret"""),
    flow("conditional calls", "callc", """
        callc_z r0.x, l0
        callc_nz r0.x, l1""", [1, 10],
        functions="""label l0
        mov r1.x, l(1)
        ret
        label l1
        mov r1.x, l(10)
        ret"""),
    flow("returns out of nested loops", "call retc ret loop switch", """
        loop
          call l0
          iadd r1.x, r1.x, l(100)
          break
        endloop""", [101, 111, 121, 1131],
        functions="""label l0
        loop
          iadd r1.x, r1.x, l(1)
          loop
            retc_z r0.x
            iadd r1.x, r1.x, l(10)
            switch r0.x
              case l(1)
                ret
              case l(2)
                iadd r1.x, r1.x, l(10)
                if_nz r0.x
                  ret
                endif
                break
              default
                break
            endswitch
            iadd r1.x, r1.x, l(20)
            break
          endloop
          iadd r1.x, r1.x, l(1000)
          ret
        endloop
        ret"""),
    flow("an interface with one table", "fcall dcl_interface dcl_function_table", """
        fcall fp0[0][0]""", [10, 10], functions=BODIES,
        declarations=TABLES + "dcl_interface fp0[1][1] = {ft0}"),
    flow("interfaces", "fcall dcl_function_body", """
        fcall fp0[0][0]
        fcall fp0[1][0]
        fcall fp2[0][0]""", [30, 31], functions=BODIES,
        declarations=TABLES + "dcl_interface fp0[2][1] = {ft0, ft1}\n"
        "dcl_interface fp2[1][1] = {ft2}",
        options={"interfaces": {0: 0, 1: 1}}),
    flow("an interface by a register", "fcall", """
        iadd r2.x, r0.x, l(-1)
        fcall fp3[r2.x + 1][0]""", [10, 1, 20, 0], functions=BODIES,
        declarations=TABLES + "dcl_interface_dynamicindexed fp3[3][1] = {ft0, ft1, ft2}",
        options={"interfaces": {3: 0, 4: 2, 5: 1}}),
    flow("an object's data", "mov", """
        mov r2.x, this[0].y
        mov r2.y, this[0].x
        mov r1.x, cb[r2.y + 0][r2.x + 0].z""", [7],
        options={"instances": {0: (0, 1, 0, 0)}}),
    flow("what stops, and what does not", "debug_break abort nop", """
        nop
        debug_break
        if_z r0.x
          abort
        endif
        mov r1.x, l(3)""", [99, 3]),
    flow("barriers", "sync", """
        sync_g_t
        sync_uglobal
        sync_ugroup
        sync_uglobal_g_t
        mov r1.x, l(1)""", [1, 1]),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case) -> None:
    case.check()


# ---------------------------------------------------------------- what is refused

MESSAGES = {
    "break": ("break", "break outside a loop or switch"),
    "continue": (
        "switch l(0)\ncase l(0)\ncontinue\nendswitch",
        "continue outside a loop",
    ),
    "open": ("if_nz r0.x", "if is not closed"),
    "closed": ("endloop", "the end of a loop without an open loop"),
    "missing": ("call l3", "no such label: l3"),
    "recursive": ("call l0\nret\nlabel l0\ncall l0", "l0 calls itself"),
    "fp": ("fcall fp0[0][0]", "fp0 is used without a declaration"),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_refused(name: str) -> None:
    body, message = MESSAGES[name]
    text = f"cs_5_0\ndcl_temps 1\ndcl_thread_group 1, 1, 1\n{body}\nret\n"
    with pytest.raises(UnsupportedError, match=message):
        unchecked(text).lower()


def unchecked(text: str) -> Any:
    """Return a program whose blocks need not be balanced."""
    from unshade.programs.tpf.assembler import parse_instructions

    profile, _, rest = text.partition("\n")
    found = program(f"{profile}\nret\n")
    found.instructions = parse_instructions(rest)
    return found


def test_interface_with_several_implementations() -> None:
    text = (
        f"cs_5_0\n{TABLES}dcl_interface fp0[1][1] = {{ft0, ft1}}\ndcl_temps 2\n"
        f"dcl_thread_group 1, 1, 1\nfcall fp0[0][0]\nret\n{BODIES}\n"
    )
    with pytest.raises(UnsupportedError, match="expected a choice of one of the tables ft0, ft1"):
        program(text).lower()


def test_a_lowered_program_is_freed_without_the_collector() -> None:
    gc.disable()
    try:
        made = program("ps_5_0\ndcl_temps 1\nmov r0.x, l(1.0)\nret\n").lower()
        kernel = weakref.ref(made.kernel)
        del made
        assert kernel() is None
    finally:
        gc.enable()
