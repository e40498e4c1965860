"""Write docs/api/*.md from the docstrings of the public API: `python tools/api_pages.py`.

Signatures come from the source, descriptions from the docstrings (Args, Returns and Raises become
lists), tables of fields from the classes, examples from tools/api_examples.md, where a heading
`## Shader.save` names the function, class or method of the blocks below it. The tests run the
examples like those of all other pages.

tests/docs/test_api_pages.py fails if a page is stale, or if a public name has no description or no
example.
"""

import ast
import dataclasses
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from enum import Enum
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

import unshade
from unshade import analysis, catalog, errors, model, overview, parts, run, stripping, testing
from unshade.formats.dxcontainer import DxPart, PartList
from unshade.formats.sodb.shaders import ShadersByKey
from unshade.model.plain import Facts
from unshade.program import Operand
from unshade.run import kernels, raster, signature
from unshade.run.binding import bindings, children, results
from unshade.run.binding.texture_image import TextureImage
from unshade.run.debugging import compare, debugger, frames, lens, rounding
from unshade.run.proving import explaining, proof
from unshade.run.source_functions import callables
from unshade.run.stages import patches
from unshade.vm.launch import Report
from unshade.vm.lockstep.debug import Trace, TracedRegister, TraceEntry
from unshade.vm.lockstep.debug.coverage import Branch

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs" / "api"
EXAMPLES = Path(__file__).with_name("api_examples.md")
MADE = "<!-- made by tools/api_pages.py; edit the docstrings or tools/api_examples.md -->\n\n"
SECTION = re.compile(r"(Args|Attributes|Returns|Raises|Yields):$")
ITEM = re.compile(r"(\*{0,2}[\w.]+): +(.*)")
COLUMNS = re.compile(r"\S {2,}\S|[├└│]")
OPERATORS = (
    "__getitem__", "__setitem__", "__delitem__", "__contains__", "__iter__", "__len__", "__bool__",
    "__eq__",
)  # fmt: skip


class Page(NamedTuple):
    """A page: file name, title, introduction, and the functions and classes it describes."""

    name: str
    title: str
    about: str
    things: tuple[Any, ...]
    home: str = "unshade"  # where its functions are imported from


PAGES = (
    Page(
        "files.md", "Files and shaders",
        "Open shaders, look into them, change them and write them back.",
        (
            unshade.open, unshade.loads, unshade.identify, unshade.find,
            unshade.put_back, unshade.info,
            unshade.to_yaml, unshade.from_yaml, unshade.from_data, unshade.Shader,
            unshade.DxContainer, unshade.Shbin, unshade.SkslShader, unshade.SpirvModule,
            unshade.Vbc, unshade.Sodb, ShadersByKey, unshade.Limits, unshade.Found, unshade.Info,
            overview.PartInfo,
            overview.InfoFinding, DxPart, PartList, parts.Category, stripping.Loss, unshade.Span,
            unshade.audit, unshade.Disclosure, unshade.headers, unshade.cost,
        ),
    ),
    Page(
        "programs.md", "Programs and assembly",
        "The code of a shader as text and as instructions, and shaders made from text.",
        (unshade.assemble, unshade.compile, unshade.recompile, unshade.link, unshade.pack,
         unshade.Source, unshade.Program, unshade.EntryPoint, unshade.Instruction, Operand,
         unshade.explain, unshade.Explanation),
    ),
    Page(
        "reflection.md", "Reflection",
        "What a shader takes, produces and uses, in the same terms for every format. All classes"
        " have `to_dict()`, which returns plain data.",
        (unshade.Reflection, *(
            found for name in model.__all__
            if isinstance(found := getattr(model, name), type) and issubclass(found, Facts)
            and found is not unshade.Reflection
        )),
    ),
    Page(
        "diff.md", "Comparison",
        "Differences between two shaders, by category.",
        (unshade.diff, *(getattr(analysis.diff, name) for name in (
            "Diff", "PartChange", "Change", "Count", "ProgramDiff", "LineChange", "ChangeKind",
            "Differs",
        ))),
    ),
    Page(
        "pipelines.md", "Pipelines",
        "Whole pipelines, checked before they run.",
        (unshade.Pipeline, *(getattr(analysis.pipelines, name) for name in (
            "stages_of", "root_signature_of", "layout_of", "state_of", "PipelineStage",
            "PipelineReport", "PipelineFinding", "PipelinePlace", "GivenRootSignature",
            "PipelineLayout", "DescriptorBinding", "PushConstantRange", "PipelineState",
            "VertexElement",
        ))),
        "unshade.analysis.pipelines",
    ),
    Page(
        "catalog.md", "Catalogues",
        "`unshade.catalog`, many shaders in a folder of Parquet files (install with `[catalog]`).",
        tuple(getattr(catalog, name) for name in (
            "scan", "ScanResult", "Catalog", "CatalogRows", "compare", "CatalogDiff",
            "CatalogChange", "similar", "SimilarShader", "shaders_of", "compact",
        )),
        "unshade.catalog",
    ),
    Page(
        "run.md", "Running shaders",
        "Run shaders on the CPU, over NumPy arrays (install with `[run]`, or `[jit]` for speed).",
        (run.kernel, unshade.prove, proof.Proof, proof.ProofDifference,
         explaining.ProofExplanation, unshade.reduce,
         unshade.functions, callables.ShaderFunctions, callables.ShaderFunction,
         kernels.Kernel, children.BoundKernel, run.Texture, run.open_texture,
         TextureImage, run.Sampler,
         results.Results, patches.Patches,
         bindings.Binding, signature.KernelSignature, signature.SignatureRow, Report),
    ),
    Page(
        "frame.md", "Frames",
        "`unshade.run.frame`, several passes over resources with names.",
        tuple(getattr(run.frame, name) for name in (
            "Frame", "FrameResult", "FrameDescription", "TargetDescription", "TextureDescription",
            "BufferDescription", "FrameMesh", "FramePipeline", "FrameShader", "Pass", "Command",
            "Draw", "FrameCamera", "Dispatch", "Copy",
        )),
    ),
    Page(
        "raster.md", "Drawing",
        "`unshade.run.raster`, a software rasteriser.",
        (
            raster.draw, raster.Picture, raster.BlendState, raster.Blend, raster.DepthStencilState,
            raster.StencilFace, raster.RasterizerState, raster.StreamOutput,
            raster.StreamOutputEntry, raster.PipelineStatistics, raster.DrawArguments,
            raster.dispatch_arguments, raster.PixelHistory, raster.Fragment, raster.Rejection,
            raster.InputLayout, raster.Element, raster.read_mesh,
            raster.open_mesh, raster.Mesh,
        ),
        "raster",
    ),
    Page(
        "debug.md", "Debugging",
        "Trace a thread and find faults in all threads.",
        (debugger.Debugger, debugger.ThreadFinding, lens.Lens, compare.compare_traces,
         compare.TraceDifference, rounding.amplifying_lines, rounding.AmplifyingLine, Trace,
         TraceEntry, TracedRegister,
         frames.StackFrame, run.Coverage, Branch),
    ),
    Page(
        "testing.md", "Testing",
        "`unshade.testing`, for tests with pytest; see also [the tutorial](../testing.md).",
        (testing.check, testing.arguments, testing.assert_close, testing.approx_ulp,
         testing.ulp_distance, testing.Vector, testing.vectors,
         testing.ShaderFixture, testing.FrameFixture),
        "testing",
    ),
    Page(
        "errors.md", "Errors and diagnostics",
        "Exceptions that the library raises, and diagnostics that it returns.",
        (
            *(getattr(unshade, name) for name in unshade.__all__ if name.endswith("Error")),
            errors.BudgetError, unshade.Diagnostic, errors.Diagnostics, unshade.Severity,
        ),
    ),
)  # fmt: skip

# Members that the library itself calls; they are named on the pages, and need no example.
INTERNAL = {
    "DxContainer": "frame derived_fields pad pad_parts odd",
    "DxPart": "from_data to_data spans_of spans_at finding category_of in_program described"
    " description is_second pad beside",
    "ShadersByKey": "of encoded",
    "Shbin": "code_holder executables arguments arguments_of adopt called called_in prefix"
    " code_prefix sections bounds moved distinct traced entries lay_out layout",
    "Shader": "salvage claim frame part_value derived_fields",
    "Program": "checked_dialect checked_entry places comparable differences debug_lines",
    "SpirvModule": "frame",
    "BlendState": "of",
    "StreamOutput": "write",
    "PipelineStatistics": "add",
    "DrawArguments": "vertices primitives instance_inputs numbers",
    "RasterizerState": "resolved culled biases wide",
    "Results": "add join slots_of named",
    "KernelSignature": "of add",
    "SignatureRow": "key names prefix label_of_register needed asked",
    "Binding": "keys",
    "Debugger": "check_line check_name files",
    "Trace": "begin step",
    "Coverage": "begin step",
    "Branch": "add",
    "ProgramDiff": "align",
}


# ---------------------------------------------------------------- what there is


@cache
def described() -> dict[str, tuple[Page, Any]]:
    """Return page and object of everything in the reference, by name."""
    return {thing.__name__: (page, thing) for page in PAGES for thing in page.things}


def public() -> list[str]:
    """Return the public names: those of `__all__` of the package, of `run` and of `testing`."""
    names = {*unshade.__all__, *run.__all__, *testing.__all__, *raster.__all__}
    return sorted(names - {"run", "raster", "frame"})


def calls() -> Iterator[str]:
    """Iterate over the functions, public classes, and methods, by qualified name."""
    for name, (_, thing) in described().items():
        if not isinstance(thing, type) or name in public():
            yield name
        if isinstance(thing, type):
            hidden = INTERNAL.get(name, "").split()
            for member, found in members(thing):
                if member not in hidden and function_of(found) is not None:
                    yield f"{name}.{member}"


@cache
def examples() -> dict[str, str]:
    """Return the blocks of the examples file, by the name in their heading.

    A heading `# diff.md` begins the examples of another page.
    """
    text = re.sub(r"^# \S+\.md\n", "", EXAMPLES.read_text(encoding="utf-8"), flags=re.MULTILINE)
    pieces = re.split(r"^## (\S+)\n", text, flags=re.MULTILINE)
    return {name: text.strip() for name, text in zip(pieces[1::2], pieces[2::2], strict=True)}


def has_example(name: str) -> bool:
    """Return True if a call has an example: its own, or a use in another one of its class."""
    owner, dot, method = name.partition(".")
    if not dot:
        return name in examples()
    owners = {base.__name__ for base in described()[owner][1].__mro__}  # of what it overrides, too
    shown = (text for key, text in examples().items() if key.partition(".")[0] in owners)
    return any(re.search(rf"\.{method}\(", text) for text in shown)


def members(kind: type) -> Iterator[tuple[str, Any]]:
    """Iterate over the public members of a class, without those that another class shows."""
    seen: set[str] = set()
    for base in kind.__mro__:
        if shown_with(base) is not kind:
            continue
        for name, found in own_members(base):
            if name not in seen:
                seen.add(name)
                yield name, found


def own_members(base: type) -> Iterator[tuple[str, Any]]:
    """Iterate over the public members that a class itself defines and describes."""
    for name, found in vars(base).items():
        if name.startswith("_") and name not in OPERATORS:
            continue
        documented = inspect.getdoc(property_of(found) or function_of(found))
        if documented and (not name.startswith("_") or _own_operator(found)):
            yield name, found


@cache
def shown_with(base: type) -> type | None:
    """Return the class that shows the members of a base: itself, or the first that inherits it.

    None if there are no members to show, as for bases of other packages.
    """
    kinds = [thing for page in PAGES for thing in page.things if isinstance(thing, type)]
    if base in kinds:
        return base
    if (
        base is Facts
        or base.__module__.partition(".")[0] != "unshade"
        or not any(own_members(base))
    ):
        return None
    return next((each for each in kinds if base in each.__mro__), None)


def referred(kind: type) -> list[type]:
    """Return the classes that show members which a class inherits."""
    shown_by = dict.fromkeys(shown_with(base) for base in kind.__mro__[1:])
    return [each for each in shown_by if each is not None and each is not kind]


def _own_operator(found: Any) -> bool:
    return inspect.isfunction(found) and bool(found.__doc__)


def function_of(found: Any) -> Callable[..., Any] | None:
    """Return the function of a method, class method or static method; None for anything else."""
    if isinstance(found, classmethod | staticmethod):
        found = found.__func__
    return found if inspect.isfunction(found) and found.__name__ not in OPERATORS else None


def property_of(found: Any) -> Any:
    """Return the getter of a property, the object itself for another descriptor with a text."""
    if isinstance(found, property):
        return found.fget
    if isinstance(found, cached_property):
        return found.func
    if isinstance(found, parts.RawBytes) or inspect.isfunction(found):
        return found
    return None


# ---------------------------------------------------------------- pages


def pages() -> dict[str, str]:
    """Return the text of every page, by file name."""
    made = {page.name: MADE + "\n".join(_page(page)) for page in PAGES}
    made["index.md"] = MADE + "\n".join(_index())
    return {name: re.sub(r"\n{3,}", "\n\n", text).rstrip() + "\n" for name, text in made.items()}


def _index() -> Iterator[str]:
    yield "# Python API\n"
    yield "Names are those of the package `unshade`, unless the page says otherwise."
    yield "Everything is typed; see [how to write typed scripts](../how-to/typing.md).\n"
    for page in PAGES:
        yield f"## [{page.title}]({page.name})\n\n{page.about}\n\n| name | |\n|---|---|"
        for thing in page.things:
            name = thing.__name__
            yield f"| {_link(name)} | {_cell(_summary(thing))} |"
        yield ""


def _page(page: Page) -> Iterator[str]:
    yield f"# {page.title}\n\n{page.about}\n"
    for thing in page.things:
        name = thing.__name__
        yield f"## {heading(name)}\n"
        if isinstance(thing, type):
            yield from _class(thing)
        else:
            yield _signature(thing, name)
            yield _text(thing)
            yield from _example(name)


def _class(kind: type) -> Iterator[str]:
    name = kind.__name__
    constructor = vars(kind).get("__init__")
    plain = dataclasses.is_dataclass(kind) or issubclass(kind, Facts | tuple | Exception)
    if constructor and not plain and name in public():
        yield _signature(constructor, name, drop=1)
    above = [_link(each.__name__) for each in referred(kind)]
    if above:
        yield f"Has the members of {' and '.join(above)}, too.\n"
    yield _text(kind)
    yield from _example(name)
    yield from _fields(kind)
    hidden = INTERNAL.get(name, "").split()
    shown = [(each, found) for each, found in members(kind) if each not in hidden]
    properties = [pair for pair in shown if not inspect.isfunction(_bare(pair[1]))]
    if properties:
        yield "\n| property | type | |\n|---|---|---|"
        for each, found in properties:
            getter = property_of(found)
            text = " ".join(_blocks(inspect.getdoc(getter) or ""))
            yield f"| `{each}` | {_type(_returned(getter))} | {_cell(text)} |"
    operators = [(each, found) for each, found in shown if each in OPERATORS]
    if operators:
        yield "\n| operator | |\n|---|---|"
        for each, found in operators:
            yield f"| `{each}` | {_cell(' '.join(_blocks(inspect.getdoc(found) or '')))} |"
    yield ""
    for each, found in shown:
        function = function_of(found)
        if function is not None:
            yield f"### {name}.{each}\n"
            static = isinstance(found, staticmethod)
            yield _signature(function, each, drop=0 if static else 1, kind=found)
            yield _text(function)
            yield from _example(f"{name}.{each}")
    present = [each for each, _ in members(kind) if each in hidden]
    if present:
        yield f"\nFor the library itself: {', '.join(f'`{each}`' for each in present)}.\n"


def _bare(found: Any) -> Any:
    return found.__func__ if isinstance(found, classmethod | staticmethod) else found


def _example(name: str) -> Iterator[str]:
    if name in examples():
        yield f"\n{examples()[name]}\n"


def _fields(kind: type) -> Iterator[str]:
    """Iterate over the fields of a class of facts, dataclass or named tuple, or an enumeration."""
    if issubclass(kind, Enum):
        source = textwrap.dedent(inspect.getsource(kind))
        comments = {name: text for name, _, _, text in _assigned(source)}
        yield "\n| member | value | |\n|---|---|---|"
        for each in kind:
            yield f"| `{each.name}` | `{each.value!r}` | {_cell(comments.get(each.name, ''))} |"
        return
    facts = kind.FIELDS if issubclass(kind, Facts) else {}
    named = dataclasses.is_dataclass(kind) or hasattr(kind, "_fields")
    declaring = [each for each in kind.__mro__ if each is kind or "FIELDS" in vars(each)]
    sources = [textwrap.dedent(inspect.getsource(each)) for each in declaring]
    found = [row for source in sources for row in _assigned(source)]
    rows = [row for row in found if row[0] in facts or (named and row[1])]
    if facts:
        rows.sort(key=lambda row: [*facts].index(row[0]))
    rows = [row for row in rows if not row[0].startswith("_")]
    if rows:
        yield "\n| field | type | |\n|---|---|---|"
    for name, type_, default, comment in rows:
        text = facts[name].doc if name in facts else comment
        if default and name not in facts and "field(" not in default:
            text = f"{text}; default `{default}`" if text else f"default `{default}`"
        yield f"| `{name}` | {_type(type_)} | {_cell(text)} |"


def _assigned(source: str) -> list[tuple[str, str, str, str]]:
    """Return name, type, default and comment of what the body of a class assigns."""
    lines = source.splitlines()
    found = []
    for node in ast.parse(source).body[0].body:  # type: ignore[attr-defined]
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            name, type_ = node.target.id, _annotation(node.annotation)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name, type_ = node.targets[0].id, ""
        else:
            continue
        comment = lines[(node.end_lineno or 1) - 1][node.end_col_offset or 0 :]
        default = ast.unparse(node.value) if node.value is not None else ""
        found.append((name, type_, default, comment.strip().lstrip("# ")))
    return found


# ---------------------------------------------------------------- signatures


class _Unquoted(ast.NodeTransformer):
    """Return an annotation without its quotes."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id == "Literal":
            return node
        return self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, str):
            return ast.parse(node.value, mode="eval").body
        return node


def _annotation(node: ast.expr | None) -> str:
    return "" if node is None else ast.unparse(_Unquoted().visit(node))


@cache
def _definition(function: Callable[..., Any]) -> ast.FunctionDef:
    tree = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(function))))
    found = tree.body[0]
    assert isinstance(found, ast.FunctionDef)
    return found


def _returned(getter: Any) -> str:
    if isinstance(getter, parts.RawBytes):
        return "bytes"
    return _annotation(_definition(getter).returns)


def _signature(function: Any, name: str, drop: int = 0, kind: Any = None) -> str:
    """Return the call as a block of code: one line, or one for each parameter."""
    node = _definition(function)
    given = inspect.signature(function).parameters
    shown: list[str] = []
    star = False
    for at, parameter in enumerate(given.values()):
        if at < drop:
            continue
        if parameter.kind is parameter.VAR_POSITIONAL:
            star = True
        elif parameter.kind is parameter.KEYWORD_ONLY and not star:
            shown.append("*")
            star = True
        shown.append(_parameter(node, parameter))
        after = list(given.values())[at + 1 : at + 2]
        if parameter.kind is parameter.POSITIONAL_ONLY and not (
            after and after[0].kind is parameter.POSITIONAL_ONLY
        ):
            shown.append("/")
    returned = _annotation(node.returns)
    end = f" -> {returned}" if returned and node.name != "__init__" else ""
    head = "@classmethod\n" if isinstance(kind, classmethod) else ""
    line = f"{name}({', '.join(shown)}){end}"
    if len(line) > 88:
        line = f"{name}(\n" + "".join(f"    {each},\n" for each in shown) + f"){end}"
    return f"```py\n{head}{line}\n```\n"


def _parameter(node: ast.FunctionDef, parameter: inspect.Parameter) -> str:
    every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    every += [each for each in (node.args.vararg, node.args.kwarg) if each]
    type_ = next(_annotation(each.annotation) for each in every if each.arg == parameter.name)
    several = parameter.kind is parameter.VAR_POSITIONAL
    stars = "*" if several else "**" if parameter.kind is parameter.VAR_KEYWORD else ""
    declaration = f"{stars}{parameter.name}: {type_}" if type_ else f"{stars}{parameter.name}"
    if parameter.default is parameter.empty:
        return declaration
    return f"{declaration} = {_value(parameter.default)}"


def _value(default: object) -> str:
    if isinstance(default, Enum):
        return f"{type(default).__name__}.{default.name}"
    shown = repr(default)
    return "..." if " at 0x" in shown or len(shown) > 40 else shown


# ---------------------------------------------------------------- text


def heading(name: str) -> str:
    """Return the heading of a class, or of a function with the module it is imported from."""
    page, thing = described()[name]
    return name if isinstance(thing, type) else f"{page.home}.{name}"


def _link(name: str, shown: str = "") -> str:
    anchor = heading(name).lower().replace(".", "")
    return f"[`{shown or heading(name)}`]({described()[name][0].name}#{anchor})"


def _type(text: str) -> str:
    """Return a type as code, linked to the class of the reference that it names."""
    known = [word for word in re.findall(r"\w+", text) if word[0].isupper() and word in described()]
    text = text.replace("|", "\\|")
    return _link(known[0], text) if known else f"`{text}`" if text else ""


def _cell(text: str) -> str:
    return re.sub(r"(?<!\\)\|", r"\\|", text.replace("\n", " "))


def _summary(thing: Any) -> str:
    return next(iter(_blocks(inspect.getdoc(thing) or "")), "")


def _text(thing: Any) -> str:
    return "\n\n".join(_blocks(inspect.getdoc(thing) or "")) + "\n"


def _blocks(doc: str) -> Iterator[str]:
    """Iterate over the paragraphs of a docstring, as Markdown."""
    for block in re.split(r"\n\s*\n", doc):
        lines = block.splitlines()
        heading = SECTION.match(lines[0]) if lines else None
        if heading:
            body = textwrap.dedent("\n".join(lines[1:])).splitlines()
            yield f"{heading[1]}:\n\n" + "\n".join(_items(body))
        elif all(line.startswith("    ") for line in lines) or any(map(COLUMNS.search, lines)):
            yield "```\n" + textwrap.dedent(block) + "\n```"
        else:
            yield " ".join(line.strip() for line in lines)


def _items(lines: list[str]) -> Iterator[str]:
    """Iterate over the items of a section: `name: text`, or the text alone."""
    joined: list[str] = []
    for line in lines:
        if line.startswith(" ") and joined:
            joined[-1] += f" {line.strip()}"
        else:
            joined.append(line.strip())
    if not any(ITEM.match(each) for each in joined):
        joined = [" ".join(joined)]
    for each in joined:
        item = ITEM.match(each)
        yield f"- `{item[1]}`: {item[2]}" if item else f"- {each}"


def main() -> None:
    DOCS.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (DOCS / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
