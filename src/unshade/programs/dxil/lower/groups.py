"""The sizes of thread groups and waves, and how threads of a group form quads."""

from ....errors import UnsupportedError
from ....ir.kernel import KernelIR
from ....ir.sources import has_quads
from ....ir.specialisation import Specialisation
from ....ir.waves import LEAST, MOST
from ..shaderinfo import DxilEntryPoint

__all__ = ["group_size", "has_quads_of_threads", "wave_size"]

MOST_THREADS = 1024
QUADS_OF_THREADS = 6, 6  # the shader model that defines quads of thread groups


def wave_size(entry: DxilEntryPoint, specialisation: Specialisation) -> int:
    """Return the size that a shader requires or prefers, else the requested size."""
    sizes = entry.properties.wave_size
    if not sizes or not sizes[0]:
        return specialisation.wave_size
    least, most, preferred = (*sizes, 0, 0)[:3]
    if len(sizes) == 1 or not most:
        found = least
    else:
        found = preferred or min(max(specialisation.wave_size, least), most)
    if not LEAST <= found <= MOST or found & (found - 1):
        raise UnsupportedError(f"expected waves of a power of two up to {MOST}, got {found}")
    return found


def has_quads_of_threads(kernel: KernelIR, shader_model: tuple[int, int]) -> bool:
    """Return whether the quads of thread groups are 2 x 2 threads, not four in a row."""
    return kernel.dispatched and shader_model >= QUADS_OF_THREADS and has_quads(kernel.group)


def group_size(threads: tuple[int, ...]) -> tuple[int, int, int]:
    x, y, z = (*threads, 1, 1)[:3]
    if not 0 < x * y * z <= MOST_THREADS:
        raise UnsupportedError(f"expected 1 to {MOST_THREADS} threads, got {x} x {y} x {z}")
    return x, y, z
