"""Debug information: the kinds of the operands of its instructions, by their names.

    OpExtInst %void %set DebugTypeMember %name %type %source %line …

Sources: OpenCL.DebugInfo.100 and NonSemantic.Shader.DebugInfo, their specifications.
"""

from ....ir.source_text import has_line_directives
from ..context import string_of
from ..operands import DecodedOperand
from ..tables.numbers import Opcode
from .ids import is_debug_set
from .instruction import CheckTable, Inst
from .state import CONSTANTS, State

__all__ = ["CHECKS"]

CHECKS = CheckTable()

NONE = "DebugInfoNone"
SCOPES = frozenset({
    "DebugCompilationUnit", "DebugFunction", "DebugLexicalBlock", "DebugTypeComposite",
})  # fmt: skip
TYPES = frozenset({
    "DebugTypeBasic", "DebugTypePointer", "DebugTypeQualifier", "DebugTypeArray",
    "DebugTypeVector", "DebugTypedef", "DebugTypeFunction", "DebugTypeEnum",
    "DebugTypeComposite", "DebugTypeMember", "DebugTypeInheritance", "DebugTypePtrToMember",
    "DebugTypeTemplate", "DebugTypeMatrix", "DebugTypeVectorIdEXT",
    "DebugTypeCooperativeMatrixKHR", NONE,
})  # fmt: skip
TEMPLATES = frozenset({
    "DebugTypeTemplateParameter", "DebugTypeTemplateTemplateParameter",
})  # fmt: skip
# What an operand is the result of, by its name; and by instruction and name where that differs.
RESULTS = {
    "Source": frozenset({"DebugSource"}),
    "Parent": SCOPES,
    "Scope": SCOPES,
    "Type": TYPES | TEMPLATES,
    "Base Type": TYPES | TEMPLATES,
    "Return Type": TYPES | TEMPLATES,
    "Parameter Types": TYPES | TEMPLATES,
    "Member Type": TYPES,
    "Local Variable": frozenset({"DebugLocalVariable"}),
    "Expression": frozenset({"DebugExpression"}),
    "Inlined At": frozenset({"DebugInlinedAt"}),
    "Inlined": frozenset({"DebugInlinedAt"}),
    "Declaration": frozenset({"DebugFunctionDeclaration"}),
    "Child": frozenset({"DebugTypeComposite"}),
    "Target": frozenset({"DebugTypeComposite", "DebugFunction"}),
    "Parameters": TEMPLATES,
    "Members": frozenset({
        "DebugTypeMember", "DebugFunction", "DebugTypeInheritance", "DebugFunctionDeclaration",
    }),
    "Component Type": frozenset({"DebugTypeBasic"}),
    "Vector Type": frozenset({"DebugTypeVector"}),
}  # fmt: skip
SPECIAL = {
    ("DebugFunction", "Type"): frozenset({"DebugTypeFunction"}),
    ("DebugFunctionDeclaration", "Type"): frozenset({"DebugTypeFunction"}),
    ("DebugTypeVector", "Base Type"): frozenset({"DebugTypeBasic"}),
    ("DebugTypePointer", "Base Type"): TYPES,
    ("DebugTypeQualifier", "Base Type"): TYPES,
    ("DebugTypeArray", "Base Type"): TYPES,
    ("DebugTypedef", "Base Type"): TYPES,
    ("DebugTypeMember", "Parent"): frozenset({"DebugTypeComposite"}),
    ("DebugTypeInheritance", "Parent"): frozenset({"DebugTypeComposite"}),
    ("DebugTypePtrToMember", "Parent"): frozenset({"DebugTypeComposite"}),
    ("DebugExpression", "Operands ..."): frozenset({"DebugOperation"}),
    ("DebugFunctionDefinition", "Function"): frozenset({"DebugFunction"}),
}
STRINGS = ("Name", "Linkage Name", "File", "Text", "Identifier", "Path")
CONSTANT = ("Size", "Offset")
# Numbers of the set for Vulkan, which are ids there.
NUMBERS = frozenset({
    "Version", "DWARF Version", "Language", "Encoding", "Flags", "Storage Class",
    "Type Qualifier", "Line", "Column", "Tag", "Scope Line", "Arg Number", "Line Start",
    "Line End", "Column Start", "Column End", "Vector Count", "Discriminator", "OpCode",
    "FPEncoding",
})  # fmt: skip
VULKAN = "NonSemantic.Shader.DebugInfo."
SINCE_101 = ("DebugTypeVectorIdEXT", "DebugTypeCooperativeMatrixKHR")


@CHECKS.on(Opcode.ExtInst, Opcode.ExtInstWithForwardRefsKHR)
def check_debug(state: State, inst: Inst) -> None:
    """Check the operands of an instruction."""
    if not is_debug_set(inst.set) or inst.set == "DebugInfo" or len(inst.operands) < 2:
        return
    op = inst.operands[1].op
    if op is None:
        return
    vulkan = inst.set.startswith(VULKAN)
    version = inst.set.removeprefix(VULKAN)
    if op.name in SINCE_101 and version.isdecimal() and int(version) < 101:
        state.report("spirv.debug-info", inst, f"{op.name} needs version 101 of the set")
    if state.types.code(inst.type) != Opcode.TypeVoid:
        state.report("spirv.debug-info", inst, "expected the result type void")
    for operand in inst.operands[2:]:
        if operand.is_id:
            message = _wrong(state, op.name, operand, vulkan)
            if message:
                state.report("spirv.debug-info", inst, f"{operand.name}: {message}")
    _check_numbers(state, inst, op.name, vulkan)
    _check_lines(state, inst, vulkan)


def name_of(state: State, id_: int) -> str:
    """Return the name of the debug instruction that defines an id; else ""."""
    found = state.definitions.get(id_)
    if found is None or not is_debug_set(found.set) or len(found.operands) < 2:
        return ""
    op = found.operands[1].op
    return op.name if op is not None else ""


def _wrong(state: State, instruction: str, operand: DecodedOperand, vulkan: bool) -> str:
    name, id_ = operand.name, operand.words[0]
    found = state.definitions.get(id_)
    if found is None:
        return ""
    kind = name_of(state, id_)
    wanted = SPECIAL.get((instruction, name), RESULTS.get(name))
    if name == "Scope" and instruction == "DebugTypeCooperativeMatrixKHR":
        return ""
    if wanted is not None:
        void = name == "Return Type" and found.code == Opcode.TypeVoid
        return "" if kind in wanted or void else f"expected a result of {_named(wanted)}"
    if name in STRINGS:
        absent = kind == NONE and name in ("Linkage Name", "Name")
        return "" if found.code == Opcode.String or absent else "expected a string"
    if name in CONSTANT:
        return "" if found.code in CONSTANTS or kind == NONE else "expected a constant"
    if name == "Function" and instruction == "DebugFunction":
        return "" if found.code == Opcode.Function or kind == NONE else "expected a function"
    if name == "Definition":
        return "" if found.code == Opcode.Function else "expected a function"
    if name == "Variable" and instruction == "DebugGlobalVariable":
        good = found.code in CONSTANTS or found.code in (
            Opcode.Variable, Opcode.UntypedVariableKHR,
        )  # fmt: skip
        return "" if good or kind == NONE else "expected a variable or a constant"
    if name == "Indexes":
        variable = kind in ("DebugGlobalVariable", "DebugLocalVariable")
        good = variable or state.types.fits(found.type, "int s")
        return "" if good else "expected an integer"
    if vulkan and name in NUMBERS:
        good = found.code == Opcode.Constant and state.types.fits(found.type, "uint32 s")
        return "" if good else "expected a constant of 32-bit uint"
    return ""


def _named(wanted: frozenset[str]) -> str:
    if wanted >= TYPES:
        return "a debug type"
    return " or ".join(sorted(wanted))


def _check_numbers(state: State, inst: Inst, name: str, vulkan: bool) -> None:
    """Check counts of components."""
    if name == "DebugTypeVector":
        value = state.integer(inst.word(3)) if vulkan else inst.word(3)
        if value is None or not 1 <= value <= 4:
            state.report("spirv.debug-info", inst, "expected 1 to 4 components")
    elif name == "DebugTypeArray":
        for operand in inst.operands[3:]:
            id_ = operand.words[0]
            known = name_of(state, id_) in ("DebugGlobalVariable", "DebugLocalVariable")
            good = state.is_constant(id_) and state.types.fits(
                state.type_of(id_), "int32 s|int64 s"
            )
            if not known and (not good or (not vulkan and state.integer(id_) == 0)):
                state.report("spirv.debug-info", inst, "expected a constant count")
            elif known and not _counts(state, id_, vulkan):
                state.report("spirv.debug-info", inst, "expected a variable of an integer type")
    elif name == "DebugTypeInheritance" and not vulkan:
        child = state.definitions.get(inst.word(2))
        known = child is not None and name_of(state, child.id) == "DebugTypeComposite"
        if child is not None and known and child.word(3) not in (0, 1):  # class, structure
            state.report("spirv.debug-info", inst, "expected a class or structure as child")
    elif name == "DebugFunctionDefinition" and inst.function >= 0:
        function = state.functions[inst.function][0]
        if inst.word(3) != function.id:
            state.report("spirv.debug-info", inst, "expected the function it is in")


UNSIGNED = (6, 7)  # unsigned, unsigned character


def _counts(state: State, variable: int, vulkan: bool) -> bool:
    found = state.definitions[variable]
    type_ = state.definitions.get(found.word(3))
    if type_ is None or name_of(state, type_.id) != "DebugTypeBasic":
        return False
    encoding = state.integer(type_.word(4)) if vulkan else type_.word(4)
    size = state.integer(type_.word(3))
    return encoding in UNSIGNED and size in (32, 64)


# -- lines and columns of the source -------------------------------------------------------------


def _check_lines(state: State, inst: Inst, vulkan: bool) -> None:
    """Check that lines and columns are in the text of the source."""
    places = {each.name: each.words[0] for each in inst.operands[2:] if each.words}
    source = state.definitions.get(places.get("Source", 0))
    values = {
        key: state.integer(word) if vulkan else word
        for key, word in places.items()
        if key in NUMBERS
    }

    def fail(message: str) -> None:
        state.report("spirv.debug-info", inst, message)

    first = values.get("Line Start", values.get("Line"))
    last = values.get("Line End", first)
    if first is None or last is None:
        return
    if first == 0 and "Line Start" in values:
        fail("expected a line from 1 on, got 0")
        return
    if last < first:
        fail(f"line {last} is before line {first}")
        return
    begin = values.get("Column Start", values.get("Column"))
    end = values.get("Column End", begin)
    if first == last and begin is not None and end is not None and end < begin:
        fail(f"column {end} is before column {begin}")
        return
    texts = state.memo("sources", 0, lambda: _texts(state))
    lines = texts.get(source.id) if source is not None else None
    if not lines:
        return
    if last > len(lines):
        fail(f"expected a line up to {len(lines)}, got {last}")
        return
    for line, column in ((first, begin), (last, end)):
        if column is not None and line >= 1 and column > len(lines[line - 1]) + 1:
            most = len(lines[line - 1]) + 1
            fail(f"expected a column up to {most} in line {line}, got {column}")
            return


def _texts(state: State) -> dict[int, list[bytes]]:
    """Return the lines of each DebugSource with a text, including its continuations.

    Texts with `#line` are left out: their lines in debug information have any numbers.
    """
    parts: dict[int, list[bytes]] = {}
    last: list[bytes] = []
    for inst in state.of(Opcode.ExtInst, Opcode.ExtInstWithForwardRefsKHR):
        if not is_debug_set(inst.set) or len(inst.operands) < 2:
            continue
        op = inst.operands[1].op
        if op is not None and op.name == "DebugSource":
            last = []
            if len(inst.operands) > 3:
                last = parts.setdefault(inst.id, [])
                last.append(_string(state, inst.word(3)))
        elif op is not None and op.name == "DebugSourceContinued":
            last.append(_string(state, inst.word(2)))
    texts = {id_: b"".join(each) for id_, each in parts.items()}
    return {
        id_: text.splitlines()
        for id_, text in texts.items()
        if text and not has_line_directives(text.decode("utf-8", "surrogateescape"))
    }


def _string(state: State, id_: int) -> bytes:
    found = state.definitions.get(id_)
    if found is None or found.code != Opcode.String:
        return b""
    return string_of(found.words[2:])[0].encode("utf-8", "surrogateescape")
