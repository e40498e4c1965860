"""Comments in picasso source that the assembler interprets.

; picasso -n                  first line: insert no nop, all are written
; unshade shbin exact 1       first line: the exact dialect
; ==== file 0.v.pica          a file of that name begins here
"""

from ....dialect import Heading

__all__ = ["EXACT", "SEPARATOR", "WITHOUT_NOPS"]

EXACT = Heading("shbin", "exact", 1)
WITHOUT_NOPS = "; picasso -n"
SEPARATOR = "; ==== file "
