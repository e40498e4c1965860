"""Stages as calls over arrays: which lanes there are, their inputs and their outputs."""
