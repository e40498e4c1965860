"""One module per verb, each with a function `run`."""
