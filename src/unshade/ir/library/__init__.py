"""Operations expanded into IR, so that every engine runs the same code."""
