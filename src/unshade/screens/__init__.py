"""The output of verbs and notebooks: blocks, rendered as plain text, for a terminal, or as HTML.

info  reflection  parts  diff  hexdump  listing      the screens
blocks                                               what they are made of, as plain text
terminal                                             the same by rich
colours                                              of the words of listings, wherever shown
"""
