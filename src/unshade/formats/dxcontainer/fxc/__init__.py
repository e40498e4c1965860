"""fxc's text of a container with tokenized programs: listing, assembler, the counters of STAT."""
