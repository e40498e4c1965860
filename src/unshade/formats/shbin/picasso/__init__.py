"""picasso's text of a SHBIN: listing, assembler, the directives of the exact dialect."""
