"""Operations that are written in IR once, so that every engine runs the same code."""
