"""Instructions of LLVM 3.7: a class for each, which declares all that is known about it.

    base        Instruction, and the language of the declarations
    arithmetic  numbers, vectors and aggregates
    memory      pointers, loads and stores, atomic operations
    flow        branches, phis, calls

Numbers (operations, predicates, orderings) are as in the file; `tables/llvm_enumerations.py`
lists their names.

    CallInst(type=…, function_type=…, callee=…, arguments=[…])
"""

from .arithmetic import *  # noqa: F403 (each module lists its classes)
from .base import *  # noqa: F403
from .flow import *  # noqa: F403
from .memory import *  # noqa: F403
