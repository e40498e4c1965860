"""The answers: texts that the library makes of an input.

An error of ours is an answer, too. Nothing in an answer depends on the machine, the time, the order
of a set or the place of the checkout.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import re
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

import unshade
from tests.golden.inputs import Make
from unshade import formats
from unshade.errors import UnshadeError
from unshade.shader import Shader

Answer = Callable[[str, bytes], Iterator[str]]
OfShader = Callable[[str, Shader], Iterator[str]]
SMALL = 3000  # bytes of a file or a listing of which many damaged copies are made
LARGE = 20_000  # of which none is made
BUDGET = 60  # iterations of loops
PARTS = 4  # of the options of a pipeline
STOPS = 6  # steps of a trace for which breakpoints are made


def answer(name: str, input: str, make: Make) -> str:
    """Return an answer about an input."""
    lines: list[str] = []
    try:
        lines += ANSWERS[name](input, make())
    except UnshadeError as error:
        lines.append(_refusal(error))
    return "\n".join(lines)


def answers_of(family: str) -> tuple[str, ...]:
    """Return the names of the answers about the inputs of a family."""
    return OTHERS.get(family, tuple(OF_SHADERS))


def _refusal(error: UnshadeError) -> str:
    return f"{type(error).__name__}: {error}"


def _either(make: Callable[..., object], *given: Any, **options: Any) -> str:
    """Return what a function returns as text, or its refusal."""
    try:
        return str(make(*given, **options))
    except UnshadeError as error:
        return _refusal(error)


def _plain(data: object) -> str:
    return json.dumps(data, indent=0, default=str)


def _entries(shader: Shader) -> Iterator[tuple[int, Any, str | None]]:
    for number, program in enumerate(shader.programs):
        for entry, _ in program.entry_points:
            yield number, program, entry
        for entry in program.exports:
            yield number, program, entry


# ---------------------------------------------------------------- files and code


def _listing(_: str, shader: Shader) -> Iterator[str]:
    for dialect in (None, "exact"):
        yield _either(shader.disassemble, dialect)
        for suffix, text in shader.listings(dialect).items():
            yield suffix
            yield text
    for program in shader.programs:
        yield _either(program.disassemble)
    for option in formats.format_named(shader.format).listing:
        for value in option.choices or (option.value,):
            yield _either(shader.disassemble, **{option.name: value})


def _data(_: str, shader: Shader) -> Iterator[str]:
    plain = shader.to_data()
    yield _plain(plain)
    yield unshade.from_data(plain).to_bytes().hex()
    for dialect in (None, *(each.name for each in formats.format_named(shader.format).yaml)):
        yield _either(unshade.to_yaml, shader, dialect)


def _fields(_: str, shader: Shader) -> Iterator[str]:
    for span in shader.spans():
        yield str(span)
    yield from map(str, shader.line_paths())


def _facts(_: str, shader: Shader) -> Iterator[str]:
    yield _either(lambda: _plain(shader.reflect().to_dict()))
    for program in shader.programs:
        for facts in program.all_facts():
            yield str(facts)
        for entry, _ in program.entry_points:
            yield _either(program.statistics, entry)
            yield _either(program.constant_reads, entry)


def _overview(_: str, shader: Shader) -> Iterator[str]:
    yield _plain(unshade.info(shader).to_dict())


def _findings(_: str, shader: Shader) -> Iterator[str]:
    yield from map(str, shader.diagnostics)
    yield from map(str, shader.verify())
    for program in shader.programs:
        yield from map(str, program.verify())


def _code(_: str, shader: Shader) -> Iterator[str]:
    for program in shader.programs:
        for get in (program.control_flow, program.line_paths, program.comparable):
            yield _either(get)
        yield from program.debug_lines()
        yield str(program.callables)
        for line in _either(program.disassemble).splitlines():
            yield _either(_explained, program, line)


def _explained(program: Any, line: str) -> str:
    return str(program.explained(program.step(line)))


def _edited(_: str, shader: Shader) -> Iterator[str]:
    """Strip each category, sign, count again."""
    data = shader.to_bytes()
    for loss in shader.strippable():
        other = unshade.loads(data)
        yield str(loss)
        yield _either(other.strip, loss.category)
        yield other.to_bytes().hex()
    for name in ("sign", "recount"):
        yield _either(getattr(shader, name))
        yield shader.to_bytes().hex()
    for name, held in shader.extract().items():
        yield f"{name} {held.hex()}"


# ---------------------------------------------------------------- damage


def _damaged(name: str, shader: Shader) -> Iterator[str]:
    """Refusals, findings, and what is left of copies with damage."""
    from tests.hostile.exercise import damaged

    data = shader.to_bytes()
    chance = Random(name)
    for _ in range(_copies(len(data))):
        yield from _looked_at(damaged(data, chance))


def _copies(size: int) -> int:
    """Return the number of damaged copies of a file or text: less work for larger ones."""
    return 16 if size <= SMALL else 4 if size <= LARGE else 0


def _looked_at(data: bytes) -> Iterator[str]:
    try:
        shader = unshade.loads(data)
    except UnshadeError as error:
        yield _refusal(error)
        yield _either(lambda: unshade.loads(data, strict=False).parts)
        return
    for get in (
        lambda: [str(each) for each in shader.diagnostics],
        lambda: [str(each) for each in shader.verify()],
        shader.disassemble,
        lambda: _plain(shader.reflect().to_dict()),
    ):
        yield _either(get)


def _texts(name: str, shader: Shader) -> Iterator[str]:
    """Assemble the listing, and copies of it with damage."""
    options = {"donor": shader} if shader.format == "dxcontainer" else {}
    for dialect in (None, "exact"):
        try:
            text = shader.disassemble(dialect)
        except UnshadeError as error:
            yield _refusal(error)
            continue
        yield _assembled(text, shader.format, options)
        chance = Random(f"{name} {dialect}")
        for _ in range(_copies(len(text)) // 2):
            yield _assembled(_changed(text, chance), shader.format, options)


def _assembled(text: str, format: str, options: Mapping[str, Any]) -> str:
    try:
        return unshade.assemble(text, format, **options).to_bytes().hex()
    except unshade.AssembleError as error:
        return "\n".join(each.with_caret() for each in error.errors)
    except UnshadeError as error:
        return _refusal(error)


def _changed(text: str, chance: Random) -> str:
    """Return a text with one or two words changed, left out, doubled or exchanged."""
    words = text.split(" ")
    for _ in range(chance.choice((1, 1, 2))):
        at, other = chance.randrange(len(words)), chance.randrange(len(words))
        match chance.randrange(5):
            case 0:
                del words[at]
                words = words or [""]
            case 1:
                words[at] = words[other]
            case 2:
                words.insert(at, words[other])
            case 3:
                letter = chance.choice("0123456789xyzw%,.()[]{}-=;:\n")
                place = chance.randrange(len(words[at]) + 1)
                words[at] = words[at][:place] + letter + words[at][place:]
            case _:
                place = chance.randrange(len(words[at]) + 1)
                words[at] = words[at][:place] + words[at][place + 1 :]
    return " ".join(words)


# ---------------------------------------------------------------- kernels


def _kernel_text(program: Any, entry: str | None) -> str:
    from unshade.ir.printing import print_kernel

    return print_kernel(program.lower(entry).kernel)


def _invalid(name: str, shader: Shader) -> Iterator[str]:
    """Findings of copies of the code whose listing has a word of another line of its kind."""
    options = {"donor": shader} if shader.format == "dxcontainer" else {}
    try:
        lines = [re.split(r"(\s+|,)", each) for each in shader.disassemble().splitlines()]
    except UnshadeError as error:
        yield _refusal(error)
        return
    words = [(at, n) for at, line in enumerate(lines) for n in range(0, len(line), 2) if line[n]]
    chance = Random(name)
    for _ in range(_copies(sum(map(len, lines)) * 4) * 2 if words else 0):
        changed = [*lines]
        at, n = chance.choice(words)
        like = [each for each in words if lines[each[0]][each[1]][0] == lines[at][n][0]]
        other, m = chance.choice(like)
        changed[at] = [*lines[at][:n], lines[other][m], *lines[at][n + 1 :]]
        text = "\n".join("".join(line) for line in changed)
        try:
            made = unshade.assemble(text, shader.format, **options)
            yield from map(str, made.verify())
        except UnshadeError as error:
            yield _refusal(error)


def _lowered(_: str, shader: Shader) -> Iterator[str]:
    for number, program, entry in _entries(shader):
        yield f"{number} {entry}"
        yield _either(_kernel_text, program, entry)


def _run(engine: str) -> OfShader:
    def runs(name: str, shader: Shader) -> Iterator[str]:
        from tests.hostile.arguments import bindings

        for number, _, entry in _entries(shader):
            yield f"{number} {entry}"
            try:
                kernel = unshade.kernel(shader, number, entry, engine=engine)
            except UnshadeError as error:
                yield _refusal(error)
                continue
            kernel.budget = BUDGET
            chance = Random(f"{name} {number} {entry}")
            for _ in range(2):
                given = bindings(kernel, chance)
                yield _either(_left, kernel, given, chance)

    def _left(kernel: Any, given: dict[str, Any], chance: Random) -> str:
        import numpy as np

        from tests.hostile.arguments import random_call
        from unshade.run import Sampler, Texture

        results = random_call(kernel, chance)(kernel, given)
        arrays = [*results.items(), *given.items()]
        return "\n".join(
            f"{name} {np.asarray(each).tobytes().hex()}"
            for name, each in arrays
            if not isinstance(each, Sampler | Texture)
        )

    return runs


def _debuggers(name: str, shader: Shader) -> Iterator[Any]:
    """Yield a debugger, with the trace of the first lane, for each entry point."""
    for number, _, entry in _entries(shader):
        kernel = unshade.kernel(shader, number, entry, engine="lockstep")
        seed = f"{name} {number} {entry}"
        debugger = _debugged(kernel.debug(0), Random(seed))
        # Of pixels that are no rows, the first lane is a place.
        yield debugger if debugger.traced else _debugged(kernel.debug((0, 0)), Random(seed))


def _debugged(debugger: Any, chance: Random) -> Any:
    """Return the debugger after a random call."""
    from tests.hostile.arguments import bindings, random_call

    debugger.budget = BUDGET
    given = bindings(debugger, chance)
    call = random_call(debugger, chance)
    with contextlib.suppress(UnshadeError):
        call(debugger, given)
    return debugger


def _traced(name: str, shader: Shader) -> Iterator[str]:
    """The steps of a lane."""
    for debugger in _debuggers(name, shader):
        yield from map(repr, debugger.findings)
        if not debugger.traced:
            continue
        for step in debugger.trace.entries:
            yield f"{step.line} {step.loops} {step.location} {step.notes}"
            for each in (*step.reads, *step.writes):
                yield f"{each.path} {each.bits} {each.before} {each.size} {each.labels} {each.kind}"


def _stopped(name: str, shader: Shader) -> Iterator[str]:
    """The text of a trace, and the steps at which breakpoints of each form stop."""
    from unshade.run.debugging import trace_view

    chance = Random(name)
    for debugger in _debuggers(name, shader):
        if not debugger.traced:
            continue
        yield "\n".join(trace_view.text(trace_view.trace(debugger)))
        yield "\n".join(trace_view.text(trace_view.findings(debugger)))
        yield _plain(trace_view.document(debugger))
        entries = debugger.trace.entries
        for entry in chance.sample(entries, min(len(entries), STOPS)):
            for place in _places(debugger, entry, chance):
                yield f"{place}: {_either(_hits, debugger, place)}"


def _places(debugger: Any, entry: Any, chance: Random) -> Iterator[str]:
    """Yield breakpoints near a step: a line, an opcode, what it writes, conditions."""
    from unshade.run.debugging.trace_view import number

    opcode = debugger.line(entry.line).strip().partition(" ")[0]
    yield from (str(entry.line), str(entry.line + 1), opcode, "finding")
    for each in (*entry.reads, *entry.writes):
        test = f"{each.name} {chance.choice(('==', '!=', '<', '<=', '>', '>='))} {number(each)}"
        yield from (each.name, test, f"{entry.line} if {test}", f"{test} and line == {entry.line}")


def _hits(debugger: Any, place: str) -> str:
    from unshade.run.debugging.breakpoints import hits, parse

    return str(hits(debugger, parse(debugger, place)))


# ---------------------------------------------------------------- across formats


def _analysed(_: str, shader: Shader) -> Iterator[str]:
    for number, _, entry in _entries(shader):
        yield _either(unshade.cost, shader, number, entry)
    yield from map(str, unshade.audit(shader))
    for to in ("c", "cpp", "hlsl", "rust", "json"):
        yield _either(unshade.headers, shader, to)


def _compared(name: str, shader: Shader) -> Iterator[str]:
    """Differences from the next input of the family."""
    from tests.golden.inputs import inputs

    family = inputs(name.partition("/")[0])
    names = list(family)
    other = unshade.loads(family[names[(names.index(name) + 1) % len(names)]]())
    found = unshade.diff(shader, other)
    yield _plain(found.to_dict())
    yield str(found)


def _decompiled(_: str, shader: Shader) -> Iterator[str]:
    for number, _, entry in _entries(shader):
        for to in ("hlsl", "glsl"):
            for style in ("readable", "exact"):
                yield _either(shader.decompile, to, style, program=number, entry=entry)


def _translated(_: str, shader: Shader) -> Iterator[str]:
    for number, _, entry in _entries(shader):
        chosen: dict[str, Any] = {"program": number, "entry": entry}
        for target in ("vulkan1.1", "vulkan1.3"):
            yield _either(lambda: shader.translate(target=target, **chosen).disassemble())  # noqa: B023
        yield _either(lambda: shader.translate("wgsl", **chosen))  # noqa: B023


def _page(_: str, shader: Shader) -> Iterator[str]:
    """The report page without styles and scripts, and the columns that its script reads."""
    from unshade.report.page import page

    text = page(shader, "shader").partition("</style>")[2]
    for packed in re.findall(r'id="block">([^<]*)<', text):
        yield gzip.decompress(b64decode(packed)).hex()
    yield re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)


# ---------------------------------------------------------------- what is no shader


def _seed(name: str) -> int:
    return int(name.rpartition("/")[2])


def _generated(name: str) -> Any:
    from tests.ir.generate import generate
    from tests.ir.generate_loops import generate_loops
    from unshade.ir.library.maths import expand

    seed = _seed(name)
    make = generate_loops if name.startswith("loops") else generate
    program = make(seed, library=seed % 5 == 4)
    if seed % 5 == 4:
        expand(program.kernel)
    return program


def _simplified(name: str, _: bytes) -> Iterator[str]:
    from unshade.ir.printing import print_kernel
    from unshade.ir.simplify import simplify

    kernel = _generated(name).kernel
    yield print_kernel(kernel)
    simplify(kernel)
    yield print_kernel(kernel)


def _executed(name: str, _: bytes) -> Iterator[str]:
    """The outcome on both engines, and of simplified code."""
    from tests.vm.compare import run
    from unshade.ir.simplify import simplify
    from unshade.ir.transforms import flush
    from unshade.ir.transforms.canonicalise import canonicalise
    from unshade.vm.jit import Jit
    from unshade.vm.lockstep import Lockstep

    for engine in (Lockstep(), Jit()):
        program = _generated(name)
        if isinstance(engine, Jit):
            simplify(program.kernel)
        flush.expand(program.kernel)
        canonicalise(program.kernel)
        yield str(run(engine, program.kernel, program))


def _drawn(engine: str) -> Answer:
    def drawn(name: str, _: bytes) -> Iterator[str]:
        from tests.hostile.scenes import scene

        for key, data in scene(_seed(name), engine).items():
            yield f"{key} {data.hex()}"

    return drawn


def _history(name: str, _: bytes) -> Iterator[str]:
    """The table and the plain data of the history of a pixel."""
    from tests.hostile.scenes import history
    from unshade.run.raster.history_table import text

    found = history(_seed(name))
    yield from text(found)
    yield _plain(found.document())


def _texels(name: str, data: bytes) -> Iterator[str]:
    import numpy as np

    from unshade.run.textures.formats import stored_format

    form = stored_format(name.rpartition("/")[2])
    bytes_of = np.frombuffer(data[: len(data) // form.size * form.size], np.uint8)
    blocks = bytes_of.reshape(-1, form.size)
    made: Any = None
    if form.decode is not None:
        made = form.decode(blocks)
    elif form.pixels is not None:
        made = form.pixels.decode(blocks)
    yield f"{made.dtype} {made.shape} {made.tobytes().hex()}"


def _generated_code(name: str, _: bytes) -> Iterator[str]:
    """The listing of a fixed fragment stage."""
    from tests.golden.fragments import description
    from unshade.run.tev import FragmentStage
    from unshade.run.tev.pixel import listing

    yield listing(FragmentStage.of(description(_seed(name))))


def _checked(name: str, _: bytes) -> Iterator[str]:
    """The findings about a pipeline with some of its options."""
    from tests.golden.pipelines import SEEDS, options, stages

    part, seed = divmod(_seed(name), SEEDS)
    for given in options(seed)[part::PARTS]:
        yield _either(_findings_of, stages(seed), given)


def _findings_of(stages: list[Any], given: dict[str, Any]) -> str:
    from tests.examples import EXAMPLES

    found = unshade.Pipeline(*stages, **given).check()
    return _plain([each.to_dict() for each in found]).replace(str(EXAMPLES), "examples")


def _described(name: str, _: bytes) -> Iterator[str]:
    """The schema of the output of a verb, or of a part of a DirectX container."""
    from unshade.cli.schema import schema
    from unshade.formats.dxcontainer.parts import schema_of

    kind, of = name.split("/")[1:]
    yield _plain(schema(of.replace("-", " ")) if kind == "verbs" else schema_of(of))


def _tables(name: str, _: bytes) -> Iterator[str]:
    from tests.golden.tables import lines

    return lines(name.partition("/")[2])


def _said(_: str, line: bytes) -> Iterator[str]:
    """The exit code and both streams of a command line."""
    from tests.cli.terminal import unshade as command
    from tests.examples import EXAMPLES

    # Columns are as wide as names, so that names must not depend on the folder of the checkout.
    with contextlib.chdir(EXAMPLES.parent):
        ended = command(*line.decode().format(e=EXAMPLES.name).split())
    for text in (str(ended.code), ended.out, ended.err):
        yield text.replace(str(EXAMPLES), "examples")


def _about_shader(make: OfShader) -> Answer:
    return lambda name, data: make(name, unshade.loads(data))


OF_SHADERS: dict[str, OfShader] = {
    "listing": _listing,
    "data": _data,
    "fields": _fields,
    "facts": _facts,
    "overview": _overview,
    "findings": _findings,
    "code": _code,
    "edited": _edited,
    "damaged": _damaged,
    "texts": _texts,
    "lowered": _lowered,
    "lockstep": _run("lockstep"),
    "jit": _run("jit"),
    "traced": _traced,
    "stopped": _stopped,
    "analysed": _analysed,
    "compared": _compared,
    "decompiled": _decompiled,
    "translated": _translated,
    "invalid": _invalid,
    "page": _page,
}
OTHERS = {
    "kernels": ("simplified", "executed"), "loops": ("simplified", "executed"),
    "scenes": ("drawn", "drawn_by_jit", "history"), "texels": ("texels",), "commands": ("said",),
    "pipelines": ("checked",), "schemas": ("described",), "fragments": ("generated",),
    "tables": ("tables",),
}  # fmt: skip
ANSWERS: dict[str, Answer] = {
    **{name: _about_shader(make) for name, make in OF_SHADERS.items()},
    "simplified": _simplified,
    "executed": _executed,
    "drawn": _drawn("lockstep"),
    "drawn_by_jit": _drawn("jit"),
    "history": _history,
    "texels": _texels,
    "said": _said,
    "checked": _checked,
    "generated": _generated_code,
    "described": _described,
    "tables": _tables,
}
