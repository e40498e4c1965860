"""The binary form of programs: commands, numbers of symbols, and the string pool."""
