"""The contract of `Program`, checked on an example of every instruction set."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from inspect import isfunction
from pkgutil import iter_modules
from typing import Any

import pytest

import unshade
from tests.examples import EXAMPLES
from tests.model.schema_check import violations
from tests.slots import (
    ports_of_facts,
    ports_of_lowered,
    ports_of_reflection,
    unknown_resources,
)
from unshade import programs
from unshade.errors import AssembleError, UnsupportedError, UsageError
from unshade.ir.lowered import Lowered
from unshade.ir.specialisation import Specialisation
from unshade.ir.types import KEEP, Widths
from unshade.model import Statistics
from unshade.model.facts import ProgramFacts
from unshade.model.plain import schema_of
from unshade.program import Instruction, Program
from unshade.wire.spans import gaps

# The dialects that `assemble` does not take for the same program: upstream's text of SkSL does not
# say the kind. And the languages whose exact text is the same program, not the same bytes.
SHOWN = {"sksl": {"upstream"}}
SAME_PROGRAM = {"sksl"}
# The languages whose native text has ids without names, which are numbered anew.
NUMBERED = {"spirv"}
KINDS = sorted(each.name for each in iter_modules(programs.__path__))


def kind_of(program: Program[Any]) -> str:
    """Return the folder of the instruction set."""
    return type(program).__module__.split(".")[2]


def examples() -> Iterator[tuple[str, unshade.Shader, Program[Any]]]:
    for path in sorted(EXAMPLES.rglob("*")):
        if path.is_file() and unshade.identify(path.read_bytes()) is not None:
            shader = unshade.open(path)
            for number, program in enumerate(shader.programs):
                yield f"{path.name}-{number}", shader, program


FOUND = list(examples())
ALL = {name: program for name, _, program in FOUND}
OF_PROGRAM = {id(program): shader for _, shader, program in FOUND}


def taken_apart(instruction: Instruction) -> bool:
    """Return whether the text of an instruction begins with its name; custom data's does not."""
    return bool(instruction.operands)


@pytest.fixture(params=ALL)
def program(request: pytest.FixtureRequest) -> Program[Any]:
    return ALL[request.param]


def test_every_instruction_set_has_an_example() -> None:
    assert sorted({kind_of(each) for each in ALL.values()}) == KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_every_method_is_implemented(kind: str) -> None:
    """A base's method that only raises has another in each instruction set."""
    cls = next(type(each) for each in ALL.values() if kind_of(each) == kind)
    for name, base in vars(Program).items():
        plain = getattr(base, "fget", None) or getattr(base, "__func__", base)
        if isfunction(plain) and "NotImplementedError" in plain.__code__.co_names:
            assert getattr(cls, name) is not base, f"{kind} lacks {name}"
            assert any(name in vars(each) for each in cls.__mro__ if each is not Program), name


def test_bytes_spans_and_places(program: Program[Any]) -> None:
    data = program.encode()
    spans = program.spans()
    assert [*program.iter_spans()] == [*spans]
    assert not gaps(list(spans), len(data))
    assert max(span.offset + span.length for span in spans) == len(data)
    assert program.offset(spans[-1].path) is not None
    path = program.instruction_path(0)
    first = program.offset(path)
    assert first is not None
    places = [span.offset for span in spans if span.path.startswith(path)]
    assert first == min(places, default=first)
    assert program.offset("nothing.of_that_kind") is None


def test_plain_data(program: Program[Any]) -> None:
    assert type(program).from_data(program.to_data()).encode() == program.encode()


def test_every_dialect_round_trips(program: Program[Any]) -> None:
    assert program.language == kind_of(program)
    assert program.disassemble() == program.disassemble(program.dialects[0])
    for dialect in program.dialects:
        if dialect not in SHOWN.get(program.language, ()):
            check_dialect(program, dialect)


def check_dialect(program: Program[Any], dialect: str) -> None:
    text = program.disassemble(dialect)
    assert "".join(word for word, _ in program.lexer().tokens(text)).split() == text.split()
    operations = [program.step(line).operation for line in text.splitlines()]
    for instruction in filter(taken_apart, program.instructions):
        assert any(each.startswith(instruction.name) for each in operations)
    again = type(program).assemble(text)
    if dialect == "exact" and program.language in SAME_PROGRAM:
        assert again == program
    elif dialect == "exact":
        assert again.encode() == program.encode()
    elif program.language in NUMBERED:
        names = [each.name for each in program.instructions]
        assert [each.name for each in again.instructions] == names
    else:
        assert list(map(str, again.instructions)) == list(map(str, program.instructions))


def test_unknown_dialects_are_refused(program: Program[Any]) -> None:
    with pytest.raises(unshade.UnshadeError, match="unknown dialect 'klingon' of "):
        program.disassemble("klingon")


def test_instructions_have_results_among_their_operands(program: Program[Any]) -> None:
    assert program.instructions
    for instruction in program.instructions:
        operands = list(instruction.operands)
        assert list(instruction.results) == operands[: len(instruction.results)]
        if taken_apart(instruction):
            step = program.step(str(instruction))
            assert step.operation.startswith(instruction.name)
            assert len(step.results) == len(instruction.results)
    assert any(instruction.results for instruction in program.instructions)


def test_facts_of_every_entry_point(program: Program[Any]) -> None:
    found = list(program.all_facts())
    assert [each.entry_point for each in found] == [name for name, _ in program.entry_points]
    for (name, stage), facts in zip(program.entry_points, found, strict=True):
        assert isinstance(facts, ProgramFacts)
        assert (facts.code, facts.stage) == (kind_of(program), stage)
        assert program.facts(name) == facts
        assert facts.inputs or facts.builtins
        written = any(each.resource.writable for each in facts.resources)
        assert facts.outputs or facts.patch_constants or written
        counts = program.statistics(name)
        assert isinstance(counts, Statistics)
        assert counts.computed
        assert counts.instructions
        paths = [each.path for each in (*facts.inputs, *facts.outputs)]
        paths += [each.path for each in facts.resources]
        assert all(program.offset(path) is not None for path in filter(None, paths))


def test_facts_are_plain_data(program: Program[Any]) -> None:
    schema = schema_of(ProgramFacts, "urn:facts")
    for each in program.all_facts():
        assert violations(each.to_dict(), schema) == []


def test_reflection_facts_and_lowered_code_have_the_same_slots(program: Program[Any]) -> None:
    shader = OF_PROGRAM[id(program)]
    reflection = shader.reflect()
    entries = iter(reflection.entry_points or [reflection])
    every = ((each, facts) for each in shader.programs for facts in each.all_facts())
    for found, (each, facts) in zip(entries, every, strict=True):
        if each != program:
            continue
        try:
            lowered = program.lower(facts.entry_point)
        except UnsupportedError as error:
            if "--length" not in str(error):
                raise
            continue  # a table of descriptors, whose length only the application knows
        ports = ports_of_lowered(lowered)
        assert ports or found.stage == "compute"
        assert ports <= ports_of_reflection(found)
        assert ports <= ports_of_facts(facts)
        assert list(unknown_resources(lowered, found)) == []


@pytest.mark.parametrize("method", ["facts", "statistics", "lower"])
def test_unknown_entry_points_are_refused(program: Program[Any], method: str) -> None:
    with pytest.raises(UsageError, match="no entry point 'nobody': expected one of "):
        getattr(program, method)("nobody")
    if len(program.entry_points) > 1:
        with pytest.raises(UsageError, match=r"several entry points; select one with entry "):
            getattr(program, method)()


def test_rules(program: Program[Any]) -> None:
    rules = type(program).rules()
    assert rules
    assert all(finding.code in rules for finding in program.verify())


def edited(program: Program[Any]) -> list[int]:
    """Return the numbers of instructions with results and operands."""
    every = enumerate(program.instructions)
    return [at for at, each in every if each.results and len(each.operands) > 1]


def is_removable(program: Program[Any], at: int) -> bool:
    """Return whether an instruction can be removed alone; what a language declares is needed."""
    if program.single_assignment:
        return True
    copy = type(program).from_data(program.to_data())
    with suppress(AssembleError):
        copy.remove(at)
    return len(copy.instructions) == len(program.instructions) - 1


def test_an_edit_with_the_same_text_changes_nothing(program: Program[Any]) -> None:
    copy = type(program).from_data(program.to_data())
    before = copy.encode()
    at = next(filter(partial(is_removable, program), edited(program)))
    (new,) = copy.replace(at, str(copy.instructions[at]))
    assert new.name == program.instructions[at].name
    assert copy.encode() == before
    if program.single_assignment:  # every result is used: only a new one can be removed
        result = str(new.results[0])
        copy.insert(at, str(new).replace(result, "%unused", 1))
        assert len(copy.instructions) == len(program.instructions) + 1
        assert copy.remove(at)[0].name == new.name
        assert copy.encode() == before
        return
    assert copy.remove(at)[0].name == new.name
    assert len(copy.instructions) == len(program.instructions) - 1


def test_lowering_returns_ir_or_raises_unsupported(program: Program[Any]) -> None:
    for name, _ in program.entry_points:
        with suppress(UnsupportedError):
            assert isinstance(program.lower(name), Lowered)


def test_what_a_program_leaves_open_can_be_chosen(program: Program[Any]) -> None:
    """`prove` lets it flush the subnormal numbers that the other program flushes."""
    for name, _ in program.entry_points:
        loose: Widths = KEEP
        with suppress(UnsupportedError):
            loose = program.lower(name).loose
        if loose:
            assert "flush" in (program.takes or ())
            assert program.lower(name, Specialisation(flush=loose)).kernel.flush >= loose


def test_sources_are_texts_by_name(program: Program[Any]) -> None:
    assert all(isinstance(each, str) for pair in program.sources.items() for each in pair)


def test_instructions_are_shown_by_their_class_and_text(program: Program[Any]) -> None:
    first = program.instructions[0]
    assert repr(first).startswith(f"<{type(first).__name__} ")
