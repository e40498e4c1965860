"""SPIR-V modules: words, instructions, text."""
