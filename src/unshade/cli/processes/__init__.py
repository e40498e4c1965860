"""Worker processes for the inputs of a command line (`-j`)."""
