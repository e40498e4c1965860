"""The transformation that the name of a matrix means.

    worldViewProj  u_mvp  unity_MatrixVP     model, view, projection: a product of them
    mdlvMtx  p3d_ModelViewMatrix             model and view
    viewToClip  ObjectToWorld  CameraToWorld from one space to another, forwards or back
    invView  WorldInverseTranspose  gWorldIT the inverse, the transpose
    normalMatrix                             of normals: without translation
    boneMatrices  texMatrix  colorMatrix     of something else: the identity

A name is split into words at capitals, digits and signs, and a word into stems, since the names of
some compilers and games are in lower case throughout: `worldviewproj`. An abbreviation counts if no
word has a stem.
"""

import re

from ...dataclass import dataclass

WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|2")
STEMS: dict[str, tuple[str, ...]] = {
    "model": ("model", "world", "object", "obj", "local", "mdl", "wld"),
    "view": ("view", "camera", "cam", "eye", "look"),
    "projection": (
        "projection", "projective", "projected", "project", "proj", "prj", "perspective", "persp",
        "orthographic", "ortho", "clip",
    ),
    "inverse": ("inverse", "inversed", "inverted", "invert", "inv"),
    "transpose": ("transposed", "transpose", "transp"),
    "normal": ("normals", "normal", "nrm"),
    "light": ("light", "shadow", "sun"),
    "other": (
        "bones", "bone", "joints", "joint", "skinning", "skin", "palette", "texture", "texcoord",
        "tex", "uv", "colour", "color", "instance", "inst", "morph",
    ),
    "to": ("to", "2"),
    "noise": (
        "matrices", "matrix", "mat", "mtx", "transformation", "transforms", "transform", "xform",
        "xf", "translated", "position", "pos", "space", "current", "curr", "prev", "previous",
        "last", "screen", "frame", "at",
    ),
}  # fmt: skip
MEANINGS = {stem: meaning for meaning, stems in STEMS.items() for stem in stems}
STEM = re.compile(
    "|".join([*sorted(MEANINGS, key=len, reverse=True), r"(?<=mdl)v$", r"(?<=mdl)vp$"])
)
# Letters of model (or world), view and projection, in the order of either convention.
LETTERS = re.compile(r"(i?)(?=[mwvp])([mw]?v?p?|p?v?[mw]?)(i?)(t?)")
SPACES = {"model": (0, 1), "view": (2,), "projection": (3,)}  # by the words before and after `to`
STEPS = ("model", "view", "projection")  # from a space to the next
OBJECTS = ("object", "obj", "local", "model", "mdl")  # words of the first space
PARTS = frozenset(STEPS)


@dataclass(frozen=True, slots=True)
class MatrixRole:
    """The transformation in a matrix.

    `parts` are the factors of the product, of model, view and projection; the identity has none. A
    `normal` matrix transforms normals, and has no translation.
    """

    parts: frozenset[str] = frozenset()
    inverse: bool = False
    transpose: bool = False
    normal: bool = False

    @property
    def words(self) -> str:
        """The role in words, for messages: `view and projection`, `inverse of view`."""
        named = [each for each in STEPS if each in self.parts]
        text = " and ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)
        for is_set, word in ((self.transpose, "transpose"), (self.inverse, "inverse")):
            text = f"{word} of {text}" if is_set and text else text
        return f"{text} for normals" if self.normal and text else text or "the identity"


IDENTITY = MatrixRole()


def matrix_role(name: str) -> MatrixRole | None:
    """Return the role that the name of a matrix suggests; None if it suggests none."""
    words = [each.lower() for each in WORDS.findall(name.rpartition(".")[2])]
    pairs = [pair for word in words for pair in _stems(word)]
    meanings = [meaning for meaning, _ in pairs]
    has_camera = {"view", "projection", "normal"} & set(meanings)
    if "other" in meanings and not has_camera:
        return IDENTITY
    found = _between(pairs) or _product(words, pairs)
    if found is None and "light" in meanings:
        return MatrixRole(frozenset({"view", "projection"}))
    return found


def _stems(word: str) -> list[tuple[str, str]]:
    """Return the meanings and stems that a word consists of; none if something is left over."""
    found: list[tuple[str, str]] = []
    at = 0
    while at < len(word):
        match = STEM.match(word, at)
        if match is None:
            return []
        stem = match.group()
        letters = {"v": ("view",), "vp": ("view", "projection")}.get(stem)
        found += [(each, stem) for each in letters or (MEANINGS[stem],)]
        at = match.end()
    return found


def _between(pairs: list[tuple[str, str]]) -> MatrixRole | None:
    """Return the role of a matrix from one space to another: `viewToClip`."""
    meanings = [meaning for meaning, _ in pairs]
    if "to" not in meanings:
        return None
    at = meanings.index("to")
    ends = []
    for side in (pairs[:at][::-1], pairs[at + 1 :]):
        spaces = [pair for pair in side if pair[0] in PARTS]
        if not spaces:
            return None
        meaning, stem = spaces[0]
        of_model = 0 if stem in OBJECTS else 1
        ends.append(of_model if meaning == "model" else SPACES[meaning][0])
    first, last = ends
    low, high = min(first, last), max(first, last)
    return MatrixRole(frozenset(STEPS[low:high]), inverse=first > last)


def _product(words: list[str], pairs: list[tuple[str, str]]) -> MatrixRole | None:
    """Return the role of a product: `worldViewProj`, `wvp`."""
    meanings = {meaning for meaning, _ in pairs}
    parts = meanings & PARTS
    cameras = [stem for meaning, stem in pairs if meaning == "view"]
    if (
        "projection" in parts
        and cameras
        and all(stem in ("camera", "cam", "eye") for stem in cameras)
    ):
        parts = parts - {"view"}  # `cameraProjection`: the projection of the camera
    flags = {name: name in meanings for name in ("inverse", "transpose", "normal")}
    # `worldIT`, `viewI`: letters after a word.
    short = {"i": ("inverse",), "t": ("transpose",), "it": ("inverse", "transpose")}
    if parts and words[-1] in short:
        flags |= dict.fromkeys(short[words[-1]], True)
    if not parts:
        for word in words:
            letters = LETTERS.fullmatch(word)
            if letters is not None and (len(word) > 1 or word == words[-1]):
                before, product, after, turned = letters.groups()
                kinds = {"m": "model", "w": "model", "v": "view", "p": "projection"}
                parts = {kinds[each] for each in product}
                flags["inverse"] |= bool(before or after)
                flags["transpose"] |= bool(turned)
    if not parts and flags["normal"]:
        parts = {"model", "view"}
    return MatrixRole(frozenset(parts), **flags) if parts else None
