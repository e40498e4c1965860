"""The reference engine: NumPy, all lanes of a batch in lockstep. The debugger is built on it."""

from .engine import Lockstep

__all__ = ["Lockstep"]
