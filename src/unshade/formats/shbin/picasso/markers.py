"""Comments in picasso's sources that say something to whoever assembles them.

; picasso -n                  first line: every nop is written, none is to be put in
; unshade shbin exact 1       first line: the exact dialect
; ==== file 0.v.pica          from here on another file, of that name
"""

from ....dialect import Heading

__all__ = ["EXACT", "SEPARATOR", "WITHOUT_NOPS"]

EXACT = Heading("shbin", "exact", 1)
WITHOUT_NOPS = "; picasso -n"
SEPARATOR = "; ==== file "
