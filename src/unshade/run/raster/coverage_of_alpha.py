"""Alpha to coverage: samples from the alpha that the first target gets.

    sample s of n is covered if alpha > s / n; of one sample, if alpha > 1/2

Both APIs leave the samples to the implementation: alpha of 0 or less, and NaN, is no coverage, 1 is
all of it, and there are never fewer samples for more alpha. The samples are those of Mesa's
software rasteriser.

Sources: Direct3D 11.3 functional specification, section 17.18 (alpha-to-coverage); Vulkan
specification, Multisample Coverage.
"""

from collections.abc import Mapping

import numpy as np

from ...vm.launch import Array
from ..signature import KernelSignature, Key, SignatureRow
from .targets import MASKS

ALPHA = 3


def coverage_of_alpha(
    rows: KernelSignature, values: Mapping[Key, Array], samples: int
) -> Array | None:
    """Return which samples alpha covers, (lanes, samples); None if the shader outputs no alpha."""
    found = _alpha(rows, values)
    if found is None:
        return None
    row, column = found
    steps = np.arange(samples) / samples if samples > 1 else np.array([0.5])
    with np.errstate(invalid="ignore"):
        covers: Array = values[row.key][:, column, np.newaxis] > steps
    return covers


def factor_alpha(rows: KernelSignature, values: dict[Key, Array], factor: Array) -> None:
    """Multiply the alpha of the first target, if there is one, by a factor for each lane."""
    found = _alpha(rows, values)
    if found is not None:
        row, column = found
        array = values[row.key].copy()
        array[:, column] *= factor.astype(array.dtype)
        values[row.key] = array


def _alpha(rows: KernelSignature, values: Mapping[Key, Array]) -> tuple[SignatureRow, int] | None:
    """Return the output that has the alpha of the first target, and the column of alpha."""
    for row in rows:
        if row.location != 0 or row.meaning in MASKS or ALPHA not in row.components:
            continue
        if values[row.key].dtype.kind == "f" and not row.places[0].index:
            return row, row.components.index(ALPHA)
    return None
