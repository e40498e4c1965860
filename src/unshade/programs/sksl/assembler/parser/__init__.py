"""The parser of SkSL, which checks a construct as soon as it is read.

Each construct has a function of the compilation (types, symbols, scopes) and a cursor over the
tokens of the source.

    cursor tokens                       tokens, positions, errors, the bound on nesting
    expressions declarations statements structs program
                                        the grammar, from expressions to the whole program
"""
