"""Stages as calls over arrays: their lanes, inputs and outputs."""
