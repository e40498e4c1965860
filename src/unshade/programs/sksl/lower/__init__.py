"""Lowering of SkSL to `ir`, which `vm` runs.

    lower(program, entry, specialisation) -> Lowered(kernel, resources, …)

Values are lists of scalars; functions are inlined; `half` is float, and functions are approximated,
as in Skia's raster pipeline. Each operation records the number of its line in the source that was
compiled, or in the text of a program from a file.

    runtime_shader         main(float2 p)              a pixel for each position
    runtime_color_filter   main(half4 color)           a colour for each colour, premultiplied
    runtime_blender        main(half4 src, half4 dst)  the same with two

Programs of other kinds can be run if main takes and returns scalars and vectors alone.
"""

from collections.abc import Callable, Mapping
from typing import Any

from ....errors import UnsupportedError
from ....garbage_collection import uncollected
from ....ir.kernel import DEEPEST, KernelIR, height
from ....ir.lowered import Lowered
from ....ir.memory import Port
from ....ir.specialisation import Specialisation
from ....ir.types import FLOATS
from ....vocab.slots import Direction
from .. import tree
from ..code import Code
from ..facts import InterfacePort, blocks_of, definitions_of, interface_of, stage_of
from ..tables.enumerations import ModifierFlag
from ..tree import (
    FunctionDefinition,
    ProgramUnit,
    TreeNode,
    VariableSymbol,
)
from . import calls, expressions, operators, statements
from .colors import checked_space
from .interface import (
    bind_uniforms,
    declare_port,
    globals_of,
    input_storage,
    is_uniform,
    write_port,
)
from .listing import lines_of
from .state import LoweringState
from .storage import KnownValues, Storage, VariablePlace
from .types import scalars_of

__all__ = ["lower"]

HANDLERS: Mapping[type[TreeNode], Callable[[LoweringState, Any], Any]] = {
    tree.BinaryExpression: operators.binary,
    tree.PrefixExpression: operators.prefix,
    tree.PostfixExpression: operators.postfix,
    tree.TernaryExpression: expressions.ternary,
    tree.BoolLiteral: expressions.truth,
    tree.IntLiteral: expressions.literal,
    tree.FloatLiteral: expressions.literal,
    tree.SettingReference: expressions.setting,
    tree.VariableReference: expressions.part,
    tree.FieldAccess: expressions.part,
    tree.IndexExpression: expressions.part,
    tree.SwizzleExpression: expressions.swizzle,
    tree.ConstructorArray: expressions.compound,
    tree.ConstructorCompound: expressions.compound,
    tree.ConstructorStruct: expressions.compound,
    tree.ConstructorArrayCast: expressions.converted,
    tree.ConstructorCompoundCast: expressions.converted,
    tree.ConstructorScalarCast: expressions.converted,
    tree.ConstructorSplat: expressions.splat,
    tree.ConstructorDiagonalMatrix: expressions.diagonal,
    tree.ConstructorMatrixResize: expressions.resize,
    tree.FunctionCall: calls.call,
    tree.ChildCall: calls.call_child,
    tree.BlockStatement: statements.block,
    tree.VariableDeclaration: statements.declaration,
    tree.ExpressionStatement: statements.expression,
    tree.IfStatement: statements.branch,
    tree.ForStatement: statements.for_loop,
    tree.DoStatement: statements.do_loop,
    tree.SwitchStatement: statements.switch,
    tree.BreakStatement: statements.leave_loop,
    tree.ContinueStatement: statements.next_round,
    tree.ReturnStatement: statements.return_,
    tree.DiscardStatement: statements.discard,
    tree.NopStatement: statements.nothing,
}


@uncollected
def lower(program: Code, entry: str, specialisation: Specialisation) -> Lowered:
    """Lower the main function of a program; UnsupportedError if it cannot be run."""
    unit = program.unit
    if not isinstance(unit, ProgramUnit):
        raise UnsupportedError("a module has no entry point")
    return ProgramLowering(program, unit, entry, specialisation).lower()


class ProgramLowering:
    def __init__(
        self, program: Code, unit: ProgramUnit, entry: str, specialisation: Specialisation
    ) -> None:
        self.unit = unit
        self.specialisation = specialisation
        self.kernel = KernelIR(
            entry, stage_of(unit.kind), flush=specialisation.flush, wave=specialisation.wave_size
        )
        self.text, lines = lines_of(program)
        space = checked_space(specialisation.color_space)
        self.state = LoweringState(unit, self.kernel, lines, HANDLERS, space)
        self.main = self._functions(entry)

    def _functions(self, entry: str) -> FunctionDefinition:
        self.state.functions = definitions_of(self.unit)
        named = [each for each in self.state.functions.values() if each.declaration.name == entry]
        if not named:
            raise UnsupportedError(f"there is no function {entry}")
        return named[-1]

    def lower(self) -> Lowered:
        state = self.state
        resources = bind_uniforms(state, self.unit)
        inputs, outputs = interface_of(self.unit)
        given = {each.variable: each for each in inputs if each.variable is not None}
        ports = [(each, declare_port(state, each)) for each in outputs]
        for each in globals_of(self.unit):
            variable = each.declaration.variable
            if is_uniform(variable):
                continue
            state.run(each.declaration)
            if variable in given:
                self._set(variable, given[variable])
        for _, block, _, _ in blocks_of(self.unit):
            if not is_uniform(block.variable):
                state.declare(block.variable)
        for port in inputs:
            if port.variable is not None and port.scalars is not None:
                self._set(port.variable, port)
        parameters = [self._argument(given, each) for each in self.main.declaration.parameters]
        results, after = calls.enter(state, self.main, parameters)
        values = dict(zip(self.main.declaration.parameters, after, strict=True))
        for port, components in ports:
            self._write(port, components, values, results)
        if height(self.kernel.body) > DEEPEST:
            raise UnsupportedError(f"statements are nested more than {DEEPEST} deep")
        return Lowered(
            self.kernel,
            resources,
            self.text,
            specialisation=self.specialisation,
            loose=frozenset(FLOATS),
        )

    def _set(self, variable: VariableSymbol, port: InterfacePort) -> None:
        """Set a global variable to an input."""
        size = range(len(scalars_of(port.type)))
        values = VariablePlace(input_storage(self.state, port), size).read(self.state.b)
        place = VariablePlace(self.state.storage(variable), port.scalars or size)
        place.write(self.state.b, values)

    def _argument(
        self, given: Mapping[VariableSymbol, InterfacePort], parameter: VariableSymbol
    ) -> Storage:
        """Return an argument of main: an input, or zeros where it is only written."""
        port = given.get(parameter)
        if port is not None and port.port.slot.direction is Direction.INPUT:
            return input_storage(self.state, port)
        assert parameter.modifiers.has(ModifierFlag.OUT)
        return KnownValues([self.state.zero(each) for each in scalars_of(parameter.type)])

    def _write(
        self,
        port: InterfacePort,
        components: list[Port],
        parameters: Mapping[VariableSymbol, list[Any]],
        results: list[Any],
    ) -> None:
        state = self.state
        if port.variable is None:
            write_port(state, components, results)
        elif port.variable in parameters:
            write_port(state, components, parameters[port.variable])
        else:
            scalars = port.scalars or range(len(components))
            place = VariablePlace(state.storage(port.variable), scalars)
            write_port(state, components, place.read(state.b))
