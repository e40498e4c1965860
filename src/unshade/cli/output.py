"""Output to standard output or a file: text, styled text, JSON or bytes.

Data goes to standard output, everything else to standard error. Styles are used on a terminal only,
unless NO_COLOR or FORCE_COLOR override that. Control characters in text from a file are shown as
escapes, so that no file can control the terminal.
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
    from .inputs import Subject


def tell(text: str, end: str = "\n") -> None:
    """Write to standard error, after flushing standard output.

    The command line writes to standard error only through this function and `progress.bar`, so that
    lines stay in order where both streams go to one pipe or log.
    """
    sys.stdout.flush()
    with aside():
        print(_written(text, sys.stderr), end=end, file=sys.stderr, flush=True)


def note(text: str) -> None:
    """Write a line to standard error, prefixed with the program's name."""
    tell(f"unshade: {visible(text, keep=chr(10))}")


def styled(*, errors: bool = False) -> bool:
    """Return True if standard output, or standard error, is to be coloured."""
    if os.environ.get("NO_COLOR"):
        return False
    forced = os.environ.get("FORCE_COLOR")
    if forced:
        return forced != "0"
    terminal = (sys.stderr if errors else sys.stdout).isatty()
    return terminal and os.environ.get("TERM") != "dumb" and takes_escapes(-12 if errors else -11)


def in_json(name: str | None) -> str | None:
    """Return a file name for a JSON document; a `file:` URI if the name is not valid UTF-8."""
    if name is None or _is_utf8(name):
        return name
    from pathlib import Path

    return Path(os.path.abspath(name)).as_uri()


def _is_utf8(text: str) -> bool:
    """Return True if the text has no lone surrogates, which stand for bytes that are not UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _written(text: str, stream: TextIO) -> str:
    """Return the text with characters that the stream's encoding lacks as escapes."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def _write(data: bytes) -> None:
    """Write bytes to standard output."""
    raw = getattr(sys.stdout, "buffer", None)
    if raw is None:  # a text stream, as in a notebook
        sys.stdout.write(_written(data.decode("utf-8", "backslashreplace"), sys.stdout))
    else:
        raw.write(data)


class CommandOutput:
    """The output of one command; a file given with `-o` is written at the end, atomically."""

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
        """Width of the terminal; None if the output is not a terminal."""
        if self.path is not None or not sys.stdout.isatty():
            return None
        from shutil import get_terminal_size

        return get_terminal_size().columns

    # -- one result ---------------------------------------------------------------------------

    def document(self, item: "Subject", data: dict[str, Any]) -> None:
        """Write a JSON object; the results of several files form one array."""
        import json

        named = {key: in_json(name) for key, name in item.named().items()}
        text = json.dumps({**named, **data}, indent=2, ensure_ascii=False)
        if self.several:
            text = ("[\n" if self._count == 0 else ",\n") + text
        self._put_json(text if self.several else text + "\n")
        self._count += 1

    def json(self, data: Any) -> None:
        """Write JSON that does not describe one file."""
        import json

        self._put_json(json.dumps(data, indent=2, ensure_ascii=False) + "\n")

    def blocks(self, blocks: Iterable["Block"]) -> None:
        """Write a screen; an empty line separates the screens of several files."""
        lead = "\n" if self._count else ""
        self._count += 1
        if self.path is None and styled():
            from ..screens.terminal import render

            self._put(lead + render(blocks, self.columns))
        else:
            from ..screens.blocks import render_plain

            self._put(lead + render_plain(blocks))

    def segments(self, lines: Iterable[list[Segment]]) -> None:
        """Write coloured lines, without holding them in memory."""
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
        """Write text; on a terminal, with control characters as escapes."""
        if self.path is None and sys.stdout.isatty():
            text = visible(text, keep="\n\t")
        self._put(text)

    def _put(self, text: str) -> None:
        self.data(text.encode("utf-8", "surrogateescape"))

    def _put_json(self, text: str) -> None:
        """Write JSON; bytes of strings that are not UTF-8 become escapes such as `\\xff`."""
        if not _is_utf8(text):
            text = "".join(c if _is_utf8(c) else visible(c).replace("\\", "\\\\") for c in text)
        self._put(text)

    def binary(self, data: bytes) -> None:
        """Write binary data; raise UsageError if standard output is a terminal."""
        if self.path is None and sys.stdout.isatty():
            raise UsageError("binary output is not written to a terminal: use -o PATH")
        self.data(data)

    def data(self, data: bytes) -> None:
        """Write bytes unchanged."""
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
        """Flush to a terminal before the next file is processed."""
        if self.path is None and sys.stdout.isatty():
            sys.stdout.flush()

    # -- the end ------------------------------------------------------------------------------

    def __enter__(self) -> "CommandOutput":
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self.as_json and self.several:
            self._put("\n]\n" if self._count else "[]\n")
        if self.path is not None and kind is None and self._held:
            from ..files import write_atomically

            write_atomically(self.path, b"".join(self._held))
