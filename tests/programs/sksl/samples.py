"""SkSL programs of our own, made as trees."""

from collections.abc import Sequence

from unshade.formats.sksl import SkslShader
from unshade.programs.sksl import Program
from unshade.programs.sksl.builtins import parent_of
from unshade.programs.sksl.tables.enumerations import (
    BlockForm,
    Builtin,
    LanguageVersion,
    ModifierFlag,
    ReferenceKind,
    SkslProgramKind,
    SwizzleComponent,
    VariableStorage,
)
from unshade.programs.sksl.tables.operators import Operator
from unshade.programs.sksl.tree import (
    INT,
    INT_LITERAL,
    PRIVATE_TYPES,
    ROOT_TYPES,
    ArrayDataType,
    BinaryExpression,
    BlockStatement,
    ConstructorArray,
    ConstructorScalarCast,
    DataType,
    Expression,
    ExpressionStatement,
    FloatLiteral,
    ForStatement,
    FunctionCall,
    FunctionDeclaration,
    FunctionDefinition,
    GlobalDeclaration,
    IndexExpression,
    IntLiteral,
    LayoutQualifier,
    Modifiers,
    NopStatement,
    PrefixExpression,
    ProgramElement,
    ProgramUnit,
    ReturnStatement,
    Statement,
    StructDataType,
    StructDefinition,
    StructField,
    SwitchCase,
    SwitchStatement,
    SwizzleExpression,
    SymbolTable,
    VariableDeclaration,
    VariableReference,
    VariableSymbol,
    best_overload,
)
from unshade.programs.sksl.tree.symbols import OverloadSet

UNIFORM, SIDE_EFFECTS = ModifierFlag.UNIFORM, ModifierFlag.HAS_SIDE_EFFECTS


def named(name: str) -> DataType:
    """Return the type of a name."""
    return ROOT_TYPES.get(name) or PRIVATE_TYPES[name]


def modifiers(flags: int = 0, **layout: int) -> Modifiers:
    return Modifiers(layout=LayoutQualifier(**layout), flags=flags)  # type: ignore[arg-type]


def variable(
    name: str,
    type_: DataType | str,
    storage: VariableStorage = VariableStorage.GLOBAL,
    flags: int = 0,
    **layout: int,
) -> VariableSymbol:
    found = named(type_) if isinstance(type_, str) else type_
    return VariableSymbol(
        modifiers=modifiers(flags, **layout), name=name, type=found, storage=storage
    )


def local(name: str, type_: DataType | str) -> VariableSymbol:
    return variable(name, type_, VariableStorage.LOCAL)


def parameter(name: str, type_: str, **layout: int) -> VariableSymbol:
    return variable(name, type_, VariableStorage.PARAMETER, **layout)


def function(
    name: str, returns: str, *parameters: VariableSymbol, flags: int = SIDE_EFFECTS
) -> FunctionDeclaration:
    return FunctionDeclaration(
        modifiers=modifiers(flags), name=name, parameters=list(parameters), returns=named(returns)
    )


def declaration(symbol: VariableSymbol, value: Expression | None = None) -> VariableDeclaration:
    base, size = symbol.type, 0
    if isinstance(base, ArrayDataType):
        base, size = base.component, base.columns
    return VariableDeclaration(variable=symbol, base=base, array_size=size, value=value)


def block(*statements: Statement, owned: Sequence[VariableSymbol] = ()) -> BlockStatement:
    table = SymbolTable()
    for each in owned:
        table.add(each)
    return BlockStatement(symbols=table, statements=list(statements), form=BlockForm.BRACED_SCOPE)


def use(symbol: VariableSymbol) -> VariableReference:
    return VariableReference(variable=symbol)


def changed(symbol: VariableSymbol) -> VariableReference:
    return VariableReference(variable=symbol, reference=ReferenceKind.READ_WRITE)


def half(value: float) -> FloatLiteral:
    return FloatLiteral(type=named("half"), value=value)


def integer(value: int, type_: DataType = INT) -> IntLiteral:
    return IntLiteral(type=type_, value=value)


def binary(left: Expression, sign: str, right: Expression) -> BinaryExpression:
    operator = next(each for each in Operator if each.spelling == sign)
    return BinaryExpression(left=left, operator=operator, right=right)


def call(name: str, returns: str, *arguments: Expression) -> FunctionCall:
    """Return a call of a builtin function of runtime effects."""
    found = parent_of(SkslProgramKind.RUNTIME_SHADER).find(name)
    assert found is not None
    chosen = best_overload(found, [each.type for each in arguments])
    assert isinstance(chosen, FunctionDeclaration)
    return FunctionCall(type=named(returns), function=chosen, arguments=list(arguments))


def program(
    elements: list[ProgramElement],
    table: SymbolTable,
    kind: SkslProgramKind = SkslProgramKind.RUNTIME_SHADER,
    language: LanguageVersion = LanguageVersion.ES2,
) -> Program:
    table.parent = parent_of(kind)
    unit = ProgramUnit(kind=kind, language=language, symbols=table, elements=elements)
    return Program(unit)


def declare_function(table: SymbolTable, made: FunctionDeclaration) -> None:
    """Add a function as the compiler does: its parameters first, then it, then the overloads."""
    table.owned += made.parameters
    known = table.names.get(made.name)
    table.add(made)
    if known is not None:
        before = known.functions if isinstance(known, OverloadSet) else [known]
        table.add(OverloadSet(functions=[*before, made]))


def tinted() -> Program:
    """Return `half4 main(float2 p) { return tint * half(p.x); }` with a uniform and children."""
    table = SymbolTable()
    tint = variable("tint", "half4", flags=UNIFORM)
    image = variable("image", "shader", flags=UNIFORM)
    weights = variable(
        "weights", ArrayDataType(component=named("float3"), columns=4), flags=UNIFORM
    )
    turn = variable("turn", "float2x2", flags=UNIFORM)
    place = parameter("p", "float2", builtin=Builtin.MAIN_COORDS)
    main = function("main", "half4", place)
    table.add(tint)
    table.add(image)
    table.add(weights.type)
    table.add(weights)
    table.add(turn)
    declare_function(table, main)
    first = SwizzleExpression(base=use(place), components=[SwizzleComponent.X])
    cast = ConstructorScalarCast(type=named("half"), arguments=[first])
    body = block(ReturnStatement(value=binary(use(tint), "*", cast)))
    uniforms = tint, image, weights, turn
    return program(
        [
            *(GlobalDeclaration(declaration=declaration(each)) for each in uniforms),
            FunctionDefinition(declaration=main, body=body),
        ],
        table,
    )


def statements() -> Program:
    """Return a program with a struct, overloads, a loop, a switch, an array in a block."""
    table = SymbolTable()
    pair = StructDataType(
        name="Pair",
        members=[
            StructField(modifiers=modifiers(), name=name, type=named("half")) for name in ("a", "b")
        ],
        interface_block=False,
    )
    table.add(pair)
    color = parameter("color", "half4", builtin=Builtin.INPUT_COLOR)
    of_half, of_int = parameter("x", "half"), parameter("x", "int")
    first = function("f", "half", of_half)
    second = function("f", "half", of_int, flags=SIDE_EFFECTS | ModifierFlag.NOINLINE)
    main = function("main", "half4", color)
    for each in (first, second, main):
        declare_function(table, each)

    array = ArrayDataType(component=named("half"), columns=2)
    weights, total, i = local("weights", array), local("total", "half"), local("i", "int")
    inner = local("inner", array)
    loop_table = SymbolTable()
    loop_table.add(i)
    element = IndexExpression(base=use(weights), index=use(i))
    loop = ForStatement(
        symbols=loop_table,
        initialiser=declaration(i, integer(0)),
        test=binary(use(i), "<", integer(2)),
        next=PrefixExpression(operator=Operator.PLUS_PLUS, operand=changed(i)),
        body=block(
            declaration(inner, use(weights)),
            ExpressionStatement(expression=binary(changed(total), "+=", element)),
            owned=[inner],
        ),
    )
    choice = SwitchStatement(
        is_static=False,
        symbols=None,
        value=integer(1),
        cases=[
            SwitchCase(value=-7, body=unbraced(ReturnStatement(value=use(color)))),
            SwitchCase(value=None, body=unbraced(NopStatement())),
        ],
    )
    red = SwizzleExpression(base=use(color), components=[SwizzleComponent.X])
    values = ConstructorArray(type=array, arguments=[half(0.25), half(0.5)])
    body = block(
        declaration(weights, values),
        declaration(total, call("max", "half", red, half(-1.5))),
        loop,
        choice,
        ReturnStatement(value=binary(use(color), "*", binary(use(total), "-", half(1.0)))),
        owned=[weights, total],
    )
    body.symbols.owned.insert(0, array)  # type: ignore[union-attr]
    body.symbols.names[array.name] = array  # type: ignore[union-attr]
    return program(
        [
            StructDefinition(type=pair),
            FunctionDefinition(declaration=first, body=block(ReturnStatement(value=use(of_half)))),
            FunctionDefinition(declaration=second, body=block(ReturnStatement(value=half(0.0)))),
            FunctionDefinition(declaration=main, body=body),
        ],
        table,
        SkslProgramKind.RUNTIME_COLOR_FILTER,
        LanguageVersion.ES3,
    )


def unbraced(*inner: Statement) -> BlockStatement:
    return BlockStatement(symbols=None, statements=list(inner), form=BlockForm.UNBRACED)


def empty() -> Program:
    """Return a program without elements."""
    return program([], SymbolTable(), SkslProgramKind.GENERIC)


def indexed(depth: int) -> Program:
    """Return a program whose only expression is nested to some depth."""
    value: Expression = integer(1, INT_LITERAL)
    for _ in range(depth):
        value = PrefixExpression(operator=Operator.MINUS, operand=value)
    main = function("main", "void")
    table = SymbolTable()
    declare_function(table, main)
    body = block(ExpressionStatement(expression=value))
    return program([FunctionDefinition(declaration=main, body=body)], table)


def one_of_each() -> dict[str, bytes]:
    """Return files of different kinds."""
    made = {"tinted": tinted(), "statements": statements(), "empty": empty()}
    return {name: SkslShader(each).to_bytes() for name, each in made.items()}
