"""The text that fxc prints for a container: listing, assembler, and the counters of STAT."""
