"""Numbers of DWARF in debug information, and their names in LLVM's text without `DW_TAG_` etc.

Source: the DWARF 4 standard, section 7; LLVM 3.7 Dwarf.def for extensions, DebugInfoFlags.def for
flags.
"""

__all__ = ["ENCODINGS", "FLAGS", "LANGUAGES", "OPERATIONS", "TAGS", "VIRTUALITIES"]


def _names(prefix: str, text: str) -> dict[int, str]:
    """Return names by number; a row is the first of consecutive numbers, and their names."""
    found = {}
    for line in text.strip().splitlines():
        first, *names = line.split()
        for number, name in enumerate(names, int(first, 16)):
            found[number] = prefix + name
    return found


TAGS = _names(
    "DW_TAG_",
    """
    01   array_type class_type entry_point enumeration_type formal_parameter
    08   imported_declaration
    0a   label lexical_block
    0d   member
    0f   pointer_type reference_type compile_unit string_type structure_type
    15   subroutine_type typedef union_type unspecified_parameters variant common_block
    1b   common_inclusion inheritance inlined_subroutine module ptr_to_member_type set_type
    21   subrange_type with_stmt access_declaration base_type catch_block const_type constant
    28   enumerator file_type friend namelist namelist_item packed_type subprogram
    2f   template_type_parameter template_value_parameter thrown_type try_block variant_part
    34   variable volatile_type dwarf_procedure restrict_type interface_type namespace
    3a   imported_module unspecified_type partial_unit imported_unit
    3f   condition shared_type type_unit rvalue_reference_type template_alias coarray_type
    45   generic_subrange dynamic_type
    100  auto_variable arg_variable
    4081 MIPS_loop
    4101 format_label function_template class_template
    4106 GNU_template_template_param GNU_template_parameter_pack GNU_formal_parameter_pack
    4200 APPLE_property
    """,
)
LANGUAGES = _names(
    "DW_LANG_",
    """
    01   C89 C Ada83 C_plus_plus Cobol74 Cobol85 Fortran77 Fortran90 Pascal83 Modula2 Java C99
    0d   Ada95 Fortran95 PLI ObjC ObjC_plus_plus UPC D Python OpenCL Go Modula3 Haskell
    19   C_plus_plus_03 C_plus_plus_11 OCaml Rust C11 Swift Julia Dylan C_plus_plus_14
    22   Fortran03 Fortran08
    8001 Mips_Assembler
    """,
)
ENCODINGS = _names(
    "DW_ATE_",
    """
    01 address boolean complex_float float signed signed_char unsigned unsigned_char
    09 imaginary_float packed_decimal numeric_string edited signed_fixed unsigned_fixed
    0f decimal_float UTF
    """,
)
VIRTUALITIES = _names("DW_VIRTUALITY_", "00 none virtual pure_virtual")
# Those that an expression of LLVM 3.7 may have, with the number of their arguments.
OPERATIONS = {0x06: ("DW_OP_deref", 0), 0x22: ("DW_OP_plus", 1), 0x9D: ("DW_OP_bit_piece", 2)}
BIT_PIECE = 0x9D

ACCESS = {1: "DIFlagPrivate", 2: "DIFlagProtected", 3: "DIFlagPublic"}
FLAGS = {
    1 << bit: f"DIFlag{name}"
    for bit, name in enumerate(
        [
            "FwdDecl",
            "AppleBlock",
            "BlockByrefStruct",
            "Virtual",
            "Artificial",
            "Explicit",
            "Prototyped",
            "ObjcClassComplete",
            "ObjectPointer",
            "Vector",
            "StaticMember",
            "LValueReference",
            "RValueReference",
        ],
        2,
    )
}
