"""Paths of output files: `-o FILE` for one input, `-o FOLDER` for several.

    skin.vso            →  skin.asm                      the input's name with another suffix
    skin.vso, skin.pso  →  skin.vso.asm, skin.pso.asm    same stem: appended to the whole name

All outputs of a run are checked before its first file is written.
"""

import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from .. import files as system
from .. import windows
from ..errors import UsageError
from ..windows import file_name

if TYPE_CHECKING:
    from .inputs import Input


PAGE = ".html"
INDEX = "index"  # name of the page of several inputs, without its suffix
LONGEST = 200  # bytes of a portable name without suffixes


def language_of(
    asked: str | None, output: str | None, suffixes: Mapping[str, str], default: str
) -> str:
    """Return the language that is asked for, else that of the output's suffix, else the default.

    Args:
        asked: The value of --to, if it is given.
        output: The value of --output, if it is given.
        suffixes: The suffixes of each language, separated by spaces.
        default: The language of other outputs.
    """
    if asked is not None:
        return asked
    suffix = os.path.splitext(output or "")[1].lower()
    return next((each for each, known in suffixes.items() if suffix in known.split()), default)


def apart(sources: Iterable[tuple[str, str]]) -> list[str]:
    """Return a unique name for each (short, whole): short if that is unique.

    Names are compared without case, as on many file systems. The result does not depend on the
    order of the sources.
    """
    known = list(sources)
    names = [short for short, _ in known]
    while True:
        count = Counter(map(str.casefold, names))
        longer = [
            whole if count[name.casefold()] > 1 else name
            for name, (_, whole) in zip(names, known, strict=True)
        ]
        if longer == names:
            return names
        names = longer  # a whole name may equal the short name of another source


def portable(sources: Iterable[tuple[str, str]], taken: Iterable[str] = ()) -> list[str]:
    """Return a name for each (short, whole) that every usual file system accepts and tells apart.

    Names that would be equal, or equal to a `taken` one, get a number: `skin~2`.
    """
    used = set(map(_folded, taken))
    found = []
    for name in apart(sources):
        folder, base = os.path.split(name)
        steps = [_safe(each) for each in folder.split(os.sep) if each]
        made = plain = os.path.join(*steps, _safe(base))
        number = 1
        while _folded(made) in used:
            number += 1
            made = f"{plain}~{number}"
        used.add(_folded(made))
        found.append(made)
    return found


def link(place: str, page: str) -> str:
    """Return the link to a file from a page: relative, with escapes for all unusual bytes."""
    from urllib.parse import quote

    path = os.path.relpath(place, os.path.dirname(page) or ".")
    return "./" + quote(os.fsencode(path.replace(os.sep, "/")))


def _folded(name: str) -> str:
    """Return a key that is equal for names that some file system takes as one."""
    from unicodedata import normalize

    return normalize("NFC", name.casefold())


def _safe(name: str) -> str:
    """Return a portable name that leaves room for suffixes within the usual 255 bytes."""
    data = os.fsencode(windows.portable(name))
    return os.fsdecode(data) if len(data) <= LONGEST else _cut(data)


def _cut(data: bytes) -> str:
    """Return the first bytes of a name, up to a whole character."""
    end = LONGEST
    while end and data[end] & 0xC0 == 0x80:  # inside of a character in UTF-8
        end -= 1
    return os.fsdecode(data[:end])


Namer = Callable[[Iterable[tuple[str, str]]], list[str]]


def refuse_name_of_file(path: str, endings: Iterable[str]) -> None:
    """Raise UsageError if the folder for several outputs has the name of one of them."""
    name = os.path.basename(path)
    if os.path.isdir(path) or not any(re.search(rf"(?:{each})$", name) for each in endings):
        return
    raise UsageError(f"-o {path}: several inputs need a folder: give -o FOLDER")


class Targets:
    """The paths of one run's outputs.

    Args:
        path: Argument of `-o`; None or `-` for standard output.
        endings: Patterns for the text after the input's name in the names of outputs; empty if
            outputs are named like their inputs.
        files: Arguments of the command line.
        one_each: Each input becomes a separate file.
        always: The path is a folder even for one output.
        nested: Several inputs get a folder each.
        namer: Names outputs by their (short, whole) names.

    Raises:
        UsageError: Several outputs (`one_each`) would be written to one file.
    """

    def __init__(
        self,
        path: str | None,
        endings: Sequence[str],
        files: Sequence[str],
        *,
        one_each: bool = False,
        always: bool = False,
        nested: bool = False,
        namer: Namer = apart,
    ) -> None:
        from .inputs import several

        many = bool(files) and several(files)
        if many and one_each and path in (None, "-"):
            raise UsageError("several inputs need a folder: give -o FOLDER")
        if many and one_each and path is not None:
            refuse_name_of_file(path, endings)
        self.path = None if path == "-" and not always else path
        self.folder = self.path is not None and (
            many or always or os.path.isdir(self.path) or self.path.endswith(("/", os.sep))
        )
        self.endings = endings
        self.several = many and one_each
        self.nested = many if nested else None
        self.namer = namer
        # Name with suffix of an output that is not named after its input.
        self.called: Callable[[Input], str | None] = lambda item: None
        self._names: dict[str, str] = {}
        self._taken: dict[str, str] = {}

    def plan(self, items: Iterable["Input"]) -> None:
        """Name the outputs of inputs; raise UsageError if an output may replace an input."""
        if self.path is None:
            return
        if self.folder and not self.endings and self.several:
            items = [*items]
            suffixes = {os.path.splitext(item.path)[1] for item in items} - {""}
            refuse_name_of_file(self.path, map(re.escape, suffixes))
        if not self.folder:
            system.check_output(self.path)
            return
        distinct = {item.path: item for item in items}
        if self.endings:
            names = self.namer(
                (file_name(item.stem), file_name(item.inside)) for item in distinct.values()
            )
        else:
            names = [file_name(item.inside) for item in distinct.values()]
        self._names = dict(zip(distinct, names, strict=True))
        for place in sorted(self._in_danger(distinct.values())):
            system.check_output(place)
        made: dict[str, str] = {}
        for item in distinct.values():
            place = self._whole(item) or self.base(item)
            other = made.setdefault(os.path.normcase(place), item.name)
            if other != item.name:
                both = f"{other} and {item.name}"
                raise UsageError(f"outputs of {both} would have the same name in {self.path}")

    def base(self, item: "Input") -> str:
        """Return the prefix of the paths of an input's outputs; for `nested` their folder."""
        assert self.path is not None
        if self.nested is False:
            return os.path.join(self.path, "")
        base = os.path.join(self.path, self._names[item.path])
        return os.path.join(base, "") if self.nested else base

    def place(self, item: "Input", ending: str = "", *, called: str | None = None) -> str | None:
        """Return the file to write for an input and create its folder; None for standard output.

        `called` is the name of an output that is not named after its input.
        """
        if not self.folder:
            return self.path
        place = self.base(item) + ending if called is None else self._at(called)
        other = self._taken.setdefault(os.path.normcase(place), item.name)
        if other != item.name:
            raise UsageError(f"{place} has already been written for {other}")
        system.make_folder(os.path.dirname(place))
        return place

    def _at(self, name: str) -> str:
        return os.path.join(self.path or "", name)

    def _whole(self, item: "Input") -> str | None:
        """Return the path of an input's output, or None if its suffix is not known yet."""
        called = self.called(item)
        if called is not None:
            return self._at(called)
        return None if self.endings else self.base(item)

    def _in_danger(self, items: Iterable["Input"]) -> Iterator[str]:
        """Yield protected files that an output may replace."""
        names: dict[str, set[str]] = defaultdict(set)
        begins: dict[str, set[str]] = defaultdict(set)
        for item in items:
            whole = self._whole(item)
            folder, name = os.path.split(self.base(item) if whole is None else whole)
            (begins if whole is None else names)[folder].add(name.casefold())
        ends = re.compile("|".join(self.endings).casefold(), re.DOTALL)
        for folder in names.keys() | begins.keys():
            try:
                there = system.entries(folder or ".")
            except OSError:
                continue
            for each in there:
                folded = each.name.casefold()
                splits = (at for at in range(len(folded) + 1) if folded[:at] in begins[folder])
                if folded in names[folder] or any(ends.fullmatch(folded, at) for at in splits):
                    place = os.path.join(folder, each.name)
                    if each.regular and system.is_protected(place):
                        yield place
