"""The listing of a container with DXIL, as `dxc -dumpbin` 1.10 prints it.

    ; Note: shader requires additional functionality: …   header        SFI0
    ; Input signature: …                                  signatures    ISG1, OSG1, PSG1
    ; shader hash: …                                      header        ILDN, HASH
    ; Pipeline Runtime Information: …                     runtime       PSV0
    ; Input signature: …                                  signatures    metadata of the program
    ; Buffer Definitions: …                               buffers       metadata of STAT
    ; Resource Bindings: …                                bindings      metadata of STAT
    ; ViewId state: …                                     viewid        metadata of STAT
    ; Subobjects: …                                       subobjects    RDAT
    target datalayout = …                                 programs.dxil.text

The program is that with debug information (ILDB) if it does what DXIL does, else DXIL (choice.py).
(The exact dialect has DXIL, if there is one.) Metadata of the program takes the place of STAT if
there is none, or if it belongs to another program. A part that is missing or malformed is left out,
unless it is the program.
"""

from .listing import disassemble, first_part

__all__ = ["disassemble", "first_part"]
