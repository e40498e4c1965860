"""The stack that compiled code takes, read from its first instructions.

    x86-64     push rbp; mov rbp, rsp; push r15; and rsp, -64; sub rsp, 1707832
               push rbp; mov eax, 100016; call __chkstk               Windows, more than a page
    AArch64    stp x29, x30, [sp, #-16]!; sub x9, sp, #24, lsl #12; sub x9, x9, #1696

Without optimisation, LLVM keeps each value that lives in several blocks on the stack. Where a
processor has no gathers, or slow ones, a gather is a block for each lane, and each block keeps all
lanes: a gather takes 116 bytes for 8 lanes, but 34 KB for 64 (Zen 3), and a thousand of them more
than a thread has. The overflow would end the process.

(Intel 64 manual, volume 2, SUB and MOV; Arm architecture reference manual, SUB (immediate).)
"""

import ctypes
import platform
import re
import struct
import sys
from functools import cache

from ...errors import UnsupportedError

# Of the stack of a thread: 8 MB on Linux and on the main thread of macOS, 2 MB on Windows.
MAX_FRAME = (1 if sys.platform == "win32" else 4) << 20  # bytes
START = 64  # bytes of code that have the instructions
SUB, SUB_SHIFTED = 0b1101000100, 0b1101000101  # bits 31 to 22: sub xd, xn, #imm; imm, lsl #12
STACK = (9, 31)  # numbers of x9 and sp


def frame_at(address: int) -> int:
    """Return the bytes of stack that the function at an address takes; 0 if it is not known."""
    return frame_of(ctypes.string_at(address, START), platform.machine())


def check_frame(size: int) -> None:
    """Raise UnsupportedError for code that needs so many bytes of stack that it may overflow."""
    if size > MAX_FRAME:
        raise UnsupportedError(
            f"the kernel needs {size} bytes of stack, more than {MAX_FRAME}; "
            "the lockstep engine runs it"
        )


def frame_of(code: bytes, machine: str) -> int:
    """Return the bytes of stack that a function takes, small frames and unknown code excepted.

    Args:
        code: The first bytes of the function.
        machine: The kind of processor, as `platform.machine` names it.
    """
    if machine in ("x86_64", "AMD64"):
        found = _pattern().match(code)
        return int.from_bytes(found[1], "little") if found else 0
    if machine in ("aarch64", "arm64"):
        return sum(map(_subtracted, struct.unpack(f"<{len(code) // 4}I", code[: len(code) & -4])))
    return 0


@cache
def _pattern() -> re.Pattern[bytes]:
    """Return the pattern of x86-64: compiling it would delay programs that compile no kernel."""
    saved = rb"[\x50-\x57]|\x41[\x50-\x57]|\x48\x89\xe5|\x48\x83\xe4.|\x48\x81\xe4.{4}"
    size = rb"\x48\x81\xec|\xb8(?=.{4}(?:\xe8|\x49\xbb))"  # sub rsp; or mov eax, then a call
    return re.compile(rb"(?:%b)*(?:%b)(.{4})" % (saved, size), re.DOTALL)


def _subtracted(word: int) -> int:
    """Return the number that an instruction of AArch64 subtracts from the stack pointer."""
    if word & 31 not in STACK or word >> 5 & 31 not in STACK:
        return 0
    number = word >> 10 & 0xFFF
    return {SUB: number, SUB_SHIFTED: number << 12}.get(word >> 22, 0)
