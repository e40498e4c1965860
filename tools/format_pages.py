"""Writes docs/formats/*.md from the declarations in the code: `python tools/format_pages.py`.

tests/docs/test_format_pages.py fails while a page is older than what it is made from.
"""

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from unshade.formats.dxcontainer import container, parts
from unshade.formats.dxcontainer.parts.kind import RecordKind
from unshade.formats.dxcontainer.verify.rules import RULES as CONTAINER_RULES
from unshade.isa import Word
from unshade.programs.tpf import tokens
from unshade.programs.tpf.ops import OPS, Op
from unshade.programs.tpf.verify.rules import RULES as PROGRAM_RULES
from unshade.wire.schema import markdown

DOCS = Path(__file__).resolve().parent.parent / "docs" / "formats"
MADE = "<!-- made by tools/format_pages.py; edit the declarations instead -->\n"


def pages() -> dict[str, str]:
    """The text of every page, by file name."""
    return {"dxcontainer.md": dxcontainer(), "tpf.md": tpf(), "findings.md": findings()}


def dxcontainer() -> str:
    """The container and every part that is typed."""
    found = [MADE, "# The DirectX container", "", drawing(container.__doc__)]
    found += [markdown(container.Header), "## Parts", ""]
    names: dict[str, list[str]] = {}
    for name, module in parts.ALIASES.items():
        names.setdefault(module, []).append(name)
    for module in sorted(m.name for m in iter_modules(parts.__path__)):
        loaded = import_module(f"{parts.__name__}.{module}")
        if not hasattr(loaded, "PART"):
            continue
        own = [module.upper()] if len(module) == 4 else []  # else named by its aliases alone
        title = ", ".join(own + names.get(module, []))
        found += [f"## {title}", "", drawing(loaded.__doc__)]
        if isinstance(loaded.PART, RecordKind):
            found.append(markdown(loaded.PART.record))
        else:
            found += ["See [the tokenized program format](tpf.md).", ""]
    return "\n".join(found)


def tpf() -> str:
    """The instruction set of shader models 4 to 5.1."""
    found = [MADE, "# Shader Model 4 to 5.1: the tokenized program format", ""]
    found += [drawing(tokens.__doc__), "## Operations", ""]
    found += [
        "| number | name | operands | model | stages | what it does |",
        "|---|---|---|---|---|---|",
    ]
    found += [operation(op) for op in OPS]
    found += ["", "## Words", ""]
    for word in vars(tokens).values():
        if isinstance(word, type) and issubclass(word, Word) and word.FIELDS:
            found += word_table(word)
    return "\n".join(found)


def findings() -> str:
    """Every rule of `verify`."""
    found = [MADE, "# What `verify` finds", ""]
    found += [
        "An error may make the runtime or a driver refuse the file, a warning is what no compiler",
        "writes, a note is worth knowing.",
        "",
    ]
    for title, rules in (("Containers", CONTAINER_RULES), ("Programs", PROGRAM_RULES)):
        found += [f"## {title}", "", "| code | severity | what was found | why it matters |"]
        found += ["|---|---|---|---|"]
        for rule in rules.values():
            row = f"| `{rule.code}` | {rule.severity} | {rule.summary} | {rule.explanation} |"
            found.append(row)
        found.append("")
    return "\n".join(found)


def operation(op: Op) -> str:
    """One row."""
    stages = "all" if len(op.stages) == 6 else " ".join(sorted(s.profile for s in op.stages))
    operands = " ".join([*op.operands, *(f"`{name}`" for name in op.dwords)])
    model = f"{op.since[0]}.{op.since[1]}"
    return f"| {op.code} | `{op.name}` | {operands} | {model} | {stages} | {op.doc} |"


def word_table(word: type[Word]) -> list[str]:
    """A word and its bit fields."""
    lines = [f"### {word.__name__}", "", (word.__doc__ or "").strip(), ""]
    lines += ["| bits | field | meaning |", "|---|---|---|"]
    for f in word.FIELDS:
        bits = str(f.low) if f.width == 1 else f"{f.low}–{f.low + f.width - 1}"
        lines.append(f"| {bits} | `{f.name}` | {f.doc} |")
    return [*lines, ""]


def drawing(doc: str | None) -> str:
    """A module's text as Markdown: its indented drawings are code blocks there too."""
    return (doc or "").strip() + "\n"


def main() -> None:
    DOCS.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (DOCS / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
