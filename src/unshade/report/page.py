"""The page of a shader: one HTML file with bytes, fields, listing and values.

    header      name, stage, size
    noscript    summary, listing, first bytes     all that is shown without JavaScript; with it,
                                                  text that the script takes the listing from
    bench       four panes, filled by the script
    block       columns (columns.py), gzip in base64
    script      assets/*.js, in the order of SCRIPTS; its hash stands in the page's policy

The page loads nothing and sends nothing: its Content-Security-Policy allows this script alone.
"""

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from pkgutil import get_data
from typing import TYPE_CHECKING

from ..errors import not_installed
from ..overview import info
from ..screens import html
from ..screens.blocks import ByteMap, Title
from ..screens.info import screen
from ..screens.reflection import headline
from ..screens.text import visible
from ..shader import Shader
from .columns import Columns
from .listing import CodeListing
from .tree import FieldTree

if TYPE_CHECKING:
    from jinja2 import Environment

    from ..run.debugging.debugger import Debugger

__all__ = ["page"]

SCRIPTS = (
    "block", "rows", "index", "state", "hex", "tree", "listing", "values", "search",
    "sections", "trace", "steps", "page",
)  # fmt: skip
APART = (ByteMap, Title)  # blocks of the summary that stand above the panes
COMMENTS = re.compile(r"^[ \t]*//[^\n]*\n|/\*\*.*?\*/\s*|^\s+", re.MULTILINE | re.DOTALL)
SHOWN = 4096  # bytes that are shown without JavaScript


def page(shader: Shader, name: str, debugger: "Debugger | None" = None) -> str:
    """Return the page of a shader.

    Args:
        shader: The shader.
        name: What the page calls it, the name of its file for example.
        debugger: A debugger of one of its programs, whose trace the page shows.

    Raises:
        UnshadeError: The shader's fields cannot be listed.
    """
    data = shader.to_bytes()
    columns = Columns()
    columns.raw("file", data)
    tree = FieldTree.of(shader.spans())
    listing = CodeListing.of(shader, tree)
    tree.write(columns)
    listing.write(columns)
    if debugger is not None:
        from .trace import write_trace

        write_trace(columns, debugger, listing)
    script = _script()
    found = info(shader)
    blocks = list(screen(name, found))
    about = headline(found.reflection) if found.reflection is not None else found.format
    return (
        _environment()
        .get_template("page.html.jinja")
        .render(
            name=visible(name),
            headline=f"{about}, {len(data):,} bytes",
            policy=_policy(script),
            style=_raw(
                html.style().removeprefix("<style>").removesuffix("</style>") + _asset("page.css")
            ),
            script=_raw(script),
            map=_raw(html.render(each for each in blocks if isinstance(each, ByteMap))),
            summary=_raw(html.render(each for each in blocks if not isinstance(each, APART))),
            listing="\n".join(listing.lines),
            bytes=_dump(data[:SHOWN]),
            block=_raw(columns.packed()),
        )
    )


def _dump(data: bytes) -> str:
    rows = range(0, len(data), 16)
    return "\n".join(f"{at:04x}  {data[at : at + 16].hex(' ')}" for at in rows)


def _policy(script: str) -> str:
    digest = b64encode(sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline';"
        " img-src data:; base-uri 'none'; form-action 'none'"
    )


@cache
def _script() -> str:
    pieces = [_asset(f"{name}.js").replace('"use strict";\n', "", 1) for name in SCRIPTS]
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
        raise not_installed("report pages", "Jinja2", "report") from None
    return Environment(
        loader=PackageLoader("unshade.report", "assets"), autoescape=True,
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip


def _raw(text: str) -> str:
    from markupsafe import Markup

    return Markup(text)
