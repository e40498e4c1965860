"""Documentation page about MSF files."""

from tools.pages.markdown import drawing, filled
from tools.pages.records import markdown
from unshade.formats.msf import blocks


def page() -> str:
    """Return the page with its tables filled in."""
    kinds = (blocks.SuperBlock, blocks.PdbStream, blocks.NamedStream)
    records = "\n".join(markdown(each) for each in kinds).rstrip()
    return filled(__file__, {"file": drawing(blocks.__doc__), "records": records})
