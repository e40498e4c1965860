"""The stack that compiled code takes: what would overflow it is refused, or optimised."""

from typing import Any

import pytest

from tests.vm.engines import run, words
from unshade.errors import UnsupportedError
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR
from unshade.ir.memory import Space
from unshade.ir.types import I32
from unshade.vm.jit import frames
from unshade.vm.jit.engine import Jit
from unshade.vm.jit.frames import frame_of
from unshade.vm.lockstep import Lockstep

SOURCE = """
target triple = "{triple}"
define void @kernel(ptr %context, ptr %scratch, i64 %first, i64 %last) {{
  %space = alloca [{size} x i8], align 64
  call void asm sideeffect "", "r"(ptr %space)
  ret void
}}
"""


NAMES = b".text", b".ltext", b"__text"  # of sections


def code(triple: str, size: int) -> bytes:
    """Return the first bytes of a function with so many bytes on its stack."""
    llvm = pytest.importorskip("llvmlite.binding")
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    source, target = SOURCE.format(triple=triple, size=size), llvm.Target.from_triple(triple)
    with (
        target.create_target_machine(opt=0, jit=True, codemodel="jitdefault") as machine,
        llvm.create_context() as context,
        llvm.parse_assembly(source, context=context) as module,
    ):
        data = machine.emit_object(module)
    found: Any = llvm.ObjectFileRef.from_data(data)
    texts = [each.data() for each in found.sections() if each.name() in NAMES]
    return bytes(next(filter(None, texts))[: frames.START])


@pytest.mark.parametrize(
    ("triple", "machine"),
    [
        ("x86_64-unknown-linux-gnu", "x86_64"),
        ("x86_64-pc-windows-msvc", "AMD64"),
        ("aarch64-unknown-linux-gnu", "aarch64"),
        ("arm64-apple-macosx", "arm64"),
    ],
)
@pytest.mark.parametrize("size", [5000, 100_000, 20_000_000])
def test_frames_of_functions(triple: str, machine: str, size: int) -> None:
    assert size <= frame_of(code(triple, size), machine) < size + 256


def test_other_code() -> None:
    assert frame_of(b"\xc3" + bytes(63), "x86_64") == 0
    assert frame_of(b"\xc0\x03\x5f\xd6" + bytes(60), "aarch64") == 0
    assert frame_of(code("x86_64-unknown-linux-gnu", 5000), "riscv64") == 0


def gathers(count: int, wave: int) -> KernelIR:
    """Return a kernel in waves, with loads from scattered places."""
    kernel = KernelIR(group=(64, 1, 1), wave=wave)
    b = Builder(kernel)
    source = b.memory("t0", Space.BUFFER, 4)
    target = b.memory("u0", Space.BUFFER, 4, writable=True)
    total = lane = b.source("thread_id.x")
    for number in range(count):
        total = b.iadd(total, b.load(source, b.xor(lane, number), 0, I32))
    b.store(target, lane, 0, b.wave_first(total))
    return kernel


MEMORIES = {"t0": words(*range(64)), "u0": bytes(256)}


@pytest.fixture(autouse=True)
def limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow a fraction of the stack, so that small kernels need too much."""
    monkeypatch.setattr(frames, "MAX_FRAME", 12_000)


def test_an_explicit_width_that_would_overflow_the_stack_is_refused() -> None:
    with pytest.raises(UnsupportedError, match=r"bytes of stack, more than 12000; the lockstep"):
        run(Jit(threads=1, width=64, quick=True), gathers(40, wave=4), MEMORIES)
    run(Jit(threads=1, width=64, quick=False), gathers(40, wave=4), MEMORIES)


def test_code_made_quickly_that_would_overflow_the_stack_is_optimised_at_once() -> None:
    kernel = gathers(40, wave=64)  # in chunks of 64 lanes, whatever width is chosen
    expected = run(Lockstep(), kernel, MEMORIES)
    engine = Jit(threads=1)
    assert run(engine, kernel, MEMORIES) == expected
    (made,) = engine.kernels[kernel].values()
    assert made.meter is None
