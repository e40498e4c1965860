"""The description of VBC files, for the registry and the command line."""

from ...format import Format, ListingLanguage

VBC = Format(
    "vbc",
    b"VBC",
    "unshade.formats.vbc.shader:Vbc",
    suffix=".vbc",
    pipelines="vulkan",
    says=r"; VBC version=",
    example="; VBC version=1 type=GRAPHICS",
    texts=(".vbcasm",),
    donors=False,
    options_of="spirv",
    tool="spirv-as",
    text="SPIR-V assembly with the reflection of a VBC file",
    languages=(
        ListingLanguage(
            "vbc",
            "VBC (SPIR-V assembly with reflection)",
            "unshade.programs.spirv.lexer:LEXER",
            r"; (?:unshade vbc |VBC version=)",
            aliases=("vbcasm",),
            files=("*.vbcasm",),
        ),
    ),
    packs=("spirv",),
    strips=(
        ("debug", "names, lines, sources and other debug information of the modules"),
        ("reflection", "names of the uniform block's members"),
    ),
)
