"""Programs as plain data (dictionaries, lists, numbers, strings), without loss.

    {program: {kind: RUNTIME_SHADER, language: ES2,
               symbols: {owned: [{command: Variable, id: 1, modifiers: {flags: [UNIFORM]},
                                  name: tint, type: half4, storage: GLOBAL}, …]},
               elements: [{command: FunctionDefinition, declaration: 3,
                           body: {statements: [{command: Return, value: …}], …}}]}}

Keys are the names of the fields, with `command` where several commands are possible, and `id` for
the number of a symbol. A reference to a symbol is its number, or the name of a builtin symbol.
Fields with default values are left out, and so is everything that the writer derives: the form of
modifiers, the list of names of a table, the offsets of strings.
"""

from .reading import code_from_data
from .writing import code_to_data, default_names

__all__ = ["code_from_data", "code_to_data", "default_names"]
