"""The language of a source, and its stage, by the suffix of its name.

    noise.hlsl  blur.comp  sky.frag.glsl  path.slang  tint.wgsl

`.vert`, `.frag` and `.geom` are suffixes of GLSL and of SkSL: a source with `#version`, or with the
`mainImage` of Shadertoy, is GLSL; the language of any other source has to be named.
"""

import os
import re

from .. import formats
from ..errors import UsageError
from ..vocab import made
from ..vocab.languages import SourceLanguage
from ..vocab.words import STAGE_ALIASES, Stage
from .shadertoy import is_shadertoy

SUFFIXES = {
    SourceLanguage.HLSL: ".hlsl .hlsli .fx .fxh",
    SourceLanguage.SLANG: ".slang .slangh",
    SourceLanguage.GLSL: (
        ".glsl .comp .tesc .tese .task .mesh .rgen .rint .rahit .rchit .rmiss .rcall"
    ),
    SourceLanguage.WGSL: ".wgsl",
    SourceLanguage.SPIRV: ".spvasm",
}
LANGUAGES = {suffix: language for language, each in SUFFIXES.items() for suffix in each.split()}
SHARED = (".vert", ".frag", ".geom")
VERSION = re.compile(r"^[ \t]*#[ \t]*version\b", re.MULTILINE)

# Suffixes of glslang, and the prefixes of Direct3D's profiles, as in `sky.ps.hlsl`.
STAGES = {
    **{name: stage for name, stage in STAGE_ALIASES.items() if name != "fragment"},
    "mesh": Stage.MESH,
    "rgen": Stage.RAYGENERATION,
    "rint": Stage.INTERSECTION,
    "rahit": Stage.ANYHIT,
    "rchit": Stage.CLOSESTHIT,
    "rmiss": Stage.MISS,
    "rcall": Stage.CALLABLE,
}
PROFILES = {
    "vs": Stage.VERTEX, "ps": Stage.PIXEL, "gs": Stage.GEOMETRY, "hs": Stage.HULL,
    "ds": Stage.DOMAIN, "cs": Stage.COMPUTE, "ms": Stage.MESH, "as": Stage.AMPLIFICATION,
}  # fmt: skip

BYTECODE, LLVM = 4, 6  # the first shader models of tokenized programs and of DXIL


def is_source(name: str, text: str) -> bool:
    """Return True if the suffix of a name decides that a text is a source to compile."""
    suffix = _suffixes(name)[-1]
    return suffix in LANGUAGES or (suffix in SHARED and _is_glsl(text))


def language_of(name: str, text: str, named: str | None = None) -> SourceLanguage:
    """Return the language of a source; UsageError if neither suffix nor `named` decides."""
    if named is not None:
        wanted = named.lower()
        found = next(
            (each for each in SourceLanguage if wanted in (each, each.spelling.lower())), None
        )
        if found is None:
            raise UsageError(
                f"unknown language {named!r:.40}: expected one of"
                f" {', '.join(formats.source_languages())}"
            )
        return found
    suffix = _suffixes(name)[-1]
    if suffix in LANGUAGES:
        return LANGUAGES[suffix]
    listed = ", ".join(formats.source_languages())
    if suffix in SHARED:
        if _is_glsl(text):
            return SourceLanguage.GLSL
        raise UsageError(
            f"{name}: a source with the suffix {suffix} and without #version is GLSL or SkSL;"
            f" name the language: {listed}"
        )
    raise UsageError(f"{name or 'the source'}: the language is unknown; name it: {listed}")


def _is_glsl(text: str) -> bool:
    """Return True for a text of GLSL: with #version, or of Shadertoy."""
    return VERSION.search(text) is not None or is_shadertoy(text)


def stage_of(name: str) -> Stage | None:
    """Return the stage that the suffixes of a name specify, as in `sky.frag` and `sky.ps.hlsl`."""
    for suffix in reversed(_suffixes(name)):
        found = STAGES.get(suffix[1:]) or PROFILES.get(suffix[1:])
        if found is not None:
            return found
    return None


def stage_of_profile(profile: str) -> Stage | None:
    """Return the stage of a profile of Direct3D, as `ps_6_0`."""
    return PROFILES.get(profile[:2].lower()) if profile[2:3] == "_" else None


def programs_of_profile(profile: str) -> str | None:
    """Return the language of the programs that a profile of Direct3D names; None for others.

    Programs of Direct3D 9 (`ps_3_0`) have no container that compilers write.
    """
    model = profile[3:].split("_", maxsplit=1)[0]
    if stage_of_profile(profile) is None or not model.isdecimal() or int(model) < BYTECODE:
        return None
    return made.TPF if int(model) < LLVM else made.DXIL


def _suffixes(name: str) -> list[str]:
    """Return the last suffixes of a name in lower case; a single "" if there is none."""
    base = os.path.basename(name).lower()
    return [f".{each}" for each in base.split(".")[1:][-2:]] or [""]
