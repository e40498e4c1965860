"""The reference engine and the debugger: NumPy, all lanes of a block in lockstep."""

from .engine import Lockstep

__all__ = ["Lockstep"]
