"""Pages of templates, styles and scripts in assets/: one HTML file that loads nothing.

style       the style of screens/html.py, then assets/NAME.css
code        assets/NAME.css that only scripts need, NUL, assets/NAME.js in the given order, as one
            classic script; gzip in base64: they are two thirds of the page of a small shader
script      assets/boot.js, which runs the code

The page's Content-Security-Policy contains the hashes of both and allows no other script.
"""

import gzip
import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from pkgutil import get_data
from typing import TYPE_CHECKING

from ..errors import not_installed
from ..screens import html

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

__all__ = ["fragment", "markup", "need_jinja", "rendered", "text_markup"]

STYLE = re.compile(r"""("[^"]*"|'[^']*')|/\*.*?\*/|\s*([{};,])\s*|(:)\s+|\s+""", re.DOTALL)
COMMENTS = re.compile(
    r"""^[ \t]*//[^\n]*\n|(?<=[;,{})\]])[ ]+//[ ][^"'`\n]*$|/\*\*.*?\*/\s*|^\s+""",
    re.MULTILINE | re.DOTALL,
)


def rendered(
    template: str,
    scripts: tuple[str, ...],
    styles: tuple[str, ...],
    late_styles: tuple[str, ...] = (),
    *,
    connects: bool = False,
    **values: object,
) -> str:
    """Return the page of a template; with `connects`, its scripts may send requests to its server.

    It gets `policy`, `style` and `values`, and `scripts`: the elements of the scripts, which also
    contain `late_styles`.
    """
    boot, code = _script(("boot",)), _script(scripts)
    style, late = html.style() + _style(styles), _style(late_styles)
    page = _environment().get_template(template)
    packed = b64encode(gzip.compress(f"{late}\0{code}".encode(), 9, mtime=0)).decode()
    elements = (
        f'<script type="application/octet-stream" id="code">{packed}</script>\n'
        f"<script>{boot}</script>"
    )
    policy = _policy(boot, code) + "; connect-src 'self'" * connects
    return page.render(
        policy=policy, style=markup(_short(style)), scripts=markup(elements), **values
    )


def fragment(template: str, **values: object) -> str:
    """Return a part of a page, made from a separate template."""
    return _environment().get_template(template).render(**values)


def need_jinja() -> None:
    """Raise UnsupportedError if pages cannot be made, before anything is made."""
    _environment()


def markup(text: str) -> "Markup":
    """Mark text as HTML, which templates do not escape."""
    need_jinja()  # without it there may be no MarkupSafe either
    from markupsafe import Markup

    return Markup(text)


def text_markup(text: str) -> "Markup":
    """Mark text as the content of an element: of all that templates escape, only & and < matter."""
    return markup(text.replace("&", "&amp;").replace("<", "&lt;"))


def _policy(*scripts: str) -> str:
    digests = (b64encode(sha256(each.encode()).digest()).decode() for each in scripts)
    allowed = " ".join(f"'sha256-{each}'" for each in digests)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline';"
        " img-src data:; base-uri 'none'; form-action 'none'"
    )


@cache
def _style(names: tuple[str, ...]) -> str:
    """Return rules without comments and blanks."""
    return _short("".join(_asset(f"{name}.css") for name in names))


def _short(text: str) -> str:
    return STYLE.sub(
        lambda found: found[1] or found[2] or found[3] or " " * found[0].isspace(), text
    )


@cache
def _script(names: tuple[str, ...]) -> str:
    pieces = [_asset(f"{name}.js").replace('"use strict";\n', "", 1) for name in names]
    return '"use strict";\n' + COMMENTS.sub("", "".join(pieces))


@cache
def _asset(name: str) -> str:
    data = get_data(__package__, f"assets/{name}")
    assert data is not None
    return data.decode("utf-8")


@cache
def _environment() -> "Environment":
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError:
        raise not_installed("making a page", "Jinja2", "report") from None
    return Environment(
        loader=PackageLoader("unshade.report", "assets"), autoescape=True,
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
