"""How objects show themselves in notebooks: IPython asks an object for `_repr_html_`.

What draws them stands far above them (screens/notebook.py) and is imported when a notebook asks, so
that the core stays as small as it is.
"""

from importlib import import_module
from typing import ClassVar

__all__ = ["Shown"]


class Shown:
    """An object that notebooks show as HTML."""

    __slots__ = ()
    drawn_by: ClassVar[str]  # the function of screens/notebook.py

    def _repr_html_(self) -> str:
        """Return the object as HTML: escaped, without a script or anything to be loaded."""
        found: str = getattr(import_module(".screens.notebook", __package__), self.drawn_by)(self)
        return found
