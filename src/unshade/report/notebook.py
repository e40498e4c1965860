"""The pages of shaders and differences in a notebook: a frame with the page as its content.

The frame is a sandbox: its scripts reach nothing of the notebook, and the page's policy allows them
to load nothing. If the page is too large, or Jinja2 is not installed, screens/notebook.py makes the
HTML; viewers that remove frames show the summary.
"""

from collections.abc import Callable, Sequence
from html import escape
from typing import TYPE_CHECKING

from ..errors import UnshadeError
from ..overview import info
from ..screens import html, notebook
from ..screens.blocks import Block
from ..screens.info import screen

if TYPE_CHECKING:
    from ..analysis.diff import Diff
    from ..shader import Shader

__all__ = ["LARGEST", "diff", "shader"]

LARGEST = 300_000  # characters: a notebook keeps all that it was ever shown
HEIGHT = 640  # pixels


def shader(shown: "Shader") -> str:
    """A shader: its page in a frame, and the output of `unshade info`, folded below it."""

    def content() -> str:
        from .page import page

        return page(shown, shown.format)

    title, *summary = screen(shown.format, info(shown))
    found = _framed(content, [title], summary, "page of the shader")
    return notebook.shader(shown) if found is None else found


def diff(shown: "Diff") -> str:
    """A difference: its page in a frame, and the output of `unshade diff`, folded below it."""
    shaders = getattr(shown, "shaders", None)
    if not shown or shaders is None:  # made of plain data
        return notebook.diff(shown)

    def content() -> str:
        from .difference import difference_page

        before, after = shaders
        return difference_page(before, after, ("before", "after"), shown)

    title, *summary = notebook.difference(shown)
    found = _framed(content, [title], summary, "page of the difference")
    return notebook.diff(shown) if found is None else found


def _framed(
    content: Callable[[], str], head: Sequence[Block], summary: Sequence[Block], title: str
) -> str | None:
    """Return a page in a frame, between a head and a summary; None if it is not to be shown."""
    from .assembly import need_jinja

    try:
        need_jinja()
        page = escape(content())
    except UnshadeError:  # no Jinja2; or fields that cannot be listed
        return None
    made = html.document(
        html.render(head),
        f'<iframe sandbox="allow-scripts" title="{title}" width="100%" height="{HEIGHT}"'
        f' srcdoc="{page}"></iframe>',
        html.folded("Summary", html.render(summary)),
    )
    return made if len(made) <= LARGEST else None
