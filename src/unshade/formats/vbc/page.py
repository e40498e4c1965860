"""Documentation page about VBC: the records, and what the modules say about them."""

from pkgutil import get_data

from ...isa.markdown import filled, indented
from ...wire.schema import markdown
from . import layout, listing, older, packing, records, vslc
from .vslc import slots

__all__ = ["page"]


def page() -> str:
    """Return page.md with its tables filled in."""
    text = (get_data(__package__, "page.md") or b"").decode()
    return filled(
        text,
        {
            "file": indented(records),
            "forms": indented(layout),
            "older": indented(older),
            "records": markdown(records.VbcFile).rstrip(),
            "contract": indented(vslc),
            "slots": indented(slots),
            "text": indented(listing),
            "packing": indented(packing),
        },
    )
