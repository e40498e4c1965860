"""The page of a shader in a notebook: a frame with the page as its content.

The frame is a sandbox: its scripts reach nothing of the notebook, and the page's policy allows them
to load nothing. Where the page is too large, or Jinja2 is not installed, the shader is shown as in
screens/notebook.py; viewers that remove frames show the summary.
"""

from html import escape
from typing import TYPE_CHECKING

from ..errors import UnshadeError
from ..overview import info
from ..screens import html, notebook
from ..screens.info import screen

if TYPE_CHECKING:
    from ..shader import Shader

__all__ = ["LARGEST", "shader"]

LARGEST = 300_000  # characters: a notebook keeps all that it was ever shown
HEIGHT = 640  # pixels


def shader(shown: "Shader") -> str:
    """A shader: its page in a frame, and the output of `unshade info`, folded below it."""
    from .assembly import need_jinja
    from .page import page

    try:
        need_jinja()
        content = escape(page(shown, shown.format))
    except UnshadeError:  # no Jinja2; or fields that cannot be listed
        return notebook.shader(shown)
    title, *summary = screen(shown.format, info(shown))
    made = html.document(
        html.render([title]),
        f'<iframe sandbox="allow-scripts" title="page of the shader" width="100%" height="{HEIGHT}"'
        f' srcdoc="{content}"></iframe>',
        html.folded("Summary", html.render(summary)),
    )
    return made if len(made) <= LARGEST else notebook.shader(shown)
