"""WGSL, as browsers and wgpu read it."""

from .target import WgslTarget

__all__ = ["WgslTarget"]
