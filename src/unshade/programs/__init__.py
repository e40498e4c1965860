"""Instruction sets and languages of shader code. None depends on a container.

Each is a folder, with the same module names for the same jobs; a large module is a package of that
name.

    program       the program with all its operations: the top, which imports the others
    ------------------------------------------------------------------------------------------
    lower         translation to `ir`                  facts    information for `reflect`
    verify        rules, and their checks              editing  insertion, removal, replacement
    exact         the lossless text                    lexer    syntax highlighting
    assembler     text to code                         page     the documentation page
    data, spans   plain data; every field with its bits
    ------------------------------------------------------------------------------------------
    code          decoding and encoding, and nothing else
    text          code to text, in the style of a tool
    instruction   instructions; operands and other parts of them
    tables        operations, bit fields, enumerations and their spelling

Imports go down, without cycles: modules that work on a program take its `Code`, and those that
print instructions import the class only for type checking.
"""
