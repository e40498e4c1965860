"""Source texts by the file and line numbers of debug information.

    1  // OpModuleProcessed client vulkan100     main.frag:1
    2  #line 1
    3  #version 450                              main.frag:1, as debug information counts
    4  #line 20 "light.glsl"
    5  float lit() {                             light.glsl:20

Compilers number lines by `#line`; lines of the file itself are counted by newlines. Forms of the
directive:

    #line 20                  the next line is 20
    #line 20 3                likewise; the number of a source string, which has no name in SPIR-V
    #line 20 "light.glsl"     likewise; GL_GOOGLE_cpp_style_line_directive, HLSL, Slang
    # 20 "light.glsl" 1       likewise, as preprocessors print it

In GLSL before 3.30 (not ES), the line of the directive itself is 20, so the next line is 21. What
glslang adds before `#version` counts as in later versions. An argument that is not a decimal number
(a macro, an expression) leaves the lines after it without number. Directives in comments and in the
branch that `#if 0` excludes are ignored; other conditions are not evaluated.

Source: The OpenGL Shading Language 4.60, section 3.3; glslang, CPPline in Pp.cpp (both meanings of
`#line`) and GlslangToSpv.cpp (the lines that it adds); C++ standard, [cpp.line].
"""

import re
from collections.abc import Iterator, Mapping

from ..tuples import NamedTuple

__all__ = ["NumberedLine", "SourceTexts", "has_line_directives", "split_lines"]

NEWLINE = re.compile(r"\r\n?|\n\r?")  # GLSL: both orders are one newline
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"?|//|/\*')  # a string, closed or not
DIRECTIVE = re.compile(r"\s*#\s*(?:(line)\b|(?=\d))\s*(.*)", re.DOTALL)
ARGUMENTS = re.compile(r'(0|[1-9]\d{0,9})(?:\s+(?:(\d+)|"([^"]*)"(?:\s+\d+)*))?\s*')
CONDITION = re.compile(r"\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b(.*)", re.DOTALL)
VERSION = re.compile(r"\s*#\s*version\s+(\d+)\s*(\w*)")
FIRST_FOR_NEXT_LINE = 330


class NumberedLine(NamedTuple):
    """A line of a source and its number in debug information; 0 if it has no number."""

    number: int
    text: str


class _LinePlace(NamedTuple):
    """A line of a text, and whether its number and rank are unambiguous."""

    text: str  # name of the text
    at: int  # index of the line
    only: bool


class _NumberedText(NamedTuple):
    lines: list[str]
    ranks: list[int]
    numbers: list[int]
    names: list[tuple[str, ...]]  # the files that each line may belong to


class SourceTexts:
    """The source files that a program contains.

    Args:
        texts: Their contents, by the names in debug information.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        split = {name: _read(text) for name, text in texts.items()}
        next_line = all(each.next_line for each in split.values())  # included files have no version
        self._texts = {
            name: _NumberedText(each.lines, each.ranks, *_numbered(each, name, next_line))
            for name, each in split.items()
        }
        self._places: dict[str, dict[int, _LinePlace]] = {}
        self._ends: dict[str, list[str]] = {}  # files by their last component
        self._known: dict[str, dict[int, _LinePlace]] = {}
        for name, text in self._texts.items():
            for at in range(len(text.lines)):
                self._add(name, text, at)
        for file in self._places:
            self._ends.setdefault(file.rpartition("/")[2], []).append(file)

    def __contains__(self, file: str) -> bool:
        """Return True if lines of a file are known."""
        return bool(self._of(file))

    def line(self, file: str, number: int) -> str:
        """Return a line; "" if it does not exist, or its number is ambiguous."""
        place = self._of(file).get(number)
        return self._texts[place.text].lines[place.at] if place is not None and place.only else ""

    def around(self, file: str, number: int, distance: int) -> list[NumberedLine]:
        """Return a line with its consecutively numbered neighbours.

        Nothing unless exactly one line has the number.
        """
        place = self._of(file).get(number)
        if place is None or not place.only:
            return []
        text = self._texts[place.text]
        names = text.names[place.at]
        found = []
        for at in range(max(place.at - distance, 0), min(place.at + distance + 1, len(text.lines))):
            if text.numbers[at] == number + at - place.at and text.names[at] == names:
                found.append(NumberedLine(text.numbers[at], text.lines[at]))
        return found

    def whole(self, file: str) -> str | None:
        """Return a file with lines numbered as in debug information.

        Missing numbers are empty lines. The result is None if the file is unknown, or mostly
        missing.
        """
        places = self._of(file)
        if not places:
            return None
        last = max(places)
        if last > 1000 + 10 * len(places):
            return None
        return "".join(f"{self.line(file, number)}\n" for number in range(1, last + 1))

    def _of(self, file: str) -> dict[int, _LinePlace]:
        """Return the lines of a file by number; the end of a path suffices if it is unambiguous."""
        found = self._known.get(file)
        if found is None:
            name = _normal(file)
            names = [name] if name in self._places else self._alike(name)
            found = self._known[file] = self._places[names[0]] if len(names) == 1 else {}
        return found

    def _alike(self, name: str) -> list[str]:
        if not name:
            return []
        others = self._ends.get(name.rpartition("/")[2], [])
        return [one for one in others if f"/{one}".endswith(f"/{name}") or name.endswith(f"/{one}")]

    def _add(self, name: str, text: _NumberedText, at: int) -> None:
        number = text.numbers[at]
        for file in text.names[at] if number else ():
            places = self._places.setdefault(file, {})
            known = places.get(number)
            if known is None:
                places[number] = _LinePlace(name, at, True)
                continue
            other = self._texts[known.text]
            rank, before = text.ranks[at], other.ranks[known.at]
            if rank > before or not before:  # the last one, if none has code
                places[number] = _LinePlace(name, at, True)
            elif rank == before and other.lines[known.at].strip() != text.lines[at].strip():
                places[number] = known._replace(only=False)


def split_lines(text: str) -> list[str]:
    """Split a source text at its newlines: CR LF, LF CR, LF or CR."""
    return NEWLINE.split(text)


def has_line_directives(text: str) -> bool:
    """Return True if a text has `#line` directives, so that lines are not counted by newlines."""
    return bool(_read(text).directives)


def _normal(name: str) -> str:
    """Return a path with single slashes: `#line` escapes backslashes in HLSL, but not in GLSL."""
    path = re.sub(r"[\\/]+", "/", name)
    while path.startswith("./"):
        path = path[2:]
    return path


# -- reading a text --------------------------------------------------------------------------------


class _ReadText(NamedTuple):
    lines: list[str]
    ranks: list[int]  # 0 without code (blank, comment, directive), 1 outside of braces, 2 in them
    directives: dict[int, str]  # the arguments of #line, by index of the line
    version_at: int  # index of the line with #version; -1 without
    next_line: bool  # #line is about the next line


def _read(text: str) -> _ReadText:
    """Find code and directives outside comments. Code in braces may be the body of a function."""
    lines = split_lines(text)
    ranks, directives = [], {}
    version_at, next_line = -1, True
    excluded = 0  # nested conditions inside `#if 0`, itself included
    depth = least = 0  # of braces
    for at, line in enumerate(_uncommented(lines)):
        bare = line.lstrip()
        if not bare.startswith("#"):
            inside = 1 + (depth > 0 or "{" in bare)
            ranks.append(inside if bare and not excluded else 0)
            depth += 0 if excluded else bare.count("{") - bare.count("}")
            least = min(least, depth)
            continue
        ranks.append(0)
        condition = CONDITION.match(line)
        if condition is not None:
            excluded = _excluded(excluded, condition[1], condition[2].strip())
            continue
        if excluded:
            continue
        version = VERSION.match(line)
        if version is not None and version_at < 0:
            version_at = at
            next_line = version[2] == "es" or int(version[1][:9]) >= FIRST_FOR_NEXT_LINE
        directive = DIRECTIVE.match(line)
        if directive is not None:
            directives[at] = directive[2]
    if least < 0:  # braces in branches of conditions: which lines are inside is not known
        ranks = [min(each, 1) for each in ranks]
    return _ReadText(lines, ranks, directives, version_at, next_line)


def _excluded(depth: int, word: str, argument: str) -> int:
    if word in ("if", "ifdef", "ifndef"):
        return depth + 1 if depth or (word == "if" and argument == "0") else 0
    if word == "endif":
        return max(depth - 1, 0)
    return depth if depth > 1 else 0  # elif and else of `#if 0`


def _uncommented(lines: list[str]) -> Iterator[str]:
    """Yield each line without its comments."""
    inside = False
    for line in lines:
        kept: list[str] = []
        at = 0
        while True:
            if inside:
                end = line.find("*/", at)
                if end < 0:
                    break
                inside, at = False, end + 2
                kept.append(" ")
            found = TOKEN.search(line, at)
            if found is None:
                kept.append(line[at:])
                break
            is_string = found[0].startswith('"')
            kept.append(line[at : found.end() if is_string else found.start()])
            if found[0] == "//":
                break
            inside, at = not is_string, found.end()
        yield "".join(kept)


def _numbered(
    text: _ReadText, name: str, next_line: bool
) -> tuple[list[int], list[tuple[str, ...]]]:
    """Return the number of each line in debug information, and the files that it may belong to."""
    numbers: list[int] = []
    names: list[tuple[str, ...]] = []
    own = _normal(name)
    number: int | None = 1
    files: tuple[str, ...] = (own,)
    for at in range(len(text.lines)):
        numbers.append(number or 0)
        names.append(files)
        directive = text.directives.get(at)
        if directive is None:
            number = None if number is None else number + 1
            continue
        arguments = ARGUMENTS.fullmatch(directive)
        if arguments is None:
            number = None
            continue
        number = int(arguments[1]) + (not next_line and at > text.version_at)
        if arguments[3] is not None:
            files = (_normal(arguments[3]),)
        elif arguments[2] is not None:  # glslang keeps the name of the last file
            files = tuple(dict.fromkeys((own, files[-1])))
    return numbers, names
