"""Operands of an instruction: which words belong to which, by the grammar.

    OpLoad %float %x Volatile|Aligned 4

    IdResultType   %float        one word
    IdResult                     one word
    IdRef          %x
    MemoryAccess   0x3           a mask; each bit has its operands, lowest bit first
    LiteralInteger 4             the operand of Aligned

Words that the grammar does not explain end the decoding: `problem` is the reason, and `rest` are
the words.
"""

from functools import cache, lru_cache

from ...tuples import NamedTuple
from .context import Context, Number, string_words
from .tables.grammar import Grammar, InstructionSet, Op, OperandKind, OperandRule
from .tables.numbers import Opcode

__all__ = [
    "STRING",
    "TYPED_NUMBER",
    "Decoded",
    "DecodedOperand",
    "OperandPlaces",
    "decode",
    "fixed_places",
    "instruction_set",
    "rules_of_extended",
    "rules_of_nested",
]

STRING = "LiteralString"
# Kinds that are read with the type of something else.
TYPED_NUMBER = "LiteralContextDependentNumber"
SWITCH_LITERAL = "SwitchLiteral"

LONGEST = 64  # words of an instruction whose places are kept
KEPT = 1 << 12  # instructions
# Instructions whose operands depend on the types of ids, and on the set that an id is.
TYPED = frozenset({Opcode.Constant, Opcode.SpecConstant, Opcode.Switch})
EXTENDED = frozenset({Opcode.ExtInst, Opcode.ExtInstWithForwardRefsKHR})
SET = 3  # the word with the id of the set
IDS = frozenset({"IdMemorySemantics", "IdRef", "IdResult", "IdResultType", "IdScope"})


class DecodedOperand(NamedTuple):
    """An operand: its kind, the index of its first word, words, and type of a number."""

    kind: str
    at: int
    words: tuple[int, ...]
    number: Number | None = None
    op: Op | None = None  # of a number of an extended or a nested instruction
    name: str = ""
    enum: OperandKind | None = None  # of a named value

    @property
    def is_id(self) -> bool:
        """True for an id."""
        return self.kind in IDS


class Decoded(NamedTuple):
    """An instruction with its operands; `op` is None for an unknown opcode."""

    op: Op | None
    result_type: int | None
    result: int | None
    operands: tuple[DecodedOperand, ...]
    problem: str = ""
    places: "OperandPlaces | None" = None  # if the first word determines them


NON_SEMANTIC = "NonSemantic."  # the beginning of the names of sets without effect on results
# Extended sets whose instructions SPIRV-Tools knows by name; those below with a version at the end.
NAMED_SETS = frozenset({
    "Arm.MotionEngine.100", "DebugInfo", "GLSL.std.450", "NonSemantic.DebugPrintf",
    "OpenCL.DebugInfo.100", "OpenCL.std", "SPV_AMD_gcn_shader", "SPV_AMD_shader_ballot",
    "SPV_AMD_shader_explicit_vertex_parameter", "SPV_AMD_shader_trinary_minmax", "TOSA.001000.1",
})  # fmt: skip
VERSIONED_SETS = (
    "Arm.ExperimentalMLOperations",
    "NonSemantic.ClspvReflection",
    "NonSemantic.Graph.DebugInfo",
    "NonSemantic.Shader.DebugInfo",
    "NonSemantic.VkspReflection",
)


def instruction_set(grammar: Grammar, name: str) -> InstructionSet | None:
    """Return the extended set that an import names; None if its instructions have no names."""
    if name in NAMED_SETS:
        return grammar.extended(name)
    for each in VERSIONED_SETS:
        if name.startswith(f"{each}."):
            return grammar.extended(each)
    return None


def rules_of_extended(set_name: str, op: Op) -> tuple[OperandRule, ...]:
    """Return the operand rules of an instruction of an extended set.

    Newer versions of a set that is not semantic may append ids.
    """
    if set_name.startswith(NON_SEMANTIC):
        return (*op.operands, OperandRule("IdRef", "*"))
    return op.operands


def rules_of_nested(op: Op) -> tuple[OperandRule, ...]:
    """Return the operand rules of an operation inside OpSpecConstantOp, without the result."""
    return tuple(each for each in op.operands if each.kind not in ("IdResultType", "IdResult"))


class OperandPlaces(NamedTuple):
    """The operands of an instruction whose first word determines their places.

    Each operand is a word: an id, a number, or an enumerant without operands. A string or a
    number of the result's type may come last, up to the end of the instruction.
    """

    op: Op
    places: tuple[tuple[str, int, str, OperandKind | None], ...]  # kind, place, name, enumeration
    result_type: int  # place; 0 without one
    result: int
    last: tuple[str, int, str] | None  # kind, place, name of the string or number
    enumerations: tuple[tuple[int, OperandKind], ...]  # the places that are enumerants
    first: int  # place of the first operand after result type and result
    end: int  # place after that of the last operand
    ids: tuple[int, ...]  # places of ids from `first` on
    all_ids: tuple[
        tuple[int, int, str], ...
    ]  # number, place and kind of each operand that is an id


def fixed_places(
    words: tuple[int, ...], context: Context, grammar: Grammar
) -> OperandPlaces | None:
    """Return the places of the operands if the first word determines them."""
    head = words[0]
    known = _known_places(grammar)
    try:
        layout = known[head]
    except KeyError:
        layout = _places(head, grammar)
        if head >> 16 <= LONGEST:
            known[head] = layout
    if layout is None:
        return None
    if layout.enumerations or layout.last is not None:
        return layout if _fits(layout, words, context) else None
    return layout if len(words) == head >> 16 else None


def decode(words: tuple[int, ...], context: Context, grammar: Grammar) -> Decoded:
    """Return the instruction of these words with its operands."""
    code = words[0] & 0xFFFF
    if len(words) > LONGEST or code in TYPED:
        return _decoded_in(words, context, grammar)
    extended = code in EXTENDED and len(words) > SET
    return _decoded_alone(words, context.imports.get(words[SET]) if extended else None, grammar)


@lru_cache(maxsize=KEPT)
def _decoded_alone(words: tuple[int, ...], imported: str | None, grammar: Grammar) -> Decoded:
    """Return an instruction whose operands depend on its words, and on the set it is of.

    They are kept: the end of a module is found by decoding it, before others decode it again, and
    modules of one compiler have many instructions in common.
    """
    context = Context()
    if imported is not None:
        context.imports[words[SET]] = imported
    return _decoded_in(words, context, grammar)


def _decoded_in(words: tuple[int, ...], context: Context, grammar: Grammar) -> Decoded:
    layout = fixed_places(words, context, grammar)
    if layout is not None:
        return _at_places(layout, words, context)
    return _Decoder(words, context, grammar).decoded()


def result_of(
    words: tuple[int, ...], context: Context, grammar: Grammar
) -> tuple[int | None, int | None] | None:
    """Return the result type and the result; None if the grammar does not explain the words."""
    layout = _known_places(grammar).get(words[0])
    if layout is not None and _fits(layout, words, context):
        return _results(layout, words)
    decoded = decode(words, context, grammar)
    return None if decoded.problem else (decoded.result_type, decoded.result)


def _fits(layout: OperandPlaces, words: tuple[int, ...], context: Context) -> bool:
    """Return True if the words are an instruction with operands at these places."""
    if len(words) != words[0] >> 16:
        return False
    for at, enum in layout.enumerations:
        if words[at] not in enum.by_value:
            return False
    if layout.last is None:
        return True
    kind, at, _ = layout.last
    if kind != TYPED_NUMBER:
        return string_words(words[at:]) == len(words) - at
    number = context.numbers.get(words[layout.result_type] if layout.result_type else 0)
    return number is not None and number.words == len(words) - at


def _results(layout: OperandPlaces, words: tuple[int, ...]) -> tuple[int | None, int | None]:
    result_type = words[layout.result_type] if layout.result_type else None
    return result_type, words[layout.result] if layout.result else None


def _at_places(layout: OperandPlaces, words: tuple[int, ...], context: Context) -> Decoded:
    """Return an instruction with operands at these places."""
    found = [
        DecodedOperand(kind, at, (words[at],), None, None, name, enum)
        for kind, at, name, enum in layout.places
    ]
    result_type, result = _results(layout, words)
    if layout.last is not None:
        kind, at, name = layout.last
        number = context.numbers.get(result_type or 0) if kind == TYPED_NUMBER else None
        found.append(DecodedOperand(kind, at, words[at:], number, None, name))
    return Decoded(layout.op, result_type, result, tuple(found), "", layout)


@cache
def _known_places(grammar: Grammar) -> dict[int, OperandPlaces | None]:
    """Return the known places of a grammar by first word."""
    return {}


def _places(head: int, grammar: Grammar) -> OperandPlaces | None:
    """Return the places of operands after this first word; None if it does not determine them."""
    op = grammar.core.by_code.get(head & 0xFFFF)
    if op is None:
        return None
    places: list[tuple[str, int, str, OperandKind | None]] = []
    last = None
    at, end = 1, head >> 16
    for rule in op.operands:
        kind = grammar.kinds[rule.kind]
        if rule.kind in (STRING, TYPED_NUMBER) and rule is op.operands[-1] and at < end:
            last, at = (rule.kind, at, rule.name), end
            break
        plain = kind.category == "Id" or rule.kind == "LiteralInteger"
        named = kind.category == "ValueEnum"
        if named and kind.has_operands:
            return None
        repeated = end - at if rule.quantifier == "*" else min(1, end - at)
        if (not repeated and not rule.quantifier) or (repeated and not plain and not named):
            return None
        for _ in range(repeated):
            places.append((rule.kind, at, rule.name, kind if named else None))
            at += 1
    if at != end:
        return None
    by_kind = {kind: place for kind, place, _, _ in places}
    first = 1 + ("IdResultType" in by_kind) + ("IdResult" in by_kind)
    if max(by_kind.get("IdResultType", 0), by_kind.get("IdResult", 0)) >= first:
        return None
    return OperandPlaces(
        op,
        tuple(places),
        by_kind.get("IdResultType", 0),
        by_kind.get("IdResult", 0),
        last,
        tuple((place, enum) for _, place, _, enum in places if enum is not None),
        first,
        len(places) + 1 + (last is not None),
        tuple(place for kind, place, _, _ in places if kind in IDS and place >= first),
        tuple((n, place, kind) for n, (kind, place, _, _) in enumerate(places) if kind in IDS),
    )


class _Decoder:
    def __init__(self, words: tuple[int, ...], context: Context, grammar: Grammar) -> None:
        self.words = words
        self.context = context
        self.grammar = grammar
        self.kinds = grammar.kinds
        self.op = grammar.core.by_code.get(words[0] & 0xFFFF)
        self.found: list[DecodedOperand] = []
        self.result_type: int | None = None
        self.result: int | None = None
        self.at = 1
        self.pending: list[OperandRule] = []

    def decoded(self) -> Decoded:
        if self.op is None:
            return Decoded(None, None, None, (), f"unknown opcode {self.words[0] & 0xFFFF}")
        self.pending = list(reversed(self.op.operands))
        problem = ""
        end = len(self.words)
        while self.at < end and not problem:
            if not self.pending:
                left = end - self.at
                problem = f"expected the end of the instruction, got {left} more words"
                break
            problem = self._next(self.pending.pop())
        if not problem:
            missing = next((each for each in reversed(self.pending) if not each.quantifier), None)
            if missing is not None:
                name = missing.name or missing.kind
                problem = f"expected the operand {name}, got the end of the instruction"
        return Decoded(self.op, self.result_type, self.result, tuple(self.found), problem)

    def _next(self, rule: OperandRule) -> str:
        if rule.quantifier == "*":
            self.pending.append(rule)
        kind = self.kinds[rule.kind]
        word = self.words[self.at]
        match kind.category:
            case "Id":
                self._take(rule, 1)
                if rule.kind == "IdResult":
                    self.result = word
                elif rule.kind == "IdResultType":
                    self.result_type = word
                return ""
            case "BitEnum" | "ValueEnum":
                return self._enum(rule, word)
            case "Composite":
                first, second = kind.bases
                if rule.kind == "PairLiteralIntegerIdRef":
                    first = SWITCH_LITERAL
                    self.pending.append(OperandRule(second))
                    return self._number(
                        OperandRule(first), self.context.number_of(self.found[0].words[0])
                    )
                # The block of the last value of a phi may be left out, for the validator to find.
                optional = "?" if rule.kind == "PairIdRefIdRef" else ""
                self.pending += [OperandRule(second, optional), OperandRule(first)]
                return ""
        return self._literal(rule, word)

    def _literal(self, rule: OperandRule, word: int) -> str:
        match rule.kind:
            case "LiteralString":
                self._take(rule, string_words(self.words[self.at :]))
            case "LiteralContextDependentNumber":
                return self._number(rule, self.context.numbers.get(self.result_type or 0))
            case "LiteralExtInstInteger":
                name = self.context.import_of(self.found[-1].words[0])
                known = instruction_set(self.grammar, name)
                if known is None:
                    self._take(rule, 1)
                    return ""
                op = known.by_code.get(word)
                if op is None and name.startswith(NON_SEMANTIC):
                    self._take(rule, 1)  # all its operands are ids
                    return ""
                if op is None:
                    return f"unknown instruction {word} of {name}"
                self._take(rule, 1, op)
                self.kinds = known.kinds
                self.pending.clear()
                self.pending += reversed(rules_of_extended(name, op))
            case "LiteralSpecConstantOpInteger":
                op = self.grammar.core.by_code.get(word)
                if op is None:
                    return f"unknown opcode {word} of a specialisation constant"
                self._take(rule, 1, op)
                self.pending += reversed(rules_of_nested(op))
            case _:
                self._take(rule, 1)
        return ""

    def _number(self, rule: OperandRule, number: Number | None) -> str:
        if number is None:
            return "expected a literal of a numeric type"
        if self.at + number.words > len(self.words):
            return f"expected a literal of {number.words} words"
        self._take(rule, number.words, number=number)
        return ""

    def _enum(self, rule: OperandRule, word: int) -> str:
        kind = self.kinds[rule.kind]
        inner: list[OperandRule] = []
        if kind.is_mask:
            rest = word
            while rest:
                bit = rest & -rest
                each = kind.by_value.get(bit)
                if each is None:
                    return f"unknown bit 0x{bit:x} of {rule.kind}"
                inner += each.operands
                rest ^= bit
            if not word and 0 in kind.by_value:
                inner += kind.by_value[0].operands
        else:
            each = kind.by_value.get(word)
            if each is None:
                return f"unknown {rule.kind} {word}"
            inner += each.operands
        self._take(rule, 1)
        self.pending += reversed(inner)
        return ""

    def _take(
        self, rule: OperandRule, count: int, op: Op | None = None, number: Number | None = None
    ) -> None:
        words = self.words[self.at : self.at + count]
        kind = self.kinds.get(rule.kind)
        enum = kind if kind is not None and kind.is_enum else None
        self.found.append(DecodedOperand(rule.kind, self.at, words, number, op, rule.name, enum))
        self.at += count
