"""Texts in SSA form as graphs of blocks: what SPIR-V and LLVM's bitcode have in common.

%head = OpLabel                             Node
    %n = OpPhi %uint %a %entry %b %next       Phi
    %m = OpIAdd %uint %n %uint_1              a rule of the family makes the value
    OpLoopMerge %done %next None              the merge block of the loop
    OpBranchConditional %c %body %done        Fork
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from unshade.ir.builder import Builder
from unshade.ir.cfg import ExitGraph, Fork, Jump, Multiway, Node, Phi, build
from unshade.ir.kernel import Value
from unshade.ir.locations import SymbolName, ValueLabel
from unshade.ir.lowered import Lowered, LoweredResource
from unshade.ir.ops import OPS
from unshade.ir.types import Type

from .handmade import Lines


class Instruction(NamedTuple):
    """A line: the name of its result, its operation, and its other words."""

    line: int
    result: str
    name: str
    words: Sequence[str]


class Branch(NamedTuple):
    """The end of a block: targets by name, condition or selector, and the values of a switch."""

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
    """The control-flow graph of a text; `made` has the values by name."""

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
        """Return the value that an operand names."""
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


def phis(name: str, types: Mapping[str, Type]) -> Callable[[Instruction], Incoming | None]:
    """Return `Syntax.phi` for instructions of a type and pairs of an operand and its block."""

    def phi(each: Instruction) -> Incoming | None:
        if each.name != name:
            return None
        kind, *pairs = each.words
        return Incoming(types[kind], dict(zip(pairs[1::2], pairs[::2], strict=True)))

    return phi


def operations(
    types: Mapping[str, Type], names: Mapping[str, str], swapped: Mapping[str, str]
) -> dict[str, Rule]:
    """Return rules for instructions that are operations of `ir`: a type, then operands.

    Args:
        types: types by their words.
        names: names of operations of `ir` by those of instructions.
        swapped: the same, for instructions with the operands in opposite order.
    """

    def rule(op: str, step: int) -> Rule:
        return lambda graph, each: graph.b.make(
            OPS[op], *graph.values(each.words[1:][::step], types[each.words[0]])
        )

    return {name: rule(op, 1) for name, op in names.items()} | {
        name: rule(op, -1) for name, op in swapped.items()
    }


def lowered(
    b: Lines,
    syntax: Syntax,
    rules: Mapping[str, Rule],
    resources: Iterable[LoweredResource],
    *,
    values: Mapping[str, Value] | None = None,
    **more: Any,
) -> Lowered:
    """Lower the text of a builder; `values` are those that it names but does not compute."""
    graph = Graph(b, syntax, rules)
    graph.made |= values or {}
    graph.build()
    return b.lowered(*resources, **more)
