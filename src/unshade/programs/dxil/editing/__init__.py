"""Edits of modules.

Most edits are assignments: `call.arguments[1] = value`, `block.instructions.insert(3, new)`,
`string.text = "…"`. These functions combine several edits:

    adopt          number constants and metadata that were made for an edit
    is_debug_call  tell whether an instruction is a call for debuggers
    prune          remove constants, metadata and declarations that nothing refers to any more
    remove         remove an instruction, with another value for its uses
    replace_uses   let instructions use another value
    strip_debug    remove what describes the source
    strip_reflection
                   remove what only reflection needs
    strip_names    remove names of values, which only people read
"""

from .adoption import adopt
from .pruning import prune
from .stripping import is_debug_call, strip_debug, strip_names, strip_reflection
from .uses import remove, replace_uses, users

__all__ = [
    "adopt",
    "is_debug_call",
    "prune",
    "remove",
    "replace_uses",
    "strip_debug",
    "strip_names",
    "strip_reflection",
    "users",
]
