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

The listed program is ILDB, which has debug information, if it computes the same as DXIL; otherwise
DXIL (choice.py). The exact dialect lists DXIL, if there is one. If STAT is missing, or belongs to
another program, metadata of the listed program is used. Other parts that are missing or malformed
are left out.
"""

from .listing import disassemble, first_part

__all__ = ["disassemble", "first_part"]
