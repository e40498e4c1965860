"""What differs between the generations of the listing that fxc and D3DDisassemble print.

                                        9.29, 9.30   10.x and the disassembler without a creator
    dcl_constantbuffer                  cb0[4]       CB0[4]
    dcl_resource_structured t0, 16      + a blank
    dcl_input_ps_sgv v1.x, sampleIndex               constant v1.x
    infinity                            1.#INF0000   1.#INF00
    digits of floats                    17, halves away from zero; newer 10.x: all, halves to even

Source: 373 listings beside the programs they were made from, and comments in public assemblers that
read such listings (dcl_input_ps_sgv, infinity).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .operands import Operand

# (operand, its letter in the table of operations, its native text) -> the text to print
Escape = Callable[["Operand", str, str], str]


@dataclass(frozen=True, slots=True)
class Style:
    """How a program is printed; the default is what the newest fxc prints.

    `escape` may replace the text of any operand, nested ones first: this is how a dialect says what
    the native text loses. It is called once for each different operand and its answer remembered,
    so it must go by its arguments alone.
    """

    capital_buffers: bool = True  # CB0 in dcl_constantbuffer before Shader Model 5.1
    structured_blank: bool = False  # a blank ends dcl_resource_structured
    sgv_interpolation: bool = True  # dcl_input_ps_sgv states its interpolation
    exact_floats: bool = True  # all digits, ties to even; else 17 digits, ties away from zero
    special_digits: int = 6  # places that infinity and NaN fill behind the point
    escape: Escape | None = None

    @classmethod
    def for_creator(cls, creator: str | None, *, exact_floats: bool | None = None) -> Style:
        """The style of the tool that a container names as its creator (RDEF); None where none is.

        The creator does not tell which run-time library stood behind the listing; `exact_floats`
        does, for who knows.
        """
        found = re.search(r"Compiler (\d+)\.(\d+)", creator or "")
        old = found is not None and (int(found[1]), int(found[2])) < (10, 0)
        if exact_floats is None:
            exact_floats = found is not None and not old
        return cls(
            capital_buffers=not old,
            structured_blank=old,
            sgv_interpolation=not old,
            exact_floats=exact_floats,
            special_digits=8 if old else 6,
        )
