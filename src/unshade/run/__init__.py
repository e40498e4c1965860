"""Running shaders: kernels that take NumPy arrays.

    kernel = unshade.kernel(shader)              a program, lowered and ready
    kernel.bindings                              what it wants
    kernel.dispatch((4, 1, 1), cb0={"a": 2.0}, X=x, Y=y)["Y"]

NumPy (extra `[run]`) is loaded when the first kernel is made, or `raster` is asked for.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from ..errors import not_installed
from .sampler import Sampler, Texture

if TYPE_CHECKING:
    from ..shader import Shader
    from . import raster
    from .kernels import Kernel

__all__ = ["Sampler", "Texture", "kernel", "raster"]


def need_numpy() -> None:
    """Raise UnsupportedError, with the command that installs it, where NumPy is missing."""
    if find_spec("numpy") is None:
        raise not_installed("running shaders", "NumPy", "run")


def kernel(
    shader: "Shader",
    program: int = 0,
    entry: str | None = None,
    engine: str = "auto",
    fast: bool = False,
    **specialisation: Any,
) -> "Kernel":
    """A program of the shader, ready to run.

    `engine` is `lockstep`, `jit`, or `auto`: jit where llvmlite is installed. With `fast` the jit
    may round a product and a sum once and divide within 3 ulp; lockstep stays exact. Further
    options are the fields of `ir.specialisation.Specialisation` that the program takes (of a
    DirectX program `interfaces`, `instances`, `lengths` and `samples`); any other is refused by
    name. UnsupportedError names what cannot be run.
    """
    need_numpy()
    from .opening import open_kernel

    return open_kernel(shader, program, entry, engine, fast, specialisation)


if not TYPE_CHECKING:  # a type checker would take every name for one that is there

    def __getattr__(name: str) -> Any:
        if name != "raster":
            raise AttributeError(f"module 'unshade.run' has no attribute {name!r}")
        need_numpy()
        return import_module(".raster", __name__)
