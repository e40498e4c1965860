r"""The messages of compilers, as errors with file, line and column.

    Slang      E20002\terror\tx.hlsl\t2\t16\t2\t17\tsyntax error
    dxc        x.hlsl:2:16: error: expected expression
    glslang    ERROR: x.frag:2: 'foo' : undeclared identifier
    fxc        x.hlsl(2,16): error X3000: syntax error
    vkd3d      x.hlsl:2:16: E5000: syntax error
    naga       error: expected expression … ┌─ x.wgsl:2:16
    tint       x.wgsl:2:16 error: unresolved identifier
    spirv-as   error: 2: 6: Invalid Opcode name 'OpFoo'

The words are the compiler's own. Where a message has no column, the column is the place of the
first word in quotes that the line contains, else of the first character of the line.
"""

import re
from itertools import islice

from ..errors import AssembleError, CompileError
from ..ir.source_text import SourceTexts, has_line_directives
from ..isa.source import LONGEST, Source, decoded
from .includes import Includes
from .jobs import Job

MOST = 20  # errors that are shown
MOST_LINES = 100_000  # of a source whose lines are counted by #line
SELF = "source"

TABBED = re.compile(
    r"^(?P<code>[^\t\n]*)\t(?:error|fatal error|fatal|internal error)\t(?P<file>[^\t\n]*)\t"
    r"(?P<line>\d+)\t(?P<column>\d+)\t(?P<last>\d+)\t(?P<end>\d+)\t(?P<problem>[^\n]*)"
    r"(?:\n(?P=code)\tspan\t(?:[^\t\n]*\t){5}(?P<detail>[^\n]*))?",
    re.MULTILINE,
)
CLANG = re.compile(
    r"^(?P<file>[^\n]+?):(?P<line>\d+):(?P<column>\d+): (?:fatal )?error: (?P<problem>[^\n]*)",
    re.MULTILINE,
)
GLSLANG = re.compile(
    r"^ERROR: (?P<file>[^\n]+?):(?P<line>\d+):(?:(?P<column>\d+):)? (?P<problem>[^\n]*)",
    re.MULTILINE,
)
# Of glslang about GLSL for OpenGL: uniforms outside of blocks, no bindings, no locations.
OPENGL = re.compile(
    r"non-opaque uniforms outside a block|requires layout\(binding=X\)"
    r"|SPIR-V requires location for user input/output"
)
SHADERC = re.compile(
    r"^(?P<file>[^\n]+?):(?P<line>\d+):(?:(?P<column>\d+):)? error: (?P<problem>[^\n]*)",
    re.MULTILINE,
)
FXC = re.compile(
    r"^(?P<file>[^\n]+?)\((?P<line>\d+)(?:,(?P<column>\d+)(?:-(?P<end>\d+))?)?\): "
    r"error (?P<code>X\d+): (?P<problem>[^\n]*)",
    re.MULTILINE,
)
VKD3D = re.compile(
    r"^(?P<file>[^\n]+?):(?P<line>\d+):(?P<column>\d+): (?P<code>E\d+): (?P<problem>[^\n]*)",
    re.MULTILINE,
)
NAGA = re.compile(
    r"^error: (?P<problem>[^\n]*)\n\s*┌─ (?P<file>[^\n]+?):(?P<line>\d+):(?P<column>\d+)",
    re.MULTILINE,
)
TINT = re.compile(
    r"^(?P<file>[^\n]+?):(?P<line>\d+):(?P<column>\d+) error: (?P<problem>[^\n]*)", re.MULTILINE
)
SPIRV_AS = re.compile(
    r"^error: (?P<line>\d+): (?:(?P<column>\d+): )?(?P<problem>[^\n]*)", re.MULTILINE
)
QUOTED = re.compile(r"['`\"]([^'`\"\s]+)['`\"]")  # a word of the source in a message


def compile_error(compiler: str, form: re.Pattern[str], messages: str, job: Job) -> CompileError:
    """Return the error that a compiler's messages describe; all of the text if none is found."""
    includes = Includes(job.folders)
    matches = [*islice(form.finditer(messages), MOST)]
    last = max((int(each["line"]) for each in matches), default=0)
    known = {"": Source(_numbered(job.text, last), job.title)}
    found: list[CompileError] = []
    for each in matches:
        named = each.groupdict()
        file = named.get("file") or ""
        if file == job.title:
            file = ""
        if file not in known:
            data = includes.contents(file)
            known[file] = Source((decoded(data) if data is not None else None) or "", file)
        detail = named.get("detail") or ""
        problem = named["problem"].strip()
        if detail and detail.strip(" .").lower() != problem.strip(" .").lower():
            problem = f"{problem}: {detail}"
        if named.get("code"):
            problem = f"{problem} ({named['code']})"
        line = int(named["line"])
        one_line = named.get("last") in (None, named["line"])
        if named.get("column"):
            column = int(named["column"])
            width = int(named["end"]) - column if named.get("end") and one_line else 1
        else:
            column, width = _place(known[file], line, problem)
        made = known[file].error(problem, line, column, width)
        found.append(_of_compiler(made, compiler))
    if not found:
        said = messages.strip() or "the compiler failed without a message"
        return _of_compiler(Source("", job.title).error(said[: LONGEST * 10], 1), compiler)
    first, *others = found
    first.others = tuple(others)
    return first


def _numbered(text: str, last: int) -> str:
    """Return the lines of a text up to the number `last`, as its `#line` directives count them."""
    if not has_line_directives(text) or last > MOST_LINES:
        return text
    texts = SourceTexts({SELF: text})
    return "\n".join(texts.line(SELF, number) for number in range(1, last + 1))


def _place(source: Source, line: int, problem: str) -> tuple[int, int]:
    """Return the column, from 1, and the width of the text that a message quotes."""
    text = source.lines[line - 1] if 0 < line <= len(source.lines) else ""
    for word in QUOTED.findall(problem):
        found = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text)
        if found is not None:
            return found.start() + 1, len(word)
    return len(text) - len(text.lstrip()) + 1, 1


def _of_compiler(error: AssembleError, compiler: str) -> CompileError:
    return CompileError(
        error.problem,
        line=error.line,
        column=error.column,
        file=error.file,
        text=error.text,
        width=error.width,
        compiler=compiler,
    )
