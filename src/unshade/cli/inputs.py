"""Input files of a command line, and the loop over them.

One bad file never stops the rest: errors go to standard error, the highest exit code is returned,
and a run over several files ends with a summary.
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
from ..errors import AssembleError, EncodeError, FormatError, UnshadeError, UsageError
from ..limits import DEFAULT
from ..screens.text import many, visible
from . import exits
from .output import CommandOutput, complain, note
from .processes.jobs import at_work
from .processes.sharing import shared
from .progress import bar

if TYPE_CHECKING:
    from mmap import mmap

    from ..shader import Shader
    from .processes.messages import Outcome
    from .targets import Targets


class Round(Protocol):
    """One round of a command line under --watch (watch.py)."""

    later: bool  # not the first

    def due(self, item: "Input") -> bool:
        """Return True if an input must be processed in this round."""

    def doing(self, work: "Callable[[Input], int]", item: "Input") -> int:
        """Process an input and record the files that it read."""


this_round: ContextVar[Round | None] = ContextVar("round", default=None)

HEAD = 1 << 17  # bytes that suffice to identify a shader: some begin with a table of strings
FEW = 20  # files processed without a progress bar


class Subject(Protocol):
    """The subject of one unit of work: one file, or two to compare."""

    @property
    def name(self) -> str: ...

    def named(self) -> dict[str, str | None]: ...


class Input:
    """One input file.

    `inside` is its path below the folder that was named, else its base name. `found` is True for a
    file found in a folder, which may be anything; `regular` is False for pipes, sockets and
    devices, where reading could block forever.
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
        """The name for messages."""
        return "standard input" if self.path == "-" else self.path

    def named(self) -> dict[str, str | None]:
        """Return the keys that identify the file in a JSON document."""
        return {"file": self.name}

    @property
    def paths(self) -> list[str]:
        """Paths of all files read for it."""
        return [self.path]

    @property
    def stem(self) -> str:
        """`inside` without its suffix, used to name outputs."""
        return os.path.splitext(self.inside)[0]

    def chosen(self, wanted: "Callable[[Input], bool]") -> bool:
        """Return True if the file was named, or was found in a folder and is `wanted`."""
        return not self.found or (self.regular and wanted(self))

    def read(self) -> bytes:
        """Return all bytes; raise UsageError if unreadable, LimitError if the file is too large."""
        with self._opened() as file:
            return system.read_limited(file, DEFAULT.file_size)

    def view(self) -> "bytes | mmap":
        """Return the bytes, memory-mapped if possible: for large files."""
        with self._opened() as file:
            return system.mapped(file)

    @contextmanager
    def _opened(self) -> Iterator[BinaryIO]:
        """Open the file; raise UsageError with the system's reason if that fails."""
        try:
            if self.path == "-":
                with suppress(OSError):  # standard input may have no file descriptor
                    system.protect(sys.stdin.fileno())
                yield sys.stdin.buffer
            else:
                with system.opened(self.path) as file:
                    yield file
        except OSError as error:
            missing = isinstance(error, FileNotFoundError)
            hint = system.similar(self.path) if missing else ""
            raise UsageError(f"{self.name}: {error.strerror or error}{hint}") from None

    def open(self, *, strict: bool = True) -> "Shader":
        """Open the shader; for any other file raise an error with a guess at its type.

        `strict=False` returns the intact rest of a damaged file; call `tell_damage` afterwards.
        """
        data = self.read()
        return self._compiled(data) or self._loaded(data, strict)

    def _compiled(
        self,
        data: bytes,
        stage: str | None = None,
        entry: str | None = None,
        *,
        asked: bool = False,
    ) -> "Shader | None":
        """Compile a source if --compile is given, or the verb `asked`; None for other files.

        A file that was found in a folder is never compiled.
        """
        from .sources import compiled_source, is_asked

        if self.found or self.path == "-" or not (asked or is_asked()):
            return None
        return compiled_source(self.path, data, stage, entry)

    def compiled(self) -> "Shader | None":
        """Compile a source for a compiler if --compile is given; return None for other files."""
        from .sources import is_asked, is_for_compiler

        if self.found or self.path == "-" or not is_asked():
            return None
        data = self.read()
        return self._compiled(data) if is_for_compiler(self.path, data) else None

    def _loaded(self, data: bytes, strict: bool = True) -> "Shader":
        if formats.identify(data) is None:
            from .guess import no_shader
            from .sources import hint

            raise no_shader(data, "" if self.found else hint(self.path, data))
        if not self.found and self.path != "-":
            formats.check_beside(data, self.path)
        return api.loads(data, strict=strict)

    def open_program(
        self, compiling: bool = False, stage: str | None = None, entry: str | None = None
    ) -> "Shader":
        """Open the shader, or assemble it in memory from a text; for verbs that run it.

        `compiling` also compiles a source that the command line names (sources.py).
        """
        data = self.read()
        made = self._compiled(data, stage, entry, asked=compiling)
        if made is not None:
            return made
        return api.assembled(data, self.name) or self._loaded(data)

    def head(self) -> bytes:
        """Return the first bytes; empty if the file cannot be read."""
        return system.head(self.path, HEAD)


def _natural(name: str) -> list[tuple[int, int | str]]:
    """Return a sort key with `ps2` before `ps10`: runs of digits compare as numbers."""
    import re

    runs = re.split(r"(\d+)", name.lower())
    return [(0, int(run)) if run.isdecimal() else (1, run) for run in runs if run]


def _below(folder: str) -> Iterator[Input]:
    """Yield the files below a folder in natural order, without hidden files and folders.

    Links to files are followed, links to folders are not.
    """
    for each in system.below(folder, _natural, _not_read):
        if each.regular or not os.path.isdir(each.path):
            inside = os.path.relpath(each.path, folder)
            yield Input(each.path, inside, found=True, regular=each.regular)


def _not_read(folder: str, error: OSError) -> None:
    note(f"{error.filename}: {error.strerror}")


def expand(files: Sequence[str]) -> list[Input]:
    """Return the inputs that the arguments name, and protect named files from being overwritten."""
    inputs: list[Input] = []
    for file in files:
        if file != "-" and os.path.isdir(file):
            inputs += _below(file)
        else:
            inputs.append(Input(file))
            system.protect(file)
    return inputs


def several(files: Sequence[str]) -> bool:
    """Return True if the arguments are several files or a folder, whatever the folder contains."""
    return len(files) != 1 or (files[0] != "-" and os.path.isdir(files[0]))


def single(file: str) -> None:
    """Raise UsageError for a folder, for verbs that take a single shader."""
    if file != "-" and os.path.isdir(file):
        raise UsageError(f"expected a single shader, got the folder {file}")


def with_name(name: str, text: str) -> str:
    """Put a name before a message that does not begin with it."""
    return text if text.startswith(f"{name}:") else f"{name}: {text}"


def is_shader(item: Input) -> bool:
    """Return True if the file starts like a shader."""
    return formats.identify(item.head()) is not None


def run(
    files: Sequence[str],
    work: Callable[[Input], int],
    out: CommandOutput,
    *,
    wanted: Callable[[Input], bool] = is_shader,
    what: str = "shader",
    inputs: Sequence[Input] | None = None,
    targets: "Targets | None" = None,
) -> int:
    """Process every file and return the highest exit code.

    Args:
        files: Arguments of the command line.
        work: Processes one input; returns an exit code or raises.
        out: Where results go.
        wanted: Selects among files found in folders.
        what: Noun for a selected file, in messages.
        inputs: The inputs, if already expanded and grouped.
        targets: Where output files go.

    Raises:
        UsageError: An output would replace an input; raised before the first file is processed.
    """
    named = several(files) and (inputs is None or len(inputs) > 1 or len(files) == 1)
    inputs = expand(files) if inputs is None else inputs
    skipped = Skipped(what)
    round = this_round.get()
    if round is not None:
        work = partial(round.doing, work)
    chosen: dict[Input, bool] = {}
    worker = at_work.get()
    if targets is not None or out.path is not None:
        if worker is None or worker.start.chosen is None:
            chosen = {item: item.chosen(wanted) for item in inputs}
        else:
            chosen = {item: item.path in worker.start.chosen for item in inputs}
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
    counts = run_over(inputs, work, out, taken, [item for item in inputs if chosen.get(item)])
    if not counts and round is not None and round.later:
        return exits.FINE
    if not counts:
        note(f"no {what}s found in {', '.join(files)}{skipped}")
        return exits.USAGE
    if out.several:
        note(summary(counts, "file", exits.WORDS) + str(skipped))
    return max(counts)


Item = TypeVar("Item", bound=Subject)


def run_over(
    items: Sequence[Item],
    work: Callable[[Item], int],
    out: CommandOutput,
    taken: Callable[[Item], bool] = lambda item: True,
    named: Sequence[Input] | None = None,
) -> dict[int, int]:
    """Process each item that is `taken`; return the number of items by exit code.

    `named` are the inputs after which outputs are named. In a worker process, the items are those
    that the parent sends, and this does not return.
    """

    def alone(item: Item) -> int:
        return _one(item, work, out)

    def repeat(outcome: "Outcome") -> int:
        out.repeat(outcome.effects)
        if outcome.error is not None:
            raise outcome.error
        return outcome.code

    def ours() -> Iterator[Item]:
        for done, item in enumerate(items, 1):
            if taken(item):
                yield item
            if advance is not None:
                advance(done, len(items))

    worker = at_work.get()
    if worker is not None:
        worker.serve(alone, out)
    counts: dict[int, int] = {}
    if out.path is not None:
        system.check_output(out.path)
    many_more = len(items) > FEW and not out.fills_screen
    total = 1 if this_round.get() is not None else len(items)
    chosen = None if named is None else frozenset(item.path for item in named)
    with out, bar(len(items)) if many_more else nullcontext() as advance:
        for code in shared(ours(), total, alone, repeat, chosen):
            counts[code] = counts.get(code, 0) + 1
            out.show()
    return counts


def _one(item: Item, work: Callable[[Item], int], out: CommandOutput) -> int:
    try:
        return work(item)
    except (UnshadeError, MemoryError) as error:
        problem: Exception = error
        text = words(error)
    except OSError:  # standard output is closed or full, so the other files would fail, too
        raise
    except Exception as error:
        if os.environ.get("UNSHADE_TRACEBACK"):
            raise
        problem = error
        text = f"a bug in unshade, please report it: {type(error).__name__}: {error}"
    name = (problem.origin if isinstance(problem, UnshadeError) else "") or item.name
    mistake = problem.mistake if isinstance(problem, EncodeError) else problem
    if isinstance(mistake, AssembleError) and mistake.file:
        complain(mistake)
    else:
        note(with_name(name, text))
    text = text.removeprefix(f"{name}: ")
    if out.as_json:
        out.document(item, {"error": plain(problem, text)})
    return exits.code_of(problem)


def plain(error: Exception, text: str) -> dict[str, object]:
    """Return an error and its message as JSON data."""
    found: dict[str, object] = {"kind": type(error).__name__, "message": visible(text)}
    if isinstance(error, FormatError):
        found |= {"offset": error.offset, "path": visible(error.path)}
    return found


def damage_data(shader: "Shader") -> dict[str, object]:
    """Return the key `damage` of a JSON document; empty if the file is intact."""
    damage = shader.damage
    return {} if damage is None else {"damage": plain(damage, words(damage))}


def tell_damage(item: Input, shader: "Shader") -> int:
    """Report the damage of a file after its intact contents; return the exit code."""
    damage = shader.damage
    if damage is None:
        return exits.FINE
    note(f"{item.name}: {words(damage)}")
    return exits.code_of(damage)


def words(error: Exception) -> str:
    """Return the message of an error, without the offset if that is 0."""
    if isinstance(error, FormatError) and not error.offset:
        return f"{error.path}: {error.problem}" if error.path else error.problem
    return str(error) or "not enough memory"


def summary(counts: dict[int, int], what: str, words: dict[int, str]) -> str:
    """Return a summary: `5 files: 4 fine, 1 malformed`."""
    counted = ", ".join(f"{n:,} {words[code]}" for code, n in sorted(counts.items()))
    return f"{many(sum(counts.values()), what)}: {counted}"


class Skipped:
    """A count of files in folders that were skipped, by reason."""

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
        reasons = []
        if self.others:
            several = f"that are not {self.what}s"
            reasons.append((self.others, f"that is not a {self.what}", several))
        if self.to_come:
            reasons.append((self.to_come, "in an unsupported format", "in unsupported formats"))
        if self.special:
            reasons.append((self.special, "that is not regular", "that are not regular"))
        *most, last = [many(n, f"file {one}", f"files {more}") for n, one, more in reasons] or [""]
        listed = f"{', '.join(most)} and {last}" if most else last
        return f"; skipped {listed}" if reasons else ""
