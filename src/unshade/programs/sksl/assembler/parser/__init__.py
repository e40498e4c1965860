"""The parser of SkSL, which checks a construct as soon as it is read."""
