"""Documentation page about VBC: the records, and the data that modules contain."""

from tools.pages.markdown import filled, indented
from tools.pages.records import markdown
from unshade.formats.vbc import layout, listing, older, packing, records, vslc
from unshade.formats.vbc.vslc import slots

__all__ = ["page"]


def page() -> str:
    """Return the page with its tables filled in."""
    return filled(
        __file__,
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
