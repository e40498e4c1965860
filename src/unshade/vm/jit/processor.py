"""The processor that code is made for: its features, and the width of its vector registers.

    512    x86-64 with AVX-512F, BW, DQ and VL: 32 registers, and mask registers
    256    x86-64 with AVX2, FMA and F16C, which is x86-64-v3: 16 registers
    128    AArch64; on x86-64, the same without the upper halves of registers (codegen/narrow.py)

`UNSHADE_VECTOR_BITS` limits the width, so that the code for narrower registers can be tested and
measured on any machine. Code with 256 bits uses no instruction of AVX-512, neither its mask
registers nor registers beyond the sixteenth, as if the processor lacked them.
"""

import os
from functools import cache
from typing import Any

from ...errors import UnsupportedError, UsageError, not_installed
from ...tuples import NamedTuple

ENVIRONMENT = "UNSHADE_VECTOR_BITS"  # limits the bits of a vector register
LEVELS = (128, 256, 512)
NEEDED = ("avx2", "fma", "f16c")  # x86 processors since 2013
WIDE = ("avx512f", "avx512bw", "avx512dq", "avx512vl")
BEYOND = ("avx512", "avx10", "evex512")  # how the names of features start that 256 bits exclude


class Processor(NamedTuple):
    """The processor: its name, its features, and the bits of the widest vector register."""

    name: str
    features: tuple[str, ...]
    bits: int

    @property
    def flags(self) -> str:
        """The features as LLVM takes them."""
        return ",".join(sorted(self.features, key=lambda each: each[1:]))

    @property
    def masks(self) -> bool:
        """True if registers of their own hold masks, one bit for each lane."""
        return self.bits == 512


def imported() -> Any:
    """Return llvmlite."""
    try:
        import llvmlite.binding as llvm
    except ImportError as error:
        raise not_installed("the engine jit", f"llvmlite ({error})", "jit") from None
    return llvm


def processor() -> Processor:
    """Return the processor of this machine, limited to the bits that the environment allows.

    Raises:
        UnsupportedError: LLVM would call library functions, which may be missing, for roots,
            roundings and halves.
        UsageError: The environment names a number of bits that is not in `LEVELS`.
    """
    given = os.environ.get(ENVIRONMENT, "")
    if given and given not in map(str, LEVELS):
        *first, last = map(str, LEVELS)
        raise UsageError(f"{ENVIRONMENT}: expected {', '.join(first)} or {last}, got {given!r}")
    here = _machine()
    return limited(here, int(given)) if given else here


def limited(here: Processor, bits: int) -> Processor:
    """Return a processor whose vector registers have at most `bits` bits."""
    if here.bits <= bits:
        return here
    features = [f"-{each[1:]}" if each[1:].startswith(BEYOND) else each for each in here.features]
    return Processor(here.name, tuple(features), bits)


@cache
def _machine() -> Processor:
    """Return the processor of this machine."""
    llvm = imported()
    name = str(llvm.get_host_cpu_name())
    machine = triple().split("-")[0]
    if machine in ("aarch64", "arm64"):
        return Processor(name, (), 128)
    features = llvm.get_host_cpu_features()
    if machine != "x86_64" or not all(features.get(each) for each in NEEDED):
        raise UnsupportedError(
            f"the jit engine needs x86-64 with {', '.join(NEEDED)}, or AArch64; this is {name} "
            f"({machine}): the lockstep engine runs anywhere"
        )
    flags = (f"{'+' if has else '-'}{feature}" for feature, has in features.items())
    return Processor(name, tuple(flags), 512 if all(map(features.get, WIDE)) else 256)


@cache
def triple() -> str:
    """Return LLVM's name of the machine."""
    return str(imported().get_process_triple())
