# ruff: noqa: E501
"""Blocks and records of LLVM 3.7 bitcode, by number.

`BLOCKS[id].records[code]` contains the name of a record, and names for its operands. In the list of
operands, `name*` is all remaining operands, `name$` the same as text.

Source: public LLVM 3.7 (LLVMBitCodes.h).
"""

from collections.abc import Mapping

from ....tuples import NamedTuple
from .debuginfo import DEBUG_ROWS

__all__ = ["BLOCKS", "BlockRow", "RecordRow"]


class RecordRow(NamedTuple):
    """A kind of record: its code, its name, the names of its operands."""

    code: int
    name: str
    operands: tuple[str, ...] = ()


class BlockRow(NamedTuple):
    """A kind of block: its id, its name, its records by code."""

    id: int
    name: str
    records: Mapping[int, RecordRow]


def _block(id: int, name: str, lines: str) -> BlockRow:
    rows = []
    for line in lines.strip().splitlines():
        code, record, *operands = line.split()
        rows.append(RecordRow(int(code), record, tuple(operands)))
    return BlockRow(id, name, {row.code: row for row in rows})


def _debug_lines() -> str:
    return "\n".join(
        f"{row.code} {row.name} distinct {' '.join(row.names)} {'elements*' if row.rest else ''}"
        for row in DEBUG_ROWS.values()
    )


MODULE, PARAMATTR, PARAMATTR_GROUP, CONSTANTS, FUNCTION = 8, 9, 10, 11, 12
SYMBOLS, METADATA, ATTACHMENTS, TYPES, USE_LISTS = 14, 15, 16, 17, 18

BLOCKS = {
    row.id: row
    for row in (
        _block(0, "BLOCKINFO", """
             1 SETBID        block
             2 BLOCKNAME     name$
             3 SETRECORDNAME code name$
        """),
        _block(MODULE, "MODULE_BLOCK", """
             1 VERSION     version
             2 TRIPLE      text$
             3 DATALAYOUT  text$
             4 ASM         text$
             5 SECTIONNAME text$
             6 DEPLIB      text$
             7 GLOBALVAR   type flags initializer linkage alignment section visibility thread_local unnamed_addr externally_initialized dll_storage comdat
             8 FUNCTION    type calling_convention is_declaration linkage attributes alignment section visibility gc unnamed_addr prologue dll_storage comdat prefix personality
             9 ALIAS       type aliasee linkage visibility dll_storage thread_local unnamed_addr
            10 PURGEVALS   count
            11 GCNAME      text$
            12 COMDAT      selection size name$
        """),
        _block(PARAMATTR, "PARAMATTR_BLOCK", """
             1 ENTRY_OLD attributes*
             2 ENTRY     groups*
        """),
        _block(PARAMATTR_GROUP, "PARAMATTR_GROUP_BLOCK", """
             3 ENTRY id index attributes*
        """),
        _block(CONSTANTS, "CONSTANTS_BLOCK", """
             1 SETTYPE         type
             2 NULL
             3 UNDEF
             4 INTEGER         value
             5 WIDE_INTEGER    words*
             6 FLOAT           bits*
             7 AGGREGATE       elements*
             8 STRING          text$
             9 CSTRING         text$
            10 CE_BINOP        operation left right flags
            11 CE_CAST         operation type value
            12 CE_GEP          operands*
            13 CE_SELECT       condition true_value false_value
            14 CE_EXTRACTELT   type vector index_type index
            15 CE_INSERTELT    vector element index_type index
            16 CE_SHUFFLEVEC   left right mask
            17 CE_CMP          type left right predicate
            18 INLINEASM_OLD   operands*
            19 CE_SHUFVEC_EX   type left right mask
            20 CE_INBOUNDS_GEP operands*
            21 BLOCKADDRESS    type function block
            22 DATA            elements*
            23 INLINEASM       operands*
        """),
        _block(FUNCTION, "FUNCTION_BLOCK", """
             1 DECLAREBLOCKS     count
             2 INST_BINOP        operands*
             3 INST_CAST         operands*
             4 INST_GEP_OLD      operands*
             5 INST_SELECT       operands*
             6 INST_EXTRACTELT   operands*
             7 INST_INSERTELT    operands*
             8 INST_SHUFFLEVEC   operands*
             9 INST_CMP          operands*
            10 INST_RET          operands*
            11 INST_BR           target false_target condition
            12 INST_SWITCH       type condition default cases*
            13 INST_INVOKE       attributes convention normal unwind operands*
            15 INST_UNREACHABLE
            16 INST_PHI          type incoming*
            19 INST_ALLOCA       type count_type count alignment
            20 INST_LOAD         operands*
            23 INST_VAARG        list_type list type
            24 INST_STORE_OLD    operands*
            26 INST_EXTRACTVAL   operands*
            27 INST_INSERTVAL    operands*
            28 INST_CMP2         operands*
            29 INST_VSELECT      operands*
            30 INST_INBOUNDS_GEP_OLD operands*
            31 INST_INDIRECTBR   type address targets*
            33 DEBUG_LOC_AGAIN
            34 INST_CALL         attributes convention type operands*
            35 DEBUG_LOC         line column scope inlined_at
            36 INST_FENCE        ordering scope
            37 INST_CMPXCHG_OLD  operands*
            38 INST_ATOMICRMW    operands*
            39 INST_RESUME       operands*
            40 INST_LANDINGPAD_OLD operands*
            41 INST_LOADATOMIC   operands*
            42 INST_STOREATOMIC_OLD operands*
            43 INST_GEP          inbounds type operands*
            44 INST_STORE        operands*
            45 INST_STOREATOMIC  operands*
            46 INST_CMPXCHG      operands*
            47 INST_LANDINGPAD   operands*
        """),
        _block(SYMBOLS, "VALUE_SYMTAB", """
             1 ENTRY   value name$
             2 BBENTRY block name$
        """),
        _block(METADATA, "METADATA_BLOCK", f"""
             1 STRING        text$
             2 VALUE         type value
             3 NODE          elements*
             4 NAME          text$
             5 DISTINCT_NODE elements*
             6 KIND          number name$
             8 OLD_NODE      operands*
             9 OLD_FN_NODE   operands*
            10 NAMED_NODE    nodes*
            {_debug_lines()}
        """),
        _block(ATTACHMENTS, "METADATA_ATTACHMENT", """
            11 ATTACHMENT operands*
        """),
        _block(TYPES, "TYPE_BLOCK", """
             1 NUMENTRY     count
             2 VOID
             3 FLOAT
             4 DOUBLE
             5 LABEL
             6 OPAQUE       packed
             7 INTEGER      width
             8 POINTER      pointee space
             9 FUNCTION_OLD vararg attributes result parameters*
            10 HALF
            11 ARRAY        count element
            12 VECTOR       count element
            13 X86_FP80
            14 FP128
            15 PPC_FP128
            16 METADATA
            17 X86_MMX
            18 STRUCT_ANON  packed elements*
            19 STRUCT_NAME  text$
            20 STRUCT_NAMED packed elements*
            21 FUNCTION     vararg result parameters*
        """),
        _block(USE_LISTS, "USELIST_BLOCK", """
             1 DEFAULT indexes*
             2 BB      indexes*
        """),
    )
}  # fmt: skip
