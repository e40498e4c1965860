"""The order of the pages, by task: what the sidebar of the site shows.

Names are those of the Markdown files under docs/, without suffix. The front page lists each task
with its sentence; `made` marks pages that the build itself writes.
"""

from typing import NamedTuple


class Section(NamedTuple):
    """A caption of the sidebar, a sentence on it for the front page, and its pages."""

    caption: str
    about: str
    pages: tuple[str, ...]


SECTIONS = (
    Section(
        "Start",
        "Open a shader, read it, repair it; the same from Python; a test in ten lines.",
        ("tutorial", "tutorial-patch", "testing", "made/gallery"),
    ),
    Section(
        "Read",
        "See what a file holds, byte for byte, and what its code says.",
        ("how-to/hexdump", "how-to/report", "how-to/decompile", "how-to/headers", "how-to/shbin",
         "how-to/spirv", "how-to/vbc", "how-to/sksl", "how-to/databases", "how-to/damaged",
         "how-to/notebooks", "how-to/colours"),
    ),
    Section(
        "Change",
        "Edit a listing, a field or an instruction, and write a file that loads.",
        ("how-to/edit", "how-to/assemble", "how-to/exact-dialect", "how-to/yaml",
         "how-to/instructions", "how-to/typing", "how-to/strip", "how-to/picasso",
         "how-to/translate", "how-to/compile", "how-to/reduce"),
    ),
    Section(
        "Check",
        "Compare shaders, and hold files to rules and budgets in CI.",
        ("how-to/verify-in-ci", "how-to/diff", "how-to/budgets", "how-to/pipelines",
         "how-to/audit", "how-to/cost", "how-to/prove"),
    ),
    Section("Run", "Execute compute over arrays, without a GPU.", ("how-to/run", "how-to/debug")),
    Section(
        "Draw",
        "Render pictures, meshes and whole frames.",
        ("how-to/render", "how-to/draw", "how-to/textures", "how-to/frames"),
    ),
    Section(
        "Find",
        "Find shaders in larger files, put them back, and query whole collections.",
        ("how-to/find", "how-to/catalogue", "how-to/catalogue-cluster"),
    ),
    Section(
        "Reference",
        "Commands, Python names, formats, figures.",
        ("cli", "api/index", "info", "functions", "status", "refusals", "promises", "security"),
    ),
    Section(
        "Formats",
        "Every record, bit and instruction, generated from the code.",
        ("formats/dxcontainer", "formats/tpf", "formats/dxil", "formats/d3d9", "formats/msf",
         "formats/sodb",
         "formats/shbin", "formats/pica", "formats/picasso", "formats/spirv", "spirv-validation",
         "formats/vbc", "formats/sksl", "formats/findings"),
    ),
    Section(
        "Design",
        "Why it is built as it is.",
        ("why/records", "why/formats", "why/programs", "why/instructions", "why/slots",
         "why/regions", "why/locations", "why/stages", "why/waves", "why/floats"),
    ),
    Section(
        "Project",
        "Changes, contributing, security, figures against peers.",
        ("all", "project/readme", "project/changelog", "project/contributing",
         "project/security", "project/examples", "project/benchmarks", "project/fuzz"),
    ),
)  # fmt: skip


def toctree(section: Section) -> str:
    """Return the hidden table of contents of a section, for the front page."""
    return "\n".join(
        [
            "```{toctree}", ":hidden:", ":titlesonly:", f":caption: {section.caption}", "",
            *section.pages, "```",
        ]
    )  # fmt: skip


def card(section: Section) -> str:
    """Return a section as an entry of the front page, with a link to its first page."""
    return f"- **[{section.caption}]({section.pages[0]}.md)**\n  {section.about}"
