"""The files of a command line: named ones, folders, standard input; and one loop over them.

One bad file never stops the rest. What goes wrong is said on standard error, the highest exit code
wins, and a summary closes a run over several files.
"""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, Protocol, TypeVar

from .. import api, formats
from .. import files as system
from ..errors import FormatError, UnshadeError, UsageError
from ..limits import DEFAULT
from ..screens.text import many, visible
from . import exits
from .output import Output, note
from .progress import bar

if TYPE_CHECKING:
    from mmap import mmap

    from ..shader import Shader
    from .targets import Targets


class Round(Protocol):
    """One round of a command line that goes on while files change (watch.py)."""

    later: bool  # not the first

    def due(self, item: "Input") -> bool:
        """Return whether an input has to be done in this round."""

    def doing(self, work: "Callable[[Input], int]", item: "Input") -> int:
        """Do the work on an input, and remember what it read."""


this_round: ContextVar[Round | None] = ContextVar("round", default=None)

HEAD = 64  # bytes that tell whether a file in a folder is a shader
FEW = 20  # files that are done before a progress bar would be drawn


class Named(Protocol):
    """What one piece of work is about: a file, or two."""

    @property
    def name(self) -> str: ...

    def named(self) -> dict[str, str | None]: ...


class Input:
    """One file. `inside` is its path below the folder that was named, else its bare name.

    `found` tells that nobody named it: it was met in a folder, and may be anything, `regular` that
    it is a file that ends, and no pipe, socket or device, which would be waited for without end.
    """

    __slots__ = ("found", "inside", "path", "regular")

    def __init__(
        self, path: str, inside: str = "", found: bool = False, regular: bool = True
    ) -> None:
        self.path = path
        self.inside = inside or ("stdin" if path == "-" else os.path.basename(path))
        self.found = found
        self.regular = regular

    @property
    def name(self) -> str:
        """What to call it."""
        return "standard input" if self.path == "-" else self.path

    def named(self) -> dict[str, str | None]:
        """How a JSON document says what it is about."""
        return {"file": self.name}

    @property
    def paths(self) -> list[str]:
        """Every file that is read for it."""
        return [self.path]

    @property
    def stem(self) -> str:
        """`inside` without its suffix; what an output made from this file is called."""
        return os.path.splitext(self.inside)[0]

    def chosen(self, wanted: "Callable[[Input], bool]") -> bool:
        """Return whether to work on it: what was named always, what was found if it is wanted."""
        return not self.found or (self.regular and wanted(self))

    def read(self) -> bytes:
        """All bytes. UsageError where they cannot be read, LimitError where they are too many."""
        with self._opened() as file:
            return system.read_limited(file, DEFAULT.file_size)

    def view(self) -> "bytes | mmap":
        """The bytes without reading them all, where the system can do that: for large files."""
        from mmap import ACCESS_READ, mmap

        with self._opened() as file:
            try:
                return mmap(file.fileno(), 0, access=ACCESS_READ)
            except (OSError, ValueError):  # a pipe, which can be opened once only; an empty file
                return system.read_limited(file, DEFAULT.file_size)

    @contextmanager
    def _opened(self) -> Iterator[BinaryIO]:
        """The file while it is read; UsageError, with the system's reason, where it cannot be."""
        try:
            if self.path == "-":
                with suppress(OSError):  # standard input may be none of the system's files
                    system.protect(sys.stdin.fileno())
                yield sys.stdin.buffer
            else:
                with system.opened(self.path) as file:
                    yield file
        except OSError as error:
            raise UsageError(error.strerror or str(error)) from None

    def open(self, *, strict: bool = True) -> "Shader":
        """The shader. For a file that is none, an error that says what it seems to be.

        With `strict=False` what is intact of a damaged one: `tell_damage` belongs to that.
        """
        data = self.read()
        if formats.identify(data) is None:
            from .guess import no_shader

            raise no_shader(data)
        return api.loads(data, strict=strict)

    def head(self) -> bytes:
        """The first bytes, none where the file cannot be read."""
        return system.head(self.path, HEAD)


def _natural(name: str) -> list[tuple[int, int | str]]:
    """`ps2` before `ps10`: runs of digits count as numbers."""
    import re

    runs = re.split(r"(\d+)", name.lower())
    return [(0, int(run)) if run.isdecimal() else (1, run) for run in runs if run]


def _below(folder: str) -> Iterator[Input]:
    """Every file below a folder in natural order; hidden files and folders are left out.

    Links to files count as what they lead to, links to folders are not followed.
    """
    ahead = [folder]
    while ahead:
        try:
            found = system.entries(ahead.pop())
        except OSError as error:
            note(f"{error.filename}: {error.strerror}")
            continue
        shown = sorted(
            (each for each in found if not each.name.startswith(".")),
            key=lambda each: (_natural(each.name), each.name),
        )
        for each in shown:
            if each.regular or not os.path.isdir(each.path):
                inside = os.path.relpath(each.path, folder)
                yield Input(each.path, inside, found=True, regular=each.regular)
        ahead += [each.path for each in reversed(shown) if each.folder]


def expand(files: Sequence[str]) -> list[Input]:
    """The inputs that the arguments name. What is named will be read."""
    inputs: list[Input] = []
    for file in files:
        if file != "-" and os.path.isdir(file):
            inputs += _below(file)
        else:
            inputs.append(Input(file))
            system.protect(file)
    return inputs


def several(files: Sequence[str]) -> bool:
    """Whether the arguments can name more than one file: a folder does even if it holds one."""
    return len(files) != 1 or (files[0] != "-" and os.path.isdir(files[0]))


def single(file: str) -> None:
    """UsageError for a folder, where a verb takes one shader."""
    if file != "-" and os.path.isdir(file):
        raise UsageError(f"{file} is a folder: one shader is needed")


def is_shader(item: Input) -> bool:
    """Whether the file starts like a shader."""
    return formats.identify(item.head()) is not None


def run(
    files: Sequence[str],
    work: Callable[[Input], int],
    out: Output,
    *,
    wanted: Callable[[Input], bool] = is_shader,
    what: str = "shader",
    inputs: Sequence[Input] | None = None,
    targets: "Targets | None" = None,
) -> int:
    """Do `work` on every file and return the highest exit code.

    `work` returns an exit code or raises. Of the files met in folders only the `wanted` are taken,
    each of which is called `what`. `inputs` are those of the files, where some belong together.
    Before the first, UsageError if what `targets` or `out` write would replace what is read.
    """
    named = several(files) and (inputs is None or len(inputs) > 1 or len(files) == 1)
    inputs = expand(files) if inputs is None else inputs
    skipped = Skipped(what)
    round = this_round.get()
    if round is not None:
        work = partial(round.doing, work)
    chosen: dict[Input, bool] = {}
    if targets is not None or out.path is not None:
        chosen = {item: item.chosen(wanted) for item in inputs}
        ours = [item for item in inputs if chosen[item]]
        for item in ours:
            for path in item.paths:
                system.protect(path)
        if targets is not None:
            targets.plan(ours)

    def taken(item: Input) -> bool:
        if chosen[item] if chosen else item.chosen(wanted):
            return round is None or round.due(item)
        skipped.add(item)
        return False

    out.several = named and bool(inputs)
    counts = run_over(inputs, work, out, taken)
    if not counts and round is not None and round.later:
        return exits.FINE
    if not counts:
        note(f"no {what}s in {', '.join(files)}{skipped}")
        return exits.USAGE
    if out.several:
        note(summary(counts, "file", exits.WORDS) + str(skipped))
    return max(counts)


Item = TypeVar("Item", bound="Named")


def run_over(
    items: Sequence[Item],
    work: Callable[[Item], int],
    out: Output,
    taken: Callable[[Item], bool] = lambda item: True,
) -> dict[int, int]:
    """Do `work` on each item that is to be taken; how many ended with each exit code."""
    counts: dict[int, int] = {}
    if out.path is not None:
        system.check_output(out.path)
    many_more = len(items) > FEW and not out.fills_screen
    with out, bar(len(items)) if many_more else nullcontext() as advance:
        for done, item in enumerate(items, 1):
            if taken(item):
                code = _one(item, work, out)
                counts[code] = counts.get(code, 0) + 1
                out.show()
            if advance is not None:
                advance(done, len(items))
    return counts


def _one(item: Item, work: Callable[[Item], int], out: Output) -> int:
    try:
        return work(item)
    except (UnshadeError, MemoryError) as error:
        problem: Exception = error
        text = words(error)
    except OSError:  # standard output is gone, or full: no other file will fare better
        raise
    except Exception as error:
        if os.environ.get("UNSHADE_TRACEBACK"):
            raise
        problem = error
        text = f"a bug in unshade, please report it: {type(error).__name__}: {error}"
    origin = problem.origin if isinstance(problem, UnshadeError) else ""
    note(f"{origin or item.name}: {text}")
    if out.as_json:
        out.document(item, {"error": plain(problem, text)})
    return exits.code_of(problem)


def plain(error: Exception, text: str) -> dict[str, object]:
    """Return an error with its text, as JSON has it."""
    found: dict[str, object] = {"kind": type(error).__name__, "message": visible(text)}
    if isinstance(error, FormatError):
        found |= {"offset": error.offset, "path": visible(error.path)}
    return found


def damage_data(shader: "Shader") -> dict[str, object]:
    """Return the key `damage` of a JSON document, nothing where the file is not damaged."""
    damage = shader.damage
    return {} if damage is None else {"damage": plain(damage, words(damage))}


def tell_damage(item: Input, shader: "Shader") -> int:
    """Say what is wrong with a damaged file, after what is intact; return the exit code."""
    damage = shader.damage
    if damage is None:
        return exits.FINE
    note(f"{item.name}: {words(damage)}")
    return exits.code_of(damage)


def words(error: Exception) -> str:
    """What an error says; that of a whole file, or of a text, needs no offset."""
    if isinstance(error, FormatError) and not error.offset:
        return f"{error.path}: {error.problem}" if error.path else error.problem
    return str(error) or "not enough memory"


def summary(counts: dict[int, int], what: str, words: dict[int, str]) -> str:
    """`5 files: 4 fine, 1 malformed`."""
    told = ", ".join(f"{n:,} {words[code]}" for code, n in sorted(counts.items()))
    return f"{many(sum(counts.values()), what)}: {told}"


class Skipped:
    """Files met in folders that are none of the wanted ones; of formats to come is worth a word."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.others = 0
        self.to_come = 0
        self.special = 0

    def add(self, item: Input) -> None:
        from .guess import to_come

        if not item.regular:
            self.special += 1
        elif to_come(item.head()):
            self.to_come += 1
        else:
            self.others += 1

    def __str__(self) -> str:
        told = []
        if self.others:
            told.append(many(self.others, f"that is no {self.what}", f"that are no {self.what}s"))
        if self.to_come:
            told.append(many(self.to_come, "of a kind", "of kinds") + " not supported yet")
        if self.special:
            told.append(many(self.special, "that is no regular file", "that are no regular files"))
        *most, last = told or [""]
        listed = f"{', '.join(most)} and {last}" if most else last
        return f"; skipped {listed}" if told else ""
