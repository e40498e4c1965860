"""Where results go: standard output or a file, as text, styled text, JSON or bytes.

Data goes to standard output, everything else to standard error. Styles appear on a terminal only,
unless NO_COLOR or FORCE_COLOR say otherwise. Text that came out of a file is shown with control
characters made visible, so that no file can drive the terminal that shows it.
"""

import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TextIO

from ..errors import UsageError
from ..screens.text import Segment, visible
from ..windows import takes_escapes
from .progress import aside, is_shown

if TYPE_CHECKING:
    from ..screens.blocks import Block
    from .inputs import Named


def tell(text: str, end: str = "\n") -> None:
    """Write to standard error, after everything that was written to standard output before.

    All of the command line writes to standard error through this function and `progress.bar`: in a
    pipe or a log that both streams go to, each line then appears where it belongs.
    """
    sys.stdout.flush()
    with aside():
        print(_written(text, sys.stderr), end=end, file=sys.stderr, flush=True)


def note(text: str) -> None:
    """Write a line to standard error, with the program's name before it."""
    tell(f"unshade: {visible(text, keep=chr(10))}")


def styled(*, errors: bool = False) -> bool:
    """Return whether standard output, or standard error, is to be coloured."""
    if os.environ.get("NO_COLOR"):
        return False
    forced = os.environ.get("FORCE_COLOR")
    if forced:
        return forced != "0"
    terminal = (sys.stderr if errors else sys.stdout).isatty()
    return terminal and os.environ.get("TERM") != "dumb" and takes_escapes(-12 if errors else -11)


def in_json(name: str | None) -> str | None:
    """Return the name of a file as JSON documents have it.

    A name is bytes, on most systems, which need not be UTF-8; such a one is a `file:` URI.
    """
    if name is None or _is_utf8(name):
        return name
    from pathlib import Path

    return Path(os.path.abspath(name)).as_uri()


def _is_utf8(text: str) -> bool:
    """Return whether text is no more than that; a byte that is no UTF-8 is a lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _written(text: str, stream: TextIO) -> str:
    """Return the text with what the encoding of a stream does not have as escapes."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def _write(data: bytes) -> None:
    """Write to standard output, in UTF-8 wherever it goes."""
    raw = getattr(sys.stdout, "buffer", None)
    if raw is None:  # text only, as in a notebook
        sys.stdout.write(_written(data.decode("utf-8", "backslashreplace"), sys.stdout))
    else:
        raw.write(data)


class Output:
    """One command's output; a file named with `-o` appears whole, at the end, or not at all."""

    def __init__(
        self, path: str | None = None, *, as_json: bool = False, fills_screen: bool = True
    ) -> None:
        self.path = None if path == "-" else path
        self.as_json = as_json
        self.several = False
        self.fills_screen = fills_screen and self.path is None and sys.stdout.isatty()
        self._held: list[bytes] = []
        self._count = 0

    @property
    def columns(self) -> int | None:
        """How wide the terminal is that this goes to; None where there is none."""
        if self.path is not None or not sys.stdout.isatty():
            return None
        from shutil import get_terminal_size

        return get_terminal_size().columns

    # -- one result ---------------------------------------------------------------------------

    def document(self, item: "Named", data: dict[str, Any]) -> None:
        """A JSON object; the results of several files form one array."""
        import json

        named = {key: in_json(name) for key, name in item.named().items()}
        text = json.dumps({**named, **data}, indent=2, ensure_ascii=False)
        if self.several:
            text = ("[\n" if self._count == 0 else ",\n") + text
        self._put_json(text if self.several else text + "\n")
        self._count += 1

    def json(self, data: Any) -> None:
        """JSON that is not about a file."""
        import json

        self._put_json(json.dumps(data, indent=2, ensure_ascii=False) + "\n")

    def blocks(self, blocks: Iterable["Block"]) -> None:
        """A screen; screens of several files are set apart by an empty line."""
        lead = "\n" if self._count else ""
        self._count += 1
        if self.path is None and styled():
            from ..screens.terminal import render

            self._put(lead + render(blocks, self.columns))
        else:
            from ..screens.blocks import render_plain

            self._put(lead + render_plain(blocks))

    def segments(self, lines: Iterable[list[Segment]]) -> None:
        """Lines in colours, a million of them if need be."""
        if self.path is None and styled():
            from click import style

            marks: dict[int | None, tuple[str, str]] = {None: ("", "")}
            for line in lines:
                words = ""
                for text, colour in line:
                    if colour not in marks:
                        before, _, after = style("\0", fg=colour).partition("\0")
                        marks[colour] = before, after
                    before, after = marks[colour]
                    words += before + text + after
                self._put(words + "\n")
        else:
            for line in lines:
                self._put("".join(text for text, _ in line).rstrip() + "\n")

    def text(self, text: str) -> None:
        """Text as it stands, byte for byte, but for a terminal."""
        if self.path is None and sys.stdout.isatty():
            text = visible(text, keep="\n\t")
        self._put(text)

    def _put(self, text: str) -> None:
        self.data(text.encode("utf-8", "surrogateescape"))

    def _put_json(self, text: str) -> None:
        """JSON is UTF-8: a byte of a string that is none is spelled as on a screen, `\\xff`."""
        if not _is_utf8(text):
            text = "".join(c if _is_utf8(c) else visible(c).replace("\\", "\\\\") for c in text)
        self._put(text)

    def binary(self, data: bytes) -> None:
        """Bytes that are no text; UsageError rather than to a terminal."""
        if self.path is None and sys.stdout.isatty():
            raise UsageError("not written to a terminal: use -o PATH")
        self.data(data)

    def data(self, data: bytes) -> None:
        """Bytes as they stand."""
        if self.path is not None:
            self._held.append(data)
            return
        if is_shown():
            with aside():
                _write(data)
                sys.stdout.flush()
        else:
            _write(data)

    def show(self) -> None:
        """Let a terminal show what was written so far, while the next file is worked on."""
        if self.path is None and sys.stdout.isatty():
            sys.stdout.flush()

    # -- the end ------------------------------------------------------------------------------

    def __enter__(self) -> "Output":
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self.as_json and self.several:
            self._put("\n]\n" if self._count else "[]\n")
        if self.path is not None and kind is None and self._held:
            from ..files import write_atomically

            write_atomically(self.path, b"".join(self._held))
