"""The executable form: typed, structured, scalar code that every lane runs."""
