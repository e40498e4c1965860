"""Tables of SPIR-V: the grammar, made from Khronos' machine-readable one."""
