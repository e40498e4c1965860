"""The entry points that a source declares.

    [shader("pixel")] float4 f(…)         the attribute names the stage
    [numthreads(8, 8, 1)] void f(…)       compute; mesh with [outputtopology]
    [domain("tri")] …                     hull with [outputcontrolpoints], else domain
    [maxvertexcount(3)] void f(…)         geometry
    float4 f(…) : SV_Target               pixel: a result, an `out` parameter or a member of either
    float4 f(…) : SV_Position             vertex
    @compute fn f(…)                      WGSL
    void main()                           GLSL: the file's suffix names the stage

Sources are not parsed: functions are found by the shape of their definition at the outermost level,
after comments and strings are blanked and inactive code is left in. Definitions in an #include are
not seen.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from ..errors import UsageError, did_you_mean
from ..tuples import NamedTuple
from ..vocab.languages import SourceLanguage
from ..vocab.words import STAGE_ALIASES, Stage

COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
HASH = r"^[ \t]*(?:#|%:|\?\?=)"  # digraph and trigraph included
DIRECTIVE = re.compile(HASH + r"(?:[^\n\\]|\\\n|\\.)*", re.MULTILINE)
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|[A-Za-z_]\w*|[^\s\w]|\d[\w.]*')
NAME = re.compile(r"[A-Za-z_]\w*")
PIXEL_OUTPUTS = frozenset(
    {"sv_target", "sv_depth", "sv_depthgreaterequal", "sv_depthlessequal", "sv_coverage", "color"}
)
NO_FUNCTIONS = frozenset({"if", "for", "while", "switch", "return", "layout", "register"})
SHADER_NAMES = {
    **{str(each): each for each in Stage},
    **STAGE_ALIASES,
    "task": Stage.AMPLIFICATION,
}
PRAGMA = re.compile(
    r"^[ \t]*#[ \t]*pragma[ \t]+shader_stage[ \t]*\([ \t]*(\w+)[ \t]*\)", re.MULTILINE
)
MESH_QUALIFIER = re.compile(r"\bmax_vertices\s*=")
LOCAL_SIZE = re.compile(r"\blayout\s*\([^)]*\blocal_size_")
WGSL_ENTRY = re.compile(r"@(vertex|fragment|compute)\b[^{;]*?\bfn\s+(\w+)", re.DOTALL)
SPIRV_ENTRY = re.compile(r'\bOpEntryPoint\s+(\w+)\s+%\w+\s+"([^"\n]*)"')


class EntryCandidate(NamedTuple):
    """A function that can be an entry point; `stage` is None where nothing specifies it."""

    name: str
    stage: Stage | None
    explicit: bool  # an attribute specifies the stage


def chosen_entries(
    language: SourceLanguage, text: str, stage: Stage | None, entry: str | None
) -> tuple[tuple[str, Stage], ...]:
    """Return the entry points to compile, each with its stage.

    Without a stage and a name these are all that the source declares by attributes; else the only
    function that can be meant.

    Raises:
        UsageError: None or several can be meant; the message lists the candidates.
    """
    if language is SourceLanguage.GLSL:
        return ((entry or "main", _stage_of_glsl(text, stage)),)
    if language is SourceLanguage.SPIRV:
        return ()
    found = declared(language, text)
    named = [each for each in found if each.name == entry] if entry is not None else found
    if entry is not None and not named:
        if stage is not None:
            return ((entry, stage),)  # an include may define it
        names = [each.name for each in found]
        raise UsageError(f"no function {entry!r:.60}{did_you_mean(entry, names)}{_listed(found)}")
    fitting = [each for each in named if stage is None or each.stage in (None, stage)]
    explicit = [each for each in fitting if each.explicit]
    if explicit and (stage is None or len(explicit) == 1):
        return tuple((each.name, each.stage) for each in explicit if each.stage is not None)
    for several in (explicit, [each for each in fitting if each.stage is not None]):
        if len(several) == 1 and several[0].stage is not None:
            return ((several[0].name, several[0].stage),)
    if stage is not None:
        mains = [each for each in fitting if each.name == "main"] or fitting
        if len(mains) == 1:
            return ((mains[0].name, stage),)
    what = "entry point" if stage is None else f"entry point of a {stage} shader"
    if not fitting:
        raise UsageError(f"the source declares no {what}; name stage and entry{_listed(found)}")
    unknown = all(each.stage is None for each in fitting)
    wanted = "name the stage" if unknown and len(fitting) == 1 else "name stage and entry"
    raise UsageError(f"the {what} is ambiguous; {wanted}{_listed(fitting)}")


def _listed(found: Sequence[EntryCandidate]) -> str:
    """Return the candidates as the end of a message."""
    shown = [f"{each.name} ({each.stage})" if each.stage else each.name for each in found[:12]]
    more = f" and {len(found) - 12} more" if len(found) > 12 else ""
    return f": candidates are {', '.join(shown)}{more}" if shown else ""


def _stage_of_glsl(text: str, stage: Stage | None) -> Stage:
    if stage is not None:
        return stage
    pragma = PRAGMA.search(text)
    if pragma and pragma[1] in SHADER_NAMES:
        return SHADER_NAMES[pragma[1]]
    code = blanked(text)
    if LOCAL_SIZE.search(code):
        return Stage.MESH if MESH_QUALIFIER.search(code) else Stage.COMPUTE
    listed = ", ".join(name for name in STAGE_ALIASES if name != "fragment")
    raise UsageError(f"the stage of the GLSL source is unknown; name it: {listed}, mesh")


def blanked(text: str) -> str:
    """Return the text with each comment replaced by blanks of the same length; strings stay."""
    return COMMENT.sub(lambda found: found[0] if found[0][0] == '"' else _blank(found[0]), text)


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def declared(language: SourceLanguage, text: str) -> list[EntryCandidate]:
    """Return the functions of a source that can be entry points, in the order of the text."""
    code = blanked(text)
    if language is SourceLanguage.WGSL:
        return [
            EntryCandidate(found[2], SHADER_NAMES[found[1]], True)
            for found in WGSL_ENTRY.finditer(code)
        ]
    tokens = TOKEN.findall(DIRECTIVE.sub(lambda found: _blank(found[0]), code))
    return _functions(tokens)


def _functions(tokens: Sequence[str]) -> list[EntryCandidate]:
    """Return the functions at the outermost level of HLSL or Slang."""
    found: list[EntryCandidate] = []
    structures: dict[str, frozenset[str]] = {}
    start = at = 0
    while at < len(tokens):
        token = tokens[at]
        if token == "{":
            head = tokens[start:at]
            if head and head[0] in ("namespace", "extern"):
                at += 1
                start = at
                continue
            end = _closing(tokens, at)
            if "struct" in head:
                name = head[head.index("struct") + 1 : head.index("struct") + 2]
                structures[name[0] if name else ""] = _semantics(tokens[at:end])
            else:
                made = _function(head, tokens[at:end], structures)
                if made is not None:
                    found.append(made)
            at = end
            if head and head[0] in ("struct", "cbuffer", "tbuffer", "class", "interface", "enum"):
                while at < len(tokens) and tokens[at - 1] != ";" and "struct" in head:
                    at += 1
            start = at
            continue
        at += 1
        if token in (";", "}"):
            start = at
    return found


def _closing(tokens: Sequence[str], at: int) -> int:
    """Return the place after the brace that closes the brace at `at`."""
    depth = 0
    while at < len(tokens):
        depth += {"{": 1, "}": -1}.get(tokens[at], 0)
        at += 1
        if depth == 0:
            break
    return at


def _semantics(tokens: Sequence[str]) -> frozenset[str]:
    """Return the names after colons, in lower case and without index."""
    return frozenset(
        after.lower().rstrip("0123456789")
        for before, after in pairwise(tokens)
        if before == ":" and NAME.fullmatch(after)
    )


def _function(
    head: Sequence[str], body: Sequence[str], structures: dict[str, frozenset[str]]
) -> EntryCandidate | None:
    """Return the function that the tokens before a brace declare, if it is one."""
    attributes: dict[str, str] = {}
    at = 0
    while at < len(head) and head[at] == "[":
        end = at
        while end < len(head) and head[end] != "]":
            end += 1
        inner = [each for each in head[at:end] if each != "["]
        if inner:
            attributes[inner[0].lower()] = inner[2].strip('"').lower() if len(inner) > 2 else ""
        at = end + 1
        while at < len(head) and head[at] == "]":
            at += 1
    head = head[at:]
    if "(" not in head or "=" in head[: head.index("(")]:
        return None
    opening = head.index("(")
    name = head[opening - 1] if opening else ""
    if opening < 2 or not NAME.fullmatch(name) or name in NO_FUNCTIONS:
        return None
    explicit = _stage_of_attributes(attributes, body)
    if explicit is not None:
        return EntryCandidate(name, explicit, True)
    return EntryCandidate(name, _stage_of_semantics(head, opening, structures), False)


def _stage_of_attributes(attributes: dict[str, str], body: Sequence[str]) -> Stage | None:
    if "shader" in attributes:
        return SHADER_NAMES.get(attributes["shader"])
    if "numthreads" in attributes:
        if "outputtopology" in attributes:
            return Stage.MESH
        return Stage.AMPLIFICATION if "DispatchMesh" in body else Stage.COMPUTE
    if "maxvertexcount" in attributes:
        return Stage.GEOMETRY
    if "domain" in attributes:
        return Stage.HULL if "outputcontrolpoints" in attributes else Stage.DOMAIN
    return None


def _stage_of_semantics(
    head: Sequence[str], opening: int, structures: dict[str, frozenset[str]]
) -> Stage | None:
    """Return the stage that system values of the outputs imply."""
    closing = len(head) - 1 - list(reversed(head)).index(")")
    outputs = set(_semantics(head[closing:]))
    for each in head[: opening - 1]:
        outputs |= structures.get(each, frozenset())
    parameters = head[opening + 1 : closing]
    for at, each in enumerate(parameters):
        if each == "out":
            rest = parameters[at:]
            rest = rest[: rest.index(",")] if "," in rest else rest
            outputs |= _semantics(rest)
            for word in rest:
                outputs |= structures.get(word, frozenset())
    if outputs & {"sv_position", "position"}:
        return Stage.VERTEX
    return Stage.PIXEL if outputs & PIXEL_OUTPUTS else None
