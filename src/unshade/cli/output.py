"""Output to standard output or a file: text, styled text, JSON or bytes.

Data goes to standard output, everything else to standard error. Styles are used on a terminal only,
unless NO_COLOR or FORCE_COLOR override that. Control characters in text from a file are shown as
escapes, so that no file can control the terminal.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TextIO

from ..errors import AssembleError, UsageError
from ..screens.text import Segment, folded, visible
from ..windows import takes_escapes
from .progress import aside, is_shown

if TYPE_CHECKING:
    from ..screens.blocks import Block
    from .inputs import Subject


# A method of CommandOutput, or "tell", and its arguments. They can be pickled.
Effect = tuple[str, tuple[Any, ...]]


class _Record:
    """The effects of one input in a worker process, which the parent will repeat."""

    def __init__(self, out: "CommandOutput") -> None:
        self.out = out
        self.effects: list[Effect] = []

    def add(self, name: str, given: tuple[Any, ...]) -> None:
        """Add an effect; consecutive writes become one."""
        last = self.effects[-1] if self.effects else ("", ())
        if name == last[0] == "data":
            self.effects[-1] = (name, (last[1][0] + given[0],))
        else:
            self.effects.append((name, given))


_record: ContextVar[_Record | None] = ContextVar("record", default=None)


@contextmanager
def recorded(out: "CommandOutput") -> Iterator[list[Effect]]:
    """Record operations on standard streams and `out` in the block instead of performing them."""
    made = _Record(out)
    token = _record.set(made)
    try:
        yield made.effects
    finally:
        _record.reset(token)


Paint = Callable[[str], Iterable[list[Segment]]]
Arguments = ParamSpec("Arguments")


Method = Callable[Concatenate[Any, Arguments], None]


def effect(method: Method[Arguments]) -> Method[Arguments]:
    """Make a method of CommandOutput an effect, which a worker process records.

    Only such methods change an output or write to standard output. Outputs that are files of one
    input are written where the input is processed.
    """

    @wraps(method)
    def call(self: Any, /, *given: Arguments.args, **named: Arguments.kwargs) -> None:
        record = _record.get()
        if record is not None and (self is record.out or self.path is None):
            record.add(method.__name__, given)
        else:
            method(self, *given, **named)

    return call


def tell(text: str, end: str = "\n") -> None:
    """Write to standard error, after flushing standard output.

    The command line writes to standard error only through this function and `progress.bar`, so that
    lines stay in order where both streams go to one pipe or log.
    """
    record = _record.get()
    if record is not None:
        record.add("tell", (text, end))
        return
    sys.stdout.flush()
    with aside():
        print(_written(text, sys.stderr), end=end, file=sys.stderr, flush=True)


def note(text: str) -> None:
    """Write a line to standard error, prefixed with the program's name."""
    tell(f"unshade: {visible(text, keep=chr(10))}")


def agreed(question: str) -> bool:
    """Ask on a terminal; return True for yes, or Enter. False if nobody is there to answer."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    tell(f"{question} [Y/n] ", end="")
    return sys.stdin.readline().strip().lower() in ("", "y", "yes")


def styled(*, errors: bool = False) -> bool:
    """Return True if standard output, or standard error, is to be coloured."""
    if os.environ.get("NO_COLOR"):
        return False
    forced = os.environ.get("FORCE_COLOR")
    if forced:
        return forced != "0"
    terminal = (sys.stderr if errors else sys.stdout).isatty()
    return terminal and os.environ.get("TERM") != "dumb" and takes_escapes(-12 if errors else -11)


def complain(error: AssembleError) -> None:
    """Print all errors, coloured on a terminal."""
    coloured = styled(errors=True)
    for each in error.errors:
        text = visible(each.with_caret(), keep="\n\t")
        tell(_coloured(text, each) if coloured else text)
    if error.closing:
        tell(error.closing)


def _coloured(text: str, error: AssembleError) -> str:
    """Return the text with location bold, problem red and caret green."""
    from click import style

    head, *rest = text.split("\n")
    place, found, problem = head.partition(f": {visible(error.problem)}")
    first = style(place, bold=True) + style(found + problem, fg="red")
    lines = [*rest[:-1], *(style(line, fg="green") for line in rest[-1:])]
    return "\n".join([first, *lines])


def in_json(name: str | None) -> str | None:
    """Return a file name for a JSON document; a `file:` URI if the name is not valid UTF-8."""
    if name is None or _is_utf8(name):
        return name
    from pathlib import Path

    return Path(os.path.abspath(name)).as_uri()


def _is_utf8(text: str) -> bool:
    """Return True if the text has no lone surrogates, which represent bytes that are not UTF-8."""
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
        self.seen: dict[object, None] = {}

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
        self.element(json.dumps({**named, **data}, indent=2, ensure_ascii=False))

    @effect
    def element(self, text: str) -> None:
        """Write a JSON object that is already text."""
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
        colours = self.path is None and styled()
        if colours or self.columns is not None:
            from ..screens.terminal import render

            text = render(blocks, self.columns, colours=colours)
        else:
            from ..screens.blocks import render_plain

            text = render_plain(blocks)
        self.separate()
        self._put(text)

    @effect
    def separate(self) -> None:
        """Write an empty line, except before the first screen."""
        if self._count:
            self._put("\n")
        self._count += 1

    @effect
    def see(self, *keys: object) -> None:
        """Add to `seen`, which verbs use for facts about all inputs."""
        self.seen.update(dict.fromkeys(keys))

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

    def lines(self, lines: Iterable[list[Segment]]) -> None:
        """Write coloured lines of words, which continue on further lines of a terminal."""
        width = self.columns
        if width is None:
            self.segments(lines)
        else:
            self.segments(piece for line in lines for piece in folded(line, width))

    def line(self, text: str) -> None:
        """Write a line of words, which continues on further lines of a terminal."""
        self.lines([[(visible(text), None)]])

    def text(self, text: str) -> None:
        """Write text; on a terminal, with control characters as escapes."""
        if self.path is None and sys.stdout.isatty():
            text = visible(text, keep="\n\t")
        self._put(text)

    def heading(self, text: str) -> None:
        """Write a line above the output of one file, if there are several files."""
        if self.several:
            self.text(f"{text}\n")

    def text_of_file(
        self, text: str, place: str | None, heading: str = "", paint: Paint | None = None
    ) -> None:
        """Write the text of one file to its own file, or here.

        Args:
            text: The text.
            place: The path of its own file; None to write here.
            heading: The line above the text here, if there are several; empty for none.
            paint: Makes coloured lines of the text, for a terminal.
        """
        if place is not None:
            with CommandOutput(place) as one:
                one.text(text)
            return
        if heading:
            self.heading(heading)
        if paint is not None and styled():
            self.segments(paint(text))
        else:
            self.text(text)

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

    @effect
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

    def repeat(self, effects: Iterable[Effect]) -> None:
        """Perform the operations that a worker process recorded."""
        for name, given in effects:
            tell(*given) if name == "tell" else getattr(self, name)(*given)

    # -- the end ------------------------------------------------------------------------------

    def __enter__(self) -> "CommandOutput":
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self.as_json and self.several:
            self._put("\n]\n" if self._count else "[]\n")
        if self.path is not None and kind is None and self._held:
            from ..files import write_atomically

            write_atomically(self.path, b"".join(self._held))


class Collected(CommandOutput):
    """An output that collects a document of each input; `finish` writes them at the end."""

    def __init__(self, path: str | None, finish: "Callable[[Collected], None]") -> None:
        super().__init__(path, as_json=True, fills_screen=False)
        self.finish = finish
        self.documents: list[Any] = []

    def document(self, item: "Subject", data: dict[str, Any]) -> None:
        """Collect a document about an input, or its error."""
        self.collect({**item.named(), **data})

    @effect
    def collect(self, document: Any) -> None:
        """Add to `documents`."""
        self.documents.append(document)

    def __exit__(self, kind: object, *_: object) -> None:
        self.as_json = False  # the result is not a list of documents
        if kind is None:
            self.finish(self)
        super().__exit__(kind)
