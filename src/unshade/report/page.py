"""The page of a shader: one HTML file with bytes, fields, listing and values.

    header      name, stage, size
    noscript    summary, listing, first bytes     all that is shown without JavaScript; with it,
                                                  text that the script takes the listing from
    bench       four panes, filled by the script
    block       columns (columns.py), gzip in base64
    scripts     assets/*.js, in the order of SCRIPTS; scripts for traces or sources only if needed

The page loads nothing and sends nothing: its Content-Security-Policy allows its own scripts alone.
`shell` is the page that a server on this machine sends: it is empty, and its script asks that
server for the rest.
"""

from contextlib import suppress
from typing import TYPE_CHECKING

from ..errors import UnshadeError
from ..overview import Info, InfoFinding, findings_of, info
from ..screens import html
from ..screens.blocks import ByteMap, Title
from ..screens.info import screen
from ..screens.reflection import headline
from ..screens.text import visible
from ..shader import Shader
from .assembly import markup, rendered, text_markup
from .columns import Columns
from .flow import flow_of
from .layouts import layouts
from .listing import CodeListing
from .sources import write_sources
from .tree import FieldTree

if TYPE_CHECKING:
    from ..run.debugging.debugger import Debugger
    from ..run.raster import PixelHistory

__all__ = ["page", "shell", "traced"]

SCRIPTS = (
    "block", "elements", "rows", "index", "state", "card", "marks", "hex", "tree", "folds",
    "literals", "listing", "values", "search", "keys", "layouts", "flow", "sections",
)  # fmt: skip
TRACE_SCRIPTS = (  # of a page with recorded steps
    "trace", "walks", "conditions", "origin", "origin_pane", "plots", "places", "steps",
    "coverage", "lens",
)  # fmt: skip
SOURCE_SCRIPTS = ("source_words", "sources")  # of a page with source
LIVE_SCRIPTS = ("fields", "live", "controls")  # of a page that a server answers
APART = (ByteMap, Title)  # blocks of the summary that stand above the panes
SHOWN = 1024  # bytes that are shown without JavaScript


def page(
    shader: Shader,
    name: str,
    debugger: "Debugger | None" = None,
    history: "PixelHistory | None" = None,
    against: "Debugger | None" = None,
    index: str = "",
) -> str:
    """Return the page of a shader.

    Args:
        shader: The shader.
        name: The name on the page, such as the name of its file.
        debugger: A debugger of one of its programs, whose trace, coverage and lenses the page
            shows.
        history: The history of the debugger's pixel.
        against: A debugger of another version, whose trace is compared with the first one's.
        index: Link to the index of the folder that the shader is in; empty without one.

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
    write_sources(columns, shader, listing)
    records = ""
    if debugger is not None:
        records = _write_trace(columns, shader, listing, debugger, history, against)
    found = _checked(shader)
    columns.values["findings"] = [_finding(each, tree) for each in found.findings]
    if found.reflection is not None:
        columns.values["layouts"] = layouts(found.reflection)
    with suppress(UnshadeError):  # code that cannot be read has no flow
        columns.values["flow"] = flow_of(shader, listing)._asdict()
    blocks = list(screen(name, found))
    summary = html.render(each for each in blocks if not isinstance(each, APART))
    head, heading, rest = summary.partition("<h4")  # rows without a heading stand first
    about = headline(found.reflection) if found.reflection is not None else found.format
    more = [*(TRACE_SCRIPTS if debugger is not None else ())]
    more += ["against"] if "against" in columns.values else []
    more += SOURCE_SCRIPTS if "sources" in columns.values else ()
    return rendered(
        "page.html.jinja",
        (*SCRIPTS, *more, "page"),
        ("common", "bare"),
        ("page", *["trace"] * (debugger is not None)),
        name=visible(name),
        index=index,
        headline=f"{about}, {len(data):,} bytes",
        map=markup(html.render(each for each in blocks if isinstance(each, ByteMap))),
        summary=markup(head + records + heading + rest),
        listing=text_markup("\n".join(listing.lines)),
        bytes=_dump(data[:SHOWN]),
        block=markup(columns.packed()),
        live=False,
    )


def traced(
    shader: Shader,
    listing: CodeListing,
    debugger: "Debugger",
    history: "PixelHistory | None" = None,
    against: "Debugger | None" = None,
) -> tuple[Columns, str]:
    """Return the parts of `page` that a trace adds: columns and sections of the summary."""
    columns = Columns()
    listing.write(columns)
    return columns, _write_trace(columns, shader, listing, debugger, history, against)


def _write_trace(
    columns: Columns,
    shader: Shader,
    listing: CodeListing,
    debugger: "Debugger",
    history: "PixelHistory | None",
    against: "Debugger | None",
) -> str:
    """Add the results of a debugger to a block; return the sections of the summary about them."""
    from .trace import write_trace

    line_of = write_trace(columns, debugger, shader, listing)
    sections = ""
    if against is not None:
        from .against import against_section, write_against

        step = shader.programs[0].step
        write_against(columns, debugger, against, step, shader.lexer(), line_of)
        sections += against_section(debugger, against, step)
    if history is not None:
        from .history import history_section

        sections += history_section(history, debugger)
    return sections


def shell() -> str:
    """Return the page that a server sends to anybody: it names no file."""
    given = dict.fromkeys(("index", "headline", "map", "summary", "listing", "bytes", "block"), "")
    return rendered(
        "page.html.jinja",
        (*SCRIPTS, *TRACE_SCRIPTS, "against", *SOURCE_SCRIPTS, *LIVE_SCRIPTS, "page"),
        ("common", "bare"),
        ("page", "trace", "live"),
        connects=True,
        name="unshade",
        live=True,
        **given,
    )


def _checked(shader: Shader) -> Info:
    """Return the summary of a shader, with the findings of `verify`, which include reading's."""
    found = info(shader)
    with suppress(UnshadeError):  # those of reading stay
        found.findings = findings_of(shader.verify())
    return found


def _finding(found: InfoFinding, tree: FieldTree) -> dict[str, object]:
    return {
        "severity": str(found.severity),
        "code": found.code,
        "offset": -1 if found.offset is None else found.offset,
        "node": tree.paths.get(found.path, -1),
        "message": visible(found.message),
    }


def _dump(data: bytes) -> str:
    rows = range(0, len(data), 16)
    return "\n".join(f"{at:04x}  {data[at : at + 16].hex(' ')}" for at in rows)
