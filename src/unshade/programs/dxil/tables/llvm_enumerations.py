"""Numbers in records of LLVM 3.7 and their names in its text.

Source: public LLVM 3.7 (LLVMBitCodes.h, BitcodeReader.cpp, the language reference).
"""

__all__ = [
    "ATOMIC_OPERATIONS",
    "ATTRIBUTES",
    "BINARY_NUMBERS",
    "BINARY_OPERATIONS",
    "CALLING_CONVENTIONS",
    "CASTS",
    "CAST_NUMBERS",
    "FAST_MATH",
    "FLOAT_OPERATIONS",
    "LINKAGES",
    "ORDERINGS",
    "PREDICATES",
    "VISIBILITIES",
]


class NumberNames(dict[int, str]):
    """Names by number; an unnamed number is called by its digits."""

    def __missing__(self, number: int) -> str:
        return f"unknown_{number}"


def _names(text: str, first: int = 0) -> NumberNames:
    return NumberNames(enumerate(text.split(), first))


BINARY_OPERATIONS = _names("add sub mul udiv sdiv urem srem shl lshr ashr and or xor")
FLOAT_OPERATIONS = NumberNames({0: "fadd", 1: "fsub", 2: "fmul", 4: "fdiv", 6: "frem"})
CASTS = _names(
    "trunc zext sext fptoui fptosi uitofp sitofp fptrunc fpext ptrtoint inttoptr bitcast "
    "addrspacecast"
)
BINARY_NUMBERS = {
    name: number
    for table in (BINARY_OPERATIONS, FLOAT_OPERATIONS)
    for number, name in table.items()
}
CAST_NUMBERS = {name: number for number, name in CASTS.items()}
PREDICATES = _names("false oeq ogt oge olt ole one ord uno ueq ugt uge ult ule une true")
PREDICATES.update(_names("eq ne ugt uge ult ule sgt sge slt sle", 32))
ATOMIC_OPERATIONS = _names("xchg add sub and nand or xor max min umax umin")
ORDERINGS = _names("notatomic unordered monotonic acquire release acq_rel seq_cst")
FAST_MATH = {1: "fast", 2: "nnan", 4: "ninf", 8: "nsz", 16: "arcp"}

# Empty: not printed. 1, 4, 10, 11 are what older writers wrote for 16, 18, 17, 19; 5 and 6 imply a
# storage class; 13, 14 are older kinds of private.
LINKAGES = NumberNames({
    0: "",
    1: "weak",
    2: "appending",
    3: "internal",
    4: "linkonce",
    5: "",
    6: "",
    7: "extern_weak",
    8: "common",
    9: "private",
    10: "weak_odr",
    11: "linkonce_odr",
    12: "available_externally",
    13: "private",
    14: "private",
    15: "",
    16: "weak",
    17: "weak_odr",
    18: "linkonce",
    19: "linkonce_odr",
})  # fmt: skip
VISIBILITIES = NumberNames({0: "", 1: "hidden", 2: "protected"})
CALLING_CONVENTIONS = {0: "", 8: "fastcc", 9: "coldcc"}

ATTRIBUTES = _names(
    "align alwaysinline byval inlinehint inreg minsize naked nest noalias nobuiltin nocapture "
    "noduplicate noimplicitfloat noinline nonlazybind noredzone noreturn nounwind optsize "
    "readnone readonly returned returns_twice signext alignstack ssp sspreq sspstrong sret "
    "sanitize_address sanitize_thread sanitize_memory uwtable zeroext builtin cold optnone "
    "inalloca nonnull jumptable dereferenceable dereferenceable_or_null convergent safestack "
    "argmemonly",
    1,
)
