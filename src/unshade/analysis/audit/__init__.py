r"""`unshade.audit`: what a shader's file gives away about those who made it.

    for each in unshade.audit(shader):
        print(each.category, each.text, each.removed_by)

    path      C:\Users\mia\ui.hlsl    debug        strip --debug removes it
    user      mia                     debug
    name      secretTexture           reflection
    name      LIGHTING                None         a semantic: other stages are linked by it

Texts are found by the structure of the file (`texts`), and sorted by their form (`kinds`) unless
the format declares their kind. Copies of the shader are stripped to find the category of `strip`
that removes each text.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from ...errors import UnsupportedError, UsageError, did_you_mean
from ...model import Reflection
from ...shader import Shader
from ...stripping import STRIPPABLE
from ...tuples import NamedTuple
from .kinds import Reveals, comments_in, details_in, form_of, is_vocabulary
from .texts import FileText, texts_of

__all__ = ["Disclosure", "Reveals", "audit", "categories"]


class Disclosure(NamedTuple):
    """Something that a file gives away."""

    category: Reveals
    text: str
    offset: int  # in the file; of the compressed stream for compressed text
    length: int
    path: str  # dotted, as in `spans`
    stored: str  # utf-8, utf-16, zlib, packed, number
    removed_by: str | None  # the category of `strip` that removes it; None if none does


def categories(names: Iterable[str]) -> list[Reveals]:
    """Return categories by name; UsageError for an unknown one."""
    known = {str(each): each for each in Reveals}
    found = []
    for name in names:
        if name not in known:
            hint = did_you_mean(name, list(known))
            expected = ", ".join(known)
            raise UsageError(f"unknown category {name!r:.40}: expected one of {expected}{hint}")
        found.append(known[name])
    return found


def audit(shader: Shader) -> list[Disclosure]:
    """Return what the file of a shader gives away, in the order of the categories.

    The shader is not changed.

    Args:
        shader: A shader of any format.

    Raises:
        LimitError: The compressed data of the file is larger than `limits.inflated`.
    """
    found = _found(shader)
    removers = _removers(shader, found)
    order = list(Reveals)
    made = [
        each._replace(removed_by=removed) for each, removed in zip(found, removers, strict=True)
    ]
    return sorted(made, key=lambda each: (order.index(each.category), each.offset))


def _found(shader: Shader) -> list[Disclosure]:
    """Return each disclosure once, without the category of `strip` that removes it."""
    found: dict[tuple[object, ...], Disclosure] = {}
    for each in texts_of(shader):
        for one in _disclosed(each):
            found.setdefault((one.category, one.text, one.offset), one)
    for one in _unused(shader, list(found.values())):
        found.setdefault((one.category, one.text, one.path), one)
    return list(found.values())


def _disclosed(each: FileText) -> Iterator[Disclosure]:
    """Yield the disclosures of a text: the whole text, and paths, users and times inside."""
    text = each.text.strip("\0")
    form = None if each.stored == "number" else form_of(text)
    kind = each.kind or form
    if kind is None:
        unknown = each.stored in ("utf-16", "zlib") or each.path.rpartition(".")[2] in RAW
        kind = Reveals.TEXT if unknown else Reveals.NAME
    if not text or (kind is Reveals.NAME and is_vocabulary(text)):
        return
    yield _made(each, kind, text, 0)
    if kind is Reveals.SOURCE:
        for comment, at in comments_in(text):
            yield _made(each, Reveals.COMMENT, comment, at)
    if each.stored != "number":
        for inner, word, at in details_in(text):
            if (inner, word) != (kind, text):
                yield _made(each, inner, word, at)


RAW = frozenset({"unused", "trailing", "data"})


def _made(each: FileText, kind: Reveals, text: str, at: int) -> Disclosure:
    """Return the disclosure of a part of a text, by the position of the part's first character."""
    offset, length = each.offset, each.length
    if text != each.text and each.stored in ("utf-8", "utf-16"):
        encoding = "utf-8" if each.stored == "utf-8" else "utf-16-le"
        offset += len(each.text[:at].encode(encoding, "surrogateescape"))
        length = len(text.encode(encoding, "surrogateescape"))
    return Disclosure(kind, text, offset, length, each.path, each.stored, None)


def _unused(shader: Shader, found: Sequence[Disclosure]) -> Iterator[Disclosure]:
    """Yield the resources and variables that the reflection names and the code does not use."""
    try:
        reflection = shader.reflect()
    except UnsupportedError:
        return
    names = {each.text: each for each in reversed(found) if each.category is Reveals.NAME}
    for name, described in _unused_in(reflection):
        named = names.get(name)
        if named is not None:
            yield named._replace(category=Reveals.UNUSED, text=f"{described} {name}")


def _unused_in(reflection: Reflection) -> Iterator[tuple[str, str]]:
    """Yield (name, noun phrase) of each unused name in a reflection and its entry points."""
    for each in reflection.resources:
        if each.used is False and not each.declared:
            yield each.name, str(each.kind).replace("_", " ")
    for buffer in reflection.constant_buffers:
        for variable in buffer.variables:
            if not variable.used:
                yield variable.name, f"variable of {buffer.name}"
    for entry in reflection.entry_points:
        yield from _unused_in(entry)


def _removers(shader: Shader, found: Sequence[Disclosure]) -> list[str | None]:
    """Strip copies of a shader; return the category of `strip` that removes each disclosure."""
    removers: list[str | None] = [None] * len(found)
    before = Counter(_key(each) for each in found)
    for category in STRIPPABLE:
        copy = type(shader).loads(shader.to_bytes(), shader.limits)
        if not copy.strip(category):
            continue
        left = Counter(_key(each) for each in _found(copy))
        for at, each in enumerate(found):
            if removers[at] is None and left[_key(each)] < before[_key(each)]:
                removers[at] = category
    return removers


def _key(each: Disclosure) -> tuple[str, str, str]:
    """Return the category, the text, and the part that contains it."""
    return each.category, each.text, each.path.partition(".")[0]
