"""The width of vector registers that code is made for, and its limit."""

import re

import pytest

from tests.vm.engines import parsed
from unshade.errors import UsageError
from unshade.vm.jit import Jit
from unshade.vm.jit.compile import assembly, target
from unshade.vm.jit.engine import CompiledKernel
from unshade.vm.jit.layout import layout
from unshade.vm.jit.processor import ENVIRONMENT, LEVELS, Processor, limited, processor, triple

MADE = Processor("made", ("+avx2", "+avx512f", "-avx512bf16", "+avx10.1-512", "+fma"), 512)
KERNEL = """
kernel main compute group 64 1 1
memory %u0 buffer 4 writable
%0 = source thread_id.x
%1 = imul %0, %0
store %u0[%0, i32 0], %1
"""


def test_a_limit_removes_wider_registers_and_what_belongs_to_them() -> None:
    found = limited(MADE, 256)
    assert (found.bits, found.masks) == (256, False)
    assert found.flags == "-avx10.1-512,+avx2,-avx512bf16,-avx512f,+fma"
    assert MADE.masks


@pytest.mark.parametrize("bits", LEVELS)
def test_a_limit_is_not_a_request(bits: int) -> None:
    narrow = Processor("made", ("+avx2",), min(LEVELS))
    assert limited(narrow, bits) is narrow


def test_the_environment_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ENVIRONMENT, raising=False)
    own, unlimited = processor(), target()
    for bits in LEVELS:
        monkeypatch.setenv(ENVIRONMENT, str(bits))
        assert processor() == limited(own, bits)
        assert (target() == unlimited) == (own.bits <= bits)
    monkeypatch.setenv(ENVIRONMENT, "")
    assert processor() == own


@pytest.mark.parametrize("given", ["64", "1024", "wide", "256 ", "0x100"])
def test_other_limits_are_refused(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    monkeypatch.setenv(ENVIRONMENT, given)
    with pytest.raises(UsageError, match=f"{ENVIRONMENT}: expected .* or 512, got '{given}'"):
        processor()


@pytest.mark.heavy
@pytest.mark.parametrize("bits", LEVELS)
def test_code_has_no_wider_registers(monkeypatch: pytest.MonkeyPatch, bits: int) -> None:
    monkeypatch.setenv(ENVIRONMENT, str(bits))
    if processor().bits != bits or not triple().startswith("x86_64"):
        pytest.skip(f"this machine has no x86 registers of {bits} bits")
    kernel = parsed(KERNEL)
    text = assembly(CompiledKernel(kernel, layout(kernel, True, True, 64)).text)
    text = text.replace("vmovups\t%ymm0, (%rsi)", "")  # of memset
    used = {512 if "zmm" in text else 0, 256 if "ymm" in text else 0, 128 if "xmm" in text else 0}
    assert max(used) == bits
    assert bits == 512 or not re.search(r"%k[0-7]|mm(1[6-9]|[23][0-9])", text)


@pytest.mark.heavy
@pytest.mark.parametrize("bits", LEVELS)
def test_the_cache_keeps_the_code_of_limits_apart(
    monkeypatch: pytest.MonkeyPatch, bits: int
) -> None:
    monkeypatch.delenv(ENVIRONMENT, raising=False)
    kernel = parsed(KERNEL)
    plan = layout(kernel, True, True, 64)
    own = processor().bits, Jit().options, CompiledKernel(kernel, plan).machine_code.name
    monkeypatch.setenv(ENVIRONMENT, str(bits))
    here = processor().bits, Jit().options, CompiledKernel(kernel, plan).machine_code.name
    assert [a == b for a, b in zip(own, here, strict=True)] == [own[0] <= bits] * 3
