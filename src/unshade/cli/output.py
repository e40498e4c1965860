"""Where results go: standard output or a file, as text, styled text, JSON or bytes.

Data goes to standard output, everything else to standard error. Styles appear on a terminal only,
unless NO_COLOR or FORCE_COLOR say otherwise. Text that came out of a file is shown with control
characters made visible, so that no file can drive the terminal that shows it.
"""

import os
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..screens.text import Segment, visible

if TYPE_CHECKING:
    from rich.console import Console

    from ..screens.blocks import Block
    from .inputs import Named


def tell(text: str, end: str = "\n") -> None:
    """Write to standard error, after everything that was written to standard output before.

    All of the command line writes to standard error through this function and `error_console`: in
    a pipe or a log that both streams go to, each line then appears where it belongs.
    """
    sys.stdout.flush()
    print(text, end=end, file=sys.stderr, flush=True)


def note(text: str) -> None:
    """Write a line to standard error, with the program's name before it."""
    tell(f"unshade: {visible(text, keep=chr(10))}")


def error_console() -> "Console | None":
    """Return rich's console for standard error; None where that is no terminal."""
    if not sys.stderr.isatty():
        return None
    from rich.console import Console

    sys.stdout.flush()
    return Console(stderr=True)


def styled(*, errors: bool = False) -> bool:
    """Return whether standard output, or standard error, is to be coloured."""
    if os.environ.get("NO_COLOR"):
        return False
    forced = os.environ.get("FORCE_COLOR")
    if forced:
        return forced != "0"
    return (sys.stderr if errors else sys.stdout).isatty() and os.environ.get("TERM") != "dumb"


class Output:
    """One command's output; a file named with `-o` appears whole, at the end, or not at all."""

    def __init__(
        self, path: str | None = None, *, as_json: bool = False, fills_screen: bool = True
    ) -> None:
        self.path = None if path == "-" else path
        self.as_json = as_json
        self.several = False
        self.fills_screen = fills_screen and self.path is None and sys.stdout.isatty()
        self.pause: Callable[[], None] | None = None
        self.resume: Callable[[], None] | None = None
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

        text = json.dumps({**item.named(), **data}, indent=2, ensure_ascii=False)
        if self.several:
            text = ("[\n" if self._count == 0 else ",\n") + text
        self._put(text if self.several else text + "\n")
        self._count += 1

    def json(self, data: Any) -> None:
        """JSON that is not about a file."""
        import json

        self._put(json.dumps(data, indent=2, ensure_ascii=False) + "\n")

    def blocks(self, blocks: Iterable["Block"]) -> None:
        """A screen; screens of several files are set apart by an empty line."""
        lead = "\n" if self._count else ""
        self._count += 1
        if self.path is None and styled():
            from ..screens.terminal import render

            self._put(lead + render(blocks))
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
        if self.pause is not None:
            self.pause()
        raw = getattr(sys.stdout, "buffer", None)
        if raw is None:
            sys.stdout.write(data.decode("utf-8", "backslashreplace"))
        else:
            raw.write(data)
            if self.pause is not None:
                raw.flush()
        if self.resume is not None:
            self.resume()

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
