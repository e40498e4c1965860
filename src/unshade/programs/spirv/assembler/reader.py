"""Reading of SPIR-V text, instruction by instruction."""

import re
from collections.abc import Iterator

from ....errors import AssembleError, did_you_mean
from ....isa.source import ErrorList, Scanner, Source
from ..context import Context, IdTable, Number
from ..module import Instruction, PackedInstructions
from ..operands import decode, instruction_set, rules_of_extended, rules_of_nested
from ..tables.grammar import Op, OperandKind, OperandRule, grammar
from ..text.literals import FLOATS, float_format
from .ids import Ids, number_of
from .numbers import LiteralError, encoded, immediate, integer, string_words, unquoted, untyped
from .plain import LineShapes
from .tokens import Token, tokens

__all__ = ["Assembler"]

LONGEST = 0xFFFF  # words of an instruction
LARGE = 1 << 16  # lines of a text whose types are kept in an array
DIGITS = re.compile(r"[0-9a-zA-Z]+")


class Assembler:
    """One run over a text."""

    def __init__(self, source: Source, preserve: bool, version: tuple[int, int] = (1, 6)) -> None:
        self.source = source
        self.version = version
        self.tokens: list[Token] = []  # of the instructions that are being read
        self.at = 0
        self.ids = Ids(preserve, lambda: frozenset(_numbers(source)))
        self.grammar = grammar()
        lines = len(source.lines)  # as many ids or fewer, unless the text's numbers are greater
        self.context = Context(IdTable(lines) if lines >= LARGE else None)
        self.instructions = PackedInstructions()
        self.words: list[int] = []
        self.op: Op | None = None
        self.result: Token | None = None
        self.kinds = self.grammar.kinds
        self.result_type: int | None = None
        self.result_id: int | None = None
        self.selector: int = 0
        self.shapes = LineShapes()

    # ------------------------------------------------------------ one line after the other

    def restart(self, source: Source) -> None:
        """Begin another text; ids and types stay known."""
        self.source = source
        self.tokens, self.at, self.instructions = list(tokens(source)), 0, PackedInstructions()

    def reads(self, line: str, instruction: Instruction) -> bool:
        """Return True if a line by itself reads as this instruction."""
        self.restart(Source(line))
        try:
            return self.alone(frozenset(_numbers(self.source))) == instruction
        except AssembleError:
            return False

    def alone(self, numbers: frozenset[int]) -> Instruction | None:
        """Return the text's single instruction, or None; its ids are `numbers`."""
        self.ids = Ids(True, numbers)
        self._instruction()
        whole = self.at == len(self.tokens) and len(self.instructions) == 1
        return self.instructions[0] if whole else None

    def define(self, instruction: Instruction) -> None:
        """Record the definitions of an instruction that has no text."""
        found = decode(instruction.words, self.context, self.grammar)
        if not found.problem:
            self.context.add(instruction.words, found.result_type, found.result)

    # ------------------------------------------------------------ tokens

    def peek(self) -> Token | None:
        """Return the next token, None at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def starts(self) -> bool:
        """Return True at the start of an instruction, or at the end of the text."""
        token = self.peek()
        if token is None or token.is_opcode:
            return True
        after = self.tokens[self.at + 1] if self.at + 1 < len(self.tokens) else None
        return token.text.startswith("%") and after is not None and after.text == "="

    def end(self, problem: str) -> AssembleError:
        """Return an error located at the end of the text."""
        lines = self.source.lines
        return self.source.error(problem, len(lines), len(lines[-1]) + 1)

    # ------------------------------------------------------------ instructions

    def run(self, errors: ErrorList) -> None:
        """Read the whole text; after an error, go on with the next instruction."""
        lines, text = self.source.lines, self.source.text
        at = start = of_line = 0  # `start` is the offset of the line `of_line`
        while True:
            at = self.shapes.read(lines, at, self.instructions, self.ids, self.context)
            if at >= len(lines):
                return
            first, before, failed = at, len(self.instructions), len(errors.errors)
            while of_line < first:
                start = text.index("\n", start) + 1
                of_line += 1
            at = self._lines(errors, first, start)
            if len(self.instructions) != before + 1 or len(errors.errors) != failed:
                continue
            if self.op is not None and self.tokens[self.at - 1].line == first + 1:
                made = self.instructions[-1]
                self.shapes.keep(lines[first], self.op, made, self.context, self.grammar)

    def _lines(self, errors: ErrorList, first: int, start: int) -> int:
        """Read from a line to the next one that starts with an instruction; return its index."""
        found: list[Token] = []
        next_one, end = (
            0,
            first + 1,
        )  # the token that starts the next instruction; where the last ended
        for token in tokens(self.source, start, first + 1):
            if next_one and token.text == "=":
                found.append(token)
                break
            next_one = len(found) if token.line > end and token.text[0] in "%O" else 0
            found.append(token)
            if next_one and token.is_opcode:
                break
            if token.text[0] != "%":
                next_one = 0
            end = token.line + token.text.count("\n")
        else:
            next_one = 0
        self.tokens, self.at = found, 0
        stop = next_one or len(found)
        while self.at < stop:
            begin = self.at
            with errors:
                self._instruction()
                continue
            self.at = max(self.at, begin + 1)
            while not self.starts():
                self.at += 1
        return found[next_one].line - 1 if next_one else len(self.source.lines)

    def _instruction(self) -> None:
        token = self.tokens[self.at]
        self.words, self.op, self.result = [0], None, None
        self.kinds, self.result_type, self.result_id = self.grammar.kinds, None, None
        self.selector = 0
        if token.text.startswith("!"):
            self._immediate_instruction()
            return
        if token.text.startswith("%"):
            self._result(token)
            token = self.tokens[self.at]
        elif not token.is_opcode:
            raise token.error(f"expected an instruction or a result id, got {token.text!r:.40}")
        if token.text.startswith("OpUnknown"):
            self._unknown()
            return
        op = self.grammar.core.by_name.get(token.text)
        if op is None or not self._available(op):
            near = did_you_mean(token.text, self.grammar.core.by_name) if op is None else ""
            raise token.error(f"unknown instruction {token.text!r:.60}{near}")
        self.op = op
        self.at += 1
        self._check_result(op, token)
        self._operands(list(reversed(op.operands)))
        self._close()

    def _check_result(self, op: Op, token: Token) -> None:
        defines = any(each.kind == "IdResult" for each in op.operands)
        if defines and self.result is None:
            raise token.error(f"expected a result id before {op.name}, as in %id = {op.name}")
        if not defines and self.result is not None:
            raise token.error(f"expected no result id, since {op.name} has no result")

    def _available(self, op: Op) -> bool:
        """Return True if the target includes an instruction, or declarations can enable it."""
        needs = op.needs
        if needs.capabilities or needs.extensions or needs.since == "None":
            return True
        return self.version >= tuple(map(int, needs.since.split(".")))

    def _result(self, token: Token) -> None:
        self.result = token
        self.at += 1
        equal = self.peek()
        if equal is None:
            raise self.end("expected '=' after the result id, got the end of the text")
        if equal.text != "=":
            raise equal.error(f"expected '=' after the result id, got {equal.text!r:.40}")
        self.at += 1
        after = self.peek()
        if after is None:
            raise self.end("expected an instruction, got the end of the text")
        if not after.is_opcode:
            raise after.error(f"expected an instruction, got {after.text!r:.40}")

    def _close(self) -> None:
        count = len(self.words)
        if count > LONGEST:
            raise self.tokens[self.at - 1].error(f"expected at most {LONGEST} words, got {count}")
        assert self.op is not None
        self.words[0] = count << 16 | self.op.code
        instruction = Instruction(self.words)
        self.instructions.append(instruction)
        if self.op.name == "OpTypeFloat":
            self._check_float()
        self.context.add(instruction.words, self.result_type, self.result_id)

    def _check_float(self) -> None:
        if len(self.words) > 3:
            name = self.grammar.float_encodings.get(self.words[3], "")
            form = FLOATS.get(name)
            if form is not None and form.width != self.words[2]:
                problem = f"expected a width of {form.width} bits for {name}, got {self.words[2]}"
                raise self.tokens[self.at - 1].after(problem)

    def _immediate_instruction(self) -> None:
        """Read words up to the next instruction: one with `!` for its first word."""
        words: list[int] = []
        while True:
            token = self.peek()
            if token is None or (words and self.starts()):
                break
            words += self._raw(token)
        # Divide them into instructions, so that later ones see the types.
        at = 0
        while at < len(words):
            count = words[at] >> 16 or len(words)
            each = Instruction(words[at : at + count])
            self.instructions.append(each)
            self.define(each)
            at += count

    def _raw(self, token: Token) -> tuple[int, ...]:
        """Return the words of a token where the grammar does not apply, and move past it."""
        text = token.text
        if text.startswith("!"):
            value = immediate(text)
            if value is None:
                raise token.error(f"expected a number of 32 bits after '!', got {text[1:]!r:.40}")
            self.at += 1
            return (value,)
        if text.startswith("%"):
            return (self._id(token),)
        if text == "=":
            raise token.error("expected an operand, got '='")
        try:
            found = untyped(text)
        except LiteralError:
            problem = f"expected a number, a string or an id after '!', got {text!r:.40}"
            raise token.error(problem) from None
        self.at += 1
        return found

    def _unknown(self) -> None:
        """Read `OpUnknown(opcode, words) word …`."""
        scanner = Scanner(self.source, self.tokens[self.at].line)
        scanner.at = self.tokens[self.at].column - 1
        scanner.expect("OpUnknown")
        scanner.expect("(")
        code = self._small(scanner, "an opcode of 16 bits", 0)
        scanner.expect(",")
        count = self._small(scanner, "a number of words from 1 to 65535", 1)
        scanner.expect(")")
        line, column = scanner.line, scanner.at + 1
        while self.at < len(self.tokens) and (
            (self.tokens[self.at].line, self.tokens[self.at].column) < (line, column)
        ):
            self.at += 1
        words = [count << 16 | code]
        while len(words) < count:
            left = f"expected {count - len(words)} more operands"
            each = self.peek()
            if each is None:
                raise self.end(f"{left}, got the end of the text")
            if self.starts():
                raise each.error(f"{left}, got the next instruction")
            words += self._raw(each)
        instruction = Instruction(words)
        self.instructions.append(instruction)
        self.define(instruction)

    def _small(self, scanner: Scanner, wanted: str, least: int) -> int:
        start = scanner.at
        found = scanner.match(DIGITS)
        value = integer(found[0]) if found is not None else None
        if value is None or not least <= value <= LONGEST:
            scanner.at = start
            raise scanner.expected(wanted)
        return value

    # ------------------------------------------------------------ operands

    def _operands(self, pending: list[OperandRule]) -> None:
        assert self.op is not None
        while pending:
            rule = pending.pop()
            if rule.kind == "IdResult":
                assert self.result is not None
                self.result_id = self._number_of(self.result)
                self.words.append(self.result_id)
                continue
            token = self.peek()
            if token is None or self.starts():
                if rule.quantifier:
                    continue
                wanted = f"expected the operand {rule.name or rule.kind} of {self.op.name}"
                if token is None:
                    raise self.end(f"{wanted}, got the end of the text")
                raise token.error(f"{wanted}, got the next instruction")
            if token.text.startswith("!"):
                self._rest(pending)
                return
            if rule.quantifier == "*":
                pending.append(rule)
            self._operand(rule, token, pending)
        token = self.peek()
        if token is not None and not self.starts() and not token.text.startswith("!"):
            if token.text.startswith("%"):
                after = self.tokens[self.at + 1] if self.at + 1 < len(self.tokens) else None
                problem = f"expected the end of {self.op.name} or '=', got "
                raise (
                    after.error(problem + repr(after.text)[:40])
                    if after
                    else self.end(problem + "the end")
                )
            raise token.error(f"expected an instruction or a result id, got {token.text!r:.40}")

    def _rest(self, pending: list[OperandRule]) -> None:
        """Read words without the grammar to the end of the instruction, its result id in place."""
        kinds = [each.kind for each in reversed(pending)]
        before = kinds.index("IdResult") + 1 if "IdResult" in kinds else -1
        while not self.starts():
            self.words += self._raw(self.tokens[self.at])
            before -= 1
            if not before and self.result is not None:
                self.result_id = self._number_of(self.result)
                self.words.append(self.result_id)

    def _operand(self, rule: OperandRule, token: Token, pending: list[OperandRule]) -> None:
        kind = self.kinds[rule.kind]
        match kind.category:
            case "Id":
                number = self._id(token)
                if rule.name == "Set" and number not in self.context.imports:
                    raise token.error("expected the id of an extended instruction set")
                if rule.kind == "IdResultType":
                    self.result_type = number
                if not self.selector:
                    self.selector = number
                self.words.append(number)
            case "BitEnum" | "ValueEnum":
                self._enum(kind, token, pending)
            case "Composite":
                if rule.kind == "PairLiteralIntegerIdRef":
                    self._typed(token, self.context.number_of(self.selector), "selector")
                    pending.append(OperandRule("IdRef"))
                elif kind.bases == ("IdRef", "IdRef"):  # an odd number of ids is for the validator
                    self.words.append(self._id(token))
                else:
                    first, second = kind.bases
                    pending += [OperandRule(second), OperandRule(first)]
            case _:
                self._literal(rule, token, pending)

    def _literal(self, rule: OperandRule, token: Token, pending: list[OperandRule]) -> None:
        match rule.kind:
            case "LiteralString":
                self._string(token)
            case "LiteralContextDependentNumber":
                self._typed(token, self.context.numbers.get(self.result_type or 0), "type")
            case "LiteralExtInstInteger":
                self._extended(token, pending)
            case "LiteralSpecConstantOpInteger":
                op = self.grammar.core.by_name.get(f"Op{token.text}")
                if op is None:
                    raise token.error(f"unknown operation {token.text!r:.40}")
                self.words.append(op.code)
                self.at += 1
                pending += reversed(rules_of_nested(op))
            case _:
                value = integer(token.text)
                if value is None or value >= 1 << 32 or token.text[0] == "-":
                    raise token.error(
                        f"expected an unsigned integer of 32 bits, got {token.text!r:.40}"
                    )
                self.words.append(value & 0xFFFF_FFFF)
                self.at += 1

    def _string(self, token: Token) -> None:
        try:
            text = unquoted(token.text)
        except LiteralError as error:
            raise token.error(str(error)) from None
        if self.op is not None and self.op.name == "OpExtInstImport":
            known = instruction_set(self.grammar, text)
            if known is None and not text.startswith("NonSemantic."):
                raise token.error(f"unknown extended instruction set {text!r:.60}")
        self.words += string_words(text)
        self.at += 1

    def _typed(self, token: Token, number: Number | None, what: str) -> None:
        if number is None or (what == "selector" and number.is_float):
            kind = "an integer" if what == "selector" else "an integer or float"
            raise token.error(f"expected a {what} that is {kind}")
        form = float_format(number, self.grammar.float_encodings) if number.is_float else None
        try:
            self.words += encoded(token.text, number, form)
        except LiteralError as error:
            raise token.error(str(error)) from None
        self.at += 1

    def _extended(self, token: Token, pending: list[OperandRule]) -> None:
        name = self.context.imports.get(self.words[-1])
        if name is None:
            raise token.error("expected the id of an extended instruction set")
        known = instruction_set(self.grammar, name)
        if known is None:
            value = integer(token.text)
            if value is None or not 0 <= value < 1 << 32:
                raise token.error(f"expected the number of an instruction, got {token.text!r:.40}")
            self.words.append(value)
            self.at += 1
            return
        op = known.by_name.get(token.text)
        if op is None and name.startswith("NonSemantic.") and integer(token.text) is not None:
            self.words.append(integer(token.text) or 0)
            self.at += 1
            return
        if op is None:
            near = did_you_mean(token.text, known.by_name)
            raise token.error(f"unknown instruction {token.text!r:.60} of {name}{near}")
        self.words.append(op.code)
        self.at += 1
        self.kinds = known.kinds
        pending.clear()
        pending += reversed(rules_of_extended(name, op))

    def _enum(self, kind: OperandKind, token: Token, pending: list[OperandRule]) -> None:
        value = 0
        found = []
        for name in token.text.split("|") if kind.is_mask else (token.text,):
            each = kind.by_name.get(name)
            if each is None:
                near = did_you_mean(name, kind.by_name)
                raise token.error(f"unknown {kind.name} {name!r:.60}{near}")
            value |= each.value
            found.append(each)
        found.sort(key=lambda each: each.value)
        self.words.append(value)
        self.at += 1
        inner: list[OperandRule] = []
        seen: set[int] = set()
        for each in found:
            if each.value not in seen:
                seen.add(each.value)
                inner += each.operands
        pending += reversed(inner)

    def _id(self, token: Token) -> int:
        if not token.text.startswith("%"):
            raise token.error(f"expected an id, which starts with %, got {token.text!r:.40}")
        number = self._number_of(token)
        self.at += 1
        return number

    def _number_of(self, token: Token) -> int:
        name = token.text[1:]
        if not Ids.valid(name):
            problem = f"expected an id of letters, digits and _, got {token.text!r:.40}"
            raise (
                self.tokens[self.at - 1].after(problem)
                if token is self.result
                else token.error(problem)
            )
        return self.ids.of(name)


def _numbers(source: Source) -> Iterator[int]:
    """Iterate over the ids that are numbers."""
    for each in tokens(source):
        number = number_of(each.text[1:]) if each.text.startswith("%") else None
        if number is not None:
            yield number
