"""Shaders that no engine may trust: each situation has one result, or one error, in both engines.

Source: Direct3D 11.3 functional specification, sections 3.1 (arithmetic), 7.4 (loops and calls are
bounded by nobody), 22 (what lies outside reads 0, and is not written).
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import unshade
from unshade.errors import LimitError, UnshadeError, UnsupportedError, UsageError
from unshade.run import Sampler, Texture
from unshade.run.kernels import Kernel
from unshade.vm.launch import Array

ENGINES = ("lockstep", "jit") if find_spec("llvmlite") else ("lockstep",)
ALL = 0xFFFF_FFFF
NAN = float("nan")
INFINITY = float("inf")


def kernels(text: str, budget: int = 1000) -> list[Kernel]:
    """The program for each engine."""
    data = unshade.assemble(text, "dxcontainer").to_bytes()
    made = [unshade.kernel(unshade.loads(data), engine=engine) for engine in ENGINES]
    for each in made:
        each.budget = budget
    return made


def compute(
    body: str, declared: str = "", group: str = "1, 1, 1", behind: str = "", temps: int = 8
) -> str:
    """A compute shader that leaves its results in u0."""
    return "\n".join((
        "cs_5_0", "dcl_uav_raw u0", declared, "dcl_input vThreadID.xyz",
        "dcl_input vThreadIDInGroupFlattened", f"dcl_temps {temps}", f"dcl_thread_group {group}",
        body, "ret", behind, "",
    ))  # fmt: skip


def words(text: str, count: int = 4, groups: Any = 1, **given: Any) -> list[int]:
    """The first words of u0 afterwards, the same in all engines."""
    found = []
    for kernel in kernels(text):
        own = {name: np.copy(each) for name, each in given.items()}
        u0 = np.full(max(count, 1), 0xAAAA_AAAA, np.uint32)
        kernel.dispatch(groups, u0=u0, **own)
        assert kernel.report is not None
        found.append(
            (u0.tolist(), kernel.report.out_of_bounds, [x.tobytes() for x in own.values()])
        )
    assert all(each == found[0] for each in found)
    return found[0][0][:count]


def refusal(kind: type[UnshadeError], text: str, groups: Any = 1, **given: Any) -> str:
    """What all engines say of a program that they cannot run."""
    told = set()
    for kernel in kernels(text):
        with pytest.raises(kind) as caught:
            kernel.dispatch(groups, u0=np.zeros(4, np.uint32), **given)
        told.add(str(caught.value))
    assert len(told) == 1
    return told.pop()


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
def test_a_loop_without_end(body: str) -> None:
    behind = "label l0\nloop\nstore_raw u0.x, l(0), r0.x\nendloop\nret" if "call" in body else ""
    told = refusal(LimitError, compute(body, group="4, 1, 1", behind=behind))
    assert (
        told == "limit budget = 1000 exceeded: the data asks for more than 1000 iterations of loops"
    )


def test_the_budget_is_of_the_call() -> None:
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
    text = compute("call l0", behind="label l0\ncall l0\nret")
    with pytest.raises(UnsupportedError, match="l0 calls itself"):
        kernels(text)


def test_functions_that_call_each_other_in_a_ring() -> None:
    behind = "label l0\ncall l1\nret\nlabel l1\ncallc_nz vThreadID.x, l0\nret"
    with pytest.raises(UnsupportedError, match="l0 calls itself"):
        kernels(compute("call l0", behind=behind))


def test_a_chain_of_calls() -> None:
    """Direct3D allows 32 of them."""

    def chain(length: int) -> str:
        functions = [
            f"label l{n}\niadd r0.x, r0.x, l(1)\ncall l{n + 1}\nret" for n in range(length)
        ]
        last = f"label l{length}\niadd r0.x, r0.x, l(1)\nret"
        return compute("call l0\nstore_raw u0.x, l(0), r0.x", behind="\n".join([*functions, last]))

    assert words(chain(31))[0] == 32
    with pytest.raises(UnsupportedError, match="calls are nested too deeply"):
        kernels(chain(32))


@pytest.mark.parametrize("bracket", ["if_z r0.x\n{}endif\n", "loop\n{}break\nendloop\n",
                                     "switch r0.x\ndefault\n{}break\nendswitch\n"])  # fmt: skip
def test_brackets_inside_brackets(bracket: str) -> None:
    inner = "iadd r0.y, r0.y, l(7)\n"
    for _ in range(64):
        inner = bracket.format(inner)
    assert words(compute(f"{inner}store_raw u0.x, l(0), r0.y"))[0] == 7
    for _ in range(70):
        inner = bracket.format(inner)
    with pytest.raises(UnsupportedError, match="more than 128 levels"):
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


def test_a_group_of_1024_threads_that_share_all_there_is() -> None:
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
        ("dcl_tgsm_raw g0, 65540", "dcl_tgsm_raw asks for 65540 bytes"),
        ("dcl_tgsm_raw g0, 2147483648", "dcl_tgsm_raw asks for 2147483648 bytes"),
        ("dcl_tgsm_structured g0, 65536, 65536", "dcl_tgsm_structured asks for 4294967296 bytes"),
        ("dcl_tgsm_structured g0, 0, 16", "elements of 0 bytes, a multiple of 4 was expected"),
        ("dcl_indexableTemp x0[2147483648], 4", "dcl_indexableTemp asks for 34359738368 bytes"),
        ("dcl_indexableTemp x0[4294967295], 1", "dcl_indexableTemp asks for 68719476720 bytes"),
        ("dcl_resource_structured t0, 0", "elements of 0 bytes, a multiple of 4 was expected"),
        ("dcl_uav_structured u1, 6", "elements of 6 bytes, a multiple of 4 was expected"),
    ],
)  # fmt: skip
def test_declarations_of_what_nobody_has(declared: str, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        kernels(compute("mov r0.x, l(0)", declared))


@pytest.mark.parametrize("group", ["1025, 1, 1", "0, 1, 1", "32, 32, 2", "65536, 65536, 65536"])
def test_groups_of_too_many_or_no_threads(group: str) -> None:
    with pytest.raises(UnsupportedError, match="1 to 1024 can be run"):
        kernels(compute("mov r0.x, l(0)", group=group))


def test_more_threads_than_can_be_numbered() -> None:
    told = refusal(LimitError, compute("mov r0.x, l(0)", group="4, 4, 4"), (65535, 65535, 65535))
    assert "limit lanes = 2147483648 exceeded" in told
    assert "0 to 65535 groups" in refusal(UsageError, compute("mov r0.x, l(0)"), (65536, 1, 1))
    assert "0 to 65535 groups" in refusal(UsageError, compute("mov r0.x, l(0)"), (1, -1, 1))


def test_no_groups_at_all() -> None:
    assert words(compute("store_raw u0.x, l(0), l(1)"), 1, (3, 0, 5)) == [0xAAAA_AAAA]


@pytest.mark.parametrize("engine", ["lockstep", "auto"])
def test_arrays_of_registers_that_fill_the_memory(engine: str) -> None:
    """64 arrays of 64 KiB for each of 1,024 threads: 4 GiB that nobody allocates."""
    declared = "\n".join(f"dcl_indexableTemp x{n}[4096], 4" for n in range(64))
    body = "\n".join(
        f"mov x{n}[vThreadID.x + 0].x, l({n})\nstore_raw u0.x, l(0), x{n}[r0.x + 1].x"
        for n in range(64)
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
    """The number of its rows is believed by nobody: the caller is told what is missing."""
    text = compute("store_raw u0.x, l(0), cb0[vThreadID.x + 0].x",
                   "dcl_constantbuffer CB0[4294967295], dynamicIndexed")  # fmt: skip
    told = refusal(UsageError, text, cb0=np.zeros(64, np.uint8))
    assert "68719476720 bytes expected, 64 given" in told


# ---------------------------------------------------------------- outside of everything

OUTSIDE = ("64", "68", "0x3fffffff", "0x40000000", "0x7fffffff", "0x80000000", "0xfffffffe", "-1")
GUARD = 0xDEAD_BEEF


@pytest.mark.parametrize("place", OUTSIDE)
@pytest.mark.parametrize(
    ("declared", "code"),
    [
        ("dcl_constantbuffer CB0[1], dynamicIndexed", "mov r1.xyzw, cb0[r0.x + 0].xyzw"),
        ("dcl_constantbuffer CB0[1], immediateIndexed", "mov r1.xyzw, cb0[{u}].xyzw"),
        ("dcl_indexableTemp x0[2], 4", "mov x0[0].xyzw, l(1, 1, 1, 1)\nmov r1.xyzw, x0[r0.x + 0].xyzw"),
        ("dcl_indexableTemp x0[2], 4", "mov x0[r0.x + 0].x, l(1)\nmov r1.xyzw, x0[1].xyzw"),
        ("dcl_immediateConstantBuffer { { 1, 1, 1, 1} }", "mov r1.xyzw, icb[r0.x + 0].xyzw"),
        ("dcl_resource_structured t0, 16", "ld_structured r1.xyzw, r0.x, l(0), t0.xyzw"),
        ("dcl_resource_structured t0, 16", "ld_structured r1.xyzw, l(0), r0.x, t0.xyzw"),
        ("dcl_resource_structured t0, 16", "ld_structured r1.xyzw, r0.x, r0.x, t0.xyzw"),
        ("dcl_resource_raw t0", "ld_raw r1.xyzw, r0.x, t0.xyzw"),
        ("dcl_resource_buffer (uint,uint,uint,uint) t0", "ld r1.xyz, r0.xxxx, t0.xyzw"),
        ("dcl_uav_typed_buffer (uint,uint,uint,uint) u1", "ld_uav_typed r1.xyz, r0.xxxx, u1.xyzw"),
        ("dcl_resource_texture1d (uint,uint,uint,uint) t0", "ld r1.xyz, r0.xyyy, t0.xyzw"),
        ("dcl_resource_texture2d (uint,uint,uint,uint) t0", "ld r1.xyz, r0.yxyy, t0.xyzw"),
        ("dcl_resource_texture2d (uint,uint,uint,uint) t0", "ld r1.xyz, r0.yyyx, t0.xyzw"),
        ("dcl_resource_texture3d (uint,uint,uint,uint) t0", "ld r1.xyz, r0.yyxy, t0.xyzw"),
        ("dcl_resource_texture2darray (uint,uint,uint,uint) t0", "ld r1.xyz, r0.yyxy, t0.xyzw"),
        ("dcl_resource_texture2dms(4) (uint,uint,uint,uint) t0", "ldms r1.xyz, r0.yyyy, t0.xyzw, r0.x"),
        ("dcl_uav_typed_texture2d (uint,uint,uint,uint) u1", "ld_uav_typed r1.xyz, r0.xyyy, u1.xyzw"),
        ("dcl_uav_typed_texture3d (uint,uint,uint,uint) u1", "ld_uav_typed r1.xyz, r0.yyxy, u1.xyzw"),
        ("dcl_tgsm_raw g0, 64", "ld_raw r1.xyzw, r0.x, g0.xyzw"),
        ("dcl_tgsm_structured g0, 16, 4", "ld_structured r1.xyzw, r0.x, r0.x, g0.xyzw"),
    ],
)  # fmt: skip
def test_what_lies_outside_reads_zero(declared: str, code: str, place: str) -> None:
    unsigned = int(place, 0) & ALL
    code = code.replace("{u}", str(unsigned))
    body = f"mov r0.x, l({place})\nmov r1.xyzw, l(9, 9, 9, 0)\n{code}\nstore_raw u0.xyzw, l(0), r1.xyzw"
    given: dict[str, Any] = {}
    shapes = {"1d": (4,), "2d": (4, 4), "3d": (4, 4, 4), "2darray": (4, 4, 4), "2dms": (4, 4, 4)}
    for name in ("t0", "u1"):
        if f" {name}" in declared:
            word = declared.partition("texture")[2].partition("(")[0].strip() or "1d"
            shape = shapes[word.split()[0]] if "texture" in declared else (4, 4)
            given[name] = np.full(shape, 5, np.uint32)
            if "buffer" in declared:
                given[name] = np.full((4, 1), 5, np.uint32)
    if "CB0" in declared:
        given["cb0"] = np.full(4, 5, np.uint32)
    assert words(compute(body, declared), **given) == [0, 0, 0, 0]


@pytest.mark.parametrize("place", OUTSIDE)
@pytest.mark.parametrize(
    ("declared", "code"),
    [
        ("dcl_uav_raw u1", "store_raw u1.xyzw, r0.x, l(1, 2, 3, 4)"),
        ("dcl_uav_structured u1, 16", "store_structured u1.xyzw, r0.x, l(0), l(1, 2, 3, 4)"),
        ("dcl_uav_structured u1, 16", "store_structured u1.xyzw, l(0), r0.x, l(1, 2, 3, 4)"),
        ("dcl_uav_structured u1, 16", "store_structured u1.xyzw, r0.x, r0.x, l(1, 2, 3, 4)"),
        ("dcl_uav_typed_buffer (uint,uint,uint,uint) u1", "store_uav_typed u1.xyzw, r0.xxxx, l(1, 2, 3, 4)"),
        ("dcl_uav_raw u1", "imm_atomic_iadd r2.x, u1, r0.x, l(1)"),
        ("dcl_uav_raw u1", "imm_atomic_cmp_exch r2.x, u1, r0.x, l(5), l(1)"),
        ("dcl_uav_structured u1, 16", "imm_atomic_exch r2.x, u1, r0.xyxx, l(1)"),
        ("dcl_uav_structured u1, 16", "imm_atomic_umax r2.x, u1, r0.yxyy, l(10)"),
        ("dcl_uav_typed_buffer (uint,uint,uint,uint) u1", "imm_atomic_iadd r2.x, u1, r0.x, l(1)"),
        ("dcl_uav_typed_texture2d (uint,uint,uint,uint) u1", "store_uav_typed u1.xyzw, r0.xyyy, l(1, 2, 3, 4)"),
        ("dcl_uav_typed_texture2d (uint,uint,uint,uint) u1", "store_uav_typed u1.xyzw, r0.yxyy, l(1, 2, 3, 4)"),
        ("dcl_uav_typed_texture2d (uint,uint,uint,uint) u1", "imm_atomic_or r2.x, u1, r0.yxyy, l(2)"),
    ],
)  # fmt: skip
def test_what_lies_outside_is_not_written(declared: str, code: str, place: str) -> None:
    """u1 stands in the middle of an array, of which no other word may change."""
    body = f"mov r0.x, l({place})\nmov r2.x, l(9)\n{code}\nstore_raw u0.x, l(0), r2.x"
    for kernel in kernels(compute(body, declared)):
        around = np.full(64, GUARD, np.uint32)
        u1 = around[24:40].reshape(
            (4, 4, 1) if "texture" in declared else (-1, 4)[: 1 + ("typed" in declared)]
        )
        u0 = np.zeros(1, np.uint32)
        kernel.dispatch(1, u0=u0, u1=u1)
        assert (around == GUARD).all()
        assert u0[0] == (0 if "imm_atomic" in code else 9)
        assert kernel.report is not None
        assert sum(kernel.report.out_of_bounds.values()) >= 1


@pytest.mark.parametrize("size", [0, 1, 3])
def test_buffers_of_almost_nothing(size: int) -> None:
    """Each of eight threads adds 1 to its word of a buffer that has `size` of them."""
    body = """
        ld_structured r0.x, vThreadID.x, l(0), u1.xxxx
        iadd r0.x, r0.x, l(1)
        store_structured u1.x, vThreadID.x, l(0), r0.x
        bufinfo r0.y, u1
        atomic_iadd u0, l(0), r0.y"""
    for kernel in kernels(compute(body, "dcl_uav_structured u1, 4", "8, 1, 1")):
        u0, u1 = np.zeros(1, np.uint32), np.zeros(size, np.uint32)
        kernel.dispatch(1, u0=u0, u1=u1)
        assert u1.tolist() == [1] * size
        assert u0[0] == 8 * size
        assert kernel.report is not None
        assert kernel.report.out_of_bounds == {"u1": 2 * (8 - size)}


def test_a_counter_that_falls_below_zero() -> None:
    body = """
        imm_atomic_consume r0.x, u1
        store_structured u1.x, r0.x, l(0), l(7)
        store_raw u0.x, l(0), r0.x"""
    for kernel in kernels(compute(body, "dcl_uav_structured_opc u1, 4")):
        u0, u1 = np.zeros(1, np.uint32), np.zeros(4, np.uint32)
        result = kernel.dispatch(1, u0=u0, u1=u1)
        assert (u0.tolist(), u1.tolist(), result["u1_counter"]) == ([ALL], [0, 0, 0, 0], ALL)


@pytest.mark.parametrize(
    ("which", "found"), [(0, 10), (1, 11), (2, 12), (3, 0), (1 << 31, 0), (ALL, 0)]
)
def test_one_of_several_resources(which: int, found: int) -> None:
    """Registers that are chosen by a number outside of their range: nothing happens."""
    text = f"""cs_5_1
dcl_resource_raw T0[0:2], space=0
dcl_uav_raw U0[0:0], space=0
dcl_temps 2
dcl_thread_group 1, 1, 1
mov r0.x, l({which})
ld_raw r1.x, l(0), T0[r0.x].xxxx
store_raw U0[0].x, l(0), r1.x
ret
"""
    given = {f"t{n}": np.full(1, 10 + n, np.uint32) for n in range(3)}
    assert words(text, 1, **given) == [found]


# ---------------------------------------------------------------- arithmetic


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("udiv r0.x, r0.y, l(7), l(0)", [ALL, ALL]),
        ("udiv r0.x, r0.y, l(0), l(0)", [ALL, ALL]),
        ("udiv r0.x, r0.y, l(0x80000000), l(-1)", [0, 0x8000_0000]),
        ("imul r0.x, r0.y, l(0x80000000), l(-1)", [0, 0x8000_0000]),
        ("ineg r0.x, l(0x80000000)", [0x8000_0000]),
        ("iadd r0.x, -|r7.x|, l(0)", [0x8000_0000]),
        ("ishl r0.x, l(1), l(32)", [1]),
        ("ishl r0.x, l(1), l(-1)", [0x8000_0000]),
        ("ishr r0.x, l(0x80000000), l(63)", [ALL]),
        ("ushr r0.x, l(0x80000000), l(33)", [0x4000_0000]),
        ("ubfe r0.x, l(32), l(0), l(-1)", [0]),
        ("ubfe r0.x, l(31), l(31), l(-1)", [1]),
        ("ibfe r0.x, l(-1), l(-1), l(0x80000000)", [ALL]),
        ("bfi r0.x, l(31), l(31), l(-1), l(0)", [0x8000_0000]),
        ("firstbit_hi r0.x, l(0)", [ALL]),
        ("firstbit_shi r0.x, l(-1)", [ALL]),
        ("ftoi r0.x, l(nan)", [0]),
        ("ftoi r0.x, l(0x7f800000)", [0x7FFF_FFFF]),
        ("ftoi r0.x, l(0xff800000)", [0x8000_0000]),
        ("ftou r0.x, l(-1.0)", [0]),
        ("ftou r0.x, l(0x7f800000)", [ALL]),
        ("div r0.x, l(0.0), l(0.0)", [0x7FC0_0000]),
        ("div r0.x, l(1.0), l(0.0)", [0x7F80_0000]),
        ("rcp r0.x, l(0x80000000)", [0xFF80_0000]),
        ("sqrt r0.x, l(-1.0)", [0x7FC0_0000]),
        ("rsq r0.x, l(0.0)", [0x7F80_0000]),
        ("log r0.x, l(0.0)", [0xFF80_0000]),
        ("log r0.x, l(-1.0)", [0x7FC0_0000]),
        ("exp r0.x, l(0x7f7fffff)", [0x7F80_0000]),
        ("exp r0.x, l(0xff7fffff)", [0]),
        ("sincos r0.x, r0.y, l(0x7f800000)", [0x7FC0_0000, 0x7FC0_0000]),
        ("mul_sat r0.x, l(0x7f800000), l(0.0)", [0]),
        ("mov_sat r0.x, r7.y", [0]),
        ("dtoi r0.x, d(nan, 0.0l)", [0]),
        ("ftod r2.xy, l(0x7f800000)\ndtou r0.x, r2.xyxy", [ALL]),
    ],
)  # fmt: skip
def test_arithmetic_at_its_ends(code: str, wanted: list[int]) -> None:
    before = "mov r7.xyzw, l(0x80000000, 0x7fc00001, 0, 0)\nmov r0.xyzw, l(0, 0, 0, 0)"
    found = words(compute(f"{before}\n{code}\nstore_raw u0.xyzw, l(0), r0.xyzw"))
    assert found[: len(wanted)] == wanted


# ---------------------------------------------------------------- textures

ODD = (NAN, INFINITY, -INFINITY, 3.4e38, -3.4e38, 1e-45, -0.0, 4294967296.0)
SAMPLES = (
    "sample_l r0.xyzw, v1.xyzw, {t}, s0, l(0.0)",
    "sample_l r0.xyzw, l(0.5, 0.5, 0.5, 0.5), {t}, s0, v1.x",
    "sample_b r0.xyzw, l(0.5, 0.5, 0.5, 0.5), {t}, s0, v1.x",
    "sample_d r0.xyzw, l(0.5, 0.5, 0.5, 0.5), {t}, s0, v1.xyzw, v1.yxzw",
    "sample r0.xyzw, v1.xyzw, {t}, s0",
    "sample r0.xyzw, v1.xyzw, {t}, s0\nlod r1.xyzw, v1.xyzw, {t}, s0",
)


@pytest.mark.parametrize("address", ["wrap", "mirror", "clamp", "border", "mirror_once"])
@pytest.mark.parametrize("shape", ["1d", "2d", "3d", "cube", "2darray", "cubearray"])
def test_coordinates_that_are_no_numbers(shape: str, address: str) -> None:
    """Whatever they are, what comes is made of texels: from 1 to 2, or the border's 0."""
    sizes = {"1d": (4,), "2d": (4, 4), "3d": (4, 4, 4), "cube": (6, 4, 4), "2darray": (3, 4, 4),
             "cubearray": (12, 4, 4)}[shape]  # fmt: skip
    texels = np.linspace(1.0, 2.0, int(np.prod(sizes)), dtype=np.float32).reshape(*sizes, 1)
    rows = [[a, b, c, d] for a in ODD for b in (*ODD, 0.5) for c, d in ((0.5, 0.5), (b, a))]
    lanes = np.array(rows, np.float32)
    for code in SAMPLES:
        text = f"""ps_5_0
dcl_sampler s0, mode_default
dcl_resource_texture{shape} (float,float,float,float) t0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 2
{code.format(t="t0.xyzw")}
mov o0.xyzw, r0.xyzw
ret
"""
        found = []
        for kernel in kernels(text):
            given = {"t0": Texture(texels, mips=True), "s0": Sampler("linear", address)}
            row = next(iter(kernel.outputs)).name
            inputs = {next(iter(kernel.inputs)).name: lanes}
            found.append(np.asarray(kernel.shade(inputs, **given)[row]))
        assert all((each.view("<u4") == found[0].view("<u4")).all() for each in found)
        red = found[0][:, 0]
        assert not np.isnan(red).any()
        assert ((red >= 0.0) & (red <= 2.0001)).all()
        if address != "border":
            assert (red >= 0.9999).all()


@pytest.mark.parametrize("shape", [(0, 4), (4, 0), (0, 0), (4, 4, 0)])
def test_textures_without_texels(shape: tuple[int, ...]) -> None:
    text = compute("ld r0.xyzw, l(0, 0, 0, 0), t0.xyzw",
                   "dcl_resource_texture2d (float,float,float,float) t0")  # fmt: skip
    assert "an array (height, width[, 1 to 4]) expected" in refusal(
        UsageError, text, t0=np.zeros(shape, np.float32)
    )


@pytest.mark.parametrize(
    ("kind", "code", "message"),
    [
        ("texturecube", "ld r0.x, l(0, 0, 0, 0), t0.xyzw", "ld does not read t0: it is cube"),
        ("texturecubearray", "ld r0.x, l(0, 0, 0, 0), t0.xyzw", "ld does not read t0: it is cube"),
        ("texture2dms(4)", "ld r0.x, l(0, 0, 0, 0), t0.xyzw", "ld does not read t0: it is multisampled 2d"),
        ("texture2d", "ldms r0.x, l(0, 0, 0, 0), t0.xyzw, l(0)", "ldms does not read t0: it is 2d"),
        ("texture1d", "gather4 r0.x, l(0, 0, 0, 0), t0.xyzw, s0.x", "gather4 does not read t0: it is 1d"),
        ("texture3d", "gather4 r0.x, l(0, 0, 0, 0), t0.xyzw, s0.x", "gather4 does not read t0: it is 3d"),
        ("texture2dms(4)", "sample_l r0.x, l(0, 0, 0, 0), t0.xyzw, s0, l(0)", "sample_l does not read t0: it is"),
        ("buffer", "sample_l r0.x, l(0, 0, 0, 0), t0.xyzw, s0, l(0)", "t0 is no texture"),
    ],
)  # fmt: skip
def test_textures_of_another_shape(kind: str, code: str, message: str) -> None:
    declared = f"dcl_sampler s0, mode_default\ndcl_resource_{kind} (float,float,float,float) t0"
    with pytest.raises(UnsupportedError, match=message):
        kernels(compute(code, declared))


def test_mip_levels_of_what_is_no_number() -> None:
    """Signalling NaN and sums beyond the end: the means are made without a word."""
    texels = np.array([0x7F80_0001, 0x7F7F_FFFF, 0x7F7F_FFFF, 0xFF80_0000], np.uint32)
    text = compute("ld r0.xyzw, l(0, 0, 0, 1), t0.xyzw\nstore_raw u0.x, l(0), r0.x",
                   "dcl_resource_texture1d (float,float,float,float) t0")  # fmt: skip
    for kernel in kernels(text):
        u0 = np.zeros(1, np.uint32)
        kernel.dispatch(1, u0=u0, t0=Texture(texels.view(np.float32), mips=True))
        assert u0.tolist() == [0x7FC0_0000]


# ---------------------------------------------------------------- inputs and outputs


def pixel(body: str, declared: str = "") -> list[Array]:
    """o0 of three pixels, of each engine."""
    text = f"ps_5_0\ndcl_input_ps linear v1.xyzw\n{declared}\ndcl_output o0.xyzw\ndcl_temps 2\n{body}\nret\n"
    lanes = np.array([[1, 2, 3, 4], [5, 6, 7, 8], [NAN, INFINITY, -1, 0]], np.float32)
    found = []
    for kernel in kernels(text):
        row = next(iter(kernel.outputs)).name
        found.append(np.asarray(kernel.shade({next(iter(kernel.inputs)).name: lanes}, **{})[row]))
    return found


@pytest.mark.parametrize("place", OUTSIDE)
def test_inputs_and_outputs_by_number(place: str) -> None:
    body = f"""
        mov r0.x, l({place})
        mov o0.xyzw, l(1, 1, 1, 1)
        mov r1.xyzw, v[r0.x + 0].xyzw
        mov o[r0.x + 0].xyzw, l(7, 7, 7, 7)
        mov o0.yz, r1.xxyx"""
    for found in pixel(body):
        assert found.view("<u4").tolist() == [[1, 0, 0, 1]] * 3


def test_a_thread_id_in_a_pixel_shader() -> None:
    with pytest.raises(UnsupportedError, match="vThreadID is nothing that pixel shaders have"):
        pixel("mov o0.xyzw, vThreadID.xyzx")


@pytest.mark.parametrize(
    ("profile", "code", "stage"),
    [
        ("cs_5_0", "deriv_rtx r0.x, r0.x", "compute"),
        ("vs_5_0", "discard_nz r0.x", "vertex"),
        ("vs_5_0", "eval_centroid r0.x, v0.x", "vertex"),
        ("ps_5_0", "dcl_tgsm_raw g0, 16", "pixel"),
        ("ps_5_0", "emit", "pixel"),
    ],
)
def test_instructions_of_other_stages(profile: str, code: str, stage: str) -> None:
    group = "dcl_thread_group 1, 1, 1\n" if profile == "cs_5_0" else ""
    name = code.split()[0].removesuffix("_nz")
    with pytest.raises(UnsupportedError, match=f"{name} is no instruction of {stage} shaders"):
        kernels(f"{profile}\ndcl_temps 1\n{group}{code}\nret\n")


def test_an_evaluation_of_no_input() -> None:
    with pytest.raises(UnsupportedError, match="only an input can be evaluated at another place"):
        pixel("eval_snapped r0.x, l(1.0), l(0)\nmov o0.xyzw, r0.xxxx")


def test_derivatives_where_lanes_parted() -> None:
    """The neighbour is not there: its difference is 0, whatever it holds."""
    body = """
        if_nz v1.w
        deriv_rtx_fine r0.x, v1.x
        deriv_rty_coarse r0.y, v1.y
        endif
        mov o0.xyzw, r0.xyxy"""
    for found in pixel(body):
        assert found.tolist() == [[0, 0, 0, 0]] * 3


def test_every_pixel_discarded() -> None:
    text = "ps_5_0\ndcl_output o0.xyzw\ndiscard_z l(0)\nmov o0.xyzw, l(1, 1, 1, 1)\nret\n"
    for kernel in kernels(text):
        result = kernel.shade((5, 3))
        assert not result["covered"].any()
        assert not np.asarray(result[next(iter(kernel.outputs)).name]).any()
        assert kernel.report is not None
        assert kernel.report.discarded == 15
