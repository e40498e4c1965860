"""Running shaders: kernels that take NumPy arrays.

    kernel = unshade.kernel(shader)              a program, lowered and ready
    kernel.bindings the resources to bind
    kernel.dispatch((4, 1, 1), cb0={"a": 2.0}, X=x, Y=y)["Y"]

NumPy (extra `[run]`) is loaded when a kernel is created, or on the first use of `raster` or
`Coverage`.
"""

from importlib import import_module
from importlib.util import find_spec
from os import PathLike
from typing import TYPE_CHECKING, Any, BinaryIO

from ..errors import not_installed, with_origin
from ..files import Path, contents
from ..limits import DEFAULT, Limits
from .binding.sampler import Sampler, Texture

if TYPE_CHECKING:
    from ..shader import Shader
    from ..vm.lockstep.debug import Coverage
    from . import frame, raster
    from .frame import Frame
    from .kernels import Kernel
    from .proving import prove
    from .source_functions import functions

__all__ = [
    "Coverage", "Frame", "Sampler", "Texture", "frame", "functions", "kernel", "open_texture",
    "prove", "raster",
]  # fmt: skip


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
    """Return a program of the shader, ready to run.

    Args:
        shader: The shader.
        program: The index of the program in `shader.programs`.
        entry: The name of the entry point; required if the program has several.
        engine: `lockstep`, `jit`, or `auto`, which is jit if llvmlite is installed.
        fast: Let the jit round a product and a sum once, and divide within 3 ulp; lockstep stays
            exact.
        specialisation: Fields of `ir.specialisation.Specialisation` that the program takes, such
            as `interfaces`, `instances`, `lengths` and `samples` of DirectX programs.

    Raises:
        UsageError: The program or entry point does not exist, or the program does not take an
            option.
        UnsupportedError: The program cannot be run; the message names the cause. NumPy or
            llvmlite is missing.
    """
    need_numpy()
    from .opening import open_kernel

    return open_kernel(shader, program, entry, engine, fast, specialisation)


def open_texture(
    source: Path | BinaryIO,
    *,
    mips: bool = False,
    srgb: bool = False,
    sampler: Sampler | str | None = None,
    limits: Limits = DEFAULT,
) -> Texture:
    """Return the texture in a file: DDS, KTX 2.0, OpenEXR, Radiance HDR, NPY, or any picture.

    Args:
        source: A path, or a file opened in binary mode.
        mips: Generate the smaller mip levels.
        srgb: Read colours as sRGB, even if the format in the file is not an sRGB format.
        sampler: The sampler, for shaders that combine textures and samplers.
        limits: Bounds on the file and the texture.

    Raises:
        FormatError: The file is malformed.
        LimitError: The file or the texture is too large.
        UnsupportedError: The format is not read, or a package is not installed.
        UsageError: The file cannot be opened, or is not in one of these formats.
    """
    need_numpy()
    from .textures.reading import read_texture

    with with_origin(str(source) if isinstance(source, str | PathLike) else ""):
        return read_texture(contents(source), mips=mips, srgb=srgb, sampler=sampler, limits=limits)


if not TYPE_CHECKING:  # a type checker would take every name for one that is there

    def __getattr__(name: str) -> Any:
        if name not in ("Coverage", "Frame", "frame", "functions", "prove", "raster"):
            raise AttributeError(f"module 'unshade.run' has no attribute {name!r}")
        need_numpy()
        if name in ("frame", "raster"):
            return import_module(f".{name}", __name__)
        if name == "Frame":
            return import_module(".frame", __name__).Frame
        if name == "prove":
            return import_module(".proving", __name__).prove
        if name == "functions":
            return import_module(".source_functions", __name__).functions
        return import_module("..vm.lockstep.debug", __name__).Coverage


def __dir__() -> list[str]:
    return sorted(__all__)
