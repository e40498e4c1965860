"""Tables: tokens, registers, operations."""
