"""Lenses of a page: the numbers of every lane as columns, and the stops of the colour maps.

lens0.numbers     float32, int32 or uint32, row by row, components together
lens0.reached     a byte for each lane
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..errors import UsageError
from ..run.debugging.lens import INFINITE, NAN, NOT_REACHED, RAMP, SIGNED
from ..run.debugging.trace_view import finite
from ..screens.text import visible
from .columns import Columns

if TYPE_CHECKING:
    from ..run.debugging.lens import Lens

__all__ = ["write_lenses"]

KINDS = {"f": "float", "i": "int"}  # by the kind of an array's dtype
TYPES = {"float": "<f4", "int": "<i4", "uint": "<u4"}
MOST = 1 << 22  # numbers of a lens


def write_lenses(columns: Columns, lenses: "Sequence[Lens]", line_of: Mapping[int, int]) -> None:
    """Add lenses to a block; `line_of` is the page's line of each line of the program.

    Raises:
        UsageError: A lens has too many numbers for a page, or nothing has run.
    """
    found = []
    for number, lens in enumerate(lenses):
        array, reached = lens.array, lens.reached
        if array.size > MOST:
            raise UsageError(
                f"{lens.title}: expected at most {MOST:,} numbers on a page, got {array.size:,}"
            )
        kind = KINDS.get(array.dtype.kind, "uint")
        columns.raw(f"lens{number}.numbers", array.astype(TYPES[kind]).tobytes())
        columns.raw(f"lens{number}.reached", reached.astype(np.uint8).tobytes())
        found.append(
            {
                "title": visible(lens.title_at(line_of[lens.recorder.line] + 1)),
                "components": [visible(each) for each in lens.components],
                "width": reached.shape[-1],
                "height": reached.size // reached.shape[-1],
                "kind": kind,
                "minimum": finite(lens.minimum),
                "maximum": finite(lens.maximum),
                "nans": lens.nans,
                "left": int((~reached).sum()),
            }
        )
    columns.values["lenses"] = {
        "all": found,
        "stops": {"ramp": RAMP, "signed": SIGNED, "grey": ((0, 0, 0), (255, 255, 255))},
        "marks": {"nan": NAN, "infinite": INFINITE, "left": NOT_REACHED},
    }
