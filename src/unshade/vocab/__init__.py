"""Enumerations that several folders share, in the spelling of their specifications."""
