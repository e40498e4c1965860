"""Comments in picasso source that the assembler interprets, and names in quotation marks.

; picasso -n                  first line: insert no nop, all are written
; unshade shbin exact 1       first line: the exact dialect
; ==== file 0.v.pica          a file of that name begins here
"""

import json

from ....dialect import Heading

__all__ = ["EXACT", "SEPARATOR", "WITHOUT_NOPS", "quoted"]

EXACT = Heading("shbin", "exact", 1)
WITHOUT_NOPS = "; picasso -n"
SEPARATOR = "; ==== file "


def quoted(text: str) -> str:
    """Return a name in quotation marks."""
    return json.dumps(text).replace(";", "\\u003b")
