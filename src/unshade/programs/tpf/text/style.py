"""What differs between the generations of the listing that fxc and D3DDisassemble print.

                                      6.3, 9.29, 9.30  10.x and the disassembler without a creator
    dcl_constantbuffer                cb0[4]           CB0[4]
    dcl_resource_structured t0, 16    + a blank        (6.3: not seen)
    dcl_input_ps_sgv v1.x, sampleIndex                 constant v1.x
    floats                            17 digits        all digits: `literals.Library`

Source: 373 listings beside the programs they were made from; public listings of 6.3 and comments in
public assemblers (dcl_input_ps_sgv).
"""

from __future__ import annotations

from dataclasses import dataclass

from ....vocab import fxc
from .literals import Library


@dataclass(frozen=True, slots=True)
class Style:
    """How a program is printed; the default is what the newest fxc prints.

    With `exact` every number has the digits that lead back to it. That is half of the dialect of
    that name; the other half, in exact.py, is about what is no number.
    """

    capital_buffers: bool = True  # CB0 in dcl_constantbuffer before Shader Model 5.1
    structured_blank: bool = False  # a blank ends dcl_resource_structured
    sgv_interpolation: bool = True  # dcl_input_ps_sgv states its interpolation
    library: Library = Library.UCRT_19041
    exact: bool = False

    @classmethod
    def for_creator(
        cls,
        creator: str | None,
        model: tuple[int, int] = (5, 0),
        *,
        library: Library | None = None,
    ) -> Style:
        """The style of the listing of a program of `model` that `creator` compiled.

        The creator is what a container names (RDEF), None where it names none: then the
        disassembler of the day printed the listing. `library` is for those who know it; nothing in
        a container tells.
        """
        found = fxc.version(creator)
        version = found or (10, 1)
        if library is None:
            if version < (10, 0):
                library = Library.COMPILER_46 if version >= (9, 0) else Library.MSVCRT
            elif found or model >= (5, 1):
                library = Library.UCRT_19041
            else:
                # DirectXTK's listings of Shader Model 4 round 0.0078125 up, DirectXTK12's of 5.1
                # down: programs without a creator that are older than 5.1 come with older listings.
                library = Library.UCRT
        old = version < (10, 0)
        return cls(
            capital_buffers=not old,
            structured_blank=old,
            sgv_interpolation=not old,
            library=library,
        )
