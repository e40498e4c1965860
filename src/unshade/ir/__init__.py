"""The intermediate representation (IR): typed, structured, scalar code that every lane runs."""
