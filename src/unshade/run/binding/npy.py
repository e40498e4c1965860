"""NPY files, whose header is compared with their bytes: NumPy allocates what it declares.

Source: NumPy's documentation of the format, versions 1.0 to 3.0.
"""

from io import BytesIO
from math import prod

import numpy as np

from ...errors import UsageError
from ...vm.launch import Array

MAGIC = b"\x93NUMPY"


def read_npy(data: bytes) -> Array:
    """Return the array in a .npy file; UsageError if it is malformed, or holds objects."""
    file = BytesIO(data)
    try:
        version = np.lib.format.read_magic(file)
        if version == (1, 0):
            shape, _, dtype = np.lib.format.read_array_header_1_0(file)
        else:
            shape, _, dtype = np.lib.format.read_array_header_2_0(file)
        size, left = prod(shape) * dtype.itemsize, len(data) - file.tell()
        if not dtype.hasobject and not 0 <= size <= left:
            raise UsageError(f"expected {size:,} bytes of numbers in a .npy file, got {left:,}")
        found: Array = np.load(BytesIO(data), allow_pickle=False)
    except UsageError:
        raise
    except Exception as error:  # of its parser, which is Python's
        raise UsageError(f"expected an array in a .npy file: {error!s:.160}") from None
    return found
