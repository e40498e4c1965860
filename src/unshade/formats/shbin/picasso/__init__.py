"""picasso source of SHBIN files: listing, assembler, and directives of the exact dialect."""
