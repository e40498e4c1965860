"""The descriptions of SHBIN files, and of the objects (DVOJ) that they are linked from, for the
registry and the command line.
"""

from ...format import Format, ListingLanguage, Option

COUNTS = (
    "instructions", "temp_registers", "moves", "emits", "static_flow_control",
    "dynamic_flow_control", "array_instructions",
)  # fmt: skip

STATEMENT = r"\.(?i:proc|out|in|gsh|constf|consti|constfa|[fi]vec|bool|alias|nodvle|entry)\b"

SHBIN = Format(
    "shbin",
    b"DVLB",
    "unshade.formats.shbin.shader:Shbin",
    suffix=".shbin",
    pipelines="pica200",
    says=STATEMENT,
    example=".proc main",
    holds=("pica",),
    texts=(".pica", ".asm"),
    piece=r"\.[vg]\.pica",
    joins=True,
    donors=False,
    tool="picasso",
    commands=(("picasso", "asm"),),
    text="picasso source",
    languages=(
        ListingLanguage(
            "picasso",
            "PICA200 assembly (picasso)",
            "unshade.programs.pica.lexer:LEXER",
            rf"; (?:unshade (?:shbin|pica) |picasso\b)|{STATEMENT}",
            aliases=("pica", "pica200"),
            files=("*.pica",),
            explanation="unshade.programs.pica.explanation",
        ),
    ),
    phrases=((".proc ", "picasso source, for `unshade asm --format shbin`"),),
    assembler=(
        Option("nops", "Do not insert nops at ends of blocks, like picasso -n.", value=False),
    ),
    counts=COUNTS,
    strips=(("reflection", "names of uniforms"),),
)

DVOJ = Format(
    "dvoj",
    b"DVOJ",
    "unshade.formats.shbin.dvoj:DvojShader",
    others=(b"DVOB",),
    suffix=".dvoj",
    counts=COUNTS,
    links_to="shbin",
)
