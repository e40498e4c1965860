"""Tables of SkSL: enumerations, operators, builtin functions and variables."""
