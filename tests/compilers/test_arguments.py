"""The arguments that compilers get, without starting one.

Source: the manual page of glslc (`-x`, `-fentry-point`, `-f…-binding-base`) and `--help` of
glslangValidator.
"""

from unshade.compilers.jobs import Job
from unshade.compilers.tools import _glslang, _glslc
from unshade.vocab.languages import SourceLanguage
from unshade.vocab.slots import FIRST_BINDINGS
from unshade.vocab.words import Stage

KINDS = {"b": ["cbuffer"], "t": ["texture"], "u": ["uav", "ssbo"], "s": ["sampler"]}


def job(language: SourceLanguage, optimise: int | None = None, debug: bool = True) -> Job:
    return Job("", "a", language, (("shade", Stage.PIXEL),), optimise=optimise, debug=debug)


def test_glslc_reads_hlsl() -> None:
    bindings = [
        f"-f{kind}-binding-base={FIRST_BINDINGS[letter]}"
        for letter in KINDS
        for kind in KINDS[letter]
    ]
    found = _glslc(job(SourceLanguage.HLSL), "a.hlsl", "a.spv")
    assert found[:5] == [
        "-fshader-stage=frag", "--target-env=vulkan1.2", "-x", "hlsl", "-fentry-point=shade",
    ]  # fmt: skip
    pairs = [f"{found[at]}={found[at + 1]}" for at in range(5, 5 + 2 * len(bindings), 2)]
    assert sorted(pairs) == sorted(bindings)
    assert found[5 + 2 * len(bindings) :] == ["-o", "a.spv", "-g", "a.hlsl"]


def test_glslc_reads_glsl() -> None:
    first = ["-fshader-stage=frag", "--target-env=vulkan1.2", "-o", "a.spv"]
    assert _glslc(job(SourceLanguage.GLSL, debug=False), "a.frag", "a.spv") == [*first, "a.frag"]
    found = _glslc(job(SourceLanguage.GLSL, 3), "a.frag", "a.spv")
    assert found == [*first, "-O", "-g", "a.frag"]
    found = _glslc(job(SourceLanguage.GLSL, 0), "a.frag", "a.spv")
    assert found == [*first, "-O0", "-g", "a.frag"]


def test_glslang_reads_hlsl() -> None:
    found = _glslang(job(SourceLanguage.HLSL), "a.hlsl", "a.spv")
    assert found[:6] == ["-V", "--target-env", "vulkan1.2", "-S", "frag", "-o"]
    assert found[6:10] == ["a.spv", "-D", "-e", "shade"]
    assert "--shift-ssbo-binding" in found
    assert found[-2:] == ["-gVS", "a.hlsl"]
