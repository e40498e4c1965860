"""The documentation's page about MSF files."""
# ruff: noqa: E501

from ...isa.markdown import drawing
from ...wire.schema import markdown
from . import blocks

HEAD = """# MSF 7.00, the PDBs of dxc

dxc writes debug information to a PDB, which is an MSF file: a file system of numbered streams in blocks. One stream, the sixth, is a [DirectX container](dxcontainer.md) with the program (`ILDB`), the sources (`SRCI`) and the compiler's arguments. `unshade` opens it through the registry of formats: `info`, `reflect` and `dis` show the container inside, `to-yaml` shows every field of both, `verify` checks both, and `extract --sources` writes the sources.
"""


def page() -> str:
    """Return the page."""
    kinds = (blocks.SuperBlock, blocks.PdbStream, blocks.NamedStream)
    records = [markdown(each) for each in kinds]
    return "\n".join([HEAD, "## The file", "", drawing(blocks.__doc__), *records]).rstrip() + "\n"
