"""What an option's value can be, for completion in a shell: from tables, or from the file named.

A function takes the parameters that stand before the value, and gives candidates with a word about
each, which zsh and fish show. It may not fail: a file that cannot be read has no candidates.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..errors import UnshadeError

if TYPE_CHECKING:
    from ..model import Reflection
    from ..shader import Shader

Given = Mapping[str, Any]
Candidate = tuple[str, str]  # a value, and what it is


def dialects(given: Given) -> Iterator[Candidate]:
    """Forms of a text."""
    from ..dialect import DIALECTS

    for name in DIALECTS:
        yield name, ""


def formats(given: Given) -> Iterator[Candidate]:
    """Formats that a text can become."""
    from ..formats import known

    for each in known():
        if each.texts:
            yield each.name, f"of texts that end in {' or '.join(each.texts)}"


def rules(given: Given) -> Iterator[Candidate]:
    """Codes of rules."""
    from .verify import known_rules

    for rule in known_rules().values():
        yield rule.code, rule.summary


def categories(given: Given) -> Iterator[Candidate]:
    """What a difference can be about."""
    from ..parts import Category

    for each in Category:
        yield str(each), ""


def findings(given: Given) -> Iterator[Candidate]:
    """Kinds of what the debugger finds."""
    from ..run.debugger import KINDS
    from .debug import NONE

    for kind in (*KINDS, NONE):
        yield kind, ""


# ---------------------------------------------------------------- out of the file


def parts(given: Given) -> Iterator[Candidate]:
    """Parts of the file."""
    for shader in _shaders(given):
        for part in shader.parts:
            yield part.name, part.title


def fields(given: Given) -> Iterator[Candidate]:
    """Paths of fields of the file, and everything above them."""
    for shader in _shaders(given):
        for span in shader.spans():
            path = span.path
            yield path, span.doc
            while path:
                path = path[: max(path.rfind("."), path.rfind("["), 0)]
                if path:
                    yield path, ""


def bindings(given: Given) -> Iterator[Candidate]:
    """Names and registers of what is bound, and semantics of inputs."""
    for found in _reflections(given):
        for resource in found.resources:
            kind = str(resource.kind).replace("_", " ")
            yield f"{resource.name}=", kind
            letters = {"b": "cb"}.get(resource.register_class, resource.register_class)
            yield f"{letters}{resource.register}=", kind
        if found.stage != "compute":
            for row in found.inputs:
                yield f"{row.semantic}{row.index or ''}=", "input"


def variables(given: Given) -> Iterator[Candidate]:
    """Variables of constant buffers."""
    for found in _reflections(given):
        for buffer in found.constant_buffers:
            for variable in buffer.variables:
                yield f"{variable.name}=", variable.type.declaration("").strip()


def entries(given: Given) -> Iterator[Candidate]:
    """Entry points of the first program, with their stages."""
    for shader in _shaders(given):
        for program in shader.programs[:1]:
            yield from program.entry_points


def interfaces(given: Given) -> Iterator[Candidate]:
    """What can stand behind each interface: its classes by number and name, and instances."""
    for found in _reflections(given):
        known = found.interfaces
        if known is None:
            continue
        classes = {each.id: each.name for each in known.classes}
        names = {
            variable.offset: variable.name
            for buffer in found.constant_buffers
            if buffer.kind == "interface_pointers"
            for variable in buffer.variables
        }
        for slot in known.slots:
            label = next(iter(slot.labels), str(slot.start))
            name = names.get(slot.start, label)
            for table in slot.table_labels or slot.tables:
                yield f"{label}={table}", ""
            for number in slot.class_ids:
                if number in classes:
                    yield f"{name}={classes[number]}", "class"
            for each in known.instances:
                if each.class_id in slot.class_ids:
                    yield f"{name}={each.name}", f"instance of {classes.get(each.class_id, '')}"


def targets(given: Given) -> Iterator[Candidate]:
    """Semantics of outputs."""
    for found in _reflections(given):
        for row in found.outputs:
            yield f"{row.semantic}{row.index}", ""


def _shaders(given: Given) -> "Iterator[Shader]":
    """The shaders that the line names before the value."""
    from .inputs import Input

    named = [*(given.get("files") or ()), *(given.get(name) for name in ("file", "ps", "vs"))]
    named += given.get("args", ())
    for path in filter(None, named):
        if path != "-":  # standard input is the shell's
            try:
                yield Input(path).open()
            except UnshadeError:
                continue


def _reflections(given: Given) -> "Iterator[Reflection]":
    for shader in _shaders(given):
        try:
            found = shader.reflect()
        except UnshadeError:
            continue
        yield found
        yield from found.entry_points


# ---------------------------------------------------------------- what fits


def fitting(
    candidates: Callable[[Given], Iterator[Candidate]],
    given: Given,
    begun: str,
    *,
    several: bool = False,
) -> list[Candidate]:
    """Return the candidates that begin as the value does; of `several` with commas, the last one.

    Of dotted paths only the next step is offered: all fields of a program would fill the screen.
    """
    before = ""
    if several and "," in begun:
        before, _, begun = begun.rpartition(",")
        before += ","
    used = set(before.split(","))
    found: dict[str, str] = {}
    for value, about in candidates(given):
        if value.startswith(begun) and value not in used:
            found.setdefault(before + value, about)
    if candidates is fields:
        near = {value: about for value, about in found.items() if _steps(value) <= _steps(begun)}
        if list(near) == [begun]:
            near = {k: about for k, about in found.items() if _steps(k) <= _steps(begun) + 1}
        found = near
    return list(found.items())


def _steps(path: str) -> int:
    return path.count(".") + path.count("[")
