"""Infinite loops, infinite recursion and absurd sizes raise the same error in both engines.

Source: Direct3D 11.3 functional specification, sections 7.4 and 22.7 (loops and calls have no
bound) and 21 (the greatest sizes).
"""

from __future__ import annotations

import re

import numpy as np
import pytest

import unshade
from tests.hostile.running import ALL, compute, kernels, refusal, words
from unshade.errors import LimitError, UnsupportedError, UsageError

# ---------------------------------------------------------------- loops that do not end

ENDLESS = {
    "nothing leaves it": "loop\niadd r0.x, r0.x, l(1)\nstore_raw u0.x, l(0), r0.x\nendloop",
    "always continued": "loop\nstore_raw u0.x, l(0), r0.x\ncontinue\nbreak\nendloop",
    "left by other lanes": "loop\nbreakc_nz vThreadID.x\nstore_raw u0.x, l(0), r0.x\nendloop",
    "its test is never true": """
        loop
        ige r0.y, r0.x, l(5)
        breakc_nz r0.y
        store_raw u0.x, l(0), r0.x
        endloop""",
    "inside of one that ends": """
        loop
        breakc_nz r0.x
        mov r0.x, l(1)
        loop
        store_raw u0.x, l(0), r0.x
        endloop
        endloop""",
    "2^31 times 2^31": """
        loop
        uge r0.y, r0.x, l(0x80000000)
        breakc_nz r0.y
        mov r0.z, l(0)
        loop
        uge r0.y, r0.z, l(0x80000000)
        breakc_nz r0.y
        iadd r0.z, r0.z, l(1)
        store_raw u0.x, l(0), r0.z
        endloop
        iadd r0.x, r0.x, l(1)
        endloop""",
    "in a function": "call l0",
    "while others wait at a barrier": """
        if_z vThreadIDInGroupFlattened.x
        loop
        store_raw u0.x, l(0), r0.x
        endloop
        endif""",
}


@pytest.mark.parametrize("body", ENDLESS.values(), ids=list(ENDLESS))
def test_an_infinite_loop(body: str) -> None:
    after_ret = "label l0\nloop\nstore_raw u0.x, l(0), r0.x\nendloop\nret" if "call" in body else ""
    message = refusal(LimitError, compute(body, group="4, 1, 1", after_ret=after_ret))
    assert re.fullmatch(
        r"limit budget = 1000 exceeded: the loop of line \d+ goes on after 1000 iterations; .*",
        message,
    )


def test_the_budget_is_per_call() -> None:
    """A loop of a thousand iterations: 999 are too few, 1,000 are enough; none is asked for."""
    text = compute("""
        loop
        uge r0.y, r0.x, l(999)
        breakc_nz r0.y
        iadd r0.x, r0.x, l(1)
        store_raw u0.x, l(0), r0.x
        endloop""")
    for kernel in kernels(text):
        u0 = np.zeros(4, np.uint32)
        for budget, fine in ((0, False), (999, False), (1000, True)):
            kernel.budget = budget
            if fine:
                kernel.dispatch(1, u0=u0)
                assert u0[0] == 999
                continue
            with pytest.raises(LimitError, match=f"budget = {budget} exceeded"):
                kernel.dispatch(1, u0=u0)


# ---------------------------------------------------------------- calls and brackets


def test_a_function_that_calls_itself() -> None:
    text = compute("call l0", after_ret="label l0\ncall l0\nret")
    with pytest.raises(UnsupportedError, match="l0 calls itself"):
        kernels(text)


def test_cyclic_calls() -> None:
    after_ret = "label l0\ncall l1\nret\nlabel l1\ncallc_nz vThreadID.x, l0\nret"
    with pytest.raises(UnsupportedError, match="l0 calls itself"):
        kernels(compute("call l0", after_ret=after_ret))


def test_a_long_chain_of_calls() -> None:
    """Direct3D allows 32 of them."""

    def chain(length: int) -> str:
        functions = [
            f"label l{n}\niadd r0.x, r0.x, l(1)\ncall l{n + 1}\nret" for n in range(length)
        ]
        last = f"label l{length}\niadd r0.x, r0.x, l(1)\nret"
        return compute(
            "call l0\nstore_raw u0.x, l(0), r0.x", after_ret="\n".join([*functions, last])
        )

    assert words(chain(31))[0] == 32
    with pytest.raises(UnsupportedError, match="calls are nested more than 32 deep"):
        kernels(chain(32))


@pytest.mark.parametrize("bracket", ["if_z r0.x\n{}endif\n", "loop\n{}break\nendloop\n",
                                     "switch r0.x\ndefault\n{}break\nendswitch\n"])  # fmt: skip
def test_deeply_nested_blocks(bracket: str) -> None:
    inner = "iadd r0.y, r0.y, l(7)\n"
    for _ in range(64):
        inner = bracket.format(inner)
    assert words(compute(f"{inner}store_raw u0.x, l(0), r0.y"))[0] == 7
    for _ in range(70):
        inner = bracket.format(inner)
    with pytest.raises(UnsupportedError, match="expected at most 128 nested blocks"):
        kernels(compute(inner))


def test_a_switch_with_a_thousand_cases() -> None:
    cases = "\n".join(f"case l({n * 7919})\nmov r1.x, l({n})\nbreak" for n in range(1000))
    body = f"""
        imul null, r0.x, vThreadID.x, l(7919)
        switch r0.x
        {cases}
        default
        mov r1.x, l(-1)
        break
        endswitch
        ishl r0.y, vThreadID.x, l(2)
        store_raw u0.x, r0.y, r1.x"""
    found = words(compute(body, group="16, 1, 1"), 1024, 64)
    assert found == [*range(1000), *[ALL] * 24]


# ---------------------------------------------------------------- groups and declared sizes


def test_a_full_group_with_all_shared_memory() -> None:
    """64 KiB; each thread reads what the one opposite wrote."""
    body = """
        ishl r0.x, vThreadIDInGroupFlattened.x, l(6)
        store_raw g0.x, r0.x, vThreadIDInGroupFlattened.x
        sync_g_t
        iadd r0.y, -r0.x, l(65472)
        ld_raw r0.z, r0.y, g0.xxxx
        ishl r0.w, vThreadIDInGroupFlattened.x, l(2)
        store_raw u0.x, r0.w, r0.z"""
    found = words(compute(body, "dcl_tgsm_raw g0, 65536", "32, 8, 4"), 1024)
    assert found == [*range(1023, -1, -1)]


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ("dcl_tgsm_raw g0, 65540", "dcl_tgsm_raw: expected at most 65536 bytes, got 65540"),
        ("dcl_tgsm_raw g0, 2147483648", "expected at most 65536 bytes, got 2147483648"),
        ("dcl_tgsm_structured g0, 65536, 65536", "expected at most 65536 bytes, got 4294967296"),
        ("dcl_tgsm_structured g0, 0, 16", "expected a stride of a multiple of 4 bytes, got 0"),
        ("dcl_indexableTemp x0[2147483648], 4", "expected at most 65536 bytes, got 34359738368"),
        ("dcl_indexableTemp x0[4294967295], 1", "expected at most 65536 bytes, got 68719476720"),
        ("dcl_resource_structured t0, 0", "expected a stride of a multiple of 4 bytes, got 0"),
        ("dcl_uav_structured u1, 6", "expected a stride of a multiple of 4 bytes, got 6"),
    ],
)  # fmt: skip
def test_oversized_declarations(declared: str, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        kernels(compute("mov r0.x, l(0)", declared))


@pytest.mark.parametrize("group", ["1025, 1, 1", "0, 1, 1", "32, 32, 2", "65536, 65536, 65536"])
def test_groups_with_too_many_or_no_threads(group: str) -> None:
    with pytest.raises(UnsupportedError, match="expected 1 to 1024 threads"):
        kernels(compute("mov r0.x, l(0)", group=group))


def test_more_threads_than_can_be_numbered() -> None:
    message = refusal(LimitError, compute("mov r0.x, l(0)", group="4, 4, 4"), (65535, 65535, 65535))
    assert "limit lanes = 2147483648 exceeded" in message
    assert "groups: expected 0 to 65535" in refusal(
        UsageError, compute("mov r0.x, l(0)"), (65536, 1, 1)
    )
    assert "groups: expected 0 to 65535" in refusal(
        UsageError, compute("mov r0.x, l(0)"), (1, -1, 1)
    )


def test_no_groups() -> None:
    assert words(compute("store_raw u0.x, l(0), l(1)"), 1, (3, 0, 5)) == [0xAAAA_AAAA]


@pytest.mark.parametrize(("engine", "arrays"), [("lockstep", 64), ("auto", 640)])
def test_arrays_of_registers_that_exhaust_memory(engine: str, arrays: int) -> None:
    """Arrays of 64 KiB for each of 1,024 threads: 4 GiB, or 320 MiB for each 8 threads."""
    declared = "\n".join(f"dcl_indexableTemp x{n}[4096], 4" for n in range(arrays))
    body = "\n".join(
        f"mov x{n}[vThreadID.x + 0].x, l({n})\nstore_raw u0.x, l(0), x{n}[r0.x + 1].x"
        for n in range(arrays)
    )
    shader = unshade.assemble(compute(body, declared, "1024, 1, 1"), "dxcontainer")
    kernel = unshade.kernel(shader, engine=engine)
    with pytest.raises(LimitError, match="limit memory = 268435456 exceeded"):
        kernel.dispatch(1, u0=np.zeros(4, np.uint32))


def test_4096_registers() -> None:
    """All that Direct3D has, and one that it has not."""
    body = "\n".join(f"iadd r{n}.w, r{n - 1}.w, l(1)" for n in range(1, 4096))
    body += "\nmov r4294967295.x, r4095.w\nstore_raw u0.x, l(0), r4294967295.x"
    assert words(compute(body, temps=4096))[0] == 4095


def test_a_constant_buffer_of_64_gib() -> None:
    """The declared number of rows allocates nothing: the error states the bytes needed."""
    text = compute("store_raw u0.x, l(0), cb0[vThreadID.x + 0].x",
                   "dcl_constantbuffer CB0[4294967295], dynamicIndexed")  # fmt: skip
    message = refusal(LimitError, text, cb0=np.zeros(64, np.uint8))
    assert "limit bytes of a block = 2147483647 exceeded: the data needs 68719476720" in message
