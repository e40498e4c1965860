"""Candidates for shell completion of option values, from tables or from the named files.

Each function takes the parameters before the value and yields candidates with a description, which
zsh and fish show. None raises: an unreadable file yields no candidates.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ..errors import UnshadeError
from ..vocab.words import BufferKind
from .commands.index import shaders

if TYPE_CHECKING:
    from ..model import Reflection
    from ..shader import Shader

NONE = "none"  # a kind of findings of the debugger: stop at nothing
Given = Mapping[str, Any]
Candidate = tuple[str, str]  # value, description


def dialects(given: Given) -> Iterator[Candidate]:
    """Yield the dialects."""
    from ..dialect import DIALECTS

    for name in DIALECTS:
        yield name, ""


def compilers(given: Given) -> Iterator[Candidate]:
    """Yield the compilers of sources."""
    from ..compilers import compilers

    for each in compilers():
        yield each.name, ", ".join(language.spelling for language in each.languages)


def yaml_dialects(given: Given) -> Iterator[Candidate]:
    """Yield the YAML dialects of the formats."""
    from ..formats import known

    for each in known():
        for dialect in each.yaml:
            yield dialect.name, f"of {dialect.tool}, for {each.name}"


def formats(given: Given) -> Iterator[Candidate]:
    """Yield the formats that can be assembled."""
    from ..formats import known

    for each in known():
        if each.texts:
            yield each.name, f"from {' or '.join(each.texts)}"


def rules(given: Given) -> Iterator[Candidate]:
    """Yield the codes of rules."""
    from ..analysis.explanations import known_rules

    for rule in known_rules().values():
        yield rule.code, rule.summary


def explained(given: Given) -> Iterator[Candidate]:
    """Yield the words that `explain` knows."""
    from ..analysis.explanations import words

    with suppress(UnshadeError):  # of an unknown language
        yield from words(given.get("language"))


def languages_explained(given: Given) -> Iterator[Candidate]:
    """Yield the languages of `explain`."""
    from ..analysis.explanations import VERIFY, explained_languages

    for each in explained_languages().values():
        yield each.name, each.title
    yield VERIFY, "rules of verify"


def categories(given: Given) -> Iterator[Candidate]:
    """Yield the categories of differences."""
    from ..parts import Category

    for each in Category:
        yield str(each), ""


def disclosures(given: Given) -> Iterator[Candidate]:
    """Yield the categories of `audit`."""
    from ..analysis.audit import Reveals

    for each in (*Reveals, "all"):
        yield str(each), ""


def findings(given: Given) -> Iterator[Candidate]:
    """Yield the kinds of findings of the debugger."""
    from ..run.debugging.debugger import KINDS

    for kind in (*KINDS, NONE):
        yield kind, ""


def topologies(given: Given) -> Iterator[Candidate]:
    """Yield the topologies of vertices."""
    from ..run.raster.geometry.assembly import TOPOLOGIES

    for name in TOPOLOGIES:
        yield name, ""


# ---------------------------------------------------------------- out of the file


def parts(given: Given) -> Iterator[Candidate]:
    """Yield the parts of the files."""
    for shader in _shaders(given):
        for part in shader.parts:
            yield part.name, part.title


def fields(given: Given) -> Iterator[Candidate]:
    """Yield the paths of fields, and their prefixes."""
    for shader in _shaders(given):
        for span in shader.spans():
            path = span.path
            yield path, span.doc
            while path:
                path = path[: max(path.rfind("."), path.rfind("["), 0)]
                if path:
                    yield path, ""


def bindings(given: Given) -> Iterator[Candidate]:
    """Yield the names and registers of resources, and the semantics of inputs."""
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
    """Yield the variables of constant buffers."""
    for found in _reflections(given):
        for buffer in found.constant_buffers:
            for variable in buffer.variables if buffer.kind != BufferKind.ELEMENT else ():
                yield f"{variable.name}=", variable.type.declaration("").strip()


def entries(given: Given) -> Iterator[Candidate]:
    """Yield the entry points of the first program, with their stages, and its functions."""
    for shader in _shaders(given):
        for program in shader.programs[:1]:
            yield from program.entry_points
            for name in program.export_names:
                yield name, "function"


def constants(given: Given) -> Iterator[Candidate]:
    """Yield the specialisation constants, with their types and defaults."""
    for found in _reflections(given):
        for each in found.specialisation_constants:
            yield f"{each.name or each.id}=", f"{each.type}, {str(each.default).lower()}"


def stages(given: Given) -> Iterator[Candidate]:
    """Yield the stages of the shaders on the command line."""
    seen: set[str] = set()
    for shader in _shaders(given):
        for program in shader.programs:
            for name, stage in program.entry_points:
                if stage not in seen:
                    seen.add(stage)
                    yield stage, name


def interfaces(given: Given) -> Iterator[Candidate]:
    """Yield the values that each interface slot accepts: function tables, classes, instances."""
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
    """Yield the semantics of outputs, and the depth of a drawing."""
    known = False
    for found in _reflections(given):
        known = True
        for row in found.outputs:
            yield f"{row.semantic}{row.index}", ""
    if known:
        yield "depth", "of each pixel"


def _shaders(given: Given) -> "Iterator[Shader]":
    """Yield the shaders that the command line names before the value."""
    from .inputs import Input

    named = [*(given.get("files") or ()), *(given.get(name) for name in shaders())]
    named += given.get("args", ())
    for path in filter(None, named):
        if path != "-":  # standard input belongs to the shell
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
    """Return the candidates that start with `begun`; with `several`, with its last item.

    For dotted paths only the next step is returned: all fields of a program would fill the screen.
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
