"""Words that later versions of LLVM print, and their meaning in LLVM 3.7, the language of DXIL.

    source_filename, dso_local, local_unnamed_addr      nothing
    noundef, nofree, willreturn, memory(…), …           hints: nothing, or the attribute of 3.7
    nneg, disjoint, samesign, contract, …               permissions to optimise: nothing
    reassoc nnan ninf nsz arcp                          fast
    poison                                              undef
    fneg %x                                             fsub -0.0, %x
    freeze %x                                           %x
    llvm.lifetime.start.p0, llvm.memset.p0.i32          llvm.lifetime.start, llvm.memset.p0i8.i32
    ptr                                                 i8*, and a cast where another type is used
    target triple = "dxilv1.6-pc-shadermodel6.6-…"      "dxil-ms-dx", as clang writes it

    #dbg_value(…), call void @llvm.dbg.value of three   the call of four arguments
    define … !dbg !5, unit: !0                          fields of the nodes: function, subprograms

A word that is not listed is refused by name: it may have a meaning that DXIL cannot express.

Source: the language references of LLVM 3.7 and 19; llvm/lib/Target/DirectX/DXILWriter.
"""

import re

__all__ = [
    "ALL_OF_FAST", "DEBUG_WORDS", "DROPPED", "DROPPED_FIELDS", "FLAG_HINTS", "MEMORY",
    "PREEMPTION", "TRIPLE", "TYPED", "UNNAMED", "global_name", "memory_attributes",
]  # fmt: skip

PREEMPTION = ("dso_local", "dso_preemptable")
UNNAMED = ("unnamed_addr", "local_unnamed_addr")
TRIPLE = re.compile(r"dxil(?:v\d+\.\d+)?-[^-]*-shadermodel\d+\.\d+(?:-.*)?", re.ASCII)

# Flags of operations that allow an optimiser more, and change no result.
FLAG_HINTS = frozenset(
    ("reassoc", "contract", "afn", "nneg", "disjoint", "samesign", "nusw", "inrange")
)
ALL_OF_FAST = frozenset(("reassoc", "nnan", "ninf", "nsz", "arcp"))

# Attributes that promise something to an optimiser, or ask something of a code generator that no
# shader has; some have arguments in parentheses.
HINTS = (
    "allocalign allockind allocptr allocsize captures coro_only_destroy_when_complete "
    "dead_on_return dead_on_unwind disable_sanitizer_instrumentation elementtype "
    "fn_ret_thunk_extern hot hybrid_patchable immarg inaccessiblemem_or_argmemonly "
    "inaccessiblememonly initializes mustprogress nocallback nocf_check nocreateundeforpoison "
    "nodivergencesource nofpclass nofree nomerge noprofile norecurse no_sanitize_address "
    "no_sanitize_bounds no_sanitize_coverage no_sanitize_hwaddress nosync noundef "
    "null_pointer_is_valid optdebug optforfuzzing range sanitize_hwaddress sanitize_memtag "
    "sanitize_realtime shadowcallstack skipprofile speculatable speculative_load_hardening "
    "vscale_range willreturn writable writeonly"
)
DROPPED = frozenset(HINTS.split())
# Attributes of LLVM 3.7 that have a type or word in parentheses since.
TYPED = frozenset(("byval", "inalloca", "sret", "uwtable"))

# Words of debug information, with the numbers of LLVM 3.7.
DEBUG_WORDS = {
    "DW_OP_LLVM_fragment": 0x9D, "DW_OP_plus_uconst": 0x22,
    "NoDebug": 0, "FullDebug": 1, "LineTablesOnly": 2, "DebugDirectivesOnly": 2,
    **dict.fromkeys(
        ("DIFlagZero", "DIFlagAllCallsDescribed", "DIFlagEnumClass", "DIFlagExportSymbols",
         "DIFlagNonTrivial", "DIFlagNoReturn", "DIFlagThunk", "DIFlagTypePassByReference",
         "DIFlagTypePassByValue", "DISPFlagZero"), 0,
    ),
    "DISPFlagVirtual": 1, "DISPFlagPureVirtual": 2, "DISPFlagLocalToUnit": 4,
    "DISPFlagDefinition": 8, "DISPFlagOptimized": 16,
}  # fmt: skip
# Fields that LLVM 3.7 does not have, and whose absence leaves the others true.
DROPPED_FIELDS = {
    "DIBasicType": frozenset(("flags",)),
    "DICompileUnit": frozenset(
        ("debugInfoForProfiling", "nameTableKind", "rangesBaseAddress", "sdk",
         "splitDebugInlining", "sysroot")
    ),
    "DICompositeType": frozenset(("annotations",)),
    "DIDerivedType": frozenset(("annotations",)),
    "DIFile": frozenset(("checksum", "checksumkind", "source")),
    "DIGlobalVariable": frozenset(("align", "annotations")),
    "DILocalVariable": frozenset(("align", "annotations")),
    "DILocation": frozenset(("isImplicitCode",)),
    "DISubprogram": frozenset(("annotations", "targetFuncName", "thrownTypes")),
    "DITemplateTypeParameter": frozenset(("defaulted",)),
    "DITemplateValueParameter": frozenset(("defaulted",)),
}  # fmt: skip

MEMORY = "memory"
ARGUMENTS, OTHERS = "argmem", ("", "inaccessiblemem", "errnomem", "target_mem0", "target_mem1")


WITHOUT_TYPES = re.compile(r"(llvm\.(?:lifetime|invariant)\.(?:start|end))\.p\d+(?:i8)?", re.ASCII)
POINTER_IN_NAME = re.compile(r"\.(p\d+)(?=\.|$)", re.ASCII)


def global_name(name: str) -> str:
    """Return LLVM 3.7's name of an intrinsic function; other names are unchanged."""
    if not name.startswith("llvm."):
        return name
    found = WITHOUT_TYPES.fullmatch(name)
    return found[1] if found else POINTER_IN_NAME.sub(r".\1i8", name)


def memory_attributes(access: dict[str, str]) -> list[str]:
    """Return the attributes of LLVM 3.7 that `memory(…)` means.

    `access` maps kinds of memory to none, read, write or readwrite; "" is the default for other
    kinds.
    """
    default = access.get("", "none")
    arguments = access.get(ARGUMENTS, default)
    others = {access.get(kind, default) for kind in OTHERS}
    if others | {arguments} == {"none"}:
        return ["readnone"]
    found = ["argmemonly"] if others == {"none"} else []
    if others | {arguments} <= {"none", "read"}:
        found.append("readonly")
    return found
