"""Declarations of options: the options of a verb are attributes of a class.

    class SignOptions(VerbOptions, verb="sign"):
        '''Recompute the digest.'''

        files = FILES
        in_place = flag("Replace each file.", "-i")
        output = one(WRITTEN, "PATH", "Output file; a folder for several inputs.", "-o")

No other place declares an option's name, type, default or help: parsing.py makes click's command
of the class, and the verb's function takes an object of it, whose `in_place` is a bool and whose
`output` is a str or None for type checkers, too. As in Django's models and traitlets, attributes
are descriptors: an attribute of the class is the declaration, an attribute of an object its value.

This module does not import click, which a command line without options does not need.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")


class OptionValue(Generic[T]):
    """The values that an option takes; parsing.py maps them to a type of click."""

    __slots__ = ("choices",)

    def __init__(self, choices: Callable[[], Sequence[str]] | None = None) -> None:
        self.choices = choices


TEXT: OptionValue[str] = OptionValue()
FLAG: OptionValue[bool] = OptionValue()
INTEGER: OptionValue[int] = OptionValue()
NATURAL: OptionValue[int] = OptionValue()  # from 0
POSITIVE: OptionValue[int] = OptionValue()
REAL: OptionValue[float] = OptionValue()
ANGLE: OptionValue[float] = OptionValue()  # between 0 and 180 degrees
READ: OptionValue[str] = OptionValue()  # paths to read, which no output may overwrite
SHADER: OptionValue[str] = OptionValue()  # paths of one shader
BOUND: OptionValue[str] = OptionValue()  # NAME=VALUE, whose value may be a path to read
WRITTEN: OptionValue[str] = OptionValue()  # paths to write


def choice(*names: str) -> OptionValue[str]:
    """Return the values that are one of these words."""
    return OptionValue(lambda: names)


class VerbOptions:
    """The options of a verb or a group; the docstring of a verb's class is its help."""

    verb = ""

    def __init_subclass__(cls, verb: str = "") -> None:
        cls.verb = verb

    def __init__(self, **given: object) -> None:
        unknown = given.keys() - declared(type(self)).keys()
        if unknown:
            raise TypeError(f"expected options of {self.verb}, got {', '.join(sorted(unknown))}")
        vars(self).update(given)


Group = TypeVar("Group", bound=VerbOptions)


def module_of(verb: str) -> str:
    """Return the path of the module of a verb below verbs/: `put_back`, `catalog.scan`."""
    return verb.replace("-", "_").replace(" ", ".")


class Declared(Generic[T]):
    """An attribute of a class of options; `default` is missing if the attribute is required."""

    name = ""
    default: T

    def __init__(self, *default: T) -> None:
        if default:
            (self.default,) = default

    def __set_name__(self, owner: type, name: str) -> None:
        if self.name not in ("", name):
            raise TypeError(f"expected the name {self.name}, got {name}")
        self.name = name

    @overload
    def __get__(self, holder: None, owner: type) -> Self: ...
    @overload
    def __get__(self, holder: object, owner: type) -> T: ...
    def __get__(self, holder: object, owner: type) -> Self | T:
        return self if holder is None else self.default  # of an object that has no value


class VerbArgument(Declared[T]):
    """A positional argument."""

    def __init__(
        self,
        kind: OptionValue[Any],
        metavar: str | None,
        *default: T,
        many: bool = False,
        required: bool = True,
        complete: str = "",
    ) -> None:
        super().__init__(*default)
        self.kind = kind
        self.metavar = metavar
        self.many = many
        self.required = required
        self.complete = complete  # a function of candidates.py


class VerbOption(Declared[T]):
    """An option; `names` are short names, and the long ones if the attribute has another name."""

    def __init__(
        self,
        kind: OptionValue[Any],
        metavar: str | None,
        help: str,
        names: Sequence[str],
        *default: T,
        many: bool = False,
        complete: str = "",
        commas: bool = False,
        prints: Callable[[str], str] | None = None,
    ) -> None:
        super().__init__(*default)
        self.kind = kind
        self.metavar = metavar
        self.help = help  # with {placeholders}, the names in deferred.py
        self.names = names
        self.many = many
        self.complete = complete  # a function of candidates.py
        self.commas = commas  # between candidates
        self.prints = prints  # the text that is printed instead, by verb

    @property
    def flags(self) -> Sequence[str]:
        """The option as typed on the command line, in all spellings."""
        if any(each.startswith("--") for each in self.names):
            return self.names
        return (*self.names, f"--{self.name.replace('_', '-')}")

    @property
    def flag(self) -> str:
        """The option as messages name it."""
        return next(each for each in self.flags if each.startswith("--")).partition("/")[0]

    @property
    def required(self) -> bool:
        """True if it has no default."""
        return not hasattr(self, "default")


class OptionGroup(Declared[Group]):
    """Options that several verbs share, as a separate object."""

    def __init__(self, options: type[Group]) -> None:
        super().__init__(options())
        self.options = options


class GeneratedOptions(Declared[Mapping[str, T]]):
    """Options generated from a table of deferred.py; the value maps the given options to values."""

    def __init__(self, table: str) -> None:
        super().__init__({})
        self.table = table


def declared(options: type[VerbOptions]) -> dict[str, Declared[Any]]:
    """Return the declarations of a class, in order."""
    return {name: each for name, each in vars(options).items() if isinstance(each, Declared)}


def flags(options: type[VerbOptions]) -> dict[str, str]:
    """Return the options of a class as messages name them, by attribute."""
    found = declared(options).items()
    return {name: each.flag for name, each in found if isinstance(each, VerbOption)}


def plain(options: type[VerbOptions]) -> bool:
    """Return True for a verb whose arguments are all files and whose options all have defaults."""
    own = declared(options)
    return "files" in own and all(
        name == "files" or hasattr(each, "default") for name, each in own.items()
    )


def flat(options: VerbOptions) -> dict[str, Any]:
    """Return all values by name, including values of groups."""
    found: dict[str, Any] = {}
    for name, each in declared(type(options)).items():
        value = getattr(options, name)
        found |= flat(value) if isinstance(each, OptionGroup) else {name: value}
    return found


# ---------------------------------------------------------------- the forms of a declaration


def argument(kind: OptionValue[T], metavar: str | None = None) -> VerbArgument[T]:
    """Declare an argument."""
    return VerbArgument(kind, metavar)


def optional(kind: OptionValue[T], metavar: str) -> VerbArgument[T | None]:
    """Declare an argument that may be missing."""
    return VerbArgument(kind, metavar, None, required=False)


def arguments(
    kind: OptionValue[T], metavar: str, *, required: bool = True, complete: str = ""
) -> VerbArgument[tuple[T, ...]]:
    """Declare the last arguments of a line."""
    if required:
        return VerbArgument(kind, metavar, many=True, complete=complete)
    return VerbArgument(kind, metavar, (), many=True, required=False, complete=complete)


def flag(help: str, *names: str, prints: Callable[[str], str] | None = None) -> VerbOption[bool]:
    """Declare an option without a value."""
    return VerbOption(FLAG, None, help, names, False, prints=prints)


def one(
    kind: OptionValue[T], metavar: str | None, help: str, *names: str, complete: str = "",
    commas: bool = False,
) -> VerbOption[T | None]:  # fmt: skip
    """Declare an option that is None if it is not given."""
    return VerbOption(kind, metavar, help, names, None, complete=complete, commas=commas)


def chosen(
    kind: OptionValue[T], default: T, metavar: str | None, help: str, *names: str
) -> VerbOption[T]:
    """Declare an option with a default."""
    return VerbOption(kind, metavar, help, names, default)


def required(kind: OptionValue[T], metavar: str, help: str, *names: str) -> VerbOption[T]:
    """Declare an option that has to be given."""
    return VerbOption(kind, metavar, help, names)


def several(
    kind: OptionValue[T], metavar: str, help: str, *names: str, complete: str = "",
    commas: bool = False,
) -> VerbOption[tuple[T, ...]]:  # fmt: skip
    """Declare an option that may be repeated."""
    return VerbOption(kind, metavar, help, names, (), many=True, complete=complete, commas=commas)
