"""Text of SPIR-V modules, as SPIRV-Tools print it."""
