"""The same statements, or kernel, once more: operations of their own, the same variables, memories
and ports.

    copied([%1 = load …, store … %1])  ->  [%2 = load …, store … %2]

Operands from outside of the region stay what they are, and so do blocks that are left; constants
are shared.
"""

from .kernel import Block, Case, If, Kernel, Loop, Region, Switch, Value


def copied(region: Region) -> Region:
    """The same statements once more."""
    made: dict[Value, Value] = {}
    blocks: dict[object, Block] = {}

    def operands(values: tuple[Value, ...]) -> tuple[Value, ...]:
        return tuple(made.get(value, value) for value in values)

    def each(old: Region) -> Region:
        new: Region = []
        for statement in old:
            match statement:
                case Value():
                    args = operands(statement.args)
                    attr = statement.attr
                    if statement.op.attribute == "block":
                        attr = blocks.get(attr, attr)
                    twin = Value(statement.op, statement.type, args, attr, statement.line)
                    made[statement] = twin
                    new.append(twin)
                case If():
                    condition = operands((statement.condition,))[0]
                    then, otherwise = each(statement.then), each(statement.otherwise)
                    new.append(If(condition, then, otherwise, statement.line))
                case Loop():
                    new.append(Loop(each(statement.body), statement.line))
                case Switch():
                    cases = [Case(c.labels, c.default, each(c.body)) for c in statement.cases]
                    new.append(Switch(operands((statement.value,))[0], cases, statement.line))
                case Block():
                    block = blocks[statement] = Block(line=statement.line)
                    block.body = each(statement.body)
                    new.append(block)
        return new

    return each(region)


def copied_kernel(kernel: Kernel) -> Kernel:
    """The same kernel in statements of its own."""
    return Kernel(
        kernel.name, kernel.stage, kernel.group, kernel.flush, kernel.wave,
        list(kernel.memories), list(kernel.textures), list(kernel.samplers),
        list(kernel.inputs), list(kernel.outputs), list(kernel.variables), copied(kernel.body),
    )  # fmt: skip
