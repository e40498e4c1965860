"""The compilers, in the order in which they are tried.

Slang is the first, so that a source gives the same shader wherever the extra `[slang]` is
installed. Other distributions add compilers by the entry-point group `unshade.compilers`: each
entry is a `Compiler` (jobs.py). They come last.
"""

from functools import cache

from ..errors import UnsupportedError, UsageError, did_you_mean
from ..plugins import entry_points
from ..vocab.languages import SourceLanguage
from .assembling import OwnAssembler
from .jobs import Compiler
from .slang import SlangCompiler
from .tools import PROGRAMS

GROUP = "unshade.compilers"
OWN: tuple[Compiler, ...] = (SlangCompiler(), *PROGRAMS, OwnAssembler())


@cache
def _others() -> tuple[Compiler, ...]:
    return tuple(each.load() for each in entry_points(GROUP))


def compilers() -> tuple[Compiler, ...]:
    """Return all compilers, installed or not."""
    return (*OWN, *_others())


def chosen(
    language: SourceLanguage, name: str | None, makes: str | None = None, text: str = ""
) -> Compiler:
    """Return the named compiler, else the first for the language that is installed.

    The first of those that make programs of the language `makes`, if any of them is installed; none
    that lacks an extension of GLSL that the source's text names.

    Raises:
        UsageError: There is no compiler of that name, or it does not read the language.
        UnsupportedError: None is installed; the message says what to install.
    """
    if name is not None:
        wanted = {name.lower(), f"{name.lower()}validator", f"{name.lower()}-compiler"}
        found = next((each for each in compilers() if each.name.lower() in wanted), None)
        if found is None:
            names = [each.name for each in compilers()]
            raise UsageError(
                f"unknown compiler {name!r:.40}{did_you_mean(name, names)}; expected one of"
                f" {', '.join(names)}"
            )
        if language not in found.languages:
            reads = ", ".join(each.spelling for each in found.languages)
            raise UsageError(f"{found.name} reads {reads}, got a source of {language.spelling}")
        return found
    fitting = [each for each in compilers() if language in each.languages]
    if makes is not None:
        fitting.sort(key=lambda each: makes not in getattr(each, "makes", ()))
    lacked = {word for each in fitting for word in getattr(each, "lacks", ()) if word in text}
    fitting = [each for each in fitting if not lacked.intersection(getattr(each, "lacks", ()))]
    for each in fitting:
        if not each.missing():
            return each
    first = fitting[0]
    others = ", ".join(each.name for each in fitting[1:])
    also = f"; others that unshade can call: {others}" if others else ""
    old = [said for each in fitting if (said := getattr(each, "outdated", str)())]
    also += "".join(f"; {each}" for each in old)
    extended = "".join(f" with {word}" for word in sorted(lacked))
    raise UnsupportedError(
        f"no compiler for {language.spelling}{extended} is installed, such as {first.name};"
        f" {first.install}{also}"
    )
