"""What verbs and notebooks show, made of blocks and drawn as plain text, for a terminal, as HTML.

info  reflection  parts  diff  hexdump  listing      the screens
blocks                                               what they are made of, as plain text
terminal                                             the same by rich
"""
