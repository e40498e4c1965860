"""Write docs/refusals.md, the messages of programs that cannot be run, decompiled or translated.

The messages are those of UnsupportedError in the sources, with `…` for what differs from case to
case. tests/docs/test_refusals.py fails if the page is stale: `python tools/refusal_page.py` writes
it again.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from unshade.programs.spirv.lower.refused import KERNEL, RAYS, REASONS

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "unshade"
PAGE = ROOT / "docs" / "refusals.md"
HEAD = """<!-- made by tools/refusal_page.py; edit that instead -->

# Messages of unsupported programs

A program that unshade cannot run, decompile or translate is refused with one of these messages, after the place in the file, and with exit code 4 (in Python `UnsupportedError`). Nothing is left out of a program silently. `…` stands for a name, a number or a type. [Status](status.md#what-is-not-there) lists what is missing on the whole.
"""  # noqa: E501
SECTIONS = (
    ("Direct3D bytecode", ("programs/tpf",)),
    ("DXIL", ("programs/dxil",)),
    ("SPIR-V", ("programs/spirv",)),
    ("PICA200", ("programs/pica",)),
    ("SkSL", ("programs/sksl",)),
    ("Every instruction set", ("ir", "run/opening.py", "run/stages", "vm/prepare.py")),
    ("The jit engine; lockstep runs the program instead", ("vm/jit",)),
    ("Pictures: scenes, textures and targets", ("run/raster", "run/binding", "run/textures")),
    ("Decompilation to HLSL and GLSL, translation", ("decompile",)),
)


def template(node: ast.expr) -> str:
    """Return a text with `…` for what is computed."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(template(each) for each in parts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return template(left) + template(right)
    return "…"


def messages(path: Path) -> Iterator[str]:
    """Yield the messages of UnsupportedError in a file; those that are computed alone are not."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(func=ast.Name(id="UnsupportedError"), args=[first, *_]):
                text = template(first)
                if text.strip("…: ."):
                    yield text


def page() -> str:
    """Return the text of the page."""
    lines = [HEAD]
    for title, places in SECTIONS:
        found = {
            text
            for place in places
            for path in sorted((PACKAGE / place).rglob("*.py")) or [PACKAGE / place]
            for text in messages(path)
        }
        if places == ("programs/spirv",):
            reasons = {RAYS, KERNEL, *(reason for _, reason in REASONS)}
            found |= {f"… cannot be run: {reason}" for reason in reasons}
        rows = sorted(found, key=lambda text: (text.lstrip("… :").lower(), text))
        lines += [f"## {title}\n", *(f"- `{text}`" for text in rows), ""]
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
