"""Sources of Shadertoy: GLSL with a function `mainImage` in place of `main`, and without uniforms.

    void mainImage(out vec4 fragColor, in vec2 fragCoord) {      fragCoord has its origin below
        fragColor = vec4(fragCoord / iResolution.xy, sin(iTime), 1.0);
    }

The uniforms are declared before it, and `main` after it; `#line` keeps the numbers of its lines.
Source: shadertoy.com/howto.
"""

import re

__all__ = ["is_shadertoy", "whole"]

IMAGE = re.compile(r"\bvoid\s+mainImage\s*\(")
MAIN = re.compile(r"\bvoid\s+main\s*\(")
UNIFORMS = (
    "vec3 iResolution", "float iTime", "float iTimeDelta", "float iFrameRate", "int iFrame",
    "float iChannelTime[4]", "vec3 iChannelResolution[4]", "vec4 iMouse", "vec4 iDate",
    "float iSampleRate",
)  # fmt: skip
CHANNELS = tuple(f"iChannel{number}" for number in range(4))
FAR = 1_000_000  # numbers of lines that no source has
OUTPUT = "shadertoy_color"


def is_shadertoy(text: str) -> bool:
    """Return True for a text with `mainImage` and without `main`."""
    return IMAGE.search(text) is not None and MAIN.search(text) is None


def whole(text: str) -> str:
    """Return the text as a fragment shader of Vulkan."""
    version = "" if re.search(r"^[ \t]*#[ \t]*version\b", text, re.MULTILINE) else "#version 450\n"
    members = [each for each in UNIFORMS if not _declares(text, each.split()[1].partition("[")[0])]
    channels = [
        each for each in CHANNELS if re.search(rf"\b{each}\b", text) and not _declares(text, each)
    ]
    lines = [f"layout(location = 0) out vec4 {OUTPUT};"]
    if members:
        inner = " ".join(f"{each};" for each in members)
        lines.append(f"layout(set = 0, binding = 0) uniform Shadertoy {{ {inner} }};")
    lines += [
        f"layout(set = 0, binding = {int(each[-1]) + 1}) uniform sampler2D {each};"
        for each in channels
    ]
    place = "vec2(gl_FragCoord.x, iResolution.y - gl_FragCoord.y)"
    main = f"void main() {{ {OUTPUT} = vec4(0.0); mainImage({OUTPUT}, {place}); }}"
    before = "\n".join([f"#line {FAR}", *lines, "#line 1"])
    if not version:
        return _after_version(text, before, main)
    return f"{version}{before}\n{text}\n#line {2 * FAR}\n{main}\n"


def _after_version(text: str, before: str, main: str) -> str:
    """Return the same for a text with #version, which has to stay the first directive."""
    lines = text.split("\n")
    at = next(n for n, line in enumerate(lines) if re.match(r"[ \t]*#[ \t]*version\b", line))
    before = before.removesuffix("#line 1") + f"#line {at + 2}"
    return "\n".join([*lines[: at + 1], before, *lines[at + 1 :], f"#line {2 * FAR}", main, ""])


def _declares(text: str, name: str) -> bool:
    return re.search(rf"\buniform\b[^;{{]*\b{name}\b", text) is not None
