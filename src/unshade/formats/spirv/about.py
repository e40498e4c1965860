"""The description of SPIR-V modules, for the registry and the command line."""

from ...format import Format, ListingLanguage, Option

TARGETS = (
    "spv1.0", "spv1.1", "spv1.2", "spv1.3", "spv1.4", "spv1.5", "spv1.6",
    "vulkan1.0", "vulkan1.1", "vulkan1.1spv1.4", "vulkan1.2", "vulkan1.3", "vulkan1.4",
    "opencl1.2", "opencl1.2embedded", "opencl2.0", "opencl2.0embedded", "opencl2.1",
    "opencl2.1embedded", "opencl2.2", "opencl2.2embedded",
    "opengl4.0", "opengl4.1", "opengl4.2", "opengl4.3", "opengl4.5",
)  # fmt: skip

COUNTS = (
    "instructions", "float_instructions", "int_instructions", "uint_instructions",
    "bitwise_instructions", "conversions", "conditional_moves", "dynamic_flow_control", "barriers",
    "texture_samples", "texture_loads", "texture_comparisons", "texture_bias", "texture_gradients",
    "texture_gathers", "lods", "stores", "interlocked", "emits", "cuts",
)  # fmt: skip

FIRST = r"(?:; SPIR-V\b|(?:%\w+ *= *)?Op[A-Z][A-Za-z]+\b)"

SPIRV = Format(
    "spirv",
    b"\x03\x02\x23\x07",
    "unshade.formats.spirv.shader:SpirvModule",
    others=(b"\x07\x23\x02\x03",),  # big-endian
    suffix=".spv",
    sized=False,
    pipelines="vulkan",
    says=FIRST,
    example="OpCapability Shader",
    texts=(".spvasm",),
    donors=False,
    tool="spirv-as",
    commands=(
        ("spirv-dis", "dis"),
        ("spirv-as", "asm"),
        ("spirv-val", "verify"),
        ("spirv-diff", "diff"),
        ("spirv-reduce", "reduce"),
        ("spirv-opt", "strip --debug"),
        ("spirv-cross", "decompile or reflect"),
        ("spirv-reflect", "reflect"),
    ),
    text="SPIR-V assembly",
    languages=(
        ListingLanguage(
            "spirv",
            "SPIR-V assembly (spirv-dis)",
            "unshade.programs.spirv.lexer:LEXER",
            rf"; unshade spirv |{FIRST}",
            aliases=("spirv-dis", "spvasm"),
            files=("*.spvasm",),
            explanation="unshade.programs.spirv.explanation",
        ),
    ),
    listing=(
        Option("raw_id", "Print numbers instead of names for ids, like spirv-dis --raw-id."),
        Option("header", "Leave out the header, like spirv-dis --no-header.", value=False),
        Option("indent", "Do not align instructions, like spirv-dis --no-indent.", value=False),
        Option("offsets", "Print the offset of each instruction, like spirv-dis --offsets."),
        Option("comment", "Print headings and notes as comments, like spirv-dis --comment."),
        Option("nested_indent", "Indent by control flow, like spirv-dis --nested-indent."),
        Option("reorder_blocks", "Order blocks by control flow, like spirv-dis --reorder-blocks."),
    ),
    verifier=(
        Option("target", "Check the rules of a target environment, such as vulkan1.2.", TARGETS),
        # The names of `ValidatorOptions`, which are those of spirv-val.
        Option(
            "scalar_block_layout",
            "Do not allow scalar layout of blocks, like spirv-val without --scalar-block-layout.",
            value=False,
        ),
        *(
            Option(each, f"Like spirv-val --{each.replace('_', '-')}.")
            for each in (
                "relax_block_layout",
                "uniform_buffer_standard_layout",
                "workgroup_scalar_block_layout",
                "skip_block_layout",
                "relax_logical_pointer",
                "relax_struct_store",
                "before_hlsl_legalization",
                "allow_localsizeid",
                "allow_offset_texture_operand",
                "allow_vulkan_32_bit_bitwise",
            )
        ),
    ),
    assembler=(
        Option("preserve_numeric_ids", "Keep numbers as ids, like spirv-as."),
        Option(
            "target",
            "Target environment, such as vulkan1.2, which sets the version; by default that of the "
            "text's header, else 1.6.",
            TARGETS,
        ),
    ),
    counts=COUNTS,
    strips=(
        ("debug", "names, lines, sources and other debug information"),
        ("reflection", "semantics and types of the source"),
    ),
    reveals=((r"^generator$|\.module\.generator$", "compiler"),),
)
