"""LLVM as a second opinion: today's library reads the modules, with another data layout.

It refuses `i8:32`, which says that bytes are aligned to four, as dxc has it without 16-bit types.
"""

import pytest

from unshade.programs.dxil import Code

__all__ = ["llvm_text"]


def llvm_text(code: Code) -> str:
    """Return the module as LLVM prints it, after verifying it."""
    binding = pytest.importorskip("llvmlite.binding")
    layout = code.module.data_layout
    code.module.data_layout = layout.replace("i8:32", "i8:8")
    module = binding.parse_bitcode(code.bitcode_bytes(), binding.create_context())
    code.module.data_layout = layout
    module.verify()
    return str(module)
