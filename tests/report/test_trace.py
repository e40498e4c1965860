"""The trace of a page: each step's values, forwards, backwards, by condition and by address."""

from pathlib import Path
from typing import Any

import pytest

import unshade
from tests.fixtures.debug_lines import CALLS, DXIL, SPIRV
from tests.programs.spirv.lower import test_debug_values as variables
from unshade.report.columns import Columns
from unshade.report.listing import CodeListing
from unshade.report.page import page
from unshade.report.sources import write_sources
from unshade.report.trace import NEW, UNDEFINED, WRITES, write_trace
from unshade.report.tree import FieldTree

from .browser import need_browser, opened
from .stepping import trace_columns, undone
from .test_columns import read

EXAMPLES = Path(__file__).parents[2] / "examples"
# A NaN in r1.y reaches o0.x; r3.x is read before it is written, in a branch that is not taken.
WRONG = """
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v0.xy
dcl_output o0.xyzw
dcl_temps 4
mov r0.xyz, l(0.25, 0.5, 1.0, 0)
add r1.x, v0.x, l(-1.0)
sqrt r1.y, r1.x
ge r2.x, v0.y, l(0)
mul r0.x, r0.x, r1.y
mad r0.w, r3.x, l(2.0), l(1.0)
if_z r2.x
  mov r3.x, l(2.0)
endif
mov o0.xyzw, r0.xyzw
ret
"""


def debugged() -> tuple[unshade.Shader, Any]:
    pytest.importorskip("numpy", reason="not installed: pip install unshade[run]")
    shader = unshade.open(EXAMPLES / "gyroid.dxbc")
    debugger = unshade.kernel(shader).debug((40, 40))
    debugger.shade((64, 48), resolution=(64.0, 48.0), time=1.0)
    return shader, debugger


def wrong() -> tuple[unshade.Shader, Any]:
    numpy = pytest.importorskip("numpy", reason="not installed: pip install unshade[run]")
    shader = unshade.assemble(WRONG, "dxcontainer")
    debugger = unshade.kernel(shader).debug(1)
    debugger.shade({"TEXCOORD": numpy.array([[2, 1], [0.25, 0.5]], "f4")})
    return shader, debugger


def called(*, counted: bool = False) -> tuple[unshade.Shader, Any]:
    numpy = pytest.importorskip("numpy", reason="not installed: pip install unshade[run]")
    shader = unshade.assemble(CALLS, "spirv")
    from unshade.vm.lockstep.debug import Coverage

    debugger = unshade.kernel(shader).debug(2, coverage=Coverage() if counted else None)
    debugger.dispatch(1, values=numpy.arange(4, dtype="f4"))
    return shader, debugger


SOON = 100  # milliseconds; state.js


def address(shown: Any) -> str:
    """Return the address once small moves of the cursor are written to it, which waits a little."""
    shown.wait_for_timeout(2 * SOON)
    return str(shown.evaluate("location.hash"))


def columns_of(shader: unshade.Shader, debugger: Any) -> tuple[Any, dict[str, Any], CodeListing]:
    listing = CodeListing.of(shader, FieldTree.of(shader.spans()))
    columns = Columns()
    write_trace(columns, debugger, shader, listing)
    header, found = read(columns.packed())
    return header["values"]["traces"], found, listing


def test_columns_hold_what_the_debugger_recorded() -> None:
    shader, debugger = debugged()
    values, every, listing = columns_of(shader, debugger)
    found = {name.removeprefix("trace0."): column for name, column in every.items()}
    entries = debugger.trace.entries
    assert [each["thread"] for each in values["all"]] == ["pixel (40, 40)"]
    assert [listing.lines[line].strip() for line in found["step.line"]] == [
        debugger.line(each.line) for each in entries
    ]
    assert found["step.reads"] == [len(each.reads) for each in entries]
    accesses = [each for entry in entries for each in (*entry.reads, *entry.writes)]
    assert [found["places"][place] for place in found["access.place"]] == [
        each.name for each in accesses
    ]
    assert [low & 0xFFFFFFFF for low in found["access.low"]] == [
        each.bits & 0xFFFFFFFF for each in accesses
    ]
    old = zip(found["access.flags"], found["access.old_low"], accesses, strict=True)
    for flags, low, each in old:
        assert (each.before is None) == bool(flags & NEW)
        assert flags & NEW or low & 0xFFFFFFFF == each.before & 0xFFFFFFFF
        assert not flags & WRITES or each in [one for entry in entries for one in entry.writes]


def test_reads_of_what_was_never_written_are_undefined() -> None:
    values, found, listing = columns_of(*wrong())
    flags, places = found["trace0.access.flags"], found["trace0.access.place"]
    undefined = [places[at] for at, each in enumerate(flags) if each & UNDEFINED]
    assert [found["trace0.places"][each] for each in undefined] == ["r3.x"]
    assert [(each["kind"], each["count"]) for each in values["findings"]] == [
        ("nan", 1), ("uninitialised", 2),
    ]  # fmt: skip
    lines = [listing.lines[each["line"]] for each in values["findings"]]
    assert lines == ["sqrt r1.y, r1.x", "mad r0.w, r3.x, l(2.000000), l(1.000000)"]


def test_frames_are_the_calls_of_inlined_functions() -> None:
    _, found, _ = columns_of(*called())
    strings = found["trace0.strings"]
    inside = {
        (strings[found["trace0.frame.function"][at]], found["trace0.frame.line"][at])
        for at in found["trace0.step.frame"]
        if at >= 0
    }
    assert inside == {("main", 0), ("twice", 10), ("twice", 11)}
    places = {*zip(found["trace0.step.file"], found["trace0.step.source"], strict=True)}
    named = {(strings[file], line) for file, line in places}
    assert named >= {("twice.comp", line) for line in (5, 8, 9, 10, 11)}


def test_variables_of_the_source_have_types_and_calls() -> None:
    _, found, _ = columns_of(variables.debugged(), variables.debugger())
    strings, places = found["trace0.strings"], found["trace0.places"]
    labels = {
        name: strings[label]
        for name, label in zip(places, found["trace0.place.label"], strict=True)
    }
    assert labels["shade::r"] == "uint"
    assert labels["shade::r@9"] == "uint shade::r"
    assert labels["main::light.colour[1].x"] == "Light"
    functions = [strings[each] for each in found["trace0.frame.function"]]
    caller = found["trace0.frame.caller"][functions.index("shade")]
    assert functions[caller] == "main"
    assert found["trace0.frame.line"][functions.index("shade")] == 11


@pytest.mark.slow
def test_steps_go_forth_and_back(tmp_path: Path) -> None:
    need_browser()
    shader, debugger = debugged()
    file = tmp_path / "trace.html"
    file.write_text(page(shader, "gyroid.dxbc", debugger), encoding="utf-8")
    with opened(file) as shown:

        def state() -> tuple[str, ...]:
            return (
                shown.locator("#listing .row.chosen").inner_text(),
                shown.locator("#steps .where").inner_text(),
                *shown.locator("#steps .row:visible").all_inner_texts(),
            )

        first = state()
        assert "mad r0.xy" in first[0]
        assert first[1].startswith("pixel (40, 40), step 1 of")
        shown.keyboard.press("n")
        second = state()
        shown.keyboard.press("n")
        shown.keyboard.press("p")
        assert state() == second
        shown.keyboard.press("p")
        assert state() == first
        shown.click("#steps button[title='last step']")
        last = len(debugger.trace.entries)
        assert f"step {last} of {last}" in state()[1]
    with opened(file, "#step=37") as shown:
        entry = debugger.trace.entries[37]
        assert debugger.line(entry.line) in shown.locator("#listing .row.chosen").inner_text()
        wrote = shown.locator("#steps .wrote .name").all_inner_texts()
        assert wrote == [each.name for each in entry.writes]


@pytest.mark.slow
def test_the_origin_of_a_nan_is_two_clicks_away(tmp_path: Path) -> None:
    need_browser()
    shader, debugger = wrong()
    file = tmp_path / "wrong.html"
    file.write_text(page(shader, "wrong.dxbc", debugger), encoding="utf-8")
    with opened(file) as shown:
        shown.click("#steps button[title='last step']")
        assert shown.locator("#steps .bad").count() >= 1
        shown.locator("#steps .row", has_text="o0").locator(".bad").first.click()
        chain = shown.locator("#steps .origin li").all_inner_texts()
        lines = [each.split(": ", 1)[1].split("\n")[0] for each in chain]
        operations = list(dict.fromkeys(line.split()[0] for line in lines))
        assert operations[-3:] == ["mov", "mul", "sqrt"]
        assert "this operation makes the NaN" in chain[-1]
        assert "r1.x = -0.75" in chain[-1]
        shown.click("#steps .origin li:last-child .link")
        assert "sqrt r1.y" in shown.locator("#listing .row.chosen").inner_text()


@pytest.mark.slow
def test_an_undefined_value_tells_where_it_comes_from(tmp_path: Path) -> None:
    need_browser()
    shader, debugger = wrong()
    file = tmp_path / "wrong.html"
    file.write_text(page(shader, "wrong.dxbc", debugger), encoding="utf-8")
    with opened(file) as shown:
        shown.locator("#steps .finding", has_text="uninitialised").click()
        assert "mad r0.w" in shown.locator("#listing .row.chosen").inner_text()
        shown.locator("#steps .own .undefined").click()
        line = 1 + next(
            at for at, text in enumerate(shader.disassemble().split("\n")) if "mov r3.x" in text
        )
        assert f"r3.x was never written before; it is written by line {line}" in (
            shown.locator("#steps .origin .end").inner_text()
        )
        # What is computed from it leads back to it.
        shown.locator("#steps .own.wrote .number-value").click()
        assert "was never written" in shown.locator("#steps .origin .end").inner_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    "condition",
    [
        "mul",
        "r7.x",
        "r7.xy",
        "r7.x > 0.2",
        "r4.y == 3",
        "mad if r7.x < 0",
        "r9.x < r8.x",
        "r7.x > 0.2 and r4.y <= 3",
        "mul and r7.x > 0.2",
    ],
)
def test_conditions_stop_where_the_debugger_does(tmp_path: Path, condition: str) -> None:
    from unshade.run.debugging.breakpoints import hits, parse

    need_browser()
    shader, debugger = debugged()
    file = tmp_path / "trace.html"
    file.write_text(page(shader, "gyroid.dxbc", debugger), encoding="utf-8")
    wanted = hits(debugger, parse(debugger, condition))
    assert wanted
    with opened(file) as shown:
        shown.fill("#steps input[placeholder^='run to']", condition)
        number = f"{len(wanted)} step" + "s" * (len(wanted) != 1)
        assert shown.locator("#steps .bar .about").inner_text() == number
        step = 0
        for _ in range(4):
            shown.click("#steps button:has-text('run ▶')")
            step = next((at for at in wanted if at > step), step)
            assert f"step={step}" in address(shown).replace("&", " ").split()
        shown.click("#steps button:has-text('◀ run')")
        back = [at for at in wanted if at < step]
        assert f"step={back[-1] if back else step}" in address(shown).replace("&", " ").split()


@pytest.mark.slow
def test_a_line_of_the_source_is_a_step(tmp_path: Path) -> None:
    from unshade.cli.debug_step import Stepping

    need_browser()
    shader, debugger = called()
    file = tmp_path / "called.html"
    file.write_text(page(shader, "called.spv", debugger), encoding="utf-8")
    with opened(file, "#step=0") as shown:
        stepping = Stepping(debugger, ())
        for key in "sssssssSSSSsosnnuOsSo":
            stepping.command({"S": "ps", "O": "po"}.get(key, key), "")
            shown.keyboard.press(key)
            assert int(address(shown).rpartition("step=")[2]) == stepping.at, key
        shown.fill("#steps input[placeholder^='run to']", "twice.comp:5")
        assert shown.locator("#steps .bar .about").inner_text() == "2 steps"
        shown.keyboard.press("Enter")
        shown.keyboard.press("Enter")
        assert "in twice, called from twice.comp:11" in shown.locator("#steps .where").inner_text()


@pytest.mark.slow
def test_a_click_on_the_line_of_the_step_goes_to_its_next_visit(tmp_path: Path) -> None:
    need_browser()
    shader, debugger = debugged()
    file = tmp_path / "trace.html"
    file.write_text(page(shader, "gyroid.dxbc", debugger), encoding="utf-8")
    entries = debugger.trace.entries
    visits = [at for at, each in enumerate(entries) if each.line == entries[37].line]
    with opened(file, "#step=37") as shown:
        for step in visits[visits.index(37) + 1 :][:3]:
            shown.click("#listing .row.chosen")
            assert f"step={step}" in address(shown)


@pytest.mark.slow
def test_the_source_follows_the_step_and_the_step_the_source(tmp_path: Path) -> None:
    need_browser()
    shader, debugger = called(counted=True)
    file = tmp_path / "called.html"
    file.write_text(page(shader, "called.spv", debugger), encoding="utf-8")
    with opened(file, "#step=0") as shown:

        def chosen(pane: str) -> str:
            return " ".join(shown.locator(f"#{pane} .row.chosen").inner_text().split())

        assert shown.locator("#listing h2").inner_text() == "Listinglanes that ran each line"
        assert chosen("sources") == "8 4 float x = values[gl_GlobalInvocationID.x];"
        shown.locator("#sources .row", has_text="return x + x;").click()
        assert chosen("sources") == "5 6 return x + x;"
        assert "OpFAdd" in chosen("listing")
        first = address(shown).rpartition("step=")[2]
        shown.locator("#sources .row", has_text="return x + x;").click()
        assert int(address(shown).rpartition("step=")[2]) > int(first)
        # Two lanes of four are greater than 1.
        assert (
            shown.locator("#listing .row", has_text="OpFOrdGreaterThan")
            .locator(".count.diverged")
            .get_attribute("title")
            == "4 lanes; yes: 2, no: 2"
        )
        assert (
            shown.locator("#listing .row", has_text="OpFAdd")
            .locator(".count")
            .get_attribute("title")
            == "6 lanes"
        )


@pytest.mark.slow
def test_a_source_without_counts_has_no_column_for_them(tmp_path: Path) -> None:
    np = pytest.importorskip("numpy", reason="not installed: pip install unshade[run]")
    need_browser()
    from unshade.vm.lockstep.debug import Coverage

    shader = unshade.open(EXAMPLES / "saxpy.dxbc")
    debugger = unshade.kernel(shader).debug(1, coverage=Coverage())
    debugger.dispatch(1, a=2.0, X=np.ones(64, np.float32), Y=np.ones(64, np.float32))
    file = tmp_path / "saxpy.html"
    file.write_text(page(shader, "saxpy.dxbc", debugger), encoding="utf-8")
    with opened(file) as shown:
        assert shown.locator("#listing .count").count() > 3
        assert shown.locator("#sources .row").count() > 3
        assert shown.locator("#sources .count").count() == 0


@pytest.mark.slow
def test_the_source_stands_beside_code_without_a_trace(tmp_path: Path) -> None:
    need_browser()
    shader = unshade.assemble(DXIL, "dxil")
    file = tmp_path / "light.html"
    file.write_text(page(shader, "light.dxil"), encoding="utf-8")
    with opened(file) as shown:
        shown.locator("#sources .row", has_text="return x * 2;").click()
        assert "fmul float 2" in shown.locator("#listing .row.chosen").inner_text()
        shown.locator("#listing .row", has_text="fadd float").click()
        assert shown.locator("#sources .row.chosen").count() == 0


def test_columns_of_sources_are_the_locations_of_lines() -> None:
    shader = unshade.assemble(SPIRV, "spirv")
    listing = CodeListing.of(shader, FieldTree.of(shader.spans()))
    columns = Columns()
    write_sources(columns, shader, listing)
    header, found = read(columns.packed())
    assert found["source.names"] == ["a.comp", "lib.glsl", "decompiled.glsl"]
    assert header["values"]["sources"] == [True, False, True]
    assert found["source.texts"][0].split("\n")[2].strip() == "uint a = 1u;"
    places = {
        (found["source.names"][file - 1], line, listing.lines[at].strip())
        for at, (file, line) in enumerate(
            zip(found["line.file"], found["line.source"], strict=True)
        )
        if file
    }
    assert places == {
        ("a.comp", 3, "OpStore %a %uint_1"), ("lib.glsl", 20, "OpStore %a %uint_1"),
    }  # fmt: skip


def test_a_shader_without_sources_has_no_columns_of_them() -> None:
    """A file of SkSL is its source, and an input that a register chooses has none elsewhere yet."""
    text = (
        "ps_5_0\ndcl_input_ps linear v0.xyzw\ndcl_input_ps linear v1.xyzw\n"
        "dcl_indexrange v0.xyzw 2\ndcl_output o0.xyzw\ndcl_temps 1\n"
        "eval_centroid o0.xyzw, v[r0.x + 0].xyxy"
    )
    for shader in (unshade.open(EXAMPLES / "plasma.skslb"), unshade.assemble(f"{text}\nret\n")):
        columns = Columns()
        write_sources(columns, shader, CodeListing.of(shader, FieldTree.of(shader.spans())))
        header, found = read(columns.packed())
        assert (header["values"], found) == ({}, {})


def test_lines_of_the_listing_have_statements_of_the_decompiled_source() -> None:
    shader = unshade.open(EXAMPLES / "phong.dxbc")
    columns = Columns()
    listing = CodeListing.of(shader, FieldTree.of(shader.spans()))
    write_sources(columns, shader, listing)
    header, found = read(columns.packed())
    assert header["values"]["sources"] == [True]
    assert found["source.names"] == ["decompiled.hlsl"]
    (text,) = found["source.texts"]
    assert text.rstrip("\n") == shader.decompile().rstrip("\n")
    lines = text.split("\n")
    statements = {
        listing.lines[at].strip(): lines[line - 1].strip()
        for at, (file, line) in enumerate(
            zip(found["line.decompiled"], found["line.statement"], strict=True)
        )
        if file
    }
    assert statements["lt r0.w, r3.wwww, l(0.100000)"] == "if (t_1.w < 0.1) {"
    assert statements["mov o1.x, v2.xxxx"] == "out_target1 = uint(texcoord2);"
    assert set(found["line.file"]) == {0}
    steps = len(shader.programs[0].control_flow().steps)
    assert 0.9 * steps < len([each for each in found["line.decompiled"] if each]) <= steps


def test_long_listings_are_not_decompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unshade.report.sources.LONGEST", 40)
    shader = unshade.open(EXAMPLES / "phong.dxbc")
    columns = Columns()
    write_sources(columns, shader, CodeListing.of(shader, FieldTree.of(shader.spans())))
    assert read(columns.packed())[1] == {}


@pytest.mark.slow
def test_the_decompiled_source_follows_the_listing(tmp_path: Path) -> None:
    need_browser()
    file = tmp_path / "phong.html"
    file.write_text(page(unshade.open(EXAMPLES / "phong.dxbc"), "phong"), encoding="utf-8")
    with opened(file) as shown:
        shown.locator("#listing .row", has_text="lt r0.w, r3.wwww").click()
        assert "if (t_1.w < 0.1) {" in shown.locator("#sources .row.chosen").inner_text()
        shown.locator("#sources .row", has_text="float3 t = normalize").click()
        assert "dp3" in shown.locator("#listing .row.chosen").inner_text()


@pytest.mark.parametrize(
    "name",
    ["lit.shbin", "reverse.shbin", "plasma.skslb", "saxpy6.dxil", "clay.frag.spv", "phong.dxbc"],
)
def test_lines_of_the_program_are_found_in_the_page(name: str) -> None:
    shader = unshade.open(EXAMPLES / name)
    listing = CodeListing.of(shader, FieldTree.of(shader.spans()))
    lowered = shader.programs[0].lower(shader.programs[0].entry_points[0].name)
    places = listing.lines_of(shader, lowered.lines)
    used = {value.line for value in lowered.kernel.values()} - {0}
    assert used
    for number in used:
        mine = lowered.lines[number - 1].split()
        shown = listing.lines[places[number - 1]].split()
        assert shown[:1] == mine[:1], number


@pytest.mark.parametrize("make", [wrong, called])
def test_a_step_back_undoes_a_step(make: Any) -> None:
    shader, debugger = make()
    columns = trace_columns(shader, debugger)
    writes = sum(len(entry.writes) for entry in debugger.trace.entries)
    assert undone(columns) == writes
