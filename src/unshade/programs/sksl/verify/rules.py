"""Rules for programs: rules of the compiler that a file can violate, and rules of the writer."""

from ....errors import Severity
from ....rule import Rule, table

__all__ = ["RULES", "TYPED"]

ERROR, WARNING = Severity.ERROR, Severity.WARNING

RULES = table((
    Rule("sksl.name", ERROR, "no module of Skia has this name",
         "A program refers to builtin functions, variables and types by name. Skia looks the name"
         " up in its modules while it reads the program, and fails if it is not there."),
    Rule("sksl.overload", ERROR, "no overload of the function fits the arguments",
         "A call names a function, and Skia chooses among its overloads by the types of the"
         " arguments. The compiler writes no call that fits none."),
    Rule("sksl.call", ERROR, "the arguments of a call do not fit the function",
         "A function is called with as many arguments as it has parameters. Skia relies on it."),
    Rule("sksl.operands", ERROR, "the operands of an operator do not fit together",
         "The type of a result follows from the operands. The compiler converts operands to"
         " matching types, so that a finished program has no others."),
    Rule("sksl.condition", ERROR, "a condition is not of type bool",
         "if, ?: and loops decide by a bool. The compiler refuses any other type."),
    Rule("sksl.constructor", ERROR, "the arguments of a constructor do not fit its type",
         "Each kind of constructor takes certain arguments: a cast one, an array its elements."),
    Rule("sksl.field", ERROR, "a member or component does not exist",
         "Members of structs and components of vectors are numbered from 0."),
    Rule("sksl.return", ERROR, "a returned value has not the type of the function",
         "The compiler converts the value, or refuses it."),
    Rule("sksl.declaration", ERROR, "a declaration disagrees with its variable",
         "A declaration repeats the type of the variable, without the size of an array. Skia's"
         " generators of code use the one or the other."),
    Rule("sksl.offset", ERROR, "the offset of a member of a block does not fit",
         "An offset that the source gives is a multiple of the member's alignment, and behind the"
         " member before it. Skia refuses others when it generates code."),
    Rule("sksl.jump", ERROR, "break or continue is not in a statement that it can leave",
         "break is in a loop or a switch, continue in a loop, without a switch between them."),
    Rule("sksl.body", ERROR, "a called function has no body",
         "A function may be declared before it is defined, but a finished program defines what it"
         " calls."),
    Rule("sksl.identifier", ERROR, "a name is not an identifier",
         "Source cannot contain the name. It may not even end where it seems to."),
    Rule("sksl.duplicate", ERROR, "a table has two symbols of one name",
         "The compiler refuses a second declaration in one scope."),
    Rule("sksl.discard", ERROR, "a program that is not a fragment program discards",
         "Only fragment programs may use discard."),
    Rule("sksl.held", ERROR, "the version of the format cannot hold the program",
         "Calls of children, #extension, builtin variables, more than 255 statements in a block and"
         " others have no place in version 11. Skia's own writer makes a damaged file of them."),
    Rule("sksl.numbering", WARNING, "the number of a symbol is not the one that Skia would give",
         "Skia numbers symbols in the order in which they are written, and writes each once in a"
         " scope. Its reader accepts other numbers."),
    Rule("sksl.form", WARNING, "modifiers or a layout do not have the shortest form",
         "Skia writes the shortest of the three commands that can hold them."),
    Rule("sksl.names", WARNING, "the names of a table are not in the order of Skia's writer",
         "Skia sorts the names of a table by their bytes and lists each once."),
    Rule("sksl.string", WARNING, "a string is not referred to by its first offset",
         "Skia has each string once in the pool."),
    Rule("sksl.pool", WARNING, "the string pool is not the one that Skia would write",
         "Skia's pool has the strings in the order of their first use, each once, and no others."),
))  # fmt: skip
# Rules that lowering relies on: a program that breaks one has no meaning.
TYPED = frozenset(
    f"sksl.{each}"
    for each in (
        "overload", "call", "operands", "condition", "constructor", "field", "return",
        "declaration",
    )
)  # fmt: skip
