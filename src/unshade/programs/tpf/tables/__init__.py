"""Tables: operations, bit fields of tokens, enumerations, and their spelling in listings."""
