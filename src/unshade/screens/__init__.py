"""The output of verbs and notebooks: blocks, rendered as plain text, for a terminal, or as HTML.

info  reflection  parts  diff  hexdump  listing      the screens
blocks                                               the elements of screens, as plain text
terminal                                             the elements of screens, drawn by rich
colours                                              of the words of listings, in all outputs
"""
