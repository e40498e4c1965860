"""Engines that run `ir`: lockstep (NumPy) and jit (LLVM)."""
