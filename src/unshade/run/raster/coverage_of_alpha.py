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
from ..signature import KernelSignature, Key
from .targets import MASKS

ALPHA = 3


def coverage_of_alpha(
    rows: KernelSignature, values: Mapping[Key, Array], samples: int
) -> Array | None:
    """Return which samples alpha covers, (lanes, samples); None if the shader outputs no alpha."""
    for row in rows:
        if row.location == 0 and row.meaning not in MASKS and ALPHA in row.components:
            array = values[row.key]
            if array.dtype.kind != "f" or row.places[0].index:
                continue
            alpha = array[:, row.components.index(ALPHA)]
            steps = np.arange(samples) / samples if samples > 1 else np.array([0.5])
            with np.errstate(invalid="ignore"):
                found: Array = alpha[:, np.newaxis] > steps
            return found
    return None
