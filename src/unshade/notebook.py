"""Objects that notebooks show as HTML, through IPython's `_repr_html_` protocol.

The HTML is made by screens/notebook.py, which is imported when a notebook asks for it.
"""

from importlib import import_module
from typing import ClassVar

__all__ = ["Shown"]


class Shown:
    """Base of objects that notebooks show as HTML."""

    __slots__ = ()
    drawn_by: ClassVar[str]  # name of a function of screens/notebook.py

    def _repr_html_(self) -> str:
        """Return the object as HTML: escaped, without scripts or external resources."""

        found: str = getattr(import_module(".screens.notebook", __package__), self.drawn_by)(self)
        return found
