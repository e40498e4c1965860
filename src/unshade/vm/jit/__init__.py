"""The fast engine: LLVM, lanes on vector registers (extra `jit`)."""

from .engine import Jit

__all__ = ["Jit"]
