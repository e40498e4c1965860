"""Options are declared once, in commands/; everything else is derived."""

from __future__ import annotations

import ast
import inspect
import pickle
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from string import Formatter

import click
import pytest

import unshade.cli
from unshade.cli import candidates, declarations, deferred, parsing
from unshade.cli.commands import (
    CompileOptions,
    DisOptions,
    RenderOptions,
    RunOptions,
    SceneOptions,
    SourceOptions,
    options_of,
)
from unshade.cli.commands.index import VERBS, shaders
from unshade.cli.declarations import (
    FLAG,
    GeneratedOptions,
    OptionGroup,
    OptionValue,
    VerbArgument,
    VerbOption,
    VerbOptions,
    declared,
    flat,
    module_of,
    plain,
)
from unshade.cli.parsing import INSTEAD, OPTIONS_ELSEWHERE
from unshade.cli.values import KERNEL_OPTIONS
from unshade.stripping import STRIPPABLE

SOURCES = Path(unshade.cli.__file__).parent
OF_THE_CALL = {"jobs", "again", "schema"}  # no verb's function reads these
CLASSES = [*VERBS.values(), CompileOptions, SceneOptions, SourceOptions]
OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*")


def trees() -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted(SOURCES.rglob("*.py")):
        yield path, ast.parse(path.read_text("utf-8"))


def called(tree: ast.AST) -> set[str]:
    """Return the names of the functions that a module calls."""
    calls = [each.func for each in ast.walk(tree) if isinstance(each, ast.Call)]
    return {ast.unparse(each) for each in calls}


def parameters(options: type[VerbOptions]) -> list[click.Parameter]:
    command = parsing.COMMANDS[options.verb]
    return command.get_params(click.Context(command))


# ---------------------------------------------------------------- one declaration


@pytest.mark.slow
def test_one_package_declares_options() -> None:
    forms = {"argument", "optional", "arguments", "flag", "one", "chosen", "required", "several"}
    assert forms < set(vars(declarations))
    for path, tree in trees():
        imports = [each for each in ast.walk(tree) if isinstance(each, ast.ImportFrom)]
        taken = {
            alias.name
            for each in imports
            if each.module is not None and each.module.endswith("declarations")
            for alias in each.names
        }
        assert path.parent.name == "commands" or not taken & forms, path
    assert {each.__module__.rpartition(".")[0] for each in CLASSES} == {"unshade.cli.commands"}
    assert set(VerbOptions.__subclasses__()) == set(CLASSES)


def test_options_of_a_verb_are_those_of_the_table() -> None:
    assert {verb: options_of(verb) for verb in VERBS} == VERBS
    assert options_of("nothing") is None


@pytest.mark.slow
def test_two_modules_make_options_of_click() -> None:
    making = {
        path.name
        for path, tree in trees()
        if called(tree) & {"click.Option", "click.Argument", "click.option", "click.argument"}
    }
    assert making == {"parsing.py", "deferred.py"}


@pytest.mark.parametrize("options", VERBS.values(), ids=list(VERBS))
def test_the_function_of_a_verb_takes_its_options(options: type[VerbOptions]) -> None:
    run = import_module(f"unshade.cli.verbs.{module_of(options.verb)}").run
    (parameter,) = inspect.signature(run).parameters.values()
    assert parameter.annotation is options


@pytest.mark.slow
def test_every_option_is_read() -> None:
    read = {
        path: {each.attr for each in ast.walk(tree) if isinstance(each, ast.Attribute)}
        for path, tree in trees()
    }
    read = {
        path: {*names, *KERNEL_OPTIONS} if "options" in names else names
        for path, names in read.items()
    }
    scene = {*read[SOURCES / "scene.py"], *read[SOURCES / "stages.py"]}
    words = {"strip": {name.replace("-", "_") for name in STRIPPABLE}}
    for verb, options in VERBS.items():
        own = read[SOURCES / "verbs" / f"{module_of(verb).replace('.', '/')}.py"] | words.get(
            verb, set()
        )
        if "scene" in declared(options):
            own |= scene
        if verb == "debug":
            own |= read[SOURCES / "debug_run.py"]
        assert declared(options).keys() - OF_THE_CALL <= own, verb
    by_name = {"hs", "ds", "gs", "as_", "eye", "look_at", "fov", "columns"}
    assert declared(SceneOptions).keys() - by_name <= scene | read[SOURCES / "verbs" / "debug.py"]


@pytest.mark.slow
def test_messages_name_existing_options() -> None:
    known = {"--help", "--version", "--max-", *OPTIONS_ELSEWHERE, *INSTEAD}
    for options in VERBS.values():
        for made in parameters(options):
            known |= {*made.opts, *made.secondary_opts}
    for path, tree in trees():
        for each in ast.walk(tree):
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                assert set(OPTION.findall(each.value)) <= known, (path, each.lineno)


# ---------------------------------------------------------------- what is derived


def test_names_of_tables_exist() -> None:
    for options in CLASSES:
        for each in declared(options).values():
            if isinstance(each, GeneratedOptions):
                assert each.table in deferred.OPTIONS
            if isinstance(each, VerbOption):
                assert not each.complete or inspect.isfunction(getattr(candidates, each.complete))
                assert {name for _, name, *_ in Formatter().parse(each.help)} <= {
                    None, *deferred.WORDS
                }  # fmt: skip
            if isinstance(each, VerbOption | VerbArgument):
                assert each.kind in parsing.TYPES or each.kind.choices is not None
    kinds = {each for each in vars(declarations).values() if isinstance(each, OptionValue)}
    assert kinds == set(parsing.TYPES)


@pytest.mark.parametrize("options", VERBS.values(), ids=list(VERBS))
def test_click_gets_every_declaration_in_order(options: type[VerbOptions]) -> None:
    def names(of: type[VerbOptions]) -> Iterator[str]:
        for name, each in declared(of).items():
            if isinstance(each, OptionGroup):
                yield from names(each.options)
            elif isinstance(each, GeneratedOptions):
                yield from (str(made.name) for made in deferred.OPTIONS[each.table]())
            else:
                yield name

    found = {str(each.name): each for each in parameters(options)}
    assert [name for name in found if not name.startswith("_")] == [*names(options)]
    for name, each in declared(options).items():
        if isinstance(each, VerbOption):
            assert [*found[name].opts, *found[name].secondary_opts] == [
                spelling for flag in each.flags for spelling in flag.split("/")
            ]
            assert found[name].required is each.required


def test_values_and_defaults() -> None:
    given = DisOptions(files=("a",), lines=True)
    assert (given.files, given.lines, given.dialect, given.of_formats) == (("a",), True, None, {})
    assert isinstance(DisOptions.lines, VerbOption)
    assert (DisOptions.lines.kind, DisOptions.lines.flag) == (FLAG, "--lines")
    with pytest.raises(TypeError, match="expected options of dis, got donor, line"):
        DisOptions(files=("a",), line=True, donor="b")
    with pytest.raises(TypeError, match="expected the name as_json, got json"):
        RunOptions.as_json.__set_name__(RunOptions, "json")


def test_options_can_be_sent_to_another_process() -> None:
    scene = SceneOptions(size="8x8", fov=30.0)
    given = RenderOptions(file="a", output="b", scene=scene)
    again = pickle.loads(pickle.dumps(given))
    assert flat(again) == flat(given)
    assert flat(again)["size"] == "8x8"
    assert again.scene.fov == 30.0


def parsed(line: list[str], monkeypatch: pytest.MonkeyPatch) -> VerbOptions:
    """Return the options that a command line gives to its verb."""
    taken: list[VerbOptions] = []

    def call(options: VerbOptions) -> int:
        taken.append(options)
        return 0

    monkeypatch.setattr(parsing, "call", call)
    assert parsing.run(line) == 0
    return taken[0]


def test_a_group_and_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = parsed(["render", "a", "-o", "b", "--rows", "--eye", "1,2,3"], monkeypatch)
    assert isinstance(drawn, RenderOptions)
    assert (drawn.scene.columns, drawn.scene.eye, drawn.scene.samples) == (False, "1,2,3", 1)
    assert drawn.output == "b"
    listed = parsed(["dis", "a", "--no-header", "--generation", "10.1"], monkeypatch)
    assert isinstance(listed, DisOptions)
    assert listed.of_formats == {"header": False, "generation": "10.1"}


@pytest.mark.parametrize("verb", [name for name, each in VERBS.items() if plain(each)])
def test_the_fast_path_without_options_agrees_with_click(
    verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert flat(parsed([verb, "a", "b"], monkeypatch)) == flat(VERBS[verb](files=("a", "b")))


def test_verbs_that_need_options_are_not_called_without_click() -> None:
    others = {name for name, each in VERBS.items() if not plain(each)}
    assert others == {
        "edit", "explain", "extract", "link", "pack", "put-back", "run", "render", "debug",
        "completion", "reduce",
        "catalog scan", "catalog query", "catalog show", "catalog diff", "catalog export",
        "catalog similar", "catalog compact",
    }  # fmt: skip


def test_shaders_are_completed_from() -> None:
    assert set(shaders()) == {"file", "ps", "vs", "hs", "ds", "gs", "as_", "ms", "against"}
