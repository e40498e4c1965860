"""The bitstream container of LLVM: blocks, records and abbreviations, to the bit.

    Bitstream ── BitBlock(id, width) ── items: BitRecord(code, operands, abbreviation)
                                              AbbreviationDefinition
                                              BitBlock …

`read` and `write` are inverse: an unchanged tree yields the identical bits. Records may be edited,
inserted and removed; a record that no longer fits its abbreviation is written without it.

Source: LLVM's public document "LLVM Bitcode File Format" (DXC docs/BitCodeFormat.rst).
"""

from .abbreviation import Abbreviation, Encoding
from .items import ANY, UNABBREVIATED, AbbreviationDefinition, BitBlock, BitRecord, Bitstream
from .reader import read
from .writer import Extent, write

__all__ = [
    "ANY",
    "UNABBREVIATED",
    "Abbreviation",
    "AbbreviationDefinition",
    "BitBlock",
    "BitRecord",
    "Bitstream",
    "Encoding",
    "Extent",
    "read",
    "write",
]
