"""Texts in SSA form as graphs of blocks: what SPIR-V and LLVM's bitcode have in common.

%head = OpLabel                             Node
    %n = OpPhi %uint %a %entry %b %next       Phi
    %m = OpIAdd %uint %n %uint_1              a rule of the family makes the value
    OpLoopMerge %done %next None              the merge block of the loop
    OpBranchConditional %c %body %done        Fork
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from unshade.ir.builder import Builder
from unshade.ir.cfg import ExitGraph, Fork, Jump, Multiway, Node, Phi, build
from unshade.ir.kernel import Value
from unshade.ir.locations import SymbolName, ValueLabel
from unshade.ir.types import Type

from .handmade import Lines


class Instruction(NamedTuple):
    """A line: what it is called, what it does, and its other words."""

    line: int
    result: str
    name: str
    words: Sequence[str]


class Branch(NamedTuple):
    """The end of a block by the names of blocks: condition or selector, its values, targets."""

    targets: Sequence[str] = ()
    on: str = ""
    values: Sequence[int] = ()  # of a switch: for each target but the first, which is the default


class Incoming(NamedTuple):
    """A phi: its type, and the operand for each block."""

    type: Type
    operands: Mapping[str, str]


Rule = Callable[["Graph", Instruction], Value | None]


class Syntax(NamedTuple):
    """The syntax of a family's texts; a function returns None for a line of another kind."""

    label: Callable[[str], str | None]
    instruction: Callable[[str], tuple[str, str, Sequence[str]]]
    phi: Callable[[Instruction], Incoming | None]
    branch: Callable[[Instruction], Branch | None]
    merge: Callable[[Instruction], str | None]
    literal: Callable[[str, Type | None], Value]


class Graph:
    """The function of a text; `made` has the values by name."""

    def __init__(self, b: Lines, syntax: Syntax, rules: Mapping[str, Rule]) -> None:
        self.b = b
        self.syntax = syntax
        self.rules = rules
        self.made: dict[str, Value] = {}
        self.blocks: dict[str, list[Instruction]] = {}
        code: list[Instruction] | None = None
        for number, line in enumerate(b.lines, 1):
            label = syntax.label(line)
            if label is not None:
                code = self.blocks[label] = []
            elif code is not None and line.strip() and not line.lstrip().startswith(";"):
                code.append(Instruction(number, *syntax.instruction(line)))
        self.numbers = {name: number for number, name in enumerate(self.blocks)}

    def value(self, word: str, type: Type | None = None) -> Value:
        """The value that an operand names."""
        found = self.made.get(word)
        return self.syntax.literal(word, type) if found is None else found

    def values(self, words: Sequence[str], type: Type | None = None) -> list[Value]:
        return [self.value(word, type) for word in words]

    def build(self) -> None:
        """Append the function to the kernel."""
        merges: dict[int, int] = {}
        nodes = []
        for name, code in self.blocks.items():
            phis = []
            rest = []
            for each in code:
                incoming = self.syntax.phi(each)
                merge = self.syntax.merge(each)
                if incoming is not None:
                    phis.append(self._phi(each, incoming))
                elif merge is not None:
                    merges[self.numbers[name]] = self.numbers[merge]
                else:
                    rest.append(each)
            branch = self.syntax.branch(rest[-1])
            assert branch is not None, rest[-1]
            nodes.append(Node(self._code(rest), self._end(branch), phis))
        build(self.b, nodes, merges)

    def _phi(self, each: Instruction, incoming: Incoming) -> Phi:
        operands = {
            self.numbers[block]: self._later(word, incoming.type)
            for block, word in incoming.operands.items()
        }
        made = Phi(incoming.type, operands, each.result.removeprefix("%"))
        made.value.line = each.line
        made.value.label = ValueLabel(SymbolName(each.result))
        self.made[each.result] = made.value
        return made

    def _later(self, word: str, type: Type | None = None) -> Callable[[Builder], Value]:
        return lambda b: self.value(word, type)

    def _code(self, code: Sequence[Instruction]) -> Callable[[Builder], None]:
        def run(b: Builder) -> None:
            for each in code:
                b.line = each.line
                rule = self.rules.get(each.name)
                found = rule(self, each) if rule is not None else None
                if each.result and found is not None:
                    found.label = ValueLabel(SymbolName(each.result))
                    self.made[each.result] = found

        return run

    def _end(self, branch: Branch) -> ExitGraph | Jump | Fork | Multiway:
        to = [self.numbers[name] for name in branch.targets]
        if not to:
            return ExitGraph()
        if len(to) == 1:
            return Jump(to[0])
        on = self._later(branch.on)
        if not branch.values:
            return Fork(on, to[0], to[1])
        cases = [((value,), place) for value, place in zip(branch.values, to[1:], strict=True)]
        return Multiway(on, cases, to[0])
