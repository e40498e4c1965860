"""Instruction sets and languages: the code inside of shaders. None knows of a container.

Each is a folder, and the same job has the same name in all of them. A job that takes more than a
module is a package of that name.

    program       the program and all that one can do with it: on top, imports the others
    ------------------------------------------------------------------------------------------
    lower         the code as `ir`                     facts    what `reflect` and its like need
    verify        its rules, and what breaks them      editing  code put in and taken out
    exact         the text that loses nothing          lexer    the words of texts, for colours
    assembler     texts to code                        page     the documentation's page
    data, spans   plain data; every field with its bits
    ------------------------------------------------------------------------------------------
    code          what is written in a file, decoded and encoded: no more than that
    text          code to texts, in the style of a tool
    instruction   one of them; operands, and what else they are made of
    tables        operations, fields of bits, enumerations and how texts spell them

Imports go down, and no two modules import each other in a circle: what works on a program takes
its `Code`, and what prints an instruction knows that class as a type alone.
"""
