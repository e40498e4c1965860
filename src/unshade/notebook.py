"""Objects that notebooks show as HTML, through IPython's `_repr_html_` protocol.

The HTML is made by screens/notebook.py, screens/execution.py and report/notebook.py, which are
imported when a notebook asks for it.
"""

from importlib import import_module
from typing import ClassVar

__all__ = ["Shown"]


class Shown:
    """Base of objects that notebooks show as HTML."""

    __slots__ = ()
    drawn_in: ClassVar[str] = ".screens.notebook"  # the module of the function
    drawn_by: ClassVar[str]  # its name

    def _repr_html_(self) -> str:
        """Return the object as HTML: escaped, loading nothing, scripts in a sandbox alone."""

        found: str = getattr(import_module(self.drawn_in, __package__), self.drawn_by)(self)
        return found
