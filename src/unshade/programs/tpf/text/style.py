"""Differences between the versions of the listing that fxc and D3DDisassemble print.

                                      6.3, 9.29, 9.30  10.x and the disassembler without a creator
    dcl_constantbuffer                cb0[4]           CB0[4]
    dcl_resource_structured t0, 16    + a blank        (6.3: not seen)
    dcl_input_ps_sgv v1.x, sampleIndex                 constant v1.x
    floats                            17 digits        all digits: `literals.Library`

Source: 373 listings and their programs; public listings of 6.3 and comments in public assemblers
(dcl_input_ps_sgv).
"""

from __future__ import annotations

from functools import lru_cache

from ....tuples import NamedTuple
from ....vocab import fxc
from .literals import Library


class Style(NamedTuple):
    """Options of the printer; the defaults match the newest fxc.

    With `exact` every number is printed so that it is read back unchanged. The rest of the dialect
    of that name is in exact.py.
    """

    capital_buffers: bool = True  # CB0 in dcl_constantbuffer before Shader Model 5.1
    structured_blank: bool = False  # a blank ends dcl_resource_structured
    sgv_interpolation: bool = True  # dcl_input_ps_sgv states its interpolation
    library: Library = Library.UCRT_19041
    exact: bool = False

    @classmethod
    @lru_cache(maxsize=64)
    def for_creator(
        cls,
        creator: str | None,
        model: tuple[int, int] = (5, 0),
        *,
        library: Library | None = None,
    ) -> Style:
        """Return the style of the listing that `creator` printed for a program of `model`.

        Args:
            creator: The compiler that RDEF names; None if unknown: then a disassembler printed
                the listing.
            model: The shader model.
            library: The run-time library, if known; a container does not contain it.
        """
        found = fxc.version(creator)
        version = found or (10, 1)
        if library is None:
            if version < (10, 0):
                library = Library.COMPILER_46 if version >= (9, 0) else Library.MSVCRT
            elif found or model >= (5, 1):
                library = Library.UCRT_19041
            else:
                # DirectXTK's listings of Shader Model 4 round 0.0078125 up and have exponents of
                # three digits, DirectXTK12's of 5.1 round down: without a creator, programs older
                # than 5.1 have listings of Windows' own disassembler of that time.
                library = Library.MSVCRT
        old = version < (10, 0)
        return cls(
            capital_buffers=not old,
            structured_blank=old,
            sgv_interpolation=not old,
            library=library,
        )
