"""Functions of sources and libraries as callables over arrays: `unshade.functions`.

    noise = unshade.functions("noise.hlsl")
    noise.fbm(points, octaves=5)              points (n, 2) float32  ->  (n,) float32

A function of a source is called by a compute shader that is made for it (wrapper.py), a function of
a library is a program itself.
"""

from .callables import ShaderFunctions, functions

__all__ = ["ShaderFunctions", "functions"]
