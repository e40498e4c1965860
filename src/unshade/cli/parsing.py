"""Command lines parsed by click, as commands/ declares them.

The click parameters of a verb are made when it is parsed, described or completed, so that one verb
does not create the parameters of others.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import click
from click.shell_completion import CompletionItem

from ..errors import UnshadeError
from . import declarations, exits
from .commands.index import TASKS, VERB_GROUPS, VERBS
from .declarations import (
    FLAG,
    GeneratedOptions,
    OptionGroup,
    OptionValue,
    VerbArgument,
    VerbOption,
    VerbOptions,
    declared,
)
from .output import note, tell
from .paths import BOUND, READ, WRITTEN
from .processes.jobs import call

PARAMETERS = f"{__name__}.parameters"  # key of a call's options, once their parameters are made
HYPHEN = "\ue000"  # for one at which no line may be broken
CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
EPILOG = f"""Examples: unshade info ps.cso; unshade dis ps.cso; unshade diff old.cso new.cso;
unshade render ps.cso -o picture.png. unshade help VERB shows the options of a verb.

FILE may be a folder (all shaders below it) or - for standard input. run and debug take
a single file, render a file or a folder.

Exit codes: {", ".join(f"{code} {words}" for code, words in exits.BRIEF.items())}. With several
files the highest code is returned."""

TYPES: Mapping[OptionValue[Any], click.ParamType[Any]] = {
    declarations.TEXT: click.STRING,
    declarations.FLAG: click.BOOL,
    declarations.INTEGER: click.INT,
    declarations.NATURAL: click.IntRange(0),
    declarations.POSITIVE: click.IntRange(1),
    declarations.REAL: click.FLOAT,
    declarations.ANGLE: click.FloatRange(0, 180, min_open=True, max_open=True),
    declarations.READ: READ,
    declarations.SHADER: READ,
    declarations.BOUND: BOUND,
    declarations.WRITTEN: WRITTEN,
}


class WholeWords(click.HelpFormatter):
    """A formatter that breaks no word at its hyphens: `--max-bytes` stays whole."""

    def write_text(self, text: str) -> None:
        super().write_text(text.replace("-", HYPHEN))

    def write_dl(self, rows: Iterable[tuple[str, str]], *given: Any, **more: Any) -> None:
        whole = [(first, second.replace("-", HYPHEN)) for first, second in rows]
        super().write_dl(whole, *given, **more)

    def write(self, string: str) -> None:
        super().write(string.replace(HYPHEN, "-"))


class HelpContext(click.Context):
    """A context whose help is written by WholeWords."""

    formatter_class = WholeWords


class Verb(click.Command):
    """A command whose help and parameters are made when it is parsed, described or completed."""

    context_class = HelpContext

    def __init__(self, options: type[VerbOptions]) -> None:
        super().__init__(
            options.verb.rpartition(" ")[2], callback=partial(_call, options), help=options.__doc__,
            context_settings=CONTEXT,
        )  # fmt: skip
        self.options = options

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        # Once a call: what tables supply depends on the formats that are installed.
        if ctx.meta.get(PARAMETERS) is not self.options:
            ctx.meta[PARAMETERS] = self.options
            self.params = [*_parameters(self.options)]
            self._fill_in()
        return super().get_params(ctx)

    def get_short_help_str(self, limit: int = 45) -> str:
        self._fill_in()
        return super().get_short_help_str(limit)

    def _fill_in(self) -> None:
        self.help = _filled(self.options.__doc__ or "")


def _call(options: type[VerbOptions], **given: Any) -> int:
    try:
        if given.get("again"):
            from .watch import watched

            return watched(_object(options, given))
        return call(_object(options, given))
    except BrokenPipeError:  # click would exit with 1, which means findings
        return exits.CLOSED_PIPE


def _object(options: type[VerbOptions], given: Mapping[str, Any]) -> VerbOptions:
    """Return the options with the values that click has parsed."""
    values: dict[str, Any] = {}
    for name, each in declared(options).items():
        if isinstance(each, OptionGroup):
            values[name] = _object(each.options, given)
        elif isinstance(each, GeneratedOptions):
            own = (str(option.name) for option in _generated(each))
            values[name] = {key: given[key] for key in own if given[key] is not None}
        elif name in given:
            values[name] = given[name]
    return options(**values)


def _parameters(options: type[VerbOptions]) -> Iterator[click.Parameter]:
    """Yield the click parameters of a class of options."""
    for name, each in declared(options).items():
        match each:
            case VerbArgument():
                nargs = -1 if each.many else 1
                offered = _offered(each.complete, several=False) if each.complete else None
                yield click.Argument(
                    [name], metavar=each.metavar, type=_type(each.kind), nargs=nargs,
                    required=each.required, shell_complete=offered,
                )  # fmt: skip
            case VerbOption():
                yield _option(each)
            case OptionGroup():
                yield from _parameters(each.options)
            case GeneratedOptions():
                yield from _generated(each)


def _option(each: VerbOption[Any]) -> click.Option:
    more: dict[str, Any] = {}
    if each.complete:
        more["shell_complete"] = _offered(each.complete, several=each.commas)
    if each.prints is not None:
        more |= {"is_eager": True, "expose_value": False, "callback": _printing(each.prints)}
    if each.kind is FLAG and each.default is False:
        more["is_flag"] = True
    else:
        more["type"] = _type(each.kind)
        if not each.required and (each.kind is FLAG or each.default not in (None, ())):
            more["default"] = each.default
    return click.Option(
        [*each.flags, each.name], metavar=each.metavar, help=_filled(each.help),
        multiple=each.many, required=each.required, **more,
    )  # fmt: skip


def _type(kind: OptionValue[Any]) -> click.ParamType[Any]:
    return TYPES[kind] if kind.choices is None else click.Choice(kind.choices())


def _generated(each: GeneratedOptions[Any]) -> list[click.Option]:
    """Return the options of a table."""
    from .deferred import OPTIONS

    return [*OPTIONS[each.table]()]


def _filled(help: str) -> str:
    """Return a text of help with its {placeholders} replaced."""
    if "{" not in help:
        return help
    from .deferred import filled

    return filled(help)


def _printing(text: Callable[[str], str]) -> Callable[..., None]:
    """Return a callback that prints a text of the verb and exits."""

    def show(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
        if asked and not ctx.resilient_parsing:
            assert isinstance(ctx.command, Verb)
            click.echo(text(ctx.command.options.verb))
            ctx.exit()

    return show


def _offered(name: str, *, several: bool) -> Callable[..., list[CompletionItem]]:
    """Return a completion callback for a function of candidates.py; `several` allows commas."""

    def complete(ctx: click.Context, _: click.Parameter, begun: str) -> list[CompletionItem]:
        from . import candidates

        # Where the last option has no value yet, click leaves the arguments before it in `args`.
        given = {**ctx.params, "args": ctx.args}
        found = candidates.fitting(getattr(candidates, name), given, begun, several=several)
        return [CompletionItem(value, help=about or None) for value, about in found]

    return complete


# ---------------------------------------------------------------- all verbs


class HelpCommand(click.Command):
    """`unshade help VERB`: the help of a verb, or of all."""

    context_class = HelpContext

    def __init__(self) -> None:
        super().__init__(
            "help", callback=_help, params=[click.Argument(["verb"], nargs=-1)],
            help="Show the help of a verb.", context_settings=CONTEXT,
        )  # fmt: skip


def _help(verb: tuple[str, ...]) -> None:
    shown = click.get_current_context().parent
    assert shown is not None
    for word in verb:
        if not isinstance(shown.command, click.Group):
            raise click.UsageError(f"expected a verb, got {' '.join(verb)!r:.60}", shown)
        # Resolves as the group does, with its suggestion for an unknown name.
        name, command, _ = shown.command.resolve_command(shown, [word])
        assert command is not None
        shown = HelpContext(command, info_name=name, parent=shown)
    click.echo(shown.command.get_help(shown))


class VerbGroup(click.Group):
    """The verbs whose names begin with the same word, in order of declaration."""

    context_class = HelpContext

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs with their whole summaries."""
        rows = [(name, each.get_short_help_str(1000)) for name, each in self.commands.items()]
        with formatter.section("Verbs"):
            formatter.write_dl(rows)


# Commands of other tools, with the verb that does the same.
ELSEWHERE = {
    "compile": "asm --compile",
    "assemble": "asm",
    "disasm": "dis",
    "disassemble": "dis",
    "dumpbin": "dis",
    "objdump": "dis",
    "show": "info",
    "view": "report",
    "html": "report",
    "reflection": "reflect",
    "val": "verify",
    "validate": "verify",
    "lint": "verify",
    "compare": "diff",
    "test": "prove",
    "budget": "check",
    "stats": "cost",
    "convert": "translate",
    "search": "find",
    "draw": "render",
    "trace": "debug",
    "execute": "run",
    "patch": "edit",
    "minimize": "reduce",
    "shrink": "reduce",
    "step": "debug --step",
    "list": "parts or find",
    "ls": "parts or find",
    "unpack": "find --extract",
    "repack": "put-back",
    "header": "headers",
    "glslang": "asm --compile",
    "glslangValidator": "asm --compile",
    "slangc": "asm --compile",
}


def elsewhere() -> dict[str, str]:
    """Return the words of other tools with the verbs that are meant, those of formats included."""
    from ..formats import known

    return {**ELSEWHERE, **{word: verb for each in known() for word, verb in each.commands}}


# Options of other tools, of compilers for instance, with those that mean the same: a verb
# may have one of them.
OPTIONS_ELSEWHERE: dict[str, tuple[str, ...]] = {
    "-o": ("--to",),
    "--output": ("--to",),
    "-F": ("--output", "--to"),  # -Fo, -Fc
    "-T": ("--profile",),
    "-E": ("--entry",),
    "-e": ("--entry",),
    "--entry-point": ("--entry",),
    "--target-env": ("--target", "--profile"),
    "-S": ("--stage",),
    "--lang": ("--language", "--to"),
    "--hlsl": ("--to",),
    "--glsl": ("--to",),
    "--width": ("--size",),
    "--height": ("--size",),
    "--resolution": ("--size",),
    "--uniform": ("--set",),
    "--texture": ("--bind",),
}

# Options of other tools in place of which something else is done.
INSTEAD = {
    "--color": "set FORCE_COLOR=1",
    "--colour": "set FORCE_COLOR=1",
    "--no-color": "set NO_COLOR=1",
    "--no-colour": "set NO_COLOR=1",
    "--scalar-block-layout": "it is the default; --no-scalar-block-layout turns it off",
    "--recursive": "FILE may be a folder",
}


def _message(error: click.ClickException) -> str:
    """Return what an error says; for an option of another tool, the verb's own that is meant."""
    context = getattr(error, "ctx", None)
    if isinstance(error, click.NoSuchOption) and context is not None:
        own = {flag for each in context.command.get_params(context) for flag in each.opts}
        for each in OPTIONS_ELSEWHERE.get(error.option_name, ()):
            if each in own:
                return f"No such option {error.option_name!r}: use {each}."
        words = INSTEAD.get(error.option_name)
        if words is not None:
            return f"No such option {error.option_name!r}: {words}."
    return error.format_message()


class InOrder(click.Group):
    """A group that lists its commands by task, and in order of declaration otherwise."""

    context_class = HelpContext

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return HelpCommand() if cmd_name == "help" else super().get_command(ctx, cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; name the verb that does what another tool's command does."""
        verb = elsewhere().get(args[0]) if args and args[0] not in self.commands else None
        if verb is not None:
            ctx.fail(f"No such command {args[0]!r}: use {verb}.")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with their whole summaries."""
        left = self.commands
        tasks = {task: [name for name in names if name in left] for task, names in TASKS.items()}
        listed = {name for names in tasks.values() for name in names}
        tasks["Other"] = [name for name in left if name not in listed]
        for task, names in tasks.items():
            if names:
                rows = [(name, left[name].get_short_help_str(1000)) for name in names]
                with formatter.section(task):
                    formatter.write_dl(rows)


def _versions(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        from .versions import text

        click.echo(text(), nl=False)
        ctx.exit()


# Every verb by its whole name, such as `info` and `catalog scan`.
COMMANDS: Mapping[str, Verb] = {name: Verb(each) for name, each in VERBS.items()}


def _commands() -> dict[str, click.Command]:
    """Return the commands by the first word of their names."""
    found: dict[str, click.Command] = {}
    for name, each in COMMANDS.items():
        first, _, second = name.partition(" ")
        if not second:
            found[first] = each
            continue
        group = found.setdefault(
            first, VerbGroup(first, help=VERB_GROUPS.get(first), context_settings=CONTEXT)
        )
        assert isinstance(group, VerbGroup)
        group.add_command(each)
    return found


@click.group(
    cls=InOrder,
    commands=_commands(),
    context_settings=CONTEXT,
    epilog=EPILOG,
)
@click.option(
    "-V", "--version", is_flag=True, expose_value=False, is_eager=True, callback=_versions,
    help="Show the version, and which extras are installed.",
)  # fmt: skip
def unshade() -> None:
    """Inspect, edit, compare and run compiled shaders."""


def _show(error: click.ClickException) -> None:
    """Print an error of the command line: the usage of the verb, then the error."""
    context = getattr(error, "ctx", None)
    if context is not None:
        tell(context.get_usage())
    note(_message(error))
    if context is not None:
        tell(f"try: {context.command_path} --help")


def run(arguments: list[str]) -> int:
    """Parse the arguments, call the verb and return its exit code."""
    try:
        code = unshade.main(arguments, prog_name="unshade", standalone_mode=False)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.ClickException as error:
        _show(error)
        return error.exit_code
    except UnshadeError as error:
        note(str(error))
        return exits.code_of(error)
    return code if isinstance(code, int) else exits.FINE
