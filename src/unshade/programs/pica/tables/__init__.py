"""Tables: operations, formats of the instruction word, registers, edge values."""
